import { route } from '#authority/route.ts'
import type { Route } from '#kernel/routes.ts'
import { described, flag, int32, list, message, timestamp } from '#kernel/wire.ts'
import { getNumbers } from './actions.ts'
import { daysMax } from './decide.ts'

const daysUsual = 30

export const numberRoutes: readonly Route[] = [
  route({
    id: 'bailiwick.v1.Home.GetNumbers',
    at: 'GET /api/v1/home/numbers',
    summary:
      'Count people, accounts and grants at the end of each of the last days, and the grants that were added and removed on each. The list is empty for objects that the caller may not see; owners get the numbers of what they own.',
    rule: 'self.introspect',
    query: message('bailiwick.v1.GetNumbersQuery', {
      days: described(
        int32({ least: 2, most: daysMax }),
        `How many days in UTC, including today: from 2 to ${daysMax}; ${daysUsual} by default.`,
      ),
    }),
    reply: message('bailiwick.v1.GetNumbersResponse', {
      since: described(timestamp(), 'The beginning of the first day.'),
      isOwned: described(flag(), 'Whether accounts and grants are only those of what the caller owns.'),
      people: described(list(int32()), 'At the end of each day; the last is now.'),
      accounts: list(int32()),
      grants: described(list(int32()), 'One for each account, entitlement and source of a grant.'),
      added: described(list(int32()), 'Grants that were added on each day.'),
      removed: described(list(int32()), 'Grants that were removed or expired on each day.'),
    }),
    handle(call, { query }) {
      const days = query.days === 0 ? daysUsual : query.days
      return getNumbers(call, days)
    },
  }),
]
