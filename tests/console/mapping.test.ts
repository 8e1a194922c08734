import { expect, test } from 'vitest'
import { dateFormatOf, readDate } from '../../console/src/pages/imports/mapping/dates.ts'
import type { FileKind } from '../../console/src/pages/imports/mapping/fields.ts'
import { guessMapping, isOwnFormat } from '../../console/src/pages/imports/mapping/guess.ts'
import { cellProblem, readStatus, tidied } from '../../console/src/pages/imports/mapping/problems.ts'
import { recordsOf, refusedRows } from '../../console/src/pages/imports/mapping/records.ts'
import { bytesMax, readTable, rowsMax } from '../../console/src/pages/imports/mapping/table.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const table = (text: string) => readTable(bytes(text))
const cellsOf = (text: string): string[][] => table(text).rows.map(({ cells }) => cells)
const mapped = (text: string, kind: FileKind = 'people', key: 'employeeId' | 'email' = 'employeeId') => {
  const of = table(text)
  const mapping = guessMapping(of, kind)
  const records = recordsOf(of.rows, mapping, { kind, key, app: { key: 'crm', name: 'CRM' } })
  return { ...mapping, ...records, records: records.lines.map(({ record }) => record) }
}

test.for([
  ['commas', 'a,b\n1,2\n', [['1', '2']]],
  ['semicolons, a mark and carriage returns', '\u{feff}a;b\r\n1;2\r\n', [['1', '2']]],
  ['tabs', 'a\tb\n1\t2', [['1', '2']]],
  ['a delimiter that the file names', 'sep=;\na;b,c\n1;2\n', [['1', '2']]],
  ['quotes with line breaks, delimiters and quotes', 'a,b\n"x\ny, ""z""",2\n', [['x\ny, "z"', '2']]],
  ['quotes that are not closed in a cell that begins without one', 'a,b\n5" disk,2\n', [['5" disk', '2']]],
  [
    'rows that are too short, and empty rows',
    'a,b\n1\n,\n\n3,4\n',
    [
      ['1', ''],
      ['3', '4'],
    ],
  ],
  ['empty cells at the end', 'a,b\n1,2,,\n', [['1', '2']]],
] as const)('a file with %s is read', ([, text, cells]) => {
  expect(cellsOf(text)).toEqual(cells)
})

test('a file of an old spreadsheet, and one in UTF-16', () => {
  expect(readTable(Uint8Array.from([...bytes('a,b\nJ'), 0xf6, ...bytes('rg,2\n')]))).toMatchObject({
    encoding: 'Windows-1252',
    rows: [{ line: 2, cells: ['Jörg', '2'] }],
  })
  const text = 'a\tb\nJörg\t2\n'
  const wide = Uint8Array.from([0xff, 0xfe, ...Buffer.from(text, 'utf16le')])
  expect(readTable(wide)).toMatchObject({ encoding: 'UTF-16', delimiter: '\t', rows: [{ cells: ['Jörg', '2'] }] })
})

test('rows have the line of the file that they begin on', () => {
  expect(table('a,b\n"x\ny",1\n\nz,2\n').rows.map(({ line }) => line)).toEqual([2, 5])
})

test.for([
  ['no rows', 'a,b\n', 'no rows'],
  ['a quote that is never closed', `a,b\n"${'x'.repeat(1000)}\n`, 'not closed'],
  ['a row that is too long', 'a,b\n1,2,3\n', 'Line 2 has 3 cells'],
  ['too many columns', `a,b\n${','.repeat(100_000)}\n`, 'more than 200 columns'],
  ['an enormous cell', `a,b\n"${'x'.repeat(30_000)}",1\n`, 'more than 20000 characters'],
  ['an enormous cell without quotes', `a,b\n${'x'.repeat(30_000)},1\n`, 'more than 20000 characters'],
  ['too many rows', `a\n${'x\n'.repeat(rowsMax + 5)}`, 'more than 50,000 rows'],
  ['bytes that are no text', 'a,b\n1,\0\n', 'not a text file'],
] as const)('a file with %s is refused', ([, text, reason]) => {
  expect(() => table(text)).toThrow(reason)
})

test('a file that is too large is refused before it is read', () => {
  expect(() => readTable(new Uint8Array(bytesMax + 1))).toThrow('larger than 20 MiB')
})

