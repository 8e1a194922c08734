import type { Claim } from '../claim.ts'
import { answersOf, appId, searchBytes, startTasks, type TaskScene } from '../tasks.ts'

/** BENCH_TASKS=50000 is for a quick look. */
const count = Number(process.env['BENCH_TASKS'] ?? 1_000_000)
const search = { applicationIds: [appId(7)], taskStates: ['TASK_STATE_CLOSED'], pageSize: 25 }

/** Paged to the end. */
async function lastPageToken({ port, adminToken }: TaskScene): Promise<string> {
  const ask = async (pageToken: string): Promise<string> => {
    const reply = await fetch(`http://127.0.0.1:${port}/api/v1/search/tasks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...search, pageToken }),
    })
    return ((await reply.json()) as { nextPageToken: string }).nextPageToken
  }
  let before = ''
  for (let next = await ask(''); next !== ''; next = await ask(next)) before = next
  return before
}

export const claim: Claim = {
  claim: `The last page of a search of tasks by app and state among ${count} comes as fast as the first, within 10%.`,
  unit: 'pages/s',
  ratioMin: 0.9,
  rounds: 9,
  async start() {
    const scene = await startTasks(count)
    const pageToken = await lastPageToken(scene)
    const pages = (body: object) => {
      const request = searchBytes(scene.adminToken, { ...search, ...body })
      return answersOf(scene.port, () => request)
    }
    return {
      subject: { ...pages({ pageToken }), stop: scene.stop },
      floor: { ...pages({}), stop: async () => {} },
    }
  },
}
