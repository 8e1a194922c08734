import type { May } from '#authority/proof.ts'
import { refuseBeyondReach } from '#authority/reach/index.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import { endGrants, insertGrants } from '#rooms/records/grants/index.ts'
import type { Automation, EntitlementRef, Run, Version } from '../automation.ts'
import { type Giver, recordRunChanges } from '../giving/give.ts'
import { holdEntitlement, listToGiveBack, listToTakeBack, type Span } from '../giving/store.ts'
import { runNotFound, runNotRestorable, runNotUndoable, runUnderWay } from '../refuse.ts'
import { keepAutomation } from '../rule/actions.ts'
import { allowMinutes, pauseAutomation, setLastRun } from '../rule/store.ts'
import { recordRunAction } from '../runs/actions.ts'
import { addDone, findLastThatChanged, findOpenRuns, findRun, insertRun, setUndoneBy } from '../runs/store.ts'
import { lockEngine, lockSaving } from '../store/locks.ts'
import { findVersionBefore } from '../versions/store.ts'
import { restoreVersion } from './version.ts'

export type Undoing = { restoresRule: boolean; reason: string }

/**
 * Reverts the last run that changed anything, where nothing has changed since, as a separate run. Afterwards the rule is
 * paused, since it would do the same again, unless its previous version is restored too.
 */
export async function undoRun(
  tx: Tx,
  call: May<'entitlement.change-rule'>,
  ref: EntitlementRef,
  runId: string,
  { restoresRule, reason }: Undoing,
): Promise<Run> {
  await allowMinutes(tx)
  if (restoresRule) await lockSaving(tx, call.tenant.id)
  await lockEngine(tx, call.tenant.id)
  const rule = await keepAutomation(tx, call, ref)
  const run = await findRun(tx, call.tenant.id, ref, runId)
  if (!run) throw runNotFound(ref, runId)
  const underWay = (await findOpenRuns(tx, call.tenant.id, [ref])).get(`${ref.appId}/${ref.id}`)
  if (underWay !== undefined) throw runUnderWay(ref, underWay)
  if (run.cause === 'undo') throw runNotUndoable(ref, runId, 'it is an undo itself')
  if (run.undoneBy !== '') throw runNotUndoable(ref, runId, `the run ${run.undoneBy} has undone it`)
  if (run.gained + run.lost === 0) throw runNotUndoable(ref, runId, 'it changed nothing')
  const last = await findLastThatChanged(tx, call.tenant.id, ref)
  if (last !== runId) throw runNotUndoable(ref, runId, `the run ${last} changed something after it`)

  if (run.lost > 0) await refuseBeyondReach(tx, call, ref)
  const earlier = restoresRule ? await versionBefore(tx, call, ref, { run, rule }) : null

  const at = call.now()
  const id = call.newId()
  const { version } = rule
  const by = call.actor.userId
  await insertRun(tx, call.tenant.id, {
    id,
    ref,
    version,
    cause: 'undo',
    startedBy: by,
    phase: 'over',
    status: 'done',
    undoes: runId,
    at,
  })
  const name = (await holdEntitlement(tx, call.tenant.id, ref)) ?? ''
  const giver: Giver = { world: call, cause: causeOf(call), ref, name, runId: id }
  const span: Span = { from: run.startedAt, to: run.finishedAt ?? at }
  const lost = await takeBack(tx, giver, runId, span)
  const gained = await giveBack(tx, giver, runId, span)
  const leftAlone = Math.max(0, run.gained + run.lost - lost - gained)
  await addDone(tx, call.tenant.id, id, { gained, lost, leftAlone }, at)
  await setUndoneBy(tx, call.tenant.id, runId, id)
  await setLastRun(tx, call.tenant.id, ref, { runId: id, completedAt: at })
  await pauseAutomation(tx, call.tenant.id, ref, 'undone')
  await recordRunAction(tx, call, ref, 'Undid the last run of', {
    runId: id,
    undoes: runId,
    gained,
    lost,
    leftAlone,
    reason,
  })
  // After the undo: the restored rule is due at once, and then finds the result.
  if (earlier) await restoreVersion(tx, call, ref, earlier.version, reason)
  return (await findRun(tx, call.tenant.id, ref, id)) as Run
}

/** The version to restore when a run is undone: the one before the run's version, unless the rule was saved since. */
async function versionBefore(
  tx: Tx,
  call: Call,
  ref: EntitlementRef,
  { run, rule }: { run: Run; rule: Automation },
): Promise<Version> {
  if (rule.version !== run.version)
    throw runNotRestorable(ref, run.id, `the rule was saved since, and is now version ${rule.version}`)
  const version = await findVersionBefore(tx, call.tenant.id, ref, run.version)
  if (!version) throw runNotRestorable(ref, run.id, `version ${run.version} is the first that is known`)
  return version
}

const perBatch = 1000

async function takeBack(tx: Tx, giver: Giver, runId: string, span: Span): Promise<number> {
  const { world, cause, ref } = giver
  let count = 0
  for (let after = ''; ; ) {
    const grants = await listToTakeBack(tx, cause.tenant.id, ref, { runId, span }, { after, limit: perBatch })
    const refs = grants.map(({ accountId }) => ({ appId: ref.appId, entitlementId: ref.id, accountId }))
    const ended = await endGrants(tx, cause, refs, { by: giver.runId, at: world.now(), source: 'rule' })
    count += ended.length
    const touched = ended.map(({ id, accountId }) => ({ type: 'grant', id, data: { accountId, took: true } }))
    await recordRunChanges(tx, giver, `Undid a run of the rule of ${giver.name}: revoked grants`, touched)
    if (grants.length < perBatch) return count
    after = grants.at(-1)?.id ?? ''
  }
}

async function giveBack(tx: Tx, giver: Giver, runId: string, span: Span): Promise<number> {
  const { world, cause, ref } = giver
  let count = 0
  for (let after = ''; ; ) {
    const at = world.now()
    const taken = await listToGiveBack(tx, cause.tenant.id, ref, { runId, span }, { after, limit: perBatch, at })
    const rows = taken.map(({ accountId, grantedAt, expiresAt }) => ({
      id: world.newId(),
      appId: ref.appId,
      entitlementId: ref.id,
      accountId,
      source: 'rule' as const,
      grantedBy: giver.runId,
      grantedAt,
      ...(expiresAt && { expiresAt }),
    }))
    await insertGrants(tx, cause, rows, at, { isByRule: true })
    count += rows.length
    const touched = rows.map(({ id, accountId }) => ({ type: 'grant', id, data: { accountId, gave: true } }))
    await recordRunChanges(tx, giver, `Undid a run of the rule of ${giver.name}: restored grants`, touched)
    if (taken.length < perBatch) return count
    after = taken.at(-1)?.id ?? ''
  }
}
