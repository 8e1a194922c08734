import { expect, test } from 'vitest'
import { problemsOf } from '../../scripts/check-tables.ts'
import { readColumns, type Use, usesIn } from '../../scripts/table-uses.ts'
import type { Table } from '../../scripts/tables/table.ts'

const columns = readColumns()

const uses = (source: string): string[] =>
  usesIn('a.ts', source, columns)
    .map((use) => {
      if (use.does === 'name at run time') return use.does
      return use.does === 'write' ? `write ${use.table}` : `${use.table}.${use.column}`
    })
    .filter((use) => !use.endsWith('.tenant_id'))
    .toSorted()

test.each([
  ['insert into owners (tenant_id) values (1)', ['write owners']],
  ['insert into owners(tenant_id) values (1)', ['write owners']],
  ['INSERT INTO public.owners as o (tenant_id) values (1)', ['write owners']],
  ['update only owners o set ended_at = now()', ['owners.ended_at', 'write owners']],
  ['with gone as (delete from owners returning 1) select 1', ['write owners']],
  ['merge into owners using x on true when matched then delete', ['write owners']],
  ['truncate owners', ['write owners']],
  ['truncate table "owners"', ['write owners']],
  ['copy owners from stdin', ['write owners']],
  ['insert into owners (tenant_id) values (1) on conflict (a) do update set b = 1', ['write owners']],
  ['select 1 from grants for update of grants', []],
])('what writes is found: %s', (sql, expected) => {
  expect(uses(`await tx\`${sql}\``)).toEqual(expected)
})

test.each([
  ['select u.email from users u', ['users.email']],
  ['select u.email from public.users as u', ['users.email']],
  ['select email from users', ['users.email']],
  ['select "users".email, \'department\' from "users" -- job_title', ['users.email']],
  ['select u.email from apps a, users u where a.icon_url = 1', ['apps.icon_url', 'users.email']],
  ['select u.email from (select 1) a, lateral f(1, 2) f, users u', ['users.email']],
  ['select 1 from apps a left join lateral (select u.email from users u) x on true', ['users.email']],
  ['delete from grants g using users u where u.email = g.reason', ['grants.reason', 'users.email', 'write grants']],
  ['update grants g set reason = u.email from users u', ['grants.reason', 'users.email', 'write grants']],
  ['select * from users', ['users.*']],
  ['select u.* from users u', ['users.*']],
  ['select count(*) from users', []],
  ['with users as (select 1 as email) select users.email from users', []],
  ['with a as materialized (select 1), users (email) as (select 1) select email from users', []],
  ['select 1 from pg_catalog.users', []],
  ['select 1 from users_of_old u where u.email', []],
])('what is read is found: %s', (sql, expected) => {
  expect(uses(`await db\`${sql}\``)).toEqual(expected)
})

test('a part of a statement is read with what stands around it, and with what stands in its file', () => {
  expect(uses('await db`select 1 from users u where ${isAll ? db`u.email = 1` : db`true`}`')).toEqual(['users.email'])
  expect(uses('const is = db`u.email = 1`; await db`select 1 from users u where ${is}`')).toEqual(['users.email'])
  expect(uses("tenantsWith('select tenant_id from users u where u.email = 1')")).toEqual(['users.email'])
})

test('what is no SQL is not read', () => {
  expect(uses("throw new Error('Removed them from users.'); const text = `from users ${email}`")).toEqual([])
  expect(uses("import { email } from 'users'; type Table = 'users'")).toEqual([])
})

test('records are written by who has them written', () => {
  expect(uses("await updateRecords(tx, tenantId, 'users', { set })")).toEqual(['write users'])
  expect(uses("await insertRecords<Row>(tx, tenantId, 'grants', rows)")).toEqual(['write grants'])
  expect(uses('await updateRecords(tx, tenantId, table, { set })')).toEqual(['name at run time'])
})

test.each(['insert into ${tx(table)} (a) values (1)', 'update ${table} set a = 1', 'select 1 from ${db(table)} x'])(
  'a table that is named at run time is found: %s',
  (sql) => {
    expect(uses(`await db\`${sql}\``)).toEqual(['name at run time'])
  },
)

