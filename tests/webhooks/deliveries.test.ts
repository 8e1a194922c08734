import { createHash } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { ask, eventually, type Json } from '../fixture/access.ts'
import { later } from '../fixture/later.ts'
import { longTest } from '../fixture/long.ts'
import { startReceiver } from './receiver.ts'
import { callbackIn, prepareWebhooks } from './scene.ts'

const scene = prepareWebhooks()

/** Of several: what an earlier test failed to take may be sent again meanwhile. */
const receivedOf = (deliveryId: string) => {
  const found = scene.receiver.received.find(({ headers }) => headers['bailiwick-delivery-id'] === deliveryId)
  if (!found) throw new Error(`${deliveryId} did not come`)
  return found
}

test('a delivery is signed by the tenant, for its address and its body, and our public keys verify it', async () => {
  const id = await scene.webhook({ url: `${scene.receiver.url}?key=of-the-receiver` })
  const deliveryId = await scene.test(id)
  await scene.until(id, deliveryId, 'SUCCESS')
  const [{ headers, text, body, method, path }] = scene.receiver.received as [(typeof scene.receiver.received)[0]]
  expect([method, path]).toEqual(['POST', '/hook?key=of-the-receiver'])
  expect(body).toEqual({
    version: 'v1',
    webhookId: id,
    callbackUrl: headers['webhook-callback-url'],
    event: 'c1.webhooks.v1.PayloadTest',
    payload: { '@type': 'type.googleapis.com/c1.webhooks.v1.PayloadTest' },
  })
  const digest = createHash('sha256').update(text).digest('base64')
  expect(headers).toMatchObject({
    'content-digest': `sha-256=${digest}`,
    'webhook-version': 'v1',
    'webhook-id': id,
    'webhook-event': 'c1.webhooks.v1.PayloadTest',
    'bailiwick-delivery-id': deliveryId,
  })
  const { domain } = scene.access.tenant
  expect(body['callbackUrl']).toMatch(/^http:\/\/localhost:\d+\/api\/v1\/webhooks\/callback\/[\w-]{43}$/)
  const keys = createRemoteJWKSet(new URL('/auth/v1/jwks', scene.server.url))
  const token = headers.authorization?.replace(/^bearer /, '') ?? ''
  const { payload } = await jwtVerify(token, keys, { issuer: domain, audience: scene.receiver.host })
  const iat = payload.iat as number
  expect(payload).toMatchObject({
    c1typ: 'wh',
    htm: 'POST',
    htu: scene.receiver.url,
    htb_s256: digest,
    exp: iat + 120,
    nbf: iat - 60,
  })
  expect(payload.jti).toMatch(/^\w{27}$/)
  // It is no access token.
  expect((await ask(scene.server, '/api/v1/webhooks', { token })).status).toBe(401)
})

test('after 500 it is tried again with the same id and the same body, until the receiver is well', async () => {
  let count = 0
  scene.receiver.does = () => (++count < 3 ? [500, 'Oops', { 'set-cookie': 'a=b' }] : [200])
  const id = await scene.webhook()
  const deliveryId = await scene.test(id)
  const done = await scene.until(id, deliveryId, 'SUCCESS')
  expect(done.attempts).toBe(3)
  expect(new Set(scene.receiver.received.map(({ headers }) => headers['bailiwick-delivery-id'])).size).toBe(1)
  expect(new Set(scene.receiver.received.map(({ text }) => text)).size).toBe(1)
  expect(done.attemptList.map(({ number, status, error, replyBody }) => [number, status, error, replyBody])).toEqual([
    [1, 500, 'The receiver answered 500.', 'Oops'],
    [2, 500, 'The receiver answered 500.', 'Oops'],
    [3, 200, '', ''],
  ])
  expect(JSON.stringify(done)).not.toContain('a=b')
})

test('a test is given up after three attempts', async () => {
  scene.receiver.does = () => [500]
  const id = await scene.webhook()
  const done = await scene.until(id, await scene.test(id), 'FATAL_ERROR')
  expect([done.attempts, done.error]).toEqual([3, 'The receiver answered 500. There were 3 attempts.'])
})

test('410 ends it at once', async () => {
  scene.receiver.does = () => [410]
  const id = await scene.webhook()
  const done = await scene.until(id, await scene.test(id), 'FATAL_ERROR')
  expect([done.attempts, done.error]).toEqual([1, expect.stringContaining('410')])
})

test('a redirect is not followed', async () => {
  const elsewhere = await startReceiver()
  later(elsewhere.close)
  scene.receiver.does = () => [307, '', { location: elsewhere.url }]
  const id = await scene.webhook()
  const done = await scene.until(id, await scene.test(id), 'FATAL_ERROR')
  expect(done.error).toContain('redirects are not followed')
  expect(elsewhere.received).toEqual([])
})

