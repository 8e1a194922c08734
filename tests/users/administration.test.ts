import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissions } from '#authority/permissions.ts'
import { transact } from '#kernel/sql.ts'
import { insertRoles, replaceRolesOfUser } from '#rooms/identity/roles/index.ts'
import {
  type Access,
  ask,
  getToken,
  type Json,
  type Key,
  openAccess,
  outcomeOf,
  type Reply,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { letPass, signIn } from '../sessions/support.ts'

let server: TestServer
let access: Access
let owner: string
beforeAll(async () => {
  server = await startServer()
  access = await openAccess(server)
  owner = await getToken(server, await access.makeCaller(['system:owner']))
})
afterAll(async () => {
  await access?.close()
  await server?.stop()
})

const path = (userId: string, rest: string): string => `/api/v1/users/${userId}/${rest}`
const give = (userId: string, role: string, token = owner): Promise<Reply> =>
  ask(server, path(userId, `roles/${role}`), { token, method: 'POST', body: {} })
const remove = (userId: string, role: string, token = owner): Promise<Reply> =>
  ask(server, path(userId, `roles/${role}`), { token, method: 'DELETE', body: {} })
const disable = (userId: string, token = owner): Promise<Reply> =>
  ask(server, path(userId, 'disable'), { token, body: {} })
const enable = (userId: string, token = owner): Promise<Reply> =>
  ask(server, path(userId, 'enable'), { token, body: {} })
const userIn = (reply: Reply): Json => {
  expect(reply.status, reply.text).toBe(200)
  return (reply.json['userView'] as { user: Json }).user
}
const status = async (token: string): Promise<string> => outcomeOf(await ask(server, '/api/v1/users', { token }))
const messages = async (userId: string): Promise<string[]> => {
  const rows = await server.db<{ message: string }[]>`
    select event::jsonb ->> 'message' as message from systemlog_events
    where event::jsonb #>> '{resources,0,uid}' = ${userId} order by event_id`
  return rows.map(({ message }) => message)
}
/** Someone with a role that is not built in. */
async function caller(...permitted: string[]): Promise<Key> {
  const name = `custom:${access.world.newId()}`
  const roleId = await access.makeRole(name, permitted)
  const key = await access.makeCaller(['system:user'])
  expect(outcomeOf(await give(key.userId, roleId))).toBe('200')
  return key
}

describe('roles', () => {
  test('are given and removed one by one, count at once, and each is an event', async () => {
    const key = await access.makeCaller(['system:user'])
    const token = await getToken(server, key)
    expect(await status(token)).toBe('403/7 PERMISSION_DENIED')
    const viewer = await access.roleId('system:viewer')
    const basic = await access.roleId('system:user')
    expect(userIn(await give(key.userId, 'system:viewer'))['roleIds']).toEqual([basic, viewer].toSorted())
    expect(await status(token)).toBe('200')
    userIn(await give(key.userId, viewer))
    expect(userIn(await remove(key.userId, viewer))['roleIds']).toEqual([basic])
    expect(await status(token)).toBe('403/7 PERMISSION_DENIED')
    userIn(await remove(key.userId, viewer))
    const told = await messages(key.userId)
    expect(told).toHaveLength(2)
    expect(told[0]).toMatch(/^Granted User \w+ the role Read-Only Administrator$/)
    expect(told[1]).toMatch(/^Revoked the role Read-Only Administrator from User \w+$/)
  })

  test('of unknown users and unknown roles are refused by name, also those of another tenant', async () => {
    const other = await access.makeTenant('other.example')
    const foreign = await access.makeUser({ tenant: other, roles: ['system:user'] })
    const here = await access.makeUser({ roles: ['system:user'] })
    expect(outcomeOf(await give(foreign, 'system:viewer'))).toBe('404/5 USER_NOT_FOUND')
    expect(outcomeOf(await give(here, 'system:nothing'))).toBe('404/5 ROLE_NOT_FOUND')
    expect(outcomeOf(await give(here, await access.roleId('system:owner', other)))).toBe('404/5 ROLE_NOT_FOUND')
    expect(outcomeOf(await remove(here, 'system:nothing'))).toBe('404/5 ROLE_NOT_FOUND')
    expect(outcomeOf(await disable(foreign))).toBe('404/5 USER_NOT_FOUND')
  })

  test('that permit more than the caller may do are neither given nor removed, not even to or from the caller', async () => {
    const key = await caller('roles.assign', 'users.write', 'roles.read', 'systemlog.read')
    const token = await getToken(server, key)
    const admin = await access.makeUser({ roles: ['system:viewer'] })
    const plain = await access.makeUser({ roles: ['system:user'] })
    expect(outcomeOf(await give(plain, 'system:system-logs-reader', token))).toBe('200')
    for (const role of ['system:owner', 'system:viewer', 'system:application-admin', 'system:request-admin']) {
      expect(outcomeOf(await give(key.userId, role, token)), role).toBe('403/7 PERMISSION_DENIED')
      expect(outcomeOf(await give(plain, role, token)), role).toBe('403/7 PERMISSION_DENIED')
    }
    expect(outcomeOf(await remove(admin, 'system:viewer', token))).toBe('403/7 PERMISSION_DENIED')
    expect(outcomeOf(await disable(admin, token))).toBe('403/7 PERMISSION_DENIED')
    expect(outcomeOf(await disable(plain, token))).toBe('200')
    expect(outcomeOf(await enable(plain, token))).toBe('200')
  })

  test('are held to the scope of the credential that gives them', async () => {
    const limited = await access.makeCaller(['system:owner'], { roles: ['system:viewer'] })
    const plain = await access.makeUser({ roles: ['system:user'] })
    expect(outcomeOf(await give(plain, 'system:viewer', await getToken(server, limited)))).toBe(
      '403/7 PERMISSION_DENIED',
    )
  })

  test('that another hand put into the database are not made genuine by giving another role', async () => {
    const key = await access.makeCaller(['system:user'])
    const { tenant, world } = access
    await world.db`
      insert into user_roles (tenant_id, user_id, role_id, granted_at, assigned_email, mac)
      values (${tenant.id}, ${key.userId}, ${await access.roleId('system:owner')}, now(), '', ${Buffer.alloc(32)})`
    userIn(await give(key.userId, 'system:helpdesk'))
    expect(await status(await getToken(server, key))).toBe('403/7 PERMISSION_DENIED')
    expect(outcomeOf(await remove(key.userId, 'system:owner'))).toBe('200')
  })

  test('of the last Super Administrator cannot be removed, not even by two at once', async () => {
    const tenant = await access.makeTenant('last.example')
    const host = 'last.example'
    const [first] = await server.db<{ id: string }[]>`select user_id as id from users where tenant_id = ${tenant.id}`
    const firstId = first?.id as string
    const token = await getToken(server, await access.makeKey(firstId, {}, tenant))
    const role = (userId: string) => path(userId, 'roles/system:owner')
    const gone = (userId: string) => ask(server, role(userId), { token, host, method: 'DELETE', body: {} })
    expect(outcomeOf(await gone(firstId))).toBe('400/9 LAST_OWNER')
    const second = await access.makeUser({ tenant, roles: ['system:owner'] })
    const both = await Promise.all([gone(firstId), gone(second)])
    expect(both.map(({ status: code }) => code).filter((code) => code === 200)).toHaveLength(1)
    const [left] = await server.db<{ count: number }[]>`
      select count(*)::int as count from user_roles a join roles r using (tenant_id, role_id)
      where a.tenant_id = ${tenant.id} and r.name = 'system:owner'`
    expect(left?.count).toBe(1)
  })

  test('need a sign-in that is not long past, in the console', async () => {
    const admin = await access.makeUser({ roles: ['system:owner'] })
    const plain = await access.makeUser({ roles: ['system:user'] })
    const browser = await signIn(server, access, admin)
    const at = path(plain, 'roles/system:viewer')
    expect(outcomeOf(await browser.ask(at, { method: 'POST', body: {} }))).toBe('200')
    await letPass(access, admin, 20)
    for (const [method, to] of [
      ['POST', at],
      ['DELETE', at],
      ['POST', path(plain, 'disable')],
      ['POST', path(plain, 'enable')],
    ] as const)
      expect(outcomeOf(await browser.ask(to, { method, body: {} }))).toBe('403/7 FRESH_SIGN_IN_REQUIRED')
  })
})

describe('a user who is disabled', () => {
  test('is shut out at once, with sessions that do not come back and credentials that do', async () => {
    const key = await access.makeCaller(['system:user', 'system:viewer'])
    const token = await getToken(server, key)
    const browser = await signIn(server, access, key.userId)
    expect(await status(token)).toBe('200')
    expect(userIn(await disable(key.userId))['status']).toBe('DISABLED')
    expect(await status(token)).toBe('401/16 USER_DISABLED')
    expect(outcomeOf(await browser.ask('/api/v1/users', {}))).toBe('401/16 SESSION_ENDED')
    await expect.poll(() => server.db`select 1 from sessions where user_id = ${key.userId}`).toHaveLength(0)
    expect(userIn(await enable(key.userId))['status']).toBe('ENABLED')
    expect(await status(token)).toBe('200')
    expect(outcomeOf(await browser.ask('/api/v1/users', {}))).toBe('401/16 SESSION_ENDED')
    expect((await messages(key.userId)).map((each) => each.split(' ')[0])).toEqual(
      expect.arrayContaining(['Disabled', 'Enabled']),
    )
  })

  test('is someone else: nobody disables themselves, nor the last Super Administrator', async () => {
    const key = await access.makeCaller(['system:owner'])
    expect(outcomeOf(await disable(key.userId, await getToken(server, key)))).toBe('400/9 CANNOT_DISABLE_SELF')
    const tenant = await access.makeTenant('only.example')
    const [first] = await server.db<{ id: string }[]>`select user_id as id from users where tenant_id = ${tenant.id}`
    const { world } = access
    const role = { id: world.newId(), name: 'custom:all', displayName: 'All', permissions: Object.keys(permissions) }
    const other = await access.makeKey(await access.makeUser({ tenant, roles: ['system:user'] }), {}, tenant)
    await transact(world.db, async (tx) => {
      await insertRoles(tx, world, tenant.id, [role])
      await replaceRolesOfUser(tx, world, tenant.id, { id: other.userId, email: '' }, [role.id])
    })
    const asked = { token: await getToken(server, other), host: 'only.example', body: {} }
    expect(outcomeOf(await ask(server, path(first?.id as string, 'disable'), asked))).toBe('400/9 LAST_OWNER')
  })
})
