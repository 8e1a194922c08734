import { spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { OperatorError } from '#kernel/operator-error.ts'

/** The embedded PostgreSQL cannot be used here, for a reason that its operator can fix. */
export class EmbeddedUnusable extends OperatorError {
  override name = 'EmbeddedUnusable'
}

/** The operating system user that PostgreSQL runs as. */
export type Account = { name: string; uid: number; gid: number; identity: { uid?: number; gid?: number } }

const isRoot = (): boolean => process.getuid?.() === 0

const id = (...args: string[]): string | undefined => {
  const { status, stdout } = spawnSync('id', args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

const lookUp = (name: string): Account | undefined => {
  const uid = Number(id('-u', name) ?? Number.NaN)
  const gid = Number(id('-g', name) ?? Number.NaN)
  if (Number.isNaN(uid) || Number.isNaN(gid) || uid === 0) return undefined
  return { name, uid, gid, identity: { uid, gid } }
}

/** The name of the current user, as the peer authentication of PostgreSQL will see it. */
export function ownName(): string {
  try {
    return userInfo().username
  } catch {
    throw new EmbeddedUnusable(
      `The user id ${process.getuid?.()} has no name in /etc/passwd, and the embedded PostgreSQL needs one: ` +
        'add it to /etc/passwd, run as another user, or use your own database with --database-url.',
    )
  }
}

/**
 * `postgres` and `initdb` refuse to run as root. Root runs them as the user who owns the data already, else as
 * `bailiwick` if that user exists, else as `nobody`; other users run them as themselves.
 */
export function chooseAccount(ownerUid: number | undefined): Account {
  if (!isRoot()) {
    const { uid, gid } = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 }
    return { name: ownName(), uid, gid, identity: {} }
  }
  const ownerName = ownerUid ? id('-nu', String(ownerUid)) : undefined
  const account = (ownerName && lookUp(ownerName)) || lookUp('bailiwick') || lookUp('nobody')
  if (!account)
    throw new EmbeddedUnusable('PostgreSQL cannot run as root, and there is no user `bailiwick` or `nobody` to run as.')
  return account
}

/** Asks the kernel rather than reading modes: ACLs, mounts and security modules also matter. */
export function canRun(account: Account, shellTest: string, folder: string): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', shellTest, 'sh', folder], {
    ...account.identity,
    cwd: '/',
    stdio: 'ignore',
  })
  return status === 0
}

export const canEnter = (account: Account, folder: string): boolean => canRun(account, 'cd "$1"', folder)
