import type { Claim } from '../claim.ts'
import { load, requestBytes } from '../load.ts'
import { startScript } from '../processes.ts'
import { answersOf, entitlements, grantBody, inTurns, startTasks, taskId, tasksWanted, users } from '../tasks.ts'

/** Tasks that are there before. */
const count = tasksWanted(200_000)

/*
 * NOT MET where it was last looked at, by CPU time on a busy machine among 100,000 tasks: 0.16 before decision 0058, and 0.36 and
 * 0.27 since (3.8 and 2.9 ms of Node and 2.9 and 2.6 ms of PostgreSQL a request; for the floor 1.1 and 0.7, and 1.3 and 0.8). With
 * groups of statements (decision 0081), among 20,000: 0.28, 0.24 and 0.27 (2.0 to 2.5 ms and 1.8 to 2.3 ms; for the floor 0.4 to
 * 0.5 and 0.6 to 0.7), and 0.36 after 1,800 requests (2.5 and 2.2; 0.7 and 1.0). On 2 quiet cores, among 100,000, before that:
 * 0.29 (0.24 to 0.33; 386 requests/s); among 20,000, since: 0.36 (0.31 to 0.38; 394 requests/s).
 */
export const claim: Claim = {
  claim:
    'Requests for access, each by a person for another one and to be approved by their manager, are created at least 0.4 ' +
    'times as fast as by a bare node:http server with one transaction of two inserts: a task and its events.',
  unit: 'requests/s',
  ratioMin: 0.4,
  rounds: 7,
  async start() {
    const scene = await startTasks(count)
    const { dataDir, tenantId, helpdeskToken } = scene
    // Nobody asks for the same twice: of entitlements of which there are no tasks.
    let n = 0
    const next = (): Buffer => {
      const entitlement = 5 + Math.floor(n / users)
      if (entitlement >= entitlements - 1) throw new Error('there is nothing left to ask for')
      return requestBytes('POST', '/api/v1/task/grant', {
        headers: { authorization: `Bearer ${helpdeskToken}` },
        body: JSON.stringify(grantBody(n++ % users, entitlement)),
      })
    }
    let reply = ''
    const onAnswer = (answer: Buffer): void => {
      reply = answer.toString().split('\r\n\r\n')[1] ?? ''
    }
    await load({ port: scene.port, connections: 1, durationMs: 1, next, onAnswer })
    const floor = await startScript('bare-inserts.ts', { dataDir, tenantId, taskId: taskId(0), reply })
    return {
      subject: { ...answersOf(scene.port, next), stop: scene.stop },
      floor: { ...answersOf(floor.port, inTurns([requestBytes('POST', '/', { body: '{}' })])), stop: floor.stop },
    }
  },
}
