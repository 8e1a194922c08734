import { slot } from '#kernel/memory.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { type Reads, type Tx, transact } from '#kernel/sql.ts'
import { forEachTenant } from '#kernel/tenants-with.ts'
import { steadyNow, type World } from '#kernel/world.ts'
import { change, record, serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { findTenant } from '#rooms/foundation/tenants/index.ts'
import type { Automation, Change, EntitlementRef, Run } from '../automation.ts'
import { enabledToCount, isTooMuch, isTooMuchGain, restMs } from '../decide.ts'
import { type Effort, engineEffort } from '../effort.ts'
import { giveAndTake } from '../giving/give.ts'
import { holdEntitlement } from '../giving/store.ts'
import { type Matcher, matcherOf, verdictAbout } from '../matching/matching.ts'
import { countEnabled, countOfNobody, listChanges, surveyForRun } from '../matching/store/difference.ts'
import { byParts, surveyNext } from '../matching/survey.ts'
import { allowMs, findAutomation, lockAutomation, pauseAutomation, setLastRun, setNextDue } from '../rule/store.ts'
import { lockEngine, lockUserIds } from '../store/locks.ts'
import { isOfRule, isOfTime, isStatementTimeout, isTooCostly } from './failures.ts'
import { rulesRun } from './operation.ts'
import {
  addDone,
  addFailures,
  addFound,
  deleteItems,
  insertItems,
  insertRun,
  listTenantsWithDue,
  listTenantsWithRuns,
  lockDueRules,
  lockRunToStep,
  setBegun,
  setPhase,
  setPosition,
  setStatus,
  sumGained,
  takeItems,
} from './store.ts'

const dueAtOnce = 20
const usersPerBatch = 1000

/** Begins the runs of rules that are due. Returns how many. */
async function beginDue(world: World): Promise<number> {
  let count = 0
  await forEachTenant(await listTenantsWithDue(world.db, world.now()), async (tenantId) => {
    count += await transact(world.db, (tx) => beginDueOf(tx, world, tenantId))
  })
  return count
}

async function beginDueOf(tx: Tx, world: World, tenantId: number): Promise<number> {
  const at = world.now()
  const due = await lockDueRules(tx, tenantId, at, dueAtOnce)
  for (const rule of due) {
    const { version, cause, by } = rule
    const id = world.newId()
    const ref = { appId: rule.appId, id: rule.id }
    const isReleased = cause === 'release'
    await insertRun(tx, tenantId, {
      id,
      ref,
      version,
      cause,
      startedBy: by,
      phase: 'finding',
      status: 'running',
      isReleased,
      at,
    })
    await setBegun(tx, tenantId, rule, id)
  }
  return due.length
}

/** One step of the run that no server is working on and whose tenant has waited longest. Returns whether there was one. */
async function stepRun(world: World): Promise<boolean> {
  const stepping = world.memory(tenantsStepping)
  for (const tenantId of await listTenantsWithRuns(world.db, [...stepping])) {
    if (stepping.has(tenantId)) continue
    stepping.add(tenantId)
    try {
      const tenant = await findTenant(world.db, tenantId)
      if (tenant && (await stepRunOf(world, tenant))) return true
    } finally {
      stepping.delete(tenantId)
    }
  }
  return false
}

/**
 * One step of a run, in one transaction that locks its row: finding the difference, or changing a batch of what was found.
 * If a server is killed the lock is released, and the next one repeats the step. Returns whether there was anything to do.
 */
async function stepRunOf(world: World, { id, publicId, domain }: Tenancy): Promise<boolean> {
  const tenant: Tenancy = { id, publicId, domain }
  const at = { run: null as Stopped | null }
  try {
    return await transact(world.db, async (tx) => {
      const run = await lockRunToStep(tx, tenant.id)
      if (!run) return false
      const ref = { appId: run.appId, id: run.entitlementId }
      at.run = { tenant, ref, id: run.id, isWhole: run.phase === 'finding' && run.position === '' }
      await step(tx, { world, tenant, ref, run })
      return true
    })
  } catch (error) {
    // If the database refuses something for one rule, the others must still run.
    if (!at.run || !isOfRule(error)) throw error
    await fail(world, at.run, error)
    return true
  }
}

/**
 * Tenants whose runs are being stepped on this server: one at a time for each, so that a slow one does not block the others.
 */
const tenantsStepping = slot(() => new Set<number>())

/** A run whose step failed; `isWhole` if it looked at everyone in one statement. */
type Stopped = { tenant: Tenancy; ref: EntitlementRef; id: string; isWhole: boolean }

type Stepping = { world: World; tenant: Tenancy; ref: EntitlementRef; run: Run }

async function fail(world: World, { tenant, ref, id, isWhole }: Stopped, error: Error): Promise<void> {
  const message = isStatementTimeout(error) ? 'The database did not finish in time.' : error.message
  const tenantId = tenant.id
  await transact(world.db, async (tx) => {
    const now = world.now()
    // Over millions of users even a good rule takes long: it is evaluated in parts before the run is given up.
    if (isWhole && isStatementTimeout(error)) return setPosition(tx, tenantId, id, byParts, now)
    const { startedAt } = await setStatus(tx, tenantId, id, { status: 'failed', error: message, at: now })
    await deleteItems(tx, tenantId, id)
    const rule = await lockAutomation(tx, tenantId, ref)
    await setLastRun(tx, tenantId, ref, { runId: id, completedAt: now })
    const tookMs = now.getTime() - startedAt.getTime()
    // A timeout is not caused by the rule alone: it is run again as soon as one on a schedule would be, and is not paused.
    const isSoon = rule?.isClocked || isOfTime(error)
    await setNextDue(tx, tenantId, ref, { at: now, restMs: restMs(isSoon, tookMs) })
    if (!isTooCostly(error) || !rule || rule.deletedAt) return
    await pauseAutomation(tx, tenantId, ref, 'costly')
    const cause = serviceCause(tenant, rulesRun)
    const touched = { type: 'entitlement', id: ref.id, data: { appId: ref.appId, runId: id } }
    await record(
      tx,
      world,
      cause,
      change(cause, 'update', `Paused a rule that takes too much work: ${message}`, [touched]),
    )
  })
}

async function step(tx: Tx, stepping: Stepping): Promise<void> {
  const { tenant, ref, run } = stepping
  // Finding may take long: it locks nothing that others need, and checks the rule again when it is done.
  if (run.phase === 'finding') {
    const rule = await findAutomation(tx, tenant.id, ref)
    return rule?.version === run.version ? find(tx, stepping, rule) : supersede(tx, stepping)
  }
  await lockEngine(tx, tenant.id)
  const name = await holdEntitlement(tx, tenant.id, ref)
  const rule = await lockAutomation(tx, tenant.id, ref)
  return name !== null && isWanted(rule, run) ? changeSome(tx, stepping, rule, name) : supersede(tx, stepping)
}

// Saved again, deleted, or gone with its entitlement: the result of the run is no longer wanted.
const isWanted = (rule: Automation | null, run: Run): rule is Automation =>
  rule !== null && rule.deletedAt === null && rule.version === run.version

async function supersede(tx: Tx, { world, tenant, ref, run }: Stepping): Promise<void> {
  await deleteItems(tx, tenant.id, run.id)
  await setStatus(tx, tenant.id, run.id, { status: 'superseded', at: world.now() })
  await setLastRun(tx, tenant.id, ref, { runId: run.id, completedAt: world.now() })
}

/** No rule holds a connection longer than this. */
const statementMs = 25_000

async function find(tx: Tx, stepping: Stepping, seen: Automation): Promise<void> {
  const { world, tenant, ref, run } = stepping
  await allowMs(tx, statementMs)
  const isFirst = run.position === '' || run.position === byParts
  const effort = engineEffort(tenant.id, run.askedUnits, run.askedUsers)
  const matcher = await matcherOf(world, effort, seen.definition)
  const asked = { db: tx, world, tenantId: tenant.id, now: steadyNow(world), effort, ref, matcher }
  const { survey, failures, position, isOver } = await surveyNext(asked, run.position, (scope) =>
    surveyForRun(tx, scope, run.id, false, null),
  )
  const ofNobody = isFirst ? await countOfNobody(tx, tenant.id, ref) : 0
  if (ofNobody > 0) await insertItems(tx, tenant.id, run.id, [''])
  const rule = await lockAutomation(tx, tenant.id, ref)
  if (!isWanted(rule, run)) return supersede(tx, stepping)
  await addFailures(tx, tenant.id, run.id, failures)
  const found = await addFound(
    tx,
    tenant.id,
    run.id,
    {
      matched: survey.matched,
      excluded: survey.excluded,
      members: survey.members + ofNobody,
      toGain: survey.gain,
      toLose: survey.lose + ofNobody,
      failed: survey.failed,
      position,
      asked: { units: effort.units, users: effort.users },
    },
    world.now(),
  )
  if (!isOver) return
  if (rule.hasBreaker && !run.isReleased) {
    const why = await whyHeld(tx, tenant.id, { rule, at: world.now() }, found)
    if (why !== '') return hold(tx, stepping, why)
  }
  await setPhase(tx, tenant.id, run.id, 'applying', world.now())
}

/** Stops before anything is changed, so that a person can decide. */
async function hold(tx: Tx, { world, tenant, ref, run }: Stepping, error: string): Promise<void> {
  await deleteItems(tx, tenant.id, run.id)
  await setStatus(tx, tenant.id, run.id, { status: 'held', error, at: world.now() })
  await pauseAutomation(tx, tenant.id, ref, 'held')
  await setLastRun(tx, tenant.id, ref, { runId: run.id, completedAt: null })
  await recordHeld(tx, world, tenant, { ref, runId: run.id, error })
}

const waits = 'Someone must release or cancel it.'

/** Why the circuit breaker holds a run of this size; empty if it does not. */
export async function whyHeld(
  db: Reads,
  tenantId: number,
  { rule, at }: { rule: Pick<Automation, 'appId' | 'isOfOwner' | 'lossPercentMax' | 'holdsFew'>; at: Date },
  { toLose, toGain, members }: Pick<Run, 'toLose' | 'toGain' | 'members'>,
): Promise<string> {
  if (isTooMuch(toLose, members, rule))
    return `The run would revoke the entitlement from ${toLose} of the ${members} members by the rule. ${waits}`
  if (!(await isMassGain(db, tenantId, { toGain, members }))) {
    const before = rule.isOfOwner ? await massBefore(db, tenantId, { appId: rule.appId, at, toGain }) : 0
    return before === 0
      ? ''
      : `The run would grant the entitlement to ${toGain} more people, after rules of the app granted access to ${before} within a day. ${waits}`
  }
  return `The run would grant the entitlement to ${toGain} more people; ${members} have it by the rule. ${waits}`
}

/** Whether a run would add so many that a person has to look first. */
export async function isMassGain(
  db: Reads,
  tenantId: number,
  { toGain, members }: Pick<Run, 'toGain' | 'members'>,
): Promise<boolean> {
  if (!isTooMuchGain(toGain, { enabled: 0, members })) return false
  const enabled = await countEnabled(db, tenantId, enabledToCount(toGain))
  return isTooMuchGain(toGain, { enabled, members })
}

const dayMs = 86_400_000

/**
 * How much rules of an app granted within a day, if together with the new grants it is so much that a person has to look
 * first; else 0. Otherwise rules for a few at a time, one after the other or on a schedule, could reach everyone.
 */
async function massBefore(
  db: Reads,
  tenantId: number,
  { appId, at, toGain }: { appId: string; at: Date; toGain: number },
): Promise<number> {
  if (toGain === 0) return 0
  const before = await sumGained(db, tenantId, appId, new Date(at.getTime() - dayMs))
  return before > 0 && (await isMassGain(db, tenantId, { toGain: toGain + before, members: 0 })) ? before : 0
}

/**
 * Whether a run grants so much, alone or together with what was granted within a day, that its owner may not confirm it
 * alone.
 */
export const isMassGainOfOwner = async (
  db: Reads,
  tenantId: number,
  { appId, at, toGain, members }: { appId: string; at: Date; toGain: number; members: number },
): Promise<boolean> =>
  (await isMassGain(db, tenantId, { toGain, members })) || (await massBefore(db, tenantId, { appId, at, toGain })) > 0

export async function recordHeld(
  tx: Tx,
  world: World,
  tenant: Tenancy,
  { ref, runId, error }: { ref: EntitlementRef; runId: string; error: string },
): Promise<void> {
  const cause = serviceCause(tenant, rulesRun)
  const touched = { type: 'entitlement', id: ref.id, data: { appId: ref.appId, runId } }
  await record(tx, world, cause, change(cause, 'update', `Held a run of a rule: ${error}`, [touched]))
}

/** Evaluates the next of the users that were found again, and makes the current changes. */
async function changeSome(tx: Tx, stepping: Stepping, rule: Automation, name: string): Promise<void> {
  const { world, tenant, ref, run } = stepping
  const effort = engineEffort(tenant.id, run.askedUnits, run.askedUsers)
  const matcher = await matcherOf(world, effort, rule.definition)
  const items = await takeItems(tx, tenant.id, run.id, usersPerBatch)
  if (items.length === 0) return finish(tx, stepping, rule)
  const userIds = items.map(({ userId }) => userId).filter((id) => id !== '')
  const changes = await listCurrentChanges(tx, { world, tenant, ref, matcher, effort }, userIds)
  if (userIds.length < items.length) changes.push({ userId: '', outcome: 'lose' })
  const cause = serviceCause(tenant, rulesRun)
  const done = await giveAndTake(tx, { world, cause, ref, name, runId: run.id }, changes)
  await addDone(tx, tenant.id, run.id, done, world.now())
  if (items.length < usersPerBatch) await finish(tx, stepping, rule)
}

export type AskingAgain = { world: World; tenant: Tenancy; ref: EntitlementRef; matcher: Matcher; effort: Effort }

/** The current changes for some users, who are locked until the transaction ends. */
export async function listCurrentChanges(
  tx: Tx,
  { world, tenant, ref, matcher, effort }: AskingAgain,
  userIds: readonly string[],
): Promise<Change[]> {
  await lockUserIds(tx, tenant.id, userIds)
  const now = steadyNow(world)
  const { verdict } = await verdictAbout({ db: tx, world, tenantId: tenant.id, now, effort }, matcher, userIds)
  return listChanges(tx, { tenantId: tenant.id, ref, now, verdict, among: { userIds } })
}

async function finish(tx: Tx, { world, tenant, ref, run }: Stepping, rule: Automation): Promise<void> {
  const at = world.now()
  const { startedAt } = await setStatus(tx, tenant.id, run.id, { status: 'done', at })
  await setLastRun(tx, tenant.id, ref, { runId: run.id, completedAt: at })
  const rest = restMs(rule.isClocked, at.getTime() - startedAt.getTime())
  await setNextDue(tx, tenant.id, ref, { at, restMs: rest })
}

// So that a server that is stopping need not wait for a run over a million users: the next one continues it.
const perTickMs = 1_000

/** Begins and continues runs for about a second. Each of several servers takes those that the others have not locked. */
export async function stepRuns(world: World): Promise<void> {
  const until = performance.now() + perTickMs
  for (;;) {
    const begun = await beginDue(world)
    const stepped = await stepRun(world)
    if ((begun === 0 && !stepped) || performance.now() > until) return
  }
}

/** The same, for tenants whose runs would wait for another's: does nothing while no run is being stepped. */
export async function stepRunsBeside(world: World): Promise<void> {
  if (world.memory(tenantsStepping).size > 0) await stepRuns(world)
}
