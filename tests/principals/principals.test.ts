import { expect, test } from 'vitest'
import {
  ask,
  askToken,
  assertionOf,
  byAssertion,
  bySecret,
  fieldsOf,
  type Json,
  jwkIn,
  outcomeOf,
  reasonOf,
} from '../fixture/access.ts'
import {
  acting,
  base,
  call,
  caller,
  createCredential,
  good,
  keyIn,
  own,
  patch,
  post,
  prepare,
  principal,
  remove,
  scene,
} from './scene.ts'

prepare()

const get = async (id: string): Promise<Json> =>
  good(await call(scene.admin, `${base}/${id}`))['servicePrincipal'] as Json

test('a service principal is a user without email address and without roles', async () => {
  const made = good(await post(scene.admin, base, { displayName: '  Nightly export ' }))['servicePrincipal'] as Json
  expect(made).toMatchObject({
    displayName: 'Nightly export',
    objectPermissions: { read: true, edit: true, delete: true },
    user: {
      id: made['id'],
      type: 'USER_TYPE_SERVICE',
      origin: 'USER_ORIGIN_LOCAL',
      status: 'ENABLED',
      email: '',
      roleIds: [],
    },
  })
  expect(await get(made['id'] as string)).toEqual(made)
  const { list } = good(await call(scene.admin, `${base}?page_size=100`)) as { list: Json[] }
  expect(list.find(({ id }) => id === made['id'])).toEqual(made)
})

test('it is renamed by update, and what an update says of its user is refused if it differs', async () => {
  const id = await principal('system:viewer')
  const before = await get(id)
  const path = `${base}/${id}`
  // What was read can be sent back.
  good(await patch(scene.admin, path, { servicePrincipal: before }))
  const renamed = await patch(scene.admin, path, { servicePrincipal: { displayName: 'B' }, updateMask: 'display_name' })
  expect(good(renamed)['servicePrincipal']).toMatchObject({ displayName: 'B', user: { displayName: 'B' } })
  for (const user of [{ status: 'DISABLED' }, { roleIds: [await scene.access.roleId('system:owner')] }]) {
    const reply = await patch(scene.admin, path, { servicePrincipal: { user } })
    expect(fieldsOf(reply)).toEqual([`servicePrincipal.user.${Object.keys(user)[0]}`])
  }
  for (const servicePrincipal of [{ displayName: '  ' }, { displayName: 'x'.repeat(201) }])
    expect((await patch(scene.admin, path, { servicePrincipal })).status).toBe(400)
  expect((await patch(scene.admin, path, { servicePrincipal: { user: {} }, updateMask: 'user' })).status).toBe(400)
  expect((await post(scene.admin, base, { displayName: ' ' })).status).toBe(400)
})

test('its credential gets tokens by secret and by assertion, for what its roles permit and from where it may', async () => {
  const id = await principal('system:viewer')
  const reply = await createCredential(scene.admin, id, { expires: '3600s', allowSourceCidrs: ['10.0.0.0/8'] })
  const key = keyIn(reply)
  expect(key.clientId).toMatch(/^[0-9a-f]{20}@localhost(:\d+)?\/spc$/)
  expect(jwkIn(key.clientSecret)).toMatchObject({ kty: 'OKP', crv: 'Ed25519' })
  const credential = reply.json['credential'] as { createdAt: string; expiresAt: string }
  expect(Date.parse(credential.expiresAt) - Date.parse(credential.createdAt)).toBe(3_600_000)
  expect(credential).toMatchObject({
    servicePrincipalId: id,
    allowSourceCidrs: ['10.0.0.0/8'],
    scopedRoleIds: [],
    requireDpop: false,
  })
  const from = '10.1.2.3'
  for (const form of [bySecret(key), byAssertion(key, assertionOf(key))]) {
    const token = good(await askToken(scene.server, form, { from }))['access_token'] as string
    const seen = await ask(scene.server, '/api/v1/auth/introspect', { token, from })
    expect(seen.json).toMatchObject({ userId: id, principleId: key.clientId })
    expect(outcomeOf(await ask(scene.server, '/api/v1/apps', { token, from }))).toBe('200')
    expect(outcomeOf(await ask(scene.server, base, { token, from, body: { displayName: 'x' } }))).toBe(
      '403/7 PERMISSION_DENIED',
    )
    expect(reasonOf(await ask(scene.server, '/api/v1/apps', { token, from: '192.0.2.1' }))).toBe(
      'SOURCE_ADDRESS_DENIED',
    )
  }
  expect((await askToken(scene.server, bySecret(key), { from: '192.0.2.2' })).status).toBe(401)
})

