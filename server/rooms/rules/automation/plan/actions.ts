import { mayEverywhere } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { refuseBeyondReach } from '#authority/reach/index.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { fingerprintOf, planOutdated, refuseOutdated } from '#rooms/foundation/plans/index.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import type { Automation, Definition, EntitlementRef, Failure, Run } from '../automation.ts'
import { isSameDefinition, isTooMuch, restMs } from '../decide.ts'
import type { Effort } from '../effort.ts'
import { giveAndTake } from '../giving/give.ts'
import { holdEntitlement } from '../giving/store.ts'
import { askingIn, boundStatements } from '../matching/asking.ts'
import { type Matcher, matcherOf, verdictAbout, verdictSql } from '../matching/matching.ts'
import {
  listNextUsers,
  listPlanned,
  type Planned,
  type Scope,
  type Survey,
  survey,
  surveyForRun,
} from '../matching/store/difference.ts'
import { type Asked, type Surveyed, surveyNext, usersPerChunk } from '../matching/survey.ts'
import { gainTooLarge, outdated, runUnderWay } from '../refuse.ts'
import { getAutomation, keepAutomation, keepTarget } from '../rule/actions.ts'
import { allowMinutes, findAutomation, lockAutomation, setLastRun, setNextDue, setNotDue } from '../rule/store.ts'
import { isMassGain, isMassGainOfOwner, listCurrentChanges } from '../runs/run.ts'
import {
  addDone,
  addFailures,
  addFound,
  findOpenRuns,
  findRun,
  insertRun,
  setStatus,
  takeItems,
} from '../runs/store.ts'
import { save, type Terms, type Why } from '../saving/actions.ts'
import { checkDefinition } from '../saving/check.ts'
import { refuseUnseenReads } from '../seen.ts'
import { lockEngine, lockSaving } from '../store/locks.ts'

export type Counts = Pick<Survey, 'matched' | 'excluded' | 'gain' | 'lose' | 'stay' | 'failed'>
/** Whether the circuit breaker would hold a run of this size, or whether it has to be confirmed as such. */
export type Mass = { gain: boolean; loss: boolean }
export type Plan = { counts: Counts; failures: Failure[]; fingerprint: string; mass: Mass }

/** The rule that a plan is about: the saved one, or one that is only proposed. */
export async function planned(
  tx: Tx,
  call: Call,
  ref: EntitlementRef,
  proposed: Definition | null,
  effort: Effort,
): Promise<{ definition: Definition; matcher: Matcher; saved: Automation | null }> {
  await keepTarget(tx, call, ref)
  if (!proposed) {
    const saved = await getAutomation(tx, call, ref)
    return { definition: saved.definition, matcher: await matcherOf(call, effort, saved.definition), saved }
  }
  const definition = proposed
  const matcher = await checkDefinition(tx, call, ref, definition, 'automation.')
  const saved = await findAutomation(tx, call.tenant.id, ref)
  if (!saved || !isSameDefinition(saved.definition, definition))
    await refuseUnseenReads(tx, call, { definition, matcher, prefix: 'automation.' })
  return { definition, matcher, saved }
}

/** Identifies a rule and everything that it would do. */
const fingerprintOfRule = (
  call: Call,
  ref: EntitlementRef,
  definition: Definition,
  { digest, failed }: Survey,
): string => fingerprintOf(call, 'automation', [ref, definition, digest, failed])

/** Counts what a rule would do now, and changes nothing. */
export async function makePlan(
  tx: Tx,
  call: Call,
  ref: EntitlementRef,
  { definition, matcher }: { definition: Definition; matcher: Matcher },
  effort: Effort,
): Promise<Plan> {
  const asked = { ...askingIn(tx, call, effort), ref, matcher }
  const found = await surveyAll(tx, asked, (scope) => survey(tx, scope, effort.signal))
  return {
    counts: found.survey,
    mass: await massOf(tx, call, ref, found.survey),
    failures: found.failures,
    fingerprint: fingerprintOfRule(call, ref, definition, found.survey),
  }
}

