import { mayEverywhere } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { refuseBeyondReach } from '#authority/reach/index.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import type { Automation, EntitlementRef, Run } from '../automation.ts'
import { gainTooLarge, runNotFound, runNotHeld, runUnderWay } from '../refuse.ts'
import { keepAutomation } from '../rule/actions.ts'
import { makeDue, pauseAutomation } from '../rule/store.ts'
import { isMassGainOfOwner } from './run.ts'
import { findHeldRun, findRun, setStatus } from './store.ts'

export async function getRun(call: Call, ref: EntitlementRef, id: string): Promise<Run> {
  const run = await findRun(call.db, call.tenant.id, ref, id)
  if (!run) throw runNotFound(ref, id)
  return run
}

/** Runs a rule over everyone at once, also a paused one. */
export async function startRun(
  tx: Tx,
  call: May<'entitlement.change-rule' | 'profiles.change'>,
  ref: EntitlementRef,
): Promise<Automation> {
  const rule = await keepAutomation(tx, call, ref)
  await refuseBeyondReach(tx, call, ref)
  const held = await findHeldRun(tx, call.tenant.id, ref)
  if (held) throw runUnderWay(ref, held.id)
  const at = call.now()
  await makeDue(tx, call.tenant.id, ref, { at, cause: 'hand', by: call.actor.userId })
  await recordRunAction(tx, call, ref, 'Started a run of', {})
  return { ...rule, dueAt: at, pausedWhy: null }
}

/** Releases a held run: the rule is evaluated for everyone again, and the run is not held a second time. */
export async function releaseRun(
  tx: Tx,
  call: May<'entitlement.change-rule' | 'profiles.change'>,
  ref: EntitlementRef,
  runId: string,
): Promise<Run> {
  const run = await getHeld(tx, call, ref, runId)
  await refuseBeyondReach(tx, call, ref)
  const at = call.now()
  if (!mayEverywhere(call.actor, 'rules.edit') && (await isMassGainOfOwner(tx, call.tenant.id, { ...run, at })))
    throw gainTooLarge(ref, run.toGain)
  await setStatus(tx, call.tenant.id, runId, { status: 'superseded', error: run.error, at })
  await makeDue(tx, call.tenant.id, ref, { at, cause: 'release', by: call.actor.userId })
  await recordRunAction(tx, call, ref, 'Released a held run of', { runId })
  return (await findRun(tx, call.tenant.id, ref, runId)) as Run
}

/** Ends a run that was held; the rule is paused until it is changed or run. */
export async function cancelRun(
  tx: Tx,
  call: May<'entitlement.change-rule'>,
  ref: EntitlementRef,
  runId: string,
): Promise<Run> {
  const run = await getHeld(tx, call, ref, runId)
  await setStatus(tx, call.tenant.id, runId, { status: 'cancelled', error: run.error, at: call.now() })
  await pauseAutomation(tx, call.tenant.id, ref, 'cancelled')
  await recordRunAction(tx, call, ref, 'Cancelled a held run of', { runId })
  return (await findRun(tx, call.tenant.id, ref, runId)) as Run
}

async function getHeld(tx: Tx, call: Call, ref: EntitlementRef, runId: string): Promise<Run> {
  await keepAutomation(tx, call, ref)
  const run = await findRun(tx, call.tenant.id, ref, runId)
  if (!run) throw runNotFound(ref, runId)
  if (run.status !== 'held') throw runNotHeld(ref, runId)
  return run
}

/** Records what someone did about the runs of a rule. */
export async function recordRunAction(
  tx: Tx,
  call: Call,
  ref: EntitlementRef,
  what: string,
  data: object,
): Promise<void> {
  const touched = { type: 'automation', id: ref.id, data: { appId: ref.appId, ...data } }
  await recordChange(tx, call, 'update', `${what} the automation rule of ${ref.id}`, [touched])
}
