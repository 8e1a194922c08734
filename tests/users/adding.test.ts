import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Access,
  ask,
  fieldsOf,
  getToken,
  type Json,
  openAccess,
  outcomeOf,
  type Reply,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
let access: Access
let owner: string
beforeAll(async () => {
  server = await startServer({ flags: { empty: true } })
  access = await openAccess(server)
  owner = await getToken(server, await access.makeCaller(['system:owner']))
})
afterAll(async () => {
  await access?.close()
  await server?.stop()
})

const add = (body: object, token = owner): Promise<Reply> => ask(server, '/api/v1/users', { token, body })
const importLines = (lines: readonly object[], query = ''): Promise<Reply> =>
  ask(server, `/api/v1/imports${query}`, {
    method: 'POST',
    token: owner,
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    headers: { 'content-type': 'application/jsonl' },
  })
const userIn = (reply: Reply): Json => {
  expect(reply.status, reply.text).toBe(200)
  return (reply.json['userView'] as { user: Json }).user
}
const withEmail = async (email: string): Promise<Json[]> => {
  const reply = await ask(server, '/api/v1/search/users', { token: owner, body: { email } })
  return (reply.json['list'] as { user: Json }[]).map(({ user }) => user)
}

test('a person who is added has the basic role, their manager and the accounts with their address', async () => {
  const accounts = await importLines([
    { kind: 'app', externalId: 'crm', displayName: 'CRM' },
    { kind: 'account', app: 'crm', externalId: 'grace', displayName: 'Grace', email: 'GRACE@corp.example' },
    { kind: 'account', app: 'crm', externalId: 'other', displayName: 'Other', email: 'other@corp.example' },
  ])
  expect(accounts.status, accounts.text).toBe(200)
  const boss = userIn(await add({ displayName: 'Bo Ek', email: 'bo@corp.example' }))
  const reply = await add({
    displayName: ' Grace Hopper ',
    email: 'grace@corp.example',
    jobTitle: 'Engineer',
    department: 'R&D',
    employeeId: '4711',
    employmentType: 'employee',
    employmentStatus: 'active',
    managerId: boss['id'],
  })
  expect(userIn(reply)).toMatchObject({
    displayName: 'Grace Hopper',
    type: 'USER_TYPE_HUMAN',
    origin: 'USER_ORIGIN_LOCAL',
    status: 'ENABLED',
    jobTitle: 'Engineer',
    employeeIds: ['4711'],
    managerIds: [boss['id']],
  })
  expect(reply.json['matchedAccounts']).toBe(1)
  expect(userIn(reply)['roleIds']).toEqual(boss['roleIds'])
  expect((boss['roleIds'] as string[]).length).toBe(1)
  const [event] = await server.db<{ message: string }[]>`
    select event::jsonb ->> 'message' as message from systemlog_events
    where event::jsonb #>> '{resources,0,uid}' = ${userIn(reply)['id'] as string}`
  expect(event?.message).toBe('Added the user Grace Hopper')
})

test('what a person who is added needs, and who may add one', async () => {
  expect(fieldsOf(await add({ displayName: 'A', email: 'no address' }))).toEqual(['email'])
  expect(fieldsOf(await add({}))).toEqual(['displayName', 'email'])
  expect(fieldsOf(await add({ displayName: 'A\u202eB', email: 'a b@corp.example' }))).toEqual(['displayName'])
  expect(
    fieldsOf(await add({ displayName: 'A', email: 'x@corp.example', managerId: '2zzzzzzzzzzzzzzzzzzzzzzzzzz' })),
  ).toEqual(['managerId'])
  for (const role of ['system:user', 'system:viewer', 'system:application-admin'] as const) {
    const token = await getToken(server, await access.makeCaller([role]))
    expect(outcomeOf(await add({ displayName: 'A', email: 'b@corp.example' }, token)), role).toContain('403')
  }
})

test('two people never have the same address, even if they are added at once', async () => {
  const both = await Promise.all([
    add({ displayName: 'One', email: 'same@corp.example' }),
    add({ displayName: 'Two', email: 'SAME@corp.example' }),
  ])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const third = await add({ displayName: 'Three', email: 'Same@corp.example' })
  expect(outcomeOf(third)).toContain('USER_EXISTS')
  expect(fieldsOf(third)).toEqual(['email'])
  const userId = await access.makeRole(`custom:${access.world.newId()}`, ['users.write', 'users.own.read'])
  const key = await access.makeCaller(['system:user'])
  await ask(server, `/api/v1/users/${key.userId}/roles/${userId}`, { token: owner, method: 'POST', body: {} })
  const blind = await add({ displayName: 'Four', email: 'same@corp.example' }, await getToken(server, key))
  expect(blind.text).not.toContain('One')
  expect(blind.text).not.toContain('Two')
  expect(outcomeOf(blind)).toContain('USER_EXISTS')
})

test('a tenant does not know the people of another', async () => {
  const other = await access.makeTenant('other.example.com')
  const boss = await access.makeCaller(['system:owner'], {}, other)
  const reply = await add({ displayName: 'A', email: 'foreign@corp.example', managerId: boss.userId })
  expect(fieldsOf(reply)).toEqual(['managerId'])
})

test('an import that has the address of a person who was added describes that person, and says so', async () => {
  const before = userIn(await add({ displayName: 'Ada', email: 'ada@corp.example', department: 'Sales' }))
  const line = { kind: 'user', externalId: 'E1', displayName: 'Ada Lovelace', email: 'Ada@corp.example' }
  const dry = await importLines([line], '?dry_run=true')
  expect((dry.json['import'] as Json)['preview']).toEqual({
    disabled: 0,
    enabled: 0,
    joined: 1,
    users: [
      {
        line: 1,
        change: 'changed',
        fields: ['displayName', 'email', 'emails', 'department'],
        isJoined: true,
        isDisabled: false,
        isEnabled: false,
      },
    ],
  })
  expect((await withEmail('ada@corp.example'))[0]).toMatchObject({ displayName: 'Ada' })
  const done = await importLines([line])
  expect((done.json['import'] as Json)['preview']).toBeNull()
  expect(await withEmail('ada@corp.example')).toMatchObject([
    { id: before['id'], displayName: 'Ada Lovelace', origin: 'USER_ORIGIN_DIRECTORY', department: '' },
  ])
})
