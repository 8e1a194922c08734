import type { Claim } from '../claim.ts'
import { answersOf, appId, releaseTasks, searchBytes, sharedTasks, type TaskScene, tasksWanted } from '../tasks.ts'

const count = tasksWanted(1_000_000)
const search = { applicationIds: [appId(7)], taskStates: ['TASK_STATE_CLOSED'], pageSize: 25 }

type Page = { list: { task: { state: string; type: { grant: { appId: string } } } }[]; nextPageToken: string }

async function pageAt({ port, adminToken }: TaskScene, pageToken: string): Promise<{ page: Page; bytes: number }> {
  const reply = await fetch(`http://127.0.0.1:${port}/api/v1/search/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...search, pageToken }),
  })
  const text = await reply.text()
  if (reply.status !== 200) throw new Error(text)
  return { page: JSON.parse(text) as Page, bytes: text.length }
}

/** Paged to the end. Both pages are full and of the same size: else the one would be as fast as the other for nothing. */
async function lastPageToken(scene: TaskScene): Promise<string> {
  const first = await pageAt(scene, '')
  let [token, last] = ['', first]
  for (let pages = 1; last.page.nextPageToken !== ''; pages++) {
    token = last.page.nextPageToken
    last = await pageAt(scene, token)
    if (last.page.nextPageToken === '') console.log(`  ${pages + 1} pages`)
  }
  for (const { page } of [first, last]) {
    const isMeant = page.list.every(
      ({ task: { state, type } }) => state === 'TASK_STATE_CLOSED' && type.grant.appId === appId(7),
    )
    if (page.list.length !== search.pageSize || !isMeant) throw new Error(`not a full page: ${page.list.length} tasks`)
  }
  if (token === '' || Math.abs(first.bytes / last.bytes - 1) > 0.02)
    throw new Error(`the last page has ${last.bytes} bytes, and the first ${first.bytes}`)
  return token
}

export const claim: Claim = {
  claim: `The last page of a search of tasks by app and state among ${count} comes as fast as the first, within 10%.`,
  unit: 'pages/s',
  ratioMin: 0.9,
  rounds: 9,
  release: releaseTasks,
  async start() {
    const scene = await sharedTasks(count)
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
