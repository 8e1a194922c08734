import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { describeSchema } from '#database/describe-schema.ts'
import { toNumber } from '#database/driver/types.ts'
import { baseline, checksumOf, hasSchema, MigrationFailed, MigrationRefused, migrate } from '#database/migrate.ts'
import { type Database, DatabaseUnusable, openDatabase } from '#database/open.ts'
import { splitStatements } from '#database/split.ts'
import type { Db } from '#kernel/sql.ts'
import { later, temporaryFolder } from '../fixture/later.ts'
import { longTest } from '../fixture/long.ts'

const record = `create table schema_migrations (
  version int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now());`
const things = 'create table things (id int primary key);'
const people = 'create table people (id int primary key, name text not null);'
const pets = 'create table pets (id int primary key, owner int references people);'

/** A folder like `server/database`: a schema of its own and these migrations. */
function write(
  migrations: Record<string, string>,
  schema = `${record}${things}`,
  directory = temporaryFolder(),
): string {
  mkdirSync(join(directory, 'migrations'), { recursive: true })
  writeFileSync(join(directory, 'schema.sql'), schema)
  for (const [name, text] of Object.entries(migrations)) writeFileSync(join(directory, 'migrations', name), text)
  return directory
}

/** A database of the baseline, without any of the later migrations. */
async function ofBaseline(): Promise<Db> {
  const db = await fresh()
  await migrate(db, { directory: write({}) })
  return db
}

const remembered = (db: Db) => db`select version, name, checksum from schema_migrations order by version`

const urlOf = (database: string): string => `postgres://bailiwick@localhost/${database}?host=${inject('socketDir')}`

let admin: Database
beforeAll(async () => {
  admin = await openDatabase({ from: { url: urlOf('postgres') }, connectionsMax: 1 })
})
afterAll(() => admin.close())

let count = 0

/** A fresh database, by its URL. */
async function freshUrl(): Promise<string> {
  const name = `fresh_${process.pid}_${++count}`
  await admin.db.unsafe(`create database ${name}`)
  later(() => admin.db.unsafe(`drop database ${name} with (force)`))
  return urlOf(name)
}

async function openUrl(url: string): Promise<Db> {
  const { db, close } = await openDatabase({ from: { url } })
  later(close)
  return db
}

const fresh = async (): Promise<Db> => openUrl(await freshUrl())

test('an empty database gets the schema, at its newest version', async () => {
  const db = await fresh()
  const schema = `${record}${things}${people}`
  const directory = write({ '0068_people.sql': people }, schema)
  expect(await migrate(db, { directory })).toEqual([{ did: 'created', version: 68, name: 'people' }])
  expect(await migrate(db, { directory })).toEqual([])
  expect(await remembered(db)).toEqual([baseline, { version: 68, name: 'people', checksum: checksumOf(people) }])
})

test('migrations are applied once, in order, and newer ones after them', async () => {
  const db = await ofBaseline()
  const directory = write({ '0068_people.sql': people })
  expect(await migrate(db, { directory })).toEqual([{ did: 'migrated', version: 68, name: 'people' }])
  expect(await migrate(db, { directory })).toEqual([])
  write({ '0069_pets.sql': pets }, undefined, directory)
  expect(await migrate(db, { directory })).toEqual([{ did: 'migrated', version: 69, name: 'pets' }])
  expect(await remembered(db)).toEqual([
    baseline,
    { version: 68, name: 'people', checksum: checksumOf(people) },
    { version: 69, name: 'pets', checksum: checksumOf(pets) },
  ])
})

test('an empty database and one that was upgraded from the baseline have the same schema: schema.sql', async () => {
  const folder = new URL('../../server/database/', import.meta.url)
  const hasBaseline = existsSync(new URL('baseline.sql', folder))
  const text = readFileSync(new URL(hasBaseline ? 'baseline.sql' : 'schema.sql', folder), 'utf8')
  expect(checksumOf(text)).toBe(baseline.checksum)
  const [created, upgraded] = [await fresh(), await fresh()]
  await migrate(created)
  await upgraded.unsafe(text)
  await upgraded`insert into schema_migrations (version, name, checksum)
    values (${baseline.version}, ${baseline.name}, ${baseline.checksum})`
  await migrate(upgraded)
  const schema = readFileSync(new URL('schema.sql', folder), 'utf8')
  expect(await describeSchema(created)).toBe(schema)
  expect(await describeSchema(upgraded)).toBe(schema)
  expect(await remembered(created)).toEqual(await remembered(upgraded))
})

