import { isDeepStrictEqual } from 'node:util'
import { mayEverywhere } from '#authority/may.ts'
import { authorise, type May } from '#authority/proof.ts'
import { refuseGivingBeyondReach } from '#authority/reach/index.ts'
import { type FieldViolation, invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Reads, type Tx, transact } from '#kernel/sql.ts'
import { forEachTenant, listTenantIds } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { findUsers } from '#rooms/identity/users/index.ts'
import {
  changeEntitlement,
  findAppsUncounted,
  findEntitlementsUncounted,
  mayDelegate,
} from '#rooms/records/apps/index.ts'
import { builtIns, termsOfBuiltIn } from './built-in.ts'
import { checkWritten } from './conditions.ts'
import { normalSteps, policyProblems, referencesOf } from './decide.ts'
import type { Policy, PolicyScope, PolicyTerms, PolicyType } from './policy.ts'
import { provisionProblems } from './provision-problems.ts'
import { referenceProblems } from './references.ts'
import { policyBuiltIn, policyInUse, policyNotFound } from './refuse.ts'
import type { EntitlementRef } from './steps.ts'
import {
  countBuiltIns,
  deletePolicy,
  findPolicies,
  insertPolicies,
  listReferrers,
  lockEntitlementUses,
  lockPolicy,
  lockSaving,
  updatePolicy,
  withoutPolicy,
} from './store.ts'
import { policyChecks } from './used.ts'
import { webhookProblems } from './webhook-problems.ts'

export async function getPolicy(db: Reads, call: Call, id: string): Promise<Policy> {
  const [policy] = await findPolicies(db, call.tenant.id, [id])
  if (!policy) throw policyNotFound(id)
  return policy
}

export async function createPolicy(
  tx: Tx,
  call: May<'policies.change'>,
  wanted: PolicyTerms & { policyType: PolicyType; scope: PolicyScope | null },
): Promise<Policy> {
  const at = call.now()
  const { policyType, scope, ...terms } = wanted
  const id = call.newId()
  const { tidy, referredIds } = await check(tx, call, { id, type: policyType, before: null }, terms, '')
  if (scope) refuse(await scopeProblems(tx, call, scope), '')
  const policy: Policy = {
    ...tidy,
    id,
    policyType,
    scope,
    builtIn: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }
  await insertPolicies(tx, call.tenant.id, [policy])
  await updatePolicy(tx, call, policy, referredIds)
  await recordPolicyChange(tx, call, 'create', 'Created', { policy })
  return policy
}

export async function changePolicy(
  tx: Tx,
  call: May<'policies.change'>,
  id: string,
  changes: Partial<PolicyTerms>,
): Promise<Policy> {
  const before = await lockPolicy(tx, call.tenant.id, id)
  if (!before) throw policyNotFound(id)
  if (before.builtIn !== null) throw policyBuiltIn(before)
  const { tidy, referredIds } = await check(
    tx,
    call,
    { id, type: before.policyType, before },
    { ...before, ...changes },
    'policy.',
  )
  const after: Policy = { ...before, ...tidy, version: before.version + 1, updatedAt: call.now() }
  const decides = decidesOtherwise(before, after)
  if (decides) await refuseGivingBeyondReach(tx, call, { policyId: id })
  await updatePolicy(tx, call, after, referredIds)
  // The new version may lead to more than the previous one.
  if (decides) await refuseGivingBeyondReach(tx, call, { policyId: id })
  await recordPolicyChange(tx, call, 'update', `Changed ${Object.keys(changes).join(', ') || 'nothing'} of`, {
    policy: after,
    before,
  })
  return after
}

/** Whether requests for access are decided differently from now on. */
const decidesOtherwise = (before: Policy, after: Policy): boolean =>
  before.policyType === 'POLICY_TYPE_GRANT' &&
  (['policySteps', 'rules', 'baselinePolicyId'] as const).some((name) => !isDeepStrictEqual(before[name], after[name]))

/**
 * Entitlements revert to the policy of their app, or the default one: Terraform destroys a policy without updating the
 * entitlements that it only configures (decision 0132). Any other reference prevents the deletion of a policy, and so do
 * entitlements that the caller could not change one by one. Tasks keep the steps that they began with.
 */
export async function removePolicy(tx: Tx, call: May<'policies.change'>, id: string): Promise<void> {
  await lockSaving(tx, call.tenant.id)
  const policy = await lockPolicy(tx, call.tenant.id, id)
  if (!policy) throw policyNotFound(id)
  if (policy.builtIn !== null) throw policyBuiltIn(policy)
  const referrers = await listReferrers(tx, call.tenant.id, id)
  if (referrers.length > 0) throw policyInUse(policy, referrers)
  const uses = await lockEntitlementUses(tx, call.tenant.id, id, usesMax + 1)
  if (uses.length > (mayEverywhere(call.actor, 'entitlements.edit') ? usesMax : 0))
    throw policyInUse(policy, uses.slice(0, usesTold))
  for (const use of uses)
    await changeEntitlement(tx, authorise(call, 'entitlements.edit'), policyChecks, use, withoutPolicy(use, id))
  await deletePolicy(tx, call, id, call.now())
  await recordPolicyChange(tx, call, 'delete', 'Deleted', { policy })
}

// Each entitlement is a separate change. With more than this, the deletion is probably a mistake.
const usesMax = 100
const usesTold = 5

type Texts = readonly (readonly [at: string, text: string])[]
type Checked = { tidy: PolicyTerms; referredIds: string[] }

