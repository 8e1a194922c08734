import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '#database/open.ts'
import { listTenantIds } from '#kernel/tenants-with.ts'
import { type Allowance, problemsOf, readSchema } from '../../scripts/statement-rules.ts'
import { makeDatabase } from '../fixture/server.ts'
import { findWrong } from '../fixture/statements.ts'
import type { Sent } from '../fixture/watch-statements.ts'

const schema = readSchema()
const check = (text: string, allowances: readonly Allowance[] = []): Promise<string[]> =>
  problemsOf(text, schema, allowances)

test('tables of tenants are distinguished from others by their columns', () => {
  expect(schema.tenantTables.has('grants')).toBe(true)
  expect(schema.tenantTables.has('systemlog_events')).toBe(true)
  expect([...schema.localTables].toSorted()).toEqual(['budgets', 'installation', 'leases', 'schema_migrations'])
  expect(schema.tenantTables.has('tenants') || schema.localTables.has('tenants')).toBe(false)
})

test.each([
  ['a table', 'select email from users where user_id = $1', 'users is not bound to a tenant'],
  ['one of two', 'select 1 from users u join apps a on a.tenant_id = $1 where u.user_id = $2', 'users u is not bound'],
  ['a tenant that is no parameter', 'select 1 from users where tenant_id = 1 + $1', 'users is not bound'],
  ['a tenant behind a select', 'select 1 from users where tenant_id = (select $1::int)', 'users is not bound'],
  ['a tenant in one branch of an or', 'select 1 from users where tenant_id = $1 or user_id = $2', 'users is not bound'],
  [
    'a subquery that takes it from outside',
    'select (select count(*) from grants g where g.tenant_id = a.tenant_id) from apps a where a.tenant_id = $1',
    'grants g is not bound',
  ],
  [
    'a lateral',
    'select 1 from apps a cross join lateral (select 1 from grants g where g.tenant_id = a.tenant_id) g where a.tenant_id = $1',
    'grants g is not bound',
  ],
  [
    'a join with a subquery that has it',
    'select 1 from (select * from accounts where tenant_id = $1 offset 0) a join grants g on g.tenant_id = a.tenant_id',
    'grants g is not bound',
  ],
  [
    'a CTE',
    'with known as (select user_id from users) select 1 from known join apps a on a.tenant_id = $1',
    'users is not bound',
  ],
  [
    'a branch of a union',
    'select app_id from apps where tenant_id = $1 union all select user_id from users where user_id = $2',
    'users is not bound',
  ],
  [
    'a recursive CTE',
    'with recursive w as (select 1 as n from apps where tenant_id = $1 union all select n + 1 from w join apps a on a.app_id = $2) select n from w',
    'apps a is not bound',
  ],
  ['an update', 'update users set email = $1 where user_id = $2', 'users is not bound'],
  [
    'an update from unnest',
    'update users u set email = s.email from unnest($1::int[], $2::text[]) as s (tenant_id, email) where u.tenant_id = s.tenant_id',
    'users u is not bound',
  ],
  ['a delete', 'delete from sessions where expires_at < $1', 'sessions is not bound'],
  [
    'a delete with using',
    'delete from sessions s using users u where u.tenant_id = s.tenant_id',
    'sessions s is not bound',
  ],
  [
    'a subquery of what is returned',
    'update users set email = $1 where tenant_id = $2 returning (select 1 from apps)',
    'apps is not',
  ],
  [
    'a subquery of an insert',
    'insert into apps (tenant_id, app_id) select $1, user_id from users',
    'users is not bound',
  ],
  ['an insert without a tenant', 'insert into apps (app_id) values ($1)', 'the rows for apps have no tenant_id'],
  [
    'an insert of a tenant that is no parameter',
    'insert into apps (tenant_id, app_id) values ($1, $2), (3, $4)',
    'is not a parameter',
  ],
  [
    'a row that goes to another tenant',
    'update apps set tenant_id = $1 where tenant_id = $2',
    'the tenant_id of a row is changed',
  ],
  ['a table with its schema', 'select 1 from public.users where user_id = $1', 'users is not bound'],
  [
    'a table with its schema that is called like a CTE',
    'with users as (select 1) select 1 from public.users',
    'users is not bound',
  ],
  [
    'a merge',
    'merge into sessions s using unnest($1::text[]) as g (id) on s.session_id = g.id when matched then delete',
    'merge writes sessions',
  ],
  ['a truncate', 'truncate jobs', 'truncate writes jobs'],
  ['what copies out', 'copy (select * from users) to stdout', 'users is not bound'],
])('the tenant must be said: %s', async (_, text, problem) => {
  expect((await check(text)).join('\n')).toContain(problem)
})