test.for([
  [
    'Workday',
    'Employee ID,Worker,Legal First Name,Legal Last Name,Business Title,Supervisory Organization,Work Email,Manager,Worker Status,Hire Date,Salary',
    '1001,x,Ada,Lovelace,Engineer,R&D,ada@corp.example,Bo Ek,Active,2024-02-29,90000',
    [
      'employeeId',
      '',
      'firstName',
      'lastName',
      'jobTitle',
      'department',
      'email',
      'managerName',
      'employment',
      'profile.startDate',
      '',
    ],
  ],
  [
    'BambooHR',
    'Employee #;First Name;Last Name;Job Title;Department;Location;Reporting to;Work Email;Employment Status;Status',
    '7;Ada;Lovelace;Engineer;R&D;Leeds;9;ada@corp.example;Full-Time;Active',
    [
      'employeeId',
      'firstName',
      'lastName',
      'jobTitle',
      'department',
      'profile.location',
      'managerId',
      'email',
      'employmentStatus',
      'status',
    ],
  ],
  [
    'ADP',
    'Associate ID\tLegal Name\tWork Contact: Work Email\tHome Department Description\tPosition Status\tReports To Email',
    'X1\tLovelace, Ada\tada@corp.example\tR&D\tTerminated\tbo@corp.example',
    ['employeeId', 'displayName', 'email', 'department', 'employment', 'managerEmail'],
  ],
  [
    'Entra ID',
    'displayName,givenName,surname,mail,userPrincipalName,jobTitle,department,employeeId,accountEnabled',
    'Ada,Ada,L,ada@corp.example,ada@corp.onmicrosoft.com,Engineer,R&D,7,True',
    ['displayName', 'firstName', 'lastName', 'email', '', 'jobTitle', 'department', 'employeeId', 'status'],
  ],
  [
    'a German file',
    'Personalnummer;Vorname;Nachname;E-Mail-Adresse;Abteilung;Stelle;Eintrittsdatum',
    '7;Ada;Lovelace;ada@corp.example;F&E;Ingenieurin;31.01.2024',
    ['employeeId', 'firstName', 'lastName', 'email', 'department', 'jobTitle', 'profile.startDate'],
  ],
  ['columns without a known name', 'X,Contact', 'a,ada@corp.example', ['', 'email']],
] as const)('the columns of a file of %s are guessed', ([, header, row, targets]) => {
  expect(guessMapping(table(`${header}\n${row}\n`), 'people').targets).toEqual(targets)
})

test('the file that failed three dry runs is understood at once', () => {
  const { records, problems } = mapped(
    'Employee ID,First name,Last name,E-Mail,Job title,Department,Manager email,Start date\n' +
      '1001,Ada,Lovelace,ada@corp.example,Engineer,R&D,bo@corp.example,15/03/2021\n' +
      ',Bo,Ek,bo@corp.example,Director,R&D,,01/02/2019\n',
  )
  expect(problems).toEqual([])
  expect(records).toEqual([
    {
      kind: 'user',
      externalId: '1001',
      displayName: 'Ada Lovelace',
      email: 'ada@corp.example',
      employeeId: '1001',
      jobTitle: 'Engineer',
      department: 'R&D',
      managerEmail: 'bo@corp.example',
      profile: { startDate: '2021-03-15' },
    },
    {
      kind: 'user',
      displayName: 'Bo Ek',
      email: 'bo@corp.example',
      jobTitle: 'Director',
      department: 'R&D',
      profile: { startDate: '2019-02-01' },
    },
  ])
})

test('with the email address as the key, the employee number is only an attribute', () => {
  const { records } = mapped('Employee ID,Name,Email\n7,Ada,ada@corp.example\n', 'people', 'email')
  expect(records).toEqual([{ kind: 'user', displayName: 'Ada', email: 'ada@corp.example', employeeId: '7' }])
})

test('managers are found by name within the file, if only one person has it', () => {
  const { records, problems } = mapped(
    'Name,Email,Manager\nAda Lovelace,ada@corp.example,"Ek, Bo"\n"Ek, Bo",bo@corp.example,\n' +
      'Cy,cy@corp.example,Di\nDi,di@corp.example,\nDi,di2@corp.example,Nobody Known\n',
  )
  expect(records[0]).toMatchObject({ managerEmail: 'bo@corp.example' })
  expect(problems.map(({ row, fields, text }) => `${row} ${fields.join()} ${text}`)).toEqual([
    '2 managerName is the name of several people in this file',
    '4 managerName is the name of nobody in this file: enter the email address of the manager',
  ])
})

