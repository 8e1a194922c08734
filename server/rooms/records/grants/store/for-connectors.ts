import type { Tx } from '#kernel/sql.ts'
import { fewMax, valuesOf } from '#rooms/foundation/writes/index.ts'
import type { GrantSource, HoldingRef } from '../grant.ts'

type Changed = HoldingRef & { id: string; source: GrantSource }

/** What is decided here. Imports and directories tell what others have decided. */
const isDecidedHere = ({ source }: Changed): boolean => source !== 'import' && source !== 'directory'

/** Which of some apps have a connector. Sent along with what changes grants, so that it costs no time of its own. */
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
 * Notes that access was given or ended here, in apps that have a connector: the room of connectors finds out what that means for
 * the app. It is one place for every reason by which access is given, in the transaction that gives it.
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
    // What the app is known to have was ended by someone: it is to be removed there.
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
