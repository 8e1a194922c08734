import { readdirSync, readFileSync } from 'node:fs'

/*
 * The processes of one program that the server started, also those that left its group. Linux only: what is known of a process is
 * read from /proc.
 */

/** A program that was started, as another process can recognize what belongs to it. */
export type Started = {
  /** The process that was started first, which leads its own session and group. */
  pid: number
  /** When it was started, in the kernel's ticks: ids of processes are used again. */
  born: number
  /** Its own folder, which is the TMPDIR of all that it starts. */
  folder: string
  /** The user that nothing but this program runs as, and the programs that it starts; null if there is none. */
  ownUser: number | null
}

type Stat = { parent: number; group: number; session: number; born: number; isOver: boolean }

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It has ended, or belongs to someone else.
    return ''
  }
}

/** proc(5): the name in brackets may contain anything, and after it come the state, the parent, the group and the session. */
function statOf(pid: number): Stat | null {
  const stat = read(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields.length < 20) return null
  const [parent, group, session, born] = [fields[1], fields[2], fields[3], fields[19]].map(Number) as [
    number,
    number,
    number,
    number,
  ]
  return { parent, group, session, born, isOver: /[ZX]/.test(fields[0] ?? 'X') }
}

/** When a process was started; 0 if it has ended. */
export function startOf(pid: number): number {
  const stat = statOf(pid)
  return stat && !stat.isOver ? stat.born : 0
}

/** Real, effective, saved and of files: a process of a set-user-id program has several. */
const usersOf = (pid: number): number[] =>
  (/^Uid:\s+(.*)$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? '').split(/\s+/).filter(Boolean).map(Number)

function belongsTo({ pid: first, born, folder, ownUser }: Started, pid: number, isFirstGone: boolean): boolean {
  const stat = statOf(pid)
  if (!stat || stat.isOver || pid === process.pid) return false
  if (pid === first) return stat.born === born
  // The group and the session keep the id of the first process from being used again as long as one of them runs.
  const isOfGroup = stat.group === first || stat.session === first
  if (isOfGroup && !isFirstGone && stat.born >= born) return true
  if (ownUser !== null && usersOf(pid).includes(ownUser)) return true
  return read(`/proc/${pid}/environ`).split('\0').includes(`TMPDIR=${folder}`)
}

/** The processes of a program that are running now. */
export function listProcesses(of: Started): number[] {
  const first = statOf(of.pid)
  // Another process has that id now, so it, and its group, are not of this program.
  const isFirstGone = first !== null && first.born !== of.born
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => belongsTo(of, pid, isFirstGone))
}
