import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { change, grouped, operatorCause, record } from '#rooms/foundation/systemlog/index.ts'
import { run } from '../cli/command.ts'
import {
  ask,
  askToken,
  assertionOf,
  byAssertion,
  bySecret,
  getToken,
  type Json,
  jwkIn,
  newAddress,
  type Reply,
} from '../fixture/access.ts'
import { ocsfProblems } from './ocsf.ts'
import { type Event, listAll, listPage, prepare, tamper } from './support.ts'

const setting = prepare()
const credentials = '/api/v1/iam/personal_clients'

/** The newest events first. */
const newest = async (count = 1): Promise<Event[]> => {
  const page = await listPage(setting.server, setting.token, { sortDirection: 'SORT_DIRECTION_DESC', pageSize: 100 })
  return page.list.slice(0, count)
}
const idOf = (reply: Reply): string => (reply.json['client'] as Json)['id'] as string
const requestIdOf = (reply: Reply): string => reply.headers['x-request-id'] as string
const dataArgs = (): string[] => [
  '--data-dir',
  setting.server.config.dataDir,
  '--database-url',
  setting.server.databaseUrl,
]

test('making, changing and deleting a credential are events, with who, what, from where and by which request', async () => {
  const { server, token, owner } = setting
  const from = newAddress()
  const asked = { token, from }
  const begun = Date.now()
  const made = await ask(server, credentials, { ...asked, body: { displayName: 'CI', scopedRoles: [] } })
  const path = `${credentials}/${idOf(made)}`
  const changed = await ask(server, path, { ...asked, body: { client: { displayName: 'CI 2' } } })
  const gone = await ask(server, path, { ...asked, method: 'DELETE' })
  expect([made.status, changed.status, gone.status]).toEqual([200, 200, 200])

  const events = (await newest(3)).toReversed()
  expect(events.map((event) => event.activity_id)).toEqual([1, 3, 4])
  expect(events.map((event) => event.api?.operation)).toEqual(
    ['Create', 'Update', 'Delete'].map((verb) => `iam.v1.PersonalClientService.${verb}`),
  )
  expect(events.map((event) => event.api?.request?.uid)).toEqual([made, changed, gone].map(requestIdOf))
  for (const event of events) {
    expect(event).toMatchObject({ class_uid: 6003, status: 'Success', src_endpoint: { ip: from } })
    expect(event.actor).toMatchObject({ user: { uid: owner.userId }, session: { credential_uid: owner.id } })
    expect(event.resources).toMatchObject([{ type: 'credential', uid: idOf(made) }])
    expect(event.time).toBeGreaterThanOrEqual(begun)
    expect(event.time).toBeLessThanOrEqual(Date.now())
  }
  expect(events[1]?.resources?.[0]).toMatchObject({ name: 'CI 2' })
  expect(events[1]?.resources?.[0]?.data?.['clientId']).toMatch(/@localhost\/pcc$/)
})

test('whatever a name is made of, the event tells it as it is', async () => {
  const { server, token } = setting
  for (const displayName of ['"', '\\', '\\"', '{NULL,"a"}', "'; drop table x", 'é 🎉 \u05d0', 'x'.repeat(200)]) {
    const reply = await ask(server, credentials, { token, body: { displayName } })
    expect(reply.status, reply.text).toBe(200)
    expect((await newest())[0]?.resources?.[0]?.name).toBe(displayName)
  }
})

test('renaming a role is an event that tells its name before and after', async () => {
  const { server, token, access } = setting
  const roleId = access.world.newId()
  await server.db`insert into roles (tenant_id, role_id, name, display_name, created_at, updated_at)
    values (${access.tenant.id}, ${roleId}, 'auditors', 'Auditors', now(), now())`
  const reply = await ask(server, `/api/v1/iam/roles/${roleId}`, { token, body: { role: { displayName: 'Revisors' } } })
  expect(reply.status, reply.text).toBe(200)
  expect((await newest())[0]).toMatchObject({
    activity_id: 3,
    api: { operation: 'iam.v1.Roles.Update', request: { uid: requestIdOf(reply) } },
    resources: [{ type: 'role', uid: roleId, name: 'Revisors', data: { before: 'Auditors' } }],
  })
})