async function massOf(tx: Tx, call: Call, ref: EntitlementRef, { gain, lose, members }: Survey): Promise<Mass> {
  const limits = (await findAutomation(tx, call.tenant.id, ref)) ?? { lossPercentMax: null, holdsFew: false }
  return {
    gain: mayEverywhere(call.actor, 'rules.edit')
      ? await isMassGain(tx, call.tenant.id, { toGain: gain, members })
      : await isMassGainOfOwner(tx, call.tenant.id, { appId: ref.appId, at: call.now(), toGain: gain, members }),
    loss: isTooMuch(lose, members, limits),
  }
}

/** Everyone: at once, or in parts if each user has to be evaluated. */
async function surveyAll(tx: Tx, asked: Asked, surveyPart: (scope: Scope) => Promise<Survey>): Promise<Found> {
  const { effort } = asked
  const next = async (after: string): Promise<Surveyed> => {
    await boundStatements(tx, effort)
    return surveyNext(asked, after, surveyPart)
  }
  let part = await next('')
  let all: Found = { survey: part.survey, failures: part.failures.slice(0, failuresMax) }
  while (!part.isOver) {
    part = await next(part.position)
    all = add(all, part)
  }
  return all
}

type Found = Pick<Surveyed, 'survey' | 'failures'>
const failuresMax = 20
const sumOf = (a: string, b: string): string => {
  const [a1 = '0', a2 = '0'] = a.split(',')
  const [b1 = '0', b2 = '0'] = b.split(',')
  return `${BigInt(a1) + BigInt(b1)},${BigInt(a2) + BigInt(b2)}`
}
const add = (a: Found, b: Found): Found => ({
  failures: [...a.failures, ...b.failures].slice(0, failuresMax),
  survey: {
    matched: a.survey.matched + b.survey.matched,
    excluded: a.survey.excluded + b.survey.excluded,
    members: a.survey.members + b.survey.members,
    gain: a.survey.gain + b.survey.gain,
    lose: a.survey.lose + b.survey.lose,
    stay: a.survey.stay + b.survey.stay,
    failed: a.survey.failed + b.survey.failed,
    failedIds: [],
    digest: sumOf(a.survey.digest, b.survey.digest),
  },
})

const partSizes = [2_000, 10_000, 50_000]

/** The next of the users whom a rule would affect, by id: it looks at as many parts of everyone as necessary. */
export async function listPlan(
  tx: Tx,
  call: Call,
  { ref, matcher }: { ref: EntitlementRef; matcher: Matcher },
  effort: Effort,
  { outcomes, page }: { outcomes: readonly string[]; page: { after: string; limit: number } },
): Promise<Planned[]> {
  const { tenant } = call
  const asking = askingIn(tx, call, effort)
  const found: Planned[] = []
  const isAsked = (await verdictSql(asking, matcher, false)).fragment === null
  let after = page.after
  for (let part = 0; found.length < page.limit; part++) {
    await boundStatements(tx, effort)
    const size = isAsked ? usersPerChunk : (partSizes[Math.min(part, partSizes.length - 1)] as number)
    const userIds = await listNextUsers(tx, tenant.id, after, size)
    const upTo = userIds.at(-1)
    if (upTo === undefined) break
    const { verdict } = await verdictAbout(asking, matcher, userIds)
    const scope = { tenantId: tenant.id, ref, now: asking.now, verdict, among: { after, upTo } }
    const limit = page.limit - found.length
    found.push(...(await listPlanned(tx, scope, outcomes, { after, limit }, effort.signal)))
    after = upTo
  }
  return found
}

const usersPerBatch = 1000

/**
 * Does exactly what a plan showed, or nothing: saves the rule if it was only proposed, finds the difference again, and
 * refuses if it has changed. All in the caller's transaction.
 */