/** The requested policy, as it is stored; refused with everything that is wrong with it. */
export async function check(
  tx: Tx,
  call: Call,
  of: { id: string; type: PolicyType; before: PolicyTerms | null },
  wanted: PolicyTerms,
  prefix: string,
): Promise<Checked> {
  const { displayName, description, policySteps, rules, remediatesImmediately, baselinePolicyId, annotations } = wanted
  const tidy: PolicyTerms = {
    displayName: displayName.trim(),
    description,
    policySteps: normalSteps(policySteps),
    rules: rules.map(({ condition, stepKey, policyId }) => ({ condition, stepKey, policyId })),
    remediatesImmediately,
    baselinePolicyId,
    annotations,
  }
  refuse(policyProblems(of.type, tidy), prefix)
  const { policyIds, userIds, conditions, approvers, provisions, groups, webhooks } = referencesOf(tidy)
  const kept = of.before && referencesOf(of.before)
  const written = (scope: 'condition' | 'approvers', texts: Texts, known: Texts = []) =>
    texts.map(([at, text]) => ({ scope, text, field: `${prefix}${at}`, isKept: known.some(([, old]) => old === text) }))
  for (const each of [
    ...written('condition', conditions, kept?.conditions),
    ...written('approvers', approvers, kept?.approvers),
  ])
    await checkWritten(tx, call, each)
  await lockSaving(tx, call.tenant.id)
  refuse(await referenceProblems(tx, call.tenant.id, of, tidy), prefix)
  const found = new Set((await findUsers(tx, call.tenant.id, userIds, call.now())).map(({ id }) => id))
  const unknown = userIds.filter((id) => !found.has(id))
  refuse(
    unknown.map((id) => ({ field: 'policySteps', description: `names a user who does not exist: ${id}` })),
    prefix,
  )
  mayDelegate(call, ...provisions.map(([, policy]) => policy))
  const keptProvisions = kept?.provisions.map(([, policy]) => policy) ?? []
  for (const [at, policy] of provisions)
    refuse(await provisionProblems(tx, call, policy, { at, kept: keptProvisions }), prefix)
  refuse(await groupProblems(tx, call, groups), prefix)
  refuse(
    await webhookProblems(
      tx,
      call,
      webhooks.map(([at, what]) => ({ at, what })),
    ),
    prefix,
  )
  return { tidy, referredIds: policyIds }
}

async function scopeProblems(
  tx: Tx,
  call: Call,
  { appId, appEntitlementId: id }: PolicyScope,
): Promise<FieldViolation[]> {
  const [found] =
    id === ''
      ? await findAppsUncounted(tx, call.tenant.id, [appId])
      : await findEntitlementsUncounted(tx, call.tenant.id, [{ appId, id }])
  if (found && found.deletedAt === null) return []
  return [{ field: 'scope', description: 'names an app or entitlement that does not exist' }]
}

async function groupProblems(
  tx: Tx,
  call: Call,
  groups: readonly [at: string, ref: EntitlementRef][],
): Promise<FieldViolation[]> {
  if (groups.length === 0) return []
  const found = await findEntitlementsUncounted(
    tx,
    call.tenant.id,
    groups.map(([, ref]) => ref),
  )
  const alive = new Set(found.filter(({ deletedAt }) => deletedAt === null).map(({ appId, id }) => `${appId}/${id}`))
  return groups
    .filter(([, { appId, id }]) => !alive.has(`${appId}/${id}`))
    .map(([field, { appId, id }]) => ({
      field,
      description: `names an entitlement that does not exist: ${id} of the app ${appId}`,
    }))
}

function refuse(problems: readonly FieldViolation[], prefix: string): void {
  const [first, ...others] = problems.map((problem) => ({ ...problem, field: `${prefix}${problem.field}` }))
  if (first) throw invalid(first, ...others)
}

const onLog = ({ displayName, description, policySteps, rules, baselinePolicyId, remediatesImmediately }: Policy) => ({
  displayName,
  description,
  policySteps,
  rules,
  baselinePolicyId,
  remediatesImmediately,
})

const recordPolicyChange = (
  tx: Tx,
  call: Call,
  activity: 'create' | 'update' | 'delete',
  verb: string,
  { policy, before }: { policy: Policy; before?: Policy },
) =>
  recordChange(tx, call, activity, `${verb} the policy ${policy.displayName}`, [
    {
      type: 'policy',
      id: policy.id,
      name: policy.displayName,
      data: {
        policyType: policy.policyType,
        version: policy.version,
        ...onLog(policy),
        // The previous content: whoever approves the change sees both.
        ...(before && { before: onLog(before) }),
      },
    },
  ])

/** Adds the built-in policies that a tenant lacks: it may be older than they are. Several servers may do so at once. */
export async function seedBuiltInPolicies(world: World): Promise<void> {
  await forEachTenant(await listTenantIds(world.db), async (tenantId) => {
    if ((await countBuiltIns(world.db, tenantId)) >= builtIns.length) return
    await transact(world.db, (tx) => insertBuiltInPolicies(tx, world, tenantId))
  })
}

/** Adds the built-in policies of a new tenant. */
export async function insertBuiltInPolicies(tx: Tx, world: Pick<World, 'now'>, tenantId: number): Promise<void> {
  const at = world.now()
  const policies = builtIns.map((builtIn) => ({
    ...termsOfBuiltIn(builtIn),
    id: builtIn.id,
    policyType: builtIn.type,
    scope: null,
    builtIn: builtIn.name,
    version: 1,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }))
  await insertPolicies(tx, tenantId, policies)
}
