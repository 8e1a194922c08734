import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '#kernel/operator-error.ts'
import type { Db, Reserved } from '#kernel/sql.ts'
import { distributeNew, guardNew, hasCitus, isHalfDistributed } from './distribute/new-tables.ts'
import { prepareDdl } from './distribute/tables.ts'
import { splitStatements } from './split.ts'
import { inOne, inTurn } from './turn.ts'

export { isHalfDistributed }

export type Migration = { version: number; name: string; checksum: string; text: string }
type Applied = Omit<Migration, 'text'>

/** What was done to the schema. `accepted`: the record of a database from before the baseline was replaced. */
export type SchemaChange = { did: 'created' | 'accepted' | 'migrated'; version: number; name: string }

/** The schema and the database do not belong together: nothing was changed. */
export class MigrationRefused extends OperatorError {
  readonly reason: 'database-newer' | 'database-older' | 'edited' | 'half-distributed' | 'misnumbered'

  constructor(reason: MigrationRefused['reason'], message: string) {
    super(message)
    this.name = 'MigrationRefused'
    this.reason = reason
  }
}

/** The schema could not be created, or a migration did not run: it changed nothing, and those before it stay. */
export class MigrationFailed extends OperatorError {
  override name = 'MigrationFailed'
}

/**
 * The schema that migrations start from: the result of the first 67 of them (docs/decisions/0120-one-baseline.md). The
 * checksum is that of its text, which is `baseline.sql`, or `schema.sql` as long as there is no later migration.
 */
export const baseline: Applied = {
  version: 67,
  name: 'baseline',
  checksum: 'ed619d284b904201be19b326c79bd08de70faed622e7c89014670a55758fec53',
}

/** Databases from before the baseline: the last commit with all migrations, and a digest of the records of all of them. */
const before = {
  commit: '3f6a70da',
  digest: '6b9461c51595b9272435073a7471583a71058af19559946905c8721c909f3560',
}

/** Whether a schema was ever created in this database. */
export async function hasSchema(db: Db): Promise<boolean> {
  const [row] = await db<{ isThere: boolean }[]>`select to_regclass('schema_migrations') is not null as "isThere"`
  return row?.isThere === true
}

/**
 * Brings the schema to the newest version, and returns what it did. An empty database gets `schema.sql`; any other one
 * the migrations that it does not have. Servers that start at once take turns. `directory` has both.
 */
export async function migrate(
  db: Db,
  { directory = import.meta.dirname }: { directory?: string } = {},
): Promise<SchemaChange[]> {
  const later = readMigrations(join(directory, 'migrations'))
  return inTurn(db, (connection) => bringUpToDate(connection, join(directory, 'schema.sql'), later))
}

export function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.sql'))
  const migrations = names.toSorted().map((file): Migration => {
    const [, digits, name] = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file) ?? []
    if (!digits || !name) throw new MigrationRefused('misnumbered', `${file} is not named like 0068_name.sql.`)
    const text = readSql(join(directory, file))
    return { version: Number(digits), name, text, checksum: checksumOf(text) }
  })
  const first = baseline.version + 1
  for (const [index, { version, name }] of migrations.entries()) {
    if (version === first + index) continue
    const problem = version === migrations[index - 1]?.version ? 'is there twice' : `should be number ${first + index}`
    throw new MigrationRefused(
      'misnumbered',
      `Migration ${version} (${name}) ${problem}: numbers start at ${first} and must be contiguous.`,
    )
  }
  return migrations
}

/** A checkout on another system may use other line endings; that is not an edit. */
const readSql = (file: string): string => readFileSync(file, 'utf8').replaceAll('\r\n', '\n')

export const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex')

async function bringUpToDate(
  connection: Reserved,
  schemaFile: string,
  later: readonly Migration[],
): Promise<SchemaChange[]> {
  const applied = await listApplied(connection)
  if (applied.length === 0) return [await create(connection, readSql(schemaFile), [baseline, ...later])]
  const isBefore = applied[0]?.version !== baseline.version
  if (isBefore) refuseUnlessLast(applied)
  else refuseMismatch(applied, [baseline, ...later])
  if (await isHalfDistributed(connection))
    throw new MigrationRefused(
      'half-distributed',
      'The database was being distributed, and that has not finished. Run "bailiwick database distribute" again before anything else.',
    )
  const changes: SchemaChange[] = []
  if (isBefore) changes.push(await accept(connection))
  for (const migration of isBefore ? later : later.slice(applied.length - 1))
    changes.push(await apply(connection, migration))
  if (changes.some(({ did }) => did === 'migrated')) await guardNew(connection)
  return changes
}

