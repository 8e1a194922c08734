import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesIn, findIn } from '../../scripts/check-words.ts'

const found = (file: string, text: string): string[] =>
  findIn(file, text).map(({ line, text: words, instead }) => `${line}: ${words} -> ${instead}`)

test('retired words are found in a string, with what to write instead', () => {
  expect(found('a.ts', "\nexport const about = 'The rule was started by hand.'")).toEqual([
    '2: started by hand -> manual, manually',
  ])
  expect(found('a.ts', 'throw new Error("Mend the file")')).toEqual(['1: Mend -> fix'])
})

test('retired words are found in JSX, in its attributes, and over the end of a line', () => {
  const text = '<Note title="The rule rests">\n  This was given\n  by hand.\n</Note>'
  expect(found('a.tsx', `export const note = (\n${text}\n)`)).toEqual([
    '2: rule rests -> paused',
    '3: given by hand -> manual, manually',
    '3: given by -> granted by, granted to',
  ])
})

test('retired words are found in a template, on both sides of what it puts in', () => {
  expect(found('a.ts', `export const asked = \`Take \${name} off the list?\``)).toEqual([
    '1: Take {} off the -> remove from the',
  ])
  expect(found('a.ts', `export const done = \`Made \${name}\``)).toEqual(['1: Made -> create, created'])
})

test('types, imports and SQL may be worded as they like, and so may names that are not exported', () => {
  const text = `
    import { tellOwners } from './mend by hand.ts'
    type Kept = 'for good' | 'by hand'
    const tell = (found: Kept) => tellOwners(found)
    export const read = (db: Sql, at: string) => db\`select 'by hand' as kept, \${tell(at)}\``
  expect(found('a.ts', text)).toEqual([])
})

test('retired words are found in comments of each kind', () => {
  expect(found('a.ts', '/** It was given by hand. */\nconst a = 1 // The database is away.')).toEqual([
    '1: given by hand -> manual, manually',
    '1: given by -> granted by, granted to',
    '2: is away -> unavailable',
  ])
  expect(found('a.tsx', 'const a = <p>{/* The rule rests. */}</p>')).toEqual(['1: rule rests -> paused'])
})

test('a comment of several lines is read as one, without the stars and slashes between its lines', () => {
  expect(found('a.ts', '// The list goes\n  // on by\n  // itself.')).toEqual([
    '1: goes on -> continues, continued',
    '2: by itself -> automatically, separately',
  ])
  expect(found('a.ts', '/**\n * It lasts for\n * good.\n */')).toEqual(['2: for good -> never expires, no expiry'])
})

test('comments that do not follow one another are not joined', () => {
  expect(found('a.ts', '// It lasts for\n\n// Good.')).toEqual([])
  expect(found('a.ts', 'const a = 1 // It lasts for\nconst b = 2 // Good.')).toEqual([])
  expect(found('a.ts', '/* It lasts for */\n// Good.')).toEqual([])
})

test('a comment begins at its first word, as a text does', () => {
  expect(found('a.ts', '// Made by the server.')).toEqual(['1: Made -> create, created'])
  expect(found('a.ts', '/**\n * Made by the server.\n */')).toEqual(['2: Made -> create, created'])
})

test.each([
  ['export const tellOwners = 1', '1: tellOwners -> log, report, notify, or what it sends'],
  ['export function tell() {}', '1: tell -> log, report, notify, or what it sends'],
  ['export class Doing {}', '1: Doing -> the name of what is done'],
  ['\nexport type Doing = string', '2: Doing -> the name of what is done'],
  ['const at = 1\nexport { at as bornAt }', '2: bornAt -> new, created'],
  ['export const a = 1, struckAt = 2', '1: struckAt -> hit, failed, revoked'],
])('retired names are found where they are exported: %s', (text, finding) => {
  expect(found('a.ts', text)).toEqual([finding])
})

test('retired names are found as names of files, and parts of other words are not', () => {
  expect(found('server/rooms/unborn-keys.ts', '')).toEqual(['1: unborn-keys -> new, created'])
  expect(found('cli/tell.ts', '')).toEqual(['1: tell -> log, report, notify, or what it sends'])
  expect(found('cli/stubborn.ts', 'export const teller = 1, foundTenant = 2, structure = 3')).toEqual([])
})

test('retired words are found in the papers, but not in their examples', () => {
  const text = '# Import\n\nOne JSON object\na line.\n\n```\nby hand\n```\n\nIt is kept for good.\n'
  expect(found('a.md', text)).toEqual([
    '3: object a line -> per, as in one object per line',
    '10: for good -> never expires, no expiry',
  ])
})

test.each([
  ["List one's own sessions.", "one's own -> your own, yourself"],
  ['There are two days unless said.', 'unless said -> by default'],
  ['An owner is told of it.', 'is told -> sees, is shown, is notified'],
  ['The server goes on.', 'goes on -> continues, continued'],
  ['It starts by itself.', 'by itself -> automatically, separately'],
  ['"x" is no id.', 'is no id -> is not'],
  ['The token is of another issuer.', 'is of another -> belongs to another, has another'],
  ['Use a database of your own.', 'of your own -> your own, its own, separate'],
  ['Create it by the API.', 'by the API -> through the API'],
])('odd turns of phrase are found: %s', (text, finding) => {
  expect(found('a.ts', `export const a = ${JSON.stringify(text)}`)).toEqual([`1: ${finding}`])
})

test('common words stay: each of these is plain', () => {
  const plain = [
    'Make sure that the file exists.',
    'The request was made on Monday.',
    'Someone decides for you while you are away.',
    'If you lose it in the meantime, create another one.',
    'Handles one page after a second.',
    'There is no user ada.',
    'End one of your own sessions.',
    'The change goes to another person.',
  ]
  for (const text of plain) expect(found('a.ts', `export const a = ${JSON.stringify(text)}`)).toEqual([])
})

test('the glossary may name retired words where it retires them, and nowhere else', () => {
  expect(found('docs/glossary.md', 'Kept for good.\n\n## Retired words\n\n| for good | never |\n')).toEqual([
    '1: for good -> never expires, no expiry',
  ])
})

test('what is looked at is what people read, and neither decisions nor what changed in old versions', () => {
  const files = filesIn(join(import.meta.dirname, '../..'))
  expect(files).toContain('console/src/parts/data-list.tsx')
  expect(files).not.toContain('CHANGELOG.md')
  expect(files.filter((file) => file.startsWith('docs/decisions/') || file.includes('.test.'))).toEqual([])
})