longTest('the schema can be created in a schema of another name', async () => {
  const url = await freshUrl()
  const db = await openUrl(url)
  await db`create schema elsewhere`
  const there = await openUrl(`${url}&options=-csearch_path%3Delsewhere`)
  await migrate(there)
  expect(await describeSchema(there)).toBe(readFileSync('server/database/schema.sql', 'utf8'))
  expect(await db`select tablename from pg_tables where schemaname = 'public'`).toEqual([])
})

test('four servers that start at once create the schema once, or apply each migration once', async () => {
  const url = await freshUrl()
  const startFour = (directory: string) =>
    Promise.all(Array.from({ length: 4 }, async () => migrate(await openUrl(url), { directory })))
  const counts = (changes: readonly (readonly unknown[])[]) =>
    changes.map((list) => list.length).toSorted((a, b) => a - b)
  expect(counts(await startFour(write({}, `${record} select pg_sleep(0.2);`)))).toEqual([0, 0, 0, 1])
  const directory = write({ '0068_people.sql': `select pg_sleep(0.2); ${people}`, '0069_pets.sql': pets })
  expect(counts(await startFour(directory))).toEqual([0, 0, 0, 2])
})

test('a schema that could not be created leaves nothing, and is created when it can be', async () => {
  const db = await fresh()
  await expect(migrate(db, { directory: write({}, `${record}${things} select 1 / 0;`) })).rejects.toThrow(
    new MigrationFailed('The schema could not be created: division by zero'),
  )
  expect(await hasSchema(db)).toBe(false)
  expect(await db`select to_regclass('things') as things`).toEqual([{ things: null }])
  expect(await migrate(db, { directory: write({}) })).toMatchObject([{ did: 'created' }])
})

test('a migration that fails leaves nothing of itself, keeps those before it, and runs when it is fixed', async () => {
  const db = await ofBaseline()
  const directory = write({ '0068_people.sql': people, '0069_pets.sql': `${pets} select 1 / 0;` })
  await expect(migrate(db, { directory })).rejects.toThrow(
    new MigrationFailed('Migration 69 (pets) failed: division by zero'),
  )
  expect(await db`select to_regclass('people') is not null as people, to_regclass('pets') as pets`).toEqual([
    { people: true, pets: null },
  ])
  write({ '0069_pets.sql': pets }, undefined, directory)
  expect(await migrate(db, { directory })).toEqual([{ did: 'migrated', version: 69, name: 'pets' }])
})

