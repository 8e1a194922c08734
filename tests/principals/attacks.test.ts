import { describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { makeLink } from '#rooms/identity/sessions/links/actions.ts'
import { routes } from '#server/registry/routes.ts'
import { askToken, bySecret, fieldsOf, type Json, outcomeOf, reasonOf } from '../fixture/access.ts'
import {
  acting,
  another,
  base,
  type Caller,
  call,
  caller,
  createCredential,
  good,
  own,
  patch,
  post,
  prepare,
  principal,
  remove,
  scene,
  withPermissions,
} from './scene.ts'

prepare()

const unseen = '404/5 SERVICE_PRINCIPAL_NOT_FOUND'
const denied = '403/7 PERMISSION_DENIED'
const permissionsOf = async (by: Caller): Promise<string[]> =>
  good(await call(by, '/api/v1/auth/introspect'))['permissions'] as string[]

describe('owners', () => {
  test('look after the credentials of theirs and see no others; strangers see none', async () => {
    const id = await principal('system:viewer')
    const other = await principal()
    const owner = await caller(['system:user'])
    const stranger = await caller(['system:user'])
    const ids = async (by: Caller) => (good(await call(by, base))['list'] as Json[]).map((each) => each['id'])
    expect(await ids(owner)).toEqual([])
    expect(outcomeOf(await call(owner, `${base}/${id}`))).toBe(unseen)
    good(await own(id, owner.userId))
    expect(await ids(owner)).toEqual([id])
    expect(await ids(stranger)).toEqual([])
    expect(good(await call(owner, `${base}/${id}`))['servicePrincipal']).toMatchObject({
      id,
      objectPermissions: { edit: true, delete: false },
      user: { id, roleIds: [await scene.access.roleId('system:viewer')] },
    })
    const robot = await acting(id, owner)
    expect(robot.userId).toBe(id)
    expect(outcomeOf(await call(robot, '/api/v1/users'))).toBe('200')
    const path = `${base}/${id}/credentials`
    expect((good(await call(owner, path))['list'] as Json[]).length).toBe(1)
    good(await patch(owner, `${path}/${robot.id}`, { credential: { displayName: 'B' } }))
    good(await patch(owner, `${base}/${id}`, { servicePrincipal: { displayName: 'Mine' } }))
    for (const reply of [
      await call(stranger, `${base}/${id}`),
      await call(stranger, path),
      await call(stranger, `${path}/${robot.id}`),
      await createCredential(stranger, id),
      await remove(stranger, `${path}/${robot.id}`),
      await call(owner, `${base}/${other}`),
      await createCredential(owner, other),
    ])
      expect(outcomeOf(reply), reply.text).toBe(unseen)
    for (const reply of [await remove(owner, `${base}/${id}`), await post(owner, base, { displayName: 'x' })])
      expect(outcomeOf(reply)).toBe(denied)
    // Read-only administrators see all and change nothing.
    const reader = await caller(['system:viewer'])
    good(await call(reader, path))
    expect(outcomeOf(await createCredential(reader, id))).toBe(denied)
    good(await remove(owner, `${path}/${robot.id}`))
    // An owner no longer.
    good(await own(id, stranger.userId))
    expect(outcomeOf(await call(owner, path))).toBe(unseen)
  })

  test('are required by every operation on one: others get 404', async () => {
    const id = await principal()
    const stranger = await caller(['system:user'])
    const about = routes.filter((each) => each.about.some(({ user }) => user !== undefined))
    expect(about.length).toBeGreaterThanOrEqual(7)
    for (const each of about) {
      const [{ user = '' } = {}] = each.about
      const path = each.path.replace(`{${user}}`, id).replace(/\{\w+\}/g, scene.access.world.newId())
      const asking = { method: each.method, ...(each.method !== 'GET' && { body: {} }) }
      expect(`${each.id} ${outcomeOf(await call(stranger, path, asking))}`).toBe(`${each.id} ${unseen}`)
    }
  })

  test('cannot act on a person they own, as if that were a service principal', async () => {
    const owner = await caller(['system:user'])
    good(await own(scene.admin.userId, owner.userId))
    for (const reply of [
      await call(owner, `${base}/${scene.admin.userId}`),
      await createCredential(owner, scene.admin.userId),
    ])
      expect(outcomeOf(reply)).toBe(unseen)
  })

  test('are people: a service principal that owns another gets nothing by that', async () => {
    const strong = await principal('system:owner')
    const weak = await principal('system:user')
    good(await own(strong, weak))
    const robot = await acting(weak)
    expect(outcomeOf(await createCredential(robot, strong))).toBe(unseen)
    expect(good(await call(robot, base))['list']).toEqual([])
  })

  test('by a row that another hand wrote are none, and that is reported', async () => {
    const id = await principal('system:owner')
    const intruder = await caller(['system:user'])
    const { world, tenant } = scene.access
    for (const mac of [null, Buffer.alloc(32, 7)]) {
      const ownerId = world.newId()
      await world.db`
        insert into owners (tenant_id, kind, object_id, role_slug, owner_id, user_id, began_at)
        values (${tenant.id}, 'user', ${id}, 'primary', ${ownerId}, ${intruder.userId}, ${world.now()})`
      if (mac)
        await world.db`
          insert into principal_owners (tenant_id, principal_id, owner_id, mac)
          values (${tenant.id}, ${id}, ${ownerId}, ${mac})`
      expect(outcomeOf(await createCredential(intruder, id))).toBe(unseen)
      await world.db`update owners set ended_at = ${world.now()}, ended_why = 'removed', ended_by = ''
        where tenant_id = ${tenant.id} and user_id = ${intruder.userId} and ended_at is null`
    }
    // Nor is the MAC of one principal good for another.
    const weak = await principal()
    good(await own(weak, intruder.userId))
    const ownerId = world.newId()
    await world.db`
      insert into owners (tenant_id, kind, object_id, role_slug, owner_id, user_id, began_at)
      values (${tenant.id}, 'user', ${id}, 'primary', ${ownerId}, ${intruder.userId}, ${world.now()})`
    await world.db`
      insert into principal_owners (tenant_id, principal_id, owner_id, mac)
      select tenant_id, ${id}, ${ownerId}, mac from principal_owners where tenant_id = ${tenant.id} and principal_id = ${weak}`
    expect(outcomeOf(await createCredential(intruder, id))).toBe(unseen)
  })
})

describe('nobody gets more than they have', () => {
  test('by a credential of a principal that may do more, or as its owner by their own word', async () => {
    const strong = await principal('system:owner')
    const weak = await principal('system:system-logs-reader')
    const lower = await withPermissions('principal-admin', [
      ...['principals.read', 'principals.write', 'owners.write', 'owners.read', 'roles.assign', 'users.write'],
      ...['users.read', 'systemlog.read', 'owners.own.read'],
    ])
    expect(outcomeOf(await createCredential(lower, strong))).toBe(denied)
    expect(outcomeOf(await own(strong, lower.userId, lower))).toBe(denied)
    expect(outcomeOf(await remove(lower, `${base}/${strong}`))).toBe(denied)
    expect(outcomeOf(await createCredential(lower, strong))).toBe(denied)
    expect(outcomeOf(await post(lower, `/api/v1/users/${weak}/roles/system:owner`))).toBe(denied)
    // What it has itself, it gives: a scope that makes it so little, and a principal that may so little.
    const scopedRoles = [await scene.access.roleId('system:system-logs-reader')]
    const scoped = await acting(strong, lower, { scopedRoles })
    expect(await permissionsOf(scoped)).toEqual(['systemlog.read'])
    good(await createCredential(lower, weak))
    good(await own(weak, lower.userId, lower))
    // As an owner who was named by someone who may.
    good(await own(strong, lower.userId))
    good(await createCredential(lower, strong))
  })

  test('through permissions that a principal has on what it owns: those count as held only everywhere', async () => {
    const id = await principal('system:application-admin')
    const lower = await withPermissions('principal-helper', [
      ...['principals.read', 'principals.write', 'owners.own.read', 'users.names.read'],
    ])
    expect(outcomeOf(await createCredential(lower, id))).toBe(denied)
  })

  test('by a token of a limited credential: what it creates is as limited, ends with it, and it sees no other', async () => {
    const id = await principal('system:owner')
    const owner = await caller(['system:owner'])
    good(await own(id, owner.userId))
    const basic = await scene.access.roleId('system:user')
    const limited = await another(owner, { roles: ['system:user'], lifespanSeconds: 2_592_000 })
    expect(fieldsOf(await createCredential(limited, id))).toEqual(['scopedRoles'])
    const more = { scopedRoles: [await scene.access.roleId('system:viewer')] }
    expect(fieldsOf(await createCredential(limited, id, more))).toEqual(['scopedRoles'])
    const reply = await createCredential(limited, id, { scopedRoles: [basic], expires: '15552000s' })
    const { credential } = good(reply) as { credential: Json }
    expect(Date.parse(String(credential['expiresAt'])) - Date.now()).toBeLessThan(30.1 * 86_400_000)
    const child = await acting(id, limited, { scopedRoles: [basic] })
    expect(await permissionsOf(child)).not.toContain('users.write')
    // Another credential of the same principal is none of its business.
    const free = await acting(id)
    const path = `${base}/${id}/credentials`
    expect(outcomeOf(await remove(limited, `${path}/${free.id}`))).toBe('404/5 CREDENTIAL_NOT_FOUND')
    expect(outcomeOf(await call(limited, `${path}/${free.id}`))).toBe('404/5 CREDENTIAL_NOT_FOUND')
    const seen = (good(await call(limited, path))['list'] as Json[]).map((each) => each['id'])
    expect(seen).not.toContain(free.id)
    expect(seen).toContain(child.id)
    // It ends with the one that it was created with, at once.
    good(await remove(owner, `/api/v1/iam/personal_clients/${limited.id}`))
    expect(outcomeOf(await call(child, '/api/v1/auth/introspect'))).toBe('401/16 CREDENTIAL_REVOKED')
    expect((await askToken(scene.server, bySecret(child))).status).toBe(401)
    expect(outcomeOf(await call(free, '/api/v1/auth/introspect'))).toBe('200')
  })

  test('by a credential that is limited to some addresses', async () => {
    const id = await principal('system:viewer')
    const key = await scene.access.makeCaller(['system:owner'], { cidrs: ['10.0.0.0/8'] })
    const from = '10.1.1.1'
    const token = good(await askToken(scene.server, bySecret(key), { from }))['access_token'] as string
    const create = (allowSourceCidrs: string[]) =>
      call({ token }, `${base}/${id}/credentials`, { from, body: { displayName: 'x', allowSourceCidrs } })
    expect(fieldsOf(await create([]))).toEqual(['allowSourceCidrs'])
    expect(fieldsOf(await create(['0.0.0.0/0']))).toEqual(['allowSourceCidrs'])
    good(await create(['10.2.0.0/16']))
  })

  test('by a scope that the principal does not have', async () => {
    const id = await principal('system:user')
    const robot = await acting(id, scene.admin, { scopedRoles: [await scene.access.roleId('system:owner')] })
    expect(outcomeOf(await call(robot, '/api/v1/users'))).toBe(denied)
  })
})

test('a service principal never signs in to the console', async () => {
  const id = await principal('system:owner')
  const { world, tenant } = scene.access
  const link = transact(world.db, (tx) => makeLink(tx, world, operatorCause(tenant, 'test'), id))
  await expect(link).rejects.toMatchObject({ reason: 'NOT_A_PERSON' })
})

test('a service principal is not the last Super Administrator', async () => {
  const tenant = await scene.access.makeTenant('last.example')
  const host = tenant.domain
  const key = await scene.access.makeCaller(['system:owner'], {}, tenant)
  const token = good(await askToken(scene.server, bySecret(key), { host }))['access_token'] as string
  const made = good(await call({ token }, base, { host, body: { displayName: 'Robot' } }))
  const { id } = made['servicePrincipal'] as { id: string }
  const roleId = await scene.access.roleId('system:owner', tenant)
  good(await call({ token }, `/api/v1/users/${id}/roles/${roleId}`, { host, body: {} }))
  const users = good(await call({ token }, '/api/v1/users', { host }))['list'] as {
    user: { id: string; email: string }
  }[]
  const founder = users.find(({ user }) => user.email === 'owner@example.com')?.user.id
  good(await call({ token }, `/api/v1/users/${founder}/disable`, { host, body: {} }))
  const reply = await call({ token }, `/api/v1/users/${key.userId}/roles/${roleId}`, { host, method: 'DELETE' })
  expect(reasonOf(reply), reply.text).toBe('LAST_OWNER')
})

test('events of the system log tell who created what', async () => {
  const id = await principal('system:viewer')
  const robot = await acting(id)
  const [{ named } = { named: '' }] = await scene.access.world.db<{ named: string }[]>`
    select display_name as named from credentials where credential_id = ${robot.id}`
  expect(named).not.toBe('')
  good(await remove(scene.admin, `${base}/${id}/credentials/${robot.id}`))
  good(await remove(scene.admin, `${base}/${id}`))
  const rows = await scene.access.world.db<{ message: string; event: string }[]>`
    select event::json->>'message' as message, event::text as event from systemlog_events
    where tenant_id = ${scene.access.tenant.id} and event::text like ${`%${id}%`} order by event_id`
  const messages = rows.map(({ message }) => message).join('\n')
  for (const part of [
    'Created the service principal',
    `Created the API credential "${named}" of Robot`,
    `Deleted the API credential "${named}" of Robot`,
    'Deleted the service principal',
  ])
    expect(messages).toContain(part)
  expect(rows.map(({ event }) => event).join()).not.toContain(robot.clientSecret)
})
