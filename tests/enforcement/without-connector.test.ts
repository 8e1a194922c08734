import { describe, expect, test } from 'vitest'
import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import { endRequested } from '#rooms/governance/tasks/index.ts'
import { expireGrants } from '#rooms/records/grants/index.ts'
import { ask, type Json } from '../fixture/access.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { automatic, prepareTasks, type TaskSeen, target } from '../tasks/scene.ts'

const scene = prepareTasks()
const grant = '/api/v1/task/grant'
const revoke = '/api/v1/task/revoke'
const stepOf = (task: TaskSeen) => ({ policyStepId: task.policy.current?.id })

const stateOf = async (appId: string): Promise<Json> => {
  const reply = await scene.get(`/api/v1/apps/${appId}/enforcement`)
  expect(reply.status, reply.text).toBe(200)
  return reply.json['enforcement'] as Json
}
const set = (appId: string, withoutConnector: string, by?: Caller) =>
  scene.post(`/api/v1/apps/${appId}/enforcement`, { withoutConnector }, by)
type Target = Ref & { owner: Caller }
/** An entitlement that everyone may request, of an app whose owner is asked. */
async function manual(): Promise<Target> {
  const ref = await scene.target(automatic, { maxSeconds: 36_000 })
  const reply = await set(ref.appId, 'WITHOUT_CONNECTOR_MANUAL')
  expect(reply.status, reply.text).toBe(200)
  return ref
}
const request = async (ref: Ref, by: Caller, more: object = {}): Promise<TaskSeen> =>
  scene.task(await scene.post(grant, target(ref, more), by))

