import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissions } from '#authority/permissions.ts'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { builtInRoles } from '#rooms/identity/roles/index.ts'
import { setRoles } from '#rooms/identity/users/index.ts'
import {
  type Access,
  ask,
  fieldsOf,
  getToken,
  type Json,
  type Key,
  openAccess,
  outcomeOf,
  type Reply,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
let access: Access
let key: Key
let token: string
const custom = { id: '', name: 'custom:auditor' }
beforeAll(async () => {
  server = await startServer()
  access = await openAccess(server)
  key = await access.makeCaller(['system:owner'])
  token = await getToken(server, key)
  custom.id = await access.makeRole(custom.name, ['roles.read', 'systemlog.read'])
  await server.db`update roles set display_name = 'Auditor' where role_id = ${custom.id}`
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const roles = '/api/v1/iam/roles'
const get = (id: string): Promise<Reply> => ask(server, `${roles}/${encodeURIComponent(id)}`, { token })
const update = (id: string, body: Json): Promise<Reply> => ask(server, `${roles}/${id}`, { token, body })
const roleIn = (reply: Reply): Json => {
  expect(reply.status, reply.text).toBe(200)
  return reply.json['role'] as Json
}

describe('the roles', () => {
  test('are listed, the built-in ones and the others, with what each permits', async () => {
    const { json } = await ask(server, roles, { token })
    const list = json['list'] as Json[]
    expect(new Set(list.map((role) => role['name']))).toEqual(new Set([...Object.keys(builtInRoles), custom.name]))
    for (const role of list) {
      const name = role['name'] as keyof typeof builtInRoles
      const builtIn = name in builtInRoles ? builtInRoles[name] : null
      expect(role['systemBuiltin']).toBe(builtIn !== null)
      expect(role['permissions']).toEqual(builtIn?.permissions ?? ['roles.read', 'systemlog.read'])
      expect(role['systemApiOnly']).toBe(name === 'system:system-logs-reader')
    }
    expect(json['nextPageToken']).toBe('')
  })

  test('are paged', async () => {
    await server.db`
      insert into roles (tenant_id, role_id, name, display_name, created_at, updated_at)
      select ${access.tenant.id}, lpad(n::text, 27, '0'), 'paged:' || n, 'x', now(), now() from generate_series(1, 15) n`
    const first = await ask(server, `${roles}?page_size=10`, { token })
    const pageToken = first.json['nextPageToken'] as string
    const second = await ask(server, `${roles}?page_size=100&page_token=${pageToken}`, { token })
    const ids = [first, second].flatMap((each) => (each.json['list'] as Json[]).map((role) => role['id']))
    expect(new Set(ids).size).toBe(15 + 1 + Object.keys(builtInRoles).length)
    await server.db`delete from roles where name like 'paged:%'`
  })

  test('mean what the design says: everything, all reads, oneself, one’s apps, the log', () => {
    const all = Object.keys(permissions)
    expect([...builtInRoles['system:owner'].permissions].toSorted()).toEqual(all.toSorted())
    expect([...builtInRoles['system:viewer'].permissions].toSorted()).toEqual(
      all.filter((each) => each.endsWith('.read')).toSorted(),
    )
    expect(builtInRoles['system:system-logs-reader'].permissions).toEqual(['systemlog.read'])
    expect(Object.values(builtInRoles).map((role) => role.displayName)).toEqual(
      expect.arrayContaining(['Super Administrator', 'Read-Only Administrator', 'Basic User']),
    )
  })
})

describe('a role', () => {
  test('is got by its id, and by its name', async () => {
    expect(roleIn(await get(custom.id))).toMatchObject({ id: custom.id, name: custom.name, displayName: 'Auditor' })
    expect(roleIn(await get('system:viewer'))).toEqual(roleIn(await get(await access.roleId('system:viewer'))))
  })

  test.each(['2zzzzzzzzzzzzzzzzzzzzzzzzzz', 'system:nobody', 'x', "' or 1=1 --", '%'])(
    '%j is not there',
    async (id) => {
      expect(outcomeOf(await get(id))).toBe('404/5 ROLE_NOT_FOUND')
      expect(outcomeOf(await update(encodeURIComponent(id), { role: { displayName: 'x' } }))).toBe(
        '404/5 ROLE_NOT_FOUND',
      )
    },
  )

  test('of another tenant is not there', async () => {
    const other = await access.makeTenant('roles.example.com')
    expect(outcomeOf(await get(await access.roleId('system:user', other)))).toBe('404/5 ROLE_NOT_FOUND')
  })

  test('that is built in is not changed, by its id or its name', async () => {
    for (const name of Object.keys(builtInRoles)) {
      const before = roleIn(await get(name))
      for (const each of [name, await access.roleId(name)])
        for (const body of [{ role: { displayName: 'Mine' } }, {}, { role: { displayName: 'x' }, updateMask: 'x' }])
          expect(outcomeOf(await update(each, body))).toBe('400/9 ROLE_BUILT_IN')
      expect(roleIn(await get(name))).toEqual(before)
    }
  })

  test('that is not built in is renamed, and that is an event', async () => {
    const before = roleIn(await get(custom.id))
    const after = roleIn(await update(custom.id, { role: { displayName: '  Chief auditor ' } }))
    expect(after).toEqual({ ...before, displayName: 'Chief auditor', updatedAt: after['updatedAt'] })
    expect(roleIn(await get(custom.name))).toEqual(after)
    const [row] = await server.db<{ event: string }[]>`
      select event from systemlog_events where event like ${`%"uid":"${custom.id}"%`}`
    expect(JSON.parse(row?.event as string)).toMatchObject({
      activity_name: 'Update',
      api: { operation: 'iam.v1.Roles.Update' },
    })
  })

  test('is renamed by either spelling of the mask; without a mask only by what was sent', async () => {
    const masked = { role: { display_name: 'Snake' }, update_mask: 'display_name' }
    expect(roleIn(await update(custom.id, masked))['displayName']).toBe('Snake')
    expect(roleIn(await update(custom.id, {}))['displayName']).toBe('Snake')
    const role = roleIn(await get(custom.id))
    expect(roleIn(await update(custom.id, { role }))['permissions']).toEqual(['roles.read', 'systemlog.read'])
    const more = await update(custom.id, { role: { ...role, permissions: ['roles.write'] } })
    expect(more.json['message']).toBe('role.permissions: cannot be changed')
  })

  test.each<[Json, string]>([
    [{ role: { displayName: '' } }, 'role.displayName'],
    [{ role: { displayName: ' ' } }, 'role.displayName'],
    [{ updateMask: 'displayName' }, 'role.displayName'],
    [{ role: { displayName: 'x'.repeat(201) } }, 'role.displayName'],
    [{ role: { displayName: {} } }, 'role.displayName'],
    [{ role: { permissions: ['roles.write'] }, updateMask: 'permissions' }, 'updateMask'],
    [{ role: [] }, 'role'],
  ])('is not changed by %j, which names the field', async (body, field) => {
    const before = roleIn(await get(custom.id))
    const reply = await update(custom.id, body)
    expect(outcomeOf(reply)).toBe('400/3 INPUT_INVALID')
    expect(fieldsOf(reply)).toEqual([field])
    expect(roleIn(await get(custom.id))).toEqual(before)
  })

  test('that is not built in permits what its row says', async () => {
    const userId = await access.makeUser()
    const cause = operatorCause(access.tenant, 'test')
    await transact(access.world.db, (tx) => setRoles(tx, access.world, cause, userId, [custom.id]))
    const own = await getToken(server, await access.makeKey(userId))
    expect((await ask(server, '/api/v1/systemlog/events', { token: own, body: {} })).status).toBe(200)
    expect(outcomeOf(await ask(server, '/api/v1/iam/personal_clients', { token: own }))).toBe('403/7 PERMISSION_DENIED')
  })
})
