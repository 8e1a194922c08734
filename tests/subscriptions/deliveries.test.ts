import { createHash, createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { getToken, type Json, outcomeOf } from '../fixture/access.ts'
import { fewOrMany } from '../fixture/long.ts'
import { startServer } from '../fixture/server.ts'
import { signatureBy } from './receiver.ts'
import { base, flags, prepare, type Shown } from './scene.ts'

const scene = prepare()
const emitted = 'bailiwick.emit'

test('every event arrives once, in the order of the chain, and by its own id', async () => {
  const { receiver } = scene
  const { id, path } = await scene.subscribe()
  const first = await scene.emit(30)
  const second = await scene.emit(fewOrMany(70, 250))
  await scene.until(() => receiver.ids(path).includes(second.at(-1) as string))
  await scene.until(async () => (await scene.get(id)).eventsBehind === 0)
  const got = receiver.ids(path)
  const log = await scene.logSince(got[0] as string)
  // Its own creation is the first of them: it committed with it.
  expect(got.slice(1, 31)).toEqual(first)
  expect(got).toEqual(log.slice(0, got.length))
  const one = receiver.ledger.find((each) => each.id === first[0])
  const body = JSON.parse(one?.body ?? '') as Json
  expect(body).toMatchObject({ version: 'v1', id: first[0], type: emitted, tenantId: scene.access.tenant.publicId })
  expect((body['data'] as Json)['message']).toBe('Event 0')
  const shown = await scene.get(id)
  expect(Number(shown.deliveredCount)).toBe(got.length)
})

test('a message has both signatures, under headers that do not clash', async () => {
  const { receiver } = scene
  const begun = Date.now()
  const { id, path, secret } = await scene.subscribe({ eventKinds: [emitted] })
  await scene.emit(1)
  await scene.until(() => receiver.ids(path).length === 1)
  const got = receiver.ledger.find((each) => each.path === path)
  if (!got) throw new Error('nothing came')
  expect(got.headers['bailiwick-message-signature']).toBe(signatureBy(secret, got))
  const sentAt = Number(got.headers['bailiwick-message-timestamp']) * 1000
  expect(sentAt).toBeGreaterThan(begun - 1000)
  expect(sentAt).toBeLessThanOrEqual(Date.now())
  expect(got.headers).toMatchObject({ 'webhook-version': 'v1', 'webhook-id': id, 'webhook-event': emitted })
  expect(got.headers['webhook-signature']).toBeUndefined()
  expect(got.headers['webhook-timestamp']).toBeUndefined()
  const digest = createHash('sha256').update(got.body).digest('base64')
  expect(got.headers['content-digest']).toBe(`sha-256=${digest}`)
  const [, token = ''] = /^bearer (.*)$/i.exec(got.headers.authorization ?? '') ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const { keys } = (await scene.ask('/auth/v1/jwks')).json as { keys: (Json & { kid: string })[] }
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }
  const key = createPublicKey({ key: keys.find((each) => each.kid === kid) as never, format: 'jwk' })
  expect(verify(null, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
  const said = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Json
  expect(said).toMatchObject({ htm: 'POST', htu: receiver.url(path), htb_s256: digest, c1typ: 'wh' })
})

test('after a rotation messages are signed with both secrets, and later with the new one only', async () => {
  const { receiver } = scene
  const { path, secret, at, id } = await scene.subscribe({ eventKinds: [emitted] })
  const rotated = await scene.post(`${at}/rotate_secret`, { overlap: '3600s' })
  const next = rotated.json['secret'] as string
  expect(next).toMatch(/^whsec_/)
  expect(next).not.toBe(secret)
  expect((rotated.json['subscription'] as Shown).oldSecretUntil).not.toBeNull()
  await scene.emit(1)
  await scene.until(() => receiver.ids(path).length === 1)
  const got = receiver.ledger.find((each) => each.path === path)
  if (!got) throw new Error('nothing came')
  expect(got.headers['bailiwick-message-signature']).toBe(`${signatureBy(next, got)} ${signatureBy(secret, got)}`)
  // A change of something else keeps both.
  const changed = await scene.post(at, { subscription: { displayName: 'Renamed' } })
  expect(changed.status, changed.text).toBe(200)
  await scene.access.world.db`
    update subscriptions set old_secret_until = now() - interval '1 second' where subscription_id = ${id}`
  await scene.emit(1)
  await scene.until(() => receiver.ids(path).length === 2)
  const last = receiver.ledger.findLast((each) => each.path === path)
  expect(last?.headers['bailiwick-message-signature']).toBe(last && signatureBy(next, last))
  expect(outcomeOf(await scene.post(`${at}/rotate_secret`, { overlap: '9999999s' }))).toBe('400/3 INPUT_INVALID')
})

test('a receiver that answers 500 for days gets the same id again and nothing after it; then it is paused, and nothing is lost', async () => {
  const { receiver } = scene
  const failing = await scene.subscribe({ eventKinds: [emitted] })
  const healthy = await scene.subscribe({ eventKinds: [emitted] })
  receiver.behave.set(failing.path, () => 500)
  const ids = await scene.emit(3)
  await scene.until(() => receiver.ids(healthy.path).length === 3)
  let attempt = 0
  for (;;) {
    const begun = Date.now()
    await scene.until(async () => (await scene.get(failing.id)).failedAttempts > attempt)
    const shown = await scene.get(failing.id)
    attempt = shown.failedAttempts
    if (attempt === 10) break
    expect(shown).toMatchObject({ state: 'SUBSCRIPTION_STATE_ACTIVE', detail: 'The receiver answered 500.' })
    const next = Date.parse(shown.nextAttemptAt ?? '')
    const least = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400][attempt - 1] as number
    // The first of them may have failed before the loop began.
    expect(next).toBeGreaterThan(begun + least * 1000 - 60_000)
    expect(next).toBeLessThan(Date.now() + least * 1200 + 5000)
    await scene.timePasses(failing.id)
  }
  expect(receiver.ids(failing.path)).toEqual(Array<string>(10).fill(ids[0] as string))
  expect(receiver.ledger.findLast(({ path }) => path === failing.path)?.headers['bailiwick-attempt']).toBe('10')
  const paused = await scene.get(failing.id)
  expect(paused).toMatchObject({
    state: 'SUBSCRIPTION_STATE_PAUSED',
    reason: 'SUBSCRIPTION_REASON_DELIVERY_FAILED',
    nextAttemptAt: null,
  })
  expect(paused.detail).toContain(ids[0])
  const [event] = await scene.access.world.db<{ event: Json }[]>`
    select event::jsonb as event from systemlog_events
    where event::jsonb #>> '{resources,0,uid}' = ${failing.id} order by event_id desc limit 1`
  expect(event?.event).toMatchObject({ severity_id: 4 })
  expect(event?.event['message']).toContain('Paused the subscription')
  receiver.behave.delete(failing.path)
  expect((await scene.post(`${failing.at}/resume`)).status).toBe(200)
  await scene.until(() => receiver.acknowledged(failing.path).length === 3)
  expect(receiver.acknowledged(failing.path)).toEqual(ids)
  expect(receiver.ids(healthy.path)).toEqual(ids)
})

test('a receiver that hangs slows nobody else, and goes on where it was', async () => {
  const { receiver } = scene
  const hanging = await Promise.all([1, 2, 3].map(() => scene.subscribe({ eventKinds: [emitted] })))
  const healthy = await scene.subscribe({ eventKinds: [emitted] })
  for (const { path } of hanging) receiver.behave.set(path, () => 'hang')
  const count = fewOrMany(5, 20)
  const first = await scene.emit(count)
  await scene.until(() => receiver.ids(healthy.path).length === count)
  for (const { path } of hanging) expect(receiver.ids(path)).toEqual([first[0]])
  const second = await scene.emit(count)
  await scene.until(() => receiver.ids(healthy.path).length === 2 * count)
  for (const { path } of hanging) receiver.behave.delete(path)
  receiver.letGo()
  for (const { path } of hanging) {
    await scene.until(() => receiver.acknowledged(path).length === 2 * count)
    expect(receiver.acknowledged(path)).toEqual([...first, ...second])
  }
})

test('a redirect is not followed, Retry-After is heeded, and 410 ends the subscription', async () => {
  const { receiver } = scene
  const elsewhere = await scene.subscribe({ eventKinds: ['nothing'] })
  const { id, path, at } = await scene.subscribe({ eventKinds: [emitted] })
  receiver.behave.set(path, (got, response) => {
    got.answered = 302
    response.writeHead(302, { location: `${receiver.url(elsewhere.path)}?key=hidden` }).end('moved')
    return 'own'
  })
  const ids = await scene.emit(2)
  await scene.until(async () => (await scene.get(id)).failedAttempts >= 1)
  expect((await scene.get(id)).detail).toBe('The receiver answered 302. Redirects are not followed.')
  expect(receiver.ids(elsewhere.path)).toEqual([])
  const [delivery] = (await scene.ask(`${at}/deliveries`)).json['list'] as Json[]
  const detail = await scene.ask(`${at}/deliveries/${delivery?.['id'] as string}`)
  expect(detail.text).not.toContain('hidden')
  receiver.behave.set(path, (_, response) => {
    response.writeHead(503, { 'retry-after': '7000' }).end()
    return 'own'
  })
  const begun = Date.now()
  await scene.timePasses(id)
  await scene.until(async () => Date.parse((await scene.get(id)).nextAttemptAt ?? '') > begun + 7_000_000)
  receiver.behave.set(path, () => 410)
  await scene.timePasses(id)
  await scene.until(async () => (await scene.get(id)).state === 'SUBSCRIPTION_STATE_ENDED')
  expect(await scene.get(id)).toMatchObject({ reason: 'SUBSCRIPTION_REASON_RECEIVER_GONE' })
  await scene.emit(1)
  expect(new Set(receiver.ids(path))).toEqual(new Set([ids[0]]))
})

test('pausing keeps events, deleting forgets them, and a new address has the rest', async () => {
  const { receiver } = scene
  const { id, path, at } = await scene.subscribe({ eventKinds: [emitted] })
  const before = await scene.emit(2)
  await scene.until(() => receiver.ids(path).length === 2)
  expect((await scene.post(`${at}/pause`)).status).toBe(200)
  expect(outcomeOf(await scene.post(`${at}/pause`))).toBe('400/9 SUBSCRIPTION_STATE')
  const meanwhile = await scene.emit(3)
  await scene.until(async () => (await scene.get(id)).eventsBehind >= 3)
  const moved = `${path}-moved`
  const changed = await scene.post(at, { subscription: { url: receiver.url(moved) } })
  expect(changed.status, changed.text).toBe(200)
  expect(receiver.ids(path)).toEqual(before)
  expect((await scene.post(`${at}/resume`)).status).toBe(200)
  await scene.until(() => receiver.ids(moved).length === 3)
  expect(receiver.ids(moved)).toEqual(meanwhile)
  expect((await scene.ask(at, { method: 'DELETE' })).status).toBe(200)
  expect(outcomeOf(await scene.ask(at))).toBe('404/5 SUBSCRIPTION_NOT_FOUND')
  expect(outcomeOf(await scene.ask(`${at}/deliveries`))).toBe('404/5 SUBSCRIPTION_NOT_FOUND')
  await scene.emit(1)
  expect(receiver.ids(moved)).toEqual(meanwhile)
})

test('two servers send to a subscription in turns: no gap, and the first arrivals are in order', async () => {
  const { receiver } = scene
  const beside = await startServer({ beside: scene.server, flags })
  const made = await Promise.all(
    Array.from({ length: fewOrMany(2, 4) }, () => scene.subscribe({ eventKinds: [emitted] })),
  )
  const ids: string[] = []
  for (let round = 0; round < 3; round++) {
    ids.push(...(await scene.emit(fewOrMany(10, 25))))
    // As if whoever sends had stood still: another may take it up.
    await scene.access.world.db`update subscriptions set lease_until = now() - interval '1 second'`
  }
  await beside.stop()
  for (const { path } of made) {
    await scene.until(() => new Set(receiver.acknowledged(path)).size === ids.length)
    expect([...new Set(receiver.ids(path))]).toEqual(ids)
  }
})

test("another tenant's events never arrive, and its administrator sees nothing", async () => {
  const { receiver, access } = scene
  const { path, id } = await scene.subscribe()
  const other = await access.makeTenant('other.example')
  const theirs = await scene.emit(5, 'emit', other)
  const ours = await scene.emit(1)
  await scene.until(() => receiver.ids(path).includes(ours[0] as string))
  await scene.until(async () => (await scene.get(id)).eventsBehind === 0)
  expect(receiver.ids(path).filter((each) => theirs.includes(each))).toEqual([])
  const token = await getToken(scene.server, await access.makeCaller(['system:owner'], {}, other))
  for (const [method, at] of [
    ['GET', `${base}/${id}`],
    ['DELETE', `${base}/${id}`],
    ['POST', `${base}/${id}/test`],
    ['POST', `${base}/${id}/pause`],
    ['GET', `${base}/${id}/deliveries`],
  ] as const)
    expect(outcomeOf(await scene.ask(at, { method, token, host: 'other.example' })), at).toBe(
      '404/5 SUBSCRIPTION_NOT_FOUND',
    )
  const event = await scene.ask(`${base}/${id}/replay`, { body: { fromEventId: theirs[0] } })
  expect(outcomeOf(event)).toBe('404/5 EVENT_NOT_FOUND')
})
