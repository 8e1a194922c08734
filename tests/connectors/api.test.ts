import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ResourceType_Trait as Trait } from '../../server/rooms/records/baton/protocol/generated/c1/connector/v2/records_pb.js'
import { type Access, type Asking, eventually, type Json, openAccess, type Reply } from '../fixture/access.ts'
import { onlyLongTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { connectorFile, type Told } from '../imports/connector-file.ts'
import { askTls, type Credential, callBaton, codeOf, makeApp, tokenOf, upload } from './connector.ts'

let server: TestServer
let access: Access
let token: string
let appId: string

beforeAll(async () => {
  server = await startServer({ flags: { empty: true, 'tls-self-signed': true } })
  access = await openAccess(server)
  token = (await tokenOf(server, await access.makeCaller(['system:owner']))).token
  appId = await makeApp(access, access.tenant)
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const ask = (path: string, asking: Asking = {}): Promise<Reply> =>
  askTls(server, `/api/v1/apps${path}`, { token, ...asking })
const ok = async (path: string, asking?: Asking): Promise<Json> => {
  const reply = await ask(path, asking)
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}
const post = (path: string, body: object = {}, by = token) => ask(path, { method: 'POST', body, token: by })
const refusal = async (path: string, asking?: Asking): Promise<string> => {
  const reply = await ask(path, asking)
  return `${reply.status} ${((reply.json['details'] as Json[])[0] as Json)['reason'] as string}`
}

type Shown = { id: string; status: { status: string; lastError: string }; heldSyncId: string; agent: string } & Json
const shownIn = (json: Json): Shown => (json['connectorView'] as { connector: Shown }).connector
const get = async (id: string): Promise<Shown> => shownIn(await ok(`/${appId}/connectors/${id}`))
const make = async (displayName = 'Directory'): Promise<string> =>
  shownIn(await ok(`/${appId}/connectors`, { method: 'POST', body: { displayName, description: 'LDAP' } })).id
const rotate = async (connectorId: string): Promise<Credential & Json> =>
  (await ok('/connectors/credentials', { method: 'POST', body: { appId, connectorId } }))['credential'] as never

const people = (count: number): Told => ({
  types: [{ id: 'user', traits: [Trait.USER] }],
  resources: Array.from({ length: count }, (_, i) => ({ type: 'user', id: `u${i}` })),
})

async function syncOnce(credential: Credential, file: Buffer): Promise<string> {
  const baton = callBaton(server, (await tokenOf(server, credential)).token)
  const { task } = await baton.getTask({ hostId: 'h' })
  const taskId = task?.id as string
  await upload(baton, { hostId: 'h', taskId }, file)
  await baton.finishTask({ hostId: 'h', taskId, finalState: { case: 'success', value: {} } })
  return taskId
}
const untilStatus = async (id: string, status: string): Promise<Shown> => {
  expect(await eventually(async () => (await get(id)).status.status === status), JSON.stringify(await get(id))).toBe(
    true,
  )
  return get(id)
}

const syncOf = async (id: string, syncId: string): Promise<Json> =>
  (await ok(`/${appId}/connectors/${id}/syncs/${syncId}`))['sync'] as Json

describe('connectors by the API', () => {
  test('one is created, listed, got, given a working credential, and deleted; the secret is shown once', async () => {
    const id = await make()
    expect(await get(id)).toMatchObject({
      appId,
      displayName: 'Directory',
      status: { status: 'SYNC_STATUS_UNSPECIFIED' },
    })
    const list = (await ok(`/${appId}/connectors`))['list'] as { connector: Shown }[]
    expect(list.map(({ connector }) => connector.id)).toContain(id)

    const first = await rotate(id)
    expect(first.clientId).toMatch(/^[0-9a-f]{20}@localhost(:\d+)?\/connector$/)
    expect(first.clientSecret).toMatch(/^secret-token:[^:]+:v1:[\w-]+$/)
    const shown = (await ok(`/${appId}/connectors/${id}/credentials/${first['id'] as string}`))['credential']
    expect(shown).toMatchObject({ clientId: first.clientId, clientSecret: '', connectorId: id, appId })
    const second = await rotate(id)
    expect((await tokenOf(server, first)).status).toBe(401)
    const { token: ofConnector } = await tokenOf(server, second)
    const baton = callBaton(server, ofConnector)
    expect(await codeOf(baton.heartbeat({ hostId: 'h' }))).toBe('ok')

    await ok(`/${appId}/connectors/${id}/credentials/${second['id'] as string}`, { method: 'POST', body: {} })
    expect(await codeOf(baton.heartbeat({ hostId: 'h' }))).toBe('Unauthenticated')
    expect(
      await refusal(`/${appId}/connectors/${id}/credentials/${second['id'] as string}`, { method: 'POST', body: {} }),
    ).toBe('404 CREDENTIAL_NOT_FOUND')
    const third = await rotate(id)
    await ok(`/${appId}/connectors/${id}`, { method: 'DELETE' })
    expect((await tokenOf(server, third)).status).toBe(401)
    expect(await refusal(`/${appId}/connectors/${id}`)).toBe('404 CONNECTOR_NOT_FOUND')
  })
  test('a sync shows, is asked for, paused and resumed', async () => {
    const id = await make()
    const credential = await rotate(id)
    await syncOnce(credential, connectorFile(people(2)))
    expect((await untilStatus(id, 'SYNC_STATUS_DONE')).agent).toContain('baton-sdk')
    const baton = callBaton(server, (await tokenOf(server, credential)).token)
    const asks = async () => (await baton.getTask({ hostId: 'h' })).task?.taskType.case
    expect(await asks()).toBe('none')
    expect((await post(`/${appId}/connectors/${id}/force_sync`)).status).toBe(200)
    expect((await post(`/${appId}/connectors/${id}/force_sync`)).status).toBe(200)
    const { task } = await baton.getTask({ hostId: 'h' })
    expect(task?.taskType.case).toBe('syncFull')
    expect(await asks()).toBe('none')
    expect((await post(`/${appId}/connectors/${id}/pause`)).status).toBe(200)
    expect(await baton.heartbeat({ hostId: 'h', taskId: task?.id as string })).toMatchObject({ cancelled: true })
    expect((await get(id)).status.status).toBe('SYNC_STATUS_DISABLED')
    expect(await refusal(`/${appId}/connectors/${id}/force_sync`, { method: 'POST', body: {} })).toBe(
      '400 CONNECTOR_PAUSED',
    )
    await server.db`update connectors set next_sync_at = now() where connector_id = ${id}`
    expect(await asks()).toBe('none')
    expect((await post(`/${appId}/connectors/${id}/resume`)).status).toBe(200)
    expect(await asks()).toBe('syncFull')
  })
  test('a sync that is held waits for a person, and is merged when they confirm it', async () => {
    const other = await makeApp(access, access.tenant)
    const before = appId
    appId = other
    try {
      const id = await make()
      const credential = await rotate(id)
      await syncOnce(credential, connectorFile(people(30)))
      await untilStatus(id, 'SYNC_STATUS_DONE')
      await post(`/${appId}/connectors/${id}/force_sync`)
      const held = await syncOnce(credential, connectorFile(people(3)))
      const shown = await untilStatus(id, 'SYNC_STATUS_ERROR')
      expect(shown.heldSyncId).toBe(held)
      expect(await syncOf(id, held)).toMatchObject({
        state: 'CONNECTOR_SYNC_STATE_HELD',
        heldReason: shown.status.lastError,
        error: '',
        advice: expect.stringContaining('confirm the sync') as string,
        counts: [],
      })
      expect(shown.status.lastError).toContain('27 of 30 accounts')
      expect(await refusal(`/${appId}/connectors/${id}/confirm_sync_valid/${id}`, { method: 'POST', body: {} })).toBe(
        '404 CONNECTOR_TASK_NOT_FOUND',
      )
      expect((await post(`/${appId}/connectors/${id}/confirm_sync_valid/${held}`)).status).toBe(200)
      await untilStatus(id, 'SYNC_STATUS_DONE')
      expect(await syncOf(id, held)).toMatchObject({
        state: 'CONNECTOR_SYNC_STATE_DONE',
        isConfirmed: true,
        heldReason: '',
      })
      const [row] = await server.db<{ count: number }[]>`
        select count(*) as count from accounts where app_id = ${appId} and deleted_at is null`
      expect(row?.count).toBe(3)
      // Its file is gone, of which nobody gets a part.
      const file = `/${appId}/connectors/${id}/syncs/${held}/download_url`
      expect(await refusal(file)).toBe('400 CONNECTOR_FILE_NOT_KEPT')
    } finally {
      appId = before
    }
  })
  onlyLongTest(
    'syncs are listed, the newest first, with what each changed, how long it took, and what to do where it failed',
    async () => {
      const before = appId
      appId = await makeApp(access, access.tenant)
      try {
        const id = await make()
        const credential = await rotate(id)
        const file = connectorFile(people(3))
        const first = await syncOnce(credential, file)
        await untilStatus(id, 'SYNC_STATUS_DONE')
        await post(`/${appId}/connectors/${id}/force_sync`)
        const second = await syncOnce(credential, connectorFile(people(2)))
        await untilStatus(id, 'SYNC_STATUS_DONE')
        await post(`/${appId}/connectors/${id}/force_sync`)
        const baton = callBaton(server, (await tokenOf(server, credential)).token)
        const { task } = await baton.getTask({ hostId: 'web-1' })
        const third = task?.id as string
        const error = { case: 'error', value: {} } as const
        const status = { code: 16, message: 'ldap: invalid credentials (bind failed)' }
        await baton.finishTask({ hostId: 'web-1', taskId: third, status, finalState: error })

        const [newest, middle, oldest] = (await ok(`/${appId}/connectors/${id}/syncs`))['list'] as Json[]
        expect([newest, middle, oldest].map((sync) => sync?.['id'])).toEqual([third, second, first])
        expect(newest).toMatchObject({
          state: 'CONNECTOR_SYNC_STATE_FAILED',
          error: 'ldap: invalid credentials (bind failed)',
          advice: expect.stringMatching(/refused the credentials.*web-1/) as string,
          hostId: 'web-1',
          attempts: 1,
        })
        expect(newest?.['requestedByUserId']).not.toBe('')
        expect(middle).toMatchObject({
          state: 'CONNECTOR_SYNC_STATE_DONE',
          advice: '',
          error: '',
          appId,
          connectorId: id,
        })
        const counts = (sync: Json | undefined, kind: string) =>
          (sync as { counts: Json[] }).counts.find((each) => each['kind'] === kind)
        expect(counts(middle, 'account')).toMatchObject({ added: '0', unchanged: '2', removed: '1' })
        const shown = await syncOf(id, first)
        expect(shown).toEqual(oldest)
        expect(shown).toMatchObject({ fileBytes: String(file.length), requestedByUserId: '' })
        expect(counts(shown, 'account')).toMatchObject({ added: '3' })
        expect(Number(shown['durationMs'])).toBe(
          Date.parse(shown['endedAt'] as string) - Date.parse(shown['startedAt'] as string),
        )
        expect(await refusal(`/${appId}/connectors/${id}/syncs/${id}`)).toBe('404 CONNECTOR_TASK_NOT_FOUND')
      } finally {
        appId = before
      }
    },
  )
  onlyLongTest(
    'a schedule that is due gives one sync, on whichever of two servers is asked, however much was missed',
    async () => {
      const id = await make()
      const credential = await rotate(id)
      const { token: ofConnector } = await tokenOf(server, credential)
      const other = await startServer({ flags: { 'tls-self-signed': true }, beside: server })
      try {
        await ok(`/${appId}/connectors/${id}/schedule`, { method: 'POST', body: { cron: { cronSpec: '0 3 * * *' } } })
        const baton = [server, other].map((each) => callBaton(each, ofConnector))
        const given = async (): Promise<number> => {
          const asked = baton.flatMap((each) => [each.getTask({ hostId: 'h' }), each.getTask({ hostId: 'i' })])
          return (await Promise.all(asked)).filter(({ task }) => task?.taskType.case === 'syncFull').length
        }
        expect(await given()).toBe(0)
        await server.db`update connectors set next_sync_at = now() - interval '9 days' where connector_id = ${id}`
        expect(await given()).toBe(1)
        expect(Date.parse((await get(id))['nextSyncAt'] as string)).toBeGreaterThan(Date.now())
        expect(await given()).toBe(0)
      } finally {
        await other.stop()
      }
    },
  )
  onlyLongTest('a sync of an app that was deleted since makes no app of it', async () => {
    const before = appId
    appId = await makeApp(access, access.tenant)
    try {
      const id = await make()
      const credential = await rotate(id)
      await syncOnce(credential, connectorFile(people(30)))
      await untilStatus(id, 'SYNC_STATUS_DONE')
      await post(`/${appId}/connectors/${id}/force_sync`)
      const held = await syncOnce(credential, connectorFile(people(3)))
      await untilStatus(id, 'SYNC_STATUS_ERROR')
      await server.db`update apps set deleted_at = now() where app_id = ${appId}`
      const count = async () => (await server.db`select 1 from apps`).length
      const apps = await count()
      expect((await post(`/${appId}/connectors/${id}/confirm_sync_valid/${held}`)).status).toBe(200)
      const stateOf = async () => (await server.db`select state, error from connector_tasks where task_id = ${held}`)[0]
      expect(await eventually(async () => (await stateOf())?.['state'] === 'failed')).toBe(true)
      expect((await stateOf())?.['error']).toContain('There is no app')
      expect(await count()).toBe(apps)
    } finally {
      appId = before
    }
  })
  test('what is not done is refused, and so is who may not', async () => {
    const id = await make()
    expect(await refusal(`/${appId}/connectors`, { method: 'POST', body: { displayName: ' ' } })).toBe(
      '400 INPUT_INVALID',
    )
    const nowhere = '2zzzzzzzzzzzzzzzzzzzzzzzzzz'
    expect(await refusal(`/${nowhere}/connectors`, { method: 'POST', body: { displayName: 'x' } })).toBe(
      '404 APP_NOT_FOUND',
    )
    expect(await refusal(`/${nowhere}/connectors/${id}`)).toBe('404 CONNECTOR_NOT_FOUND')
    expect(
      await refusal('/connectors/credentials', { method: 'POST', body: { appId: nowhere, connectorId: id } }),
    ).toBe('404 CONNECTOR_NOT_FOUND')
    const tenant = await access.makeTenant('elsewhere.example')
    const theirs = await makeApp(access, tenant)
    expect(await refusal(`/${theirs}/connectors/${id}`)).toBe('404 CONNECTOR_NOT_FOUND')
    const { token: viewer } = await tokenOf(server, await access.makeCaller(['system:viewer']))
    expect((await ask(`/${appId}/connectors/${id}`, { token: viewer })).status).toBe(200)
    expect((await post(`/${appId}/connectors/${id}/force_sync`, {}, viewer)).status).toBe(403)
    expect((await post('/connectors/credentials', { appId, connectorId: id }, viewer)).status).toBe(403)
  })
})