test('what spreadsheets leave in cells is a problem of the row, and what nobody sees is removed', () => {
  const { problems, records, cleaned } = mapped(
    'Employee ID,Name,Email,Status\n1.2E+11,=HYPERLINK("x"),ada@corp.example,Perhaps\n#N/A,"Bo\nEk",bo@corp.example,yes\n',
  )
  expect(problems.map(({ row, text }) => `${row} ${text}`)).toEqual([
    '0 is a number that a spreadsheet has shortened',
    '0 looks like a formula',
    '0 is neither a word for enabled nor for disabled',
    '1 is an error value of a spreadsheet',
  ])
  expect(cleaned).toBe(1)
  expect(records[1]).toMatchObject({ displayName: 'Bo Ek', status: 'enabled' })
  expect(
    ['+49 30 1234', '@ada', '-', 'E+S', '=1', '+SUM(A1)', '@SUM(A1)'].map((each) => cellProblem(each) === null),
  ).toEqual([...[true, true, true, true], ...[false, false, false]])
  expect(tidied(' a\u0007\r\nb\u202ec  d ')).toBe('a b c d')
  expect(['On leave', 'TRUE', 'Terminated', '0', 'Maybe'].map(readStatus)).toEqual([
    ...['enabled', 'enabled', 'disabled', 'disabled', null],
  ])
})

test.for([
  [['2026-01-31', '2026/2/1', '2026-01-31T10:00:00Z'], 'ymd'],
  [['31/01/2026', '01/02/2026'], 'dmy'],
  [['01/31/2026', '01/02/2026'], 'mdy'],
  [['01/02/2026', '03/04/2026'], 'unclear'],
  [['01.02.2026'], 'dmy'],
  [['31 Jan 2026', 'Jan 31, 2026', '31-JAN-2026', '1 February 2026'], 'ymd'],
  [['31/01/2026', '01/31/2026'], null],
  [['30/02/2026'], null],
  [['Leeds', '01/02/2026'], null],
  [['', ''], null],
] as const)('the dates %j are written %s', ([values, format]) => {
  expect(dateFormatOf(values)).toBe(format)
})

test('a date that does not exist, or in another format, is no date', () => {
  expect(readDate('29/02/2024', 'dmy')).toBe('2024-02-29')
  expect(readDate('29/02/2025', 'dmy')).toBeNull()
  expect(readDate('02/29/2024', 'dmy')).toBeNull()
  expect(readDate('01/02/26', 'dmy')).toBeNull()
  expect(readDate('12 Foo 2026', null)).toBeNull()
})

test('the members of an app become accounts, entitlements and grants, each of them once', () => {
  const { records, problems } = mapped(
    'Login,E-Mail,Full name,Role\nada,ada@corp.example,Ada,Admin; Reader\nada,ada@corp.example,Ada,Reader\n,bo@corp.example,,\n,,,Admin\n',
    'members',
  )
  expect(records.map((record) => JSON.stringify(record))).toEqual(
    [
      { kind: 'app', externalId: 'crm', displayName: 'CRM' },
      {
        kind: 'account',
        externalId: 'ada',
        displayName: 'Ada',
        email: 'ada@corp.example',
        username: 'ada',
        app: 'crm',
      },
      { kind: 'entitlement', externalId: 'Admin', displayName: 'Admin', app: 'crm' },
      { kind: 'grant', entitlement: 'Admin', account: 'ada', app: 'crm' },
      { kind: 'entitlement', externalId: 'Reader', displayName: 'Reader', app: 'crm' },
      { kind: 'grant', entitlement: 'Reader', account: 'ada', app: 'crm' },
      {
        kind: 'account',
        externalId: 'bo@corp.example',
        displayName: 'bo@corp.example',
        email: 'bo@corp.example',
        app: 'crm',
      },
    ].map((record) => JSON.stringify(record)),
  )
  expect(problems).toEqual([
    { row: 3, fields: ['account', 'accountEmail'], text: 'has neither a username nor an email address' },
  ])
})

test('what the server refuses is shown at the row and the columns that it came from', () => {
  const { lines } = mapped('Login,Role\nada,Admin\nbo,Admin\n', 'members')
  expect(refusedRows([{ field: 'line 5', description: 'account: email: is not an email address' }], { lines })).toEqual(
    [{ row: 1, fields: ['email', 'accountEmail'], text: 'email address: is not an email address' }],
  )
  const people = mapped('Name,Email\nAda,a@corp.example\nAda,a@corp.example\n')
  expect(refusedRows([{ field: 'line 2', description: 'user: email: the same as on line 1' }], people)).toEqual([
    { row: 1, fields: ['email', 'accountEmail'], text: 'email address: the same as in row 1' },
  ])
})

test('a file of the own format is not mapped', () => {
  expect(isOwnFormat(['kind', 'externalId'])).toBe(true)
  expect(isOwnFormat(['Employee ID', 'Kind'])).toBe(false)
})
