import type { Reads } from '#kernel/sql.ts'
import type { AccountRef } from '#rooms/records/accounts/index.ts'
import type { EntitlementRef } from '../grant.ts'
import { held } from './held.ts'

/** How many accounts hold each of some entitlements, by `appId id`: an index-only scan of the open rows of each. */
export async function countHolders(
  db: Reads,
  tenantId: number,
  refs: readonly EntitlementRef[],
): Promise<Map<string, number>> {
  if (refs.length === 0) return new Map()
  const rows = await db<{ appId: string; id: string; count: number }[]>`
    select w.app_id as "appId", w.entitlement_id as id, (
      select count(distinct g.account_id) from grants g
      where g.tenant_id = ${tenantId} and g.app_id = w.app_id and g.entitlement_id = w.entitlement_id
        and g.ended_at is null) as count
    from unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[])
      as w (app_id, entitlement_id)`
  return new Map(rows.map(({ appId, id, count }) => [`${appId} ${id}`, count]))
}

export type AppCount = { appId: string; count: number }

/** How many entitlements some accounts hold in each app. */
export async function countHeld(
  db: Reads,
  tenantId: number,
  accounts: readonly AccountRef[],
  at: Date,
): Promise<AppCount[]> {
  if (accounts.length === 0) return []
  return db<AppCount[]>`
    select app_id as "appId", count(*) as count from (
      select distinct g.app_id, g.account_id, g.entitlement_id
      from unnest(
        ${accounts.map(({ appId }) => appId)}::text[], ${accounts.map(({ id }) => id)}::text[]
      ) as a (app_id, account_id)
      join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
      where ${held(db, { at, isNow: true })}) x
    group by app_id order by app_id limit 10000`
}
