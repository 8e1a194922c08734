import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeSchema } from '#database/describe-schema.ts'
import { toNumber } from '#database/driver/types.ts'
import { MigrationFailed, MigrationRefused, migrate } from '#database/migrate.ts'
import { type Database, DatabaseUnusable, openDatabase } from '#database/open.ts'
import { inSteps, splitStatements } from '#database/split.ts'
import type { Db } from '#kernel/sql.ts'
import { later, temporaryFolder } from '../fixture/later.ts'

const people = 'create table people (id int primary key, name text not null);'
const pets = 'create table pets (id int primary key, owner int references people);'

function write(files: Record<string, string>, directory = temporaryFolder()): string {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return directory
}

let server: Database
let dataDir: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'bailiwick-test-'))
  chmodSync(dataDir, 0o755)
  server = await openDatabase({ from: { dataDir, purpose: 'serve' } })
})

afterAll(async () => {
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
})

let count = 0

/** A fresh database, by the URL of its socket. */
async function freshUrl(): Promise<string> {
  const name = `fresh_${++count}`
  await server.db.unsafe(`create database ${name}`)
  return `postgresql://bailiwick@/${name}?host=${join(server.embedded?.connection.path ?? '', '..')}`
}

async function openUrl(url: string): Promise<Db> {
  const { db, close } = await openDatabase({ from: { url } })
  later(close)
  return db
}

const fresh = async (): Promise<Db> => openUrl(await freshUrl())

test('migrations are applied once, in order, and newer ones after them', async () => {
  const db = await fresh()
  const directory = write({ '0001_people.sql': people })
  expect(await migrate(db, { directory })).toEqual([{ version: 1, name: 'people' }])
  expect(await migrate(db, { directory })).toEqual([])
  write({ '0002_pets.sql': pets }, directory)
  expect(await migrate(db, { directory })).toEqual([{ version: 2, name: 'pets' }])
  expect(await db`select version, name, length(checksum) as length from schema_migrations order by version`).toEqual([
    { version: 1, name: 'people', length: 64 },
    { version: 2, name: 'pets', length: 64 },
  ])
})

test('four servers that start at once apply each migration once', async () => {
  const url = await freshUrl()
  const directory = write({ '0001_people.sql': `select pg_sleep(0.2); ${people}`, '0002_pets.sql': pets })
  const applied = await Promise.all(Array.from({ length: 4 }, async () => migrate(await openUrl(url), { directory })))
  expect(applied.map((list) => list.length).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 2])
})

test('a migration that fails leaves nothing of itself, keeps those before it, and runs when it is fixed', async () => {
  const db = await fresh()
  const directory = write({ '0001_people.sql': people, '0002_pets.sql': `${pets} select 1 / 0;` })
  await expect(migrate(db, { directory })).rejects.toThrow(
    new MigrationFailed('Migration 2 (pets) failed: division by zero'),
  )
  expect(await db`select to_regclass('people') is not null as people, to_regclass('pets') as pets`).toEqual([
    { people: true, pets: null },
  ])
  write({ '0002_pets.sql': pets }, directory)
  expect(await migrate(db, { directory })).toEqual([{ version: 2, name: 'pets' }])
})