test('operator commands (a credential, new keys, a tenant) are events of the operator', async () => {
  const { server, access, token } = setting
  const { email } = (
    await server.db`select email from users where tenant_id = ${access.tenant.id} limit 1`
  )[0] as unknown as { email: string }
  const localhost = ['--tenant', 'localhost']
  const create = ['credential', 'create', ...dataArgs(), ...localhost, '--user', email, '--name', 'by hand', '--json']
  const made = await run(create)
  expect(made.code, made.stderr).toBe(0)
  const { clientId } = JSON.parse(made.stdout) as { clientId: string }
  expect((await run(['tenant', 'rotate-keys', ...dataArgs(), ...localhost])).code).toBe(0)
  expect((await run(['credential', 'delete', clientId, ...dataArgs(), ...localhost])).code).toBe(0)
  const events = (await newest(3)).toReversed()
  expect(events.map((event) => event.api?.operation)).toEqual(
    ['credential create', 'tenant rotate-keys', 'credential delete'].map((command) => `bailiwick ${command}`),
  )
  for (const event of events) expect(event.actor.user).toMatchObject({ name: 'operator' })

  expect((await run(['tenant', 'create', 'acme.example.com', '--owner', 'a@acme.com', ...dataArgs()])).code).toBe(0)
  const rows = await server.db<{ event: string }[]>`
    select event from systemlog_events join tenants using (tenant_id) where domain = 'acme.example.com'`
  expect(rows.map((row) => JSON.parse(row.event) as Event)).toMatchObject([
    {
      activity_id: 1,
      api: { operation: 'bailiwick tenant create' },
      resources: [{ type: 'tenant' }, { type: 'user' }],
    },
  ])
  for (const event of await listAll(server, token)) expect(event.message).not.toContain('acme')
})

test('a token that is issued or refused is an Authentication event', async () => {
  const { server, access } = setting
  const key = await access.makeCaller(['system:user'])
  const from = newAddress()
  const issued = await askToken(server, bySecret(key), { from })
  const refused = await askToken(server, bySecret({ ...key, clientSecret: setting.owner.clientSecret }), { from })
  const late = assertionOf(key, { exp: 1 })
  const expired = await askToken(server, byAssertion(key, late), { from })
  const unknown = await askToken(server, bySecret({ ...key, clientId: 'nobody@localhost/pcc' }), { from })
  expect([issued, refused, expired, unknown].map((reply) => reply.status)).toEqual([200, 401, 401, 401])

  const events = (await newest(4)).toReversed()
  for (const event of events) expect(event).toMatchObject({ class_uid: 3002, src_endpoint: { ip: from } })
  const user = { uid: key.userId }
  const [claims] = [issued.json['access_token'] as string].map(
    (token) => JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()) as { jti: string },
  )
  expect(events).toMatchObject([
    { status: 'Success', user, actor: { app_uid: key.clientId }, session: { uid: claims?.jti } },
    { status: 'Failure', user, status_code: 'CLIENT_REFUSED', actor: { app_uid: key.clientId } },
    { status: 'Failure', user, status_detail: 'The client assertion is not accepted: exp is in the past.' },
    { status: 'Failure', user: { name: 'unknown' }, actor: { app_uid: 'unknown' } },
  ])
})

test('a denial (401, 403) is an event, with who was denied where that is known', async () => {
  const { server, access } = setting
  const key = await access.makeCaller(['system:user'])
  const from = newAddress()
  const token = await getToken(server, key, { from })
  const denied = [
    await ask(server, credentials, { from }),
    await ask(server, credentials, { from, token: 'forged' }),
    await ask(server, '/api/v1/systemlog/events', { from, token, body: {} }),
  ]
  expect(denied.map((reply) => reply.status)).toEqual([401, 401, 403])
  const events = (await newest(3)).toReversed()
  expect(events.map((event) => event.api?.request?.uid)).toEqual(denied.map(requestIdOf))
  expect(events).toMatchObject([
    { status_code: 'TOKEN_MISSING', actor: { user: { name: 'unknown' } }, api: { response: { code: 401 } } },
    { status_code: 'TOKEN_INVALID', actor: { user: { name: 'unknown' } } },
    {
      status_code: 'PERMISSION_DENIED',
      actor: { user: { uid: key.userId }, session: { credential_uid: key.id } },
      api: {
        operation: 'systemlog.v1.SystemLogService.ListEvents',
        response: { code: 403, error: 'PERMISSION_DENIED' },
      },
    },
  ])
  for (const event of events)
    expect(event).toMatchObject({ activity_id: 99, status: 'Failure', src_endpoint: { ip: from } })
})

