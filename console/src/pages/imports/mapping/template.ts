import { type FileKind, fieldsOf } from './fields.ts'

/** One person, and one member: what a filled row looks like. */
const examples: Readonly<Record<FileKind, Readonly<Record<string, string>>>> = {
  people: {
    email: 'ada@example.com',
    employeeId: '1001',
    displayName: 'Ada Lovelace',
    jobTitle: 'Engineer',
    department: 'Research',
    managerEmail: 'bo@example.com',
    employmentType: 'Employee',
    employmentStatus: 'Active',
    status: 'Enabled',
  },
  members: {
    account: 'ada',
    accountEmail: 'ada@example.com',
    accountName: 'Ada Lovelace',
    entitlements: 'Editor; Reader',
    accountStatus: 'Enabled',
    expiresAt: '2027-01-31',
  },
}

/** A file to fill in, whose columns are understood without a change. */
function templateOf(kind: FileKind): string {
  const fields = fieldsOf[kind].filter(({ name }) => name in examples[kind])
  const cell = (text: string): string => (/[",;]/.test(text) ? `"${text}"` : text)
  return [fields.map(({ label }) => label), fields.map(({ name }) => examples[kind][name] ?? '')]
    .map((cells) => `${cells.map(cell).join(',')}\r\n`)
    .join('')
}

/** Saves it in the browser. The mark makes spreadsheets read it as UTF-8. */
export function downloadTemplate(kind: FileKind): void {
  const url = URL.createObjectURL(new Blob(['\u{feff}', templateOf(kind)], { type: 'text/csv' }))
  Object.assign(document.createElement('a'), { href: url, download: `${kind}-template.csv` }).click()
  URL.revokeObjectURL(url)
}
