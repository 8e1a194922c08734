import type { May } from '#authority/proof.ts'
import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { type Policy, type PolicyType, policyTypes } from './policy.ts'

type PageAsked = Pick<Page, 'after' | 'limit'>

const columns = (db: Reads) => db`
  p.policy_id as id, p.type as "policyType", p.display_name as "displayName", p.description, p.steps as "policySteps",
  p.rules, case when p.has_post_action or p.remediates_immediately then p.remediates_immediately end as "remediatesImmediately",
  p.baseline_policy_id as "baselinePolicyId", p.scope, p.annotations, p.built_in as "builtIn", p.version, p.created_at as "createdAt", p.updated_at as "updatedAt",
  p.deleted_at as "deletedAt"`

export async function insertPolicies(tx: Tx, tenantId: number, policies: readonly Policy[]): Promise<void> {
  for (const policy of policies)
    await tx`
      insert into policies (tenant_id, policy_id, type, display_name, description, steps, rules, remediates_immediately,
        has_post_action, baseline_policy_id, referred_ids, scope, annotations, built_in, version, created_at, updated_at)
      values (${tenantId}, ${policy.id}, ${policy.policyType}, ${policy.displayName}, ${policy.description},
        ${tx.json(policy.policySteps)}, ${tx.json(policy.rules)}, ${policy.remediatesImmediately ?? false},
        ${policy.remediatesImmediately !== null}, ${policy.baselinePolicyId}, '{}', ${policy.scope && tx.json(policy.scope)}, ${tx.json(policy.annotations)},
        ${policy.builtIn}, ${policy.version}, ${policy.createdAt}, ${policy.updatedAt})
      on conflict do nothing`
}

export async function countBuiltIns(db: Reads, tenantId: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from policies p where p.tenant_id = ${tenantId} and p.built_in is not null`
  return row?.count ?? 0
}

export async function findPolicies(db: Reads, tenantId: number, ids: readonly string[]): Promise<Policy[]> {
  if (ids.length === 0) return []
  return db<Policy[]>`
    select ${columns(db)} from policies p
    where p.tenant_id = ${tenantId} and p.policy_id = any(${ids}::text[]) and p.deleted_at is null`
}

export async function lockPolicy(tx: Tx, tenantId: number, id: string): Promise<Policy | null> {
  const [row] = await tx<Policy[]>`
    select ${columns(tx)} from policies p
    where p.tenant_id = ${tenantId} and p.policy_id = ${id} and p.deleted_at is null for update`
  return row ?? null
}

/**
 * Locks those of some policies that exist, until the transaction ends: a new reference finds its policy there, and deleting
 * a policy finds the references to it.
 */
export async function holdPolicies(tx: Tx, tenantId: number, ids: readonly string[]): Promise<Policy[]> {
  if (ids.length === 0) return []
  return tx<Policy[]>`
    select ${columns(tx)} from policies p
    where p.tenant_id = ${tenantId} and p.policy_id = any(${ids}::text[]) and p.deleted_at is null
    order by p.policy_id for share`
}

/** One change of policies per tenant at a time: otherwise two could come to refer to each other. */
export async function lockSaving(tx: Tx, tenantId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${1_907_001}, ${tenantId})`
}

export async function updatePolicy(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'policies.change'>,
  policy: Policy,
  referredIds: readonly string[],
): Promise<void> {
  await tx`
    update policies set display_name = ${policy.displayName}, description = ${policy.description},
      steps = ${tx.json(policy.policySteps)}, rules = ${tx.json(policy.rules)},
      remediates_immediately = ${policy.remediatesImmediately ?? false},
      has_post_action = ${policy.remediatesImmediately !== null}, baseline_policy_id = ${policy.baselinePolicyId},
      referred_ids = ${referredIds}::text[], annotations = ${tx.json(policy.annotations)}, version = ${policy.version},
      updated_at = ${policy.updatedAt}
    where tenant_id = ${tenantId} and policy_id = ${policy.id}`
}

export async function deletePolicy(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'policies.change'>,
  id: string,
  at: Date,
): Promise<void> {
  await tx`
    update policies set deleted_at = ${at}, updated_at = ${at} where tenant_id = ${tenantId} and policy_id = ${id}`
}

export type Referrer = {
  type: 'policy' | 'app' | 'entitlement' | 'routing rule' | 'defaults of the app'
  id: string
  name: string
}

const uses = ['grantPolicyId', 'revokePolicyId', 'certifyPolicyId', 'emergencyGrantPolicyId'] as const
export type EntitlementUse = Referrer & { appId: string } & { readonly [field in (typeof uses)[number]]: string }

