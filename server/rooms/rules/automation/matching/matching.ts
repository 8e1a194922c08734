import { slot } from '#kernel/memory.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import {
  type Asker,
  type Expression,
  evaluateExpressions,
  expressionSql,
  type Fragment,
  listSubjectRows,
  prepareExpression,
  type Tells,
} from '#rooms/rules/expressions/index.ts'
import type { Definition, EntitlementRef, Failure } from '../automation.ts'
import { type Effort, goOn, overBudget, unitsLeft } from '../effort.ts'
import { listExpressions } from '../rule/store.ts'
import { holdersOf, listHoldings } from './store/holders.ts'

/** A rule, ready to be evaluated. */
export type Matcher =
  | { kind: 'none' }
  | { kind: 'expression'; expression: Expression }
  | { kind: 'holders'; refs: readonly EntitlementRef[] }

/** Who evaluates a rule, where, and what it may cost. */
export type Asking = {
  db: Reads
  world: Pick<World, 'memory'>
  tenantId: number
  now: Date
  effort: Effort
}

/** `field` is the caller's name for the expression, for when it is refused. */
export async function matcherOf(
  world: Pick<World, 'memory'>,
  asker: Asker,
  definition: Definition,
  field = 'expression',
): Promise<Matcher> {
  if (definition.kind === 'none') return { kind: 'none' }
  if (definition.kind === 'entitlements') return { kind: 'holders', refs: definition.refs }
  return { kind: 'expression', expression: await prepareExpression(world, asker, definition.expression, field) }
}

const aheadMax = 5_000

/**
 * Prepares all rules once, when a server starts: otherwise the first change would wait for it, with 500 rules for a second.
 * Rules that are saved later are prepared by the server that saves them, and by others when they first evaluate them.
 */
