import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tables } from '#rooms/foundation/writes/tables.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const room = 'server/rooms/foundation/writes/'

/** Who else may write a table: its own follow-ups have one more writer, and staged rows are not records. */
const mayWrite: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.keys(tables).map((table) => [table, []])),
  search_keys: [],
  automation_changes: ['server/rooms/rules/automation/changes/store.ts'],
}
// Tables whose name is only known at run time.
const mayWriteAny = [
  // A table that is there while a database is distributed, and says which foreign keys to create again.
  'server/database/distribute/put-aside.ts',
  // Temporary tables of an import.
  'server/rooms/records/imports/store/staging.ts',
  // The table of its own in which a distribution remembers foreign keys.
  'server/database/distribute/put-aside.ts',
]

const writing = String.raw`\b(?:insert\s+into|update(?:\s+only)?|delete\s+from(?:\s+only)?|merge\s+into|truncate(?:\s+table)?|copy)\s+`
const ofTable = (name: string): RegExp => new RegExp(String.raw`${writing}(?:public\.)?"?${name}"?(?![\w.])`, 'i')
const ofAny = new RegExp(String.raw`${writing}\$\{`, 'i')

/** What a source writes that only the room of writes may write. */
function forbiddenIn(path: string, text: string): string[] {
  if (path.startsWith(room)) return []
  const named = Object.entries(mayWrite)
    .filter(([table, allowed]) => !allowed.includes(path) && ofTable(table).test(text))
    .map(([table]) => `${path} writes ${table}`)
  return ofAny.test(text) && !mayWriteAny.includes(path)
    ? [...named, `${path} writes a table that it names at run time`]
    : named
}

test('nothing but the room of writes writes what is searched or what rules read', () => {
  const sources = globSync('{server,cli}/**/*.ts', { cwd: root })
  expect(sources.length).toBeGreaterThan(300)
  expect(sources.flatMap((path) => forbiddenIn(path, read(path)))).toEqual([])
})

test.each([
  ['await tx`insert into users (user_id) values (1)`', 'writes users'],
  ['await tx`\n    UPDATE  grants g set ended_at = now()`', 'writes grants'],
  ['await tx`update only accounts set user_id = null`', 'writes accounts'],
  ['await tx`with d as (delete from search_keys returning 1) select 1`', 'writes search_keys'],
  ['await tx`merge into public.entitlements e using x on true when matched then delete`', 'writes entitlements'],
  ['await tx`truncate apps`', 'writes apps'],
  ['await tx`copy resources from stdin`', 'writes resources'],
  ['await tx`insert into "resource_types" (a) values (1)`', 'writes resource_types'],
  ['await tx`insert into automation_changes (a) values (1)`', 'writes automation_changes'],
  ['await tx`update ${tx(table)} set a = 1`', 'at run time'],
])('and whoever would is found: %s', (text, found) => {
  expect(forbiddenIn('server/rooms/records/apps/store.ts', text).join()).toContain(found)
})

test('what only looks like it is not found', () => {
  const text =
    'await tx`insert into users_of_old (a) values (1); select 1 from users for update of users`; updateUsers()'
  expect(forbiddenIn('server/rooms/records/apps/store.ts', text)).toEqual([])
})

const schema = read('server/database/schema.sql')
const functions = [
  ...schema.matchAll(/FUNCTION (\w+)\([^)]*\)\s+RETURNS trigger[\s\S]*?AS \$function\$([\s\S]*?)\$function\$/gi),
]
const triggers = [...schema.matchAll(/^CREATE TRIGGER (\w+) (?:BEFORE|AFTER|INSTEAD OF) (.+?) ON/gim)]

test('no trigger writes a table', () => {
  expect(functions.length).toBeGreaterThan(0)
  const writes = functions.filter(([, , body = '']) =>
    /\b(?:insert|update|delete|merge|truncate|copy|execute|perform)\b/i.test(body),
  )
  expect(writes.map(([, name]) => name)).toEqual([])
})

test('no trigger names TRUNCATE beside anything else: Citus would not create it on shards', () => {
  expect(triggers.length).toBeGreaterThan(0)
  const mixed = triggers.filter(([, , events = '']) => /truncate/i.test(events) && /\bor\b/i.test(events))
  expect(mixed.map(([, name]) => name)).toEqual([])
})
