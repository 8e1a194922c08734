import { generateKeyPairSync, hash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { findAssignedEmail } from '#rooms/identity/roles/index.ts'
import { setRoles } from '#rooms/identity/users/index.ts'
import {
  type Access,
  ask,
  askToken,
  bySecret,
  eventually,
  getToken,
  type Json,
  type Key,
  newAddress,
  openAccess,
  outcomeOf,
  signJwt,
  tokenClaims,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

/** Whoever can write to the database, and has not the secret key, becomes nobody by it. */
let server: TestServer
let access: Access
let owner: Key
let basic: Key
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
  owner = await access.makeCaller(['system:owner'])
  basic = await access.makeCaller(['system:user'])
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const tokenStatus = async (key: Key, of = server): Promise<number> =>
  (await askToken(of, bySecret(key), { from: newAddress() })).status
const permissionsBy = async (token: string, of = server): Promise<string[]> =>
  (await ask(of, '/api/v1/auth/introspect', { token })).json['permissions'] as string[]
const reportsOf = async (id: string): Promise<Json[]> => {
  const rows = await server.db<{ event: string }[]>`
    select event from systemlog_events where event like '%"ROW_FORGED"%' and event like ${`%"uid":"${id}"%`}`
  return rows.map((row) => JSON.parse(row.event) as Json)
}
const isLogged = (id: string): boolean =>
  server.logged.some(
    ({ level, id: of, msg }) => level === 'error' && of === id && /without the secret key/.test(String(msg)),
  )
/** A copy of a credential with a secret of one's own. */
const plant = async (of: Key, mac: Buffer | null): Promise<Key> => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const jwk = Buffer.from(JSON.stringify(privateKey.export({ format: 'jwk' }))).toString('base64url')
  const key = {
    id: access.world.newId(),
    userId: of.userId,
    clientId: `${access.world.newId()}@localhost/pcc`,
    clientSecret: `secret-token:x:${jwk}`,
  }
  await server.db`
    insert into credentials (tenant_id, credential_id, user_id, client_id, display_name, public_key, secret_sha256,
      created_at, updated_at, mac)
    values (${access.tenant.id}, ${key.id}, ${key.userId}, ${key.clientId}, 'Planted',
      ${publicKey.export({ type: 'spki', format: 'der' })}, ${hash('sha256', jwk, 'buffer')}, now(), now(), ${mac})`
  return key
}
const macOf = async (id: string): Promise<Buffer> => {
  const [row] = await server.db<{ mac: Buffer }[]>`select mac from credentials where credential_id = ${id}`
  return row?.mac as Buffer
}

describe('a credential that was put into the database', () => {
  test('by another hand gets no token, and is one event and one error, however often it is tried', async () => {
    for (const mac of [null, Buffer.alloc(0), Buffer.alloc(32), await macOf(owner.id)]) {
      const planted = await plant(owner, mac)
      for (let i = 0; i < 3; i++) expect(await tokenStatus(planted)).toBe(401)
      expect(await reportsOf(planted.id)).toHaveLength(1)
      expect((await reportsOf(planted.id))[0]).toMatchObject({ severity: 'High', status_code: 'ROW_FORGED' })
      expect(isLogged(planted.id)).toBe(true)
    }
  })

  test('with a key that is no key is refused like any other', async () => {
    const planted = await plant(owner, null)
    await server.db`update credentials set public_key = '\\x00' where credential_id = ${planted.id}`
    expect(await tokenStatus(planted)).toBe(401)
  })

  test('is not made good by changing it, and can be deleted', async () => {
    const planted = await plant(basic, null)
    const token = await getToken(server, basic)
    const path = `/api/v1/iam/personal_clients/${planted.id}`
    const change = { token, body: { client: { displayName: 'Good' } } }
    expect(outcomeOf(await ask(server, path, change))).toBe('404/5 CREDENTIAL_NOT_FOUND')
    expect(await tokenStatus(planted)).toBe(401)
    expect((await ask(server, path, { token, method: 'DELETE' })).status).toBe(200)
    expect(await tokenStatus(planted)).toBe(401)
  })
})

describe('a credential is worth nothing once another hand has changed', () => {
  test.each<[string, (key: Key) => Promise<unknown>]>([
    ['its user', ({ id }) => server.db`update credentials set user_id = ${owner.userId} where credential_id = ${id}`],
    ['its scope', ({ id }) => server.db`update credentials set scoped_role_ids = '{}' where credential_id = ${id}`],
    ['its IPs', ({ id }) => server.db`update credentials set allow_source_cidr = '{}' where credential_id = ${id}`],
    ['its end', ({ id }) => server.db`update credentials set expires_at = null where credential_id = ${id}`],
    ['its birth', ({ id }) => server.db`update credentials set created_at = now() where credential_id = ${id}`],
    [
      'its secret',
      ({ id }) =>
        server.db`
          update credentials c set secret_sha256 = o.secret_sha256, public_key = o.public_key
          from credentials o where c.tenant_id = ${access.tenant.id} and c.credential_id = ${id}
            and o.tenant_id = ${access.tenant.id} and o.credential_id = ${owner.id}`,
    ],
    [
      'its parent',
      ({ id }) => server.db`update credentials set ancestor_ids = array[${owner.id}] where credential_id = ${id}`,
    ],
  ])('%s', async (_, change) => {
    const options = { roles: ['system:user'], cidrs: ['0.0.0.0/0'], lifespanSeconds: 2_592_000 }
    const key = await access.makeKey(basic.userId, options)
    const token = await getToken(server, key, { from: '10.1.1.1' })
    await change(key)
    const status = async (): Promise<number> =>
      (await ask(server, '/api/v1/auth/introspect', { token, from: '10.1.1.1' })).status
    expect(await eventually(async () => (await status()) === 401)).toBe(true)
    expect(await tokenStatus(key)).toBe(401)
    expect(await reportsOf(key.id)).toHaveLength(1)
  })

  test('that it was deleted', async () => {
    const key = await access.makeKey(basic.userId)
    const token = await getToken(server, basic)
    await ask(server, `/api/v1/iam/personal_clients/${key.id}`, { token, method: 'DELETE' })
    await server.db`update credentials set deleted_at = null where credential_id = ${key.id}`
    expect(await eventually(async () => (await reportsOf(key.id)).length === 0)).toBe(true)
    expect(await tokenStatus(key)).toBe(401)
    expect(await tokenStatus(key)).toBe(401)
  })

  test('its tenant', async () => {
    const elsewhere = await access.makeTenant('forged.example.com')
    const theirs = await access.makeCaller(['system:owner'], {}, elsewhere)
    // Not by an update: in a distributed database no row changes its tenant.
    await server.db`
      insert into credentials (tenant_id, credential_id, user_id, client_id, display_name, public_key, secret_sha256,
        allow_source_cidr, scoped_role_ids, created_at, updated_at, ancestor_ids, mac)
      select ${access.tenant.id}::int, credential_id, ${owner.userId}::text, client_id, display_name, public_key, secret_sha256,
        allow_source_cidr, scoped_role_ids, created_at, updated_at, ancestor_ids, mac
      from credentials where tenant_id = ${elsewhere.id} and credential_id = ${theirs.id}`
    await server.db`delete from credentials where tenant_id = ${elsewhere.id} and credential_id = ${theirs.id}`
    expect(await tokenStatus(theirs)).toBe(401)
  })
})

describe('a role that was given by another hand', () => {
  test('permits nothing, and is one event and one error', async () => {
    const key = await access.makeCaller(['system:user'])
    const token = await getToken(server, key)
    const before = await permissionsBy(token)
    const role = await access.roleId('system:owner')
    const [real] = await server.db<{ mac: Buffer; email: string }[]>`
      select mac, assigned_email as email from user_roles where user_id = ${owner.userId}`
    for (const mac of [null, Buffer.alloc(32), real?.mac as Buffer]) {
      await server.db`
        insert into user_roles (tenant_id, user_id, role_id, granted_at, assigned_email, mac)
        values (${access.tenant.id}, ${key.userId}, ${role}, now(), ${real?.email as string}, ${mac})
        on conflict (tenant_id, user_id, role_id) do update set mac = excluded.mac`
      await new Promise((done) => setTimeout(done, 600))
      expect(await permissionsBy(token)).toEqual(before)
      expect(outcomeOf(await ask(server, '/api/v1/systemlog/events', { token, body: {} }))).toBe(
        '403/7 PERMISSION_DENIED',
      )
    }
    const reports = (await reportsOf(role)).filter((event) => JSON.stringify(event).includes(key.userId))
    expect(reports).toHaveLength(1)
    expect(isLogged(role)).toBe(true)
  })

  test('does not stand for a Super Administrator when the last one would go', async () => {
    const tenant = await access.makeTenant('lastowner.example.com')
    const [last] = await server.db<{ id: string }[]>`
      select user_id as id from users where tenant_id = ${tenant.id}`
    const planted = await access.makeUser({ tenant })
    const role = await access.roleId('system:owner', tenant)
    await server.db`
      insert into user_roles (tenant_id, user_id, role_id, granted_at) values (${tenant.id}, ${planted}, ${role}, now())`
    const { world } = access
    const demoted = transact(world.db, (tx) =>
      setRoles(tx, world, operatorCause(tenant, 'test'), last?.id as string, []),
    )
    await expect(demoted).rejects.toThrow(/no enabled Super Administrator/)
  })
})

test('a role that was changed by another hand permits nothing: not its holders, and not as a scope', async () => {
  const role = await access.makeRole('custom:small', ['roles.read'])
  const { world, tenant } = access
  const userId = await access.makeUser()
  await transact(world.db, (tx) => setRoles(tx, world, operatorCause(tenant, 'test'), userId, [role]))
  const holder = await getToken(server, await access.makeKey(userId))
  const scoped = await getToken(server, await access.makeKey(owner.userId, { roles: ['custom:small'] }))
  for (const token of [holder, scoped]) expect(await permissionsBy(token)).toEqual(['roles.read'])
  await server.db`update roles set permissions = '{roles.read,systemlog.read}' where role_id = ${role}`
  for (const token of [holder, scoped])
    expect(await eventually(async () => (await permissionsBy(token)).length === 0)).toBe(true)
  // Nor does another name make a small role a large one.
  const elsewhere = await access.makeTenant('renamed.example.com')
  const person = await access.makeCaller(['system:user'], {}, elsewhere)
  const token = await getToken(server, person)
  await server.db`update roles set name = 'x' where tenant_id = ${elsewhere.id} and name = 'system:owner'`
  await server.db`update roles set name = 'system:owner' where tenant_id = ${elsewhere.id} and name = 'system:user'`
  const permissions = async (): Promise<unknown> =>
    (await ask(server, '/api/v1/auth/introspect', { token, host: elsewhere.domain })).json['permissions']
  expect(await eventually(async () => JSON.stringify(await permissions()) === '[]')).toBe(true)
})

test('a token signed with a key whose public half was put into the database is not honoured', async () => {
  const mine = generateKeyPairSync('ed25519')
  const [row] = await server.db<{ id: string; publicKey: Buffer }[]>`
    select key_id as id, public_key as "publicKey" from signing_keys
    where tenant_id = ${access.tenant.id} and retired_at is null`
  const id = row?.id as string
  await server.db`
    update signing_keys set public_key = ${mine.publicKey.export({ type: 'spki', format: 'der' })} where key_id = ${id}`
  await new Promise((done) => setTimeout(done, 600))
  const claims = tokenClaims(access.tenant, owner)
  const token = signJwt({ alg: 'EdDSA', typ: 'at+jwt', kid: id }, claims, mine.privateKey)
  expect(outcomeOf(await ask(server, '/api/v1/auth/introspect', { token }))).toBe('401/16 TOKEN_INVALID')
  await server.db`update signing_keys set public_key = ${row?.publicKey as Buffer} where key_id = ${id}`
})

test('the address that someone was given a role by is not the one that another hand puts into their record', async () => {
  const { world, tenant } = access
  const userId = await access.makeUser({ roles: ['system:user', 'system:viewer'], email: 'viewer@example.com' })
  expect(await findAssignedEmail(world, tenant.id, userId)).toBe('viewer@example.com')
  await server.db`update users set email = 'evil@example.com' where user_id = ${userId}`
  expect(await findAssignedEmail(world, tenant.id, userId)).toBe('viewer@example.com')
  await server.db`update user_roles set assigned_email = 'evil@example.com' where user_id = ${userId}`
  expect(await findAssignedEmail(world, tenant.id, userId)).toBeNull()
  await server.db`update users set email = 'new@example.com' where user_id = ${userId}`
  const role = await access.roleId('system:viewer')
  await transact(world.db, (tx) => setRoles(tx, world, operatorCause(tenant, 'test'), userId, [role]))
  expect(await findAssignedEmail(world, tenant.id, userId)).toBe('new@example.com')
  expect(await findAssignedEmail(world, tenant.id, basic.userId)).toBeNull()
})

describe('a database from before there were MACs', () => {
  let old: TestServer
  let upgraded: TestServer
  let key: Key
  beforeAll(async () => {
    old = await startServer()
    const before = await openAccess(old)
    key = await before.makeCaller(['system:owner'], { roles: ['system:viewer'] })
    await before.close()
    await old.serving.stop()
    await unseal(old)
    for (const kept of ['sealed', 'heads']) await rm(`${old.config.dataDir}/secret.key.${kept}`)
    upgraded = await startServer({ beside: old })
  })
  afterAll(async () => {
    await upgraded.stop()
    await old.stop()
  })

  const unseal = async ({ db }: TestServer): Promise<void> => {
    for (const table of ['credentials', 'roles', 'user_roles']) await db`update ${db(table)} set mac = null`
    await db`update user_roles set assigned_email = null`
    await db`update installation set sealed_rows_mac = null`
  }

  test('is believed at the first start after the upgrade', async () => {
    expect(await permissionsBy(await getToken(upgraded, key), upgraded)).toContain('systemlog.read')
    expect(upgraded.logged.some(({ msg }) => String(msg).startsWith('sealed the existing roles'))).toBe(true)
  })

  test.each([
    'whatever is removed from the database',
    'also where the end of the system log is all that was kept on the machine, as after a restore',
  ])('and never again, %s', async (where) => {
    if (/all that was kept/.test(where)) await rm(`${old.config.dataDir}/secret.key.sealed`)
    await unseal(upgraded)
    const again = await startServer({ beside: upgraded })
    expect(await tokenStatus(key, again)).toBe(401)
    expect(
      again.logged.some(({ level, msg }) => level === 'error' && /rows without a MAC are ignored/.test(String(msg))),
    ).toBe(true)
    await again.stop()
  })
})
