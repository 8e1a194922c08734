import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { listPlaces } from '#database/distribute/places.ts'
import { hasSchema, MigrationRefused, migrate, readMigrations } from '#database/migrate.ts'
import { openDatabase } from '#database/open.ts'
import { splitStatements } from '#database/split.ts'
import type { Db } from '#kernel/sql.ts'
import { readSchema } from '../../scripts/statement-rules.ts'
import { run } from '../cli/command.ts'
import { later } from '../fixture/later.ts'

// The tests' own PostgreSQL, which is a plain one wherever the other tests have their databases.
const urlOf = (database: string): string => `postgres://bailiwick@localhost/${database}?host=${inject('socketDir')}`

const name = `plain_${process.pid}`
let db: Db
let close: () => Promise<void>

beforeAll(async () => {
  const admin = await openDatabase({ from: { url: urlOf('postgres') }, connectionsMax: 1 })
  await admin.db.unsafe(`create database ${name} template bailiwick`)
  await admin.close()
  const opened = await openDatabase({ from: { url: urlOf(name) }, connectionsMax: 2 })
  ;({ db, close } = opened)
})
afterAll(async () => {
  await close()
  const admin = await openDatabase({ from: { url: urlOf('postgres') }, connectionsMax: 1 })
  await admin.db.unsafe(`drop database ${name} with (force)`)
  await admin.close()
})

test('every table has a place on a cluster', async () => {
  const places = await listPlaces(db)
  expect(
    places.filter(({ place }) => place === null),
    'name them in server/database/distribute/places.ts, or begin their primary keys with tenant_id',
  ).toEqual([])
  const at = (wanted: string) => places.filter(({ place }) => place === wanted).map(({ table }) => table)
  expect(at('reference')).toEqual(['tenants'])
  expect(at('distributed')).toEqual(expect.arrayContaining(['users', 'grants', 'systemlog_events', 'search_keys']))
  // What the rules for SQL take for a table of tenants is one on a cluster, and every table with a tenant is distributed.
  const { tenantTables, localTables } = readSchema()
  expect(at('distributed')).toEqual([...tenantTables].toSorted())
  expect(at('local')).toEqual([...localTables].toSorted())
})

test('a new table that belongs to no tenant has no place until it is given one', async () => {
  await db`create table strays (id int primary key, tenant_id int)`
  later(() => db`drop table strays`)
  expect(await listPlaces(db)).toContainEqual({ table: 'strays', place: null })
})

const distributed = async (): Promise<string[]> =>
  (await listPlaces(db)).filter(({ place }) => place === 'distributed').map(({ table }) => table)

test('every unique index of a distributed table has the tenant, without which a cluster cannot keep it', async () => {
  expect(
    await db`
      select i.indexrelid::regclass::text as index from pg_index i join pg_class c on c.oid = i.indrelid
      where i.indisunique and c.relname = any(${await distributed()}::text[]) and not exists (
        select 1 from pg_attribute a
        where a.attrelid = i.indrelid and a.attname = 'tenant_id' and a.attnum = any(i.indkey[0:i.indnkeyatts - 1]))`,
  ).toEqual([])
})

/** The statements that add a column together with a constraint. */
const columnsWithConstraint = (text: string): string[] =>
  splitStatements(text)
    .map((statement) => statement.replaceAll(/--[^\n]*\n/g, ''))
    .filter((each) => /\badd column\b.*\b(check|references|unique|primary key|generated)\b/is.test(each))

test('no migration adds a column together with a constraint, which a cluster refuses for a table that is distributed', () => {
  expect(columnsWithConstraint('alter table a add column b int not null default 1; create table c (d int);')).toEqual(
    [],
  )
  expect(columnsWithConstraint('-- Why.\nalter table a add column b int check (b > 1);')).toHaveLength(1)
  const folder = fileURLToPath(new URL('../../server/database/migrations/', import.meta.url))
  expect(readMigrations(folder).flatMap(({ text }) => columnsWithConstraint(text))).toEqual([])
})

