import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lastUsed, lifespans } from '#rooms/identity/credentials/index.ts'
import {
  type Access,
  ask,
  askToken,
  bySecret,
  eventually,
  fieldsOf,
  getToken,
  type Json,
  type Key,
  openAccess,
  outcomeOf,
  type Reply,
} from '../fixture/access.ts'
import { fewOrMany, longTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

/** What a credential creates ends no later than it, and with it. */
let server: TestServer
let other: TestServer
let access: Access
type Caller = Key & { token: string; from?: string }

beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  other = await startServer({ beside: server, flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
})
afterAll(async () => {
  await access.close()
  await other.stop()
  await server.stop()
})

const clients = '/api/v1/iam/personal_clients'
const caller = async (key: Key, from = '10.1.2.3'): Promise<Caller> => ({
  ...key,
  from,
  token: await getToken(server, key, { from }),
})
const asking = ({ token, from }: Caller, more: Json = {}) => ({ token, ...(from && { from }), ...more })
const create = (by: Caller, body: Json = {}): Promise<Reply> =>
  ask(server, clients, asking(by, { body: { displayName: 'x', ...body } }))
const update = (by: Caller, id: string, client: Json): Promise<Reply> =>
  ask(server, `${clients}/${id}`, asking(by, { body: { client } }))
const remove = (by: Caller, id: string): Promise<Reply> =>
  ask(server, `${clients}/${id}`, asking(by, { method: 'DELETE' }))
const get = (by: Caller, id: string): Promise<Reply> => ask(server, `${clients}/${id}`, asking(by))
const clientIn = (reply: Reply): Json => {
  expect(reply.status, reply.text).toBe(200)
  return reply.json['client'] as Json
}
const keyIn = (reply: Reply): Key => {
  const { id, userId, clientId } = clientIn(reply) as { id: string; userId: string; clientId: string }
  return { id, userId, clientId, clientSecret: reply.json['clientSecret'] as string }
}
const childOf = async (by: Caller, body: Json = {}, from = by.from): Promise<Caller> =>
  caller(keyIn(await create(by, body)), from)
const introspect = (by: Caller, of = server): Promise<Reply> => ask(of, '/api/v1/auth/introspect', asking(by))
const tokenStatus = async (key: Key, from = '10.1.2.3'): Promise<number> =>
  (await askToken(server, bySecret(key), { from })).status
const permissionsOf = async (by: Caller): Promise<unknown> => (await introspect(by)).json['permissions']

const days30 = lifespans['30d']

describe('what a credential that expires creates', () => {
  test('never outlasts it, whatever is asked for, and neither does what that creates', async () => {
    const parent = await caller(await access.makeCaller(['system:user'], { lifespanSeconds: days30 }))
    const end = clientIn(await get(parent, parent.id))['expiresTime'] as string
    for (const expires of [undefined, null, '2592000s', '7776000s']) {
      const child = await create(parent, { expires })
      expect(clientIn(child)['expiresTime'], String(expires)).toBe(end)
      const grandchild = await create(await caller(keyIn(child)), { expires })
      expect(clientIn(grandchild)['expiresTime'], String(expires)).toBe(end)
    }
  })

  test('ends when it asks to end, where that is sooner; one that never ends creates such', async () => {
    const ninety = await caller(await access.makeCaller(['system:user'], { lifespanSeconds: lifespans['90d'] }))
    const sooner = clientIn(await create(ninety, { expires: '2592000s' }))
    expect(Date.parse(sooner['expiresTime'] as string) - Date.parse(sooner['createdAt'] as string)).toBe(days30 * 1000)
    const endless = await caller(await access.makeCaller(['system:user']))
    expect(clientIn(await create(endless))['expiresTime']).toBeNull()
  })

  test('is denied from the moment its parent has expired, and creates nothing more', async () => {
    const parent = await caller(await access.makeCaller(['system:user'], { lifespanSeconds: days30 }))
    const child = await childOf(parent)
    const grandchild = await childOf(child)
    await server.db`update credentials set expires_at = now() where credential_id = ${parent.id}`
    await access.reseal(parent.id)
    for (const each of [child, grandchild])
      for (const at of [server, other]) {
        const isDenied = async (): Promise<boolean> =>
          outcomeOf(await introspect(each, at)) === '401/16 CREDENTIAL_REVOKED'
        expect(await eventually(isDenied)).toBe(true)
      }
    expect(await tokenStatus(grandchild)).toBe(401)
    expect((await create(grandchild)).status).toBe(401)
  })
})

describe('deleting a credential', () => {
  test('deletes all that was created with it, at once here, within a second elsewhere, in one event', async () => {
    const parent = await caller(await access.makeCaller(['system:user']))
    const child = await childOf(parent)
    const grandchild = await childOf(child)
    const sibling = await caller(await access.makeKey(parent.userId))
    for (const at of [server, other]) expect((await introspect(grandchild, at)).status).toBe(200)
    expect((await remove(sibling, parent.id)).status).toBe(200)
    for (const each of [parent, child, grandchild]) {
      expect(outcomeOf(await introspect(each))).toBe('401/16 CREDENTIAL_REVOKED')
      expect(outcomeOf(await get(sibling, each.id))).toBe('404/5 CREDENTIAL_NOT_FOUND')
      expect(await tokenStatus(each)).toBe(401)
    }
    const isDenied = async (): Promise<boolean> =>
      outcomeOf(await introspect(grandchild, other)) === '401/16 CREDENTIAL_REVOKED'
    expect(await eventually(isDenied)).toBe(true)
    expect((await introspect(sibling)).status).toBe(200)
    const events = await server.db<{ event: string }[]>`
      select event from systemlog_events where event like ${`%"uid":"${grandchild.id}"%`} and event like '%"Delete"%'`
    expect(events).toHaveLength(1)
  })

  test('while it creates leaves nothing alive', async () => {
    const sweeper = await caller(await access.makeCaller(['system:user']))
    for (let round = 0; round < fewOrMany(1, 5); round++) {
      const parent = await caller(await access.makeKey(sweeper.userId))
      const replies = await Promise.all([
        ...Array.from({ length: 4 }, () => create(parent)),
        remove(sweeper, parent.id),
        ...Array.from({ length: 4 }, () => create(parent)),
      ])
      for (const reply of replies) expect([200, 401]).toContain(reply.status)
      for (const reply of replies.filter(({ json }) => json['clientSecret']))
        expect(await tokenStatus(keyIn(reply))).toBe(401)
    }
  })

  test('through a restored row does not bring back what was created with it', async () => {
    const parent = await caller(await access.makeCaller(['system:user']))
    const child = await childOf(parent)
    // Only the child is there again, as it was.
    const before = await server.db`select mac from credentials where credential_id = ${child.id}`
    await remove(parent, parent.id)
    await server.db`
      update credentials set deleted_at = null, mac = ${before[0]?.['mac'] as Buffer} where credential_id = ${child.id}`
    const isDenied = async (): Promise<boolean> => (await tokenStatus(child)) === 401
    expect(await eventually(isDenied)).toBe(true)
    expect(await eventually(async () => (await introspect(child)).status === 401)).toBe(true)
  })
})

describe('narrowing a credential', () => {
  test('narrows what was created with it, at once', async () => {
    const parent = await caller(await access.makeCaller(['system:owner']))
    const child = await childOf(parent)
    const grandchild = await childOf(child)
    expect(await permissionsOf(grandchild)).toContain('systemlog.read')
    const scope = await access.roleId('system:user')
    expect((await update(parent, parent.id, { scopedRoles: [scope] })).status).toBe(200)
    for (const each of [child, grandchild]) expect(await permissionsOf(each)).not.toContain('systemlog.read')
    // And what is created by them from now on is held to it.
    expect(fieldsOf(await create(grandchild))).toEqual(['scopedRoles'])
    expect((await create(grandchild, { scopedRoles: [scope] })).status).toBe(200)
    expect((await update(parent, parent.id, { allowSourceCidr: ['192.0.2.0/24'] })).status).toBe(200)
    for (const each of [child, grandchild])
      expect(outcomeOf(await introspect(each))).toBe('403/7 SOURCE_ADDRESS_DENIED')
  })

  test('holds also for a change of what was created with it, by whomever', async () => {
    const free = await caller(await access.makeCaller(['system:owner']))
    const [basic, viewer] = [await access.roleId('system:user'), await access.roleId('system:viewer')]
    const parent = await caller(await access.makeKey(free.userId, { roles: ['system:user'], cidrs: ['10.0.0.0/8'] }))
    const child = await childOf(parent, { scopedRoles: [basic], allowSourceCidr: ['10.1.0.0/16'] })
    for (const scopedRoles of [[], [viewer], [basic, viewer]])
      expect(fieldsOf(await update(free, child.id, { scopedRoles }))).toEqual(['scopedRoles'])
    for (const allowSourceCidr of [[], ['0.0.0.0/0'], ['10.0.0.0/7']])
      expect(fieldsOf(await update(free, child.id, { allowSourceCidr }))).toEqual(['allowSourceCidr'])
    expect((await update(free, child.id, { allowSourceCidr: ['10.0.0.0/8'] })).status).toBe(200)
    expect((await update(free, child.id, { displayName: 'Renamed' })).status).toBe(200)
  })
})

describe('a credential that is limited', () => {
  const limits: [string, { roles?: string[]; cidrs?: string[] }][] = [
    ['to roles', { roles: ['system:user'] }],
    ['to addresses', { cidrs: ['10.0.0.0/8'] }],
  ]
  test.each(limits)('%s neither sees, changes nor deletes others of its owner', async (_, options) => {
    const userId = await access.makeUser({ roles: ['system:user'] })
    const limited = await caller(await access.makeKey(userId, options))
    const others = [await access.makeKey(userId), await access.makeKey(userId, options)]
    const body = {
      scopedRoles: clientIn(await get(limited, limited.id))['scopedRoles'],
      allowSourceCidr: options.cidrs,
    }
    const child = await childOf(limited, body)
    for (const { id } of others) {
      expect(outcomeOf(await get(limited, id))).toBe('404/5 CREDENTIAL_NOT_FOUND')
      for (const client of [{ displayName: 'x' }, { allowSourceCidr: ['10.9.9.9'] }, { scopedRoles: body.scopedRoles }])
        expect(outcomeOf(await update(limited, id, client as Json))).toBe('404/5 CREDENTIAL_NOT_FOUND')
      expect(outcomeOf(await remove(limited, id))).toBe('404/5 CREDENTIAL_NOT_FOUND')
      expect(await tokenStatus(others[0] as Key)).toBe(200)
    }
    const listed = await ask(server, clients, asking(limited))
    expect((listed.json['list'] as Json[]).map(({ id }) => String(id)).toSorted()).toEqual(
      [limited.id, child.id].toSorted(),
    )
    // Nor does what it created get at it.
    expect(outcomeOf(await remove(child, limited.id))).toBe('404/5 CREDENTIAL_NOT_FOUND')
    expect((await update(limited, child.id, { displayName: 'mine' })).status).toBe(200)
    expect((await remove(limited, child.id)).status).toBe(200)
    expect((await update(limited, limited.id, { displayName: 'me' })).status).toBe(200)
    expect((await remove(limited, limited.id)).status).toBe(200)
  })
})

test('a credential that expires widens none that outlives it', async () => {
  const userId = await access.makeUser({ roles: ['system:owner'] })
  const short = await caller(await access.makeKey(userId, { lifespanSeconds: days30 }))
  const endless = await access.makeKey(userId, { roles: ['system:user'], cidrs: ['10.0.0.0/8'] })
  for (const scopedRoles of [[], [await access.roleId('system:owner')]])
    expect(fieldsOf(await update(short, endless.id, { scopedRoles }))).toEqual(['scopedRoles'])
  expect(fieldsOf(await update(short, endless.id, { allowSourceCidr: [] }))).toEqual(['allowSourceCidr'])
  expect((await update(short, endless.id, { allowSourceCidr: ['10.2.0.0/16'] })).status).toBe(200)
  const free = await caller(await access.makeKey(userId))
  expect((await update(free, endless.id, { scopedRoles: [] })).status).toBe(200)
})

longTest('credentials are created with each other ten deep, and no deeper', async () => {
  let last = await caller(await access.makeCaller(['system:user']))
  for (let depth = 0; depth < 10; depth++) last = await childOf(last)
  const reply = await create(last)
  expect(outcomeOf(reply)).toBe('400/9 CREDENTIALS_TOO_MANY')
  expect((await introspect(last)).status).toBe(200)
})

test('a credential of a disabled user is not created, and it is said why', async () => {
  const userId = await access.makeUser({ roles: ['system:user'], email: 'gone@example.com' })
  await server.db`update users set status = 'DISABLED' where user_id = ${userId}`
  await expect(access.makeKey(userId)).rejects.toThrow(/gone@example\.com> is disabled/)
})

test('last used is never before created', async () => {
  const key = await access.makeCaller(['system:user'])
  const uses = lastUsed.make(access.world)
  uses.note(access.tenant.id, key.id)
  await uses.write()
  const [row] = await server.db<{ isBefore: boolean; last: Date | null }[]>`
    select last_used_at < created_at as "isBefore", last_used_at as last from credentials where credential_id = ${key.id}`
  expect(row).toEqual({ isBefore: false, last: expect.any(Date) as Date })
})
