import { randomBytes } from 'node:crypto'
import { connect } from 'node:http2'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { endLapsedLeases, rotateCredential } from '#rooms/records/connectors/index.ts'
import { ResourceType_Trait as Trait } from '../../server/rooms/records/baton/protocol/generated/c1/connector/v2/records_pb.js'
import { receiveUpload } from '../../server/rooms/records/connectors/syncs/upload.ts'
import { type Access, eventually, openAccess } from '../fixture/access.ts'
import { isLong, longTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { connectorFile, type Told } from '../imports/connector-file.ts'
import {
  askTls,
  type Baton,
  callBaton,
  certificateOf,
  codeOf,
  type Made,
  makeConnector,
  tokenOf,
  upload,
  wrongSum,
} from './connector.ts'

let server: TestServer
let access: Access
let made: Made
let baton: Baton
const hostId = 'host-1'

beforeAll(async () => {
  server = await startServer({ flags: { empty: true, 'tls-self-signed': true } })
  access = await openAccess(server)
})
afterAll(async () => {
  await access.close()
  await server.stop()
})
beforeEach(async () => {
  made = await makeConnector(access, access.tenant)
  baton = callBaton(server, (await tokenOf(server, made)).token)
})

const people = (count: number): Told => ({
  types: [{ id: 'user', traits: [Trait.USER] }],
  resources: Array.from({ length: count }, (_, i) => ({ type: 'user', id: `u${i}`, name: `Person ${i}` })),
})
const isDone = { case: 'success', value: {} } as const
const failed = { case: 'error', value: { nonRetryable: true } } as const

const begin = async (by = hostId): Promise<string> => {
  const { task } = await baton.getTask({ hostId: by })
  expect(task?.taskType).toMatchObject({ case: 'syncFull', value: { storageEngine: 'sqlite' } })
  return task?.id as string
}
const finish = (taskId: string, by = hostId) => codeOf(baton.finishTask({ hostId: by, taskId, finalState: isDone }))
const taskOf = async (id: string) => {
  const [row] = await server.db<{ state: string; error: string; attempts: number; importId: string }[]>`
    select state, error, attempts, import_id as "importId" from connector_tasks where task_id = ${id}`
  return row
}
const untilState = async (id: string, state: string): Promise<void> => {
  expect(await eventually(async () => (await taskOf(id))?.state === state), JSON.stringify(await taskOf(id))).toBe(true)
}
const accounts = async (): Promise<number> => {
  const [row] = await server.db<{ count: number }[]>`
    select count(*) as count from accounts where app_id = ${made.appId} and deleted_at is null`
  return row?.count ?? 0
}
const pieces = async (id: string): Promise<number> => {
  const [row] = await server.db<
    { count: number }[]
  >`select count(*) as count from connector_files where task_id = ${id}`
  return row?.count ?? 0
}
const uploads = async (id: string): Promise<Set<string>> => {
  const rows = await server.db<{ id: string }[]>`
    select distinct upload_id as id from connector_files where task_id = ${id}`
  return new Set(rows.map((row) => row.id))
}
/** An upload of 3 MiB that stops after the first two until it is told to go on. */
function uploadInSteps(taskId: string) {
  const file = Buffer.concat([Buffer.from('C1ZF\0'), randomBytes(3 * 1024 * 1024)])
  const { promise, resolve: goOn } = Promise.withResolvers<void>()
  let kept = new Set<string>()
  const code = codeOf(
    upload(baton, { hostId, taskId }, file, (parts) => parts, { at: 2 * 1024 * 1024, until: promise }),
  )
  return {
    code,
    goOn,
    get kept() {
      return kept
    },
    async untilKept(): Promise<void> {
      expect(await eventually(async () => (await pieces(taskId)) === 2)).toBe(true)
      kept = await uploads(taskId)
    },
  }
}
const isAsking = async (): Promise<string> => (await baton.getTask({ hostId })).task?.taskType.case ?? ''
const lapse = (id: string) =>
  server.db`update connector_tasks set lease_until = now() - interval '1 second' where task_id = ${id}`
const syncAgain = () => server.db`update connectors set next_sync_at = now() where connector_id = ${made.connectorId}`

describe('a connector', () => {
  test('says hello, gets a sync, uploads it, and its app has what it found', async () => {
    await baton.hello({
      hostId,
      buildInfo: { package: 'baton-test', packageVersion: 'v1' },
      connectorMetadata: { displayName: 'Test', capabilities: { connectorCapabilities: [1, 2] } },
    })
    const { task, nextPoll, nextHeartbeat } = await baton.getTask({ hostId })
    expect(task?.id).toMatch(/^[0-9A-Za-z]{27}$/)
    expect([nextPoll?.seconds, nextHeartbeat?.seconds]).toEqual([5n, 15n])
    const taskId = task?.id as string
    const between = await baton.getTask({ hostId })
    expect([between.task?.taskType.case, between.nextPoll?.seconds]).toEqual(['none', 5n])
    expect(await baton.heartbeat({ hostId, taskId })).toMatchObject({ cancelled: false })
    await upload(baton, { hostId, taskId }, connectorFile(people(3)))
    await upload(baton, { hostId, taskId }, Buffer.from('{"level":"debug"}\n'.repeat(500)))
    expect(await finish(taskId)).toBe('ok')
    await untilState(taskId, 'done')
    expect(await codeOf(baton.finishTask({ hostId, taskId, finalState: failed }))).toBe('ok')
    expect((await taskOf(taskId))?.state).toBe('done')
    expect(await accounts()).toBe(3)
    expect(await pieces(taskId)).toBe(0)
    const [connector] = await server.db<{ agent: string; metadata: unknown }[]>`
      select agent, metadata from connectors where connector_id = ${made.connectorId}`
    expect(connector).toMatchObject({
      agent: 'test baton-sdk/0.0 grpc-go/0.0',
      metadata: { name: 'Test', package: 'baton-test', capabilities: ['provision', 'sync'] },
    })
    const idle = await baton.getTasks({ hostId, pageSize: 10 })
    expect([idle.tasks.length, idle.nextPoll?.seconds]).toEqual([0, 30n])
  })
  test('asks for a task and syncs before it said hello, as old ones do', async () => {
    expect(await begin()).not.toBe('')
  })
  longTest('that finishes twice, or late, changes nothing the second time', async () => {
    const taskId = await begin()
    await upload(baton, { hostId, taskId }, connectorFile(people(2)))
    expect([await finish(taskId), await finish(taskId)]).toEqual(['ok', 'ok'])
    await untilState(taskId, 'done')
    const first = await taskOf(taskId)
    expect(await finish(taskId)).toBe('ok')
    expect(await codeOf(baton.finishTask({ hostId, taskId, finalState: failed }))).toBe('ok')
    expect(await taskOf(taskId)).toEqual(first)
  })
  test('that dies loses its task when its lease expires; another host continues, and the first one gets an error', async () => {
    const taskId = await begin()
    expect((await baton.getTask({ hostId: 'host-2' })).task?.taskType.case).toBe('none')
    await lapse(taskId)
    expect(await begin('host-2')).toBe(taskId)
    expect(await baton.heartbeat({ hostId, taskId })).toMatchObject({ cancelled: true, cancelledTaskIds: [taskId] })
    expect(await codeOf(upload(baton, { hostId, taskId }, connectorFile(people(1))))).toBe('NotFound')
    expect(await finish(taskId)).toBe('NotFound')
    await lapse(taskId)
    await endLapsedLeases(access.world)
    expect(await taskOf(taskId)).toMatchObject({ state: 'queued', attempts: 2 })
    await begin()
    await lapse(taskId)
    await endLapsedLeases(access.world)
    expect((await taskOf(taskId))?.state).toBe('failed')
    expect((await taskOf(taskId))?.error).toContain('3 attempts')
  })
  test('that stops during a sync and does not come back is named, with what to do; started again, it begins anew', async () => {
    const { token } = await tokenOf(server, await access.makeCaller(['system:owner']))
    const shown = async () => {
      const reply = await askTls(server, `/api/v1/apps/${made.appId}/connectors/${made.connectorId}/syncs`, { token })
      return (reply.json['list'] as { state: string; error: string; advice: string }[])[0]
    }
    const taskId = await begin()
    // As young, it may be its own: old libraries fetch a task before they say hello.
    await baton.hello({ hostId })
    expect(await shown()).toMatchObject({ state: 'CONNECTOR_SYNC_STATE_RUNNING', advice: '' })
    await server.db`update connector_tasks set begun_at = now() - interval '2 minutes' where task_id = ${taskId}`
    await baton.hello({ hostId })
    expect(await shown()).toMatchObject({
      state: 'CONNECTOR_SYNC_STATE_QUEUED',
      error: 'The connector stopped during the sync, in attempt 1 of 3.',
      advice: 'It is repeated automatically when the connector next polls.',
    })
    await server.db`update connectors set last_seen_at = now() - interval '1 hour' where connector_id = ${made.connectorId}`
    expect((await shown())?.advice).toMatch(/has not connected since .* check that the program is running/)
    expect(await begin()).toBe(taskId)
    expect(await shown()).toMatchObject({ state: 'CONNECTOR_SYNC_STATE_RUNNING', error: '', advice: '' })
  })
  test('that is killed right after a sync began goes on with it: the new process has a token of its own', async () => {
    const taskId = await begin()
    await server.db`update connector_tasks set begun_at = now() - interval '1 second' where task_id = ${taskId}`
    const { token } = await tokenOf(server, made)
    await callBaton(server, token).hello({ hostId })
    expect(await begin()).toBe(taskId)
    // Leased since, with the token of this process: its own.
    await callBaton(server, token).hello({ hostId })
    expect((await taskOf(taskId))?.state).toBe('leased')
  })
  test('that starts on another host goes on with the sync of the first one, unless that one still sends heartbeats', async () => {
    const taskId = await begin()
    const isShort = async () =>
      (
        await server.db`select 1 from connector_tasks
        where task_id = ${taskId} and lease_until < now() + interval '21 seconds'`
      ).length === 1
    await baton.hello({ hostId: 'host-2' })
    expect(await isShort()).toBe(true)
    await baton.heartbeat({ hostId, taskId })
    expect(await isShort()).toBe(false)
    await baton.hello({ hostId: 'host-2' })
    await lapse(taskId)
    expect(await begin('host-2')).toBe(taskId)
  })
  test('that fails says why, and is asked again later', async () => {
    const taskId = await begin()
    const status = { code: 7, message: 'the directory said no\0' }
    await baton.finishTask({ hostId, taskId, status, finalState: failed })
    expect(await taskOf(taskId)).toMatchObject({ state: 'failed', error: 'the directory said no' })
    expect(await isAsking()).toBe('none')
  })
  test('that finishes without a file has failed', async () => {
    const taskId = await begin()
    expect(await finish(taskId)).toBe('ok')
    expect((await taskOf(taskId))?.state).toBe('failed')
    expect((await taskOf(taskId))?.error).toContain('without uploading')
  })
  test('is asked once, by however many hosts at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, (_, i) => baton.getTask({ hostId: `h${i}` })))
    expect(all.filter(({ task }) => task?.taskType.case === 'syncFull')).toHaveLength(1)
  })
})

