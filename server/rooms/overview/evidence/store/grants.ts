import type { Reads } from '#kernel/sql.ts'
import type { HoldingRef } from '#rooms/records/grants/index.ts'
import type { HistoryRow } from '../facts.ts'

/** Of one holding, so many rows are read, the latest: who looks for its beginning looks no further. */
const rowsMax = 100

/** What was recorded of some holdings until a moment, the latest first. By the primary key of grants. */
export async function listHistory(
  db: Reads,
  tenantId: number,
  refs: readonly HoldingRef[],
  at: Date,
): Promise<HistoryRow[]> {
  if (refs.length === 0) return []
  return db<HistoryRow[]>`
    select x.* from unnest(
      ${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ entitlementId }) => entitlementId)}::text[],
      ${refs.map(({ accountId }) => accountId)}::text[]) as w (app_id, entitlement_id, account_id)
    cross join lateral (
      select g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId", g.grant_id as id,
        g.source, g.granted_by as "grantedBy", g.granted_at as "grantedAt", g.began_at as "beganAt",
        g.expires_at as "expiresAt", g.ended_at as "endedAt", g.ended_why as "endedWhy", g.reason
      from grants g
      where g.tenant_id = ${tenantId} and g.app_id = w.app_id and g.entitlement_id = w.entitlement_id
        and g.account_id = w.account_id and g.began_at <= ${at}
      order by g.began_at desc, g.grant_id desc limit ${rowsMax}) x`
}
