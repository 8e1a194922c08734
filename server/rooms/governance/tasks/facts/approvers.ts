import { listBeyondReach } from '#authority/reach/index.ts'
import type { ObjectRef } from '#rooms/foundation/ownership/index.ts'
import { listEffectiveOwners } from '#rooms/governance/owners/index.ts'
import { type ApprovalStep, evaluateApprovers } from '#rooms/governance/policies/index.ts'
import { administratorSince, listRolesOfUser, permittedIn } from '#rooms/identity/roles/index.ts'
import type { Snapshot, Task } from '../machine/record.ts'
import type { AssignedWhy, Assignee } from '../machine/task.ts'
import { chosenBefore, factsOf } from './conditions.ts'
import { ableOf, type Candidate, type Excluding, type LeftOut } from './decide.ts'
import type { Facts } from './facts.ts'
import { listHoldingPeople, listUsersInRole, type PersonRow } from './store.ts'

/** A group with more people than this is not used: the fallback decides. */
const groupMax = 128
const administrators = 'system:owner'

/** Who can decide a step, with the reasons, for the page that explains it. */
export type Assigned = {
  assignees: readonly Assignee[]
  leftOut: readonly LeftOut[]
  /** How these people were found: what was tried before, and why that was not enough. */
  tried: readonly Tried[]
}
/** `error`: of an expression that fails, which names nobody. */
export type Tried = { by: string; because: 'nobody' | 'nobody able' | 'too many' | 'error'; error?: string }

type Asking = Snapshot & { facts: Facts; rules: Excluding; without: ReadonlySet<string> }
type LookedUp = Pointed & { people: readonly Candidate[] }
const nobody: ReadonlySet<string> = new Set()

/**
 * Who can decide an approval step of a task now: those whom the policy names, else its fallback, else Super Administrators.
 * `without`: as if these people were disabled, for plans.
 */
export async function findApprovers(
  facts: Facts,
  { task, state }: Snapshot,
  step: ApprovalStep,
  without = nobody,
): Promise<Assigned> {
  const asking: Asking = { facts, task, state, rules: rulesOf({ task, state }, step), without }
  const sources: [by: string, ids: () => Promise<Pointed>][] = [
    [step.approvers.by, () => pointedAt(asking, step)],
    ['fallback', () => fallback(asking, step)],
    ['superAdministrator', () => superAdministrators(asking)],
  ]
  const leftOut: LeftOut[] = []
  const tried: Tried[] = []
  for (const [by, find] of sources) {
    const { ids, isTooMany, error, people } = await lookUp(asking, find, keyOf(task, step, by))
    if (error !== undefined) {
      tried.push({ by, because: 'error', error })
      continue
    }
    if (isTooMany) {
      tried.push({ by, because: 'too many' })
      continue
    }
    const found = ableOf(people, asking.rules)
    leftOut.push(...found.leftOut)
    if (found.able.length > 0) return { assignees: found.able, leftOut, tried }
    if (by !== 'fallback' || step.fallback) tried.push({ by, because: ids.length === 0 ? 'nobody' : 'nobody able' })
  }
  return { assignees: [], leftOut, tried }
}

function rulesOf({ task, state }: Snapshot, step: ApprovalStep): Excluding {
  // A delegate has approved in another person's place: neither of the two can approve another step as someone else.
  const earlier = state.instances.flatMap(({ generation, assignees, end }) =>
    generation === state.generation && end?.outcome === 'approved'
      ? [end.by, ...assignees.flatMap((each) => (each.userId === end.by && each.for ? [each.for] : []))]
      : [],
  )
  return {
    subjectUserId: task.subjectUserId,
    // Nobody approves their own change, regardless of the policy: its author is its subject.
    allowSelfApproval: step.allowSelfApproval && task.kind !== 'change',
    allowDelegation: step.allowDelegation,
    requireDistinctApprovers: step.requireDistinctApprovers,
    isChange: task.kind === 'change',
    earlier: new Set(earlier),
    taskCreatedAt: task.createdAt,
  }
}

/** The people whom a source names, and which of them can decide. If that depends only on the key, it is read once. */
async function lookUp(asking: Asking, find: () => Promise<Pointed>, key: string): Promise<LookedUp> {
  const found = await (key === '' ? find() : asking.facts.once(`approvers ${key}`, find))
  const isNobody = found.isTooMany || found.error !== undefined
  return { ...found, people: isNobody ? [] : await candidates(asking, found, key) }
}

