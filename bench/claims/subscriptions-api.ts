import { setTimeout as sleep } from 'node:timers/promises'
import type { Claim } from '../claim.ts'
import { load, requestBytes } from '../load.ts'
import { startSubscribed } from '../subscriptions.ts'

const events = Number(process.env['BENCH_EVENTS'] ?? 10_000)
const subscriptions = 20

// Measured on 2 cores that were not quiet: 0.91 in 20 pairs of rounds (0.6 to 1.3 in single pairs), with one delivery per 67 requests 0.85. A request
// takes 12 to 16% more CPU meanwhile, of Node and of PostgreSQL, though deliveries are 3% of the main thread by profile: load, server, PostgreSQL and
// receiver share 2 cores and their caches. That progress is no longer waited for by the disk made a third of the difference.
export const claim: Claim = {
  claim:
    `While ${events} events are delivered to ${subscriptions} subscriptions, the API serves at least 0.9 times as many requests as ` +
    'while nothing is delivered.',
  unit: 'requests/s',
  ratioMin: 0.9,
  rounds: 9,
  async start() {
    const scene = await startSubscribed(subscriptions)
    await scene.addEvents(events)
    const request = requestBytes('GET', '/api/v1/users?page_size=25', {
      headers: { authorization: `Bearer ${scene.token}` },
    })
    const served = async (): Promise<number> => {
      const { perSecond, statuses } = await load({
        port: scene.port,
        connections: 8,
        durationMs: 4_000,
        next: () => request,
      })
      if ([...statuses.keys()].some((status) => status !== 200)) throw new Error('not every answer was a 200')
      return perSecond
    }
    return {
      subject: {
        async round() {
          await scene.resumeAll()
          // What follows from 20 changes is no part of it.
          await sleep(1_500)
          const before = await scene.received()
          const perSecond = await served()
          const delivered = (await scene.received()) - before
          await scene.pauseAll()
          // What was under way when they were paused.
          await sleep(1_500)
          if (delivered === 0) throw new Error('nothing was delivered meanwhile')
          console.log(`      ${delivered} deliveries meanwhile`)
          return perSecond
        },
        stop: scene.stop,
      },
      floor: { round: served, stop: async () => {} },
    }
  },
}
