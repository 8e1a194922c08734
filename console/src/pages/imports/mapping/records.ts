import type { Mapping } from './guess.ts'
import { memberRecords } from './members.ts'
import { nameOf, type Options, type Problem, type Reader, type Records, readRow } from './reader.ts'
import type { Row } from './table.ts'

/** `Doe, Jane` and `Jane Doe` are the same name. */
const nameKey = (name: string): string => {
  const [last, first, more] = name.split(',').map((part) => part.trim())
  return (first && more === undefined ? `${first} ${last}` : name).toLowerCase().replace(/\s+/g, ' ')
}

const set = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))

/** One line of the import for each row: the employee number is the key of those who have one, the email address of all others. */
function personRecords(readers: readonly Reader[], { key }: Options): Records['lines'] {
  const byName = new Map<string, number[]>()
  for (const [row, { of }] of readers.entries()) {
    const name = nameKey(nameOf(of, 'displayName'))
    byName.set(name, [...(byName.get(name) ?? []), row])
  }
  const keyOf = ({ of }: Reader): string => (key === 'employeeId' ? of('employeeId') : '')
  return readers.map((reader, row) => {
    const { of, profile, wrong } = reader
    const displayName = nameOf(of, 'displayName') || of('username')
    if (of('email') === '' && keyOf(reader) === '')
      wrong(
        key === 'employeeId' ? 'has neither an employee number nor an email address' : 'has no email address',
        'email',
      )
    if (displayName === '' && of('email') === '') wrong('has no name', 'displayName', 'firstName', 'lastName')
    const manager: Record<string, string> = {}
    const named = of('managerName')
    if (of('managerEmail') !== '') manager['managerEmail'] = of('managerEmail')
    else if (of('managerId') !== '') manager['manager'] = of('managerId')
    else if (named !== '') {
      const rows = byName.get(nameKey(named)) ?? []
      const [found, ...others] = rows.map((at) => readers[at] as Reader)
      if (!found) wrong('is the name of nobody in this file: enter the email address of the manager', 'managerName')
      else if (others.length > 0) wrong('is the name of several people in this file', 'managerName')
      else if (found.of('email') !== '') manager['managerEmail'] = found.of('email')
      else manager['manager'] = keyOf(found)
    }
    const attributes = profile()
    const record = {
      kind: 'user',
      ...set({
        externalId: keyOf(reader),
        displayName,
        email: of('email'),
        username: of('username'),
        employeeId: of('employeeId'),
        jobTitle: of('jobTitle'),
        department: of('department'),
        employmentType: of('employmentType'),
        employmentStatus: of('employmentStatus'),
        status: of('status'),
        ...manager,
      }),
      ...(Object.keys(attributes).length > 0 && { profile: attributes }),
    }
    return { row, record }
  })
}

/** The lines of the import, and everything that is known to be wrong before the server is asked. */
export function recordsOf(rows: readonly Row[], mapping: Mapping, options: Options): Records {
  const problems: Problem[] = []
  const readers = rows.map((row, at) => readRow(row, at, mapping, problems))
  const lines = options.kind === 'people' ? personRecords(readers, options) : memberRecords(readers, options)
  return { lines, problems, cleaned: readers.reduce((sum, { cleaned }) => sum + cleaned, 0) }
}

export const textOf = ({ lines }: Pick<Records, 'lines'>): string =>
  lines.map(({ record }) => `${JSON.stringify(record)}\n`).join('')

/** Which fields of a table a field of the import comes from. */
const origins: Readonly<Record<string, readonly string[]>> = {
  externalId: ['employeeId', 'email', 'account'],
  displayName: ['displayName', 'firstName', 'lastName', 'accountName', 'entitlements'],
  email: ['email', 'accountEmail'],
  manager: ['managerId', 'managerName'],
  managerEmail: ['managerEmail', 'managerName'],
  status: ['status', 'employment', 'accountStatus'],
  username: ['username', 'account'],
  user: ['accountEmail'],
  account: ['account'],
  entitlement: ['entitlements'],
}

/** What people call the fields that the server names. */
const words: Readonly<Record<string, string>> = {
  externalId: 'key',
  displayName: 'name',
  email: 'email address',
  managerEmail: 'manager',
  employeeId: 'employee number',
  jobTitle: 'job title',
  employmentType: 'employment type',
  employmentStatus: 'employment status',
}

/** The rows and fields that the server has refused: it names the lines of the import. */
export function refusedRows(
  violations: readonly { field: string; description: string }[],
  { lines }: Pick<Records, 'lines'>,
): Problem[] {
  return violations.map(({ field, description }) => {
    const line = lines[Number(/^line (\d+)$/.exec(field)?.[1] ?? 0) - 1]
    const told = description.replace(/^(?:user|app|entitlement|account|grant): /, '')
    const text = told.replace(/(^|; )(\w+): /g, (whole, before: string, name: string) =>
      name in words ? `${before}${words[name]}: ` : whole,
    )
    const fields = told.split('; ').flatMap((part) => {
      const name = /^(\w+):/.exec(part)?.[1] ?? ''
      return origins[name] ?? [name]
    })
    return { row: line?.row ?? 0, fields, text: withRows(text, lines) }
  })
}

/** `the same as on line 7` is about a line of the import, which nobody has seen. */
const withRows = (text: string, lines: Records['lines']): string =>
  text.replace(/\bon line (\d+)/g, (_, line: string) => `in row ${(lines[Number(line) - 1]?.row ?? 0) + 1}`)