test.each<[string, MigrationRefused['reason'], Record<string, string>, Record<string, string>, string]>([
  [
    'a database newer than the program',
    'database-newer',
    { '0001_people.sql': people, '0002_pets.sql': pets },
    { '0001_people.sql': people },
    'The database is at version 2 and this program knows 1: run a newer version.',
  ],
  [
    'an applied migration that was edited since',
    'edited',
    { '0001_people.sql': people },
    { '0001_people.sql': `${people} -- and more` },
    'Migration 1 (people) differs from the one that was applied to the database: write a new one instead.',
  ],
  [
    'a gap in the numbers',
    'misnumbered',
    {},
    { '0001_people.sql': people, '0003_pets.sql': pets },
    'Migration 3 (pets) should be number 2: numbers start at 1 and must be contiguous.',
  ],
  [
    'a number that is there twice',
    'misnumbered',
    {},
    { '0001_people.sql': people, '0001_pets.sql': pets },
    'Migration 1 (pets) is there twice: numbers start at 1 and must be contiguous.',
  ],
  [
    'a file with another name',
    'misnumbered',
    {},
    { 'people.sql': people },
    'people.sql is not named like 0001_name.sql.',
  ],
])('%s is refused', async (_, reason, before, after, message) => {
  const db = await fresh()
  await migrate(db, { directory: write(before) })
  const refusal: unknown = await migrate(db, { directory: write(after) }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(MigrationRefused)
  expect(refusal).toMatchObject({ reason, message })
})

test('other ends of lines are no edit', async () => {
  const db = await fresh()
  await migrate(db, { directory: write({ '0001_people.sql': `${people}\n\n` }) })
  expect(await migrate(db, { directory: write({ '0001_people.sql': `${people}\r\n\r\n` }) })).toEqual([])
})

test('a migration may take longer than a statement, and the connection is as before when it is done', async () => {
  const db = await fresh()
  const directory = write({
    '0001_a.sql': "create table seen as select current_setting('statement_timeout') as timeout;",
  })
  await migrate(db, { directory })
  expect(await db`select timeout from seen`).toEqual([{ timeout: '0' }])
  expect(await db`show statement_timeout`).toEqual([{ statement_timeout: '30s' }])
})

const everything = `
  create type mood as enum ('well', 'unwell');
  create domain short_text as text collate "C" not null check (length(value) < 10);
  create sequence tickets increment by 2 start with 5;
  create table people (
    tenant_id uuid not null,
    id bigint generated always as identity,
    name short_text,
    "Mood" mood default 'well',
    email text collate "C",
    email_lower text generated always as (lower(email)) stored,
    born date check (born > '1900-01-01'),
    gone int,
    primary key (tenant_id, id),
    unique (tenant_id, email)
  );
  alter table people drop column gone;
  create table pets (
    tenant_id uuid, id int, owner_id bigint, tags text[] not null default '{}',
    primary key (tenant_id, id), foreign key (tenant_id, owner_id) references people on delete cascade
  );
  create index pets_by_owner on pets (tenant_id, owner_id) where owner_id is not null;
  create view owners as select distinct owner_id from pets;
  create function touch() returns trigger language plpgsql as $$ begin return new; end $$;
  create trigger touch_people before update on people for each row execute function touch();
  alter table people enable row level security;
  create policy mine on people using (id = 1);
  comment on table people is 'Those who ''are''.';
  comment on column people.name is 'What they are called';
  comment on constraint people_pkey on people is 'Tenant first';
  comment on trigger touch_people on people is 'Touches';`

test('the schema is described as SQL that makes the same schema again', async () => {
  const [first, second] = [await fresh(), await fresh()]
  await migrate(first, { directory: write({ '0001_everything.sql': everything }) })
  const described = await describeSchema(first)
  expect(described).toBe(await describeSchema(first))
  await second.unsafe(described)
  expect(await describeSchema(second)).toBe(described)
  expect(described).toContain('create table schema_migrations (\n  version integer not null,')
  expect(described).toMatchSnapshot()
})

test('the description does not depend on the order in which things were made', async () => {
  const [first, second] = [await fresh(), await fresh()]
  const more = 'create table a (id int); create table b (id int); create index b_id on b (id);'
  const same = 'create table b (id int); create index b_id on b (id); create table a (id int);'
  await first.unsafe(more)
  await second.unsafe(same)
  expect(await describeSchema(first)).toBe(await describeSchema(second))
})

test('int8 and numeric come as numbers, and one that is too large is an error rather than another number', async () => {
  const db = await fresh()
  expect(await db`select count(*), sum(n), avg(n), array_agg(n::int8) as list from generate_series(1, 2) n`).toEqual([
    { count: 2, sum: 3, avg: 1.5, list: [1, 2] },
  ])
  await expect(db`select 9007199254740993::int8 as n`).rejects.toThrow('9007199254740993 is beyond')
  expect(await db`select 1 as one`).toEqual([{ one: 1 }])
  expect(toNumber('-9007199254740991')).toBe(Number.MIN_SAFE_INTEGER)
})

test('undefined is an error, not null', async () => {
  const db = await fresh()
  await expect((async () => db`select ${undefined as never}::text`)()).rejects.toThrow(/undefined/i)
})

test('a database that cannot be reached is said in one line, without its password', async () => {
  const url = 'postgresql://someone:secret@127.0.0.1:1/none'
  await expect(openDatabase({ from: { url }, waitMs: 300 })).rejects.toThrow(
    new DatabaseUnusable('The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1'),
  )
  await expect(openDatabase({ from: { url: 'mysql://x/y' } })).rejects.toThrow('must start with postgresql://')
})

test('what libpq alone understands in a URL is no obstacle', async () => {
  const db = await openUrl(`${await freshUrl()}&channel_binding=prefer&gssencmode=disable`)
  expect(await db`select 1 as one`).toEqual([{ one: 1 }])
})

test('a migration is split into statements where statements end, and nowhere else', () => {
  const text = `
    -- A comment; with 'a quote.
    create table a (b text default 'x;''y'); /* and; this */
    create function f() returns int language sql as $$ select 1; select 2 $$;
    do $body$ begin perform ';'; execute $$ select ';' $$; end $body$;
    insert into a values (E'it\\';s', ";");
    -- The end;
  `
  expect(splitStatements(text).map((statement) => statement.replaceAll(/\s+/g, ' '))).toEqual([
    "-- A comment; with 'a quote. create table a (b text default 'x;''y')",
    '/* and; this */ create function f() returns int language sql as $$ select 1; select 2 $$',
    "do $body$ begin perform ';'; execute $$ select ';' $$; end $body$",
    `insert into a values (E'it\\';s', ";")`,
  ])
})

test('a column that comes with a check is added before it, under the name that PostgreSQL gives the check', async () => {
  const text = "-- What it is.\nalter table people add column kind text not null default 'a' check (kind in ('a', 'b'))"
  expect(inSteps(text)).toEqual([
    "alter table people add column kind text not null default 'a'",
    "alter table people add constraint people_kind_check check (kind in ('a', 'b'))",
  ])
  for (const other of [
    "alter table people add column name text default 'x'",
    'alter table people add column a int, add constraint one check (a > 1)',
    'alter table people add column a int check (a > 1), add column b int check (b > 1)',
  ])
    expect(inSteps(other)).toEqual([other])
  const [one, two] = [await fresh(), await fresh()]
  for (const [db, steps] of [
    [one, [text]],
    [two, inSteps(text)],
  ] as const)
    for (const statement of [people, ...steps]) await db.unsafe(statement)
  expect(await describeSchema(two)).toBe(await describeSchema(one))
})
