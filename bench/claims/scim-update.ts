import type { Claim } from '../claim.ts'
import { load, requestBytes } from '../load.ts'
import { startScript } from '../processes.ts'
import { startScim } from '../scim.ts'
import { answersOf } from '../tasks.ts'

const users = Number(process.env['BENCH_SCIM_USERS'] ?? 10_000)
const connections = 4

export const claim: Claim = {
  claim:
    `Updates of users by SCIM (a PATCH of the title, among ${users}) are at least 0.4 times as many as those of a bare node:http ` +
    'server with the same statements in one transaction.',
  unit: 'updates/s',
  ratioMin: 0.4,
  rounds: 7,
  async start() {
    const scene = await startScim(users)
    console.log(`      ${users} users were created one by one, ${Math.round(scene.createdPerSecond)} a second`)
    const { appId, token, ids, dataDir } = scene
    let n = 0
    const next = (): Buffer => {
      const id = ids[n % ids.length] as string
      const title = `Title ${Math.floor(n++ / ids.length)} of ${n % 7}`
      return requestBytes('PATCH', `/scim/v2/${appId}/Users/${id}`, {
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ Operations: [{ op: 'replace', path: 'title', value: title }] }),
      })
    }
    let reply = ''
    const onAnswer = (answer: Buffer): void => {
      reply = answer.toString().split('\r\n\r\n')[1] ?? ''
    }
    await load({ port: scene.port, connections: 1, durationMs: 1, next, onAnswer })
    const floor = await startScript('bare-scim.ts', { dataDir, appId, ids: ids.slice(0, 1_000), reply })
    return {
      subject: { ...answersOf(scene.port, next, connections), stop: scene.stop },
      floor: {
        ...answersOf(floor.port, () => requestBytes('PATCH', '/', { body: '{}' }), connections),
        stop: floor.stop,
      },
    }
  },
}
