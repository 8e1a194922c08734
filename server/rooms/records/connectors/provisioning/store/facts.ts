import type { Reads } from '#kernel/sql.ts'

export type Pairs = readonly { entitlementId: string; accountId: string }[]
export type PairFacts = {
  entitlementId: string
  accountId: string
  wantedSince: Date | null
  inAppSince: Date | null
  endedBeganAt: Date | null
  isDerived: boolean
}

/** The facts in the records about accounts and entitlements of an app. `ended` are the grants whose end is looked at. */
export async function listFacts(
  db: Reads,
  tenantId: number,
  appId: string,
  pairs: Pairs,
  { ended = [], at }: { ended?: readonly string[]; at: Date },
): Promise<PairFacts[]> {
  return db<PairFacts[]>`
    select p.entitlement_id as "entitlementId", p.account_id as "accountId",
      max(g.began_at) filter (where g.ended_at is null and g.source not in ('import', 'directory')
        and (g.expires_at is null or g.expires_at > ${at})) as "wantedSince",
      min(g.granted_at) filter (where g.ended_at is null and g.source = 'import') as "inAppSince",
      max(g.granted_at) filter (where g.grant_id = any(${ended}::text[])) as "endedBeganAt",
      exists (select 1 from grant_sources s where s.tenant_id = ${tenantId} and s.app_id = ${appId}
        and s.entitlement_id = p.entitlement_id and s.account_id = p.account_id)
      and not exists (select 1 from grant_sources s where s.tenant_id = ${tenantId} and s.app_id = ${appId}
        and s.entitlement_id = p.entitlement_id and s.account_id = p.account_id
        and s.source_entitlement_id = p.entitlement_id) as "isDerived"
    from unnest(${pairs.map(({ entitlementId }) => entitlementId)}::text[],
      ${pairs.map(({ accountId }) => accountId)}::text[]) as p (entitlement_id, account_id)
    left join grants g on g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = p.entitlement_id
      and g.account_id = p.account_id
    group by p.entitlement_id, p.account_id`
}

/** When the connector began to read the state that the records have now; null before its first sync. */
export async function findSyncedFrom(db: Reads, tenantId: number, connectorId: string): Promise<Date | null> {
  const [row] = await db<{ begunAt: Date | null }[]>`
    select begun_at as "begunAt" from connector_tasks
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and kind = 'sync' and state = 'done'
    order by task_id desc limit 1`
  return row?.begunAt ?? null
}

/** What an account holds, for any reason. */
export async function listHeld(
  db: Reads,
  tenantId: number,
  { appId, accountId }: { appId: string; accountId: string },
): Promise<{ appId: string; entitlementId: string; accountId: string }[]> {
  return db<{ appId: string; entitlementId: string; accountId: string }[]>`
    select distinct app_id as "appId", entitlement_id as "entitlementId", account_id as "accountId" from grants
    where tenant_id = ${tenantId} and app_id = ${appId} and account_id = ${accountId} and ended_at is null limit 100000`
}
