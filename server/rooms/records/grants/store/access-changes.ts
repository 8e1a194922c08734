import type { Tx } from '#kernel/sql.ts'
import type { HoldingRef } from '../grant.ts'

/** Access that was granted or ended here, for connectors to look at. */
export type AccessChange = {
  appId: string
  entitlementId: string
  accountId: string
  causeId: string
  change: 'opened' | 'ended' | 'removed' | 'settled'
}

/**
 * Notes what was granted and ended here since a time, as it would have been noted then. This excludes what imports ended:
 * the app reports that itself.
 */
export async function noteSince(tx: Tx, tenantId: number, appId: string, since: Date): Promise<void> {
  await tx`
    insert into provisioning_changes (tenant_id, app_id, entitlement_id, account_id, cause_id, change)
    select ${tenantId}::int, g.app_id, g.entitlement_id, g.account_id, g.grant_id,
      case when g.ended_at is null then 'opened' when g.source = 'import' then 'removed' else 'ended' end
    from grants g
    where g.tenant_id = ${tenantId} and g.app_id = ${appId}
      and (g.source not in ('import', 'directory') and (g.ended_at is null and g.began_at >= ${since} or g.ended_at >= ${since})
        or g.source = 'import' and g.ended_at >= ${since} and (
          exists (select 1 from users u where u.tenant_id = ${tenantId} and u.user_id = g.ended_by)
          or exists (select 1 from tasks t where t.tenant_id = ${tenantId} and t.task_id = g.ended_by)))
    on conflict do nothing`
}

/** Takes changes, to look at them. Returns those that nobody has taken, or made unnecessary, since they were listed. */
export async function takeChanges(tx: Tx, tenantId: number, changes: readonly AccessChange[]): Promise<AccessChange[]> {
  return tx<AccessChange[]>`
    delete from provisioning_changes c
    using unnest(
      ${changes.map(({ appId }) => appId)}::text[], ${changes.map(({ entitlementId }) => entitlementId)}::text[],
      ${changes.map(({ accountId }) => accountId)}::text[], ${changes.map(({ causeId }) => causeId)}::text[],
      ${changes.map(({ change }) => change)}::text[]) as d (app_id, entitlement_id, account_id, cause_id, change)
    where c.tenant_id = ${tenantId} and c.app_id = d.app_id and c.entitlement_id = d.entitlement_id
      and c.account_id = d.account_id and c.cause_id = d.cause_id and c.change = d.change
    returning c.app_id as "appId", c.entitlement_id as "entitlementId", c.account_id as "accountId",
      c.cause_id as "causeId", c.change`
}

/** A person granted the access in the app: a change that was not looked at yet would make the connector grant it again. */
export async function deleteChangesGiven(
  tx: Tx,
  tenantId: number,
  { appId, entitlementId, accountId }: { appId: string; entitlementId: string; accountId: string },
): Promise<void> {
  await tx`
    delete from provisioning_changes
    where tenant_id = ${tenantId} and app_id = ${appId} and entitlement_id = ${entitlementId}
      and account_id = ${accountId} and change in ('opened', 'settled')`
}

export async function insertSettled(
  tx: Tx,
  tenantId: number,
  { appId, entitlementId, accountId, id }: HoldingRef & { id: string },
): Promise<void> {
  await tx`
    insert into provisioning_changes (tenant_id, app_id, entitlement_id, account_id, cause_id, change)
    values (${tenantId}, ${appId}, ${entitlementId}, ${accountId}, ${id}, 'settled') on conflict do nothing`
}