describe('an upload', () => {
  test('that breaks off, lies about its sum, or has no beginning leaves nothing, and can be repeated', async () => {
    const taskId = await begin()
    const file = connectorFile(people(4))
    expect(await codeOf(upload(baton, { hostId, taskId }, file, (parts) => parts.slice(0, -1)))).toBe('InvalidArgument')
    expect(await codeOf(upload(baton, { hostId, taskId }, file, wrongSum))).toBe('InvalidArgument')
    expect(await codeOf(upload(baton, { hostId, taskId }, file, (parts) => parts.slice(1)))).toBe('InvalidArgument')
    expect(await codeOf(upload(baton, { hostId, taskId }, file, (parts) => [...parts, ...parts]))).toBe(
      'InvalidArgument',
    )
    expect(await pieces(taskId)).toBe(0)
    await upload(baton, { hostId, taskId }, file)
    await upload(baton, { hostId, taskId }, file)
    expect(await pieces(taskId)).toBe(1)
    await finish(taskId)
    await untilState(taskId, 'done')
    expect(await accounts()).toBe(4)
  })
  test('ends when its credential, its connector or its task does, and leaves nothing', async () => {
    const ends: [string, (taskId: string) => Promise<unknown>][] = [
      [
        'Unauthenticated',
        () =>
          transact(access.world.db, (tx) =>
            rotateCredential(tx, access.world, operatorCause(access.tenant, 'test'), made.connectorId),
          ),
      ],
      [
        'Unauthenticated',
        async () => server.db`update connectors set deleted_at = now() where connector_id = ${made.connectorId}`,
      ],
      [
        'NotFound',
        async (taskId) => server.db`update connector_tasks set state = 'cancelled' where task_id = ${taskId}`,
      ],
    ]
    for (const [code, end] of isLong ? ends : ends.slice(2)) {
      made = await makeConnector(access, access.tenant)
      baton = callBaton(server, (await tokenOf(server, made)).token)
      const taskId = await begin()
      const first = uploadInSteps(taskId)
      await first.untilKept()
      await end(taskId)
      first.goOn()
      expect(await first.code).toBe(code)
      expect(await pieces(taskId)).toBe(0)
    }
  })
  longTest('that restarts ends the previous one: there is one at a time', async () => {
    const taskId = await begin()
    const first = uploadInSteps(taskId)
    await first.untilKept()
    const second = uploadInSteps(taskId)
    expect(
      await eventually(
        async () => (await uploads(taskId)).size === 1 && !(await uploads(taskId)).has([...first.kept][0] as string),
      ),
    ).toBe(true)
    first.goOn()
    expect(await first.code).toBe('NotFound')
    second.goOn()
    expect(await second.code).toBe('ok')
    expect(await uploads(taskId)).toHaveProperty('size', 1)
    const third = uploadInSteps(taskId)
    expect(await eventually(async () => (await uploads(taskId)).size === 2)).toBe(true)
    third.goOn()
    expect(await third.code).toBe('ok')
    expect(await uploads(taskId)).toHaveProperty('size', 1)
  })
  longTest('in messages without bytes takes no memory', async () => {
    const taskId = await begin()
    let most = 0
    const uploader = { connectorId: made.connectorId, assertMay: async () => {} }
    async function* parts() {
      yield { is: 'begin' as const, hostId, taskId }
      const before = process.memoryUsage().heapUsed
      for (let i = 0; i < 500_000; i++) yield { is: 'data' as const, bytes: new Uint8Array(0) }
      most = process.memoryUsage().heapUsed - before
    }
    await expect(receiveUpload(access.world, access.tenant.id, uploader, parts())).rejects.toThrow(
      'ended before the end',
    )
    expect(most).toBeLessThan(60 * 1024 * 1024)
  })
  longTest('of which a part is gone is not merged, and one of an earlier attempt does not count', async () => {
    const taskId = await begin()
    await upload(baton, { hostId, taskId }, connectorFile(people(3)))
    await lapse(taskId)
    expect(await begin()).toBe(taskId)
    expect(await pieces(taskId)).toBe(0)
    expect(await finish(taskId)).toBe('ok')
    expect((await taskOf(taskId))?.error).toContain('without uploading')
    await syncAgain()
    const next = await begin()
    await upload(baton, { hostId, taskId: next }, connectorFile(people(3)))
    await server.db`delete from connector_files where task_id = ${next}`
    await finish(next)
    await untilState(next, 'failed')
    expect((await taskOf(next))?.error).toContain('no longer complete')
  })
  test('in a format that cannot be read is refused with the flag that avoids it', async () => {
    const taskId = await begin()
    const work = upload(baton, { hostId, taskId }, Buffer.concat([Buffer.from('C1Z3\0'), Buffer.alloc(3000)]))
    await expect(work).rejects.toThrow(/--storage-engine sqlite/)
    expect(await pieces(taskId)).toBe(0)
  })
  test('with half a file or a hostile one fails the sync with the reason, and changes nothing', async () => {
    const taskId = await begin()
    const file = connectorFile(people(4))
    await upload(baton, { hostId, taskId }, file.subarray(0, file.length / 2))
    await finish(taskId)
    await untilState(taskId, 'failed')
    expect((await taskOf(taskId))?.error).toMatch(/damaged or incomplete/)
    expect([await accounts(), await pieces(taskId)]).toEqual([0, 0])
  })
  longTest('that would remove too much is held with its file', async () => {
    const first = await begin()
    await upload(baton, { hostId, taskId: first }, connectorFile(people(30)))
    await finish(first)
    await untilState(first, 'done')
    await syncAgain()
    const second = await begin()
    await upload(baton, { hostId, taskId: second }, connectorFile(people(5)))
    await finish(second)
    await untilState(second, 'held')
    expect(await accounts()).toBe(30)
    expect(await pieces(second)).toBe(1)
    await syncAgain()
    expect(await isAsking()).toBe('none')
  })
})

