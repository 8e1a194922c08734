import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '#kernel/operator-error.ts'
import type { Db, Reserved } from '#kernel/sql.ts'
import { distributeNew, guardNew, isHalfDistributed } from './distribute/new-tables.ts'
import { prepareDdl } from './distribute/tables.ts'
import { inSteps, splitStatements } from './split.ts'
import { inOne, inTurn } from './turn.ts'

export { isHalfDistributed }

export type Migration = { version: number; name: string; checksum: string; text: string }
type Applied = Omit<Migration, 'text'>

/** The migrations and the database do not belong together: nothing was changed. */
export class MigrationRefused extends OperatorError {
  readonly reason: 'database-newer' | 'edited' | 'half-distributed' | 'misnumbered'

  constructor(reason: MigrationRefused['reason'], message: string) {
    super(message)
    this.name = 'MigrationRefused'
    this.reason = reason
  }
}

/** A migration did not run: it left nothing, and those before it stay. */
export class MigrationFailed extends OperatorError {
  override name = 'MigrationFailed'
}

const ownMigrations = join(import.meta.dirname, 'migrations')

/** Whether a migration ever ran on this database. */
export async function hasSchema(db: Db): Promise<boolean> {
  const [row] = await db<{ isThere: boolean }[]>`select to_regclass('schema_migrations') is not null as "isThere"`
  return row?.isThere === true
}

/** Brings the schema to the newest version, and answers what it applied. Servers that start at once take turns. */
export async function migrate(
  db: Db,
  { directory = ownMigrations }: { directory?: string } = {},
): Promise<{ version: number; name: string }[]> {
  const known = readMigrations(directory)
  return inTurn(db, (connection) => applyMissing(connection, known))
}

function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.sql'))
  const migrations = names.toSorted().map((file): Migration => {
    const [, digits, name] = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file) ?? []
    if (!digits || !name) throw new MigrationRefused('misnumbered', `${file} is not named like 0001_name.sql.`)
    // A checkout on another system may end its lines otherwise; that is no edit.
    const text = readFileSync(join(directory, file), 'utf8').replaceAll('\r\n', '\n')
    return { version: Number(digits), name, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
  for (const [index, { version, name }] of migrations.entries()) {
    if (version === index + 1) continue
    const problem = version === migrations[index - 1]?.version ? 'is there twice' : `should be number ${index + 1}`
    throw new MigrationRefused(
      'misnumbered',
      `Migration ${version} (${name}) ${problem}: numbers start at 1 and must be contiguous.`,
    )
  }
  return migrations
}

async function applyMissing(
  connection: Reserved,
  known: readonly Migration[],
): Promise<{ version: number; name: string }[]> {
  await connection`
    create table if not exists schema_migrations (
      version int primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`
  const applied = await connection<Applied[]>`
    select version, name, checksum from schema_migrations order by version`
  refuseMismatch(applied, known)
  if (await isHalfDistributed(connection))
    throw new MigrationRefused(
      'half-distributed',
      'The database was being distributed, and that has not finished. Run "bailiwick database distribute" again before anything else.',
    )
  const missing = known.slice(applied.length)
  for (const migration of missing) await apply(connection, migration)
  if (missing.length > 0) await guardNew(connection)
  return missing.map(({ version, name }) => ({ version, name }))
}

function refuseMismatch(applied: readonly Applied[], known: readonly Migration[]): void {
  const newest = applied.at(-1)?.version ?? 0
  if (newest > known.length) {
    throw new MigrationRefused(
      'database-newer',
      `The database is at version ${newest} and this program knows ${known.length}: run a newer version.`,
    )
  }
  for (const [index, { version, name, checksum }] of applied.entries()) {
    const migration = known[index]
    if (version !== migration?.version) {
      throw new MigrationRefused('misnumbered', `The database had migration ${version} without ${index + 1} before it.`)
    }
    if (checksum !== migration.checksum || name !== migration.name) {
      throw new MigrationRefused(
        'edited',
        `Migration ${version} (${migration.name}) differs from the one that was applied to the database: write a new one instead.`,
      )
    }
  }
}

async function apply(connection: Reserved, { version, name, checksum, text }: Migration): Promise<void> {
  try {
    await inOne(connection, async () => {
      await prepareDdl(connection)
      for (const statement of splitStatements(text).flatMap(inSteps)) {
        await connection.unsafe(statement)
        // At once: the next statement may fill it.
        if (/\bcreate\b.*\btable\b/is.test(statement)) await distributeNew(connection)
      }
      await connection`
        insert into schema_migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`
    })
  } catch (cause) {
    throw new MigrationFailed(`Migration ${version} (${name}) failed: ${(cause as Error).message}`, { cause })
  }
}
