import { mayEverywhere } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import {
  entitlementNotFound,
  findEntitlementsUncounted,
  keepApp,
  keepEntitlement,
  refuseUnknownApp,
} from '#rooms/records/apps/index.ts'
import type { Automation, EntitlementRef } from '../automation.ts'
import { automationNotFound } from '../refuse.ts'
import { findAutomation, lockAutomation, setBreaker } from './store.ts'

/** For lists and responses about an entitlement: refuses one that does not exist. */
export async function refuseUnknownEntitlement(call: Call, { appId, id }: EntitlementRef): Promise<void> {
  await refuseUnknownApp(call.db, call, appId)
  const [entitlement] = await findEntitlementsUncounted(call.db, call.tenant.id, [{ appId, id }])
  if (!entitlement || entitlement.deletedAt) throw entitlementNotFound(appId, id)
}

/** Locks the entitlement until the transaction ends. */
export async function keepTarget(tx: Tx, call: Call, { appId, id }: EntitlementRef): Promise<void> {
  await keepApp(tx, call, appId)
  await keepEntitlement(tx, call, appId, id)
}

/** The name of the entitlement, for messages: readers outside the console cannot look up names by id. */
export async function targetName(tx: Tx, call: Call, ref: EntitlementRef): Promise<string> {
  const [entitlement] = await findEntitlementsUncounted(tx, call.tenant.id, [ref])
  return entitlement?.displayName ?? ref.id
}

export async function getAutomation(db: Reads, call: Call, ref: EntitlementRef): Promise<Automation> {
  const automation = await findAutomation(db, call.tenant.id, ref)
  if (!automation) throw automationNotFound(ref)
  return automation
}

/** Locks the rule until the transaction ends. */
export async function keepAutomation(tx: Tx, call: Call, ref: EntitlementRef): Promise<Automation> {
  await keepTarget(tx, call, ref)
  const automation = await lockAutomation(tx, call.tenant.id, ref)
  if (!automation || automation.deletedAt) throw automationNotFound(ref)
  return automation
}

/**
 * Without its circuit breaker a rule may add everyone, whom its owner then sees: only those who see everyone anyway may turn
 * it off.
 */
function refuseOwners({ actor }: Call): void {
  if (!mayEverywhere(actor, 'rules.edit'))
    throw new Refusal('PERMISSION_DENIED', 'This needs the permission automations.write for all apps.', {
      metadata: { permission: 'automations.write' },
    })
}

/** Turns the circuit breaker of a rule on or off. */
export async function switchBreaker(
  tx: Tx,
  call: May<'entitlement.change-rule' | 'profiles.change'>,
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
