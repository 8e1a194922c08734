import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetDeliveries } from '#rooms/events/subscriptions/index.ts'
import type { Json } from '../fixture/access.ts'
import { prepare } from './scene.ts'

const scene = prepare()
const emitted = 'bailiwick.emit'

/** A receiver below HTTP: it sees requests one by one, and writes what it likes. */
type Raw = { url: string; ids: string[]; answer(socket: Socket, id: string, nth: number): void }
let raws: Server
const behaviours = new Map<string, Raw>()

beforeAll(async () => {
  raws = createServer((socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (piece: Buffer) => {
      text += piece.toString()
      for (;;) {
        const end = text.indexOf('\r\n\r\n')
        const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0)
        if (end < 0 || Buffer.byteLength(text.slice(end + 4)) < length) return
        const [, path = ''] = /^POST (\S+)/.exec(text) ?? []
        const [, id = ''] = /bailiwick-message-id: (\S+)/i.exec(text) ?? []
        text = Buffer.from(text.slice(end + 4))
          .subarray(length)
          .toString()
        const raw = behaviours.get(path)
        raw?.ids.push(id)
        raw?.answer(socket, id, raw.ids.length)
      }
    })
  })
  await new Promise<void>((listening) => raws.listen(0, '127.0.0.1', listening))
})
afterAll(() => void raws.close())

function startRaw(path: string, answer: Raw['answer']): Raw {
  const raw: Raw = { url: `http://127.0.0.1:${(raws.address() as AddressInfo).port}${path}`, ids: [], answer }
  behaviours.set(path, raw)
  return raw
}

const ok = 'HTTP/1.1 204 No Content\r\n\r\n'

test('a receiver that answers twice has no event taken for acknowledged that it did not answer', async () => {
  // The second reply to the first request arrives when no request is under way, or just as the next is.
  let isDropping = false
  const acknowledged: string[] = []
  const raw = startRaw('/twice', (socket, id) => {
    if (isDropping) return void setTimeout(() => socket.destroy(), 200)
    acknowledged.push(id)
    socket.write(ok)
    setTimeout(() => socket.write(ok), 5)
  })
  await scene.subscribe({ url: raw.url, eventKinds: [emitted] })
  const first = await scene.emit(5)
  await scene.until(() => new Set(acknowledged).size === 5)
  isDropping = true
  const [dropped] = await scene.emit(1)
  await scene.until(() => raw.ids.includes(dropped as string))
  isDropping = false
  const second = await scene.emit(3)
  // What came without an answer is sent again, and before what follows it.
  raw.answer = (socket, id) => {
    acknowledged.push(id)
    socket.write(ok)
  }
  await scene.until(async () => {
    await scene.access.world.db`update subscriptions set next_attempt_at = null`
    return new Set(acknowledged).size === 9
  })
  expect([...new Set(acknowledged)]).toEqual([...first, dropped, ...second])
})

test.each([
  ['closes the connection instead of answering', (socket: Socket) => void socket.destroy()],
  ['answers something that is not HTTP', (socket: Socket) => void socket.end('NO\r\n\r\n')],
  ['breaks off in its reply', (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc')],
  [
    'sends a reply without end',
    (socket: Socket) => void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n${'x'.repeat(200_000)}`),
  ],
  [
    'answers 200 with a compressed body',
    (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx'),
  ],
  ['answers 100 and no more', (socket: Socket) => void socket.end('HTTP/1.1 100 Continue\r\n\r\n')],
])('a receiver that %s has not acknowledged', async (what, lie) => {
  let isLying = true
  const path = `/${what.replaceAll(/\W+/g, '-')}`
  const raw = startRaw(path, (socket) => (isLying ? lie(socket) : void socket.write(ok)))
  const { id, at } = await scene.subscribe({ url: raw.url, eventKinds: [emitted] })
  const ids = await scene.emit(2)
  await scene.until(async () => (await scene.get(id)).failedAttempts >= 1)
  expect(new Set(raw.ids)).toEqual(new Set([ids[0]]))
  isLying = false
  expect((await scene.post(`${at}/resume`)).status).toBe(200)
  await scene.until(() => raw.ids.includes(ids[1] as string))
  expect([...new Set(raw.ids)]).toEqual(ids)
})

test('a receiver that sends back what it got has no signature kept, in no form', async () => {
  const { receiver } = scene
  const { path, at, secret } = await scene.subscribe({ eventKinds: [emitted], url: receiver.url('/echo?key=hidden') })
  expect(path).not.toBe('/echo')
  let token = ''
  receiver.behave.set('/echo', (got, response) => {
    token = (got.headers.authorization ?? '').replace('bearer ', '')
    const echoed = JSON.stringify({ ...got.headers, secret }).replaceAll('/', '\\/')
    response.writeHead(400, { 'set-cookie': 'session=abc', 'content-type': 'application/json' }).end(echoed)
    return 'own'
  })
  await scene.emit(1)
  await scene.until(async () => ((await scene.ask(`${at}/deliveries`)).json['list'] as Json[]).length > 0)
  const [delivery] = (await scene.ask(`${at}/deliveries`)).json['list'] as Json[]
  expect(delivery).toMatchObject({ outcome: 'DELIVERY_OUTCOME_FAILED', status: 400, attempt: 1, isTest: false })
  const { text, json } = await scene.ask(`${at}/deliveries/${delivery?.['id'] as string}`)
  expect(token.length).toBeGreaterThan(100)
  const got = receiver.ledger.findLast((each) => each.path === '/echo')
  const signature = String(got?.headers['bailiwick-message-signature'])
  for (const hidden of [token, signature, signature.slice(3), secret, secret.slice(6), 'hidden', 'session=abc'])
    for (const form of [hidden, hidden.replaceAll('/', '\\\\/')]) expect(text.includes(form), hidden).toBe(false)
  // The request is told as it was sent.
  expect(json['request']).toMatchObject({ method: 'POST', body: got?.body, url: receiver.url('/echo?[removed]') })
  expect(json['reply']).toMatchObject({ status: 400 })
  const [row] = await scene.access.world.db<{ text: string }[]>`
    select string_agg(d::text, '') as text from subscription_deliveries d`
  for (const hidden of [token, signature, secret, 'hidden']) expect(row?.text.includes(hidden)).toBe(false)
})

test('the history of a subscription has an end', async () => {
  const { receiver } = scene
  const { path, at, id } = await scene.subscribe({ eventKinds: [emitted] })
  await scene.access.world.db`
    insert into subscription_deliveries (tenant_id, subscription_id, delivery_id, message_id, kind, is_test, attempt, outcome,
      started_at, duration_ms, status, request)
    select ${scene.access.tenant.id}::int, ${id}, lpad(n::text, 27, '0'), 'x', 'x', false, 1, 'delivered',
      now() - case when n <= 600 then interval '31 days' else interval '1 day' end, 1, 204, '{}'
    from generate_series(1, 1500) n`
  await scene.access.world.db`update subscriptions set delivered_count = 1599 where subscription_id = ${id}`
  const count = async (): Promise<number> => {
    const [row] = await scene.access.world.db<{ count: number }[]>`
      select count(*)::int as count from subscription_deliveries where subscription_id = ${id}`
    return row?.count ?? 0
  }
  await scene.emit(1)
  await scene.until(() => receiver.ids(path).length === 1)
  await scene.until(async () => (await count()) === 1_000)
  await forgetDeliveries(scene.access.world)
  expect(await count()).toBe(901)
  const { json } = await scene.ask(`${at}/deliveries?outcome=DELIVERY_OUTCOME_FAILED`)
  expect(json['list']).toEqual([])
})
