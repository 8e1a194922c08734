import { Refusal } from '#kernel/refusals.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import type { Again } from '#kernel/wakes.ts'
import { steadyNow, type World } from '#kernel/world.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { type Told, takeTold } from '#rooms/foundation/writes/index.ts'
import type { Automation, Change, Failure, Run } from '../automation.ts'
import { membersToCount, outcomeOf } from '../decide.ts'
import { engineEffort, sweepEffort } from '../effort.ts'
import { giveAndTake } from '../giving/give.ts'
import { holdEntitlement } from '../giving/store.ts'
import { judgeAll, type Matcher, matcherOf, preparedAhead } from '../matching/matching.ts'
import { countMembers } from '../matching/store/difference.ts'
import { countWorking, listWorking, lockAutomation, makeAllDue, pauseAutomation, setLastRun } from '../rule/store.ts'
import { isOfRule, isOfTime } from '../runs/failures.ts'
import { rulesRun } from '../runs/operation.ts'
import { recordHeld, whyHeld } from '../runs/run.ts'
import { addDone, addFailures, addFound, findOpenRuns, insertItems, insertRun } from '../runs/store.ts'
import { lockEngine, lockUserIds } from '../store/locks.ts'
import {
  dropUnread,
  dropWaiting,
  listEnabled,
  listExcludedOf,
  listReportsOf,
  listStandings,
  listTenantsWithChanges,
  listUsersOf,
} from './store.ts'

/**
 * The most users that are evaluated one by one, in one transaction. If more are waiting, such as after an import, each rule
 * is run over everyone instead: one statement then costs less, and the circuit breaker sees everything that would be removed
 * at once.
 */
const usersMax = 2000
const usersMin = 100
// About two seconds of evaluation.
const askedMax = 200_000

const keyOf = ({ appId, id }: { appId: string; id: string }): string => `${appId}/${id}`

type Sweeping = { tx: Tx; world: World; tenant: Tenancy }
type Rule = { rule: Automation; matcher: Matcher }

/** Evaluates the rules again for users for whom something has changed. Returns whether there were any. */
async function sweepTenant(world: World, tenant: Tenancy): Promise<boolean> {
  return transact(world.db, async (tx) => {
    await lockEngine(tx, tenant.id)
    const rulesCount = Math.max(1, await countWorking(tx, tenant.id))
    const limit = Math.max(usersMin, Math.min(usersMax, Math.floor(askedMax / rulesCount)))
    await dropUnread(tx, tenant.id)
    const waiting = await takeWaiting({ tx, world, tenant }, limit)
    if (waiting.length === 0) return false
    // After the changes were taken: a rule that is due then, and has not begun, sees their result when it runs.
    const rules: Rule[] = []
    for (const rule of await listWorking(tx, tenant.id, world.now()))
      rules.push(...(await readyRule(world, tenant, rule)))
    await lookAgain({ tx, world, tenant }, rules, waiting)
    return true
  })
}

/** A user to evaluate again. If a rule is named, only that one, because of what somebody did. */
type Waiting = { userId: string; appId: string; entitlementId: string; changedBy: string }

// Some users wait for several reasons, but hardly ever for more than these.
const reasonsMax = 4

/**
 * Takes the waiting users, if all of them may be evaluated one by one. If there are more, all rules are run over everyone
 * instead.
 */
async function takeWaiting({ tx, world, tenant }: Sweeping, limit: number): Promise<Waiting[]> {
  const told = await takeTold(tx, tenant.id, limit * reasonsMax)
  const named = told
    .filter(({ kind }) => kind === 'rule')
    .flatMap(({ ids, ...rule }) => ids.map((userId) => ({ userId, ...rule })))
  const users = await usersToldOf(tx, tenant.id, told, limit)
  if (users.size <= limit && !told.some(({ isEveryone }) => isEveryone))
    return [...[...users].map((userId) => ({ userId, appId: '', entitlementId: '', changedBy: '' })), ...named]
  await dropWaiting(tx, tenant.id)
  await makeAllDue(tx, tenant.id, world.now())
  return named
}

/**
 * The users for whom all rules are evaluated: those who changed, the owners of accounts with new grants, and reports of
 * changed managers.
 */
async function usersToldOf(tx: Tx, tenantId: number, told: readonly Told[], limit: number): Promise<Set<string>> {
  const ids = (...kinds: Told['kind'][]): string[] =>
    told.filter(({ kind }) => kinds.includes(kind)).flatMap((each) => each.ids)
  const users = new Set(ids('user', 'account_new', 'account'))
  const accounts = told
    .filter(({ kind }) => kind === 'holding')
    .flatMap((each) => each.ids.map((id) => ({ appId: each.appId, id })))
  if (accounts.length > 0) for (const id of await listUsersOf(tx, tenantId, accounts)) users.add(id)
  const managers = ids('manager')
  if (managers.length > 0) for (const id of await listReportsOf(tx, tenantId, managers, limit + 1)) users.add(id)
  return users
}

