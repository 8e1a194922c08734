import type { May } from '#authority/proof.ts'
import type { Tx } from '#kernel/sql.ts'
import type { Automation, EntitlementRef, Run, Version } from '../automation.ts'
import type { Effort } from '../effort.ts'
import { applyPlan } from '../plan/actions.ts'
import { keepTarget } from '../rule/actions.ts'
import { lockAutomation } from '../rule/store.ts'
import { save, type Terms } from '../saving/actions.ts'
import { lockSaving } from '../store/locks.ts'
import { getVersion } from '../versions/actions.ts'

/** The terms of a version, to be saved again. */
const termsOf = ({ displayName, description, definition, examples }: Version): Terms => ({
  displayName,
  description,
  definition,
  examples,
})

/** Saves a version again, like any other save: it is a new version, which runs at once and may be held. */
export async function restoreVersion(
  tx: Tx,
  call: May<'entitlement.change-rule'>,
  ref: EntitlementRef,
  number: number,
  reason: string,
): Promise<Automation> {
  await keepTarget(tx, call, ref)
  await lockSaving(tx, call.tenant.id)
  const before = await lockAutomation(tx, call.tenant.id, ref)
  const version = await getVersion(tx, call, ref, number)
  return save(tx, call, ref, {
    before,
    wanted: termsOf(version),
    prefix: '',
    isNewDefinition: true,
    reason,
    restores: version.version,
  })
}

/** Saves a version again and does exactly what its plan showed, or nothing. */
export async function applyVersion(
  tx: Tx,
  call: May<'entitlement.change-rule'>,
  ref: EntitlementRef,
  { number, reason, fingerprint }: { number: number; reason: string; fingerprint: string },
  effort: Effort,
): Promise<Run> {
  const version = await getVersion(tx, call, ref, number)
  const wanted = { fingerprint, proposed: termsOf(version), reason, restores: version.version }
  return applyPlan(tx, call, ref, wanted, effort)
}
