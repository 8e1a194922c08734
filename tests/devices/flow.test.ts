import { expect, test } from 'vitest'
import { dpopKey, proofOf } from '../dpop/proof.ts'
import { ask, askToken, eventually, getToken, type Json, newAddress, outcomeOf } from '../fixture/access.ts'
import { letPass as letSessionPass } from '../sessions/support.ts'
import {
  approve,
  authorize,
  authorized,
  begin,
  cone,
  deny,
  find,
  introspect,
  letPass,
  person,
  poll,
  prepare,
  rest,
  scene,
  told,
} from './scene.ts'

prepare()

test('cone signs in: it asks, a person approves in the console, and it creates an API credential with its token', async () => {
  const who = await person()
  const begun = await begin(
    { client_id: cone },
    { headers: { 'user-agent': 'conductorone-sdk-go' }, from: '203.0.113.9' },
  )
  const origin = scene.server.url.replace('127.0.0.1', 'localhost')
  expect(begun.device_code).toMatch(/^[\w-]{43}$/)
  expect(begun.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  expect(begun).toMatchObject({
    verification_uri: `${origin}/device`,
    verification_uri_complete: `${origin}/device?user_code=${begun.user_code}`,
    expires_in: 900,
    interval: 5,
  })
  const pending = await poll(begun.device_code)
  expect(told(pending)).toBe('400 authorization_pending')
  expect(pending.headers['cache-control']).toBe('no-store')

  const seen = await find(who, begun.user_code.toLowerCase().replace('-', ' '))
  expect(seen.json['request']).toMatchObject({
    userCode: begun.user_code,
    clientId: cone,
    clientName: 'cone',
    sourceAddress: '203.0.113.9',
    isFromYourNetwork: false,
    userAgent: 'conductorone-sdk-go',
    scopedRoles: [],
  })
  expect(outcomeOf(await approve(who, begun.user_code))).toBe('200')
  const reply = await poll(begun.device_code)
  expect(reply.json).toMatchObject({ token_type: 'Bearer', expires_in: 28_800 })
  const token = reply.json['access_token'] as string
  expect((await introspect(token)).json).toMatchObject({ userId: who.userId })

  // As cone does next.
  const made = await ask(scene.server, '/api/v1/iam/personal_clients', {
    token,
    body: { display_name: 'Created by Cone' },
  })
  expect(outcomeOf(made)).toBe('200')
  const client = made.json['client'] as { id: string; clientId: string; createdAt: string; expiresTime: string }
  expect(client.clientId).toMatch(/\/pcc$/)
  const days = (Date.parse(client.expiresTime) - Date.parse(client.createdAt)) / 86_400_000
  expect(Math.round(days * 1000) / 1000).toBeCloseTo(90, 1)

  // It is in the list, with where it came from; revoked, it ends at once, with what it created.
  const { list } = (await who.browser.ask('/api/v1/auth/devices')).json as { list: Json[] }
  expect(list).toMatchObject([
    { displayName: 'cone', clientId: cone, sourceAddress: '203.0.113.9', userId: who.userId },
  ])
  const id = list[0]?.['id'] as string
  expect(outcomeOf(await who.browser.ask(`/api/v1/auth/devices/${id}`, { method: 'DELETE', body: {} }))).toBe('200')
  expect(outcomeOf(await introspect(token))).toBe('401/16 CREDENTIAL_REVOKED')
  expect((await who.browser.ask('/api/v1/iam/personal_clients')).json['list']).toEqual([])
  expect((await who.browser.ask('/api/v1/auth/devices')).json['list']).toEqual([])

  const rows = await scene.access.world.db<{ message: string; event: string }[]>`
    select event::json->>'message' as message, event from systemlog_events
    where tenant_id = ${scene.access.tenant.id} and event like ${`%${who.userId}%`} order by event_id`
  const messages = rows.map(({ message }) => message).join('\n')
  expect(messages).toMatch(/Approved the request of the device cone from 203\.0\.113\.9/)
  expect(messages).toMatch(/Created the authorized device "cone" of User/)
  expect(messages).toMatch(/Issued an access token to .*\/device/)
  expect(messages).toMatch(/Deleted the authorized device "cone" of User .* and 1 created with it/)
  const all = rows.map(({ event }) => event).join()
  for (const secret of [begun.device_code, begun.user_code, token]) expect(all).not.toContain(secret)
})

test('the codes are in the database as hashes only', async () => {
  const { device_code: deviceCode, user_code: userCode } = await begin()
  const [row] = await scene.access.world.db<{ text: string }[]>`
    select string_agg(r::text, ' ') as text from device_requests r`
  expect(row?.text).not.toContain(deviceCode)
  expect(row?.text).not.toContain(userCode)
  expect(row?.text).not.toContain(userCode.replace('-', ''))
  const { createHash } = await import('node:crypto')
  for (const plain of [userCode, userCode.replace('-', '')])
    expect(row?.text).not.toContain(createHash('sha256').update(plain).digest('hex'))
})

test('each refusal of RFC 8628 has its own error', async () => {
  const who = await person()
  const one = await begin()
  expect(told(await poll(one.device_code))).toBe('400 authorization_pending')
  // Again at once, and then in time for the longer interval.
  expect(told(await poll(one.device_code))).toBe('400 slow_down')
  await rest()
  expect(told(await poll(one.device_code))).toBe('400 authorization_pending')
  expect(outcomeOf(await deny(who, one.user_code))).toBe('200')
  expect(told(await poll(one.device_code))).toBe('400 access_denied')
  expect(outcomeOf(await approve(who, one.user_code))).toBe('404/5 DEVICE_REQUEST_NOT_FOUND')

  const late = await begin()
  await letPass(late.device_code, 16)
  expect(told(await poll(late.device_code))).toBe('400 expired_token')
  expect(outcomeOf(await find(who, late.user_code))).toBe('404/5 DEVICE_REQUEST_NOT_FOUND')
  expect(outcomeOf(await approve(who, late.user_code))).toBe('404/5 DEVICE_REQUEST_NOT_FOUND')
  const tooLate = await begin()
  await approve(who, tooLate.user_code)
  const other = await begin()
  await letPass(other.device_code, 14)
  expect(outcomeOf(await approve(who, other.user_code))).toBe('200')

  expect(told(await poll('x'.repeat(43)))).toBe('400 invalid_grant')
  expect(told(await poll(other.device_code, { client_id: 'another' }))).toBe('400 invalid_grant')
  expect(told(await poll('', {}))).toBe('400 invalid_request')
  expect(told(await poll(other.device_code, { client_id: '' }))).toBe('400 invalid_request')
  expect(told(await poll(other.device_code, { client_secret: 'x' }))).toBe('400 invalid_request')
  expect(told(await poll(other.device_code, { grant_type: 'device_code' }))).toBe('400 unsupported_grant_type')
  expect(told(await poll(other.device_code, {}, { headers: { authorization: 'Basic eDp5' } }))).toBe(
    '400 invalid_request',
  )
  // None of which used it up.
  expect(told(await poll(other.device_code))).toBe('200')

  for (const client_id of ['', 'with space', 'ä', 'x'.repeat(201)])
    expect(told(await authorize({ client_id }))).toBe('400 invalid_request')
  expect(told(await authorize({ client_id: cone, scope: 'openid' }))).toBe('400 invalid_scope')
})

test('a request that asks for a scope is limited to it, and a token that was bound by DPoP needs its key', async () => {
  const who = await person({ roles: ['system:owner'] })
  const roleId = await scene.access.roleId('system:viewer')
  const begun = await begin({ client_id: 'report-tool', scope: roleId })
  expect((await find(who, begun.user_code)).json['request']).toMatchObject({
    clientId: 'report-tool',
    clientName: 'report-tool',
    scopedRoles: [roleId],
  })
  await approve(who, begun.user_code)
  const origin = scene.server.url.replace('127.0.0.1', 'localhost')
  const key = dpopKey()
  const wrong = proofOf(key, { method: 'GET', url: `${origin}/auth/v1/token` })
  const form = { client_id: 'report-tool' }
  expect(told(await poll(begun.device_code, form, { headers: { dpop: wrong } }))).toBe('400 invalid_dpop_proof')
  const dpop = proofOf(key, { method: 'POST', url: `${origin}/auth/v1/token` })
  const reply = await poll(begun.device_code, form, { headers: { dpop } })
  expect(reply.json['token_type']).toBe('DPoP')
  const token = reply.json['access_token'] as string
  expect(outcomeOf(await introspect(token))).toBe('401/16 TOKEN_INVALID')
  const called = (path: string, method = 'GET') =>
    ask(scene.server, path, {
      method,
      ...(method !== 'GET' && { body: {} }),
      headers: { authorization: `DPoP ${token}`, dpop: proofOf(key, { method, url: `${origin}${path}`, token }) },
    })
  expect(outcomeOf(await called('/api/v1/apps'))).toBe('200')
  expect(outcomeOf(await called('/api/v1/apps', 'POST'))).toBe('403/7 PERMISSION_DENIED')
  // A limited token sees itself, and no other device.
  await authorized(who)
  const { list } = (await called('/api/v1/auth/devices')).json as { list: Json[] }
  expect(list).toMatchObject([{ displayName: 'report-tool' }])
})

test('it needs a person in the console who signed in a short time ago and may create credentials', async () => {
  const { user_code: code } = await begin()
  const viewer = await person({ roles: ['system:viewer'] })
  for (const each of [find, approve, deny]) expect(outcomeOf(await each(viewer, code))).toBe('403/7 PERMISSION_DENIED')
  const { token } = await authorized()
  for (const path of ['find', 'approve', 'deny']) {
    const reply = await ask(scene.server, `/api/v1/auth/device_requests/${path}`, { token, body: { userCode: code } })
    expect(outcomeOf(reply), path).toBe('403/7 SESSION_REQUIRED')
    const anonymous = await ask(scene.server, `/api/v1/auth/device_requests/${path}`, {
      from: newAddress(),
      body: { userCode: code },
    })
    expect(outcomeOf(anonymous)).toBe('401/16 TOKEN_MISSING')
  }
  const who = await person()
  await letSessionPass(scene.access, who.userId, 16)
  expect(outcomeOf(await approve(who, code))).toBe('403/7 FRESH_SIGN_IN_REQUIRED')
  // Looking and denying give nothing.
  expect(outcomeOf(await find(who, code))).toBe('200')
  expect(
    outcomeOf(
      await who.browser.ask('/api/v1/auth/device_requests/approve', {
        body: { userCode: code },
        headers: { 'sec-fetch-site': 'cross-site' },
      }),
    ),
  ).toBe('403/7 CROSS_SITE_REFUSED')
  expect(outcomeOf(await deny(who, code))).toBe('200')
})

test('administrators list and revoke devices of others; others do neither', async () => {
  const device = await authorized()
  const admin = await person({ roles: ['system:owner'] })
  const path = `/api/v1/auth/users/${device.userId}/devices`
  const { list } = (await admin.browser.ask(path)).json as { list: { id: string }[] }
  expect(list).toHaveLength(1)
  const id = list[0]?.id as string
  const other = await person()
  expect(outcomeOf(await other.browser.ask(path))).toBe('403/7 PERMISSION_DENIED')
  const own = `/api/v1/auth/devices/${id}`
  expect(outcomeOf(await other.browser.ask(own, { method: 'DELETE', body: {} }))).toBe('404/5 DEVICE_NOT_FOUND')
  // Nor by the operations of API credentials.
  for (const [method, body] of [['GET'], ['DELETE', {}]] as const) {
    const reply = await device.browser.ask(`/api/v1/iam/personal_clients/${id}`, { method, ...(body && { body }) })
    expect(outcomeOf(reply)).toBe('404/5 CREDENTIAL_NOT_FOUND')
  }
  const wrongUser = `/api/v1/auth/users/${other.userId}/devices/${id}`
  expect(outcomeOf(await admin.browser.ask(wrongUser, { method: 'DELETE', body: {} }))).toBe('404/5 DEVICE_NOT_FOUND')
  expect(outcomeOf(await introspect(device.token))).toBe('200')
  expect(outcomeOf(await admin.browser.ask(`${path}/${id}`, { method: 'DELETE', body: {} }))).toBe('200')
  expect(outcomeOf(await introspect(device.token))).toBe('401/16 CREDENTIAL_REVOKED')
})

test('the engine forgets requests that nobody redeemed, and keeps those whose device is authorized', async () => {
  const { deleteForgottenRequests } = await import('#rooms/identity/tokens/index.ts')
  const device = await authorized()
  const unused = await begin()
  const { db, now } = scene.access.world
  await deleteForgottenRequests(db, now())
  await rest()
  expect(told(await poll(unused.device_code))).toBe('400 authorization_pending')
  await deleteForgottenRequests(db, new Date(now().getTime() + 2 * 3_600_000))
  expect(told(await poll(unused.device_code))).toBe('400 invalid_grant')
  const { list } = (await device.browser.ask('/api/v1/auth/devices')).json as { list: Json[] }
  expect(list).toHaveLength(1)
  expect(await eventually(async () => (await introspect(device.token)).status === 200)).toBe(true)
})

test('a device revokes its own token, by the client id of its authorization and without a secret', async () => {
  const revoke = (form: Record<string, string>) =>
    askToken(scene.server, form, { path: '/auth/v1/revoke', from: newAddress() })
  const { token } = await authorized()
  const others = await authorized()
  expect(told(await revoke({ client_id: 'another program', token }))).toBe('400 invalid_grant')
  expect(told(await revoke({ token }))).toBe('400 invalid_request')
  const key = await scene.access.makeCaller(['system:user'])
  // Those with a secret need it, whatever their token.
  const ofKey = await getToken(scene.server, key)
  expect(told(await revoke({ client_id: key.clientId, token: ofKey }))).toBe('400 invalid_request')
  expect(told(await revoke({ client_id: cone, token: ofKey }))).toBe('400 invalid_grant')
  expect((await introspect(token)).status).toBe(200)
  for (const each of [token, token, 'nonsense'])
    expect(told(await revoke({ client_id: cone, token: each }))).toBe('200')
  expect((await introspect(token)).status).toBe(401)
  for (const each of [others.token, ofKey]) expect((await introspect(each)).status).toBe(200)
})

test('the reply names the roles that a device was limited to, and no others can be asked for with the code', async () => {
  const [role] = await scene.server.db<{ id: string }[]>`
    select role_id as id from roles where tenant_id = ${scene.access.tenant.id} and name = 'system:user'`
  const who = await person()
  const begun = await begin({ client_id: cone, scope: role?.id as string })
  await approve(who, begun.user_code)
  expect(told(await poll(begun.device_code, { scope: role?.id as string }))).toBe('400 invalid_scope')
  expect((await poll(begun.device_code)).json['scope']).toBe(role?.id)
})