describe('who may call', () => {
  test("one connector can name none of another's tasks", async () => {
    const taskId = await begin()
    const stranger = await makeConnector(access, access.tenant)
    const other = callBaton(server, (await tokenOf(server, stranger)).token)
    expect(await codeOf(other.finishTask({ hostId, taskId, finalState: isDone }))).toBe('NotFound')
    expect(await codeOf(upload(other, { hostId, taskId }, connectorFile(people(1))))).toBe('NotFound')
    expect(await other.heartbeat({ hostId, taskId })).toMatchObject({ cancelled: true })
    expect(await taskOf(taskId)).toMatchObject({ state: 'leased' })
  })
  test('a token of a connector is good for nothing else, and one of a person not for this', async () => {
    const { token } = await tokenOf(server, made)
    expect(token.split('.')).toHaveLength(3)
    const key = await access.makeCaller(['system:owner'])
    const { token: ofPerson } = await tokenOf(server, key)
    expect(await codeOf(callBaton(server, ofPerson).getTask({ hostId }))).toBe('Unauthenticated')
    expect(await codeOf(callBaton(server, 'nonsense').getTask({ hostId }))).toBe('Unauthenticated')
    const session = connect(server.url.replace('127.0.0.1', 'localhost'), { ca: certificateOf(server) })
    const status = await new Promise((resolve) => {
      const stream = session.request({ ':path': '/api/v1/apps', authorization: `Bearer ${token}` })
      stream.on('response', (headers) => resolve(headers[':status']))
    })
    session.close()
    expect(status).toBe(401)
  })
  test('another tenant does not know it', async () => {
    const tenant = await access.makeTenant('other.example')
    expect((await tokenOf(server, made, 'other.example')).status).toBe(401)
    const there = await makeConnector(access, tenant)
    expect((await tokenOf(server, there)).status).toBe(401)
  })
  test('a credential that was rotated or whose row was forged is refused at once', async () => {
    expect(await isAsking()).toBe('syncFull')
    await server.db`update connector_credentials set expires_at = now() + interval '9 years' where client_id = ${made.clientId}`
    expect(await codeOf(baton.getTask({ hostId }))).toBe('Unauthenticated')
    expect((await tokenOf(server, made)).status).toBe(401)
  })
  test('a host has a name, and a message an end', async () => {
    expect(await codeOf(baton.getTask({ hostId: '' }))).toBe('InvalidArgument')
    expect(await codeOf(baton.getTask({ hostId: 'x'.repeat(300) }))).toBe('InvalidArgument')
    expect(await codeOf(baton.getTask({ hostId: 'x'.repeat(3_000_000) }))).toBe('ResourceExhausted')
    expect(await codeOf(baton.finishTask({ hostId, taskId: 'x' }))).toBe('InvalidArgument')
    const nothing = { hostId: 'a\0b', taskId: 'a\0b' }
    expect(await codeOf(baton.getTask(nothing))).toBe('InvalidArgument')
    expect(await codeOf(baton.finishTask({ ...nothing, hostId, finalState: isDone }))).toBe('NotFound')
    expect(await codeOf(upload(baton, { ...nothing, hostId }, connectorFile(people(1))))).toBe('NotFound')
    expect(await baton.heartbeat({ ...nothing, hostId })).toMatchObject({ cancelled: true, cancelledTaskIds: [] })
    expect(await codeOf(baton.hello({ hostId, connectorMetadata: { displayName: 'a\0b' } }))).toBe('ok')
  })
})

