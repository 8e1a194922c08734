import { type About, type At, type Definition, type Route, route as routeOf } from '#kernel/routes.ts'
import type { Fields } from '#kernel/wire.ts'
import type { May } from './proof.ts'
import { type Action, ownable, type Rule, rules } from './rules.ts'

/**
 * A route, and the rule that says who may call it. If the rule admits owners of something, `about` must name it. The
 * call that the handler gets is proof that the caller was admitted by that rule.
 */
export function route<
  const A extends At,
  const N extends Action,
  Q extends Fields = {},
  B extends Fields = {},
  R extends Fields = Fields,
>(definition: Definition<A, Q, B, R, May<N>> & { rule: N }): Route {
  const { id, rule: action } = definition
  const rule: Rule = rules[action]
  const about = [definition.about ?? []].flat() as About[]
  if (partsOf(about) !== owned(rule)) throw new Error(`${id}: the rule ${action} is about ${owned(rule) || 'nothing'}`)
  const { needs: allow, ownersNeed, recentSignIn } = rule
  return routeOf({
    ...(definition as unknown as Definition<A, Q, B, R>),
    rule: action,
    allow,
    ...(ownersNeed && { allowOwners: ownersNeed }),
    ...(rule.ownersAbove && { fromAbove: true }),
    ...(recentSignIn && { needsFresh: true }),
  })
}

/** For a route that is derived from another, such as the export of a list: the same callers may call it. */
export const ruleOf = ({ id, rule }: Pick<Route, 'id' | 'rule'>): Action => {
  if (!Object.hasOwn(rules, rule)) throw new Error(`${id} was made without a rule`)
  return rule as Action
}

const partsOf = (about: readonly About[]): string => about.map((each) => Object.keys(each).join(' ')).join(' and ')

const owned = ({ owners, ownersAbove }: Rule): string => {
  const kind = owners ?? ownersAbove
  return kind ? ownable[kind].map((parts) => parts.join(' ')).join(' and ') : ''
}