test('what is refused for another reason, and what only reads, is no event', async () => {
  const { server, token } = setting
  const before = (await newest())[0]
  expect((await ask(server, credentials, { token })).status).toBe(200)
  expect((await ask(server, `${credentials}/unknown`, { token })).status).toBe(404)
  expect((await ask(server, credentials, { token, body: { displayName: '' } })).status).toBe(400)
  expect((await newest())[0]).toEqual(before)
})

test('a change that rolls back leaves no event', async () => {
  const { access } = setting
  const before = (await newest())[0]
  const cause = operatorCause(access.tenant, 'test')
  const failing = transact(access.world.db, async (tx) => {
    await record(tx, access.world, cause, change(cause, 'create', 'never was', []))
    throw new Error('afterwards')
  })
  await expect(failing).rejects.toThrow('afterwards')
  expect((await newest())[0]).toEqual(before)
})

/** The log refuses every event while `work` runs. */
async function withoutLog<T>(work: () => Promise<T>): Promise<T> {
  const { db } = setting.server
  await db.unsafe(
    `create function no_log() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$`,
  )
  await db.unsafe('create trigger no_log before insert on systemlog_events execute function no_log()')
  try {
    return await work()
  } finally {
    await db.unsafe('drop function no_log() cascade')
  }
}

test('a change whose event cannot be written is not made; a token and a denial are not answered without theirs', async () => {
  const { server, token, owner } = setting
  const before = await ask(server, credentials, { token })
  const replies = await withoutLog(async () => [
    await ask(server, credentials, { token, body: { displayName: 'unlogged' } }),
    await askToken(server, bySecret(owner)),
    await askToken(server, bySecret({ ...owner, clientSecret: 'wrong' }), { from: newAddress() }),
    await ask(server, credentials, { from: newAddress() }),
  ])
  for (const reply of replies) {
    expect(reply.status).toBeGreaterThanOrEqual(500)
    expect(reply.text).not.toMatch(/access_token|secret-token/)
  }
  const after = await ask(server, credentials, { token })
  expect((after.json['list'] as Json[]).length).toBe((before.json['list'] as Json[]).length)
  expect((await askToken(server, bySecret(owner))).status).toBe(200)
})

test('one event that cannot be written does not keep those after it from being written', async () => {
  const { access } = setting
  const cause = operatorCause(access.tenant, 'test')
  const event = change(cause, 'read', 'grouped', [])
  const { record: recordGrouped } = access.world.memory(grouped)
  await expect(recordGrouped(2 ** 31, event)).rejects.toThrow('out of range')
  await recordGrouped(access.tenant.id, event)
  expect((await newest())[0]).toMatchObject({ message: 'grouped' })
})

test('every event that the tests above made, and those of odd hosts and names, keep OCSF 1.3.0', async () => {
  const { server, access } = setting
  for (const domain of ['[::1]', '10.0.0.1:8443', 'a.b-c.example:1'])
    await transact(access.world.db, async (tx) => {
      const cause = { ...operatorCause({ ...access.tenant, domain }, 'test'), sourceAddress: '' }
      const touched = [{ type: 'thing', id: '1', name: '', data: { at: new Date() } }]
      await record(tx, access.world, cause, change(cause, 'read', 'odd', touched))
    })
  const rows = await server.db<{ event: string; eventId: string; occurredAt: Date }[]>`
    select event, event_id as "eventId", occurred_at as "occurredAt" from systemlog_events`
  expect(rows.length).toBeGreaterThan(25)
  const classes = new Set<number>()
  for (const { event: text, eventId, occurredAt } of rows) {
    const event = JSON.parse(text) as Event & Json
    expect(ocsfProblems(event), text).toEqual([])
    expect(event.metadata.uid).toBe(eventId)
    expect(event.time).toBe(occurredAt.getTime())
    classes.add(event.class_uid * 1000 + event.activity_id)
  }
  expect(classes).toEqual(new Set([3002001, 6003001, 6003002, 6003003, 6003004, 6003099]))
})

