import { route } from '#authority/route.ts'
import { readApart } from '#kernel/order.ts'
import type { Route } from '#kernel/routes.ts'
import { described, int32, listOf, message, oneOf, required, text } from '#kernel/wire.ts'
import { listFieldValues, valueFields } from '#rooms/identity/users/index.ts'

const limit = 50

/** The values by which people can be filtered: a filter suggests what is there. */
export const valueRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.Lists.ListUserValues',
    at: 'GET /api/v1/lists/users/values',
    summary:
      'List the departments, job titles, employment types or employment statuses that users have, to filter by them.',
    rule: 'users.read',
    query: message('bailiwick.v1.ListUserValuesQuery', {
      field: required(oneOf(['', ...valueFields]), `must be one of ${valueFields.join(', ')}`),
      query: described(text({ maxLength: 200 }), 'What the value contains.'),
    }),
    reply: message('bailiwick.v1.ListUserValuesResponse', {
      list: described(
        listOf(
          message('bailiwick.v1.UserValue', { value: text(), count: described(int32(), 'How many users have it.') }),
        ),
        `At most ${limit}, the most frequent first.`,
      ),
    }),
    async handle(call, { query }) {
      const field = query.field as (typeof valueFields)[number]
      const wanted = { query: query.query.trim().toLowerCase(), least: 1, limit, isEnabledOnly: false }
      return { list: await readApart(call.db, true, (db) => listFieldValues(db, call.tenant.id, field, wanted)) }
    },
  }),
]
