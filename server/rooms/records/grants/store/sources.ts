import type { Reads } from '#kernel/sql.ts'
import type { EntitlementRef, HoldingRef } from '../grant.ts'

const sourcesMax = 10_000

export type Sourced = HoldingRef & { sourceAppId: string; sourceId: string }

/**
 * The entitlements through which some things are held. For what a rule granted to holders of others, those of the others
 * that the user holds now; rules belong to a room further down, which this one cannot import; they are read here, and only
 * read. For what the app reported, those through which the app says it is held, such as the membership of a group. By `appId
 * entitlementId accountId`.
 */
export async function listSources(
  db: Reads,
  tenantId: number,
  holdings: readonly HoldingRef[],
  at: Date,
): Promise<Map<string, EntitlementRef[]>> {
  const rows = [
    ...(await listRuleSources(db, tenantId, holdings, at)),
    ...(await listToldSources(db, tenantId, holdings)),
  ]
  return new Map([...Map.groupBy(rows, keyOf)].map(([key, all]) => [key, distinct(all)]))
}

/** Through which of the entitlements that the rule of each names a user holds what it granted. */
export async function listRuleSources(
  db: Reads,
  tenantId: number,
  holdings: readonly HoldingRef[],
  at: Date,
): Promise<Sourced[]> {
  if (holdings.length === 0) return []
  return db<Sourced[]>`
    select h.app_id as "appId", h.entitlement_id as "entitlementId", h.account_id as "accountId",
      r.app_id as "sourceAppId", r.entitlement_id as "sourceId"
    from unnest(
      ${holdings.map(({ appId }) => appId)}::text[], ${holdings.map(({ entitlementId }) => entitlementId)}::text[],
      ${holdings.map(({ accountId }) => accountId)}::text[]) as h (app_id, entitlement_id, account_id)
    join automations m on m.tenant_id = ${tenantId} and m.app_id = h.app_id and m.entitlement_id = h.entitlement_id
      and m.deleted_at is null and m.kind = 'entitlements'
    join accounts a on a.tenant_id = ${tenantId} and a.app_id = h.app_id and a.account_id = h.account_id
    join grants g on g.tenant_id = ${tenantId} and g.app_id = h.app_id and g.entitlement_id = h.entitlement_id
      and g.account_id = h.account_id and g.source = 'rule' and g.ended_at is null
    cross join lateral (
      select ref ->> 'appId' as app_id, ref ->> 'id' as entitlement_id
      from jsonb_array_elements(m.refs) as ref) r
    where (r.app_id, r.entitlement_id) <> (h.app_id::text, h.entitlement_id::text) and exists (
      select 1 from accounts b
      join grants s on s.tenant_id = b.tenant_id and s.app_id = b.app_id and s.account_id = b.account_id
        and s.entitlement_id = r.entitlement_id and s.ended_at is null and (s.expires_at is null or s.expires_at > ${at})
      where b.tenant_id = ${tenantId} and b.user_id = a.user_id and b.app_id = r.app_id and b.deleted_at is null)
    order by r.app_id, r.entitlement_id limit ${sourcesMax}`
}

const distinct = (all: readonly Sourced[]): EntitlementRef[] => [
  ...new Map(
    all.map(({ sourceAppId: appId, sourceId: id }): [string, EntitlementRef] => [`${appId} ${id}`, { appId, id }]),
  ).values(),
]

/** As the app reported it with the last import. */
export async function listToldSources(
  db: Reads,
  tenantId: number,
  holdings: readonly HoldingRef[],
): Promise<Sourced[]> {
  if (holdings.length === 0) return []
  return db<Sourced[]>`
    select h.app_id as "appId", h.entitlement_id as "entitlementId", h.account_id as "accountId",
      h.app_id as "sourceAppId", x.source_entitlement_id as "sourceId"
    from unnest(
      ${holdings.map(({ appId }) => appId)}::text[], ${holdings.map(({ entitlementId }) => entitlementId)}::text[],
      ${holdings.map(({ accountId }) => accountId)}::text[]) as h (app_id, entitlement_id, account_id)
    join grant_sources x on x.tenant_id = ${tenantId} and x.app_id = h.app_id and x.entitlement_id = h.entitlement_id
      and x.account_id = h.account_id and x.source_entitlement_id <> h.entitlement_id
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = x.app_id and e.entitlement_id = x.source_entitlement_id
      and e.deleted_at is null
    where exists (select 1 from grants g where g.tenant_id = ${tenantId} and g.app_id = x.app_id
      and g.entitlement_id = x.entitlement_id and g.account_id = x.account_id and g.source = 'import'
      and g.ended_at is null)
    order by x.source_entitlement_id limit ${sourcesMax}`
}

export const keyOf = ({ appId, entitlementId, accountId }: HoldingRef): string =>
  `${appId} ${entitlementId} ${accountId}`
