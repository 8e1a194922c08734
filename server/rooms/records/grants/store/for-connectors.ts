import type { Tx } from '#kernel/sql.ts'
import { fewMax, valuesOf } from '#rooms/foundation/writes/index.ts'
import type { GrantSource, HoldingRef } from '../grant.ts'

type Changed = HoldingRef & { id: string; source: GrantSource }

/** Whether this server decides it. Imports and directories report what others have decided. */
const isDecidedHere = ({ source }: Changed): boolean => source !== 'import' && source !== 'directory'

/**
 * Which of some apps have a connector. Sent together with the statements that change grants, so that it takes no extra time.
 */
export function listConnected(tx: Tx, tenantId: number, refs: readonly HoldingRef[]): Promise<Set<string>> {
  const appIds = [...new Set(refs.map(({ appId }) => appId))]
  const found = Promise.resolve(tx<{ appId: string }[]>`
    select distinct app_id as "appId" from connectors
    where tenant_id = ${tenantId} and app_id = any(${appIds}::text[]) and deleted_at is null limit 10000`)
  const ids = found.then((rows) => new Set(rows.map(({ appId }) => appId)))
  ids.catch(() => {})
  return ids
}

/**
 * Notes that access was granted or ended here, in apps that have a connector: the room of connectors finds out what to do in
 * the app. It is the one place for every reason by which access is granted, in the same transaction.
 */
export async function noteForConnectors(
  tx: Tx,
  tenantId: number,
  connected: Promise<Set<string>>,
  grants: readonly Changed[],
  change: 'opened' | 'ended',
): Promise<void> {
  const appIds = await connected
  if (appIds.size === 0) return
  const rows = grants.flatMap((grant) => {
    if (!appIds.has(grant.appId)) return []
    // Someone ended access that the app is known to have: it has to be removed there.
    const told = change === 'ended' && grant.source === 'import' ? 'removed' : isDecidedHere(grant) ? change : null
    return told ? [{ ...grant, change: told }] : []
  })
  if (rows.length === 0) return
  const columns = tx`(tenant_id, app_id, entitlement_id, account_id, cause_id, change)`
  if (rows.length <= fewMax) {
    const values = rows.map(
      (row) => [tenantId, row.appId, row.entitlementId, row.accountId, row.id, row.change] as const,
    )
    await tx`insert into provisioning_changes ${columns} values ${valuesOf(tx, values)} on conflict do nothing`
  } else
    await tx`
      insert into provisioning_changes ${columns}
      select ${tenantId}::int, * from unnest(
        ${rows.map(({ appId }) => appId)}::text[], ${rows.map(({ entitlementId }) => entitlementId)}::text[],
        ${rows.map(({ accountId }) => accountId)}::text[], ${rows.map(({ id }) => id)}::text[],
        ${rows.map(({ change: told }) => told)}::text[])
      on conflict do nothing`
}
