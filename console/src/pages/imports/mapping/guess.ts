import { type DateFormat, dateFormatOf } from './dates.ts'
import { attributes, type FileKind, fieldsOf, plainName, profilePrefix } from './fields.ts'
import { readStatus } from './problems.ts'
import type { FileTable } from './table.ts'

/** What each column becomes: the name of a field, `profile.NAME`, or nothing. */
export type Mapping = { targets: string[]; formats: (DateFormat | 'unclear' | null)[] }

const sampleMax = 200
export const samplesOf = ({ rows }: Pick<FileTable, 'rows'>, column: number, count: number): string[] => {
  const found: string[] = []
  for (const { cells } of rows) {
    const value = cells[column] ?? ''
    if (value !== '' && !found.includes(value)) found.push(value)
    if (found.length >= count) break
  }
  return found
}

const emailForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const areEmails = (values: readonly string[]): boolean =>
  values.length > 0 && values.filter((value) => emailForm.test(value)).length >= values.length * 0.8

const areStatuses = (values: readonly string[]): boolean =>
  values.length > 0 && values.every((value) => readStatus(value) !== null)

/** Columns named for a manager are distinguished by what is in them. */
function managerField(values: readonly string[]): string {
  if (areEmails(values)) return 'managerEmail'
  const areNumbers = values.length > 0 && values.every((value) => /\d/.test(value) && !/\s/.test(value))
  return areNumbers ? 'managerId' : 'managerName'
}

/** Proposes what each column becomes, by its name and its values. Nothing is proposed twice; what is not known is ignored. */
export function guessMapping(table: FileTable, kind: FileKind): Mapping {
  const fields = fieldsOf[kind]
  const samples = table.header.map((_, at) => samplesOf(table, at, sampleMax))
  const targets = table.header.map(() => '')
  const propose = (at: number, target: string): void => {
    if (!targets.includes(target)) targets[at] = target
  }
  const plain = table.header.map(plainName)
  // A field whose name is closer to the beginning of the list of known ones goes first: `Work email` before `UPN`.
  for (const { name, known } of fields)
    for (const each of known) {
      const at = plain.indexOf(each)
      if (at < 0 || targets[at] !== '' || targets.includes(name)) continue
      if (name === 'managerName') propose(at, managerField(samples[at] ?? []))
      else propose(at, name)
    }
  // Whoever has left must not be enabled because the column has another name.
  const employment = targets.indexOf('employmentStatus')
  if (employment >= 0 && !targets.includes('status') && areStatuses(samples[employment] ?? []))
    targets[employment] = 'employment'
  const email = kind === 'people' ? 'email' : 'accountEmail'
  if (!targets.includes(email)) {
    const at = samples.findIndex((values, index) => targets[index] === '' && areEmails(values))
    if (at >= 0) targets[at] = email
  }
  if (kind === 'people')
    for (const [at, name] of plain.entries()) {
      const attribute = attributes[name]
      if (targets[at] === '' && attribute) propose(at, `${profilePrefix}${attribute}`)
    }
  return { targets, formats: targets.map((target, at) => formatFor(target, samples[at] ?? [])) }
}

/** Only columns of dates have a format: times of access, and attributes all of whose values are dates. */
export function formatFor(target: string, values: readonly string[]): Mapping['formats'][number] {
  const isDate = target === 'grantedAt' || target === 'expiresAt'
  if (!isDate && !target.startsWith(profilePrefix)) return null
  return dateFormatOf(values) ?? (isDate ? 'ymd' : null)
}

/** Whether a file is one of the import's own format, which needs no mapping. */
export const isOwnFormat = (header: readonly string[]): boolean =>
  header.some((name) => ['kind', 'externalId', 'external_id'].includes(name))