test('a credential always ends: after 90 days unless said, and after 180 at the latest', async () => {
  const id = await principal()
  const lifetimeOf = async (body: Json) => {
    const { credential } = good(await createCredential(scene.admin, id, body)) as { credential: Json }
    return (Date.parse(String(credential['expiresAt'])) - Date.parse(String(credential['createdAt']))) / 86_400_000
  }
  // Created with a token of a credential that never ends.
  expect(await lifetimeOf({})).toBe(90)
  expect(await lifetimeOf({ expires: '15552000s' })).toBe(180)
  for (const expires of ['15552001s', '0s', '-1s', '0.5s'])
    expect(fieldsOf(await createCredential(scene.admin, id, { expires })), expires).toEqual(['expires'])
})

test('what cannot be is refused by name: too many addresses, unknown roles, bindings of functions', async () => {
  const id = await principal()
  const refused = async (body: Json) => createCredential(scene.admin, id, body)
  const blocks = Array.from({ length: 33 }, (_, i) => `10.0.0.${i}`)
  good(await refused({ allowSourceCidrs: blocks.slice(1) }))
  expect(fieldsOf(await refused({ allowSourceCidrs: blocks }))).toEqual(['allowSourceCidrs'])
  expect(fieldsOf(await refused({ allowSourceCidrs: ['10.0.0.0/8', 'nowhere'] }))).toEqual(['allowSourceCidrs[1]'])
  expect(fieldsOf(await refused({ scopedRoles: ['none'] }))).toEqual(['scopedRoles'])
  expect(fieldsOf(await refused({ displayName: ' ' }))).toEqual(['displayName'])
  for (const path of ['', '/list', '/delete']) {
    const reply = await post(scene.admin, `${base}/bindings${path}`, { subject: { functionId: 'f' } })
    expect(fieldsOf(reply), reply.text).toEqual(['subject'])
    expect(reply.text).toContain('functions, which Bailiwick does not run')
    expect(reasonOf(await post(scene.admin, `${base}/bindings${path}`, {}))).toBe('FUNCTIONS_UNAVAILABLE')
  }
})

test('credentials are listed, renamed and revoked; a revoked one is refused at once', async () => {
  const id = await principal('system:viewer')
  const robot = await acting(id)
  const path = `${base}/${id}/credentials`
  expect((good(await call(scene.admin, path))['list'] as Json[]).map((each) => each['id'])).toEqual([robot.id])
  const renamed = await patch(scene.admin, `${path}/${robot.id}`, {
    credential: { displayName: 'B', allowSourceCidrs: ['10.0.0.0/8'], scopedRoleIds: [] },
  })
  // What the service tells is ignored when it comes back; a mask that names it is refused.
  expect(good(renamed)['credential']).toMatchObject({ displayName: 'B', allowSourceCidrs: [] })
  expect(
    fieldsOf(await patch(scene.admin, `${path}/${robot.id}`, { credential: {}, updateMask: 'scopedRoleIds' })),
  ).toEqual(['updateMask'])
  expect(good(await call(scene.admin, `${path}/${robot.id}`))['credential']).toMatchObject({ displayName: 'B' })
  expect(outcomeOf(await call(robot, '/api/v1/apps'))).toBe('200')
  good(await remove(scene.admin, `${path}/${robot.id}`))
  expect(outcomeOf(await call(robot, '/api/v1/apps'))).toBe('401/16 CREDENTIAL_REVOKED')
  expect((await askToken(scene.server, bySecret(robot))).status).toBe(401)
  expect(reasonOf(await call(scene.admin, `${path}/${robot.id}`))).toBe('CREDENTIAL_NOT_FOUND')
  expect(reasonOf(await remove(scene.admin, `${path}/${robot.id}`))).toBe('CREDENTIAL_NOT_FOUND')
})

test('disabled it is refused, and gets no credential; enabled it is back', async () => {
  const id = await principal('system:viewer')
  const robot = await acting(id)
  good(await post(scene.admin, `/api/v1/users/${id}/disable`))
  expect(outcomeOf(await call(robot, '/api/v1/apps'))).toBe('401/16 USER_DISABLED')
  expect(outcomeOf(await createCredential(scene.admin, id))).toBe('400/9 SERVICE_PRINCIPAL_DISABLED')
  good(await post(scene.admin, `/api/v1/users/${id}/enable`))
  expect(outcomeOf(await call(robot, '/api/v1/apps'))).toBe('200')
})