export const preparedAhead = slot((world) => {
  let isDone = false
  return async (): Promise<void> => {
    if (isDone) return
    for (const expression of await listExpressions(world.db, aheadMax)) {
      try {
        await prepareExpression(world, { lane: 'ahead', signal: null }, expression)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
    }
    isDone = true
  }
})

/** What a rule reads: fields of the user, entitlements, apps; and whether its result changes with time. */
export function readsOf(matcher: Matcher): {
  fields: readonly string[]
  entitlements: readonly EntitlementRef[]
  apps: readonly string[]
  isClocked: boolean
} {
  if (matcher.kind === 'none') return { fields: [], entitlements: [], apps: [], isClocked: false }
  // Disabled users match no rule, regardless of what it reads.
  if (matcher.kind === 'holders') return { fields: ['status'], entitlements: matcher.refs, apps: [], isClocked: false }
  const { fields, entitlements, apps, isClocked } = matcher.expression.reads
  return { fields: [...new Set([...fields, 'status'])], entitlements, apps, isClocked }
}

/** What its results reveal. */
export const revealedBy = (matcher: Matcher): Tells => {
  if (matcher.kind === 'expression') return matcher.expression.tells
  return { roots: [], fields: [], entitlements: matcher.kind === 'none' ? [] : matcher.refs, apps: [], lookups: [] }
}

/**
 * The result of a rule for the rows `u` of users, in SQL: true, false, or null if it fails. No fragment if the rule cannot
 * be expressed in SQL. `isForAll` is for statements over everyone, rather than over a few.
 */
export async function verdictSql(
  { db, world, tenantId, now, effort }: Asking,
  matcher: Matcher,
  isForAll: boolean,
): Promise<{ fragment: Fragment | null }> {
  if (matcher.kind === 'none') return { fragment: db`false` }
  if (matcher.kind === 'holders') return { fragment: holdersOf(db, tenantId, matcher.refs, { now, isForAll }) }
  return expressionSql(world, effort, db, matcher.expression, { tenantId, now, users: 'u' })
}

export type Judged = { matched: string[]; failures: Failure[] }

// A profile may have 64 KiB: 16 MB at once.
const perPage = 250

/**
 * Evaluates an expression for some users, one by one. Deleted ones match nothing. All other rules are always expressed in
 * SQL.
 */
export async function judge(asking: Asking, matcher: Matcher, userIds: readonly string[]): Promise<Judged> {
  const { db, world, tenantId, now, effort } = asking
  const judged: Judged = { matched: [], failures: [] }
  if (userIds.length === 0 || matcher.kind !== 'expression') return judged
  const { expression } = matcher
  for (let from = 0; from < userIds.length; from += perPage) {
    goOn(effort)
    const page = userIds.slice(from, from + perPage)
    const rows = await listSubjectRows(db, tenantId, now, [expression], { userIds: page })
    const unitsMax = unitsLeft(effort, page.length)
    const told = await evaluateExpressions(world, effort, [expression], rows, { now, unitsMax })
    if (told.isOver) throw overBudget()
    effort.units += told.units
    effort.users += page.length
    judged.matched.push(...(told.of[0]?.matched ?? []))
    judged.failures.push(...(told.of[0]?.failures ?? []))
  }
  return judged
}

/** The result of `judge`, as SQL over the same users. */
export const judgedSql = (db: Reads, { matched, failures }: Judged): Fragment => db`
  case when u.user_id = any(${matched}::text[]) then true
    when u.user_id = any(${failures.map(({ userId }) => userId)}::text[]) then null else false end`

/** The result of a rule for some users, in SQL: the rule itself, or the result of evaluating it for each. */
export async function verdictAbout(
  asking: Asking,
  matcher: Matcher,
  userIds: readonly string[],
): Promise<{ verdict: Fragment }> {
  const { fragment } = await verdictSql(asking, matcher, false)
  return { verdict: fragment ?? judgedSql(asking.db, await judge(asking, matcher, userIds)) }
}

export type Verdict = { matches: boolean; error: string }
export type AskedRule<K> = { key: K; matcher: Matcher }

/** Evaluates many rules for some users, who are enabled: by rule, by user. No entry means false. */
export async function judgeAll<K>(
  asking: Asking,
  rules: readonly AskedRule<K>[],
  userIds: readonly string[],
): Promise<Map<K, Map<string, Verdict>>> {
  const { db, world, tenantId, now, effort } = asking
  const told = new Map<K, Map<string, Verdict>>(rules.map(({ key }) => [key, new Map()]))
  const read = rules.flatMap(({ matcher }) => (matcher.kind === 'holders' ? matcher.refs : []))
  const holdings =
    read.length > 0 ? await listHoldings(db, tenantId, read, userIds, now) : new Map<string, Set<string>>()
  for (const { key, matcher } of rules)
    if (matcher.kind === 'holders')
      for (const [userId, held] of holdings) {
        const matches = matcher.refs.some(({ appId, id }) => held.has(`${appId}/${id}`))
        told.get(key)?.set(userId, { matches, error: '' })
      }
  const asked = rules.flatMap(({ key, matcher }) =>
    matcher.kind === 'expression' ? [{ key, expression: matcher.expression }] : [],
  )
  const expressions = asked.map(({ expression }) => expression)
  for (let from = 0; from < userIds.length && asked.length > 0; from += perPage) {
    const page = userIds.slice(from, from + perPage)
    const rows = await listSubjectRows(db, tenantId, now, expressions, { userIds: page })
    const unitsMax = unitsLeft(effort, page.length * asked.length)
    const { of, units, isOver } = await evaluateExpressions(world, effort, expressions, rows, { now, unitsMax })
    if (isOver) throw overBudget()
    effort.units += units
    effort.users += page.length * asked.length
    for (const [place, { matched, failures }] of of.entries()) {
      const ofRule = told.get((asked[place] as (typeof asked)[number]).key) as Map<string, Verdict>
      for (const { id } of rows) ofRule.set(id, { matches: false, error: '' })
      for (const userId of matched) ofRule.set(userId, { matches: true, error: '' })
      for (const { userId, error } of failures) ofRule.set(userId, { matches: false, error })
    }
  }
  return told
}