test('the check of OCSF finds what does not keep it', async () => {
  const [event] = (await newest()) as unknown as [Json]
  const problems = (altered: Json): string[] => ocsfProblems({ ...event, ...altered })
  expect(problems({})).toEqual([])
  expect(problems({ time: 1_700_000_000 })).toHaveLength(1)
  expect(problems({ type_uid: 1 })).toHaveLength(1)
  expect(problems({ severity_id: 7 })).toHaveLength(1)
  expect(problems({ actor: {} })).toHaveLength(1)
  expect(problems({ api: undefined })).not.toEqual([])
  expect(problems({ dst_endpoint: { hostname: 'localhost:8080' } })).toHaveLength(1)
  expect(problems({ more: 1 })).toHaveLength(1)
})

test('no secret, key, token or assertion is in any event, nor in what was logged', async () => {
  const { server, token, owner, access } = setting
  const key = await access.makeCaller(['system:owner'])
  const assertion = assertionOf(key, { jti: 'once' })
  const replies = [
    await askToken(server, byAssertion(key, assertion)),
    await askToken(server, byAssertion(key, `${assertion.slice(0, -4)}AAAA`)),
    await askToken(server, { ...bySecret(key), client_id: key.clientSecret }),
    await askToken(server, { ...bySecret(key), client_secret: `${key.clientSecret}x` }),
    await ask(server, credentials, { token: `${token}x` }),
    await ask(server, credentials, { headers: { authorization: `Basic ${key.clientSecret}` } }),
    await ask(server, credentials, { token, body: { displayName: 'new' } }),
  ]
  const secrets = [key.clientSecret, owner.clientSecret, replies[6]?.json['clientSecret'] as string]
  const needles = [
    ...secrets.flatMap((secret) => [jwkIn(secret).d, secret.split(':').at(-1) as string]),
    ...[token, assertion, replies[0]?.json['access_token'] as string].flatMap((jwt) => [
      jwt,
      jwt.split('.')[2] as string,
    ]),
    ...secrets.map((secret) => createHash('sha256').update(secret).digest('hex')),
    'secret-token:',
  ]
  const rows = await server.db<{ event: string }[]>`select event from systemlog_events`
  const written = rows.map((row) => row.event).join('\n') + JSON.stringify(server.logged)
  for (const needle of needles) expect(written.includes(needle), needle.slice(0, 12)).toBe(false)
  expect(written).not.toMatch(/eyJ[\w-]+\.[\w-]+\./)
})

test('by plain SQL no event, link or head is changed, removed or forged', async () => {
  const { db } = setting.server
  await newest()
  const attempts = [
    `update systemlog_events set event = '{}'`,
    'update systemlog_events set mac = mac where seal_number is not null',
    'update systemlog_events set seal_number = null, seal_position = null where seal_number is not null',
    'update systemlog_events set seal_position = seal_position + 1 where seal_number is not null',
    'delete from systemlog_events',
    'truncate systemlog_events',
    `insert into systemlog_events select tenant_id, overlay(event_id placing '000' from 1)::ksuid, occurred_at, event, mac,
      seal_number, 999 from systemlog_events limit 1`,
    'update systemlog_seals set event_count = 0',
    'delete from systemlog_seals where seal_number > 3',
    'truncate systemlog_seals',
    'update systemlog_heads set seal_number = seal_number - 1',
    'update systemlog_heads set mac = mac',
    'delete from systemlog_heads',
    'truncate systemlog_heads',
  ]
  for (const attempt of attempts) await expect(db.unsafe(attempt), attempt).rejects.toThrow('append-only')
  // Several tables refuse that; which of them is asked first is up to PostgreSQL.
  await expect(db.unsafe('truncate tenants cascade')).rejects.toThrow(/append-only|written once/)
  await tamper(db, () => db.unsafe('update systemlog_heads set mac = mac'))
})
