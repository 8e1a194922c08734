import type { Reads, Tx } from '#kernel/sql.ts'
import type { UsageControls } from '../records.ts'

/** An app's settings, or those that every app has from its first day; null if the app does not exist. */
export async function findUsageControls(db: Reads, tenantId: number, appId: string): Promise<UsageControls | null> {
  const [row] = await db<UsageControls[]>`
    select a.app_id as "appId", coalesce(c.notify, false) as notify,
      coalesce(c.notify_after_days, 0) as "notifyAfterDays", coalesce(c.revoke, false) as revoke,
      coalesce(c.revoke_after_days, 0) as "revokeAfterDays"
    from apps a left join app_usage_controls c using (tenant_id, app_id)
    where a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.deleted_at is null`
  return row ?? null
}

export async function putUsageControls(tx: Tx, tenantId: number, controls: UsageControls): Promise<void> {
  const { appId, notify, notifyAfterDays, revoke, revokeAfterDays } = controls
  await tx`
    insert into app_usage_controls (tenant_id, app_id, notify, notify_after_days, revoke, revoke_after_days)
    values (${tenantId}, ${appId}, ${notify}, ${notifyAfterDays}, ${revoke}, ${revokeAfterDays})
    on conflict (tenant_id, app_id) do update set notify = excluded.notify,
      notify_after_days = excluded.notify_after_days, revoke = excluded.revoke,
      revoke_after_days = excluded.revoke_after_days`
}
