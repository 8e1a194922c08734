import { expect, test } from 'vitest'
import { openUrl } from '#kernel/outgoing/secret-url.ts'
import { sealPlainUrls } from '#rooms/events/webhooks/index.ts'
import { ask, getToken, type Json, type Reply } from '../fixture/access.ts'
import { prepareWebhooks } from './scene.ts'

const scene = prepareWebhooks()
const path = '/api/v1/webhooks'
const webhookIn = ({ status, json, text }: Reply): Json & { id: string } => {
  expect(status, text).toBe(200)
  return json['webhook'] as Json & { id: string }
}

test('as Terraform does it: create, change the address without a mask, find by refs, delete', async () => {
  const created = webhookIn(
    await scene.post(path, { displayName: 'Terraform', description: 'By HCL', url: 'https://example.com' }),
  )
  expect(created).toEqual({
    id: created.id,
    displayName: 'Terraform',
    description: 'By HCL',
    url: 'https://example.com',
    callbackTimeout: null,
    createdAt: created['createdAt'],
    updatedAt: created['createdAt'],
    deletedAt: null,
  })
  const changed = webhookIn(
    await scene.post(`${path}/${created.id}`, {
      webhook: { id: created.id, displayName: 'Terraform', description: 'By HCL', url: 'https://examplechanged.com' },
    }),
  )
  expect(changed).toMatchObject({ url: 'https://examplechanged.com', description: 'By HCL', callbackTimeout: null })
  expect(webhookIn(await scene.get(`${path}/${created.id}`))).toEqual(changed)
  const found = await scene.all('/api/v1/search/webhooks', { refs: [{ id: created.id }] })
  expect(found).toEqual([changed])
  expect((await scene.remove(`${path}/${created.id}`, {})).json).toEqual({})
  expect((await scene.get(`${path}/${created.id}`)).status).toBe(404)
  expect(await scene.all('/api/v1/search/webhooks', { refs: [{ id: created.id }] })).toEqual([])
})

test('an update with a mask changes what it names, and one that names something else is refused', async () => {
  const id = await scene.webhook({ displayName: 'Before', callbackTimeout: '172800s' })
  const to = { displayName: 'After', url: 'https://other.example', callbackTimeout: '259200s' }
  const one = webhookIn(await scene.post(`${path}/${id}`, { webhook: to, updateMask: 'displayName' }))
  expect(one).toMatchObject({ displayName: 'After', url: scene.receiver.url, callbackTimeout: '172800s' })
  const two = webhookIn(await scene.post(`${path}/${id}`, { webhook: to, updateMask: 'url,callback_timeout' }))
  expect(two).toMatchObject({ url: 'https://other.example', callbackTimeout: '259200s' })
  const three = webhookIn(await scene.post(`${path}/${id}`, { webhook: {}, updateMask: 'callbackTimeout' }))
  expect(three['callbackTimeout']).toBe(null)
  expect((await scene.post(`${path}/${id}`, { webhook: to, updateMask: 'createdAt' })).status).toBe(400)
  expect((await scene.post(`${path}/${id}`, {})).status).toBe(400)
})

test.each([
  ['no name', { displayName: ' ' }, 'displayName'],
  ['no address', { url: '' }, 'url'],
  ['something else than an address', { url: 'not a url' }, 'url'],
  ['another protocol', { url: 'ftp://example.com' }, 'url'],
  ['a password in the address', { url: 'https://a:b@example.com' }, 'url'],
  ['the address of the metadata of a cloud', { url: 'http://169.254.169.254/latest' }, 'url'],
  ['a private address that is not allowed', { url: 'https://10.0.0.1/' }, 'url'],
  ['a callback after an hour', { callbackTimeout: '3600s' }, 'callbackTimeout'],
  ['a callback after 31 days', { callbackTimeout: '2678400s' }, 'callbackTimeout'],
])('%s is refused by name', async (_, wrong, field) => {
  const reply = await scene.post(path, { displayName: 'Wrong', url: scene.receiver.url, ...wrong })
  expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(`"field":"${field}"`)])
})

