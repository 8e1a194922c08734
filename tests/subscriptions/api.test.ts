import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fieldsOf, getToken, type Json, outcomeOf, type RoleName } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { stuckRoute, whileStuck } from '../fixture/stuck-threads.ts'
import { tamper } from '../systemlog/support.ts'
import { base, prepare, type Shown } from './scene.ts'

const scene = prepare({ extraRoutes: [stuckRoute] })
const emitted = 'bailiwick.emit'
const shownUrl = 'https://receiver.example/events?[removed]'
const good = { displayName: 'A receiver', url: 'https://receiver.example/events?key=hidden' }

test('a subscription is created, read, listed, changed and deleted; its secret is in one reply only', async () => {
  const made = await scene.post(base, { ...good, eventKinds: ['nothing'], description: 'For the SIEM' })
  expect(made.status, made.text).toBe(200)
  const secret = made.json['secret'] as string
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const { id } = made.json['subscription'] as Shown
  expect(made.json['subscription']).toMatchObject({
    ...good,
    url: shownUrl,
    description: 'For the SIEM',
    eventKinds: ['nothing'],
    state: 'SUBSCRIPTION_STATE_ACTIVE',
    responsibleUserId: scene.key.userId,
    eventsBehind: 0,
  })
  expect((await scene.get(id)).url).toBe(shownUrl)
  const listed = await scene.ask(base)
  expect((listed.json['list'] as Shown[]).map((each) => each.id)).toContain(id)
  expect(listed.text).not.toContain(secret)
  const changed = await scene.post(`${base}/${id}`, {
    subscription: { displayName: 'Another', eventKinds: ['app.v1.*', 'denied.*'] },
    updateMask: 'displayName,eventKinds',
  })
  expect(changed.json['subscription']).toMatchObject({
    displayName: 'Another',
    url: shownUrl,
    eventKinds: ['app.v1.*', 'denied.*'],
  })
  expect((await scene.ask(`${base}/${id}`, { method: 'DELETE' })).status).toBe(200)
  expect(outcomeOf(await scene.ask(`${base}/${id}`))).toBe('404/5 SUBSCRIPTION_NOT_FOUND')
  const [row] = await scene.access.world.db<{ text: string }[]>`
    select string_agg(event, '') as text from systemlog_events where event like '%subscription%'`
  expect(row?.text).toContain('Deleted the subscription Another')
  expect(row?.text.includes(secret)).toBe(false)
  expect(row?.text.includes('hidden')).toBe(false)
})

test.each([
  [{ url: 'ftp://receiver.example' }, ['url']],
  [{ url: 'https://user:password@receiver.example' }, ['url']],
  [{ url: 'http://10.0.0.1/' }, ['url']],
  [{ url: 'http://169.254.169.254/latest' }, ['url']],
  [{ url: 'https://receiver.example/#part' }, ['url']],
  [{ url: '' }, ['url']],
  [{ displayName: ' ' }, ['displayName']],
  [{ eventKinds: ['a.*.b.*'] }, ['eventKinds[0]']],
  [{ eventKinds: ['fine', 'not fine'] }, ['eventKinds[1]']],
  [{ eventKinds: Array.from({ length: 51 }, (_, n) => `k${n}`) }, ['eventKinds']],
])('%j is refused', async (wrong, fields) => {
  const reply = await scene.post(base, { ...good, ...wrong })
  expect(outcomeOf(reply)).toBe('400/3 INPUT_INVALID')
  expect(fieldsOf(reply)).toEqual(fields)
})

test.each([
  'event',
  'subject.department == "X"',
  'event.x == ',
  'now() > timestamp("2026-01-01T00:00:00Z")',
  'c1.user.v1.HasApp(subject, "x")',
  '"text"',
])('the filter %s is refused', async (filter) => {
  expect(outcomeOf(await scene.post(base, { ...good, filter }))).toBe('400/3 EXPRESSION_INVALID')
})

