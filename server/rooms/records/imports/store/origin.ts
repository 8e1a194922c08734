import type { Fragment, Tx } from '#kernel/sql.ts'

/** The source of the records of an import, and so which ones it may remove. */
export type Origin = {
  /** The connector whose sync it is; empty for a file that someone imports. */
  connectorId: string
  /** Other connectors that exist: those of the same app or, for a file, all. What one of them reports stays. */
  others: readonly string[]
  /** Whether it may remove records of which it is not known who reported them. */
  takesUnknown: boolean
}

/**
 * Older records, from before it was recorded who reports them, may be those of any connector of the app that has not synced
 * since: they are removed once all have.
 */
export async function findOrigin(
  tx: Tx,
  tenantId: number,
  { connectorId, appId }: { connectorId: string; appId: string | null },
): Promise<Origin> {
  const rows = await tx<{ id: string; isAwaited: boolean }[]>`
    select c.connector_id as id, not c.has_reported and exists (
      select 1 from connector_tasks t
      where t.tenant_id = ${tenantId} and t.connector_id = c.connector_id and t.kind = 'sync' and t.state = 'done')
      as "isAwaited"
    from connectors c
    where c.tenant_id = ${tenantId} and c.deleted_at is null and c.connector_id <> ${connectorId}
      ${connectorId === '' ? tx`` : tx`and c.app_id = ${appId}`}`
  return {
    connectorId,
    others: rows.map(({ id }) => id),
    takesUnknown: connectorId === '' || !rows.some(({ isAwaited }) => isAwaited),
  }
}

const ids = (tx: Tx, { others }: Origin): Fragment => tx`${others}::text[]`

/** Whether another connector reports a record `x`. */
export const isShared = (tx: Tx, origin: Origin, x: string): Fragment =>
  tx`coalesce(${tx.unsafe(`${x}.connector_ids`)} && ${ids(tx, origin)}, false)`

/** Whether a record `x` is one that this import has to contain: otherwise it is removed, or no longer reported by it. */
export const isOwn = (tx: Tx, origin: Origin, x: string): Fragment => {
  const of = tx.unsafe(`${x}.connector_ids`)
  return origin.connectorId === ''
    ? tx`not ${isShared(tx, origin, x)}`
    : tx`(${of} @> array[${origin.connectorId}::text] or (${origin.takesUnknown}::boolean and ${of} is null))`
}

/** The connectors that report a new record. */
export const newIds = (tx: Tx, { connectorId }: Origin): Fragment =>
  connectorId === '' ? tx`'{}'::text[]` : tx`array[${connectorId}::text]`

/** The connectors that report a record, of which `of` were known: including this one, and none that was deleted. */
export const idsWith = (tx: Tx, origin: Origin, of: string): Fragment => {
  if (origin.connectorId === '') return tx.unsafe(of)
  if (origin.others.length === 0) return newIds(tx, origin)
  return tx`array_append(array(select i from unnest(${tx.unsafe(of)}) i where i = any(${ids(tx, origin)})),
    ${origin.connectorId}::text)`
}

/** Whether the connector does not report a record `x` yet. */
export const isUnreported = (tx: Tx, { connectorId }: Origin, x: string): Fragment =>
  connectorId === ''
    ? tx`false`
    : tx`not coalesce(${tx.unsafe(`${x}.connector_ids`)} @> array[${connectorId}::text], false)`
