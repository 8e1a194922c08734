import type { Call } from '#kernel/routes.ts'
import { getUser, type User } from '#rooms/identity/users/index.ts'
import { type Looked, listSubjects, look } from '#rooms/rules/expressions/index.ts'
import type { Automation, EntitlementRef, Outcome } from '../automation.ts'
import { outcomeOf } from '../decide.ts'
import { effortOf } from '../effort.ts'
import { type Exclusion, findExclusion } from '../exclusions/store.ts'
import { findLastEnded, type HeldGrant, listHeldGrants } from '../giving/store.ts'
import { judgeAll, type Matcher, matcherOf } from '../matching/matching.ts'
import { listHoldings } from '../matching/store/holders.ts'
import { refuseUnknownEntitlement } from '../rule/actions.ts'
import { findAutomation } from '../rule/store.ts'

export type Explained = {
  user: User
  grants: HeldGrant[]
  lastEnded: { source: string; endedAt: Date; endedBy: string } | null
  exclusion: Exclusion | null
  rule: Automation | null
  /** The result of the rule for the user; null if there is none. */
  verdict: { matches: boolean; error: string } | null
  /** The values that it depends on. */
  looked: readonly Looked[]
  /** What a run would do about the user. */
  outcome: Outcome
}

/**
 * Whether a user has an entitlement and why, the result of its rule for them and why, and whether the rule may affect them.
 */
export async function explain(call: Call, ref: EntitlementRef, userId: string): Promise<Explained> {
  await refuseUnknownEntitlement(call, ref)
  const { db, tenant } = call
  const user = await getUser(call, userId)
  const now = call.now()
  const [grants, lastEnded, exclusion, rule] = await Promise.all([
    listHeldGrants(db, tenant.id, ref, userId, now),
    findLastEnded(db, tenant.id, ref, userId),
    findExclusion(db, tenant.id, ref, userId),
    findAutomation(db, tenant.id, ref),
  ])
  const about = { user, grants, lastEnded: grants.length > 0 ? null : lastEnded, exclusion, rule }
  if (!rule) return { ...about, verdict: null, looked: [], outcome: null }
  const effort = effortOf(call)
  const matcher = await matcherOf(call, effort, rule.definition)
  const isEnabled = user.status === 'ENABLED' && user.deletedAt === null
  const told = isEnabled
    ? await judgeAll({ db, world: call, tenantId: tenant.id, now, effort }, [{ key: 'rule', matcher }], [userId])
    : null
  const verdict = told?.get('rule')?.get(userId) ?? { matches: false, error: '' }
  return {
    ...about,
    verdict,
    looked: await lookedAt(call, user, matcher, now),
    outcome: outcomeOf({
      matches: verdict.matches,
      isExcluded: exclusion !== null,
      holds: grants.length > 0,
      hasFromRule: grants.some(({ source }) => source === 'rule'),
    }),
  }
}

const looksMax = 1000

/** The values that a rule's result for a user depends on. Every rule requires that the user is enabled. */
async function lookedAt(call: Call, user: User, matcher: Matcher, now: Date): Promise<Looked[]> {
  const status = { path: 'subject.status', value: user.status, isMissing: false }
  if (matcher.kind === 'none') return []
  if (matcher.kind === 'holders') {
    const held = (await listHoldings(call.db, call.tenant.id, matcher.refs, [user.id], now)).get(user.id)
    const asked = matcher.refs.map(({ appId, id }) => ({
      path: `c1.user.v1.HasEntitlement(subject, "${appId}", "${id}")`,
      value: held?.has(`${appId}/${id}`) ?? false,
      isMissing: false,
    }))
    return [status, ...asked].slice(0, looksMax)
  }
  const { expression } = matcher
  const [subject] = await listSubjects(call.db, call.tenant.id, now, [expression], { userIds: [user.id] })
  const seen = subject ? look(expression, subject) : []
  return [...(seen.some(({ path }) => path === status.path) ? [] : [status]), ...seen].slice(0, looksMax)
}