/** What a source depends on; empty if it depends on the task itself. */
function keyOf(task: Task, step: ApprovalStep, source: string): string {
  const { approvers } = step
  if (source === 'superAdministrator') return source
  // The members of a group that count depend on the author.
  if (task.kind === 'change') return ''
  if (source === 'fallback') return `${source} ${JSON.stringify(step.fallback)}`
  const { by } = approvers
  if (by === 'expression') return ''
  if (by === 'webhook') return by
  if (by === 'users' || by === 'group') return JSON.stringify(approvers)
  if (by === 'manager' || by === 'self') return `${by} ${task.subjectUserId}`
  return `${by} ${task.appId} ${by === 'appOwners' ? '' : `${task.entitlementId} ${task.resourceId}`}`
}

type Pointed = {
  ids: readonly string[]
  why: AssignedWhy
  isTooMany: boolean
  error?: string
  /** The rows of those who are users, if they were read together with the ids. */
  known?: readonly PersonRow[]
}
const pointed = (ids: readonly string[], why: AssignedWhy): Pointed => ({ ids, why, isTooMany: ids.length > groupMax })

async function pointedAt(asking: Asking, { approvers }: ApprovalStep): Promise<Pointed> {
  const { facts, task, state } = asking
  const { tx, tenantId } = facts
  const at = facts.world.now()
  const { by } = approvers
  if (by === 'users') return pointed(approvers.userIds, by)
  if (by === 'self') return pointed([task.subjectUserId], by)
  if (by === 'group') return pointed(await membersOf(asking, approvers.entitlement), by)
  if (by === 'manager') {
    const subject = await facts.subject(task.subjectUserId)
    const before = chosenBefore(task)
    if (before && subject && subject.managersSince >= before) return pointed([], by)
    return { ...pointed(subject?.managerIds ?? [], by), known: subject?.managers ?? [] }
  }
  // The data that an expression reads has authors, who may include the author of the change.
  if (by === 'expression')
    return task.kind === 'change' ? pointed([], by) : named(facts, { task, state }, approvers.expressions)
  // Nobody: if the webhook cannot decide, the people are found as for every other step.
  if (by === 'webhook') return { ids: [], why: 'fallback', isTooMany: false }
  const object = ownedObject(task, by)
  if (!object) return pointed([], by)
  const role = { object, roleSlug: 'primary' }
  const page = { after: '', limit: groupMax + 1 }
  return pointed(await listEffectiveOwners(tx, tenantId, role, { at, isNow: true }, page), by)
}

/**
 * The result of the first expression that names anyone, as in the published API. If one fails before that, the intended
 * people are unknown, and no later expression is used.
 */
async function named({ tx, world, tenantId }: Facts, of: Snapshot, texts: readonly string[]): Promise<Pointed> {
  for (const text of texts) {
    const result = await evaluateApprovers(tx, world, tenantId, text, factsOf(of.task, of.state))
    if ('error' in result) return { ...pointed([], 'expression'), error: result.error }
    if (result.userIds.length > 0) return pointed([...new Set(result.userIds)], 'expression')
  }
  return pointed([], 'expression')
}

function ownedObject(task: Task, by: 'appOwners' | 'entitlementOwners' | 'resourceOwners'): ObjectRef | null {
  const { appId, entitlementId, resourceTypeId, resourceId } = task
  if (by === 'appOwners') return { kind: 'app', appId, typeId: '', id: appId }
  if (by === 'entitlementOwners') return { kind: 'entitlement', appId, typeId: '', id: entitlementId }
  return resourceId === '' ? null : { kind: 'resource', appId, typeId: resourceTypeId, id: resourceId }
}

async function fallback(asking: Asking, step: ApprovalStep): Promise<Pointed> {
  const ids = [...(step.fallback?.userIds ?? [])]
  for (const group of step.fallback?.groups ?? []) ids.push(...(await membersOf(asking, group)))
  return pointed([...new Set(ids)], 'fallback')
}

/**
 * The people who hold an entitlement. Those to whom it was granted after the change began to need approval count only if
 * another administrator granted it.
 */
async function membersOf(asking: Asking, group: { appId: string; id: string }): Promise<string[]> {
  const { facts, task } = asking
  const { tx, tenantId } = facts
  const looking = { at: facts.world.now(), limit: groupMax }
  const before = chosenBefore(task)
  if (!before) return listHoldingPeople(tx, tenantId, group, looking)
  const by = (await superAdministrators(asking)).ids.filter((id) => id !== task.createdBy)
  return listHoldingPeople(tx, tenantId, group, { ...looking, chosen: { before, by } })
}

