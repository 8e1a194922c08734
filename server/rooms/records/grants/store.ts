import type { Tx } from '#kernel/sql.ts'
import { fewMax, insertRecords, updateRecords, valuesOf } from '#rooms/foundation/writes/index.ts'
import type { Granting } from './grant.ts'
import { listConnected, noteForConnectors } from './store/for-connectors.ts'

export type NewGrant = {
  id: string
  appId: string
  entitlementId: string
  accountId: string
  source: 'manual' | 'import' | 'rule' | 'request' | 'profile' | 'directory'
  /** Who or what granted it: a user's id, an import's, a rule's run. */
  grantedBy?: string
  /** Since when it is held; if absent, since it was recorded. */
  grantedAt?: Date
  expiresAt?: Date
  /** The reason of the grant. */
  reason?: string
  /** Since when it is recorded; if absent, from now on. */
  beganAt?: Date
}

const rowsPerStatement = 1000
const textOf = (instant: Date): string => instant.toISOString()

// Columns rather than rows: one statement text for any number of them, and 5,000 grants in 260 ms rather than 325.
export async function insertGrants(
  tx: Tx,
  { tenant: { id: tenantId } }: Granting,
  grants: readonly NewGrant[],
  at: Date,
  { isByRule = false, isTold = false }: { isByRule?: boolean; isTold?: boolean } = {},
): Promise<void> {
  for (let from = 0; from < grants.length; from += rowsPerStatement) {
    const rows = grants.slice(from, from + rowsPerStatement)
    const isFew = rows.length <= fewMax
    const connected = isTold ? null : listConnected(tx, tenantId, rows)
    const columns = tx`
      (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_by,
        granted_at, expires_at, began_at, reason)`
    const valuesOfOne = (grant: NewGrant) =>
      [
        tenantId,
        grant.appId,
        grant.entitlementId,
        grant.accountId,
        grant.id,
        grant.source,
        grant.grantedBy ?? '',
        grant.grantedAt ?? at,
        grant.expiresAt ?? null,
        grant.beganAt ?? at,
        grant.reason ?? '',
      ] as const
    const selected = tx`
      select ${tenantId}, * from unnest(
        ${rows.map(({ appId }) => appId)}::text[],
        ${rows.map(({ entitlementId }) => entitlementId)}::text[],
        ${rows.map(({ accountId }) => accountId)}::text[],
        ${rows.map(({ id }) => id)}::text[],
        ${rows.map(({ source }) => source)}::text[],
        ${rows.map(({ grantedBy }) => grantedBy ?? '')}::text[],
        ${rows.map(({ grantedAt }) => textOf(grantedAt ?? at))}::timestamptz[],
        ${rows.map(({ expiresAt }) => (expiresAt ? textOf(expiresAt) : null))}::timestamptz[],
        ${rows.map(({ beganAt }) => textOf(beganAt ?? at))}::timestamptz[],
        ${rows.map(({ reason }) => reason ?? '')}::text[])`
    const inserted = isFew ? tx`values ${valuesOf(tx, rows.map(valuesOfOne))}` : selected
    await insertRecords(tx, tenantId, 'grants', tx`${columns} ${inserted}`, { isByRule, isFew })
    const imported = rows.filter(({ source }) => source === 'import')
    if (imported.length > 0) await keepConnectors(tx, tenantId, imported)
    if (connected) await noteForConnectors(tx, tenantId, connected, rows, 'opened')
  }
}

/** A grant that replaces one that connectors report is reported by the same connectors. */
async function keepConnectors(tx: Tx, tenantId: number, rows: readonly NewGrant[]): Promise<void> {
  await updateRecords(tx, tenantId, 'grants', {
    set: { connector_ids: tx`w.connector_ids` },
    from: tx`(
      select distinct on (n.grant_id) n.grant_id, o.connector_ids
      from unnest(
        ${rows.map(({ appId }) => appId)}::text[],
        ${rows.map(({ entitlementId }) => entitlementId)}::text[],
        ${rows.map(({ accountId }) => accountId)}::text[],
        ${rows.map(({ id }) => id)}::text[]) as n (app_id, entitlement_id, account_id, grant_id)
      join grants o on o.tenant_id = ${tenantId} and o.app_id = n.app_id and o.entitlement_id = n.entitlement_id
        and o.account_id = n.account_id and o.source = 'import' and o.ended_at is not null
      order by n.grant_id, o.ended_at desc, o.grant_id desc) w`,
    where: tx`x.grant_id = w.grant_id and x.app_id = any(${rows.map(({ appId }) => appId)}::text[])
      and w.connector_ids is not null`,
  })
}
