import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { listEffectiveOwners } from '#rooms/governance/owners/index.ts'
import {
  type Asked,
  askPolicy,
  budgetUnits,
  evaluateKeys,
  markersOf,
  type PolicyMarker,
  type PolicyScope,
  prepareKey,
  preparePolicyExpression,
  type RecordValue,
  refuseUnseen,
  type Scene,
} from '#rooms/rules/expressions/index.ts'
import { listPeopleFacts, lookUp } from './lookups.ts'
import { findAccountFacts, findEntitlementFacts } from './lookups-store.ts'

const callerOf = ({ tenant, signal }: Call) => ({ lane: `calls ${tenant.id}`, signal })
/** Without a signal: no caller may be waiting, as tasks also continue automatically. */
const taskAsker = (tenantId: number) => ({ lane: `tasks ${tenantId}`, signal: null })

/** Text that a caller wrote. `isKept`: it is stored already. */
type Written = { scope: PolicyScope; text: string; field: string; isKept: boolean }

/**
 * Refuses expressions that certainly fail, with the field, line and column, and those that would reveal to their author what
 * they may not see. Stored text reveals nothing new: clients send back what they read.
 */
export async function checkWritten(db: Reads, call: Call, { scope, text, field, isKept }: Written): Promise<void> {
  const { tells } = await preparePolicyExpression(call, callerOf(call), text, scope, field)
  if (!isKept) await refuseUnseen(db, call, tells, field)
}

export const validateExpression = (call: Call, text: string): Promise<PolicyMarker[]> =>
  markersOf(call, callerOf(call), text)

/**
 * The value and the type of an expression about a user, evaluated for the caller: as a field of an account that would be
 * created for them. It reads only their own record.
 */
export async function testAccountField(call: Call, text: string): Promise<{ type: string; value: string }> {
  const { db, tenant, actor } = call
  const expression = await prepareKey(call, callerOf(call), text, 'accountField', 'cel')
  const [row] = await listPeopleFacts({ db, tenantId: tenant.id, at: call.now() }, [actor.userId], true)
  const allowance = { units: budgetUnits }
  const [[result] = []] = await evaluateKeys(call, callerOf(call), [expression], row ? [{ ...row }] : [], allowance)
  if (typeof result === 'object' && 'type' in result) return result
  const error = typeof result === 'object' ? result.error : 'your user has no record'
  throw new Refusal('EXPRESSION_INVALID', `cel: ${error}`)
}

/** The facts for an expression: ids, and data of the task itself. An empty id identifies nothing. */
export type PolicyFacts = {
  subjectUserId: string
  appId: string
  entitlementId: string
  accountId: string
  /** The source address of the request; empty if it is not known. */
  ip: string
  /** Null if there is no task yet, for routing. */
  task: TaskFacts | null
}

export type TaskFacts = {
  id: string
  number: number
  displayName: string
  origin: string
  /** Null means no expiry. */
  durationSeconds: number | null
  requestorUserId: string
  createdAt: Date
}

/** True or false; or an error, which is neither. */
export type ConditionResult = { value: boolean } | { error: string }
export type ApproversResult = { userIds: string[] } | { error: string }

export async function evaluateCondition(
  db: Reads,
  world: World,
  tenantId: number,
  text: string,
  facts: PolicyFacts,
): Promise<ConditionResult> {
  return conditionOf(await evaluate(db, world, tenantId, { text, scope: 'condition' }, facts))
}

export async function evaluateRoutingCondition(
  db: Reads,
  world: World,
  tenantId: number,
  text: string,
  { appId, entitlementId }: Pick<PolicyFacts, 'appId' | 'entitlementId'>,
): Promise<ConditionResult> {
  const facts = { subjectUserId: '', appId, entitlementId, accountId: '', ip: '', task: null }
  return conditionOf(await evaluate(db, world, tenantId, { text, scope: 'routing' }, facts))
}

const conditionOf = (asked: Asked): ConditionResult =>
  'userIds' in asked ? { error: 'the result is not a bool' } : asked

/** Users, including disabled ones: the caller determines which of them can decide. */
export async function evaluateApprovers(
  db: Reads,
  world: World,
  tenantId: number,
  text: string,
  facts: PolicyFacts,
): Promise<ApproversResult> {
  const asked = await evaluate(db, world, tenantId, { text, scope: 'approvers' }, facts)
  return 'value' in asked ? { error: 'the result is not a user or a list of users' } : asked
}

async function evaluate(
  db: Reads,
  world: World,
  tenantId: number,
  { text, scope }: { text: string; scope: PolicyScope },
  facts: PolicyFacts,
): Promise<Asked> {
  const asker = taskAsker(tenantId)
  const now = world.now()
  const looking = { db, tenantId, at: now }
  try {
    const expression = await preparePolicyExpression(world, asker, text, scope, 'expression')
    const { roots, readsProfiles } = expression
    const { subjectUserId, appId, entitlementId, accountId, ip, task } = facts
    const owners = roots.has('appOwners') ? await ownersOf(looking, appId) : []
    if (owners.length > ownersMax) return { error: `the app has more than ${ownersMax} owners` }
    const ids = [...(roots.has('subject') ? [subjectUserId] : []), ...owners].filter((id) => id !== '')
    const users = await listPeopleFacts(looking, ids, readsProfiles)
    const known = new Set(users.map(({ id }) => id))
    if (roots.has('subject') && !known.has(subjectUserId)) return { error: 'the subject does not exist' }
    const account =
      roots.has('account') && accountId !== '' ? await findAccountFacts(db, tenantId, { appId, id: accountId }) : null
    const entitlement = roots.has('entitlement')
      ? await findEntitlementFacts(db, tenantId, { appId, id: entitlementId })
      : null
    if (roots.has('entitlement') && !entitlement) return { error: 'the entitlement does not exist' }
    if (roots.has('task') && !task) return { error: 'there is no task yet' }
    const records: Scene['records'] = {
      ...(task && { task: taskRecord(task, subjectUserId) }),
      ...(account && { account }),
      ...(entitlement && { entitlement }),
    }
    const scene: Scene = { subjectId: subjectUserId, appOwnerIds: owners.filter((id) => known.has(id)), ip, records }
    return await askPolicy(world, asker, expression, { scene, users, now }, (needs, withProfiles) =>
      lookUp(looking, needs, withProfiles),
    )
  } catch (error) {
    const { reason } = error as { reason?: unknown }
    // Stored expressions were checked; a server of another version may refuse them all the same.
    if (reason === 'EXPRESSION_INVALID' || reason === 'EXPRESSION_TOO_COSTLY')
      return { error: (error as Error).message }
    throw error
  }
}

const ownersMax = 200

const ownersOf = ({ db, tenantId, at }: { db: Reads; tenantId: number; at: Date }, appId: string): Promise<string[]> =>
  listEffectiveOwners(
    db,
    tenantId,
    { object: { kind: 'app', appId, typeId: '', id: appId }, roleSlug: 'primary' },
    { at, isNow: true },
    { after: '', limit: ownersMax + 1 },
  )

/** The longest duration that can be requested. */
const longestSeconds = 36_500 * 86_400

const taskRecord = (task: TaskFacts, subjectUserId: string): { [field: string]: RecordValue } => ({
  id: task.id,
  numericId: task.number,
  displayName: task.displayName,
  origin: task.origin,
  isGrantPermanent: task.durationSeconds === null,
  // No expiry counts as longer than any duration: a rule for short access must not be true for it.
  grantDuration: task.durationSeconds ?? longestSeconds,
  subjectUserId,
  requestorUserId: task.requestorUserId,
  createdAt: task.createdAt.getTime(),
})