/** Only if this program assigned the role: a row that was written into the database makes nobody an approver. */
async function superAdministrators({ facts: { tx, world, tenantId } }: Asking): Promise<Pointed> {
  const genuine: string[] = []
  for (const id of await listUsersInRole(tx, tenantId, administrators, groupMax)) {
    const roles = await listRolesOfUser(world, tenantId, id)
    if (roles.some(({ name }) => name === administrators)) genuine.push(id)
  }
  return { ids: genuine, why: 'superAdministrator', isTooMany: false }
}

/** An expression may name owners too. People whom a policy names in another way are trusted with the decision. */
const asOwners: ReadonlySet<AssignedWhy> = new Set(['appOwners', 'entitlementOwners', 'resourceOwners', 'expression'])

/** Those who would decide as owners or delegates, and may not grant the requested access (decision 0125). */
async function unable(asking: Asking, { ids, why }: Pointed, people: readonly PersonRow[], key: string) {
  const { facts, task, rules } = asking
  const { tx, world, tenantId } = facts
  const owners = asOwners.has(why) ? ids : []
  const others = rules.allowDelegation ? people.flatMap(({ delegateId }) => delegateId ?? []) : []
  if (task.kind !== 'grant' || owners.length + others.length === 0) return new Set<string>()
  const { appId, entitlementId: id } = task
  const look = () =>
    listBeyondReach(
      tx,
      { tenantId, at: world.now(), permittedTo: permittedIn(world, tenantId) },
      { appId, id },
      { asOwners: owners, others },
    )
  return key === '' ? look() : facts.once(`beyond reach ${appId} ${id} ${rules.allowDelegation} ${key}`, look)
}

/**
 * The people as whom somebody else may have become able to sign in since a change needs approval: their email address, by which the
 * provider links identities, has changed, an import or a directory has enabled them, or an invitation was used: whoever created
 * it knows the link. Super Administrators are linked by the address that they had when they got that role.
 */
async function uncertain({ facts, task }: Asking, people: readonly PersonRow[]): Promise<ReadonlySet<string>> {
  const before = chosenBefore(task)
  if (!before) return nobody
  const { world, tenantId } = facts
  const found = new Set<string>()
  type Since = { emailSince: Date | null; statusSince: Date | null; invitedSince: Date | null }
  const look = async (id: string, { emailSince, statusSince, invitedSince }: Since): Promise<void> => {
    if ((statusSince && statusSince >= before) || (invitedSince && invitedSince >= before)) found.add(id)
    if (!emailSince || emailSince < before) return
    const since = await administratorSince(world, tenantId, id)
    if (!since || since >= emailSince) found.add(id)
  }
  for (const person of people) {
    await look(person.id, person)
    const { delegateId, delegateEmailSince, delegateStatusSince, delegateInvitedSince } = person
    if (delegateId)
      await look(delegateId, {
        emailSince: delegateEmailSince,
        statusSince: delegateStatusSince,
        invitedSince: delegateInvitedSince,
      })
  }
  return found
}

async function candidates(asking: Asking, found: Pointed, key: string): Promise<Candidate[]> {
  const { facts, without } = asking
  const { ids, why, known: lookedUp } = found
  const people = lookedUp ?? (await facts.people(ids))
  const beyond = await unable(asking, found, people, key)
  const others = await uncertain(asking, people)
  const known = new Map(people.map((person) => [person.id, person]))
  return ids.flatMap((userId) => {
    const person = known.get(userId)
    if (!person) return []
    const { delegateId, delegateIsEnabled, delegateSince, hasNamedDelegate } = person
    const isAble = (id: string, isEnabled: boolean): boolean => isEnabled && !without.has(id)
    const delegate =
      delegateId && delegateSince
        ? {
            userId: delegateId,
            isEnabled: isAble(delegateId, delegateIsEnabled),
            mayNotGive: beyond.has(delegateId),
            isUncertain: others.has(delegateId),
            since: delegateSince,
            isNamedByOthers: !hasNamedDelegate,
          }
        : null
    const isEnabled = isAble(userId, person.isEnabled)
    const [mayNotGive, isUncertain] = [beyond.has(userId), others.has(userId)]
    return [{ userId, why, isEnabled, isPrincipal: person.isPrincipal, mayNotGive, isUncertain, delegate }]
  })
}
