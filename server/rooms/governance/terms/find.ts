import type { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { findForm } from '#rooms/governance/forms/index.ts'
import { evaluateRoutingCondition } from '#rooms/governance/policies/index.ts'
import { settle, type TriedRule } from './decide.ts'
import { justificationMissing, routingFailed } from './refuse.ts'
import { findSettings } from './settings/store.ts'
import { findSaid } from './store.ts'
import type { Terms } from './terms.ts'

type Asking = World & Pick<Call, 'tenant'>
type Ref = { appId: string; entitlementId: string }

/** What applies to an entitlement when it is requested; null if it no longer exists. Refuses if a routing rule fails. */
export async function termsOf(db: Reads, asking: Asking, ref: Ref): Promise<Terms | null> {
  const found = await findTerms(db, asking, ref)
  if (found && 'refusal' in found) throw found.refusal
  return found
}

/**
 * The same without routing rules, for what they do not affect: revocations, and how access is provisioned. A rule that fails
 * must not prevent access from ending.
 */
export async function unroutedTerms(db: Reads, asking: Pick<Call, 'tenant'>, ref: Ref): Promise<Terms | null> {
  const found = await findSaid(db, asking.tenant.id, { appId: ref.appId, id: ref.entitlementId })
  return found && settle(found.said, null)
}

/** The same for views: a routing rule that fails is returned as a refusal, so that the rest can still be shown. */
export async function findTerms(db: Reads, asking: Asking, ref: Ref): Promise<Terms | { refusal: Refusal } | null> {
  const { appId, entitlementId: id } = ref
  const found = await findSaid(db, asking.tenant.id, { appId, id })
  if (!found) return null
  const { said, rules } = found
  if (said.overrides) return settle(said, null)
  for (const rule of rules) {
    const decided = await isTrueOf(db, asking, rule, ref)
    if ('error' in decided) return { refusal: routingFailed(rule, decided.error) }
    if (decided.value) return settle(said, rule)
  }
  return settle(said, null)
}

const isTrueOf = (db: Reads, asking: Asking, { condition }: TriedRule, ref: Ref) =>
  condition === ''
    ? Promise.resolve({ value: true })
    : evaluateRoutingCondition(db, asking, asking.tenant.id, condition, ref)

/** Whether a request of these terms needs a description: not if its form hides the question. */
export async function needsJustification(db: Reads, tenantId: number, formId: string): Promise<boolean> {
  if ((await findSettings(db, tenantId)).skipJustification) return false
  const form = formId === '' ? null : await findForm(db, tenantId, formId)
  return form?.justificationVisibility !== 'JUSTIFICATION_VISIBILITY_HIDE'
}

export async function refuseUnjustified(
  db: Reads,
  { tenant }: Pick<Call, 'tenant'>,
  description: string,
  formId: string,
): Promise<void> {
  if (description.trim() === '' && (await needsJustification(db, tenant.id, formId))) throw justificationMissing()
}
