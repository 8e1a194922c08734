import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tenancy } from '#kernel/routes.ts'
import type { ProgramSettings, World } from '#kernel/world.ts'

/** The name of a program, which is a file in the folder that the operator named. Never a path. */
const programForm = /^[a-z0-9][a-z0-9_.-]{0,63}$/

/** A file of the folder that can be run. */
export type ProgramFile = {
  name: string
  path: string
  /** Different for another file of that name. */
  fingerprint: string
  /** Why it is not run; empty if nothing is wrong. */
  problem: string
}

const filesMax = 500
const writableByOthers = 0o002

const isOfConnectors = ({ users }: ProgramSettings, uid: number): boolean =>
  users !== 'same' && uid >= users.first && uid <= users.last

/** Who can write a program, or the folder, decides what runs: connectors and others may not. */
async function whyNotRun(settings: ProgramSettings, path: string): Promise<{ problem: string; fingerprint: string }> {
  const [file, folder] = await Promise.all([stat(path), stat(settings.folder)])
  const fingerprint = [file.ino, file.size, file.mtimeMs, file.ctimeMs].join(' ')
  const isOpen = [file, folder].some(
    ({ mode, uid }) => (mode & writableByOthers) !== 0 || isOfConnectors(settings, uid),
  )
  const problem = isOpen
    ? 'It, or the folder that it is in, can be changed by other users. Correct the permissions.'
    : ''
  return { problem, fingerprint }
}

async function fileOf(settings: ProgramSettings, name: string): Promise<ProgramFile | null> {
  const path = join(settings.folder, name)
  try {
    if (!(await stat(path)).isFile()) return null
    await access(path, constants.X_OK)
    return { name, path, ...(await whyNotRun(settings, path)) }
  } catch {
    // It is not a program, or has been removed.
    return null
  }
}

/** Whether the operator lets the server run connectors for a tenant. */
export const mayRun = ({ settings }: Pick<World, 'settings'>, { domain }: Pick<Tenancy, 'domain'>): boolean =>
  settings.programs !== undefined &&
  (settings.programs.tenants.length === 0 || settings.programs.tenants.includes(domain.toLowerCase()))

/** The programs that the operator put into the folder, by name. */
export async function listPrograms({ settings }: Pick<World, 'settings'>): Promise<ProgramFile[]> {
  const { programs } = settings
  if (!programs) return []
  const names = await readdir(programs.folder).catch((): string[] => [])
  const known = names.filter((name) => programForm.test(name)).toSorted()
  const files = await Promise.all(known.slice(0, filesMax).map((name) => fileOf(programs, name)))
  return files.filter((file) => file !== null)
}

/** One of them. The name is compared with those in the folder: it never becomes a path unless it is one of them. */
export async function findProgram({ settings }: Pick<World, 'settings'>, name: string): Promise<ProgramFile | null> {
  const { programs } = settings
  if (!programs || !programForm.test(name)) return null
  const names = await readdir(programs.folder).catch((): string[] => [])
  return names.includes(name) ? fileOf(programs, name) : null
}
