import { mayEverywhere } from '#authority/may.ts'
import { sightOf } from '#authority/sight/index.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { findEntitlementsUncounted } from '#rooms/records/apps/index.ts'
import { unseenBy } from '#rooms/rules/expressions/index.ts'
import { type Definition, type EntitlementRef, writtenRefs } from '../automation.ts'
import { cycleOf } from '../decide.ts'
import { effortOf, isTooMuchFor, overBudget } from '../effort.ts'
import { judge, type Matcher, matcherOf, readsOf, revealedBy, verdictSql } from '../matching/matching.ts'
import { countUsers, listNextUsers } from '../matching/store/difference.ts'
import { automationCircle } from '../refuse.ts'
import { listReadsOfOthers } from '../rule/store.ts'

// Few at first: an expression that was made to be slow takes a tenth of a second for each.
const usersTried = [5, 20, 100]
const usersCounted = 1_000_000

/**
 * Before anything is locked for it: prepares a rule that is to be saved, and refuses one whose cost for some users shows
 * that no run over everyone would finish.
 */
export async function tryDefinition(call: Call, definition: Definition, prefix: string): Promise<void> {
  if (!('expression' in definition)) return
  const effort = effortOf(call)
  const matcher = await matcherOf(call, effort, definition, `${prefix}${definition.kind}.expression`)
  // The cost may reveal what it reads: an expression that will be refused for that is not tried.
  if ((await unseenBy(call.db, call, revealedBy(matcher))).length > 0) return
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

/** Refuses a definition that is wrong, that names something that does not exist, or that would read what it grants. */
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
  // For callers who may not see every entitlement, those that they do not own count as not found.
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
