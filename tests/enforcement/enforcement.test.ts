import { channel } from 'node:diagnostics_channel'
import { describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { currentWork } from '#kernel/work.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import type { Json } from '../fixture/access.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { automatic, prepareTasks, target } from '../tasks/scene.ts'

const scene = prepareTasks()
const bare = ({ appId, id }: Ref): Ref => ({ appId, id })
const sent = channel('bailiwick:statement:sent')

const appOf = async (appId: string, by?: Caller): Promise<Json> => {
  const reply = await scene.get(`/api/v1/apps/${appId}/enforcement`, by)
  expect(reply.status, reply.text).toBe(200)
  return reply.json['enforcement'] as Json
}
const listOf = async (path: string, body: object, by?: Caller): Promise<Json[]> => {
  const reply = await scene.post(`/api/v1/enforcement/${path}`, body, by)
  expect(reply.status, reply.text).toBe(200)
  return reply.json['list'] as Json[]
}
const enforced = (refs: readonly Ref[], by?: Caller) => listOf('entitlements', { refs }, by)
const one = async (ref: Ref, by?: Caller): Promise<Json> => (await enforced([ref], by))[0] as Json
async function set(ref: Ref, policy: Json, field = 'provisionerPolicy'): Promise<void> {
  const path = `/api/v1/apps/${ref.appId}/entitlements/${ref.id}`
  const reply = await scene.post(path, { entitlement: { [field]: policy }, updateMask: field })
  expect(reply.status, reply.text).toBe(200)
}
async function webhook(): Promise<string> {
  const made = await scene.post('/api/v1/webhooks', { displayName: 'Provisions', url: 'https://hooks.example.com/a' })
  expect(made.status, made.text).toBe(200)
  return (made.json['webhook'] as { id: string }).id
}
const remove = (appId: string) =>
  scene.server.db`update apps set without_connector = 'records only' where app_id = ${appId}`

const historyOf = async (taskId: string): Promise<unknown[]> =>
  (await scene.all('/api/v1/task/audits', { taskId })).map(
    (each) => (each['policyEvaluationStep'] as { stepComment?: string } | null)?.stepComment,
  )

/** An owner whose role lets them read what they own. */
async function ownerOf(appId: string): Promise<Caller> {
  const owner = await scene.caller(['system:user', 'system:application-admin'])
  const object = { kind: 'app', appId, typeId: '', id: appId } as const
  const { world, tenant } = scene.access
  const owned = { object, roleSlug: 'primary', id: world.newId(), userId: owner.userId }
  await transact(world.db, (tx) => insertOwners(tx, operatorCause(tenant, 'test'), [owned], world.now()))
  return owner
}

describe('an entitlement is enforced', () => {
  test('by nobody, if its app has no connector and nobody was named: a request for it is recorded at once', async () => {
    const ref = await scene.target(automatic)
    await remove(ref.appId)
    expect(await one(ref)).toMatchObject({
      ...bare(ref),
      by: 'ENFORCED_BY_NOBODY',
      asked: null,
      why: '',
      revocation: null,
    })
    const task = scene.task(await scene.post('/api/v1/task/grant', target(ref), scene.basic))
    expect(task.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
    expect(await historyOf(task.id)).toContain('Recorded in Bailiwick. Nobody is asked to change the app.')
    await set(ref, { manual: { assignee: { appOwners: {} } } })
    const asked = scene.task(await scene.post('/api/v1/task/grant', target(ref), await scene.caller(['system:user'])))
    const done = { policyStepId: asked.policy.current?.id }
    scene.task(await scene.act(asked.id, 'provision-complete', done, ref.owner))
    expect(await historyOf(asked.id)).toContain('Marked as done by the person who was asked.')
  })

  test('by people, who are named in words and by ids', async () => {
    const ref = await scene.target(automatic)
    const helper = await scene.caller(['system:user'])
    const asked = async (assignee: Json): Promise<Json> => {
      await set(ref, { manual: { assignee } })
      const seen = await one(ref)
      expect(seen).toMatchObject({ by: 'ENFORCED_BY_PEOPLE', why: '' })
      return seen['asked'] as Json
    }
    expect(await asked({ users: { userIds: [helper.userId] } })).toMatchObject({
      kind: 'ASKED_USERS',
      userIds: [helper.userId],
    })
    const group = { appId: ref.appId, appGroupId: ref.id, fallbackUserIds: [helper.userId] }
    expect(await asked({ group })).toMatchObject({
      kind: 'ASKED_GROUP',
      group: bare(ref),
      fallbackUserIds: [helper.userId],
    })
    expect(await asked({ manager: {} })).toMatchObject({ kind: 'ASKED_MANAGER', words: 'the manager of the person' })
    expect(await asked({ appOwners: {} })).toMatchObject({ kind: 'ASKED_APP_OWNERS' })
    expect(await asked({ entitlementOwners: {} })).toMatchObject({ kind: 'ASKED_ENTITLEMENT_OWNERS' })
    expect(await asked({ expression: { expressions: ['[subject.profile.boss]'] } })).toMatchObject({
      kind: 'ASKED_EXPRESSION',
      expressions: ['[subject.profile.boss]'],
    })
    await set(ref, { multiStep: { provisionSteps: [{ unconfigured: {} }, { manual: { assignee: { manager: {} } } }] } })
    expect(await one(ref)).toMatchObject({ by: 'ENFORCED_BY_PEOPLE', asked: { kind: 'ASKED_MANAGER' } })
  })

  test('by people, if a connector was chosen and there is none, or if its webhook was deleted', async () => {
    const ref = await scene.target(automatic)
    await set(ref, { connector: { defaultBehavior: {} } })
    expect(await one(ref)).toMatchObject({
      by: 'ENFORCED_BY_PEOPLE',
      asked: { kind: 'ASKED_APP_OWNERS' },
      why: 'The app has no connector.',
    })
    const webhookId = await webhook()
    await set(ref, { webhook: { webhookId } })
    expect(await one(ref)).toMatchObject({ by: 'ENFORCED_BY_WEBHOOK', webhookId, asked: null })
    await scene.server.db`update webhooks set deleted_at = now() where webhook_id = ${webhookId}`
    expect(await one(ref)).toMatchObject({
      by: 'ENFORCED_BY_PEOPLE',
      webhookId: '',
      why: 'The webhook that provisions this was deleted.',
    })
  })

  test('by another entitlement that includes it; and revoked by someone else than who grants it', async () => {
    const [ref, other] = [await scene.target(automatic), await scene.target(automatic)]
    await remove(ref.appId)
    await set(ref, { delegated: { appId: other.appId, entitlementId: other.id } })
    await set(ref, { manual: { assignee: { entitlementOwners: {} } } }, 'deprovisionerPolicy')
    expect(await one(ref)).toMatchObject({
      by: 'ENFORCED_BY_ANOTHER_ENTITLEMENT',
      entitlement: { appId: other.appId, id: other.id },
      revocation: { by: 'ENFORCED_BY_PEOPLE', asked: { kind: 'ASKED_ENTITLEMENT_OWNERS' } },
    })
  })

  test('by Bailiwick, if it is membership in an access profile', async () => {
    const made = await scene.post('/api/v1/catalogs', { displayName: 'Bundle', requestBundle: true })
    expect(made.status, made.text).toBe(200)
    const { id } = (made.json['requestCatalogView'] as { requestCatalog: { id: string } }).requestCatalog
    expect(await one({ appId: profilesAppId, id })).toMatchObject({ by: 'ENFORCED_BY_BAILIWICK' })
    expect(await appOf(profilesAppId)).toMatchObject({ state: 'ENFORCEMENT_STATE_BUILT_IN', connectors: [] })
  })
})

describe('an app', () => {
  test('is records only if nobody is asked about one of its entitlements, and manual if somebody is about all', async () => {
    const ref = await scene.target(automatic)
    await remove(ref.appId)
    const second = await scene.entitlement(ref.appId, 'Second')
    const counts = async () => (await appOf(ref.appId))['entitlementCounts']
    expect(await appOf(ref.appId)).toMatchObject({
      state: 'ENFORCEMENT_STATE_RECORDS_ONLY',
      withoutConnector: 'WITHOUT_CONNECTOR_RECORDS_ONLY',
      connectors: [],
      entitlementCounts: { connector: 0, webhook: 0, people: 0, anotherEntitlement: 0, nobody: 2 },
    })
    await set(ref, { manual: {} })
    expect(await appOf(ref.appId)).toMatchObject({ state: 'ENFORCEMENT_STATE_RECORDS_ONLY' })
    expect(await counts()).toMatchObject({ people: 1, nobody: 1 })
    await set(second, { webhook: { webhookId: await webhook() } })
    expect(await appOf(ref.appId)).toMatchObject({ state: 'ENFORCEMENT_STATE_MANUAL' })
    expect(await counts()).toMatchObject({ people: 1, webhook: 1, nobody: 0 })
    const third = await scene.entitlement(ref.appId, 'Third')
    await set(third, { delegated: { appId: ref.appId, entitlementId: ref.id } })
    expect(await counts()).toMatchObject({ anotherEntitlement: 1 })
    await scene.server.db`update entitlements set deleted_at = now() where entitlement_id = any(${[ref.id, second.id]})`
    expect(await appOf(ref.appId)).toMatchObject({ state: 'ENFORCEMENT_STATE_RECORDS_ONLY' })
  })

  test('that does not exist, or was deleted, is not found, and left out of lists', async () => {
    const [ref, gone] = [await scene.target(automatic), await scene.target(automatic)]
    await scene.server.db`update apps set deleted_at = now() where app_id = ${gone.appId}`
    const unknown = scene.access.world.newId()
    for (const appId of [gone.appId, unknown])
      expect((await scene.get(`/api/v1/apps/${appId}/enforcement`)).status).toBe(404)
    const appIds = [unknown, ref.appId, gone.appId, ref.appId]
    expect((await listOf('apps', { appIds })).map(({ appId }) => appId)).toEqual([ref.appId])
    expect((await enforced([gone, ref, { appId: ref.appId, id: unknown }, ref])).map(({ id }) => id)).toEqual([ref.id])
  })
})

describe('who sees it', () => {
  test('callers who may read all, owners of the app whole, holders without whom it names, others not at all', async () => {
    const ref = await scene.target(automatic, { isOffered: false })
    const [owner, holder, other] = [
      await ownerOf(ref.appId),
      await scene.caller(['system:user']),
      await scene.caller(['system:user']),
    ]
    // Ids of people whom a caller does not see are left out of every reply: this one sees themselves.
    await set(ref, { manual: { assignee: { users: { userIds: [owner.userId] } } } })
    const account = await scene.account(ref.appId, { userId: holder.userId })
    await scene.grant(ref, account)
    const app = { state: 'ENFORCEMENT_STATE_MANUAL', appId: ref.appId }
    for (const caller of [scene.viewer, owner]) {
      expect(await one(ref, caller)).toMatchObject({ asked: { userIds: [owner.userId] } })
      expect(await appOf(ref.appId, caller)).toMatchObject({ ...app, entitlementCounts: { people: 1 } })
    }
    expect(await one(ref, holder)).toMatchObject({
      by: 'ENFORCED_BY_PEOPLE',
      asked: { kind: 'ASKED_USERS', words: 'the people who are named', userIds: [] },
    })
    expect(await appOf(ref.appId, holder)).toMatchObject({ ...app, entitlementCounts: null, connectors: [] })
    expect(await enforced([ref], other)).toEqual([])
    expect((await scene.get(`/api/v1/apps/${ref.appId}/enforcement`, other)).status).toBe(404)
    expect(await listOf('apps', { appIds: [ref.appId] }, holder)).toMatchObject([app])
    expect(await listOf('apps', { appIds: [ref.appId] }, other)).toEqual([])
  })

  test('an entitlement that includes another is named to those who see that one', async () => {
    const [ref, other] = [
      await scene.target(automatic, { isOffered: false }),
      await scene.target(automatic, { isOffered: false }),
    ]
    await set(ref, { delegated: { appId: other.appId, entitlementId: other.id } })
    const owner = await ownerOf(ref.appId)
    expect(await one(ref, owner)).toMatchObject({ by: 'ENFORCED_BY_ANOTHER_ENTITLEMENT', entitlement: null })
    await scene.grant(other, await scene.account(other.appId, { userId: owner.userId }))
    expect(await one(ref, owner)).toMatchObject({ entitlement: { appId: other.appId, id: other.id } })
  })

  test('a hundred entitlements take as many statements as one, and more are refused', async () => {
    const appId = await scene.app()
    const made = Array.from({ length: 100 }, (_, place) => scene.entitlement(appId, `Of many ${place}`))
    const refs = await Promise.all(made)
    let count = 0
    const note = (): void => {
      // Not of the background work of the server.
      if (currentWork()) count++
    }
    const countOf = async (asked: readonly Ref[]): Promise<number> => {
      count = 0
      expect(await enforced(asked)).toHaveLength(asked.length)
      return count
    }
    await enforced(refs)
    sent.subscribe(note)
    try {
      const [few, many] = [await countOf(refs.slice(0, 1)), await countOf(refs)]
      expect(few).toBeGreaterThan(0)
      expect(many).toBe(few)
    } finally {
      sent.unsubscribe(note)
    }
    const more = await scene.post('/api/v1/enforcement/entitlements', { refs: [...refs, refs[0]] })
    expect(more.status).toBe(400)
  })
})
