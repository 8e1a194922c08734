import { createHash } from 'node:crypto'
import { asService, type May } from '#authority/proof.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call, Tenancy } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { expiredBefore, fingerprintOf, refuseOutdated, rehearse } from '#rooms/foundation/plans/index.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import { identities } from '#rooms/identity/credentials/index.ts'
import { lockOwnership } from '#rooms/identity/users/index.ts'
import {
  countActive,
  type Directory,
  findDirectory,
  listPeopleOf,
  settlePeople,
} from '#rooms/records/directories/index.ts'
import { keysFor, makeChange } from './actions.ts'
import type { Change } from './change.ts'
import { countsOf, type Outcome, type PlanCounts } from './decide.ts'
import { followAccounts } from './follow.ts'
import { type Followed, type Following, outcomeOf } from './following.ts'
import type { Keys, Matching } from './match.ts'
import { followStatuses } from './statuses.ts'
import { findPlan, insertPlan, listClientsOf } from './store.ts'

/** What the expressions of one run may cost together: about ten seconds of a thread for a plan, and a minute for a job. */
const units = { plan: 100_000_000, job: 600_000_000 } as const

const matchingOf = (
  { tx, world, tenant }: Following,
  keys: Keys,
  { isPlan, signal }: { isPlan: boolean; signal: AbortSignal | null },
): Matching => ({
  tx,
  world,
  tenantId: tenant.id,
  keys,
  allowance: { units: isPlan ? units.plan : units.job },
  signal,
  known: new Map(),
})

/** What all expressions of a job may cost together. */
export const matchingUnits = (): Matching['allowance'] => ({ units: units.job })

/** Makes a change with all of its effects on people, in one transaction. */
async function carryOut(tx: Tx, call: May<'directories.change'>, change: Change, isForced: boolean): Promise<Followed> {
  const following = { tx, world: call, tenant: call.tenant, cause: causeOf(call) }
  const directory = await makeChange(tx, call, change)
  if (!directory) return settleAll(following, change.is === 'deletion' ? change.appId : '', isForced)
  if (directory.kind === 'scim') return { outcomes: [], userIds: [], isHeld: false, tooMany: null }
  const matching = matchingOf(following, await keysFor(call, directory), { isPlan: true, signal: call.signal })
  return followAccounts(following, directory, matching, { isAll: true, isForced })
}

const peoplePerPage = 1_000

/** Updates the people of a directory, or of all, from what directories provide now. */
export async function settleAll(following: Following, appId: string, isForced: boolean): Promise<Followed> {
  const { tx, tenant } = following
  await lockOwnership(tx, tenant.id)
  const all: Outcome[] = []
  const leaving = new Map<string, string[]>()
  const returning: string[] = []
  for (let after = ''; ; ) {
    const userIds = await listPeopleOf(tx, tenant.id, appId, after, peoplePerPage)
    for (const { user, fields, isToDisable, isToEnable, decider } of await settlePeople(following, userIds, {
      acting: '',
      links: new Map(),
    })) {
      if (isToDisable && decider !== '') leaving.set(decider, [...(leaving.get(decider) ?? []), user.id])
      if (isToEnable) returning.push(user.id)
      if (fields.length > 0 || isToDisable || isToEnable)
        all.push(outcomeOf({ outcome: 'change', userId: user.id, displayName: user.displayName, fields }))
    }
    const last = userIds.at(-1)
    if (last === undefined || userIds.length < peoplePerPage) break
    after = last
  }
  const gone = new Set<string>()
  let tooMany: Followed['tooMany'] = null
  let isHeld = false
  for (const [id, userIds] of leaving) {
    const directory = (await findDirectory(tx, tenant.id, id)) as Directory
    const activeBefore = await countActive(tx, tenant.id, id)
    const told = await followStatuses(following, directory, { leaving: userIds, returning: [], activeBefore, isForced })
    tooMany = told.tooMany ?? tooMany
    isHeld ||= told.isHeld
    for (const userId of userIds) if (!told.kept.has(userId)) gone.add(userId)
  }
  const [first] = returning.length > 0 ? await followReturning(following, appId, returning) : []
  const back = new Set(first ? returning : [])
  const outcomes = all.map((each) => ({ ...each, isDisabled: gone.has(each.userId), isEnabled: back.has(each.userId) }))
  return { outcomes, userIds: [...gone, ...back], isHeld, tooMany }
}

