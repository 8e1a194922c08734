import { setTimeout as sleep } from 'node:timers/promises'
import { openOutgoing } from '#kernel/outgoing/send.ts'
import { openTurns } from '#kernel/turns.ts'
import type { Claim } from '../claim.ts'
import { startSubscribed } from '../subscriptions.ts'

const events = Number(process.env['BENCH_EVENTS'] ?? 10_000)
const subscriptions = 20

// Measured on 2 cores: 0.48 (2,522 of 5,204 requests per second). It was 0.13 to 0.17 before: where the time of the subject went, by profile
// (BENCH_PROFILE=FOLDER), was a transaction for each subscription every half second, the HMAC's key made anew for each message, a key sent to the signing
// thread with each batch, and two abort signals for each request.
export const claim: Claim = {
  claim:
    `${events} events are delivered to ${subscriptions} subscriptions, signed twice, in order and with a cursor in the database, at least ` +
    `0.3 times as fast as the same client posts the same bodies to the same receiver in ${subscriptions} loops.`,
  unit: 'requests/s',
  ratioMin: 0.3,
  rounds: 1,
  isCold: true,
  async start() {
    const scene = await startSubscribed(subscriptions)
    const bodies = await scene.addEvents(events)
    const count = events * subscriptions
    const timed = async (work: () => Promise<void>): Promise<number> => {
      const before = await scene.received()
      const begin = performance.now()
      await work()
      while ((await scene.received()) < before + count) await sleep(20)
      return (count * 1000) / (performance.now() - begin)
    }
    // As the engine has it: a connection for each, all kept.
    const pool = {
      turns: openTurns({ perKey: 64, inAll: 64, waitingMax: 64, waitMs: 60_000 }),
      perHost: 64,
      keptPerHost: 32,
    }
    const client = openOutgoing({ allow: ['127.0.0.1'], isHttpAllowed: true }, undefined, pool)
    const headers = { 'content-type': 'application/json' }
    const loop = async (n: number): Promise<void> => {
      for (const body of bodies)
        await client.send({ method: 'POST', url: `${scene.receiverUrl}${n}`, headers, body, lane: String(n) })
    }
    return {
      subject: { round: () => timed(scene.resumeAll), stop: scene.stop },
      floor: {
        round: () =>
          timed(async () => void (await Promise.all(Array.from({ length: subscriptions }, (_, n) => loop(n))))),
        stop: async () => client.close(),
      },
    }
  },
}