export async function applyPlan(
  tx: Tx,
  call: May<'entitlement.change-rule'>,
  ref: EntitlementRef,
  { fingerprint, proposed, ...why }: Why & { fingerprint: string; proposed: Terms | null },
  effort: Effort,
): Promise<Run> {
  await keepTarget(tx, call, ref)
  await lockSaving(tx, call.tenant.id)
  await lockEngine(tx, call.tenant.id)
  const before = await lockAutomation(tx, call.tenant.id, ref)
  const rule = proposed
    ? await save(tx, call, ref, { before, wanted: proposed, prefix: 'automation.', isNewDefinition: true, ...why })
    : await keepAutomation(tx, call, ref)
  const underWay = (await findOpenRuns(tx, call.tenant.id, [ref])).get(`${ref.appId}/${ref.id}`)
  if (underWay !== undefined) throw runUnderWay(ref, underWay)
  const name = (await holdEntitlement(tx, call.tenant.id, ref)) ?? ''
  const matcher = await matcherOf(call, effort, rule.definition)
  const { tenant } = call
  const at = call.now()
  const runId = call.newId()
  const run = { id: runId, ref, version: rule.version, cause: 'apply', startedBy: call.actor.userId } as const
  await insertRun(tx, tenant.id, { ...run, phase: 'applying', status: 'running', isReleased: true, at })
  const asked = { ...askingIn(tx, call, effort), now: at, ref, matcher }
  const found = await surveyAll(tx, asked, (scope) => surveyForRun(tx, scope, runId, true, effort.signal))
  // From here on the work is known, and it is completed even if the client disconnects.
  await allowMinutes(tx)
  Object.assign(effort, { until: null, signal: null })
  const told = outdated(ref, fingerprint)
  refuseOutdated(fingerprintOfRule(call, ref, rule.definition, found.survey), fingerprint, told)
  const { matched, excluded, members, gain: toGain, lose: toLose, failed } = found.survey
  await refuseBeyondReach(tx, call, ref)
  // A caller who may change every rule has seen the plan, and so confirms it; the owner of one may not confirm so much
  // alone.
  const gaining = { appId: ref.appId, at, toGain, members }
  if (!mayEverywhere(call.actor, 'rules.edit') && (await isMassGainOfOwner(tx, tenant.id, gaining)))
    throw gainTooLarge(ref, toGain)
  const position = ''
  await addFound(tx, tenant.id, runId, { matched, excluded, members, toGain, toLose, failed, position }, at)
  await addFailures(tx, tenant.id, runId, found.failures)
  for (;;) {
    const items = await takeItems(tx, tenant.id, runId, usersPerBatch)
    if (items.length === 0) break
    const userIds = items.map(({ userId }) => userId)
    const changes = await listCurrentChanges(tx, { world: call, tenant, ref, matcher, effort }, userIds)
    // Something changed in between: this is not what was shown.
    const isSame = changes.length === items.length && changes.every(({ outcome }, i) => outcome === items[i]?.outcome)
    if (!isSame) throw planOutdated(told)
    const giver = { world: call, cause: causeOf(call), ref, name, runId }
    await addDone(tx, tenant.id, runId, await giveAndTake(tx, giver, changes), at)
  }
  return finishApplying(tx, call, ref, { runId, isClocked: rule.isClocked, startedAt: at })
}

async function finishApplying(
  tx: Tx,
  call: Call,
  ref: EntitlementRef,
  { runId, isClocked, startedAt }: { runId: string; isClocked: boolean; startedAt: Date },
): Promise<Run> {
  const at = call.now()
  await setStatus(tx, call.tenant.id, runId, { status: 'done', at })
  await setLastRun(tx, call.tenant.id, ref, { runId, completedAt: at })
  await setNotDue(tx, call.tenant.id, ref)
  const rest = restMs(isClocked, at.getTime() - startedAt.getTime())
  await setNextDue(tx, call.tenant.id, ref, { at, restMs: rest })
  return (await findRun(tx, call.tenant.id, ref, runId)) as Run
}
