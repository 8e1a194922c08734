import { listBeyondReach } from '#authority/reach/index.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { ObjectRef } from '#rooms/foundation/ownership/index.ts'
import { listEffectiveOwners } from '#rooms/governance/owners/index.ts'
import { type ApprovalStep, evaluateApprovers } from '#rooms/governance/policies/index.ts'
import { listRolesOfUser, permittedIn } from '#rooms/identity/roles/index.ts'
import type { Task } from '../machine/record.ts'
import type { AssignedWhy, Assignee, TaskState } from '../machine/task.ts'
import { chosenBefore, factsOf } from './conditions.ts'
import { ableOf, type Candidate, type Excluding, type LeftOut } from './decide.ts'
import {
  findSubject,
  listHoldingPeople,
  listPeople,
  listUsersInRole,
  type PersonRow,
  type SubjectRow,
} from './store.ts'

/** More than so many are nobody in particular: the fallback decides. */
const groupMax = 128
const administrators = 'system:owner'

/** Who can decide a step, and the reasons, for the page that explains it. */
export type Assigned = {
  assignees: readonly Assignee[]
  leftOut: readonly LeftOut[]
  /** How it came to them: what was tried before, and why that was not enough. */
  tried: readonly Tried[]
}
/** `error`: of an expression that fails, which names nobody. */
export type Tried = { by: string; because: 'nobody' | 'nobody able' | 'too many' | 'error'; error?: string }

type Assigning = {
  tx: Tx
  world: World
  tenantId: number
  task: Task
  state: TaskState
  at: Date
  rules: Excluding
  without: ReadonlySet<string>
  subject: Looking['subject']
}

/**
 * For plans. `without`: as if these people were disabled. `recalled`: whom steps point at, where that was looked up before.
 * `subject`: whom the task is about, where that is looked up in the same transaction.
 */
export type Looking = {
  without?: ReadonlySet<string>
  recalled?: Map<string, Promise<LookedUp>>
  subject?: Promise<SubjectRow | null> | null
}
type LookedUp = Pointed & { people: readonly Candidate[] }

/** Who can decide an approval step of a task now: those the policy names, else its fallback, else Super Administrators. */
export async function findApprovers(
  tx: Tx,
  world: World,
  tenantId: number,
  task: Task,
  state: TaskState,
  step: ApprovalStep,
  { without = new Set(), recalled, subject = null }: Looking = {},
): Promise<Assigned> {
  const at = world.now()
  // Who stood in for somebody has approved in that person's place: neither approves another step as someone else.
  const earlier = state.instances.flatMap(({ generation, assignees, end }) =>
    generation === state.generation && end?.outcome === 'approved'
      ? [end.by, ...assignees.flatMap((each) => (each.userId === end.by && each.for ? [each.for] : []))]
      : [],
  )
  const { allowDelegation, requireDistinctApprovers } = step
  // Nobody approves a change of their own, whatever the policy says: its author is its subject.
  const allowSelfApproval = step.allowSelfApproval && task.kind !== 'change'
  const rules: Excluding = {
    subjectUserId: task.subjectUserId,
    allowSelfApproval,
    allowDelegation,
    requireDistinctApprovers,
    isChange: task.kind === 'change',
    earlier: new Set(earlier),
    taskCreatedAt: task.createdAt,
  }
  const assigning: Assigning = { tx, world, tenantId, task, state, at, rules, without, subject }
  const sources: [by: string, ids: () => Promise<Pointed>][] = [
    [step.approvers.by, () => pointedAt(assigning, step)],
    ['fallback', () => fallback(assigning, step)],
    ['superAdministrator', () => superAdministrators(assigning)],
  ]
  const leftOut: LeftOut[] = []
  const tried: Tried[] = []
  for (const [by, find] of sources) {
    const { ids, isTooMany, error, people } = await lookUp(assigning, find, recalled, keyOf(task, step, by))
    if (error !== undefined) {
      tried.push({ by, because: 'error', error })
      continue
    }
    if (isTooMany) {
      tried.push({ by, because: 'too many' })
      continue
    }
    const found = ableOf(people, rules)
    leftOut.push(...found.leftOut)
    if (found.able.length > 0) return { assignees: found.able, leftOut, tried }
    if (by !== 'fallback' || step.fallback) tried.push({ by, because: ids.length === 0 ? 'nobody' : 'nobody able' })
  }
  return { assignees: [], leftOut, tried }
}

/** Whom a source points at. Where that does not depend on more than its key says, it is looked up once. */
function lookUp(
  assigning: Assigning,
  find: () => Promise<Pointed>,
  recalled: Looking['recalled'],
  key: string,
): Promise<LookedUp> {
  const look = async (): Promise<LookedUp> => {
    const found = await find()
    const isNobody = found.isTooMany || found.error !== undefined
    return { ...found, people: isNobody ? [] : await candidates(assigning, found) }
  }
  if (!recalled || key === '') return look()
  const known = recalled.get(key) ?? look()
  recalled.set(key, known)
  return known
}

