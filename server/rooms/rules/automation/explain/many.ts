import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import type { Automation, EntitlementRef } from '../automation.ts'
import { effortOf } from '../effort.ts'
import { listExcludedFrom } from '../exclusions/store.ts'
import { type AskedRule, judgeAll, matcherOf } from '../matching/matching.ts'
import { listAutomations } from '../rule/store.ts'

export type RuleOfMany = {
  rule: Automation
  /** Whether it matches the user, with their current fields, if they are enabled. */
  matches: boolean
  error: string
  isExcluded: boolean
}

/**
 * The results of the rules of some entitlements for one user, by `appId id`: a few statements, and one round for all
 * expressions.
 */
export async function rulesAbout(
  db: Reads,
  call: Call,
  refs: readonly EntitlementRef[],
  user: { id: string; isEnabled: boolean },
): Promise<Map<string, RuleOfMany>> {
  const { tenant } = call
  const rules = await listAutomations(db, tenant.id, refs)
  if (rules.length === 0) return new Map()
  const excluded = new Set((await listExcludedFrom(db, tenant.id, user.id)).map(keyOf))
  const effort = effortOf(call)
  const asked: AskedRule<string>[] = []
  const errors = new Map<string, string>()
  for (const rule of rules)
    try {
      asked.push({ key: keyOf(rule), matcher: await matcherOf(call, effort, rule.definition) })
    } catch (error) {
      // If a rule cannot be evaluated, the others are returned nevertheless.
      if (!(error instanceof Refusal) || error.status >= 500) throw error
      errors.set(keyOf(rule), error.message)
    }
  const asking = { db, world: call, tenantId: tenant.id, now: call.now(), effort }
  const told = user.isEnabled ? await judgeAll(asking, asked, [user.id]) : null
  return new Map(
    rules.map((rule) => {
      const key = keyOf(rule)
      const verdict = told?.get(key)?.get(user.id)
      const error = errors.get(key) ?? verdict?.error ?? ''
      return [key, { rule, matches: verdict?.matches ?? false, error, isExcluded: excluded.has(key) }]
    }),
  )
}

const keyOf = ({ appId, id }: EntitlementRef): string => `${appId} ${id}`
