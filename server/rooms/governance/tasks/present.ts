import { may } from '#authority/may.ts'
import { notPeople, showNames, showTargets } from '#authority/sight/index.ts'
import { type Expanded, expansion } from '#kernel/expand.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import { findTerms } from '#rooms/governance/terms/index.ts'
import { isProgram } from '#rooms/identity/credentials/index.ts'
import { findUsers, putUser } from '#rooms/identity/users/index.ts'
import { findAccounts, putAccount, putApps } from '#rooms/records/accounts/index.ts'
import { entitlementAsNeighbour, findEntitlementsUncounted } from '#rooms/records/apps/index.ts'
import type { ActionName } from './machine/action.ts'
import { actionsOf, ofChanges } from './machine/decide.ts'
import { replay } from './machine/fold.ts'
import type { Task } from './machine/record.ts'
import type { TaskState } from './machine/task.ts'
import { assigneesOf } from './machine/unfold.ts'
import { personOf } from './sight.ts'
import { listEventsOf } from './store.ts'
import { taskOnWire, whyLate } from './view.ts'

type Mask = { paths: readonly string[] } | null
const keyOf = ({ appId, id }: { appId: string; id: string }): string => `${appId} ${id}`
const oneOfMany = (places: readonly string[]): string =>
  places.length === 0 ? '' : `$.expanded[${places.map((place) => place.slice('$.expanded['.length, -1)).join(',')}]`

const partiesOf = (task: Task, { instances }: TaskState): string[] =>
  [
    task.subjectUserId,
    task.createdBy,
    ...task.approverIds,
    ...instances.flatMap(({ assignees, end, wire }) => [
      ...assignees.map(({ userId }) => userId),
      end?.by ?? '',
      // Possible reassignees are known to the caller who may reassign.
      ...(wire.approval?.allowedReassignees ?? []),
    ]),
  ].filter((id) => id !== '')

/** Ids in a task that do not belong to people: its own, those of its steps, and those of its object. */
const otherIdsOf = ({ id, appId, entitlementId, policyId }: Task, { instances }: TaskState): string[] => [
  ...[id, appId, entitlementId, policyId],
  ...instances.map((instance) => instance.id),
]

/** The state of a task, if the caller of this function has it already. */
export type Known = { state: TaskState; isEmergencyEnabled?: boolean }

/** What the caller may do with a task; nothing else is allowed. */
export async function allowedTo(db: Reads, call: Call, task: Task, known: Known) {
  // Callers who can only read tasks, such as auditors, get no actions.
  if (!may(call.actor, 'tasks.act')) return new Set<ActionName>()
  const allowed = await allowedToPeople(db, call, task, known)
  return isProgram(call.actor.clientId) ? ofPrincipals(task, allowed) : allowed
}

const ofPeople: readonly ActionName[] = ['approve', 'deny', 'skip-step']

/** Decisions are made by people: otherwise whoever controls a service principal could decide with it as a second person. */
const ofPrincipals = ({ kind }: Task, allowed: ReadonlySet<ActionName>): Set<ActionName> =>
  new Set(
    [...allowed].filter((name) =>
      kind === 'change' ? name === 'comment' || name === 'close' : !ofPeople.includes(name),
    ),
  )

async function allowedToPeople(db: Reads, call: Call, task: Task, { state, isEmergencyEnabled }: Known) {
  const person = personOf(call, task)
  const { kind } = task
  const of = { isGrant: kind === 'grant', isOffboarding: kind === 'offboarding', isChange: kind === 'change' }
  const facts = { ...of, hasEmergencyPolicy: true }
  const allowed = actionsOf(state, person, facts)
  if (task.kind === 'change') return ofChanges(state, allowed)
  // The terms are only needed for callers who could escalate.
  if (!allowed.has('escalate')) return allowed
  const hasEmergencyPolicy = isEmergencyEnabled ?? (await hasEmergency(db, call, task))
  return actionsOf(state, person, { ...facts, hasEmergencyPolicy })
}

async function hasEmergency(db: Reads, call: Call, task: Task): Promise<boolean> {
  const terms = await findTerms(db, call, task)
  return terms !== null && !('refusal' in terms) && terms.isEmergencyEnabled
}

/** Tasks as views, with the related objects that the caller requested. */
export async function presentTasks(call: Call, tasks: readonly Task[], mask: Mask, known?: Known) {
  const shown = await withStates(call, tasks, known)
  showParties(call, shown)
  const expanded = expansion(mask)
  const neighbours = await findNeighbours(call, expanded, shown)
  const views = []
  for (const { task, state } of shown) {
    const actions = await allowedTo(call.db, call, task, known ?? { state })
    views.push(viewTask(call, expanded, neighbours, { task, state, actions }))
  }
  return { views, expanded: expanded.list() }
}

type Shown = { task: Task; state: TaskState }

