import { inOrder, type Order, type Sortable } from '#kernel/order.ts'
import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { Import } from './import.ts'

const columns = (db: Reads) => db`
  import_id as id, format, is_full as "isFull", is_forced as "isForced", user_id as "userId", user_name as "userName",
  line_count as "lineCount", byte_count as "byteCount", counts, ignored_fields as "ignoredFields",
  app_id as "appId", notes,
  started_at as "startedAt", finished_at as "finishedAt"`

// 'impt': one import of a tenant at a time, across all servers.
const lockKey = 0x696d7074

export async function tryLockImports(tx: Tx, tenantId: number): Promise<boolean> {
  const [row] = await tx<{ taken: boolean }[]>`
    select pg_try_advisory_xact_lock(${lockKey}::int, ${tenantId}::int) as taken`
  return row?.taken === true
}

/** Imports have their own limits instead of those of requests, for the duration of their transaction. */
export async function setLimits(tx: Tx): Promise<void> {
  // Separately: Citus passes a setting on with the whole text that was sent with it.
  await tx`set local statement_timeout = 0`
  await tx`set local lock_timeout = '30s'`
  await tx`set local idle_in_transaction_session_timeout = '5min'`
  await tx`set local work_mem = '64MB'`
}

export async function insertImport(tx: Tx, tenantId: number, done: Import): Promise<void> {
  await tx`
    insert into imports (tenant_id, import_id, format, is_full, is_forced, user_id, user_name, line_count, byte_count,
      counts, ignored_fields, app_id, notes, started_at, finished_at)
    values (${tenantId}, ${done.id}, ${done.format}, ${done.isFull}, ${done.isForced}, ${done.userId}, ${done.userName},
      ${done.lineCount}, ${done.byteCount}, ${tx.json(done.counts)}, ${done.ignoredFields}, ${done.appId}, ${done.notes},
      ${done.startedAt}, ${done.finishedAt})`
}

export async function findImport(db: Reads, tenantId: number, id: string): Promise<Import | null> {
  const [row] = await db<Import[]>`
    select ${columns(db)} from imports where tenant_id = ${tenantId} and import_id = ${id}`
  return row ?? null
}

/** Some imports, in no order. */
export async function findImports(db: Reads, tenantId: number, ids: readonly string[]): Promise<Import[]> {
  if (ids.length === 0) return []
  return db<Import[]>`
    select ${columns(db)} from imports where tenant_id = ${tenantId} and import_id = any(${ids}::text[])
    limit ${ids.length}`
}

export const importOrders = ['finished', 'by', 'format', 'lines'] as const
export type ImportOrder = Order<(typeof importOrders)[number]>

/** Empty lists and nulls filter nothing. */
export type ImportFilter = {
  formats: readonly string[]
  isFull: boolean | null
  userIds: readonly string[]
  after: Date | null
  before: Date | null
}

// Hundreds or thousands of them: all are read to sort them.
const sortables = (db: Reads): Record<(typeof importOrders)[number], Sortable> => ({
  finished: { by: db`finished_at`, type: 'timestamptz' },
  by: { by: db`lower(user_name)`, type: 'text' },
  format: { by: db`format`, type: 'text' },
  lines: { by: db`line_count::bigint`, type: 'bigint' },
})

const conditions = (db: Reads, filter: ImportFilter) => db`
  ${filter.formats.length > 0 ? db`and format = any(${filter.formats}::text[])` : db``}
  ${filter.isFull === null ? db`` : db`and is_full = ${filter.isFull}`}
  ${filter.userIds.length > 0 ? db`and user_id = any(${filter.userIds}::text[])` : db``}
  ${filter.after ? db`and finished_at >= ${filter.after}` : db``}
  ${filter.before ? db`and finished_at < ${filter.before}` : db``}`

/** How many match a filter, at most `limit`. */
export async function countImports(db: Reads, tenantId: number, filter: ImportFilter, limit: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from imports where tenant_id = ${tenantId} ${conditions(db, filter)} limit ${limit}) x`
  return row?.count ?? 0
}

/** The newest first, unless an order is requested. */
export async function listImports(
  db: Reads,
  tenantId: number,
  { filter, order }: { filter: ImportFilter; order: ImportOrder },
  page: Pick<Page, 'after' | 'limit'>,
): Promise<(Import & { key?: string })[]> {
  const { after, limit } = page
  if (order) {
    const sorted = inOrder(db, sortables(db)[order.key], order.isDescending, [db`import_id`], page)
    return db<(Import & { key: string })[]>`
      select ${columns(db)}, ${sorted.value} as key from imports
      where tenant_id = ${tenantId} ${conditions(db, filter)} ${sorted.after} ${sorted.by}`
  }
  return db<Import[]>`
    select ${columns(db)} from imports
    where tenant_id = ${tenantId} ${conditions(db, filter)} ${after ? db`and import_id < ${after[0] as string}` : db``}
    order by import_id desc limit ${limit}`
}

/** The clients of the users whom the import changed: what is cached about them is outdated. */
export async function listClientsOfChanged(tx: Tx, tenantId: number, at: Date): Promise<string[]> {
  const rows = await tx<{ clientId: string }[]>`
    select c.client_id as "clientId" from credentials c join users u using (tenant_id, user_id)
    where c.tenant_id = ${tenantId} and c.deleted_at is null and u.updated_at = ${at} limit 10000`
  return rows.map(({ clientId }) => clientId)
}