/** What a source depends on; empty where that is the task itself. */
function keyOf(task: Task, step: ApprovalStep, source: string): string {
  const { approvers } = step
  if (source === 'superAdministrator') return source
  // Whom a group has depends on who asks.
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
  /** Those of them who are users, where they were looked up along with the ids. */
  known?: readonly PersonRow[]
}
const pointed = (ids: readonly string[], why: AssignedWhy): Pointed => ({ ids, why, isTooMany: ids.length > groupMax })

async function pointedAt(assigning: Assigning, { approvers }: ApprovalStep): Promise<Pointed> {
  const { tx, tenantId, task, at } = assigning
  const { by } = approvers
  if (by === 'users') return pointed(approvers.userIds, by)
  if (by === 'self') return pointed([task.subjectUserId], by)
  if (by === 'group') return pointed(await membersOf(assigning, approvers.entitlement), by)
  if (by === 'manager') {
    const subject = await (assigning.subject ?? findSubject(tx, tenantId, task.subjectUserId, at))
    const before = chosenBefore(task)
    if (before && subject && subject.managersSince >= before) return pointed([], by)
    return { ...pointed(subject?.managerIds ?? [], by), known: subject?.managers ?? [] }
  }
  // What an expression reads of people and access has authors, and one of them may be the author of the change.
  if (by === 'expression') return task.kind === 'change' ? pointed([], by) : named(assigning, approvers.expressions)
  // Nobody: who decides where the webhook cannot is found as for every other step.
  if (by === 'webhook') return { ids: [], why: 'fallback', isTooMany: false }
  const object = ownedObject(task, by)
  if (!object) return pointed([], by)
  const role = { object, roleSlug: 'primary' }
  const page = { after: '', limit: groupMax + 1 }
  return pointed(await listEffectiveOwners(tx, tenantId, role, { at, isNow: true }, page), by)
}

/**
 * Whom the first expression names that names somebody, as the published API says. Where one fails before that, it is not known
 * who was meant, so that none counts.
 */
async function named({ tx, world, tenantId, task, state }: Assigning, texts: readonly string[]): Promise<Pointed> {
  for (const text of texts) {
    const result = await evaluateApprovers(tx, world, tenantId, text, factsOf(task, state))
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

async function fallback(assigning: Assigning, step: ApprovalStep): Promise<Pointed> {
  const ids = [...(step.fallback?.userIds ?? [])]
  for (const group of step.fallback?.groups ?? []) ids.push(...(await membersOf(assigning, group)))
  return pointed([...new Set(ids)], 'fallback')
}

/** Who holds an entitlement. Of those who came to it since a change needs approval, only whom another administrator put there. */
async function membersOf(assigning: Assigning, group: { appId: string; id: string }): Promise<string[]> {
  const { tx, tenantId, task, at } = assigning
  const before = chosenBefore(task)
  if (!before) return listHoldingPeople(tx, tenantId, group, at, groupMax)
  const by = (await superAdministrators(assigning)).ids.filter((id) => id !== task.createdBy)
  return listHoldingPeople(tx, tenantId, group, at, groupMax, { before, by })
}

/** Only those whose role was given by this program: a row that another hand wrote makes nobody an approver. */
async function superAdministrators({ tx, world, tenantId }: Assigning): Promise<Pointed> {
  const genuine: string[] = []
  for (const id of await listUsersInRole(tx, tenantId, administrators, groupMax)) {
    const roles = await listRolesOfUser(world, tenantId, id)
    if (roles.some(({ name }) => name === administrators)) genuine.push(id)
  }
  return { ids: genuine, why: 'superAdministrator', isTooMany: false }
}

/** An expression names owners too. Whom a policy names in another way it trusts with the decision itself. */
const asOwners: ReadonlySet<AssignedWhy> = new Set(['appOwners', 'entitlementOwners', 'resourceOwners', 'expression'])

/** Those who would decide as owners or delegates, and may not give what is asked for (decision 0125). */
async function unable(assigning: Assigning, { ids, why }: Pointed, people: readonly PersonRow[]) {
  const { tx, world, tenantId, at, task, rules } = assigning
  const { appId, entitlementId: id } = task
  if (task.kind !== 'grant') return new Set<string>()
  return listBeyondReach(
    tx,
    { tenantId, at, permittedTo: permittedIn(world, tenantId) },
    { appId, id },
    {
      asOwners: asOwners.has(why) ? ids : [],
      others: rules.allowDelegation ? people.flatMap(({ delegateId }) => delegateId ?? []) : [],
    },
  )
}

async function candidates(assigning: Assigning, found: Pointed): Promise<Candidate[]> {
  const { tx, tenantId, at, without } = assigning
  const { ids, why, known: lookedUp } = found
  const people = lookedUp ?? (await listPeople(tx, tenantId, ids, at))
  const beyond = await unable(assigning, found, people)
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
            since: delegateSince,
            isNamedByOthers: !hasNamedDelegate,
          }
        : null
    const isEnabled = isAble(userId, person.isEnabled)
    return [{ userId, why, isEnabled, isPrincipal: person.isPrincipal, mayNotGive: beyond.has(userId), delegate }]
  })
}