describe('an app without a connector', () => {
  test('is manual if it is created through the API or by an import, and keeps what it has otherwise', async () => {
    const made = await scene.post('/api/v1/apps', { displayName: 'New' })
    expect(made.status, made.text).toBe(200)
    const { id } = made.json['app'] as { id: string }
    expect(await stateOf(id)).toMatchObject({
      state: 'ENFORCEMENT_STATE_MANUAL',
      withoutConnector: 'WITHOUT_CONNECTOR_MANUAL',
    })
    const lines = (name: string) =>
      [
        { kind: 'app', externalId: 'imported', displayName: name },
        { kind: 'entitlement', app: 'imported', externalId: 'one', displayName: 'One' },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n')
    const importing = (name: string) =>
      ask(scene.server, '/api/v1/imports', {
        method: 'POST',
        token: scene.admin.token,
        headers: { 'content-type': 'application/jsonl' },
        body: lines(name),
      })
    const done = await importing('Imported')
    expect(done.status, done.text).toBe(200)
    const [row] = await scene.server.db<{ id: string }[]>`select app_id as id from apps where external_id = 'imported'`
    const imported = row?.id ?? ''
    expect(await stateOf(imported)).toMatchObject({ state: 'ENFORCEMENT_STATE_MANUAL' })
    await set(imported, 'WITHOUT_CONNECTOR_RECORDS_ONLY')
    expect((await importing('Imported again')).status).toBe(200)
    expect(await stateOf(imported)).toMatchObject({ withoutConnector: 'WITHOUT_CONNECTOR_RECORDS_ONLY' })
  })

  test('is set by whoever may edit it, with an event, and never for the built-in app', async () => {
    const ref = await scene.target(automatic)
    const reply = await set(ref.appId, 'WITHOUT_CONNECTOR_MANUAL')
    expect(reply.json['enforcement']).toMatchObject({ state: 'ENFORCEMENT_STATE_MANUAL' })
    const [event] = (await scene.logged('bailiwick.v1.Enforcement.SetApp')).slice(-1)
    expect(event?.message).toBe('Set what happens in the app Asked app without a connector: its owners are asked')
    expect(event?.resources[0]?.data).toMatchObject({ withoutConnector: 'manual' })
    expect((await set(ref.appId, 'WITHOUT_CONNECTOR_UNSPECIFIED')).status).toBe(400)
    expect((await set(ref.appId, 'WITHOUT_CONNECTOR_MANUAL', scene.viewer)).status).toBe(403)
    expect((await set(ref.appId, 'WITHOUT_CONNECTOR_MANUAL', scene.basic)).status).toBe(403)
    expect((await set(scene.access.world.newId(), 'WITHOUT_CONNECTOR_MANUAL')).status).toBe(404)
    await scene.post('/api/v1/catalogs', { displayName: 'Bundle', requestBundle: true })
    expect((await set(profilesAppId, 'WITHOUT_CONNECTOR_MANUAL')).status).toBe(400)
  })
})

describe('a request for an entitlement of a manual app', () => {
  test('asks the owners of the app, as its plan says, and is granted when one says that it is done', async () => {
    const [ref, asker] = [await manual(), await scene.caller(['system:user'])]
    const plan = await scene.post('/api/v1/task/plan', target(ref), asker)
    expect(plan.status, plan.text).toBe(200)
    expect(plan.text).toContain('"provisioner":"manual"')
    expect(plan.text).toContain(ref.owner.userId)
    const made = await request(ref, asker)
    expect(made.stepApproverIds).toEqual([ref.owner.userId])
    expect(made.type.grant?.outcome).toBe('GRANT_OUTCOME_UNSPECIFIED')
    expect(await scene.holds(ref, asker.userId)).toEqual([])
    const done = scene.task(await scene.act(made.id, 'provision-complete', stepOf(made), ref.owner))
    expect(done.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
    expect(await scene.holds(ref, asker.userId)).toHaveLength(1)

    const removal = scene.task(await scene.post(revoke, target(ref), asker))
    expect(removal.stepApproverIds).toEqual([ref.owner.userId])
    expect(await scene.holds(ref, asker.userId)).toHaveLength(1)
    scene.task(await scene.act(removal.id, 'provision-complete', stepOf(removal), ref.owner))
    expect(await scene.holds(ref, asker.userId)).toEqual([])
  })

  test('asks Super Administrators if the app has no owner, and the plan says so', async () => {
    const asker = await scene.caller(['system:user'])
    const ref = await scene.entitlement(await scene.app('Owned by nobody'), 'Asked')
    await scene.offer(ref)
    await scene.server.db`update entitlements set grant_policy_id = ${automatic} where entitlement_id = ${ref.id}`
    await set(ref.appId, 'WITHOUT_CONNECTOR_MANUAL')
    const plan = await scene.post('/api/v1/task/plan', target(ref), asker)
    expect(plan.text).toContain(scene.admin.userId)
    const made = await request(ref, asker)
    expect(made.stepApproverIds).toContain(scene.admin.userId)
  })

  test('is recorded at once in an app that is records only', async () => {
    const [ref, asker] = [await manual(), await scene.caller(['system:user'])]
    await set(ref.appId, 'WITHOUT_CONNECTOR_RECORDS_ONLY')
    const made = await request(ref, asker)
    expect(made.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
  })

  test('that expires is kept until an owner has removed it, unless something else grants it: then nobody is asked', async () => {
    const [ref, other] = [await manual(), await manual()]
    const [one, two] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
    const expired = { source: 'request', expiresAt: new Date(Date.now() - 1000) } as const
    await scene.grant(ref, await scene.account(ref.appId, { userId: one.userId }), expired)
    const account = await scene.account(other.appId, { userId: two.userId })
    await scene.grant(other, account, expired)
    await scene.grant(other, account, { source: 'rule' })
    await expireGrants(scene.access.world, endRequested)
    const asked = async ({ appId, owner }: Target): Promise<string[]> => {
      const rows = await scene.server.db<{ id: string }[]>`
        select task_id as id from tasks where app_id = ${appId} and kind = 'revoke'`
      const tasks = await Promise.all(rows.map(({ id }) => scene.look(id)))
      return tasks.flatMap(({ stepApproverIds }) => stepApproverIds.filter((each) => each === owner.userId))
    }
    expect(await asked(ref)).toEqual([ref.owner.userId])
    expect(await scene.holds(ref, one.userId)).toHaveLength(1)
    expect(await asked(other)).toEqual([])
    expect((await scene.holds(other, two.userId)).map(({ source }) => source)).toEqual(['rule'])
  })
})
