import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assertLoadable } from './binaries.ts'
import { type Home, isErrno } from './home.ts'
import { EmbeddedUnusable, ownName } from './unprivileged.ts'

/** The name of both the role and the database; there is no password, as PostgreSQL checks the peer of the socket. */
export const role = 'bailiwick'

export const environment = { LC_ALL: 'C', TZ: 'UTC', PATH: process.env.PATH ?? '/usr/bin:/bin' }

const draftPrefix = 'cluster.draft-'
const draftMsMax = 600_000

/**
 * Creates the cluster if there is none: under a draft name, renamed when it is complete. Of two processes that do it at
 * once, the first to rename wins, and the other deletes its own. Returns whether ours was used.
 */
export async function createCluster(home: Home, program: string): Promise<boolean> {
  sweepDrafts(home)
  const draft = join(home.path, `${draftPrefix}${process.pid}-${randomBytes(4).toString('hex')}`)
  await runInitdb(home, join(program, 'bin/initdb'), draft)
  try {
    await rename(draft, home.cluster)
  } catch (error) {
    if (!isErrno(error, 'EEXIST', 'ENOTEMPTY')) throw error
    await rm(draft, { recursive: true, force: true })
    return false
  }
  syncFolder(home.path)
  return true
}

/** Whether a data folder has no database, without opening it. If it cannot be read, opening it reports the error. */
export function isWithoutCluster(dataDir: string): boolean {
  const home = join(dataDir, 'postgres')
  if (!lstatSync(home, { throwIfNoEntry: false })) return true
  try {
    return existsSync(home) && !statSync(join(home, 'cluster/PG_VERSION'), { throwIfNoEntry: false })
  } catch {
    return false
  }
}

export const clusterExists = (home: Home): boolean => existsSync(join(home.cluster, 'PG_VERSION'))

async function runInitdb(home: Home, initdb: string, draft: string): Promise<void> {
  const child = spawn(
    initdb,
    [
      `--pgdata=${draft}`,
      `--username=${role}`,
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--auth-local=peer',
      '--auth-host=reject',
      '--data-checksums',
    ],
    { ...home.account.identity, cwd: home.path, env: environment, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject)).catch(
    (error) => {
      assertLoadable(initdb, error)
      throw error
    },
  )
  if (code === 0) return
  await rm(draft, { recursive: true, force: true })
  throw new EmbeddedUnusable(
    `PostgreSQL could not create its cluster in ${home.path}: ${said.trim().split('\n').at(-1)}`,
  )
}

/** What a killed initdb left. A draft whose process is still running is kept. */
function sweepDrafts(home: Home): void {
  for (const name of readdirSync(home.path)) {
    if (!name.startsWith(draftPrefix)) continue
    const path = join(home.path, name)
    const maker = Number(name.slice(draftPrefix.length).split('-')[0])
    const age = Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (maker !== process.pid && pidExists(maker) && age < draftMsMax) continue
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

export function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isErrno(error, 'EPERM')
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/**
 * Who may connect: our own user, and root, who can become anyone in any case. Also PostgreSQL's own user, so that its
 * owner can join what root started; but never `nobody`, which is shared with others.
 */
export async function writeAccess(home: Home): Promise<void> {
  const names = new Set([ownName(), 'root', home.account.name])
  if (ownName() !== 'nobody') names.delete('nobody')
  await replaceFile(home, 'pg_hba.conf', `local all ${role} peer map=${role}\n`)
  await replaceFile(home, 'pg_ident.conf', [...names].map((name) => `${role} "${name}" ${role}\n`).join(''))
}

// A new file renamed into place: root never writes through a link that PostgreSQL's user might have created there.
async function replaceFile(home: Home, name: string, text: string): Promise<void> {
  const draft = join(home.cluster, `${name}.draft-${process.pid}-${randomBytes(4).toString('hex')}`)
  await writeFile(draft, text, { flag: 'wx', mode: 0o600 })
  if (process.getuid?.() === 0) chownSync(draft, home.account.uid, home.account.gid)
  renameSync(draft, join(home.cluster, name))
}