test('a host name is not resolved when a webhook is created', async () => {
  expect((await scene.post(path, { displayName: 'Later', url: 'https://not.yet.invalid/hook' })).status).toBe(200)
})

test('Super Administrators manage webhooks, Read-Only Administrators see them, and nobody else knows of them', async () => {
  const id = await scene.webhook()
  const body = { displayName: 'Mine', url: 'https://example.com' }
  for (const by of [scene.viewer, scene.basic]) {
    expect((await scene.post(path, body, by)).status).toBe(403)
    expect((await scene.post(`${path}/${id}`, { webhook: body }, by)).status).toBe(403)
    expect((await scene.post(`${path}/${id}/test`, {}, by)).status).toBe(403)
    expect((await scene.remove(`${path}/${id}`, {}, by)).status).toBe(403)
  }
  expect((await scene.get(`${path}/${id}`, scene.viewer)).status).toBe(200)
  expect((await scene.get(`${path}/${id}/deliveries`, scene.viewer)).status).toBe(200)
  for (const each of [path, `${path}/${id}`, `${path}/${id}/deliveries`])
    expect((await scene.get(each, scene.basic)).status).toBe(403)
  expect((await scene.post('/api/v1/search/webhooks', {}, scene.basic)).status).toBe(403)
})

test('another tenant has neither the webhook nor its deliveries nor its callbacks', async () => {
  const id = await scene.webhook()
  const deliveryId = await scene.test(id)
  scene.receiver.does = () => [202]
  const other = await scene.access.makeTenant('other.example')
  const key = await scene.access.makeCaller(['system:owner'], {}, other)
  const token = await getToken(scene.server, key)
  const asOther = (to: string, body?: object) =>
    ask(scene.server, to, { token, host: 'other.example', ...(body && { body }) })
  expect((await asOther(`${path}/${id}`)).status).toBe(404)
  expect((await asOther(`${path}/${id}/test`, {})).status).toBe(404)
  expect((await asOther(`${path}/${id}/deliveries`)).status).toBe(404)
  expect((await asOther(`${path}/${id}/deliveries/${deliveryId}`)).status).toBe(404)
  expect((await asOther(path)).json['list']).toEqual([])
  const own = webhookIn(await asOther(path, { displayName: 'Theirs', url: 'https://example.com' }))
  expect((await asOther(`${path}/${own.id}/deliveries/${deliveryId}`)).status).toBe(404)
})

test('the system log tells who changed a webhook, and of its address only the host', async () => {
  const id = await scene.webhook({ url: 'https://hooks.example/secret-part?token=hidden' })
  await scene.post(`${path}/${id}`, { webhook: { url: 'https://hooks.example/other-secret' } })
  await scene.remove(`${path}/${id}`, {})
  const service = 'webhooks.v1.WebhooksService'
  const events = [
    ...(await scene.logged(`${service}.Create`)),
    ...(await scene.logged(`${service}.Update`)),
    ...(await scene.logged(`${service}.Delete`)),
  ].filter(({ resources }) => resources?.some(({ uid }) => uid === id))
  expect(events.map(({ message }) => message)).toEqual([
    'Created the webhook Tickets',
    'Changed url of the webhook Tickets',
    'Deleted the webhook Tickets',
  ])
  expect(events[1]?.resources[0]?.data).toMatchObject({ host: 'hooks.example', isUrlChanged: true })
  expect(JSON.stringify(events)).not.toMatch(/secret|hidden/)
})