const users: Table = {
  room: 'identity/users',
  read: { columns: 'email', reason: 'whom to write to' },
  alsoWrittenBy: { 'governance/merging': 'managers become others' },
  readByEarlier: { 'identity/roles': { columns: 'status', reason: 'who is not disabled' } },
}
const inRoom = (room: string): { file: string } => ({ file: `server/rooms/${room}/store.ts` })
const needed: Use[] = [
  { ...inRoom('identity/users'), does: 'write', table: 'users' },
  { ...inRoom('identity/users'), does: 'read', table: 'users', column: 'profile' },
  { ...inRoom('governance/merging'), does: 'write', table: 'users' },
  { ...inRoom('governance/merging'), does: 'read', table: 'users', column: 'email' },
  { ...inRoom('governance/merging'), does: 'read', table: 'users', column: 'tenant_id' },
  { ...inRoom('identity/roles'), does: 'read', table: 'users', column: 'status' },
]
const check = (found: readonly Use[], table: Table = users): string[] =>
  problemsOf(found, {
    tables: { users: table },
    columns: new Map([['users', new Set(['tenant_id', 'email', 'status', 'profile'])]]),
    namedAtRunTime: {},
  })

test('what is listed is permitted', () => {
  expect(check(needed)).toEqual([])
})

test.each<[string, Use, string]>([
  [
    'a write by a room that is not listed',
    { ...inRoom('governance/leavers'), does: 'write', table: 'users' },
    'server/rooms/governance/leavers/store.ts writes users, which is written by identity/users',
  ],
  [
    'a write outside rooms',
    { file: 'server/engine/lease.ts', does: 'write', table: 'users' },
    'server/engine/lease.ts writes users, which is written by identity/users',
  ],
  [
    'a column that is not published',
    { ...inRoom('governance/merging'), does: 'read', table: 'users', column: 'profile' },
    'server/rooms/governance/merging/store.ts reads users.profile: identity/users does not publish it',
  ],
  [
    'all columns',
    { file: 'cli/tenant.ts', does: 'read', table: 'users', column: '*' },
    'cli/tenant.ts reads users.*: identity/users does not publish it',
  ],
  [
    'a published column, from above',
    { ...inRoom('foundation/jobs'), does: 'read', table: 'users', column: 'email' },
    'server/rooms/foundation/jobs/store.ts reads users.email: identity/users is below foundation/jobs',
  ],
  [
    'another column than the exception says',
    { ...inRoom('identity/roles'), does: 'read', table: 'users', column: 'email' },
    'server/rooms/identity/roles/store.ts reads users.email: identity/users is below identity/roles',
  ],
  [
    'a table that is named at run time',
    { file: 'server/http/server.ts', does: 'name at run time' },
    'server/http/server.ts names a table only at run time',
  ],
])('planted: %s', (_, use, problem) => {
  expect(check([...needed, use])).toEqual([expect.stringContaining(problem)])
})

test.each([
  ['a write', 2, 'users: governance/merging does not write it any more'],
  ['a read of a column', 3, 'users: no other room reads email any more'],
  ['a read from above', 5, 'users: identity/roles does not read it any more'],
])('an exception that nothing needs is refused: %s', (_, place, problem) => {
  expect(check(needed.toSpliced(place, 1)).join('\n')).toContain(problem)
})

test('what tables are listed are those of the schema, with rooms, columns and reasons that there are', () => {
  const wrong: Table = {
    room: 'identity/people',
    read: { columns: 'mail', reason: '' },
    alsoWrittenBy: { 'records/imports': '' },
  }
  const found = problemsOf([], { tables: { users: wrong, people: users }, columns, namedAtRunTime: { 'a.ts': 'b' } })
  for (const problem of [
    'grants is in the schema, and scripts/tables/ does not say whose it is',
    'scripts/tables/ lists people, which is not in the schema',
    'scripts/tables/ says identity/people of users, which is no room',
    'scripts/tables/ gives no reason for reading users',
    'scripts/tables/ gives no reason for writing users',
    'users has no column mail',
    'a.ts names no table at run time any more',
  ])
    expect(found).toContainEqual(expect.stringContaining(problem))
})
