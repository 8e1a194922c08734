import type { Claim } from '../claim.ts'
import { requestBytes } from '../load.ts'
import { startScript } from '../processes.ts'
import { answersOf, appId, apps, inTurns, releaseTasks, searchBytes, sharedTasks, tasksWanted } from '../tasks.ts'

const count = tasksWanted(1_000_000)

/*
 * Before replies were written as text for everyone, on 2 cores that others used: 0.61 in one run and 0.45 in another, among a
 * million tasks. CPU time since, among 100,000 on a busy machine: 4.8 ms of Node and 1.5 ms of PostgreSQL a page, and 3.2 and 2.3
 * for the floor: 0.87 (decision 0058). On 2 quiet cores, among 100,000: 0.84 (0.74 to 0.92).
 */
export const claim: Claim = {
  claim:
    `A search of tasks by app and state, a page of 25 among ${count} tasks of which ${count / 10} are open, comes at least 0.5 ` +
    'times as fast as from a bare node:http server that runs the same SQL through the same driver and stringifies the same JSON.',
  unit: 'pages/s',
  ratioMin: 0.5,
  rounds: 7,
  release: releaseTasks,
  async start() {
    const scene = await sharedTasks(count)
    const { dataDir, tenantId, adminToken } = scene
    const places = Array.from({ length: apps }, (_, n) =>
      [true, false].map((isOpen) => ({ id: appId(n), isOpen })),
    ).flat()
    const asked = places.map(({ id, isOpen }) => ({ userId: '', filter: { appIds: [id], isOpen } }))
    const floor = await startScript('bare-tasks.ts', { dataDir, tenantId, asked })
    const searches = places.map(({ id, isOpen }) =>
      searchBytes(adminToken, { applicationIds: [id], taskStates: [isOpen ? 'TASK_STATE_OPEN' : 'TASK_STATE_CLOSED'] }),
    )
    return {
      subject: { ...answersOf(scene.port, inTurns(searches)), stop: scene.stop },
      floor: { ...answersOf(floor.port, inTurns([requestBytes('POST', '/', { body: '{}' })])), stop: floor.stop },
    }
  },
}