async function followReturning(following: Following, appId: string, returning: readonly string[]): Promise<string[]> {
  const nobody = { appId, heldSince: null, countedFrom: following.world.now() } as Directory
  await followStatuses(following, nobody, { leaving: [], returning, activeBefore: 0, isForced: false })
  return [...returning]
}

type Plan = { id: string; counts: PlanCounts; fingerprint: string; disablesTooMany: boolean }

/**
 * Identifies a change with all of its effects. The ids of users who would be created are new each time, and are left out.
 */
function fingerprintOfChange(call: Call, change: Change, outcomes: readonly Outcome[]): string {
  const hash = createHash('sha256')
  for (const each of outcomes)
    hash.update(JSON.stringify({ ...each, userId: each.outcome === 'create' ? '' : each.userId }))
  return fingerprintOf(call, 'directories', [change, hash.digest('hex')])
}

/** Forced: a plan shows everything, even if it is too much. */
export async function makePlan(call: May<'directories.plan'>, change: Change): Promise<Plan> {
  const rehearsing = asService(call, 'directories.change', 'what is rehearsed is rolled back')
  const { outcomes, tooMany } = await rehearse(call.db, (tx) => carryOut(tx, rehearsing, change, true))
  const fingerprint = fingerprintOfChange(call, change, outcomes)
  const id = call.newId()
  const at = call.now()
  await transact(call.db, (tx) =>
    insertPlan(tx, call.tenant.id, { id, createdBy: call.actor.userId, change, fingerprint, at }, outcomes),
  )
  return { id, counts: countsOf(outcomes), fingerprint, disablesTooMany: tooMany !== null }
}

const planNotFound = (id: string): Refusal =>
  new Refusal('DIRECTORY_PLAN_NOT_FOUND', `There is no plan ${id}, or it has expired.`, { metadata: { planId: id } })

export async function getPlan(call: Call, id: string): Promise<{ change: Change; fingerprint: string }> {
  const plan = await findPlan<Change>(call.db, call.tenant.id, id, call.actor.userId)
  if (!plan || plan.createdAt < expiredBefore('directories', call.now())) throw planNotFound(id)
  return plan
}

/** Does exactly what a plan showed, or nothing. */
export async function applyPlan(
  call: May<'directories.change'>,
  id: string,
  { fingerprint, disableMany }: { fingerprint: string; disableMany: boolean },
): Promise<PlanCounts> {
  const { change, fingerprint: planned } = await getPlan(call, id)
  const told = { metadata: { planId: id } }
  refuseOutdated(planned, fingerprint, told)
  const { outcomes, userIds } = await transact(call.db, async (tx) => {
    const done = await carryOut(tx, call, change, true)
    refuseOutdated(fingerprintOfChange(call, change, done.outcomes), fingerprint, told)
    if (done.tooMany && !disableMany)
      throw new Refusal(
        'DIRECTORY_DISABLES_TOO_MANY',
        `That would disable ${done.tooMany.disabled} of ${done.tooMany.active} active users. To do so anyway, set disableMany.`,
        { metadata: { disabled: String(done.tooMany.disabled), active: String(done.tooMany.active) } },
      )
    return done
  })
  await forgetPeople(call, call.tenant, userIds)
  return countsOf(outcomes)
}

/** A change takes effect at once on the server where it was made. */
export async function forgetPeople(world: World, tenant: Tenancy, userIds: readonly string[]): Promise<void> {
  const clientIds = await listClientsOf(world.db, tenant.id, userIds)
  for (const clientId of clientIds) world.memory(identities).forget(tenant.id, clientId)
}
