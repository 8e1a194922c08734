import type { Claim, Side } from '../claim.ts'
import { busiestId, type Company, startCompany } from '../company.ts'
import { load, requestBytes } from '../load.ts'
import { anyBeginning, anyId } from '../people.ts'

const people = Number(process.env['BENCH_CONSOLE_PEOPLE'] ?? 10_000)
const dayMs = 86_400_000

/** What an administrator's browser asks for: the home page, a search, a list and the differences since yesterday. */
const visit = (): string[] => {
  const since = encodeURIComponent(new Date(Date.now() - dayMs).toISOString())
  return [
    '/api/v1/home/numbers',
    '/api/v1/home/attention',
    `/api/v1/find?query=${encodeURIComponent(anyBeginning(people))}`,
    '/api/v1/grants?page_size=25&ends_within_days=30',
    `/api/v1/changes/summary?from=${since}`,
    `/api/v1/changes?page_size=25&from=${since}`,
    `/api/v1/users/${busiestId}/access_history?page_size=100`,
  ]
}

/** How many visits would follow each other in a second, if one after the other is answered. */
const inTurn = ({ port, token }: Company, next: () => string[]): Omit<Side, 'stop'> => ({
  async round() {
    const bearer = await token()
    let [paths, count] = [next(), 0]
    const length = paths.length
    const { perSecond, statuses } = await load({
      port,
      connections: 1,
      durationMs: 4_000,
      next() {
        if (paths.length === 0) paths = next()
        count++
        return requestBytes('GET', paths.shift() as string, { headers: { authorization: `Bearer ${bearer}` } })
      },
    })
    if ([...statuses.keys()].some((status) => status !== 200)) throw new Error('not every answer was a 200')
    if (count < length) throw new Error('not one visit was answered')
    return perSecond / length
  },
})

export const claim: Claim = {
  claim: `Of a company with ${people} people and ${10 * people} grants, a visit (home, a search, a list, the differences since yesterday, a person's timeline) costs at most 40 times as much as reading as many single users.`,
  unit: 'visits/s',
  ratioMin: 0.025,
  rounds: 5,
  async start() {
    const company = await startCompany(people)
    const single = (): string[] => visit().map(() => `/api/v1/users/${anyId(people)}`)
    return {
      subject: { ...inTurn(company, visit), stop: company.stop },
      floor: { ...inTurn(company, single), stop: async () => {} },
    }
  },
}