test('only who may read the system log and write subscriptions has events sent', async () => {
  const { id } = await scene.subscribe({ eventKinds: ['nothing'] })
  const tokenOf = async (roles: RoleName[]) => getToken(scene.server, await scene.access.makeCaller(roles))
  const denied = '403/7 PERMISSION_DENIED'
  for (const roles of [['system:user'], ['system:viewer'], ['system:system-logs-reader']] as RoleName[][]) {
    const token = await tokenOf(roles)
    expect(outcomeOf(await scene.ask(base, { token, body: good })), roles[0]).toBe(denied)
    for (const verb of ['pause', 'resume', 'replay', 'replay/plan', 'test', 'rotate_secret'])
      expect(outcomeOf(await scene.ask(`${base}/${id}/${verb}`, { token, body: {} })), verb).toBe(denied)
    expect(outcomeOf(await scene.ask(`${base}/${id}`, { token, body: {} }))).toBe(denied)
    expect(outcomeOf(await scene.ask(`${base}/${id}`, { token, method: 'DELETE' }))).toBe(denied)
  }
  const viewer = await tokenOf(['system:viewer'])
  const changed = await scene.post(`${base}/${id}`, { subscription: { url: good.url } })
  expect(changed.status, changed.text).toBe(200)
  const kept = () => scene.access.world.db`select url from subscriptions where subscription_id = ${id}`
  const before = await kept()
  expect(JSON.stringify(before)).not.toContain('hidden')
  // Sent back as it was shown, it stays; elsewhere it does not go.
  expect((await scene.post(`${base}/${id}`, { subscription: { url: shownUrl, displayName: 'Same' } })).status).toBe(200)
  expect(await kept()).toEqual(before)
  const moved = shownUrl.replace('receiver', 'elsewhere')
  expect((await scene.post(`${base}/${id}`, { subscription: { url: moved } })).text).toContain('send the whole URL')
  const seen = await scene.ask(`${base}/${id}`, { token: viewer })
  expect((seen.json['subscription'] as Shown).url).toBe('https://receiver.example/events?[removed]')
  expect(outcomeOf(await scene.ask(base, { token: await tokenOf(['system:user']) }))).toBe(denied)

  // A role that may write subscriptions and not read the log.
  await scene.access.makeRole('writes-only', ['subscriptions.write', 'subscriptions.read'])
  const writer = await getToken(scene.server, await scene.access.makeCaller(['writes-only' as RoleName]))
  for (const [path, body] of [
    [base, good],
    [`${base}/${id}`, { subscription: { url: 'https://elsewhere.example' } }],
    [`${base}/${id}/resume`, {}],
    [`${base}/${id}/replay`, { fromTime: '2020-01-01T00:00:00Z' }],
    [`${base}/${id}/replay/plan`, { fromTime: '2020-01-01T00:00:00Z' }],
    [`${base}/${id}/test`, {}],
    [`${base}/${id}/rotate_secret`, {}],
  ] as const)
    expect(outcomeOf(await scene.ask(path, { token: writer, body })), path).toBe(denied)
  expect(outcomeOf(await scene.ask(`${base}/${id}/deliveries/x`, { token: writer }))).toBe(denied)
})

test('kinds and a filter choose; an event on which the filter fails is sent and says so', async () => {
  const { receiver } = scene
  const byKind = await scene.subscribe({ eventKinds: ['bailiwick.e*'] })
  const byFilter = await scene.subscribe({
    filter: `kind == "${emitted}" && event.resources.exists(r, r.uid == "1" || r.uid == "3")`,
  })
  const failing = await scene.subscribe({ eventKinds: [emitted], filter: 'event.missing.field == "x"' })
  await scene.emit(2, 'other')
  const ids = await scene.emit(4)
  await scene.until(() => receiver.ids(failing.path).length === 4)
  await scene.until(() => receiver.ids(byKind.path).length === 4)
  await scene.until(() => receiver.ids(byFilter.path).length === 2)
  expect(receiver.ids(byKind.path)).toEqual(ids)
  expect(receiver.ids(byFilter.path)).toEqual([ids[1], ids[3]])
  expect(receiver.ids(failing.path)).toEqual(ids)
  const got = receiver.ledger.find(({ path }) => path === failing.path)
  expect(got?.headers['bailiwick-filter-error']).toContain('missing')
  await scene.until(async () => (await scene.get(failing.id)).filterErrorCount === '4')
  expect((await scene.get(failing.id)).filterError).toContain(ids[3])
})

