import { seesEveryone, showNames, sightOf } from '#authority/sight/index.ts'
import type { Call } from '#kernel/routes.ts'
import { type Db, type Reads, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { listTenants } from '#rooms/foundation/tenants/index.ts'
import { refuseUnseen } from '#rooms/rules/expressions/index.ts'
import type { Definition, Failure } from './automation.ts'
import { namesLine } from './decide.ts'
import { type Matcher, revealedBy } from './matching/matching.ts'
import { deleteShown, insertShown, lockShown } from './store/seen.ts'

/**
 * Refuses a rule of someone who may not see everyone, if it reads what they may not know about people: fields other than
 * those of work, or who holds what they do not own. A plan or a run would reveal it (decision 0038).
 */
export const refuseUnseenReads = (
  db: Reads,
  call: Call,
  { definition, matcher, prefix }: { definition: Definition; matcher: Matcher; prefix: string },
): Promise<void> => {
  const refs = definition.kind === 'entitlements' ? '.entitlementRefs' : '.expression'
  return refuseUnseen(db, call, revealedBy(matcher), `${prefix}${definition.kind}${refs}`)
}

const dayMs = 86_400_000
const namesMax = 1000

/**
 * The users who would gain something by a plan and whose names its reader sees. Those whom they see anyway; of others, no
 * more than a fifth of everyone within a day: a plan for everyone names nobody, and many plans for a few at a time do not
 * add up to more, across all servers.
 */
export async function namedInPlan(
  db: Db,
  call: Call,
  userIds: readonly string[],
  { gain, enabled }: { gain: number; enabled: number },
): Promise<ReadonlySet<string>> {
  const seen = await sightOf(call, db).people(userIds)
  const line = Math.min(namesMax, namesLine(enabled))
  const others = userIds.filter((id) => !seen.has(id))
  if (gain > line || others.length === 0) return new Set(seen.keys())
  const at = call.now()
  const readerId = call.actor.userId
  const named = await transact(db, async (tx) => {
    const shown = await lockShown(tx, call.tenant.id, readerId, new Date(at.getTime() - dayMs))
    const known = others.filter((id) => shown.has(id))
    const more = others.filter((id) => !shown.has(id)).slice(0, Math.max(0, line - shown.size))
    if (more.length > 0) await insertShown(tx, call.tenant.id, { readerId, userIds: more, at })
    return [...known, ...more]
  })
  showNames(call, named)
  return new Set([...seen.keys(), ...named])
}

/** Names shown a day ago or earlier no longer count; run by the engine. */
export async function forgetShown({ db, now }: World): Promise<void> {
  const before = new Date(now().getTime() - dayMs)
  for (const { id } of await listTenants(db)) await deleteShown(db, id, before)
}

const fewest = 5

/** Shows counts below five as "at most four" to those who may not see the people counted; returns which counts those are. */
export function boundCounts<C extends { readonly [name: string]: number }>(
  call: Call,
  counts: C,
  names: readonly (keyof C & string)[],
): { counts: C; boundedCounts: string[] } {
  if (seesEveryone(call.actor)) return { counts, boundedCounts: [] }
  const boundedCounts = names.filter((name) => (counts[name] ?? 0) < fewest)
  return {
    counts: { ...counts, ...Object.fromEntries(boundedCounts.map((name) => [name, fewest - 1])) },
    boundedCounts,
  }
}

/** The users for whom a rule fails, and why, may reveal what it read about them. */
export const failuresFor = (call: Call, failures: readonly Failure[]): readonly Failure[] =>
  seesEveryone(call.actor) ? failures : []
