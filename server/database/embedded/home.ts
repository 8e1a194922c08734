import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  type Stats,
  statSync,
  symlinkSync,
} from 'node:fs'
import { lchown } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Account, canEnter, chooseAccount, EmbeddedUnusable } from './unprivileged.ts'

/** Where the embedded PostgreSQL of one data folder keeps its files, and the user that it runs as. */
export type Home = {
  dataDir: string
  path: string
  cluster: string
  socketDir: string
  socketPath: string
  logFile: string
  account: Account
}

export const isErrno = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException | null)?.code ?? '')

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

const findStats = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })

/** PostgreSQL determines the name of the socket file; sun_path has 108 bytes on Linux and 104 on macOS. */
const socketFile = '.s.PGSQL.5432'
const socketPathBytesMax = 100

function placeSocketDir(home: string): string {
  const inHome = join(home, 'socket')
  if (Buffer.byteLength(join(inHome, socketFile)) <= socketPathBytesMax) return inHome
  return join(tmpdir(), `bailiwick-${shortHash(home)}`)
}

function makePrivateFolder(path: string, account: Account): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
  }
  const stats = lstatSync(path)
  const mayBeOurs = stats.isDirectory() && (stats.uid === account.uid || stats.uid === process.getuid?.())
  if (!mayBeOurs)
    throw new EmbeddedUnusable(`${path} must be a folder of the user ${account.name}, and is not: it is not changed.`)
  if (stats.uid !== account.uid) chownSync(path, account.uid, account.gid)
  if ((stats.mode & 0o777) !== 0o700) chmodSync(path, 0o700)
}

/** Finds the home of a data folder's PostgreSQL, or creates it. Safe when several processes do it at once. */
export function prepareHome(dataDir: string, rootHome: string): Home {
  try {
    return findOrMakeHome(dataDir, rootHome)
  } catch (error) {
    if (error instanceof EmbeddedUnusable || !(error as NodeJS.ErrnoException).code) throw error
    throw new EmbeddedUnusable(`The data folder ${dataDir} cannot be used: ${(error as Error).message}`)
  }
}

function findOrMakeHome(dataDir: string, rootHome: string): Home {
  // Root's folder may be entered but not listed: PostgreSQL, which is not root, needs access to its home in it.
  mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const folder = realpathSync(dataDir)
  const link = join(folder, 'postgres')
  const found = findStats(link)
  if (found?.isSymbolicLink() && !statSync(link, { throwIfNoEntry: false })) {
    throw new EmbeddedUnusable(
      `${link} points to ${readlinkSync(link)}, which does not exist: restore it, or remove the link to start empty.`,
    )
  }
  const account = chooseAccount(found && statSync(link).uid)
  const path = found ? realpathSync(link) : placeHome(folder, link, account, rootHome)
  makePrivateFolder(path, account)
  if (!canEnter(account, path))
    throw new EmbeddedUnusable(`The user ${account.name}, who runs PostgreSQL, cannot enter ${path}.`)
  const socketDir = placeSocketDir(path)
  return {
    dataDir: folder,
    path,
    cluster: join(path, 'cluster'),
    socketDir,
    socketPath: join(socketDir, socketFile),
    logFile: join(path, 'postgres.log'),
    account,
  }
}

function placeHome(folder: string, link: string, account: Account, rootHome: string): string {
  if (canEnter(account, folder)) return link
  mkdirSync(rootHome, { recursive: true, mode: 0o711 })
  // A new name each time: an operator who removes a data folder and starts again does not find the old database in the
  // new one.
  const path = join(realpathSync(rootHome), randomBytes(6).toString('hex'))
  // The folder before the link: a link to a missing folder is refused, so that no one starts with an empty database by
  // mistake.
  makePrivateFolder(path, account)
  try {
    symlinkSync(path, link)
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
    rmdirSync(path)
  }
  return realpathSync(link)
}

export const makeSocketDir = (home: Home): void => makePrivateFolder(home.socketDir, home.account)

/** A socket folder outside the home would stay behind in the temporary folder. */
export function sweepSocketDir(home: Home): void {
  if (home.socketDir.startsWith(home.path)) return
  try {
    rmdirSync(home.socketDir)
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) throw error
  }
}

/** The owner of links themselves is changed; they are never followed. */
export async function giveTo(account: Account, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const inside = lstatSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : []
  for (const name of inside) await lchown(join(path, name), account.uid, account.gid)
  await lchown(path, account.uid, account.gid)
}