test('refused requests and sign-ins have kinds of their own', async () => {
  const { receiver } = scene
  const denials = await scene.subscribe({ eventKinds: ['denied.*'] })
  const logons = await scene.subscribe({ eventKinds: ['authentication.logon.success'] })
  const token = await getToken(scene.server, await scene.access.makeCaller(['system:user']))
  await scene.ask(base, { token })
  await scene.until(() => receiver.ids(denials.path).length > 0 && receiver.ids(logons.path).length > 0)
  const kindsAt = (at: string) =>
    receiver.ledger.filter(({ path }) => path === at).map(({ body }) => (JSON.parse(body) as Json)['type'])
  expect(kindsAt(denials.path)).toContain('denied.bailiwick.v1.Subscriptions.List')
  expect(new Set(kindsAt(logons.path))).toEqual(new Set(['authentication.logon.success']))
})

test('a filter that takes too much work pauses the subscription, and no event is lost', async () => {
  const { receiver } = scene
  const numbers = `[${Array.from({ length: 450 }, (_, n) => n).join(',')}]`
  const slow = `${numbers}.exists(a, ${numbers}.exists(b, a + b < 0)) || true`
  const { id, path, at } = await scene.subscribe({ eventKinds: [emitted], filter: slow })
  const ids = await scene.emit(60)
  await scene.until(async () => {
    const { state, filterErrorCount } = await scene.get(id)
    return state === 'SUBSCRIPTION_STATE_PAUSED' || Number(filterErrorCount) === 60
  })
  const shown = await scene.get(id)
  expect(shown.reason).toBe('SUBSCRIPTION_REASON_FILTER_TOO_COSTLY')
  const changed = await scene.post(at, { subscription: { filter: '' } })
  expect(changed.status, changed.text).toBe(200)
  expect((await scene.post(`${at}/resume`)).status).toBe(200)
  await scene.until(() => receiver.ids(path).length === 60)
  expect(receiver.ids(path)).toEqual(ids)
})

test('a filter that the server has no time for pauses nothing: events wait, and go on by themselves', async () => {
  const { receiver } = scene
  const { id, path } = await scene.subscribe({ eventKinds: [emitted], filter: 'event.message.startsWith("Event")' })
  const first = await scene.emit(2)
  await scene.until(() => receiver.ids(path).length === 2)
  let ids: string[] = []
  await whileStuck(scene.server, async () => {
    ids = await scene.emit(3)
    await until(async () => (await scene.get(id)).detail !== '')
    const { state, reason, detail, failedAttempts } = await scene.get(id)
    expect({ state, reason, detail, failedAttempts }).toEqual({
      state: 'SUBSCRIPTION_STATE_ACTIVE',
      reason: 'SUBSCRIPTION_REASON_UNSPECIFIED',
      detail: 'The server was too busy to evaluate the filter.',
      failedAttempts: 0,
    })
  })
  await scene.timePasses(id)
  await until(() => receiver.ids(path).length === 5)
  expect(receiver.ids(path)).toEqual([...first, ...ids])
  await until(async () => (await scene.get(id)).detail === '')
})

test('a replay sends everything from an event on again, by the same ids; a plan says how much', async () => {
  const { receiver } = scene
  const { path, at, id } = await scene.subscribe({ eventKinds: [emitted] })
  const ids = await scene.emit(6)
  await scene.until(() => receiver.ids(path).length === 6)
  await scene.until(async () => (await scene.get(id)).eventsBehind === 0)
  const plan = await scene.post(`${at}/replay/plan`, { fromEventId: ids[2] })
  expect(plan.json).toMatchObject({ matchedCount: 4, skippedCount: 0 })
  expect(plan.json['eventCount']).toBeGreaterThanOrEqual(4)
  expect(receiver.ids(path).length).toBe(6)
  expect((await scene.post(`${at}/replay`, { fromEventId: ids[2] })).status).toBe(200)
  await scene.until(() => receiver.ids(path).length === 10)
  expect(receiver.ids(path).slice(6)).toEqual(ids.slice(2))
  const bodies = receiver.ledger.filter((got) => got.path === path && got.id === ids[3]).map(({ body }) => body)
  expect(bodies.length).toBe(2)
  expect(new Set(bodies).size).toBe(1)

  const since = JSON.parse(bodies[0] ?? '') as { timestamp: string }
  expect((await scene.post(`${at}/replay`, { fromTime: since.timestamp })).status).toBe(200)
  await scene.until(() => receiver.ids(path).length > 12)
  for (const body of [{}, { fromEventId: ids[0], fromTime: since.timestamp }])
    expect(outcomeOf(await scene.post(`${at}/replay`, body))).toBe('400/3 INPUT_INVALID')
  for (const body of [{ fromEventId: 'none' }, { fromTime: '2999-01-01T00:00:00Z' }])
    expect(outcomeOf(await scene.post(`${at}/replay`, body))).toBe('404/5 EVENT_NOT_FOUND')
})

