import type { Claim } from '../claim.ts'
import { load, requestBytes } from '../load.ts'
import { startScript } from '../processes.ts'
import { answersOf, inTurns, startTasks, stepId, taskId, tasksWanted } from '../tasks.ts'

/** One in ten is open, and is approved. */
const count = tasksWanted(300_000)

/*
 * NOT MET where it was last looked at, by CPU time on a busy machine among 30,000 tasks: 0.26 (3.2 ms of Node and 3.5 ms of
 * PostgreSQL an approval, and 0.8 and 0.9 for the floor). An approval checks again who can decide, and writes the grant, what
 * rules are told of it, the task, its events, its assignees and actors and the system log: 22 statements in 8 round trips. On
 * 2 quiet cores, among 100,000: 0.19 and 0.20 (0.16 to 0.26; 242 approvals/s).
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
