import { expect, test } from 'vitest'
import { prepareTasks, target } from './scene.ts'

const scene = prepareTasks()

test('an inbox counts what waits for the caller, by app and person, and nothing that waits for others', async () => {
  const asked = await scene.target()
  const [ann, bo] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
  for (const who of [ann, bo]) {
    const reply = await scene.post('/api/v1/task/grant', target(asked, { description: 'For the job.' }), who)
    expect(reply.status, reply.text).toBe(200)
  }
  const inbox = async (by: typeof ann) => (await scene.get('/api/v1/inbox', by)).json
  const own = await inbox(asked.owner)
  expect(own).toMatchObject({ total: 2, isMore: false, approvals: 2, provisions: 0, forms: 0 })
  expect(own['apps']).toEqual([{ id: asked.appId, displayName: 'Asked app', count: 2 }])
  const people = own['people'] as { id: string; displayName: string; count: number }[]
  expect(new Set(people.map(({ id }) => id))).toEqual(new Set([ann.userId, bo.userId]))
  expect(people.every(({ displayName, count }) => displayName !== '' && count === 1)).toBe(true)
  // Who asked has nothing to decide, and learns nothing of who else asked.
  expect(await inbox(ann)).toMatchObject({ total: 0, apps: [], people: [] })
})

test('who decides a task reads what it is about and who did what, by name, whatever else they may see', async () => {
  const asked = await scene.target()
  const ann = await scene.caller(['system:user'])
  const task = scene.task(await scene.post('/api/v1/task/grant', target(asked, { description: 'For the job.' }), ann))
  const { json } = await scene.get(`/api/v1/tasks/${task.id}`, asked.owner)
  const expanded = json['expanded'] as { '@type': string; id: string; displayName: string }[]
  const nameOf = (type: string, id: string) =>
    expanded.find((each) => each['@type'].endsWith(`.${type}`) && each.id === id)?.displayName
  expect(nameOf('AppEntitlement', asked.id)).toBe('Asked')
  expect(nameOf('App', asked.appId)).toBe('Asked app')
  expect(nameOf('User', ann.userId)).toBeTruthy()
  const audits = await scene.post('/api/v1/task/audits', { taskId: task.id }, asked.owner)
  const [created] = audits.json['list'] as { userId: string; metadata: { user: { displayName: string } } }[]
  expect(created).toMatchObject({ userId: ann.userId, metadata: { user: { id: ann.userId } } })
  // Elsewhere they see as little of it as before.
  expect((await scene.get(`/api/v1/apps/${asked.appId}/entitlements/${asked.id}`, ann)).status).toBe(200)
  const stranger = await scene.caller(['system:user'])
  expect((await scene.get(`/api/v1/tasks/${task.id}`, stranger)).status).toBe(404)
})
