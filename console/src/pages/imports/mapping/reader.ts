import { readDate } from './dates.ts'
import { type FileKind, profilePrefix } from './fields.ts'
import type { Mapping } from './guess.ts'
import { cellProblem, readStatus, tidied } from './problems.ts'
import type { Row } from './table.ts'

/** Something wrong with a row, and the fields that it is about. */
export type Problem = { row: number; fields: string[]; text: string }
/** The lines of an import, each with the row of the file that it came from. */
export type Records = { lines: { row: number; record: object }[]; problems: Problem[]; cleaned: number }

export type Options = {
  kind: FileKind
  /** How rows and existing people are recognized. */
  key: 'employeeId' | 'email'
  /** The app of the members: its name, and the external id that imports have for it. */
  app?: { key: string; name: string }
}

export type Reader = {
  of: (field: string) => string
  profile: () => Record<string, string>
  wrong: (text: string, ...fields: string[]) => void
}

const isStatus = (target: string): boolean => ['status', 'employment', 'accountStatus'].includes(target)
const isTime = (target: string): boolean => target === 'grantedAt' || target === 'expiresAt'

/** The values of a row by field, as they are imported; what is wrong with a value is noted. */
export function readRow(
  { cells }: Row,
  row: number,
  { targets, formats }: Mapping,
  problems: Problem[],
): Reader & { cleaned: number } {
  const values = new Map<string, string>()
  const wrong = (text: string, ...fields: string[]): void => void problems.push({ row, fields, text })
  let cleaned = 0
  for (const [at, target] of targets.entries()) {
    const given = cells[at] ?? ''
    if (target === '' || given === '') continue
    const value = tidied(given)
    if (value !== given) cleaned++
    const problem = cellProblem(value)
    const format = formats[at] ?? null
    const date = format === null || format === 'unclear' ? null : readDate(value, format)
    if (problem) wrong(problem, target)
    else if (format === 'unclear') wrong('choose how the dates of this column are written', target)
    else if (format !== null && date === null) wrong('is not a date in the format of this column', target)
    if (isStatus(target) && !problem) {
      const status = readStatus(value)
      if (status === null) wrong('is neither a word for enabled nor for disabled', target)
      if (target === 'employment') values.set('employmentStatus', value)
      values.set(target === 'employment' ? 'status' : target, status ?? '')
    } else values.set(target, date === null ? value : isTime(target) ? `${date}T00:00:00Z` : date)
  }
  return {
    of: (field) => values.get(field) ?? '',
    profile: () =>
      Object.fromEntries(
        [...values]
          .filter(([field]) => field.startsWith(profilePrefix))
          .map(([field, value]) => [field.slice(profilePrefix.length), value]),
      ),
    wrong,
    cleaned,
  }
}

export const nameOf = (of: Reader['of'], whole: string): string =>
  of(whole) || [of('firstName'), of('lastName')].filter((part) => part !== '').join(' ')