async function withStates(call: Call, tasks: readonly Task[], known: Known | undefined): Promise<Shown[]> {
  const unknown = known ? [] : tasks.map(({ id }) => id)
  const events = await listEventsOf(call.db, call.tenant.id, unknown)
  return tasks.map((task) => ({ task, state: known?.state ?? replay(events.get(task.id) ?? []) }))
}

const entitlementRefOf = ({ task: { appId, entitlementId } }: Shown) => ({ appId, id: entitlementId })

/** Who sees a task sees the names in it, even of people and entitlements that they cannot see elsewhere. */
function showParties(call: Call, shown: readonly Shown[]): void {
  showNames(call, [...new Set(shown.flatMap(({ task, state }) => partiesOf(task, state)))])
  notPeople(
    call,
    shown.flatMap(({ task, state }) => otherIdsOf(task, state)),
  )
  // Nobody can decide about a name that they cannot read.
  showTargets(call, shown.map(entitlementRefOf))
}

type Neighbours = Awaited<ReturnType<typeof findNeighbours>>

/** The objects that the tasks refer to, as far as they were requested. Users are added by the views that name them. */
async function findNeighbours(call: Call, expanded: Expanded, shown: readonly Shown[]) {
  const when = <T>(path: string, values: readonly T[]): readonly T[] => (expanded.wants(path) ? values : [])
  const accountRefs = shown
    .filter(({ task }) => task.accountId !== '')
    .map(({ task: { appId, accountId } }) => ({ appId, id: accountId }))
  const appIds = shown.map(({ task }) => task.appId)
  const [users, apps, accounts, entitlements] = await Promise.all([
    findUsers(call.db, call.tenant.id, usersWanted(expanded, shown), call.now()),
    putApps(call, expanded, when('appId', appIds)),
    findAccounts(call.db, call.tenant.id, when('appUserId', accountRefs)),
    expanded.wants('appEntitlementIds')
      ? findEntitlementsUncounted(call.db, call.tenant.id, shown.map(entitlementRefOf))
      : Promise.resolve([]),
  ])
  return {
    userOf: new Map(users.map((user) => [user.id, user])),
    apps,
    accountAt: new Map(accounts.map((account) => [keyOf(account), putAccount(expanded, account)])),
    entitlementAt: new Map(
      entitlements.map((each) => [
        keyOf(each),
        expanded.put('app.v1.AppEntitlement', keyOf(each), entitlementAsNeighbour(each)),
      ]),
    ),
  }
}

const usersWanted = (expanded: Expanded, shown: readonly Shown[]): string[] => {
  const when = (wanted: boolean, ids: readonly string[]): readonly string[] => (wanted ? ids : [])
  const people = shown.flatMap(({ task, state }) => [
    ...when(expanded.wants('userId') || expanded.wants('identityUserId'), [task.subjectUserId]),
    ...when(expanded.wants('createdByUserId'), [task.createdBy]),
    ...when(expanded.wants('stepApproverIds'), assigneesOf(state)),
    ...when(expanded.wants('approverIds'), partiesOf(task, state)),
  ])
  return people.filter((id) => id !== '')
}

function viewTask(
  call: Call,
  expanded: Expanded,
  { userOf, apps, accountAt, entitlementAt }: Neighbours,
  { task, state, actions }: Shown & { actions: ReadonlySet<ActionName> },
) {
  const putUsers = (ids: readonly string[]): string[] =>
    ids.flatMap((id) => {
      const user = userOf.get(id)
      return user ? [putUser(expanded, user)] : []
    })
  const usersPath = (path: string, ids: readonly string[]): string =>
    expanded.wants(path) ? oneOfMany(putUsers(ids)) : ''
  // Past steps contain user ids: a client that expands approvers gets the names of all of them.
  if (expanded.wants('approverIds')) putUsers(partiesOf(task, state))
  return {
    task: taskOnWire(task, state, actions, whyLate(call, state)),
    objectPermissions: { read: true, edit: actions.size > 1, delete: false },
    accessReviewPath: '',
    appPath: apps.get(task.appId) ?? '',
    appUserLastUsagePath: '',
    appUserPath: accountAt.get(keyOf({ appId: task.appId, id: task.accountId })) ?? '',
    approversPath: usersPath('approverIds', task.approverIds),
    createdByUserPath: usersPath('createdByUserId', [task.createdBy]),
    entitlementsPath: entitlementAt.get(keyOf({ appId: task.appId, id: task.entitlementId })) ?? '',
    identityUserPath: usersPath('identityUserId', [task.subjectUserId]),
    insightsPath: '',
    principalResourcePath: '',
    resourceBindingsPath: '',
    roleResourcePath: '',
    scopeResourcePath: '',
    stepApproversPath: usersPath('stepApproverIds', assigneesOf(state)),
    userPath: usersPath('userId', [task.subjectUserId]),
  }
}

/** `known` avoids reading a task again that was just changed. */
export async function presentTask(call: Call, task: Task, mask: Mask, known?: Known) {
  const { views, expanded } = await presentTasks(call, [task], mask, known)
  return { taskView: views[0] ?? null, expanded }
}