test('the values in the query of an address are kept sealed, shown to nobody, and stay when the address is sent back as it was shown', async () => {
  const { db } = scene.access.world
  const id = await scene.webhook({ url: 'https://hooks.example/in?key=hidden-one&hidden-two' })
  const shown = 'https://hooks.example/in?[removed]'
  const kept = async () => {
    const [row] = await db<{ url: string }[]>`select url from webhooks where webhook_id = ${id}`
    return row?.url ?? ''
  }
  const opened = async () => openUrl(scene.access.world.seals, scene.access.tenant.id, await kept())
  const before = await kept()
  expect(before).toMatch(/^https:\/\/hooks\.example\/in\?\[removed\]#sealed\./)
  expect(webhookIn(await scene.get(`${path}/${id}`)).url).toBe(shown)
  const change = (url: string) => scene.post(`${path}/${id}`, { webhook: { url, description: 'Changed' } })
  // The second is as older versions showed it.
  for (const same of [
    shown,
    'https://hooks.example/in?key=[removed]&[removed]',
    shown.replaceAll('[', '%5B').replaceAll(']', '%5D'),
  ]) {
    const changed = await change(same)
    expect(changed.status, changed.text).toBe(200)
    expect(webhookIn(changed).url).toBe(shown)
    expect(await kept()).toBe(before)
  }
  // Nobody has a secret that they do not know sent elsewhere.
  for (const other of [
    'https://elsewhere.example/in?key=[removed]&[removed]',
    'https://hooks.example/other?key=[removed]&[removed]',
    'https://hooks.example/in?key=[removed]&hidden-two',
    before.replace('hooks.example', 'elsewhere.example'),
  ])
    expect((await change(other)).text, other).toContain('send the whole URL')
  expect((await scene.post(path, { displayName: 'Copied', url: shown })).text).toContain('send the whole URL')
  expect((await change('https://hooks.example/in?key=hidden-three')).status).toBe(200)
  expect(await opened()).toBe('https://hooks.example/in?key=hidden-three')
  await db`update webhooks set url = replace(url, 'hooks.', 'other.') where webhook_id = ${id}`
  expect(await opened()).toBe(null)
  // As older versions kept it.
  const names = 'https://hooks.example/in?hidden-five=[removed]'
  const { seals } = scene.access.world
  const whole = Buffer.from('https://hooks.example/in?hidden-five=')
  const sealed = seals.seal('query of an address', String(scene.access.tenant.id), whole, names).toString('base64url')
  await db`update webhooks set url = ${`${names}#sealed.${sealed}`} where webhook_id = ${id}`
  expect(await opened()).toBe('https://hooks.example/in?hidden-five=')
  expect(webhookIn(await scene.get(`${path}/${id}`)).url).toBe(shown)
  await sealPlainUrls(scene.access.world)
  expect(await kept()).not.toContain('hidden-five')
  expect(await opened()).toBe('https://hooks.example/in?hidden-five=')
  await db`update webhooks set url = 'https://hooks.example/in?key=hidden-four' where webhook_id = ${id}`
  await sealPlainUrls(scene.access.world)
  expect(await kept()).toMatch(/#sealed\./)
  expect(await opened()).toBe('https://hooks.example/in?key=hidden-four')
})

test('a secret is kept and shown nowhere, wherever in the query of an address it is written', async () => {
  const { db } = scene.access.world
  const secret = 'Wq7-whole-secret-9'
  const queries = [
    `?${secret}`,
    `?${secret}=`,
    `?${secret}=1`,
    `?a&${secret}=`,
    `?a=1&${secret}`,
    `?a=%20${secret}&b`,
    `?=${secret}`,
  ]
  for (const query of queries) {
    const url = `https://hooks.example/in${query}`
    const id = await scene.webhook({ url })
    const subscription = await scene.post('/api/v1/subscriptions', { displayName: 'S', url })
    expect(subscription.status, subscription.text).toBe(200)
    const replies = [subscription.text, (await scene.get(`${path}/${id}`)).text, (await scene.get(path)).text]
    expect(replies.join('\n'), query).not.toContain(secret)
    const [row] = await db<{ all: string }[]>`
      select (select jsonb_agg(w) from webhooks w)::text || (select jsonb_agg(s) from subscriptions s)::text
        || (select jsonb_agg(e.event) from systemlog_events e)::text || (select jsonb_agg(i) from idempotency_keys i)::text as all`
    expect(row?.all ?? '', query).not.toContain(secret)
  }
  for (const url of [`https://hooks.example/in#${secret}`, `https://me:${secret}@hooks.example/in`]) {
    const refused = await scene.post(path, { displayName: 'W', url })
    expect(refused.status).toBe(400)
    expect(refused.text).not.toContain(secret)
  }
  expect(JSON.stringify(scene.server.logged)).not.toContain(secret)
})
