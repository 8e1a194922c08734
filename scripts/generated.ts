import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeSchema } from '#database/describe-schema.ts'
import { baseline, checksumOf, migrate, readMigrations } from '#database/migrate.ts'
import { openDatabase } from '#database/open.ts'
import { apiDocument } from '#http/openapi.ts'
import { routes } from '#server/registry/routes.ts'
import { configurationPage } from './configuration-page.ts'
import { batonFiles } from './generate-baton.ts'
import { clientApi } from './generate-client.ts'
import type { Generated } from './generated-file.ts'
import { permissionsPage } from './permissions-page.ts'

/** A committed file that is made from others. `path` is from the root of the repository. */
export const generated: readonly Generated[] = [
  { path: 'server/database/schema.sql', make: schema },
  { path: 'package-lock.json', make: lockWithoutScripts },
  { path: 'docs/openapi.json', make: async () => `${JSON.stringify(apiDocument(routes), null, 2)}\n` },
  { path: 'docs/configuration.md', make: async () => configurationPage() },
  { path: 'docs/permissions.md', make: async () => permissionsPage(routes) },
  { path: 'client/src/api/types.ts', make: async () => forClient().types },
  { path: 'client/src/api/operations.ts', make: async () => forClient().operations },
  { path: 'client/src/api/errors.ts', make: async () => forClient().errors },
  ...batonFiles(),
]

const forClient = () => clientApi(apiDocument(routes) as Parameters<typeof clientApi>[0])

/**
 * The lock file without the marks of packages that have install scripts: npm runs those of marked packages only, so that `npm ci` runs
 * ours and nobody else's (docs/decisions/0122-console-built-at-install.md).
 */
async function lockWithoutScripts(): Promise<string> {
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as { packages: Record<string, object> }
  const packages = Object.entries(lock.packages).map(([name, entry]) => {
    const { hasInstallScript: _, ...rest } = entry as { hasInstallScript?: true }
    return [name, name === '' ? entry : rest] as const
  })
  return `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`
}

const databaseFolder = 'server/database'

/** What the later migrations make of the baseline. Without any, `schema.sql` is the baseline. */
async function schema(): Promise<string> {
  const hasLater = readMigrations(join(databaseFolder, 'migrations')).length > 0
  const baselineFile = join(databaseFolder, hasLater ? 'baseline.sql' : 'schema.sql')
  const text = await readFile(baselineFile, 'utf8').catch(() => '')
  if (checksumOf(text) !== baseline.checksum)
    throw new Error(
      hasLater
        ? `${baselineFile} is not the baseline. Before the first migration, copy schema.sql to it: see CONTRIBUTING.md, "Migrations".`
        : `${baselineFile} was edited. Write a migration instead: see CONTRIBUTING.md, "Migrations".`,
    )
  const dataDir = await mkdtemp(join(tmpdir(), 'bailiwick-schema-'))
  await chmod(dataDir, 0o711)
  try {
    const { db, close } = await openDatabase({ from: { dataDir, purpose: 'serve' } })
    try {
      await db.unsafe(text)
      await db`
        insert into schema_migrations (version, name, checksum)
        values (${baseline.version}, ${baseline.name}, ${baseline.checksum})`
      await migrate(db)
      return await describeSchema(db)
    } finally {
      await close()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Those whose committed text is not what they would be made as now. */
export async function findStale(files: readonly Generated[]): Promise<{ path: string; text: string }[]> {
  const made = await Promise.all(
    files.map(async ({ path, make }) => {
      const [text, committed] = await Promise.all([make(), readFile(path, 'utf8').catch(() => undefined)])
      return { path, text, stale: text !== committed }
    }),
  )
  return made.filter(({ stale }) => stale)
}