test.each([
  ['select from apps where tenant_id = $1', 'say select 1'],
  ['select 1 from apps a where a.tenant_id = $1 and exists (select from users u where u.tenant_id = $2)', 'select 1'],
  [
    'with kept as (select u.user_id from missing m join users u on u.tenant_id = $1 for share of u) select 1 from kept',
    'holds rows and joins',
  ],
  [
    'with kept as (select u.user_id from users u, unnest($2::text[]) w where u.tenant_id = $1 for share of u) select 1 from kept',
    'holds rows and joins',
  ],
  [
    'with kept as (select app_id from apps where tenant_id = $1 and app_id in (select app_id from lines) for key share) select 1 from kept',
    'holds rows and joins',
  ],
  ["select set_config('lock_timeout', '1s', true)", 'set_config is not passed on'],
  ["set lock_timeout = '1s'", 'lock_timeout is set for the session'],
  [
    "set local lock_timeout = '1s'; delete from jobs where tenant_id = $1",
    'a setting is in one text with a statement about tables of tenants',
  ],
  ['update users set updated_at = clock_timestamp() where tenant_id = $1', 'clock_timestamp() is volatile'],
  [
    'insert into jobs (tenant_id, job_id) select $1, j from unnest($2::text[]) j on conflict (tenant_id, job_id) do update set due_at = $3',
    'a parameter is in the ON CONFLICT of an insert into jobs from a select',
  ],
  [
    "delete from sessions where tenant_id = $1 and last_seen_at <= $2::timestamptz - idle_seconds * interval '1 second'",
    'a column and an interval are added',
  ],
  [
    'update jobs set due_at = due_at + make_interval(secs => $2) where tenant_id = $1',
    'a column and an interval are added',
  ],
  [
    'insert into gone select u.user_id from users u where u.tenant_id = $1 and not exists (select 1 from lines l where l.user_id = u.user_id)',
    'for each row of a table of tenants',
  ],
  [
    'select (select f.granted_at from grants f where f.tenant_id = $1 and f.app_id = l.app_id limit 1) from lines l',
    'for each row of a table of tenants',
  ],
  [
    'select 1 from installation, users where users.tenant_id = $1',
    'installation, which belongs to no tenant, is read together',
  ],
  [
    'delete from jobs where tenant_id = $1 and claimed_by in (select owner from leases)',
    'leases, which belongs to no tenant, is read together',
  ],
])('%s: is refused', async (text, problem) => {
  expect((await check(text)).join('\n')).toContain(problem)
})

test.each([
  'select email from users where tenant_id = $1',
  'select 1 from users u join apps a using (tenant_id) where a.tenant_id = $1::int',
  'select 1 from apps a left join grants g on g.tenant_id = a.tenant_id where a.tenant_id = $1',
  'select (select count(*) from grants g where g.tenant_id = $1 and g.app_id = a.app_id) from apps a where a.tenant_id = $2 for update of a',
  'update credentials c set last_used_at = u.at from unnest($1::int[], $2::timestamptz[]) as u (tenant_id, at) where c.tenant_id = any($3::int[]) and c.tenant_id = u.tenant_id',
  'with kept as (select user_id from users where tenant_id = $1 and user_id = any($2) order by user_id for share) insert into owners (tenant_id, user_id) select $3, k.user_id from kept k',
  "delete from sessions where tenant_id = $1 and $2::timestamptz - last_seen_at >= idle_seconds * interval '1 second'",
  "update jobs set due_at = now() + interval '1 second' where tenant_id = $1",
  'insert into jobs (tenant_id, job_id) values ($1, $2) on conflict (tenant_id, job_id) do update set due_at = $3',
  'insert into jobs (tenant_id, due_at) select $1, $2 from unnest($3::text[]) on conflict (tenant_id) do update set due_at = excluded.due_at',
  'insert into gone select u.user_id from users u left join lines l on l.user_id = u.user_id where u.tenant_id = $1 and l.user_id is null',
  'select tenant_id from tenants where host = $1',
  'select relname from pg_catalog.pg_class where relname = $1',
  'truncate traces',
  "set local lock_timeout = '1s'; set local work_mem to default",
  'select 1 from installation',
])('%s: keeps the rules', async (text) => {
  expect(await check(text)).toEqual([])
})

test('what is allowed may read all tenants, and neither write nor hold them', async () => {
  const allows = (begins: string): Allowance[] => [{ begins, allows: 'reading all tenants', reason: 'a test' }]
  expect(
    await check('select distinct tenant_id\n  from users', allows('select distinct tenant_id from users')),
  ).toEqual([])
  expect(await check('select tenant_id from users for update', allows('select tenant_id'))).not.toEqual([])
  expect(await check('delete from users', allows('delete from users'))).not.toEqual([])
  expect(await check("select set_config('work_mem', '1MB', true)", allows('select set_config'))).not.toEqual([])
})

test('a statement that cannot be parsed is an error, and not taken for a good one', async () => {
  expect(await check('select 1 from where')).toEqual(['syntax error at or near "where"'])
})

test('what the program sends is noted down with its place, and what a test sends is not', async () => {
  const { url, drop } = await makeDatabase()
  const { db, close } = await openDatabase({ from: { url }, connectionsMax: 1 })
  await listTenantIds(db)
  await db`select 'of a test' as text`
  await close()
  await drop()
  const file = join(inject('statementsDir'), `${process.pid}.jsonl`)
  const sent = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Sent)
  const own = sent.find(({ text }) => text.startsWith('select tenant_id as id from tenants'))
  expect(own?.at).toMatch(/^server\/kernel\/tenants-with\.ts:\d+$/)
  expect(sent.filter(({ text }) => text.includes('of a test'))).toEqual([])
})

test('a statement that violates a rule is reported once', async () => {
  const sent = [
    { text: 'select 1 from users', at: 'server/somewhere.ts:1' },
    { text: 'select 2 from users', at: 'server/somewhere.ts:1' },
    { text: 'select 1 from users where tenant_id = $1', at: 'server/elsewhere.ts:1' },
  ]
  expect(await findWrong(sent)).toEqual([
    'server/somewhere.ts:1\n  users is not bound to a tenant: tenant_id = $n\nselect 1 from users',
  ])
})
