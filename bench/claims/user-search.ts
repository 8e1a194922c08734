import type { Claim, Side } from '../claim.ts'
import { load, requestBytes } from '../load.ts'
import { anyBeginning, anyId, type People, startPeople } from '../people.ts'

const users = Number(process.env['BENCH_SEARCH_USERS'] ?? 1_000_000)

/** How many such requests would follow each other in a second, each as long as the median one. */
const inTurn = ({ port }: People, next: () => Buffer): Omit<Side, 'stop'> => ({
  async round() {
    const { medianMs, statuses } = await load({ port, connections: 1, durationMs: 1500, next })
    if ([...statuses.keys()].some((status) => status !== 200)) throw new Error('not every answer was a 200')
    return 1000 / medianMs
  },
})

/*
 * Not met: 0.16 on 2 quiet cores. In CPU time a search takes 0.91 ms of the server and 0.48 ms of PostgreSQL, a lookup 0.2 and
 * 0.07 (among 200,000 users). Tried: users as lines of text, 18% less (decision 0056); and no faster, roles and delegations by
 * joins for the whole page.
 */
export const claim: Claim = {
  claim:
    `A search by the beginning of a name among ${users} users, a page of 25, takes at most 3 times as long as a lookup of ` +
    'one of them by id, median by median.',
  unit: 'requests/s',
  ratioMin: 0.334,
  rounds: 9,
  async start() {
    const people = await startPeople(users)
    const headers = { authorization: `Bearer ${people.token}` }
    const search = (): Buffer =>
      requestBytes('POST', '/api/v1/search/users', { headers, body: JSON.stringify({ query: anyBeginning(users) }) })
    const lookup = (): Buffer => requestBytes('GET', `/api/v1/users/${anyId(users)}`, { headers })
    return {
      subject: { ...inTurn(people, search), stop: people.stop },
      floor: { ...inTurn(people, lookup), stop: async () => {} },
    }
  },
}
