import { type FileKind, fieldsOf, isAttributeName, plainName, profilePrefix } from './fields.ts'
import { formatFor, guessMapping, type Mapping, samplesOf } from './guess.ts'
import type { FileTable } from './table.ts'

/**
 * The mapping that was last used for a file with the same columns, in this browser: it has no data about people, and files of the
 * same system always have the same columns.
 */
type Kept = { columns: string; targets: string[] }
const keptMax = 20
const storageKey = (kind: FileKind): string => `bailiwick-mapping ${kind}`
const columnsOf = (header: readonly string[]): string => header.map(plainName).join(' ')

function read(kind: FileKind): Kept[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey(kind)) ?? '[]')
    return Array.isArray(kept) ? (kept as Kept[]) : []
  } catch {
    return []
  }
}

const isTarget = (kind: FileKind, target: unknown): boolean =>
  typeof target === 'string' &&
  (target === '' ||
    fieldsOf[kind].some(({ name }) => name === target) ||
    (target.startsWith(profilePrefix) && isAttributeName(target.slice(profilePrefix.length))))

/** What is proposed for a file: the mapping of the last file with these columns, or a guess. */
export function proposalFor(table: FileTable, kind: FileKind): { mapping: Mapping; isKept: boolean } {
  const kept = read(kind).find(({ columns }) => columns === columnsOf(table.header))
  const isValid =
    Array.isArray(kept?.targets) &&
    kept.targets.length === table.header.length &&
    kept.targets.every((target) => isTarget(kind, target))
  if (!kept || !isValid) return { mapping: guessMapping(table, kind), isKept: false }
  const formats = kept.targets.map((target, at) => formatFor(target, samplesOf(table, at, 200)))
  return { mapping: { targets: kept.targets, formats }, isKept: true }
}

export function keepMapping(header: readonly string[], kind: FileKind, { targets }: Mapping): void {
  const columns = columnsOf(header)
  const others = read(kind).filter((each) => each.columns !== columns)
  localStorage.setItem(storageKey(kind), JSON.stringify([{ columns, targets }, ...others].slice(0, keptMax)))
}
