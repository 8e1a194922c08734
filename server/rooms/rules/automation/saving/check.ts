import { mayEverywhere } from '#authority/may.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { sightOf } from '#rooms/identity/users/index.ts'
import { findEntitlementsUncounted } from '#rooms/records/apps/index.ts'
import { unseenBy } from '#rooms/rules/expressions/index.ts'
import { type Definition, type EntitlementRef, writtenRefs } from '../automation.ts'
import { cycleOf } from '../decide.ts'
import { effortOf, isTooMuchFor, overBudget } from '../effort.ts'
import { judge, type Matcher, matcherOf, readsOf, tellsOf, verdictSql } from '../matching/matching.ts'
import { countUsers, listNextUsers } from '../matching/store/difference.ts'
import { automationCircle } from '../refuse.ts'
import { listReadsOfOthers } from '../rule/store.ts'

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