/** A call as bytes: what is sent after the headers, whether it ends, and the gRPC status that comes back. */
type RawCall = { token?: string; headers?: object; body?: Uint8Array[]; isEnded?: boolean; signal?: AbortSignal }
function callRaw(method: string, { token = '', headers = {}, body = [], isEnded = false, signal }: RawCall) {
  const session = connect(server.url.replace('127.0.0.1', 'localhost'), { ca: certificateOf(server) })
  const stream = session.request(
    {
      ':method': 'POST',
      ':path': `/c1.connectorapi.baton.v1.BatonService/${method}`,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    { endStream: false, ...(signal && { signal }) },
  )
  return new Promise<string>((resolve, reject) => {
    const tell = (given: object): void => {
      const status = (given as Record<string, string | undefined>)['grpc-status']
      if (status !== undefined) resolve(status)
    }
    stream.on('response', tell).on('trailers', tell).on('error', reject).resume()
    for (const part of body) stream.write(part)
    if (isEnded) stream.end()
  }).finally(() => session.destroy())
}
const framed = (message: Uint8Array): Buffer => {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}
/** The 100th field, of one byte, so many times: no message has it. */
const unknownFields = (count: number): Buffer => Buffer.alloc(3 * count, Buffer.from([0xa0, 0x06, 0x00]))

describe('what is sent to the service', () => {
  test.each(['Hello', 'GetTask', 'GetTasks', 'Heartbeat', 'UploadAsset', 'FinishTask'])(
    'is not waited for and not read before the caller is known: %s',
    async (method) => {
      // The headers are all that was sent, and the request has not ended.
      expect(await callRaw(method, {})).toBe('16')
      expect(await callRaw(method, { token: 'nonsense', headers: { 'content-length': '2000000' } })).toBe('16')
    },
  )
  test('by strangers is written down with the method, and not each time', async () => {
    for (let times = 0; times < 5; times++) await callRaw('Hello', {})
    const [events] = await server.db<{ count: number }[]>`
      select count(*) as count from systemlog_events where event like '%BatonService.Hello%' and event like '%TOKEN_MISSING%'`
    // Those of ten seconds are told in one more event when these are over.
    expect(events?.count).toBeGreaterThan(0)
    expect(events?.count).toBeLessThan(6)
  })
  test.each([
    ['GetTask', 64],
    ['GetTasks', 64],
    ['Heartbeat', 64],
    ['Hello', 512],
    ['FinishTask', 512],
    ['UploadAsset', 2048],
  ])('by a connector is refused by its length before it is sent: %s takes %i KiB', async (method, kibibytes) => {
    const { token } = await tokenOf(server, made)
    const head = framed(Buffer.alloc(kibibytes * 1024 + 1)).subarray(0, 5)
    expect(await callRaw(method, { token, body: [head] })).toBe('8')
  })
  test('has as many fields as are decoded in no time, and unary calls have one message', async () => {
    const { token } = await tokenOf(server, made)
    const call = (method: string, ...body: Uint8Array[]) => callRaw(method, { token, body, isEnded: true })
    const host = Buffer.from([0x0a, 1, 0x78])
    expect(await call('Hello', framed(Buffer.concat([host, unknownFields(19_999)])))).toBe('0')
    expect(await call('Hello', framed(Buffer.concat([host, unknownFields(20_000)])))).toBe('3')
    expect(await call('Hello', framed(host).subarray(0, 3), framed(host).subarray(3))).toBe('0')
    expect(await call('Hello', framed(host), framed(host))).toBe('3')
    expect(await call('Hello', framed(host).subarray(0, 7))).toBe('3')
    expect(await call('Hello')).toBe('12')
    const compressed = framed(host)
    compressed[0] = 1
    expect(await call('Hello', compressed)).toBe('13')
  })
  test('is at most eight uploads of a connector at once', async () => {
    const { token } = await tokenOf(server, made)
    const over = new AbortController()
    const waiting = Array.from({ length: 9 }, () => callRaw('UploadAsset', { token, signal: over.signal }))
    expect(await Promise.race(waiting)).toBe('8')
    over.abort()
    await Promise.allSettled(waiting)
  })
})
