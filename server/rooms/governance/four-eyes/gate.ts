import { asService } from '#authority/proof.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call, Input, Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import type { Fields } from '#kernel/wire.ts'
import { createChangeTask, nextNumber } from '#rooms/governance/tasks/index.ts'
import { isProgram } from '#rooms/identity/credentials/index.ts'
import { findRole, listRolesOfUser } from '#rooms/identity/roles/index.ts'
import { authoredBy } from '#rooms/identity/tokens/index.ts'
import { type Change, changeMac, describe, sealBody } from './change.ts'
import { listPoliciesOf } from './deciding.ts'
import { type ChangeKind, kindsOfOperation, type Rule, titles } from './kinds.ts'
import { type Reply, rehearseChange } from './rehearse.ts'
import { couldApprove, findWaiting, insertChange, listRules } from './store.ts'

type Anything = Input<string, Fields, Fields>

/** The operation that sets this requirement: removing it from a kind needs the approval that the kind needed. */
export const settingOperation = 'four_eyes.v1.FourEyes.Set'

/** Puts the operations that may need approval behind the gate; the others are unchanged. */
export const underFourEyes = (routes: readonly Route[]): Route[] =>
  routes.map((route) => {
    const kinds = kindsOfOperation(route.id)
    if (kinds.length === 0 && route.id !== settingOperation) return route
    return { ...route, handle: (call, input) => admit(call, route, kinds, input) }
  })

/** Carries out the request, or puts it in a task if it needs approval. */
async function admit(call: Call, route: Route, kinds: ChangeKind[], input: Anything): Promise<Reply> {
  const rule = await ruleFor(call, route, kinds, input.path)
  return rule ? hold(call, route, rule, input) : route.handle(call, input)
}

/**
 * The rule by which a request needs approval; null if it needs none. Of several, it is the one that was turned on first: otherwise
 * someone who may turn on another kind without approval would choose who approves.
 */
async function ruleFor(
  call: Call,
  route: Route,
  kinds: readonly ChangeKind[],
  path: Anything['path'],
): Promise<Rule | null> {
  const rules = await listRules(call.db, call.tenant.id)
  if (rules.length === 0) return null
  const { id, kind: named, user_id: userId } = path as { readonly [name: string]: string }
  if (route.id === settingOperation) return rules.find((rule) => rule.kind === named) ?? null
  const decides =
    (await makesAdministrator(call, route, path)) || (await letsInApprover(call, route, rules, userId ?? ''))
  if (route.id === enabling && !decides && !(await hasRights(call, userId ?? ''))) return null
  const own = rules.find((rule) => kinds.includes(rule.kind)) ?? (decides ? rules[0] : null) ?? null
  if (!route.id.startsWith('policy.v1.') || id === undefined) return own
  for (const rule of rules)
    if ((await listPoliciesOf(call.db, call.tenant.id, rule.policyId)).includes(id)) {
      if (route.method === 'DELETE') throw policyInUse(id, rule)
      // Whoever could change the policy that approves changes could approve them all.
      return rule
    }
  return own
}

const policyInUse = (policyId: string, { kind }: Rule): Refusal =>
  new Refusal('POLICY_IN_USE', `Changes are approved by this policy: ${titles[kind]}.`, { metadata: { policyId } })

/**
 * Super Administrators approve what nobody else can: making someone one chooses an approver, for every kind that needs
 * approval.
 */
async function makesAdministrator(call: Call, { id }: Route, path: Anything['path']): Promise<boolean> {
  const { role_id: role, user_id: userId = '' } = path as { readonly [name: string]: string }
  if (id === 'user.v1.UserRoles.Add')
    return (await findRole(call.db, call.tenant.id, role ?? ''))?.name === administrators
  if (id !== enabling) return false
  return (await listRolesOfUser(call, call.tenant.id, userId)).some(({ name }) => name === administrators)
}
const administrators = 'system:owner'
const enabling = 'user.v1.UserStatus.Enable'

/** So does enabling a user whom a policy for changes points at. */
async function letsInApprover(call: Call, { id }: Route, rules: readonly Rule[], userId: string): Promise<boolean> {
  if (id !== enabling) return false
  const policyIds = await Promise.all(rules.map((rule) => listPoliciesOf(call.db, call.tenant.id, rule.policyId)))
  return couldApprove(call.db, call.tenant.id, { policyIds: policyIds.flat(), userId, authorId: call.actor.userId })
}

const hasRights = async (call: Call, userId: string): Promise<boolean> =>
  (await listRolesOfUser(call, call.tenant.id, userId)).some(({ name }) => name !== 'system:user')

/**
 * Rehearses a change, rolls it back, and puts it in a task. What would be refused is refused now; a change that is not
 * covered is made at once.
 */
async function hold(call: Call, route: Route, rule: Rule, input: Anything): Promise<Reply> {
  const rehearsed = await rehearseChange(call, route, input)
  if (!rehearsed.isCovered) return rehearsed.reply
  const { effects } = rehearsed
  const fingerprint = Buffer.from(rehearsed.fingerprint, 'base64url')
  const { actor } = call
  // Otherwise whoever controls a service principal could request with it, and approve as the second person.
  if (isProgram(actor.clientId))
    throw new Refusal(
      'NOT_A_PERSON',
      'This change needs approval, which a service principal cannot request. A person must request the change.',
    )
  const waiting = await findWaiting(call.db, call.tenant.id, { authorId: actor.userId, fingerprint })
  if (waiting) throw needsApproval(waiting)
  const number = await nextNumber(call, call.tenant.id)
  const task = await transact(call.db, async (tx) => {
    const author = asService(call, 'tasks.act', 'a change that its author may request waits in a task')
    const made = await createChangeTask(tx, author, number, {
      displayName: `Change: ${effects[0]?.message ?? route.summary}`,
      description: describe(effects),
      policyId: rule.policyId,
      neededSince: rule.changedAt,
    })
    const change: Change = {
      taskId: made.id,
      kind: rule.kind,
      operation: route.id,
      path: input.path,
      body: route.body ? sealBody(call.seals, call.tenant.id, made.id, input.sent ?? {}) : null,
      plan: effects,
      fingerprint,
      authorId: actor.userId,
      ...authoredBy(actor),
      sourceAddress: call.sourceAddress,
      requestId: call.requestId,
      createdAt: made.createdAt,
      carriedOutAt: null,
    }
    await insertChange(tx, call.tenant.id, { ...change, mac: changeMac(call.seals, call.tenant.id, change) })
    return made
  })
  throw needsApproval(task)
}

const needsApproval = ({ id, number }: { id: string; number: number }): Refusal =>
  new Refusal(
    'CHANGE_NEEDS_APPROVAL',
    `This change needs approval and has not been applied. It is waiting in task ${number} and will be applied when that task is approved.`,
    { metadata: { taskId: id, numericId: String(number) } },
  )