/** The entitlements that name a policy themselves, with all the policies that they name. They are locked: those being deleted are waited for. */
export async function lockEntitlementUses(
  db: Reads,
  tenantId: number,
  id: string,
  limit: number,
): Promise<EntitlementUse[]> {
  return db<EntitlementUse[]>`
    select 'entitlement' as type, e.entitlement_id as id, e.display_name as name, e.app_id as "appId",
      e.grant_policy_id as "grantPolicyId", e.revoke_policy_id as "revokePolicyId",
      e.certify_policy_id as "certifyPolicyId", e.emergency_policy_id as "emergencyGrantPolicyId"
    from entitlements e
    where e.tenant_id = ${tenantId} and e.deleted_at is null
      and ${id} in (e.grant_policy_id, e.revoke_policy_id, e.certify_policy_id, e.emergency_policy_id)
    order by e.app_id, e.entitlement_id limit ${limit} for no key update`
}

/** Removes a policy from what names it: the defaults apply then. */
export const withoutPolicy = (use: EntitlementUse, id: string): { [field in (typeof uses)[number]]?: '' } =>
  Object.fromEntries(uses.filter((field) => use[field] === id).map((field) => [field, '']))

/**
 * Some of the other references to a policy: enough to say why it cannot be deleted. Terms are a room further down, which
 * this one cannot call; their tables are only read here.
 */
export async function listReferrers(db: Reads, tenantId: number, id: string): Promise<Referrer[]> {
  return db<Referrer[]>`
    (select 'policy' as type, p.policy_id as id, p.display_name as name from policies p
      where p.tenant_id = ${tenantId} and p.referred_ids @> array[${id}] and p.deleted_at is null limit 5)
    union all
    (select 'app', a.app_id, a.display_name from apps a
      where a.tenant_id = ${tenantId} and a.deleted_at is null
        and ${id} in (a.grant_policy_id, a.revoke_policy_id, a.certify_policy_id) limit 5)
    union all
    (select 'routing rule', r.rule_id, r.display_name from routing_rules r
      where r.tenant_id = ${tenantId} and ${id} in (r.grant_policy_id, r.emergency_policy_id) limit 5)
    union all
    (select 'defaults of the app', d.app_id, a.display_name from request_defaults d
      join apps a on a.tenant_id = ${tenantId} and a.app_id = d.app_id
      where d.tenant_id = ${tenantId} and ${id} in (d.grant_policy_id, d.emergency_policy_id) limit 5)
    limit 5`
}

export async function listPolicies(db: Reads, tenantId: number, page: PageAsked): Promise<Policy[]> {
  return db<Policy[]>`
    select ${columns(db)} from policies p
    where p.tenant_id = ${tenantId} and p.deleted_at is null and p.scope is null and p.policy_id > ${page.after?.[0] ?? ''}
    order by p.policy_id limit ${page.limit}`
}

export type PolicyFilter = {
  displayName: string
  query: string
  policyTypes: readonly PolicyType[]
  ids: readonly string[]
  excludePolicyIds: readonly string[]
  includeDeleted: boolean
  scope: {
    /** `object`: policies without a scope, and those of the given app or entitlement. */
    view: 'global' | 'scoped' | 'all' | 'object'
    appId: string
    appEntitlementId: string
    of: 'any' | 'app' | 'entitlement'
  }
}

/** Exact matches of the name first: clients take the first. A tenant has tens of policies, not thousands. */
export async function searchPolicies(
  db: Reads,
  tenantId: number,
  filter: PolicyFilter,
  page: PageAsked,
): Promise<(Policy & { rank: string })[]> {
  const { displayName, query, scope } = filter
  const wanted = (displayName || query).toLowerCase()
  const [rank = '', id = ''] = (page.after ?? []) as string[]
  return db<(Policy & { rank: string })[]>`
    select * from (
      select ${columns(db)}, case when lower(p.display_name) = ${wanted} then '0' else '1' end as rank
      from policies p
      where p.tenant_id = ${tenantId}
        ${filter.includeDeleted ? db`` : db`and p.deleted_at is null`}
        ${filter.policyTypes.length > 0 ? db`and p.type = any(${filter.policyTypes}::text[])` : db``}
        ${filter.ids.length > 0 ? db`and p.policy_id = any(${filter.ids}::text[])` : db``}
        ${filter.excludePolicyIds.length > 0 ? db`and p.policy_id <> all(${filter.excludePolicyIds}::text[])` : db``}
        ${wanted === '' ? db`` : db`and strpos(lower(p.display_name), ${wanted}) > 0`}
        ${scope.view === 'global' ? db`and p.scope is null` : db``}
        ${scope.view === 'scoped' ? db`and p.scope is not null` : db``}
        ${scope.view === 'object' || scope.appId !== '' ? db`and (p.scope is null or p.scope ->> 'appId' = ${scope.appId})` : db``}
        ${scope.appEntitlementId === '' ? db`` : db`and (p.scope is null or p.scope ->> 'appEntitlementId' = ${scope.appEntitlementId})`}
        ${scope.of === 'app' ? db`and (p.scope is null or p.scope ->> 'appEntitlementId' = '')` : db``}
        ${scope.of === 'entitlement' ? db`and (p.scope is null or p.scope ->> 'appEntitlementId' <> '')` : db``}
    ) found
    where (found.rank, found.id) > (${rank}, ${id})
    order by found.rank, found.id limit ${page.limit}`
}

export const isPolicyType = (type: string): type is PolicyType => (policyTypes as readonly string[]).includes(type)
