import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Claim } from '../claim.ts'
import { openConnectors, poll } from '../connectors.ts'
import { cpuOf } from '../cpu.ts'

const connectors = Number(process.env['BENCH_CONNECTORS'] ?? 200)
const pollsEach = 10
const inFlight = 4

/**
 * What 15% of one core is, for 2,000 connectors that poll every 30 s: 2.25 ms a poll. Measured on 2 cores: 4.0 ms of Node and 0.5 of
 * PostgreSQL, 30% of a core. A bare server of Node that does nothing but take such a connection (TLS handshake, HTTP/2 session,
 * one answer) takes 1.55 ms of it, the same with other curves and without tickets. The rest, by a profile of 2,400 polls: 0.7 ms
 * to send 2.5 statements to PostgreSQL, 0.5 Connect's streams, 0.35 garbage collection, 0.3 Fastify and the token, 0.2 to make the
 * exception with which Connect aborts a call that has ended.
 */
const pollsPerCpuSecond = 2000 / 30 / 0.15

export const claim: Claim = {
  claim:
    '2,000 idle connectors that poll every 30 s, each by a TLS connection of its own, take less than 15% of one core: of the ' +
    'server and its PostgreSQL together, by their CPU time.',
  unit: 'polls per CPU second',
  ratioMin: 1,
  rounds: 3,
  async start() {
    const scene = await openConnectors(connectors)
    const ca = readFileSync(join(scene.dataDir, 'tls-cert.pem'), 'utf8')
    const pid = scene.pid as number
    return {
      subject: {
        async round() {
          let node = 0
          let postgres = 0
          for (let each = 0; each < pollsEach; each++) {
            // Real polls are 30 s apart, so every second one writes that the connector was there.
            if (each % 2 === 0) await scene.forgetSeen()
            const before = cpuOf(pid)
            const waiting = [...scene.tokens]
            const drive = async (): Promise<void> => {
              for (let token = waiting.pop(); token !== undefined; token = waiting.pop())
                await poll(scene.port, ca, token)
            }
            await Promise.all(Array.from({ length: inFlight }, drive))
            const after = cpuOf(pid)
            node += after.node - before.node
            postgres += after.postgres - before.postgres
          }
          const polls = connectors * pollsEach
          const share = ((node + postgres) / polls) * (2000 / 30_000) * 100
          console.log(
            `      ${(node / polls).toFixed(2)} ms of Node and ${(postgres / polls).toFixed(2)} ms of PostgreSQL a poll: ` +
              `2,000 connectors take ${share.toFixed(1)}% of one core`,
          )
          return (polls * 1000) / (node + postgres)
        },
        stop: scene.stop,
      },
      floor: { round: async () => pollsPerCpuSecond, stop: async () => {} },
    }
  },
}