/** A rule that a newer version of this program no longer accepts fails when it is run, and is skipped here. */
async function readyRule(world: World, tenant: Tenancy, rule: Automation): Promise<Rule[]> {
  try {
    return [{ rule, matcher: await matcherOf(world, engineEffort(tenant.id), rule.definition) }]
  } catch (error) {
    if (error instanceof Refusal && isOfRule(error) && !isOfTime(error)) return []
    throw error
  }
}

type Found = { changes: Change[]; failures: Failure[]; matched: number; excluded: number }

async function lookAgain(sweeping: Sweeping, rules: readonly Rule[], waiting: readonly Waiting[]): Promise<void> {
  const { tx, tenant } = sweeping
  const asked = askedOf(waiting)
  const first = await findChanges(sweeping, rules, asked)
  const changing = [...new Set([...first.values()].flatMap(({ changes }) => changes.map(({ userId }) => userId)))]
  if (changing.length > 0) await lockUserIds(tx, tenant.id, changing)
  // Evaluated again now that the users are locked.
  const again =
    changing.length > 0
      ? await findChanges(
          sweeping,
          rules.filter(({ rule }) => (first.get(keyOf(rule))?.changes.length ?? 0) > 0),
          { all: new Set(changing), by: new Map() },
        )
      : new Map<string, Found>()
  for (const { rule } of rules) {
    const found = first.get(keyOf(rule))
    if (found) await settle(sweeping, rule, { ...found, changes: again.get(keyOf(rule))?.changes ?? [] }, waiting)
  }
}

/** The users for whom all rules are evaluated, and those for whom one of them is. */
type Asked = { all: ReadonlySet<string>; by: ReadonlyMap<string, ReadonlySet<string>> }

function askedOf(waiting: readonly Waiting[]): Asked {
  const all = new Set<string>()
  const by = new Map<string, Set<string>>()
  for (const { userId, appId, entitlementId } of waiting) {
    if (appId === '') {
      all.add(userId)
      continue
    }
    const key = keyOf({ appId, id: entitlementId })
    by.set(key, (by.get(key) ?? new Set()).add(userId))
  }
  return { all, by }
}

/** The changes for users, by rule; only rules that have something to do or to report. */
async function findChanges(
  { tx, world, tenant }: Sweeping,
  rules: readonly Rule[],
  asked: Asked,
): Promise<Map<string, Found>> {
  const now = steadyNow(world)
  const whom = (key: string): string[] =>
    [...asked.all].concat([...(asked.by.get(key) ?? [])].filter((id) => !asked.all.has(id)))
  const concerned = rules.filter(({ rule }) => asked.all.size > 0 || asked.by.has(keyOf(rule)))
  const userIds = [...new Set([...asked.all, ...[...asked.by.values()].flatMap((ids) => [...ids])])]
  const enabled = await listEnabled(tx, tenant.id, userIds)
  const standings = new Map(
    (await listStandings(tx, tenant.id, userIds, now)).map((row) => [`${keyOf(row)} ${row.userId}`, row]),
  )
  const leftAlone = new Set((await listExcludedOf(tx, tenant.id, userIds)).map((row) => `${keyOf(row)} ${row.userId}`))
  const verdicts = await judgeAll(
    { db: tx, world, tenantId: tenant.id, now, effort: sweepEffort(tenant.id) },
    concerned.map(({ rule, matcher }) => ({ key: keyOf(rule), matcher })),
    [...enabled],
  )
  const found = new Map<string, Found>()
  for (const { rule } of concerned) {
    const key = keyOf(rule)
    const changes: Change[] = []
    const failures: Failure[] = []
    let matched = 0
    let excluded = 0
    for (const userId of whom(key)) {
      const verdict = enabled.has(userId) ? verdicts.get(key)?.get(userId) : undefined
      const standing = standings.get(`${key} ${userId}`)
      const outcome = outcomeOf({
        matches: verdict?.matches ?? false,
        isExcluded: leftAlone.has(`${key} ${userId}`),
        holds: standing?.holds ?? false,
        hasFromRule: standing?.hasFromRule ?? false,
      })
      if (verdict?.matches) matched += 1
      if (outcome === 'excluded') excluded += 1
      if (verdict && verdict.error !== '') failures.push({ userId, error: verdict.error })
      if (outcome === 'gain' || outcome === 'lose') changes.push({ userId, outcome })
    }
    if (changes.length + failures.length > 0) found.set(key, { changes, failures, matched, excluded })
  }
  return found
}