async function listApplied(connection: Reserved): Promise<Applied[]> {
  const [table] = await connection<{ isThere: boolean }[]>`
    select to_regclass('schema_migrations') is not null as "isThere"`
  return table?.isThere
    ? connection<Applied[]>`select version, name, checksum from schema_migrations order by version`
    : []
}

/** A database from before the baseline is accepted in one state: with all migrations of the last commit that had them. */
function refuseUnlessLast(applied: readonly Applied[]): void {
  const newest = applied.at(-1)?.version ?? 0
  if (newest < baseline.version)
    throw new MigrationRefused(
      'database-older',
      `The database is at version ${newest}, and this program can upgrade from version ${baseline.version} on. ` +
        `Back it up, check out the commit ${before.commit}, run "npm ci" and start the server once with the same settings: ` +
        `that brings it to version ${baseline.version}. Then start this version again. Nothing was changed.`,
    )
  const digest = checksumOf(applied.map(({ version, name, checksum }) => `${version} ${name} ${checksum}\n`).join(''))
  if (digest !== before.digest)
    throw new MigrationRefused(
      'edited',
      `The migrations of the database, up to version ${newest}, are not those of the commit ${before.commit}, from which this program can upgrade. Nothing was changed.`,
    )
}

function refuseMismatch(applied: readonly Applied[], known: readonly Applied[]): void {
  const [newest, newestKnown] = [applied.at(-1)?.version ?? 0, known.at(-1)?.version ?? 0]
  if (newest > newestKnown) {
    throw new MigrationRefused(
      'database-newer',
      `The database is at version ${newest} and this program knows ${newestKnown}: run a newer version.`,
    )
  }
  for (const [index, { version, name, checksum }] of applied.entries()) {
    const migration = known[index]
    if (version !== migration?.version) {
      throw new MigrationRefused(
        'misnumbered',
        `The database had migration ${version} without ${baseline.version + index} before it.`,
      )
    }
    if (checksum !== migration.checksum || name !== migration.name) {
      throw new MigrationRefused(
        'edited',
        `Migration ${version} (${migration.name}) differs from the one that was applied to the database: write a new one instead.`,
      )
    }
  }
}

/** In an empty database: the whole schema at its newest version, as if all migrations had run. */
async function create(connection: Reserved, schema: string, known: readonly Applied[]): Promise<SchemaChange> {
  const newest = known.at(-1) as Applied
  try {
    await inOne(connection, async () => {
      await prepareDdl(connection)
      // Left by a first start that failed, before the baseline: it has no rows.
      await connection`drop table if exists schema_migrations`
      // Citus passes a statement on with all the text that was sent with it. Elsewhere the text is sent at once, so
      // that PostgreSQL runs it while this process loads the rest of the program.
      const texts = (await hasCitus(connection)) ? splitStatements(schema) : [schema]
      for (const text of texts) await connection.unsafe(text)
      for (const migration of known) await remember(connection, migration)
    })
  } catch (cause) {
    throw new MigrationFailed(`The schema could not be created: ${(cause as Error).message}`, { cause })
  }
  return { did: 'created', version: newest.version, name: newest.name }
}

async function accept(connection: Reserved): Promise<SchemaChange> {
  await inOne(connection, async () => {
    await connection`delete from schema_migrations`
    await remember(connection, baseline)
  })
  return { did: 'accepted', version: baseline.version, name: baseline.name }
}

async function apply(connection: Reserved, migration: Migration): Promise<SchemaChange> {
  const { version, name, text } = migration
  try {
    await inOne(connection, async () => {
      await prepareDdl(connection)
      for (const statement of splitStatements(text)) {
        await connection.unsafe(statement)
        // At once: the next statement may insert into it.
        if (/\bcreate\b.*\btable\b/is.test(statement)) await distributeNew(connection)
      }
      await remember(connection, migration)
    })
  } catch (cause) {
    throw new MigrationFailed(`Migration ${version} (${name}) failed: ${(cause as Error).message}`, { cause })
  }
  return { did: 'migrated', version, name }
}

const remember = async (connection: Reserved, { version, name, checksum }: Applied): Promise<void> => {
  await connection`
    insert into schema_migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`
}