test('a replay that would leave out events has to say so', async () => {
  const { receiver } = scene
  const { path, at } = await scene.subscribe({ eventKinds: [emitted] })
  expect((await scene.post(`${at}/pause`)).status).toBe(200)
  const ids = await scene.emit(5)
  const plan = await scene.post(`${at}/replay/plan`, { fromEventId: ids[3] })
  expect(plan.json['skippedCount']).toBeGreaterThanOrEqual(3)
  expect(outcomeOf(await scene.post(`${at}/replay`, { fromEventId: ids[3] }))).toBe('400/9 REPLAY_SKIPS_EVENTS')
  expect((await scene.post(`${at}/replay`, { fromEventId: ids[3], maySkip: true })).status).toBe(200)
  expect((await scene.post(`${at}/resume`)).status).toBe(200)
  await scene.until(() => receiver.ids(path).length === 2)
  expect(receiver.ids(path)).toEqual(ids.slice(3))
})

test('a test message is sent at once, also when paused, and moves nothing', async () => {
  const { receiver } = scene
  const { path, at, id } = await scene.subscribe({ eventKinds: [emitted] })
  expect((await scene.post(`${at}/pause`)).status).toBe(200)
  const tested = await scene.post(`${at}/test`)
  expect(tested.json['delivery']).toMatchObject({ outcome: 'DELIVERY_OUTCOME_DELIVERED', status: 204, isTest: true })
  const got = receiver.ledger.find((each) => each.path === path)
  expect(got?.id).toMatch(/^test_/)
  const { id: deliveryId } = tested.json['delivery'] as { id: string }
  const detail = await scene.ask(`${at}/deliveries/${deliveryId}`)
  expect((detail.json['request'] as Json)['body']).toBe(got?.body)
  receiver.behave.set(path, () => 500)
  expect((await scene.post(`${at}/test`)).json['delivery']).toMatchObject({ outcome: 'DELIVERY_OUTCOME_FAILED' })
  expect(await scene.get(id)).toMatchObject({ state: 'SUBSCRIPTION_STATE_PAUSED', failedAttempts: 0 })
  expect(outcomeOf(await scene.ask(`${at}/deliveries/none`))).toBe('404/5 DELIVERY_NOT_FOUND')
})

test('whoever may no longer read the log has nothing sent any more; another administrator takes it over', async () => {
  const { receiver, access, server } = scene
  const key = await access.makeCaller(['system:owner'])
  const token = await getToken(server, key)
  const reply = await scene.ask(base, {
    token,
    body: { displayName: 'Theirs', url: receiver.url('/theirs'), eventKinds: [emitted] },
  })
  const { id } = reply.json['subscription'] as Shown
  const first = await scene.emit(1)
  await scene.until(() => receiver.ids('/theirs').length === 1)
  // That they may is remembered for a fifth of a second.
  await sleep(250)
  const disabled = await scene.post(`/api/v1/users/${key.userId}/disable`)
  expect(disabled.status, disabled.text).toBe(200)
  const second = await scene.emit(2)
  await scene.until(async () => (await scene.get(id)).state === 'SUBSCRIPTION_STATE_PAUSED')
  expect((await scene.get(id)).reason).toBe('SUBSCRIPTION_REASON_NOT_PERMITTED')
  expect(receiver.ids('/theirs')).toEqual(first)
  const resumed = await scene.post(`${base}/${id}/resume`)
  expect((resumed.json['subscription'] as Shown).responsibleUserId).toBe(scene.key.userId)
  await scene.until(() => receiver.ids('/theirs').length === 3)
  expect(receiver.ids('/theirs')).toEqual([...first, ...second])
})