test.each<[string, MigrationRefused['reason'], Record<string, string>, Record<string, string>, string]>([
  [
    'a database newer than the program',
    'database-newer',
    { '0068_people.sql': people, '0069_pets.sql': pets },
    { '0068_people.sql': people },
    'The database is at version 69 and this program knows 68: run a newer version.',
  ],
  [
    'an applied migration that was edited since',
    'edited',
    { '0068_people.sql': people },
    { '0068_people.sql': `${people} -- and more` },
    'Migration 68 (people) differs from the one that was applied to the database: write a new one instead.',
  ],
  [
    'a gap in the numbers',
    'misnumbered',
    {},
    { '0068_people.sql': people, '0070_pets.sql': pets },
    'Migration 70 (pets) should be number 69: numbers start at 68 and must be contiguous.',
  ],
  [
    'a number from before the baseline',
    'misnumbered',
    {},
    { '0067_people.sql': people },
    'Migration 67 (people) should be number 68: numbers start at 68 and must be contiguous.',
  ],
  [
    'a number that is there twice',
    'misnumbered',
    {},
    { '0068_people.sql': people, '0068_pets.sql': pets },
    'Migration 68 (pets) is there twice: numbers start at 68 and must be contiguous.',
  ],
  [
    'a file with another name',
    'misnumbered',
    {},
    { 'people.sql': people },
    'people.sql is not named like 0068_name.sql.',
  ],
])('%s is refused', async (_, reason, before, after, message) => {
  const db = await ofBaseline()
  await migrate(db, { directory: write(before) })
  const refusal: unknown = await migrate(db, { directory: write(after) }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(MigrationRefused)
  expect(refusal).toMatchObject({ reason, message })
})

/** The records of the migrations from before the baseline: what the commit 3f6a70da wrote. */
const recordsBefore = (): { version: number; name: string; checksum: string }[] =>
  readFileSync(new URL('before-baseline.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [version, name, checksum] = line.split(' ') as [string, string, string]
      return { version: Number(version), name, checksum }
    })

async function ofBefore(records: ReturnType<typeof recordsBefore>): Promise<Db> {
  const db = await fresh()
  await db.unsafe(`${record}${things}`)
  await db`insert into schema_migrations ${db(records)}`
  return db
}

test('a database from before the baseline, with all its migrations, is accepted once and goes on from there', async () => {
  const db = await ofBefore(recordsBefore())
  const directory = write({ '0068_people.sql': people })
  expect(await migrate(db, { directory })).toEqual([
    { did: 'accepted', version: 67, name: 'baseline' },
    { did: 'migrated', version: 68, name: 'people' },
  ])
  expect(await remembered(db)).toEqual([baseline, { version: 68, name: 'people', checksum: checksumOf(people) }])
  expect(await migrate(db, { directory })).toEqual([])
})

test('an older one is refused, with the commit to upgrade by, and left as it is', async () => {
  const records = recordsBefore().slice(0, 41)
  const db = await ofBefore(records)
  const refusal: unknown = await migrate(db).catch((error: unknown) => error)
  expect(refusal).toMatchObject({
    reason: 'database-older',
    message:
      'The database is at version 41, and this program can upgrade from version 67 on. Back it up, check out the commit 3f6a70da, ' +
      'run "npm ci" and start the server once with the same settings: that brings it to version 67. Then start this version again. Nothing was changed.',
  })
  expect(await remembered(db)).toEqual(records)
})

test('one whose migrations were not those of that commit is refused', async () => {
  const db = await ofBefore(recordsBefore().with(30, { version: 31, name: 'tasks', checksum: 'another' }))
  await expect(migrate(db)).rejects.toThrow(
    'The migrations of the database, up to version 67, are not those of the commit 3f6a70da, from which this program can upgrade. Nothing was changed.',
  )
})

test('other ends of lines are no edit', async () => {
  const db = await ofBaseline()
  await migrate(db, { directory: write({ '0068_people.sql': `${people}\n\n` }) })
  expect(await migrate(db, { directory: write({ '0068_people.sql': `${people}\r\n\r\n` }) })).toEqual([])
})

test('a migration may take longer than a statement, and the connection is as before when it is done', async () => {
  const db = await ofBaseline()
  const directory = write({
    '0068_a.sql': "create table seen as select current_setting('statement_timeout') as timeout;",
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
  create function whole(n int) returns int language sql as $$ select n $$;
  create function twice(n int) returns int language sql as $$ select whole(n) + whole(n) $$;
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
  await first.unsafe(everything)
  const described = await describeSchema(first)
  expect(described).toBe(await describeSchema(first))
  await second.unsafe(described)
  expect(await describeSchema(second)).toBe(described)
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

test('a database that accepts connections and does not answer is tried again after the time for one that refuses', async () => {
  let attempts = 0
  const silent = createServer(() => attempts++).listen(0, '127.0.0.1')
  later(() => silent.close())
  await once(silent, 'listening')
  const url = `postgresql://someone@127.0.0.1:${(silent.address() as AddressInfo).port}/none?connect_timeout=1`
  // The first attempt alone takes longer than this.
  await expect(openDatabase({ from: { url }, waitMs: 900 })).rejects.toThrow('The database cannot be reached: timeout')
  expect(attempts).toBeGreaterThan(1)
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
