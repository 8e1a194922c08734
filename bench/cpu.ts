import { readdirSync, readFileSync } from 'node:fs'

/** CPU time in ms that a process, and what it started, has taken: of Node and of PostgreSQL. Null where that cannot be told. */
export type Cpu = { node: number; postgres: number }

// What /proc counts in: 100 in a second on every Linux that runs Node.
const tickMs = 10

type Stat = { pid: number; parent: number; name: string; ticks: number }

function statOf(pid: string): Stat[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
    const rest = text.slice(text.lastIndexOf(')') + 2).split(' ')
    // With what children took that have ended: PostgreSQL ends connections that it does not need.
    const ticks = [11, 12, 13, 14].reduce((sum, place) => sum + Number(rest[place]), 0)
    return [{ pid: Number(pid), parent: Number(rest[1]), name, ticks }]
  } catch {
    return []
  }
}

/** A process and all that it started, and those started. */
function familyOf(pid: number): Stat[] {
  const all = readdirSync('/proc')
    .filter((each) => /^\d+$/.test(each))
    .flatMap(statOf)
  const family = new Set([pid])
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const each of all) if (family.has(each.parent)) family.add(each.pid)
  }
  return all.filter((each) => family.has(each.pid))
}

const isPostgres = ({ name }: Stat): boolean => name.startsWith('postgres')

export function cpuOf(pid: number): Cpu {
  const family = familyOf(pid)
  const sum = (of: Stat[]): number => of.reduce((total, { ticks }) => total + ticks * tickMs, 0)
  return { node: sum(family.filter((each) => !isPostgres(each))), postgres: sum(family.filter(isPostgres)) }
}

/** The most memory in MiB that any one process of PostgreSQL had that is there now, with what it shares with the others. */
export function postgresMemoryOf(pid: number): number {
  const peaks = familyOf(pid)
    .filter(isPostgres)
    .map((each) => {
      try {
        return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${each.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
      } catch {
        return 0
      }
    })
  return Math.max(0, ...peaks)
}
