import type { May } from '#authority/proof.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { markProfileChanged } from '#rooms/foundation/writes/index.ts'
import {
  automationNotFound,
  changeAutomation,
  createAutomation,
  type Definition,
  findAutomation,
  findHeldRun,
  findRun,
  pauseAutomation,
  releaseRun,
  removeAutomation,
  setLimits,
  startRun,
  switchBreaker,
} from '#rooms/rules/automation/index.ts'
import { needEnrollment } from '../catalog/actions.ts'
import { findProfile } from '../catalog/store.ts'
import { hasEnrollment } from '../entries/keep.ts'
import { keepProfile } from '../keep.ts'
import { enrollmentOf, type Profile } from '../profile.ts'
import { recordProfileChange } from '../record-change.ts'
import { profileNotFound } from '../refuse.ts'
import type { BundleAutomation, Settings } from './automation.ts'
import { deleteSettings, findSettings, putSettings } from './store.ts'

export type Wanted = Settings & {
  definition: Definition
  isBreakerDisabled: boolean
  holdsFew: boolean
}

export async function getBundleAutomation(db: Reads, call: Call, profileId: string): Promise<BundleAutomation> {
  if (!(await findProfile(db, call.tenant.id, profileId))) throw profileNotFound(profileId)
  return findBundleAutomation(db, call, profileId)
}

async function findBundleAutomation(db: Reads, call: Call, profileId: string): Promise<BundleAutomation> {
  const ref = enrollmentOf(profileId)
  const rule = await findAutomation(db, call.tenant.id, ref)
  if (!rule) throw automationNotFound(ref)
  const settings = await findSettings(db, call.tenant.id, profileId)
  const lastRun = rule.lastRunId === '' ? null : await findRun(db, call.tenant.id, ref, rule.lastRunId)
  return { rule, settings, lastRun }
}

/** Saves the automation of a profile, whether or not it has one; refused if it has one and `mustBeNew` is set. */
export async function saveBundleAutomation(
  tx: Tx,
  call: May<'profiles.change'>,
  profileId: string,
  wanted: Wanted,
  { mustBeNew }: { mustBeNew: boolean },
): Promise<BundleAutomation> {
  const { tenant } = call
  const profile = await keepProfile(tx, call, profileId)
  await needEnrollment(tx, call, profile)
  const ref = enrollmentOf(profileId)
  const terms = { displayName: profile.displayName, description: '', definition: wanted.definition }
  const before = await findAutomation(tx, tenant.id, ref)
  if (before && !mustBeNew) await changeAutomation(tx, call, ref, terms)
  else await createAutomation(tx, call, ref, terms, { prefix: '' })
  await switchBreaker(tx, call, ref, !wanted.isBreakerDisabled)
  const { isEnabled, createsTasks, removedPercent, holdsFew } = wanted
  await setLimits(tx, tenant.id, ref, { lossPercentMax: removedPercent === 0 ? null : removedPercent, holdsFew })
  await putSettings(tx, call, profileId, { isEnabled, createsTasks, removedPercent })
  if (!isEnabled) await pauseAutomation(tx, tenant.id, ref, 'cancelled')
  await markProfileChanged(tx, tenant.id, profileId)
  await recordSaved(tx, call, profile, wanted)
  return findBundleAutomation(tx, call, profileId)
}

const recordSaved = (tx: Tx, call: Call, profile: Profile, wanted: Wanted) =>
  recordProfileChange(tx, call, 'update', 'Saved the automation of', { profile, automation: wanted })

/** Deletes the automation of a profile. Users whom it enrolled stay enrolled. */
export async function removeBundleAutomation(tx: Tx, call: May<'profiles.change'>, profileId: string): Promise<void> {
  const profile = await keepProfile(tx, call, profileId)
  await keepRule(tx, call, profileId)
  await removeAutomation(tx, call, enrollmentOf(profileId))
  await deleteSettings(tx, call, profileId)
  await recordProfileChange(tx, call, 'update', 'Deleted the automation of', { profile })
}

/** Checks that the enrollment has a rule; the 404 then names the automation, not the app. */
async function keepRule(tx: Tx, call: Call, profileId: string): Promise<void> {
  const ref = enrollmentOf(profileId)
  if (!(await hasEnrollment(tx, call.tenant.id, profileId)) || !(await findAutomation(tx, call.tenant.id, ref)))
    throw automationNotFound(ref)
}

export async function runBundleAutomation(tx: Tx, call: May<'profiles.change'>, profileId: string): Promise<void> {
  await keepProfile(tx, call, profileId)
  await keepRule(tx, call, profileId)
  const { isEnabled } = await findSettings(tx, call.tenant.id, profileId)
  if (!isEnabled)
    throw new Refusal('AUTOMATION_DISABLED', 'The automation of this access profile is disabled. Enable it first.', {
      metadata: { requestCatalogId: profileId },
    })
  await startRun(tx, call, enrollmentOf(profileId))
}

/** Releases the run that the circuit breaker holds; a rule that is paused for another reason is run again. */
export async function resumeBundleAutomation(tx: Tx, call: May<'profiles.change'>, profileId: string): Promise<void> {
  await keepProfile(tx, call, profileId)
  await keepRule(tx, call, profileId)
  const ref = enrollmentOf(profileId)
  const run = await findHeldRun(tx, call.tenant.id, ref)
  if (run) {
    await releaseRun(tx, call, ref, run.id)
    return
  }
  const rule = await findAutomation(tx, call.tenant.id, ref)
  const { isEnabled } = await findSettings(tx, call.tenant.id, profileId)
  if (!rule?.pausedWhy || !isEnabled)
    throw new Refusal('AUTOMATION_NOT_PAUSED', 'No run of this automation is waiting to be resumed.', {
      metadata: { requestCatalogId: profileId },
    })
  await startRun(tx, call, ref)
}

export function refusePercent(percent: number): void {
  if (percent < 0 || percent > 100)
    throw invalid({
      field: 'removedMembersThresholdPercent',
      description: 'must be 0 to 100; 0 means the default threshold',
    })
}
