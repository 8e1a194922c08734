import { mayEverywhere } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { refuseBeyondReach } from '#authority/reach/index.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import type { Automation, Definition, EntitlementRef, Example } from '../automation.ts'
import { isSameDefinition } from '../decide.ts'
import { keepExamples } from '../examples/examples.ts'
import { type Matcher, readsOf } from '../matching/matching.ts'
import { automationExists, automationNotFound } from '../refuse.ts'
import { keepAutomation, keepTarget, targetName } from '../rule/actions.ts'
import { deleteAutomation, lockAutomation, putAutomation, replaceReads } from '../rule/store.ts'
import { findHeldRun, setStatus } from '../runs/store.ts'
import { refuseUnseenReads } from '../seen.ts'
import { lockSaving } from '../store/locks.ts'
import { keepVersion } from '../versions/keep.ts'
import { checkDefinition } from './check.ts'

export type Terms = {
  displayName: string
  description: string
  definition: Definition
  /** If absent, they stay unchanged. */
  examples?: readonly Example[]
}

/** Why a rule is saved. */
export type Why = { reason?: string; restores?: number }

export async function createAutomation(
  tx: Tx,
  call: May<'entitlement.change-rule' | 'profiles.change'>,
  ref: EntitlementRef,
  wanted: Terms,
  { prefix = 'automation.', ...why }: Why & { prefix?: string } = {},
): Promise<Automation> {
  await keepTarget(tx, call, ref)
  await lockSaving(tx, call.tenant.id)
  const before = await lockAutomation(tx, call.tenant.id, ref)
  if (before && !before.deletedAt) throw automationExists(ref)
  return save(tx, call, ref, { before, wanted, prefix, isNewDefinition: true, ...why })
}

/** Changes a rule; without a new definition it matches the same people, and stays paused if it was. */
export async function changeAutomation(
  tx: Tx,
  call: May<'entitlement.change-rule' | 'profiles.change'>,
  ref: EntitlementRef,
  changes: Partial<Terms>,
  why: Why = {},
): Promise<Automation> {
  await keepTarget(tx, call, ref)
  await lockSaving(tx, call.tenant.id)
  const before = await lockAutomation(tx, call.tenant.id, ref)
  if (!before || before.deletedAt) throw automationNotFound(ref)
  const { displayName, description, definition } = before
  const wanted = { displayName, description, definition, ...changes }
  return save(tx, call, ref, { before, wanted, prefix: '', isNewDefinition: changes.definition !== undefined, ...why })
}

export type Saving = Why & {
  before: Automation | null
  wanted: Terms
  /** The prefix of fields in refusals, as the caller names them. */
  prefix: string
  isNewDefinition: boolean
}

/** Writes a rule, which is then due. */
export async function save(
  tx: Tx,
  call: May<'entitlement.change-rule' | 'profiles.change'>,
  ref: EntitlementRef,
  saving: Saving,
): Promise<Automation> {
  const { before, wanted, isNewDefinition, reason = '', restores = null } = saving
  const { definition } = wanted
  const matcher = await checkDefinition(tx, call, ref, definition, saving.prefix)
  if (isNewDefinition) await refuseBeyondSight(tx, call, ref, saving, matcher)
  const { fields, entitlements, apps, isClocked } = readsOf(matcher)
  const known = before?.deletedAt === null ? before.examples : []
  const asked = { ref, before: known, sent: wanted.examples ?? null, matcher, prefix: saving.prefix }
  const examples = await keepExamples(tx, call, asked)
  if (isNewDefinition) await endHeldRun(tx, call, ref, 'superseded')
  const version = (before?.version ?? 0) + 1
  const by = call.actor.userId
  const at = call.now()
  const { displayName, description } = wanted
  // A new name makes nobody its author, and neither does sending back the same definition.
  const isOwners = !mayEverywhere(call.actor, 'rules.edit')
  const isSame = before?.deletedAt === null && isSameDefinition(before.definition, definition)
  await putAutomation(tx, call, ref, {
    displayName,
    description,
    definition,
    examples,
    isClocked,
    isOfOwner: isSame ? before.isOfOwner : isOwners,
    reads: fields,
    version,
    staysPaused: !isNewDefinition,
    by,
    at,
  })
  await keepVersion(tx, call.tenant.id, {
    appId: ref.appId,
    id: ref.id,
    version,
    definition,
    displayName,
    description,
    examples,
    reason,
    restores,
    savedBy: by,
    savedAt: at,
  })
  await replaceReads(tx, call.tenant.id, ref, [ref, ...entitlements, ...apps.map((appId) => ({ appId, id: '' }))])
  const isNew = !before || before.deletedAt !== null
  const touched = {
    type: 'automation',
    id: ref.id,
    name: displayName,
    data: {
      appId: ref.appId,
      version,
      definition,
      examples,
      reason,
      ...(restores !== null && { restoresVersion: restores }),
      before: isNew ? null : before.definition,
    },
  }
  const message = `${isNew ? 'Created' : 'Changed'} the automation rule of ${await targetName(tx, call, ref)}`
  await recordChange(tx, call, isNew ? 'create' : 'update', message, [touched])
  return (await lockAutomation(tx, call.tenant.id, ref)) as Automation
}

/**
 * Refuses a rule that reads what its author may not know, or grants what they may not grant. A rule that matches nobody is
 * allowed.
 */
async function refuseBeyondSight(tx: Tx, call: Call, ref: EntitlementRef, saving: Saving, matcher: Matcher) {
  const { before, prefix } = saving
  const { definition } = saving.wanted
  if (definition.kind !== 'none') await refuseBeyondReach(tx, call, ref)
  // An unchanged rule reveals nothing new to its author: clients send back what they read.
  const isSame = before?.deletedAt === null && isSameDefinition(before.definition, definition)
  if (!isSame) await refuseUnseenReads(tx, call, { definition, matcher, prefix })
}

/** Ends the held run of a rule, if there is one. A run that is under way detects that its rule was changed or deleted. */
async function endHeldRun(tx: Tx, call: Call, ref: EntitlementRef, status: 'superseded' | 'cancelled'): Promise<void> {
  const held = await findHeldRun(tx, call.tenant.id, ref)
  if (held) await setStatus(tx, call.tenant.id, held.id, { status, error: held.error, at: call.now() })
}

/** Deletes a rule. Exclusions stay, and so do the grants that it made. */
export async function removeAutomation(
  tx: Tx,
  call: May<'entitlement.change-rule' | 'profiles.change'>,
  ref: EntitlementRef,
  reason = '',
): Promise<void> {
  const before = await keepAutomation(tx, call, ref)
  await endHeldRun(tx, call, ref, 'cancelled')
  await replaceReads(tx, call.tenant.id, ref, [])
  await deleteAutomation(tx, call, ref, call.now())
  const { displayName: name, version, definition } = before
  const touched = { type: 'automation', id: ref.id, name, data: { appId: ref.appId, version, definition, reason } }
  const message = `Deleted the automation rule of ${await targetName(tx, call, ref)}`
  await recordChange(tx, call, 'delete', message, [touched])
}
