import type { Db, Reserved } from '#kernel/sql.ts'
import { inOne, inTurn } from '../turn.ts'
import { listDistributed, refuseUnlessCoordinator } from './citus.ts'
import { distributeFunctions } from './functions.ts'
import { guardShards } from './guards.ts'
import { listPlaces, type Place } from './places.ts'
import {
  beginPuttingAside,
  endPuttingAside,
  isHalfDistributed,
  isPutAsideTable,
  listPutAside,
  putAside,
  takeBack,
} from './put-aside.ts'
import { DistributionFailed, DistributionRefused } from './refused.ts'
import { applySettings, refuseUnlessOwner } from './settings.ts'
import {
  addForeignKey,
  dropForeignKey,
  type ForeignKey,
  listForeignKeys,
  makeDistributed,
  makeReference,
  prepareDdl,
} from './tables.ts'
import { verify } from './verify.ts'

export type Progress =
  | { step: 'begin'; tables: number; missing: number; nodes: number; isResumed: boolean }
  | { step: 'table'; table: string; place: Place; rows: number; number: number; of: number; ms: number }
  | { step: 'foreign key'; key: ForeignKey; number: number; of: number }
  | { step: 'settings'; failures: string[] }
  | { step: 'verified'; distributed: number; shards: number; findings: string[] }

export type DistributeOptions = {
  /** How many shards each table is divided into, if there are none yet. */
  shards: number
  onProgress?: (progress: Progress) => void
}

/**
 * Distributes the tables of tenants over the nodes of a Citus cluster, by `tenant_id`. Each step is one transaction,
 * and what is done is read from the catalogs: after an interruption at any point, the same call continues where it
 * ended.
 * Citus distributes no table with a foreign key to one that is not distributed, in any order. So the foreign keys are
 * dropped first, saved to a table in the same transaction, and added again at the end, which also checks them again.
 */
export async function distribute(db: Db, { shards, onProgress = () => {} }: DistributeOptions): Promise<string[]> {
  await refuseUnlessCoordinator(db)
  await refuseUnlessOwner(db)
  await refuseOthers(db)
  return inTurn(db, async (connection) => {
    // A server that was about to start at the first check is either connected now, or waits until this is over.
    await refuseOthers(connection)
    const places = (await listPlaces(connection)).filter(({ table }) => !isPutAsideTable(table))
    const homeless = places.filter(({ place }) => place === null)
    if (homeless.length > 0)
      throw new DistributionRefused(
        `Tables without a place on a cluster: ${homeless.map(({ table }) => table).join(', ')}. They are not Bailiwick's; move them to another schema or database.`,
      )
    const there = await listDistributed(connection)
    const wanted = places.flatMap(({ table, place }) =>
      place === 'reference' || place === 'distributed' ? [{ table, place }] : [],
    )
    // The reference table first: foreign keys of the others point to it.
    const missing = wanted
      .filter(({ table, place }) => there.get(table) !== place)
      .toSorted((a, b) => Number(b.place === 'reference') - Number(a.place === 'reference'))
    const isResumed = await isHalfDistributed(connection)
    onProgress({
      step: 'begin',
      tables: wanted.length,
      missing: missing.length,
      nodes: await countNodes(connection),
      isResumed,
    })
    if (missing.length > 0)
      await step('foreign keys', () =>
        dropForeignKeys(
          connection,
          missing.map(({ table }) => table),
        ),
      )
    let beside = [...there].find(([, kind]) => kind === 'distributed')?.[0] ?? null
    for (const [index, { table, place }] of missing.entries()) {
      const begin = performance.now()
      const rows = await step(table, () =>
        inOne(connection, async () => {
          await prepareDdl(connection)
          const count = await countRows(connection, table)
          if (place === 'reference') await makeReference(connection, table)
          else await makeDistributed(connection, table, beside, shards)
          return count
        }),
      )
      if (place === 'distributed') beside ??= table
      const ms = performance.now() - begin
      onProgress({ step: 'table', table, place, rows, number: index + 1, of: missing.length, ms })
    }
    if (await isHalfDistributed(connection)) await addForeignKeys(connection, onProgress)
    onProgress({ step: 'settings', failures: await step('settings', () => applySettings(connection)) })
    await step('functions', () => distributeFunctions(connection))
    await step('guards', () => guardShards(connection))
    // Last: until then no server starts, whatever happened before.
    await endPuttingAside(connection)
    const verified = await verify(connection, wanted)
    onProgress({ step: 'verified', ...verified })
    return verified.findings
  })
}

/** Only the table's own columns are read, and nobody else is connected: rows are counted where they are. */
async function countRows(connection: Reserved, table: string): Promise<number> {
  const [row] = await connection<{ rows: number }[]>`select count(*) as rows from ${connection(table)}`
  return row?.rows ?? 0
}

async function countNodes(connection: Reserved): Promise<number> {
  const [row] = await connection<{ nodes: number }[]>`
    select count(*)::int as nodes from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards`
  return row?.nodes ?? 0
}

async function refuseOthers(db: Db | Reserved): Promise<void> {
  const others = await db<{ name: string }[]>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like 'bailiwick %'
      and application_name <> current_setting('application_name') order by 1`
  if (others.length === 0) return
  const names = others.map(({ name }) => name).join(', ')
  throw new DistributionRefused(
    `Other Bailiwick processes use this database (${names}). Stop all servers and commands first, distribute, and start them again.`,
  )
}

async function dropForeignKeys(connection: Reserved, tables: readonly string[]): Promise<void> {
  await inOne(connection, async () => {
    await prepareDdl(connection)
    await beginPuttingAside(connection)
    const keys = await listForeignKeys(connection, tables)
    await putAside(connection, keys)
    for (const key of keys) await dropForeignKey(connection, key)
  })
}

async function addForeignKeys(connection: Reserved, onProgress: (progress: Progress) => void): Promise<void> {
  const keys = await listPutAside(connection)
  for (const [index, key] of keys.entries()) {
    await step(key.name, () =>
      inOne(connection, async () => {
        await prepareDdl(connection)
        await addForeignKey(connection, key)
        await takeBack(connection, key)
      }),
    )
    onProgress({ step: 'foreign key', key, number: index + 1, of: keys.length })
  }
}

const step = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  work().catch((cause: unknown) => {
    if (cause instanceof DistributionRefused) throw cause
    throw new DistributionFailed(
      `Distributing stopped at ${name}: ${(cause as Error).message}. Run the command again to continue; no server starts before it has finished.`,
      { cause },
    )
  })
