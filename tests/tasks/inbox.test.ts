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

test('each who may see a task finds it once over the pages, whatever the reasons and the order, and nobody else does', async () => {
  const asked = await scene.target()
  const [ann, bo] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
  const make = async (who: typeof ann): Promise<string> =>
    scene.task(await scene.post('/api/v1/task/grant', target(asked, { description: 'For the job.' }), who)).id
  const [ofAnn, ofBo] = [await make(ann), await make(bo)]
  // The owner decides one, is asked about the other, and owns the app of both; and asks for something too.
  const { policy } = await scene.look(ofAnn, asked.owner)
  const approved = await scene.act(ofAnn, 'approve', { policyStepId: policy.current?.id }, asked.owner)
  expect(approved.status, approved.text).toBe(200)
  const ofOwner = await make(asked.owner)
  const found = async (who: typeof ann, body: object): Promise<string[]> => {
    const ids: string[] = []
    for (let pageToken = ''; ; ) {
      const { json } = await scene.post('/api/v1/search/tasks', { ...body, pageSize: 1, pageToken }, who)
      ids.push(...(json['list'] as { task: { id: string } }[]).map(({ task }) => task.id))
      pageToken = json['nextPageToken'] as string
      if (pageToken === '') return ids
    }
  }
  const oldest = { sortBy: 'TASK_SEARCH_SORT_BY_TICKET_ID' }
  expect(await found(asked.owner, {})).toEqual([ofOwner, ofBo, ofAnn])
  expect(await found(asked.owner, oldest)).toEqual([ofAnn, ofBo, ofOwner])
  const bySubject = await found(asked.owner, { sortBy: 'TASK_SEARCH_SORT_BY_ACCOUNT_OWNER' })
  expect(bySubject.toSorted()).toEqual([ofAnn, ofBo, ofOwner].toSorted())
  expect(await found(asked.owner, { taskStates: ['TASK_STATE_CLOSED'] })).toEqual([ofAnn])
  for (const body of [{}, oldest, { openerIds: [ann.userId] }, { subjectIds: [ann.userId] }])
    expect(await found(ann, body)).toEqual([ofAnn])
  // What is said to be somebody else's is still only what the caller sees.
  for (const body of [
    { openerIds: [bo.userId] },
    { subjectIds: [bo.userId] },
    { openerOrSubjectUserId: bo.userId },
    { myWorkUserIds: [asked.owner.userId] },
    { myWorkUserIds: [ann.userId, asked.owner.userId] },
    { previouslyActedOnIds: [asked.owner.userId], openerIds: [bo.userId] },
  ])
    expect(await found(ann, body)).toEqual([])
  expect(await found(ann, { previouslyActedOnIds: [asked.owner.userId] })).toEqual([ofAnn])
})

test('a page of tasks names nobody whom the reader does not see, wherever their id stands', async () => {
  const asked = await scene.target()
  const [ann, stranger] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
  const source = {
    conversationId: 'a "quoted" \\',
    externalUrl: '\\"',
    integrationId: '"\\\\',
    requestId: stranger.userId,
  }
  const body = target(asked, { description: stranger.userId, source })
  const task = scene.task(await scene.post('/api/v1/task/grant', body, ann))
  const found = await scene.post('/api/v1/search/tasks', { myWorkUserIds: [asked.owner.userId] }, asked.owner)
  expect(found.text).not.toContain(stranger.userId)
  const list = found.json['list'] as {
    task: { id: string; description: string; type: { grant: { source: object } } }
  }[]
  const shown = list.find((each) => each.task.id === task.id)?.task
  expect(shown).toMatchObject({ description: '', type: { grant: { source: { ...source, requestId: '' } } } })
  // Nor does a record that somebody typed pass for one that they may read.
  const typed = JSON.stringify({ directoryStatus: 'ENABLED', appUserType: 'x' })
  const other = await scene.target()
  await scene.post('/api/v1/task/grant', target(other, { description: typed }), ann)
  const own = await scene.post('/api/v1/search/tasks', { myWorkUserIds: [other.owner.userId] }, other.owner)
  expect((own.json['list'] as { task: { description: string } }[])[0]?.task.description).toBe(typed)
})
