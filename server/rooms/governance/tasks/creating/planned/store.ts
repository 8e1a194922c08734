import type { Reads } from '#kernel/sql.ts'
import { held } from '#rooms/records/grants/index.ts'
import type { Task } from '../../machine/record.ts'

export type HeldReason = { source: string; expiresAt: Date | null }

/** The reasons for which someone holds an entitlement now, and until when; null means no expiry. */
export const listHeldReasons = (
  db: Reads,
  tenantId: number,
  { appId, entitlementId, subjectUserId, accountId }: Task,
  at: Date,
): Promise<HeldReason[]> => db<HeldReason[]>`
  select g.source, case when bool_or(g.expires_at is null) then null else max(g.expires_at) end as "expiresAt"
  from grants g
  join accounts a on a.tenant_id = ${tenantId} and a.app_id = g.app_id and a.account_id = g.account_id
  where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${entitlementId}
    and ${held(db, { at, isNow: true })} and a.deleted_at is null
    and ${accountId === '' ? db`a.user_id = ${subjectUserId}` : db`g.account_id = ${accountId}`}
  group by g.source order by g.source`
