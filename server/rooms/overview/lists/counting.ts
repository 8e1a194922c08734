import { route, ruleOf } from '#authority/route.ts'
import { totalMax } from '#kernel/order.ts'
import type { At, Route } from '#kernel/routes.ts'
import { transact, within } from '#kernel/sql.ts'
import { described, type Fields, flag, int32, message } from '#kernel/wire.ts'
import type { List } from './list.ts'

const notFilters = new Set(['pageSize', 'pageToken', 'expandMask'])

/** The fields of a request that determine the items of a list and their order: all but those of the page. */
export const filtersOf = ({ query, body }: Route): Fields =>
  Object.fromEntries(Object.entries({ ...query.fields, ...body?.fields }).filter(([name]) => !notFilters.has(name)))

/** The input of the operation that lists the items, from filters in a body. */
export function inputOf(of: Route, filters: Readonly<Record<string, unknown>>, expand: readonly string[]) {
  const given = { ...filters, pageSize: null, pageToken: '', expandMask: expand.length > 0 ? { paths: expand } : null }
  return of.method === 'GET' ? { query: given, body: {} } : { query: {}, body: given }
}

const CountResponse = message('lists.v1.CountResponse', {
  count: described(int32(), `How many items the list has: ${totalMax} at most.`),
  isMore: described(flag(), `The list has more than ${totalMax} items; counting stopped there.`),
})

/** How many items a list has. A separate operation, so that no page waits for its total. */
export const countRoute = (list: List, of: Route): Route => {
  const { orderBy: _, sortBy: __, ...filters } = filtersOf(of)
  return route({
    id: `lists.v1.ListCounts.${list.id}`,
    at: `POST /api/v1/lists${list.path}/count` as At,
    summary: `Count the items of a list with the same filters: ${list.name}. Counting stops at ${totalMax}.`,
    rule: ruleOf(of),
    about: of.about as [],
    onlyReads: true,
    isHeavy: true,
    body: message(`lists.v1.Count${list.id}Request`, filters),
    reply: CountResponse,
    async handle(call, { path, body }) {
      const input = inputOf(of, { ...unsorted(of), ...body }, [])
      const counts = of.count as NonNullable<Route['count']>
      // In a transaction, which has a separate connection: counting with a filter that has no index may take long.
      const count = await transact(call.db, (tx) =>
        counts(
          { ...call, origin: call.origin, signal: call.signal, shows: {}, db: within(tx) },
          { path, ...input },
          totalMax + 1,
        ),
      )
      return { count: Math.min(count, totalMax), isMore: count > totalMax }
    },
  })
}

/** The default order of a list, which applies if the request has none. */
function unsorted(of: Route): Record<string, unknown> {
  const { orderBy, sortBy } = filtersOf(of)
  const unset = message('', { ...(orderBy && { orderBy }), ...(sortBy && { sortBy }) }).read({}, '', [])
  return unset
}