test('a huge answer, one that is cut off and one that is compressed are failures', async () => {
  const id = await scene.webhook()
  const errorOf = async (does: typeof scene.receiver.does): Promise<string> => {
    scene.receiver.does = does
    const deliveryId = await scene.test(id)
    expect(await eventually(async () => (await scene.delivery(id, deliveryId)).error !== '')).toBe(true)
    return (await scene.delivery(id, deliveryId)).error
  }
  expect(await errorOf(() => [200, 'x'.repeat(300_000)])).toContain('larger than 250 KiB')
  expect(
    await errorOf((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{')
      setTimeout(() => response.destroy(), 20)
      return null
    }),
  ).toContain('closed before the response was complete')
  expect(await errorOf(() => [200, '{}', { 'content-encoding': 'gzip' }])).toContain('compressed')
})

test('what a receiver sends back of the request is kept without its secrets', async () => {
  scene.receiver.does = ({ headers, text }) => [
    200,
    { echo: text, token: headers.authorization },
    { 'x-echo': String(headers['webhook-callback-url']), 'x-nul': 'a' },
  ]
  const id = await scene.webhook()
  const deliveryId = await scene.test(id)
  const done = await scene.until(id, deliveryId, 'SUCCESS')
  const { headers, body } = receivedOf(deliveryId)
  const token = headers.authorization?.split(' ')[1] as string
  const secret = callbackIn({ body }).split('/').at(-1) as string
  const seen = JSON.stringify(done)
  expect(seen).toContain('[removed]')
  expect(seen).not.toContain(token)
  expect(seen).not.toContain(secret)
  const rows = await scene.server.db`
    select to_jsonb(d)::text || to_jsonb(a)::text as row from webhook_deliveries d join webhook_attempts a using (tenant_id, delivery_id)
    where d.delivery_id = ${deliveryId}`
  expect(JSON.stringify(rows)).not.toContain(secret)
  expect(JSON.stringify(scene.server.logged)).not.toContain(secret)
})

test('202 waits for one callback; a second is refused, and so is one that was never asked for', async () => {
  scene.receiver.does = () => [202]
  const id = await scene.webhook({ callbackTimeout: '86400s' })
  const begun = Date.now()
  const deliveryId = await scene.test(id)
  const waiting = await scene.until(id, deliveryId, 'WAITING_CALLBACK')
  expect(Date.parse(waiting.expiresAt)).toBeGreaterThanOrEqual(begun + 86_400_000)
  expect(Date.parse(waiting.expiresAt)).toBeLessThanOrEqual(Date.now() + 86_400_000)
  const url = callbackIn(receivedOf(deliveryId))
  // Of many at once, one counts.
  const replies = await Promise.all([1, 2, 3, 4].map(() => scene.callBack(url, { version: 'v1' })))
  expect(replies.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400', '400', '400'])
  expect((await scene.delivery(id, deliveryId)).state).toBe('WEBHOOK_STATE_SUCCESS')
  expect((await scene.callBack(url, {})).json).toMatchObject({ details: [{ reason: 'WEBHOOK_CALLBACK_OVER' }] })
  const guessed = url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  expect((await scene.callBack(guessed, {})).status).toBe(404)
  expect((await scene.callBack(url.replace(/[^/]+$/, deliveryId), {})).status).toBe(404)
  const [logged] = (await scene.logged('bailiwick.v1.WebhookDeliveries.Callback')).slice(-1)
  expect(logged?.message).toBe('The webhook Tickets answered by callback')
})

test('without a callback in time a delivery is over', async () => {
  scene.receiver.does = () => [202]
  const id = await scene.webhook()
  const deliveryId = await scene.test(id)
  const waiting = await scene.until(id, deliveryId, 'WAITING_CALLBACK')
  // 8 days, unless said.
  expect(Math.round((Date.parse(waiting.expiresAt) - Date.now()) / 86_400_000)).toBe(8)
  await scene.server
    .db`update webhook_deliveries set due_at = now() - interval '1 second' where delivery_id = ${deliveryId}`
  const url = callbackIn(receivedOf(deliveryId))
  expect((await scene.callBack(url, {})).status).toBe(400)
  const done = await scene.until(id, deliveryId, 'FATAL_ERROR')
  expect(done.error).toContain('no callback in time')
})

test('a callback that comes before the 202 counts, and the 202 changes nothing', async () => {
  const id = await scene.webhook()
  scene.receiver.does = (received, response) => {
    void scene.callBack(callbackIn(received), {}).then(({ status }) => response.writeHead(202).end(String(status)))
    return null
  }
  const deliveryId = await scene.test(id)
  const isOver = async () => (await scene.delivery(id, deliveryId)).attemptList.every(({ endedAt }) => endedAt !== null)
  await scene.until(id, deliveryId, 'SUCCESS')
  expect(await eventually(isOver)).toBe(true)
  const done = await scene.delivery(id, deliveryId)
  expect(done.state).toBe('WEBHOOK_STATE_SUCCESS')
  expect(done.attemptList.map(({ isCallback, status }) => [isCallback, status])).toEqual([
    [false, 202],
    [true, 200],
  ])
})

longTest('receivers that hang slow nobody else, and get few of the requests that are under way', async () => {
  const hanging = await startReceiver()
  later(hanging.close)
  hanging.does = () => null
  const slow = await scene.webhook({ url: hanging.url })
  for (let i = 0; i < 10; i++) await scene.test(slow)
  expect(await eventually(async () => hanging.received.length > 0)).toBe(true)
  const id = await scene.webhook()
  await scene.until(id, await scene.test(id), 'SUCCESS')
  expect(hanging.received.length).toBeLessThanOrEqual(4)
})

test('what is not over goes to the new address of its webhook, and ends with it', async () => {
  scene.receiver.does = () => [503]
  const id = await scene.webhook({ url: `${scene.receiver.url}/wrong` })
  const deliveryId = await scene.test(id)
  await scene.until(id, deliveryId, 'ERROR')
  scene.receiver.does = ({ path }) => (path === '/hook' ? [200] : [503])
  await scene.post(`/api/v1/webhooks/${id}`, { webhook: { url: scene.receiver.url } })
  await scene.until(id, deliveryId, 'SUCCESS')
  scene.receiver.does = () => [202]
  const other = await scene.test(id)
  await scene.until(id, other, 'WAITING_CALLBACK')
  // Others may still be sent what they failed to take before.
  const url = callbackIn(scene.receiver.received.findLast((each) => JSON.stringify(each).includes(other)) as never)
  expect((await scene.remove(`/api/v1/webhooks/${id}`, {})).status).toBe(200)
  const over = await scene.delivery(id, other)
  expect([over.state, over.error]).toEqual(['WEBHOOK_STATE_FATAL_ERROR', 'The webhook was deleted.'])
  expect((await scene.callBack(url, {})).status).toBe(400)
})

test('an address that is not allowed any more is not called', async () => {
  const id = await scene.webhook()
  await scene.server.db`update webhooks set url = 'http://169.254.169.254/latest/meta-data' where webhook_id = ${id}`
  const done = await scene.until(id, await scene.test(id), 'FATAL_ERROR')
  expect(done.error).toMatch(/not public/)
  expect(done.attemptList[0]?.status).toBe(0)
})

test('what a process that was killed was sending is sent again', async () => {
  const id = await scene.webhook()
  const deliveryId = await scene.test(id)
  await scene.until(id, deliveryId, 'SUCCESS')
  await scene.server.db`
    update webhook_deliveries set state = 'running', completed_at = null, due_at = now() where delivery_id = ${deliveryId}`
  expect((await scene.until(id, deliveryId, 'SUCCESS')).attempts).toBe(2)
})

// Takes as long as a receiver has to answer: until then the process that sends does not send it again.
longTest('an attempt whose lease has ended is made again, and its late result does not count', async () => {
  const id = await scene.webhook()
  let first: (() => void) | null = null
  scene.receiver.does = (_, response) => {
    if (first) return [200]
    first = () => void response.writeHead(410).end()
    return null
  }
  const deliveryId = await scene.test(id)
  expect(await eventually(async () => first !== null)).toBe(true)
  await scene.server
    .db`update webhook_deliveries set due_at = now() where delivery_id = ${deliveryId} and state = 'running'`
  const done = await scene.until(id, deliveryId, 'SUCCESS')
  expect(done.attempts).toBe(2)
  ;(first as unknown as () => void)()
  // What is sent after that is answered after it.
  await scene.until(id, await scene.test(id), 'SUCCESS')
  expect((await scene.delivery(id, deliveryId)).state).toBe('WEBHOOK_STATE_SUCCESS')
})

test('a webhook has its deliveries listed, the newest first; old ones are forgotten', async () => {
  const id = await scene.webhook()
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.push(await scene.test(id))
  for (const each of ids) await scene.until(id, each, 'SUCCESS')
  const listed = await scene.deliveries(id)
  expect(listed.map((each: Json) => each['id'])).toEqual(ids.toReversed())
  const { forgetDeliveries } = await import('#rooms/events/webhooks/index.ts')
  await scene.server.db`
    update webhook_deliveries set completed_at = now() - interval '31 days' where delivery_id = any(${ids.slice(0, 2)}::text[])`
  await forgetDeliveries(scene.access.world)
  expect((await scene.deliveries(id)).length).toBe(3)
})

longTest('no more than 20 tests of a webhook wait at once', async () => {
  const id = await scene.webhook({ url: 'https://nowhere.invalid/' })
  for (let i = 0; i < 20; i++) await scene.test(id)
  const reply = await scene.post(`/api/v1/webhooks/${id}/test`, {})
  expect([reply.status, Boolean(reply.headers['retry-after'])]).toEqual([429, true])
})
