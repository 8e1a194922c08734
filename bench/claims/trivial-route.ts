import type { Claim, Side } from '../claim.ts'
import { load, requestBytes } from '../load.ts'
import { type Served, startBailiwick, startScript } from '../processes.ts'

const path = '/healthz'
const request = requestBytes('GET', path)

const sideOf = (served: Served): Side => ({
  stop: served.stop,
  async round() {
    const { perSecond, statuses } = await load({
      port: served.port,
      connections: 32,
      durationMs: 1000,
      next: () => request,
    })
    if ([...statuses.keys()].some((status) => status !== 200)) throw new Error('not every answer was a 200')
    return perSecond
  },
})

// Where the time of the subject goes (BENCH_PROFILE=FOLDER, 2 cores, ratio 0.62): 33% the write to the socket, which the
// floor has too; 21% the log line, half of it formatting and half writing; 17% Fastify's routing and hooks; 3% metrics;
// 1% the request id. As text and headers in one write, ids drawn many at once, and secrets struck out without looking
// behind, it is what it is; before, the ratio was 0.49.

// Written by Node itself, for either server.
const nodes = ['date', 'connection', 'keep-alive']

export const claim: Claim = {
  claim:
    'A route that does nothing and needs no token, with request ids, metrics and a log line for each request, ' +
    'serves at least half as many requests as a bare node:http server that answers the same bytes.',
  unit: 'requests/s',
  ratioMin: 0.5,
  rounds: 9,
  async start() {
    const subject = await startBailiwick()
    const reply = await fetch(`http://127.0.0.1:${subject.port}${path}`)
    const headers = Object.fromEntries([...reply.headers].filter(([name]) => !nodes.includes(name)))
    const floor = await startScript('bare.ts', { headers, body: await reply.text() })
    return { subject: sideOf(subject), floor: sideOf(floor) }
  },
}
