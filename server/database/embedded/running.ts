import { realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Home } from './home.ts'
import { findProcess, type Process, readName, readText } from './processes.ts'

export const pidIn = (lockFile: string | undefined): number => Math.abs(Number.parseInt(lockFile ?? '', 10)) || 0

/** The arguments of a postmaster name the process that started it: valid as long as it runs, and never for another one. */
export const ownerSetting = 'bailiwick.owner'

/** The process with this id, if it is a postmaster of this cluster. */
export function findPostmasterAt(home: Home, pid: number): FoundPostmaster | undefined {
  const found = findProcess(pid)
  const [program = '', ...args] = found?.command ?? []
  if (!found || basename(program) !== 'postgres' || !args.includes(realpathSync(home.cluster))) return undefined
  const owner = args.find((arg) => arg.startsWith(`${ownerSetting}=`))?.slice(ownerSetting.length + 1)
  return { pid, born: found.born, owner: readName(owner ?? '') }
}

export const lockFileOf = (home: Home): string => join(home.cluster, 'postmaster.pid')

export type FoundPostmaster = Process & { owner: Process | undefined }

/** The postmaster that runs on this cluster, whoever started it. */
export const findPostmaster = (home: Home): FoundPostmaster | undefined =>
  findPostmasterAt(home, pidIn(readText(lockFileOf(home))))

/** Whether a postmaster is stopping, according to the eighth line of its lock file. */
export function isStopping(home: Home, { pid }: Process): boolean {
  const text = readText(lockFileOf(home))
  return pidIn(text) === pid && text?.split('\n')[7]?.trim() === 'stopping'
}
