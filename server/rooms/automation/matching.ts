import { slot } from '#kernel/memory.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type Compiled, compileExpression, type Fragment, listSubjects } from '#rooms/expressions/index.ts'
import type { Definition, EntitlementRef, Failure } from './automation.ts'
import { listExpressions } from './store.ts'
import { holdersOf, listHoldings } from './store-holders.ts'

/** A rule, ready to be asked. */
export type Matcher =
  | { kind: 'none' }
  | { kind: 'expression'; compiled: Compiled }
  | { kind: 'holders'; refs: readonly EntitlementRef[] }

const compiledMax = 5_000

/** Expressions that were compiled, by their text: what they mean does not change. */
const compiledBefore = slot(() => new Map<string, Compiled>())

/** `field` is how the caller calls the expression, for when it is refused. */
export function matcherOf(world: Pick<World, 'memory'>, definition: Definition, field = 'expression'): Matcher {
  if (definition.kind === 'none') return { kind: 'none' }
  if (definition.kind === 'entitlements') return { kind: 'holders', refs: definition.refs }
  const known = world.memory(compiledBefore)
  const found = known.get(definition.expression)
  if (found) return { kind: 'expression', compiled: found }
  const compiled = compileExpression(definition.expression, field)
  known.set(definition.expression, compiled)
  if (known.size > compiledMax) known.delete(known.keys().next().value as string)
  return { kind: 'expression', compiled }
}

/**
 * Compiles all rules once, when a server starts: the first change would else wait for it, with 500 rules for a second.
 * Those that are saved later are compiled by whoever saves them, and by others when they first meet them.
 */
export const compiledAhead = slot((world) => {
  let isDone = false
  return async (): Promise<void> => {
    if (isDone) return
    for (const expression of await listExpressions(world.db, compiledMax)) {
      try {
        matcherOf(world, { kind: 'cel', expression })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
      await yieldToOthers()
    }
    isDone = true
  }
})

/** What a rule reads: fields of the user, entitlements, apps; and whether its answer changes with the time. */
export function readsOf(matcher: Matcher): {
  fields: readonly string[]
  entitlements: readonly EntitlementRef[]
  apps: readonly string[]
  isClocked: boolean
} {
  if (matcher.kind === 'none') return { fields: [], entitlements: [], apps: [], isClocked: false }
  // Whoever is disabled matches no rule, whatever it reads.
  if (matcher.kind === 'holders') return { fields: ['status'], entitlements: matcher.refs, apps: [], isClocked: false }
  const { fields, entitlements, apps, isClocked } = matcher.compiled.reads
  return { fields: [...new Set([...fields, 'status'])], entitlements, apps, isClocked }
}

/**
 * What a rule says of the rows `u` of users, in SQL: true, false, or null where it fails. Null (no fragment) where the
 * rule cannot be said in SQL. `isForAll` is for statements over everyone, rather than over a few.
 */
export function verdictSql(
  db: Reads,
  tenantId: number,
  matcher: Matcher,
  { now, isForAll }: { now: Date; isForAll: boolean },
): Fragment | null {
  if (matcher.kind === 'none') return db`false`
  if (matcher.kind === 'holders') return holdersOf(db, tenantId, matcher.refs, { now, isForAll })
  return matcher.compiled.toSql(db, { tenantId, now, users: 'u' })
}

export type Judged = { matched: string[]; failures: Failure[] }

// A slice of a few milliseconds: others' requests are served between two.
const perSlice = 250

/** Lets whatever else waits have its turn. */
const yieldToOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Asks an expression about some users, one by one. Deleted ones match nothing. All else is always said in SQL. */
export async function judge(
  db: Reads,
  tenantId: number,
  matcher: Matcher,
  userIds: readonly string[],
  now: Date,
): Promise<Judged> {
  const judged: Judged = { matched: [], failures: [] }
  if (userIds.length === 0 || matcher.kind !== 'expression') return judged
  const { compiled } = matcher
  let asked = 0
  for (const subject of await listSubjects(db, tenantId, now, [compiled], { userIds })) {
    const told = compiled.evaluate(subject, now)
    if ('error' in told) judged.failures.push({ userId: subject.id, error: told.error })
    else if (told.value) judged.matched.push(subject.id)
    asked += 1
    if (asked % perSlice === 0) await yieldToOthers()
  }
  return judged
}

/** What `judge` said, as SQL over the same users. */
export const judgedSql = (db: Reads, { matched, failures }: Judged): Fragment => db`
  case when u.user_id = any(${matched}::text[]) then true
    when u.user_id = any(${failures.map(({ userId }) => userId)}::text[]) then null else false end`

/**
 * What a rule says of some users, in SQL: its own words, or what it said when each was asked. In an object, because a
 * fragment by itself would be sent by whoever awaits it.
 */
export async function verdictAbout(
  db: Reads,
  tenantId: number,
  matcher: Matcher,
  userIds: readonly string[],
  now: Date,
): Promise<{ verdict: Fragment }> {
  const verdict = verdictSql(db, tenantId, matcher, { now, isForAll: false })
  return { verdict: verdict ?? judgedSql(db, await judge(db, tenantId, matcher, userIds, now)) }
}

export type Verdict = { matches: boolean; error: string }
export type AskedRule<K> = { key: K; matcher: Matcher }

/** Asks many rules about some users, who are enabled: by rule, by user. What is told of nobody is false. */
export async function judgeAll<K>(
  db: Reads,
  tenantId: number,
  rules: readonly AskedRule<K>[],
  userIds: readonly string[],
  now: Date,
): Promise<Map<K, Map<string, Verdict>>> {
  const told = new Map<K, Map<string, Verdict>>(rules.map(({ key }) => [key, new Map()]))
  const compiled = rules.flatMap(({ matcher }) => (matcher.kind === 'expression' ? [matcher.compiled] : []))
  const subjects = compiled.length > 0 ? await listSubjects(db, tenantId, now, compiled, { userIds }) : []
  const read = rules.flatMap(({ matcher }) => (matcher.kind === 'holders' ? matcher.refs : []))
  const holdings =
    read.length > 0 ? await listHoldings(db, tenantId, read, userIds, now) : new Map<string, Set<string>>()
  let asked = 0
  for (const { key, matcher } of rules) {
    const of = told.get(key) as Map<string, Verdict>
    if (matcher.kind === 'holders')
      for (const [userId, held] of holdings) {
        const matches = matcher.refs.some(({ appId, id }) => held.has(`${appId}/${id}`))
        of.set(userId, { matches, error: '' })
      }
    if (matcher.kind !== 'expression') continue
    for (const subject of subjects) {
      const answer = matcher.compiled.evaluate(subject, now)
      of.set(
        subject.id,
        'error' in answer ? { matches: false, error: answer.error } : { matches: answer.value, error: '' },
      )
      asked += 1
      if (asked % perSlice === 0) await yieldToOthers()
    }
  }
  return told
}