test('after deletion, its credentials are revoked permanently, and its record is kept', async () => {
  const id = await principal('system:owner')
  const owner = await caller(['system:user'])
  good(await own(id, owner.userId))
  const robot = await acting(id)
  // One that the first created ends with it.
  const second = await acting(id, robot)
  good(await remove(scene.admin, `${base}/${id}`))
  for (const each of [robot, second]) {
    expect((await call(each, '/api/v1/apps')).status).toBe(401)
    expect((await askToken(scene.server, bySecret(each))).status).toBe(401)
  }
  for (const by of [scene.admin, owner])
    for (const path of ['', '/credentials'])
      expect(outcomeOf(await call(by, `${base}/${id}${path}`))).toBe('404/5 SERVICE_PRINCIPAL_NOT_FOUND')
  expect(outcomeOf(await remove(scene.admin, `${base}/${id}`))).toBe('404/5 SERVICE_PRINCIPAL_NOT_FOUND')
  expect(outcomeOf(await post(scene.admin, `/api/v1/users/${id}/enable`))).toBe('404/5 USER_NOT_FOUND')
  expect(good(await call(scene.admin, `/api/v1/users/${id}`))['userView']).toMatchObject({
    user: { status: 'DELETED' },
  })
  const rows = await scene.access.world.db`
    select 1 from owners where tenant_id = ${scene.access.tenant.id} and object_id = ${id} and ended_at is null`
  expect(rows).toEqual([])
})

test('what is not a service principal is not one to these operations: a person, an unknown id, another tenant', async () => {
  const person = await scene.access.makeUser()
  const tenant = await scene.access.makeTenant('elsewhere.example')
  const key = await scene.access.makeCaller(['system:owner'], {}, tenant)
  const token = good(await askToken(scene.server, bySecret(key), { host: tenant.domain }))['access_token'] as string
  const there = { token, host: tenant.domain }
  const made = await ask(scene.server, base, { ...there, body: { displayName: 'Theirs' } })
  const theirs = (good(made)['servicePrincipal'] as Json)['id'] as string
  for (const id of [person, theirs, 'nobody', scene.admin.userId]) {
    for (const reply of [
      await call(scene.admin, `${base}/${id}`),
      await call(scene.admin, `${base}/${id}/credentials`),
      await createCredential(scene.admin, id),
      await patch(scene.admin, `${base}/${id}`, { servicePrincipal: { displayName: 'x' } }),
      await remove(scene.admin, `${base}/${id}`),
    ])
      expect(outcomeOf(reply), reply.text).toBe('404/5 SERVICE_PRINCIPAL_NOT_FOUND')
  }
  const ours = await principal()
  const robot = await acting(ours)
  expect(outcomeOf(await ask(scene.server, `${base}/${ours}`, there))).toBe('404/5 SERVICE_PRINCIPAL_NOT_FOUND')
  const path = `${base}/${theirs}/credentials/${robot.id}`
  expect(outcomeOf(await ask(scene.server, path, there))).toBe('404/5 CREDENTIAL_NOT_FOUND')
  expect((await ask(scene.server, '/api/v1/auth/introspect', { ...there, token: robot.token })).status).toBe(401)
  const { list } = good(await ask(scene.server, base, there)) as { list: Json[] }
  expect(list.map(({ id }) => id)).toEqual([theirs])
})

test('the operations of personal credentials neither show nor touch those of service principals, nor the reverse', async () => {
  const id = await principal('system:user', 'system:viewer')
  const robot = await acting(id)
  const personal = '/api/v1/iam/personal_clients'
  for (const by of [scene.admin, robot]) {
    expect(outcomeOf(await call(by, `${personal}/${robot.id}`))).toBe('404/5 CREDENTIAL_NOT_FOUND')
    expect(outcomeOf(await remove(by, `${personal}/${robot.id}`))).toBe('404/5 CREDENTIAL_NOT_FOUND')
    expect(outcomeOf(await post(by, `${personal}/${robot.id}`, { client: { displayName: 'x' } }))).toBe(
      '404/5 CREDENTIAL_NOT_FOUND',
    )
  }
  expect(good(await call(robot, personal))['list']).toEqual([])
  expect(outcomeOf(await post(robot, personal, { displayName: 'mine' }))).toBe('400/9 NOT_A_PERSON')
  const found = good(await post(scene.admin, `/api/v1/search/iam/personal_clients`, { users: [{ id }] }))
  expect(found['list']).toEqual([])
  const path = `${base}/${id}/credentials/${scene.admin.id}`
  expect(outcomeOf(await call(scene.admin, path))).toBe('404/5 CREDENTIAL_NOT_FOUND')
  expect(outcomeOf(await remove(scene.admin, path))).toBe('404/5 CREDENTIAL_NOT_FOUND')
  expect(outcomeOf(await call(robot, '/api/v1/apps'))).toBe('200')
})