/** Applies the changes of one rule as a separate run, or adds them to the run that is under way. */
async function settle(
  { tx, world, tenant }: Sweeping,
  rule: Automation,
  { changes, failures, matched, excluded }: Found,
  waiting: readonly Waiting[],
): Promise<void> {
  if (changes.length + failures.length === 0) return
  const ref = { appId: rule.appId, id: rule.id }
  const name = await holdEntitlement(tx, tenant.id, ref)
  const current = await lockAutomation(tx, tenant.id, ref)
  // If it was saved meanwhile, it is due anyway; a paused rule does nothing.
  if (name === null || !current || current.deletedAt || current.pausedWhy || current.version !== rule.version) return
  const underWay = (await findOpenRuns(tx, tenant.id, [ref])).get(keyOf(ref))
  if (underWay !== undefined) {
    const userIds = changes.map(({ userId }) => userId)
    return insertItems(tx, tenant.id, underWay, userIds)
  }
  const at = world.now()
  const run = { ...causeOf(rule, waiting), id: world.newId(), ref, version: rule.version, at }
  const toLose = changes.filter(({ outcome }) => outcome === 'lose').length
  const toGain = changes.length - toLose
  const members = await countMembers(tx, tenant.id, ref, Math.max(membersToCount(toLose, current), toGain))
  const found = { matched, excluded, members, toGain, toLose, failed: failures.length, position: '' }
  const error = rule.hasBreaker ? await whyHeld(tx, tenant.id, { rule: current, at }, found) : ''
  const isHeld = error !== ''
  await insertRun(
    tx,
    tenant.id,
    isHeld ? { ...run, phase: 'finding', status: 'held', error } : { ...run, phase: 'over', status: 'done' },
  )
  await addFound(tx, tenant.id, run.id, found, at)
  await addFailures(tx, tenant.id, run.id, failures)
  await setLastRun(tx, tenant.id, ref, { runId: run.id, completedAt: isHeld ? null : at })
  if (isHeld) {
    await pauseAutomation(tx, tenant.id, ref, 'held')
    return recordHeld(tx, world, tenant, { ref, runId: run.id, error })
  }
  const giver = { world, cause: serviceCause(tenant, rulesRun), ref, name, runId: run.id }
  await addDone(tx, tenant.id, run.id, await giveAndTake(tx, giver, changes), at)
}

/** Why a rule is evaluated for some users: because something changed, or because somebody ended their exclusion. */
function causeOf(rule: Automation, waiting: readonly Waiting[]): Pick<Run, 'cause' | 'startedBy'> {
  if (waiting.some(({ appId }) => appId === '')) return { cause: 'change', startedBy: '' }
  const own = waiting.find(({ appId, entitlementId }) => appId === rule.appId && entitlementId === rule.id)
  return { cause: 'exclusion', startedBy: own?.changedBy ?? '' }
}

/**
 * An error in evaluating a few users must not keep them waiting forever: each rule is run over everyone, and may fail
 * separately.
 */
async function giveUp(world: World, tenant: Tenancy, error: Error): Promise<void> {
  world.log.error(
    { err: error, tenant: tenant.publicId },
    'could not evaluate rules for changed users; running all rules',
  )
  await transact(world.db, async (tx) => {
    await lockEngine(tx, tenant.id)
    await dropWaiting(tx, tenant.id)
    await makeAllDue(tx, tenant.id, world.now())
  })
}

const perTickMs = 1_000
// Each holds a connection: a tenant with slow rules delays few others.
const tenantsAtOnce = 3

/**
 * Evaluates rules for all waiting users, for about a second; rules that depend on what other rules granted follow in turn.
 */
export async function sweepChanges(world: World): Promise<Again | void> {
  const until = performance.now() + perTickMs
  await world.memory(preparedAhead)()
  const sweep = async (tenant: Tenancy): Promise<boolean> => {
    try {
      return await sweepTenant(world, tenant)
    } catch (error) {
      if (!isOfRule(error)) throw error
      await giveUp(world, tenant, error)
      return false
    }
  }
  for (;;) {
    const tenants = await listTenantsWithChanges(world.db)
    let isAny = false
    for (let from = 0; from < tenants.length; from += tenantsAtOnce) {
      const swept = await Promise.all(tenants.slice(from, from + tenantsAtOnce).map(sweep))
      isAny = isAny || swept.includes(true)
    }
    if (!isAny || performance.now() > until) return tenants.length > 0 ? 'again' : undefined
  }
}