test('every foreign key carries the tenant, and none leads from or to a table that stays on the coordinator', async () => {
  const tables = await distributed()
  expect(
    await db`
      select k.conname as key from pg_constraint k
      join pg_class c on c.oid = k.conrelid join pg_class r on r.oid = k.confrelid
      where k.contype = 'f' and (
        not (c.relname = any(${tables}::text[]) and r.relname = any(${[...tables, 'tenants']}::text[]))
        or not exists (select 1 from unnest(k.conkey, k.confkey) as at (own, others)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = at.own and a.attname = 'tenant_id'
          join pg_attribute b on b.attrelid = k.confrelid and b.attnum = at.others and b.attname = 'tenant_id'))`,
  ).toEqual([])
})

// 32 is TRUNCATE; 4, 8 and 16 are INSERT, DELETE and UPDATE.
test('a trigger against TRUNCATE is one of its own: on a cluster one that also names others guards nothing', async () => {
  expect(
    await db`
      select tgname as name from pg_trigger
      where not tgisinternal and (tgtype & 32) <> 0 and (tgtype & 28) <> 0`,
  ).toEqual([])
  const guarded = await db<{ table: string }[]>`
    select distinct tgrelid::regclass::text as table from pg_trigger
    where not tgisinternal and (tgtype & 32) <> 0 order by 1`
  expect(guarded.map(({ table }) => table)).toEqual([
    'grants',
    'owners',
    'systemlog_events',
    'systemlog_heads',
    'systemlog_seals',
    'systemlog_seams',
  ])
})

test.each(['delete', 'update', 'truncate'])('the system log refuses %s', async (verb) => {
  const statements: Record<string, (table: string) => string> = {
    delete: (table) => `delete from ${table}`,
    // By a statement's own trigger, or by a row's: an empty table has none.
    update: () => 'update systemlog_seals set tenant_id = tenant_id',
    truncate: (table) => `truncate ${table}`,
  }
  for (const table of ['systemlog_events', 'systemlog_seals', 'systemlog_heads'])
    await expect(db.unsafe((statements[verb] as (table: string) => string)(table)), table).rejects.toThrow(
      'the system log is append-only',
    )
})

test('a plain PostgreSQL is not distributed, and the command says why and what to do', async () => {
  const ran = await run(['database', 'distribute', '--database-url', urlOf(name)])
  expect(ran.stderr.trim()).toBe(
    'bailiwick: This database does not have the Citus extension, so it cannot be distributed. A plain PostgreSQL needs no ' +
      'distribution. On a Citus cluster, run "create extension citus" in this database on every node first; see docs/scale.md.',
  )
  expect(ran).toMatchObject({ code: 1, stdout: '' })
})

test('an empty plain PostgreSQL is left empty', async () => {
  const admin = await openDatabase({ from: { url: urlOf('postgres') }, connectionsMax: 1 })
  later(async () => {
    await admin.db.unsafe(`drop database ${name}_empty with (force)`)
    await admin.close()
  })
  await admin.db.unsafe(`create database ${name}_empty`)
  expect(await run(['database', 'distribute', '--database-url', urlOf(`${name}_empty`)])).toMatchObject({ code: 1 })
  const empty = await openDatabase({ from: { url: urlOf(`${name}_empty`) }, connectionsMax: 1 })
  expect(await hasSchema(empty.db)).toBe(false)
  await empty.close()
})

test('the embedded PostgreSQL is not distributed', async () => {
  const ran = await run(['database', 'distribute'])
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain('the embedded PostgreSQL is a single server and cannot be distributed')
})

test.each(['0', '1025', 'many'])('%j is no number of shards', async (shards) => {
  const ran = await run(['database', 'distribute', '--database-url', urlOf(name), `--shards=${shards}`])
  expect(ran).toMatchObject({
    code: 2,
    stderr: `bailiwick: --shards ${JSON.stringify(shards)} is not a number from 1 to 1024\n`,
  })
})

test('while a distribution has begun and not finished, nothing starts on the database', async () => {
  await db`create table distribution_foreign_keys (table_name text)`
  later(() => db`drop table distribution_foreign_keys`)
  const refusal: unknown = await migrate(db).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(MigrationRefused)
  expect(refusal).toMatchObject({
    reason: 'half-distributed',
    message: expect.stringContaining('Run "bailiwick database distribute" again') as string,
  })
  const ran = await run(['tenant', 'list', '--database-url', urlOf(name)])
  expect(ran).toMatchObject({ code: 1 })
  expect(ran.stderr).toContain('bailiwick: The database was being distributed, and that has not finished.')
})
