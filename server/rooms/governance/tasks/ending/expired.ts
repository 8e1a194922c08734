import { slot } from '#kernel/memory.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { World } from '#kernel/world.ts'
import { type Cause, change, record, serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { asksOwners, findEnforcer } from '#rooms/governance/enforcement/index.ts'
import { defaultPolicyIds, resolvePolicy, stepsOf } from '#rooms/governance/policies/index.ts'
import type { Terms } from '#rooms/governance/terms/index.ts'
import { findUsers } from '#rooms/identity/users/index.ts'
import { type Account, findAccounts } from '#rooms/records/accounts/index.ts'
import { isAutomatic } from '#rooms/records/apps/index.ts'
import { type EndRequested, type ExpiredGrant, endExpired, insertGrants } from '#rooms/records/grants/index.ts'
import { carry } from '../carry.ts'
import { Facts, type TenantWorld } from '../facts/facts.ts'
import { advance } from '../machine/advance.ts'
import type { Happened, TaskEvent } from '../machine/event.ts'
import { currentOf, emptyState, fold } from '../machine/fold.ts'
import { expiredField, newTask, type Task, type TaskAbout } from '../machine/record.ts'
import { project } from '../machine/unfold.ts'
import { nextNumbers } from '../numbers.ts'
import { provisionerFor, type Routed, routeBy, withProvision } from '../route.ts'
import { insertTask } from '../store.ts'
import { countTasks, insertEndedTasks, markExpired } from './store.ts'

const operation = 'expire grants'

/**
 * Ends expired access that was requested, each with a revoke task. If the revoke policy only accepts and the grants are
 * records only, all grants of an entitlement end together: docs/decisions/0066. Otherwise the access continues without an
 * expiry until its task is decided or provisioned.
 */
export const endRequested: EndRequested = async (tx, world, tenant, due) => {
  const facts = new Facts(tx, { ...world, tenant })
  const accounts = await findAccounts(
    tx,
    tenant.id,
    due.map(({ appId, accountId }) => ({ appId, id: accountId })),
  )
  const users = await findUsers(
    tx,
    tenant.id,
    [...new Set(accounts.map(({ identityUserId }) => identityUserId))].filter(Boolean),
    world.now(),
  )
  const names = new Map(users.map(({ id, displayName }) => [id, displayName]))
  const accountOf = new Map(accounts.map((account) => [account.id, account]))
  const first = await nextNumbers(world, tenant.id, due.length)
  let number = first
  const atOnce: Ended[] = []
  for (const grants of Map.groupBy(due, ({ appId, entitlementId }) => `${appId} ${entitlementId}`).values()) {
    const [{ appId, entitlementId }] = grants as [ExpiredGrant]
    const terms = await facts.terms({ appId, entitlementId })
    const ending = grants.map((grant): Ending => {
      const account = accountOf.get(grant.accountId) ?? null
      return { grant, task: taskOf(facts.world, number++, grant, { terms, account, names }) }
    })
    const routed = terms && (await routeAtOnce(facts, terms))
    if (!terms || routed) atOnce.push(...ending.map((each) => ({ ...each, routed })))
    else for (const each of ending) await openRevocation(facts, terms, each)
  }
  // For all entitlements together: 10,000 grants of 100 entitlements took 74 s when those of each were written separately.
  await endAtOnce(facts, atOnce)
  countWhenMany(world, atOnce.length)
}

/**
 * The tables are analyzed after this many. While there are few tasks, PostgreSQL checks the foreign keys of their events by
 * sequential scans, and continues to do so until the tables are analyzed, which happens once per minute: because of that,
 * 10,000 grants took 111 s on a new server, and 11 s on one that had tasks.
 */
const countAfter = 1_000
const countEveryMs = 600_000
const endedSince = slot(() => ({ tasks: 0, countedAt: Number.NEGATIVE_INFINITY }))

function countWhenMany(world: World, ended: number): void {
  const since = world.memory(endedSince)
  since.tasks += ended
  if (since.tasks < countAfter || performance.now() - since.countedAt < countEveryMs) return
  since.tasks = 0
  since.countedAt = performance.now()
  // Not awaited: if it fails, later statements are only slower.
  countTasks(world.db).catch((err: unknown) => world.log.info({ err }, 'tables were not analyzed'))
}

type Ending = { grant: ExpiredGrant; task: Task }
/** `routed` is null if the entitlement no longer exists: there is nothing left that a task could be about. */
type Ended = Ending & { routed: Routed | null }

/** The steps by which access ends, if they need nothing but the records; else null. */
async function routeAtOnce({ tx, tenantId, world }: Facts, terms: Terms): Promise<Routed | null> {
  const type = 'POLICY_TYPE_REVOKE'
  const id = terms.revokePolicyId || defaultPolicyIds[type]
  // A condition refers to one task, so a policy with a condition may not be the same for all.
  const resolved = await resolvePolicy(tx, tenantId, { id, type }, async () => ({ error: 'asked' }))
  if (!resolved || 'error' in resolved) return null
  const policy = provisionerFor('revoke', terms)
  const { wire, why } = withProvision('revoke', resolved, policy)
  const routed: Routed = { is: 'routed', policyId: id, wire, route: stepsOf(wire), why, choices: resolved.choices }
  const isAtOnce = routed.route.every(
    (step) => step.kind === 'accept' || (step.kind === 'provision' && isAutomatic(step.provision)),
  )
  if (!isAutomatic(policy) || !isAtOnce) return null
  const ref = { appId: terms.appId, id: terms.entitlementId }
  return asksOwners(await findEnforcer(tx, world, ref, policy)) ? null : routed
}

async function endAtOnce({ tx, world }: Facts, ending: readonly Ended[]): Promise<void> {
  if (ending.length === 0) return
  const { tenant } = world
  const cause = serviceCause(tenant, operation)
  await endExpired(
    tx,
    tenant.id,
    ending.map(({ grant, task, routed }) => ({ ...grant, endedBy: routed ? task.id : '' })),
  )
  const lives = ending.flatMap(({ task, routed }) => (routed ? [lifeOf(world, task, routed)] : []))
  await insertEndedTasks(
    tx,
    tenant.id,
    lives.map(({ task }) => task),
    lives.flatMap(({ task, events }) =>
      events.map((event, place) => ({ ...event, id: world.newId(), taskId: task.id, number: place + 1 })),
    ),
  )
  await record(tx, world, cause, ...ending.map((each) => told(cause, each, each.routed !== null)))
}

/** All events of a task that nothing delays. */
function lifeOf(world: TenantWorld, task: Task, routed: Routed): { task: Task; events: Happened[] } {
  const at = world.now()
  const events: Happened[] = []
  let state = emptyState
  const append = (event: TaskEvent): void => {
    const happened: Happened = { ...event, by: '', at }
    events.push(happened)
    state = fold(state, happened)
  }
  append({ is: 'created', durationSeconds: null, answers: null, isEmergency: false })
  append(routed)
  while (state.isOpen && currentOf(state) === null)
    for (const event of advance(state, { for: 'provision', result: { is: 'done' } }, at, world.newId)) append(event)
  return { task: project(task, state, events, at), events }
}

/** The access continues without an expiry, until the task that is opened here ends it. */
async function openRevocation(facts: Facts, terms: Terms, { grant, task }: Ending): Promise<void> {
  const { tx, world } = facts
  const { tenant } = world
  await endExpired(tx, tenant.id, [{ ...grant, endedBy: task.id }], 'restated')
  const { appId, entitlementId, accountId, source, grantedBy, grantedAt, expiresAt } = grant
  const row = { id: world.newId(), appId, entitlementId, accountId, source, grantedBy, grantedAt, beganAt: expiresAt }
  await insertGrants(tx, tenant.id, [row], world.now())
  if (!(await insertTask(tx, tenant.id, task))) {
    // Someone has requested its end already: that task ends it, and they can no longer close it.
    if (await markExpired(tx, tenant.id, task)) return
    // They closed it concurrently.
    if (!(await insertTask(tx, tenant.id, task))) throw new Error('others are revoking the same access')
  }
  const routed = await routeOrEnd(facts, terms, task)
  const created: TaskEvent = { is: 'created', durationSeconds: null, answers: null, isEmergency: false }
  const happening = { events: [created, routed], by: '', verb: 'Created', activity: 'create' } as const
  await carry(facts, serviceCause(tenant, operation), { task, state: emptyState }, happening)
}

/** A revoke policy that no longer exists, or fails, must not extend access beyond the approved duration. */
async function routeOrEnd(facts: Facts, terms: Terms, task: Task): Promise<Routed> {
  try {
    return await routeBy(facts, task, { policyId: terms.revokePolicyId, terms })
  } catch (error) {
    // If the server is busy, it is retried a little later, with the chosen policy.
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    const routed = await routeBy(facts, task, { policyId: defaultPolicyIds.POLICY_TYPE_REVOKE, terms })
    return { ...routed, why: [error.message, 'The access has expired and will end regardless.', ...routed.why] }
  }
}

const told = (cause: Cause, { grant, task }: Ending, hasTask: boolean) => {
  const { id, appId, entitlementId, accountId, source, expiresAt } = grant
  const data = { appId, entitlementId, accountId, source, expiresAt }
  return change(cause, 'delete', `A grant of ${entitlementId} expired`, [
    { type: 'grant', id, data },
    ...(hasTask ? [{ type: 'task', id: task.id, name: task.displayName, data: { number: task.number } }] : []),
  ])
}

type Names = { terms: Terms | null; account: Account | null; names: ReadonlyMap<string, string> }

function taskOf(
  world: TenantWorld,
  number: number,
  { appId, entitlementId, accountId, expiresAt, grantedBy }: ExpiredGrant,
  { terms, account, names }: Names,
): Task {
  const subjectUserId = account?.identityUserId ?? ''
  const name = names.get(subjectUserId) ?? account?.displayName ?? ''
  const about: TaskAbout = {
    kind: 'revoke',
    origin: 'TASK_ORIGIN_TIME_REVOKE',
    createdBy: '',
    description: '',
    parentId: '',
    appId,
    entitlementId,
    accountId,
    subjectUserId,
    resourceTypeId: terms?.resourceTypeId ?? '',
    resourceId: terms?.resourceId ?? '',
    displayName: `Revoke ${terms?.entitlementName ?? entitlementId}${name === '' ? '' : `: ${name}`}`,
    source: { [expiredField]: expiresAt.toISOString(), grantTaskId: grantedBy },
  }
  return newTask(world, { number, about, durationSeconds: null, isEmergency: false })
}
