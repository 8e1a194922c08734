import { invalid, Refusal } from '#kernel/refusals.ts'
import { type Call, mayEverywhere } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { sightOf } from '#rooms/identity/users/index.ts'
import {
  entitlementNotFound,
  findEntitlementsUncounted,
  keepApp,
  keepEntitlement,
  refuseBeyondReach,
  refuseUnknownApp,
} from '#rooms/records/apps/index.ts'
import { unseenBy } from '#rooms/rules/expressions/index.ts'
import { type Automation, type Definition, type EntitlementRef, type Example, writtenRefs } from '../automation.ts'
import { cycleOf, isSameDefinition } from '../decide.ts'
import { effortOf, isTooMuchFor, overBudget } from '../effort.ts'
import { keepExamples } from '../examples/examples.ts'
import { judge, type Matcher, matcherOf, readsOf, tellsOf, verdictSql } from '../matching/matching.ts'
import { countUsers, listNextUsers } from '../matching/store/difference.ts'
import { automationCircle, automationExists, automationNotFound } from '../refuse.ts'
import { findHeldRun, setStatus } from '../runs/store.ts'
import { refuseUnseenReads } from '../seen.ts'
import { lockSaving } from '../store/locks.ts'
import { keepVersion } from '../versions/keep.ts'
import {
  deleteAutomation,
  findAutomation,
  listReadsOfOthers,
  lockAutomation,
  putAutomation,
  replaceReads,
  setBreaker,
} from './store.ts'

/** For lists and answers about an entitlement: refuses one that there is not. */
export async function refuseUnknownEntitlement(call: Call, { appId, id }: EntitlementRef): Promise<void> {
  await refuseUnknownApp(call.db, call, appId)
  const [entitlement] = await findEntitlementsUncounted(call.db, call.tenant.id, [{ appId, id }])
  if (!entitlement || entitlement.deletedAt) throw entitlementNotFound(appId, id)
}

/** The entitlement, held until the transaction ends. */
export async function keepTarget(tx: Tx, call: Call, { appId, id }: EntitlementRef): Promise<void> {
  await keepApp(tx, call, appId)
  await keepEntitlement(tx, call, appId, id)
}

/** The name of the entitlement, for messages: what reads them outside the console has no names for ids. */
export async function targetName(tx: Tx, call: Call, ref: EntitlementRef): Promise<string> {
  const [entitlement] = await findEntitlementsUncounted(tx, call.tenant.id, [ref])
  return entitlement?.displayName ?? ref.id
}

export async function getAutomation(db: Reads, call: Call, ref: EntitlementRef): Promise<Automation> {
  const automation = await findAutomation(db, call.tenant.id, ref)
  if (!automation) throw automationNotFound(ref)
  return automation
}

/** The rule, held until the transaction ends. */
export async function keepAutomation(tx: Tx, call: Call, ref: EntitlementRef): Promise<Automation> {
  await keepTarget(tx, call, ref)
  const automation = await lockAutomation(tx, call.tenant.id, ref)
  if (!automation || automation.deletedAt) throw automationNotFound(ref)
  return automation
}

export type Terms = {
  displayName: string
  description: string
  definition: Definition
  /** Absent, they stay as they are. */
  examples?: readonly Example[]
}

/** Why a rule is saved. */
export type Why = { reason?: string; restores?: number }

