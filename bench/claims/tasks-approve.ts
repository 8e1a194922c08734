import type { Claim } from '../claim.ts'
import { load, requestBytes } from '../load.ts'
import { startScript } from '../processes.ts'
import { answersOf, inTurns, startTasks, stepId, taskId, tasksWanted } from '../tasks.ts'

/** One in ten is open, and is approved. */
const count = tasksWanted(300_000)

/*
 * NOT MET where it was last looked at, by CPU time on a busy machine among 40,000 tasks: 0.33, 0.29 and 0.22 (2.7 to 3.0 ms of
 * Node and 2.4 to 3.0 ms of PostgreSQL an approval, and 0.4 to 0.8 and 0.8 to 1.0 for the floor); before decision 0081 0.18 and
 * 0.23 there. An approval checks again who can decide, and writes the grant, what rules are told of it, the task, its events,
 * its assignees and actors and the system log: 16 statements in 4 round trips, which were 21 in 8. Decision 0081 says what each
 * costs. On 2 quiet cores, among 100,000, before it: 0.19 and 0.20 (0.16 to 0.26; 242 approvals/s); among 60,000, since: 0.26 (0.18
 * to 0.33; 332 approvals/s).
 */
export const claim: Claim = {
  claim:
    'Requests are approved, which gives the access, at least 0.4 times as fast as a bare node:http server does one ' +
    'transaction of two inserts: a task and its events.',
  unit: 'approvals/s',
  ratioMin: 0.4,
  rounds: 7,
  async start() {
    // Everybody's manager is the same one.
    const scene = await startTasks(count, 1)
    const { dataDir, tenantId, managerTokens } = scene
    const headers = { authorization: `Bearer ${managerTokens[0]}` }
    // The last one is what the floor copies.
    let n = count / 10 - 1
    const next = (): Buffer => {
      if (--n < 0) throw new Error('there is nothing left to approve')
      return requestBytes('POST', `/api/v1/tasks/${taskId(n * 10)}/action/approve`, {
        headers,
        body: JSON.stringify({ policyStepId: stepId(n * 10), comment: 'Go on.' }),
      })
    }
    let reply = ''
    const onAnswer = (answer: Buffer): void => {
      reply = answer.toString().split('\r\n\r\n')[1] ?? ''
    }
    await load({ port: scene.port, connections: 1, durationMs: 1, next, onAnswer })
    const floor = await startScript('bare-inserts.ts', { dataDir, tenantId, taskId: taskId(count - 10), reply })
    return {
      subject: { ...answersOf(scene.port, next), stop: scene.stop },
      floor: { ...answersOf(floor.port, inTurns([requestBytes('POST', '/', { body: '{}' })])), stop: floor.stop },
    }
  },
}