test.each([
  ["url = 'http://127.0.0.1:9/'"],
  ["event_kinds = '{*}'"],
  ["filter = 'true'"],
  ["responsible_id = '2zzzzzzzzzzzzzzzzzzzzzzzzzz'"],
])('a row that was changed in the database (%s) sends nothing', async (change) => {
  const { receiver } = scene
  const { id, path } = await scene.subscribe({ eventKinds: ['nothing'], filter: 'false' })
  await scene.access.world.db.unsafe(`update subscriptions set ${change} where subscription_id = '${id}'`)
  await scene.emit(1)
  await scene.until(async () => (await scene.get(id)).state === 'SUBSCRIPTION_STATE_PAUSED')
  expect((await scene.get(id)).reason).toMatch(/CHANGED_OUTSIDE|NOT_PERMITTED/)
  expect(receiver.ids(path)).toEqual([])
})

/** Events in links of their own, while a subscription is paused. */
async function linksOf(at: string, count: number): Promise<string[]> {
  await scene.post(`${at}/pause`)
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const [id = ''] = await scene.emit(1)
    ids.push(id)
    await scene.until(async () => (await scene.logSince(id)).length > 0)
  }
  return ids
}

test('events that were removed from the log are not passed over silently', async () => {
  const { receiver } = scene
  const { id, path, at } = await scene.subscribe({ eventKinds: [emitted] })
  const [first, second, third] = await linksOf(at, 3)
  const { db } = scene.access.world
  const [{ link } = { link: 0 }] = await db<{ link: number }[]>`
    select seal_number as link from systemlog_events where event_id = ${second ?? ''}`
  await tamper(db, () => db`delete from systemlog_events where seal_number = ${link}`)
  await scene.post(`${at}/resume`)
  await scene.until(async () => (await scene.get(id)).state === 'SUBSCRIPTION_STATE_PAUSED')
  expect((await scene.get(id)).reason).toBe('SUBSCRIPTION_REASON_EVENTS_MISSING')
  expect(receiver.ids(path)).toEqual([first])
  const [, next = ''] = /next existing event is (\w{27})/.exec((await scene.get(id)).detail) ?? []
  expect((await scene.post(`${at}/replay`, { fromEventId: next, maySkip: true })).status).toBe(200)
  await scene.post(`${at}/resume`)
  await scene.until(() => receiver.ids(path).length > 1)
  expect(receiver.ids(path)).toEqual([first, third])
})

test('an event that was changed in the database is not sent', async () => {
  const { receiver } = scene
  const { id, path, at } = await scene.subscribe({ eventKinds: [emitted] })
  const [first, second] = await linksOf(at, 2)
  const { db } = scene.access.world
  await tamper(
    db,
    () => db`update systemlog_events set event = replace(event, 'Event 0', 'Forged') where event_id = ${second ?? ''}`,
  )
  await scene.post(`${at}/resume`)
  await scene.until(async () => (await scene.get(id)).state === 'SUBSCRIPTION_STATE_PAUSED')
  expect((await scene.get(id)).reason).toBe('SUBSCRIPTION_REASON_LOG_TAMPERED')
  expect((await scene.get(id)).detail).toContain(second)
  expect(receiver.ids(path)).toEqual([first])
})

test('there are at most 100', async () => {
  const { world, tenant } = scene.access
  await world.db`
    insert into subscriptions (tenant_id, subscription_id, display_name, url, event_kinds, state, state_changed_at,
      sealed_secret, responsible_id, created_by, created_at, updated_at, cursor_seal, cursor_position)
    select ${tenant.id}::int, lpad(n::text, 27, '0'), 'Many', 'https://x.example', '{nothing}', 'paused', now(), '', '', '',
      now(), now(), 0, 0 from generate_series(1, 100) n`
  expect(outcomeOf(await scene.post(base, good))).toBe('400/9 SUBSCRIPTIONS_TOO_MANY')
  await world.db`delete from subscriptions where display_name = 'Many'`
})

test('what is behind, delivered and failed is counted for metrics', async () => {
  const { metricsUrl } = scene.server.serving
  const { path, at } = await scene.subscribe({ eventKinds: [emitted] })
  await scene.emit(1)
  await scene.until(() => scene.receiver.ids(path).length === 1)
  expect((await scene.post(`${at}/pause`)).status).toBe(200)
  const read = async (): Promise<string> => (await fetch(metricsUrl as string)).text()
  await scene.until(async () =>
    /bailiwick_subscription_deliveries_total\{outcome="delivered"\} [1-9]/.test(await read()),
  )
  expect(await read()).toMatch(/bailiwick_subscriptions\{state="paused"\}/)
  expect(await read()).toMatch(/bailiwick_subscription_events_behind \d/)
})