export async function createAutomation(
  tx: Tx,
  call: Call,
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

/** Changes a rule; without a new definition it matches whom it matched, and rests if it rested. */
export async function changeAutomation(
  tx: Tx,
  call: Call,
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

// Few at first: of what is made to be slow, each takes a tenth of a second.
const usersTried = [5, 20, 100]
const usersCounted = 1_000_000

/**
 * Before anything is held for it: prepares a rule that is to be saved, and refuses one that no run over everyone would end,
 * by what it costs for some users.
 */
export async function tryDefinition(call: Call, definition: Definition, prefix: string): Promise<void> {
  if (!('expression' in definition)) return
  const effort = effortOf(call)
  const matcher = await matcherOf(call, effort, definition, `${prefix}${definition.kind}.expression`)
  // What it costs may tell what it reads: what is refused for that is not tried.
  if ((await unseenBy(call.db, call, tellsOf(matcher))).length > 0) return
  const asking = { db: call.db, world: call, tenantId: call.tenant.id, now: call.now(), effort }
  if ((await verdictSql(asking, matcher, true)).fragment) return
  const all = await countUsers(call.db, call.tenant.id, usersCounted)
  let after = ''
  for (const count of usersTried) {
    const some = await listNextUsers(call.db, call.tenant.id, after, count)
    await judge(asking, matcher, some)
    if (isTooMuchFor(effort.units, effort.users, all)) throw overBudget()
    after = some.at(-1) ?? after
  }
}

export type Saving = Why & {
  before: Automation | null
  wanted: Terms
  /** How the caller calls what is wrong. */
  prefix: string
  isNewDefinition: boolean
}

/** Writes a rule, which is then due. */
export async function save(tx: Tx, call: Call, ref: EntitlementRef, saving: Saving): Promise<Automation> {
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
  // A new name makes nobody its author, and neither does the same rule sent back.
  const isOwners = !mayEverywhere(call.actor, 'automations.write')
  const isSame = before?.deletedAt === null && isSameDefinition(before.definition, definition)
  await putAutomation(tx, call.tenant.id, ref, {
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

/** Refuses a rule that asks what its author may not know, or gives what they may not give. Nobody is harmless. */
async function refuseBeyondSight(tx: Tx, call: Call, ref: EntitlementRef, saving: Saving, matcher: Matcher) {
  const { before, prefix } = saving
  const { definition } = saving.wanted
  if (definition.kind !== 'none') await refuseBeyondReach(tx, call, ref)
  // One that stays as it is tells its author nothing: clients send back what they read.
  const isSame = before?.deletedAt === null && isSameDefinition(before.definition, definition)
  if (!isSame) await refuseUnseenReads(tx, call, { definition, matcher, prefix })
}

/** Refuses a definition that is wrong, that names what there is not, or that would read what it gives. */
export async function checkDefinition(
  tx: Tx,
  call: Call,
  ref: EntitlementRef,
  definition: Definition,
  prefix: string,
): Promise<Matcher> {
  const effort = effortOf(call)
  const matcher = await matcherOf(call, effort, definition, `${prefix}${definition.kind}.expression`)
  if (definition.kind === 'entitlements')
    await refuseUnknownRefs(tx, call, writtenRefs(ref, definition), `${prefix}entitlements`)
  const others = await listReadsOfOthers(tx, call.tenant.id, ref)
  const circle = cycleOf(ref, readsOf(matcher).entitlements, others)
  if (circle) throw automationCircle(ref, mayEverywhere(call.actor, 'entitlements.read') ? circle : [])
  return matcher
}

async function refuseUnknownRefs(tx: Tx, call: Call, refs: readonly EntitlementRef[], field: string): Promise<void> {
  const known = (await findEntitlementsUncounted(tx, call.tenant.id, refs)).filter(({ deletedAt }) => !deletedAt)
  const keys = new Set(known.map(({ appId, id }) => `${appId}/${id}`))
  // Who may not see every entitlement is told that those are not there which they do not own.
  if (!mayEverywhere(call.actor, 'entitlements.read')) {
    const seen = await sightOf(call, tx).entitlements(known)
    for (const key of keys) if (seen.get(key) !== 'owned') keys.delete(key)
  }
  const [first, ...others] = refs.flatMap(({ appId, id }, i) =>
    keys.has(`${appId}/${id}`)
      ? []
      : [{ field: `${field}.entitlementRefs[${i}]`, description: `the app ${appId} has no entitlement ${id}` }],
  )
  if (first) throw invalid(first, ...others)
}

/**
 * Ends the run of a rule that waits for a person, where there is one. A run that is under way sees by itself that its
 * rule is another one, or gone.
 */
async function endHeldRun(tx: Tx, call: Call, ref: EntitlementRef, status: 'superseded' | 'cancelled'): Promise<void> {
  const held = await findHeldRun(tx, call.tenant.id, ref)
  if (held) await setStatus(tx, call.tenant.id, held.id, { status, error: held.error, at: call.now() })
}

/** Deletes a rule. Who was excluded stays excluded, and who was given something keeps it. */
export async function removeAutomation(tx: Tx, call: Call, ref: EntitlementRef, reason = ''): Promise<void> {
  const before = await keepAutomation(tx, call, ref)
  await endHeldRun(tx, call, ref, 'cancelled')
  await replaceReads(tx, call.tenant.id, ref, [])
  await deleteAutomation(tx, call.tenant.id, ref, call.now())
  const { displayName: name, version, definition } = before
  const touched = { type: 'automation', id: ref.id, name, data: { appId: ref.appId, version, definition, reason } }
  const message = `Deleted the automation rule of ${await targetName(tx, call, ref)}`
  await recordChange(tx, call, 'delete', message, [touched])
}

/** Without its breaker a rule may give to everyone, whom its owner then sees: that is for those who see them anyway. */
function refuseOwners({ actor }: Call): void {
  if (!mayEverywhere(actor, 'automations.write'))
    throw new Refusal('PERMISSION_DENIED', 'This needs the permission automations.write for all apps.', {
      metadata: { permission: 'automations.write' },
    })
}

/** Switches the breaker of a rule on or off. */
export async function switchBreaker(
  tx: Tx,
  call: Call,
  ref: EntitlementRef,
  isOn: boolean,
  reason = '',
): Promise<Automation> {
  const before = await keepAutomation(tx, call, ref)
  if (before.hasBreaker === isOn) return before
  if (!isOn) refuseOwners(call)
  await setBreaker(tx, call.tenant.id, ref, { isOn, at: call.now() })
  const touched = { type: 'automation', id: ref.id, data: { appId: ref.appId, hasBreaker: isOn, reason } }
  const of = await targetName(tx, call, ref)
  const message = `Turned the circuit breaker of the automation rule of ${of} ${isOn ? 'on' : 'off'}`
  await recordChange(tx, call, 'update', message, [touched])
  return { ...before, hasBreaker: isOn }
}
