import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import type { EntitlementRef } from '../automation.ts'
import { effortOf } from '../effort.ts'
import { findExclusion } from '../exclusions/store.ts'
import { judgeAll, matcherOf } from '../matching/matching.ts'
import { findAutomation } from '../rule/store.ts'

/** What the rule of an entitlement does about someone. */
export type RuleAbout = { hasRule: boolean; matches: boolean; error: string; isExcluded: boolean }

const none: RuleAbout = { hasRule: false, matches: false, error: '', isExcluded: false }

/** For rooms below, which decide themselves who sees it. A paused rule grants nothing. */
export async function ruleAbout(db: Reads, call: Call, ref: EntitlementRef, userId: string): Promise<RuleAbout> {
  const { tenant } = call
  const rule = userId === '' ? null : await findAutomation(db, tenant.id, ref)
  if (!rule) return none
  const isExcluded = (await findExclusion(db, tenant.id, ref, userId)) !== null
  try {
    const effort = effortOf(call)
    const matcher = await matcherOf(call, effort, rule.definition)
    const asking = { db, world: call, tenantId: tenant.id, now: call.now(), effort }
    const told = await judgeAll(asking, [{ key: 'rule', matcher }], [userId])
    const { matches, error } = told.get('rule')?.get(userId) ?? { matches: false, error: '' }
    return { hasRule: true, matches: matches && rule.pausedWhy === null, error, isExcluded }
  } catch (error) {
    // If a rule cannot be evaluated, the rest is shown nevertheless.
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    return { hasRule: true, matches: false, error: error.message, isExcluded }
  }
}
