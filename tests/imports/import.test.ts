import { describe, expect, test } from 'vitest'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { insertUsers } from '#rooms/identity/users/index.ts'
import { insertAccounts, matchUsers } from '#rooms/records/accounts/index.ts'
import { insertGrants } from '#rooms/records/grants/index.ts'
import { isDistributed } from '../fixture/cluster.ts'
import {
  company,
  companyWith,
  everythingOf,
  importRecords,
  importText,
  jsonl,
  prepare,
  type Rec,
  refusalOf,
  stateOf,
  told,
} from './support.ts'

const { server, access, tried, newTenant } = prepare()

const state = () => stateOf(server.db, tried.tenant)
const everything = (isWithRecord?: boolean) => everythingOf(server.db, tried.tenant, isWithRecord)

const one = async <T>(sql: PromiseLike<readonly T[]>): Promise<T> => (await sql)[0] as T

describe('a file', () => {
  test('of every kind, in any order, comes in with its parents and its accounts matched', async () => {
    expect(told(await importRecords(tried, company))).toEqual([
      'user +3 ~0 =0 -0',
      'app +2 ~0 =0 -0',
      'resource_type +1 ~0 =0 -0',
      'resource +2 ~0 =0 -0',
      'entitlement +2 ~0 =0 -0',
      'account +4 ~0 =0 -0',
      'grant +2 ~0 =0 -0',
    ])
    const { users, resources, entitlements, accounts, grants } = await state()
    expect(users).toMatchObject([
      {
        external_id: 'ada',
        type: 'USER_TYPE_HUMAN',
        origin: 'USER_ORIGIN_DIRECTORY',
        emails: ['ada@corp.example'],
        employee_ids: ['E1'],
        managers: ['bo'],
        profile: { site: 'Leeds' },
        roles: ['system:user'],
      },
      { external_id: 'bo', status: 'DISABLED', directory_status: 'DISABLED' },
      { external_id: 'robot', type: 'USER_TYPE_SERVICE', roles: [] },
    ])
    expect(resources).toMatchObject([
      { external_id: 'core', parent: null },
      { external_id: 'docs', parent: 'core' },
    ])
    expect(entitlements).toMatchObject([
      {
        external_id: 'core:write',
        resource: 'core',
        type: 'repo',
        purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION',
      },
      { external_id: 'member', resource: null, type: null },
    ])
    expect(accounts).toMatchObject([
      { app: 'code', external_id: 'ada-l', user: 'ada' },
      { app: 'code', external_id: 'bo', user: 'bo', display_name: 'BO' },
      { app: 'code', external_id: 'ghost', user: null },
      { app: 'pay', external_id: 'e1', user: 'ada' },
    ])
    expect(grants).toEqual([
      { app: 'code', entitlement: 'core:write', account: 'ada-l', source: 'import', expires_at: null },
      { app: 'code', entitlement: 'member', account: 'bo', source: 'import', expires_at: null },
    ])
  })

  test('that is imported twice changes nothing: only the second import itself is recorded', async () => {
    await importRecords(tried, company)
    const before = await everything(false)
    const events = async () =>
      (await one(server.db`select count(*) from systemlog_events where tenant_id = ${tried.tenant.id}`))[
        'count'
      ] as number
    const eventsBefore = await events()
    const second = await importRecords(tried, company.toReversed())
    expect(second.counts.every(({ added, changed, removed }) => added + changed + removed === 0)).toBe(true)
    expect(await everything(false)).toBe(before)
    expect(await events()).toBe(eventsBefore + 1)
  })

  test('that changed changes just that', async () => {
    await importRecords(tried, company)
    const before = (await everything(false)).split('\n')
    const done = await importRecords(tried, companyWith('app', 'code', { displayName: 'Git' }))
    expect(told(done)).toContain('app +0 ~1 =1 -0')
    expect(done.counts.reduce((sum, { added, changed, removed }) => sum + added + changed + removed, 0)).toBe(1)
    const after = (await everything(false)).split('\n')
    const gone = before.filter((line) => !after.includes(line))
    const come = after.filter((line) => !before.includes(line))
    expect([gone.every((line) => /Source Code|source code|,code,/.test(line)), come.length]).toEqual([true, 2])
  })

  test('states whole records: what a line no longer says is unset', async () => {
    await importRecords(tried, company)
    await importRecords(tried, [{ kind: 'user', externalId: 'ada', displayName: 'Ada' }])
    const [ada] = (await state())['users'] as [object]
    expect(ada).toMatchObject({ display_name: 'Ada', email: '', emails: [], department: '', managers: [], profile: {} })
  })

  test('may spell fields and values in either way, and say null for unset', async () => {
    await importText(
      tried,
      jsonl([
        { kind: 'resourceType', app: 'a', external_id: 't', display_name: 'T' },
        { kind: 'app', external_id: 'a', display_name: 'A', description: null },
        { kind: 'user', external_id: 'u', display_name: 'U', employee_ids: ['1', '2', '1'], type: 'USER_TYPE_AGENT' },
      ]),
    )
    const { users, types } = await state()
    expect(users).toMatchObject([{ employee_ids: ['1', '2'], type: 'USER_TYPE_AGENT' }])
    expect(types).toHaveLength(1)
  })

  test('tells which of its fields no kind has', async () => {
    const done = await importText(tried, '{"kind":"app","externalId":"a","displayName":"A","shoeSize":3}\n')
    expect(done.ignoredFields).toEqual(['app.shoeSize'])
  })

  test('with nothing in it is refused', async () => {
    for (const text of ['', '\n\n', '\ufeff'])
      expect((await refusalOf(importText(tried, text))).message).toContain('no records')
  })
})

test('resources may be put into one that comes later in the file, and one that is new', async () => {
  const [app, type] = [company[5], company[7]] as [Rec, Rec]
  const resource = (externalId: string, parentResource?: string) => ({
    kind: 'resource',
    app: 'code',
    resourceType: 'repo',
    externalId,
    displayName: externalId,
    parentResource,
  })
  const parents = async () =>
    ((await state())['resources'] as { external_id: string; parent: string | null }[]).map((each) => [
      each.external_id,
      each.parent,
    ])
  await importRecords(tried, [resource('a', 'b'), resource('b'), app, type])
  expect(await parents()).toEqual([
    ['a', 'b'],
    ['b', null],
  ])
  expect(told(await importRecords(tried, [resource('a', 'c'), resource('b', 'a'), resource('c')]))).toEqual([
    'resource +1 ~2 =0 -0',
  ])
  expect(await parents()).toEqual([
    ['a', 'c'],
    ['b', 'a'],
    ['c', null],
  ])
})

describe('users', () => {
  test('may change addresses with each other', async () => {
    const people = (a: string, b: string) => [
      { kind: 'user', externalId: 'a', displayName: 'A', email: a },
      { kind: 'user', externalId: 'b', displayName: 'B', email: b },
    ]
    await importRecords(tried, people('one@x.example', 'two@x.example'))
    expect(told(await importRecords(tried, people('TWO@x.example', 'one@x.example')))).toEqual(['user +0 ~2 =0 -0'])
    expect((await state())['users']).toMatchObject([{ email: 'TWO@x.example' }, { email: 'one@x.example' }])
  })

  test('who were created manually are matched by the email address of a line', async () => {
    const done = await importRecords(tried, [
      { kind: 'user', externalId: 'o', displayName: 'The Owner', email: 'Owner@example.com' },
    ])
    expect(told(done)).toEqual(['user +0 ~1 =0 -0'])
    expect((await state())['users']).toMatchObject([{ external_id: 'o', roles: ['system:owner'] }])
  })

  test('whom an operator disabled stay so, until the directory disables and enables them', async () => {
    const ada = (status: string) => [{ kind: 'user', externalId: 'ada', displayName: 'Ada', status }]
    const statuses = async () => {
      const [row] = await server.db<Record<string, string>[]>`
        select status, directory_status from users where tenant_id = ${tried.tenant.id} and external_id = 'ada'`
      return Object.values(row ?? {})
    }
    await importRecords(tried, ada('enabled'))
    await server.db`
      update users set status = 'DISABLED' where tenant_id = ${tried.tenant.id} and external_id = 'ada'`
    expect(told(await importRecords(tried, ada('enabled')))).toEqual(['user +0 ~0 =1 -0'])
    expect(await statuses()).toEqual(['DISABLED', 'ENABLED'])
    await importRecords(tried, ada('disabled'))
    await importRecords(tried, ada('enabled'))
    expect(await statuses()).toEqual(['ENABLED', 'ENABLED'])
    await server.db`
      update users set status = 'ENABLED' where tenant_id = ${tried.tenant.id} and external_id = 'ada'`
    await importRecords(tried, ada('disabled'))
    expect(await statuses()).toEqual(['DISABLED', 'DISABLED'])
  })

  test('are not all locked out', async () => {
    const owner = {
      kind: 'user',
      externalId: 'o',
      displayName: 'Owner',
      email: 'owner@example.com',
      status: 'disabled',
    }
    expect((await refusalOf(importRecords(tried, [owner]))).reason).toBe('LAST_OWNER')
    expect((await state())['users']).toEqual([])
  })
})

describe('accounts', () => {
  test('are matched as the room of accounts matches them', async () => {
    const people = [
      { externalId: 'a', email: 'a@x.example', emails: ['A2@x.example'], username: 'ann', employeeId: '1' },
      { externalId: 'b', email: 'b@x.example', emails: ['shared@x.example'], username: 'sam', employeeId: '2' },
      { externalId: 'c', email: 'c@x.example', emails: ['shared@x.example'], username: 'SAM', employeeId: '3' },
    ].map((each) => ({ kind: 'user', displayName: each.externalId, ...each }))
    const traces = [
      { email: 'a2@X.example' },
      { email: 'shared@x.example' },
      { email: 'shared@x.example', username: 'ANN' },
      { email: 'b@x.example', username: 'ann' },
      { username: 'sam' },
      { username: 'sam', employeeId: '3' },
      { employeeIds: ['1', '2'] },
      { email: 'nobody@x.example', username: 'nobody' },
    ]
    await importRecords(tried, [
      { kind: 'app', externalId: 'app', displayName: 'App' },
      ...people,
      ...traces.map((each, i) => ({ kind: 'account', app: 'app', externalId: `${i}`, displayName: `${i}`, ...each })),
    ])
    const { id } = tried.tenant
    const matched = await matchUsers(
      access.world.db,
      id,
      traces.map(({ email = '', username = '', employeeId = '', employeeIds = [] }) => ({
        emails: [email],
        usernames: [username],
        employeeIds: [...employeeIds, employeeId],
      })),
    )
    const names = new Map(
      (await server.db`select user_id, external_id from users where tenant_id = ${id}`).map((row) => [
        row['user_id'] as string,
        row['external_id'] as string,
      ]),
    )
    const users = ((await state())['accounts'] as { user: string | null }[]).map(({ user }) => user)
    expect(users).toEqual(['a', null, 'a', 'b', null, 'c', null, null])
    expect(users).toEqual(matched.map((userId) => (userId ? names.get(userId) : null)))
  })

  test('follow their lines: to another user, to the one that is named, and to nobody', async () => {
    const account = (change: object) => [
      ...company.filter(({ kind }) => kind !== 'account' && kind !== 'grant'),
      { kind: 'account', app: 'pay', externalId: 'x', displayName: 'X', ...change },
    ]
    const user = async () => ((await state())['accounts'] as { user: string | null }[])[0]?.user
    await importRecords(tried, account({ email: 'ada@corp.example' }))
    expect(await user()).toBe('ada')
    await importRecords(tried, account({ email: 'bo@corp.example' }))
    expect(await user()).toBe('bo')
    await importRecords(tried, account({ email: 'bo@corp.example', user: 'robot' }))
    expect(await user()).toBe('robot')
    await importRecords(tried, account({}))
    expect(await user()).toBe(null)
  })

  test('that came before their users are matched when those come', async () => {
    await importRecords(tried, [
      { kind: 'app', externalId: 'app', displayName: 'App' },
      { kind: 'account', app: 'app', externalId: 'x', displayName: 'X', email: 'late@x.example' },
    ])
    const later = [{ kind: 'user', externalId: 'l', displayName: 'Late', email: 'LATE@x.example' }]
    expect(told(await importRecords(tried, later))).toEqual(['user +1 ~0 =0 -0', 'account +0 ~1 =0 -0'])
    expect((await state())['accounts']).toMatchObject([{ user: 'l' }])
  })

  test('that were created by manual grants are matched with accounts that are imported later, with their grants', async () => {
    await importRecords(
      tried,
      company.filter(({ kind }) => kind !== 'account' && kind !== 'grant'),
    )
    const { id } = tried.tenant
    const [ids] = await server.db<{ appId: string; userId: string; entitlementId: string }[]>`
      select a.app_id as "appId", u.user_id as "userId", e.entitlement_id as "entitlementId"
      from apps a join users u using (tenant_id) join entitlements e using (tenant_id, app_id)
      where a.tenant_id = ${id} and a.external_id = 'code' and u.external_id = 'ada' and e.external_id = 'member'`
    const { appId, userId, entitlementId } = ids as NonNullable<typeof ids>
    const accountId = access.world.newId()
    const byHand = { id: accountId, appId, userId, displayName: 'By hand', isManuallyManaged: true }
    const held = { id: access.world.newId(), appId, entitlementId, accountId, source: 'manual' as const }
    await access.world.db.begin(async (tx) => {
      await insertAccounts(tx, id, [byHand], new Date())
      await insertGrants(tx, operatorCause(tried.tenant, 'test'), [held], new Date())
    })
    expect(told(await importRecords(tried, company))).toEqual(
      expect.arrayContaining(['account +3 ~1 =0 -0', 'grant +2 ~0 =0 -0']),
    )
    const { accounts, grants } = await state()
    expect(accounts).toMatchObject([{ external_id: 'ada-l', user: 'ada', display_name: 'ada-l' }, {}, {}, {}])
    expect(grants).toMatchObject([
      { account: 'ada-l', entitlement: 'core:write', source: 'import' },
      { account: 'ada-l', entitlement: 'member', source: 'manual' },
      { account: 'bo', entitlement: 'member', source: 'import' },
    ])
    expect(
      (await importRecords(tried, company, { full: true })).counts.every(
        ({ unchanged, removed }) => unchanged > 0 && removed === 0,
      ),
    ).toBe(true)
  })

  test('are matched by name in an app that is set to it', async () => {
    await importRecords(tried, [{ kind: 'app', externalId: 'app', displayName: 'App' }])
    await server.db`
      update apps set identity_matching = 'APP_USER_IDENTITY_MATCHING_DISPLAY_NAME' where tenant_id = ${tried.tenant.id}`
    await importRecords(tried, [
      { kind: 'user', externalId: 'u', displayName: 'Una Name' },
      { kind: 'account', app: 'app', externalId: 'x', displayName: 'una name' },
    ])
    expect((await state())['accounts']).toMatchObject([{ user: 'u' }])
  })
})

describe('grants', () => {
  const grant = { kind: 'grant', app: 'code', entitlement: 'core:write', account: 'ada-l' }
  const rows = () => server.db`
    select g.granted_at, g.expires_at, g.ended_at, g.ended_why, g.ended_by, g.granted_by, g.source
    from grants g join entitlements e using (tenant_id, app_id, entitlement_id)
    where g.tenant_id = ${tried.tenant.id} and e.external_id = 'core:write' order by g.grant_id`

  test('are restated when their terms change, and otherwise left as they were written', async () => {
    const first = await importRecords(tried, [...company.slice(1), { ...grant, grantedAt: '2025-01-01T00:00:00Z' }])
    const second = await importRecords(tried, [{ ...grant, expiresAt: '2099-01-01T00:00:00Z' }])
    expect(told(second)).toEqual(['grant +0 ~1 =0 -0'])
    const grantedAt = new Date('2025-01-01T00:00:00Z')
    expect(await rows()).toMatchObject([
      { granted_at: grantedAt, expires_at: null, ended_why: 'restated', ended_by: second.id, granted_by: first.id },
      { granted_at: grantedAt, expires_at: new Date('2099-01-01T00:00:00Z'), ended_at: null, granted_by: second.id },
    ])
    const again = await importRecords(tried, [{ ...grant, expiresAt: '2099-01-01T00:00:00Z' }])
    expect(told(again)).toEqual(['grant +0 ~0 =1 -0'])
  })

  test('whose expiry was edited keep it, until the file has a new value', async () => {
    const first = await importRecords(tried, [...company.slice(1), { ...grant, grantedAt: '2025-01-01T00:00:00Z' }])
    const [row] = await rows()
    const expiresAt = new Date('2098-01-01T00:00:00Z')
    await server.db`
      update grants set ended_at = now(), ended_by = 'someone', ended_why = 'restated'
      where tenant_id = ${tried.tenant.id} and granted_at = ${row?.['granted_at'] as Date}`
    await server.db`
      insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_by, granted_at,
        expires_at, began_at)
      select tenant_id, app_id, entitlement_id, account_id, ${access.world.newId()}, source, granted_by, granted_at,
        ${expiresAt}, ended_at
      from grants where tenant_id = ${tried.tenant.id} and ended_why = 'restated'`
    expect(told(await importRecords(tried, [grant]))).toEqual(['grant +0 ~0 =1 -0'])
    expect(await rows()).toMatchObject([{ granted_by: first.id }, { expires_at: expiresAt, ended_at: null }])
    const said = { ...grant, expiresAt: '2097-01-01T00:00:00Z' }
    expect(told(await importRecords(tried, [said]))).toEqual(['grant +0 ~1 =0 -0'])
    expect(told(await importRecords(tried, [said]))).toEqual(['grant +0 ~0 =1 -0'])
    expect(told(await importRecords(tried, [grant]))).toEqual(['grant +0 ~1 =0 -0'])
    expect((await rows()).at(-1)).toMatchObject({ expires_at: null, ended_at: null })
  })

  test('whose time is up are not given again', async () => {
    await importRecords(tried, company.slice(2))
    const expired = { ...grant, grantedAt: '2020-01-01T00:00:00Z', expiresAt: '2021-01-01T00:00:00Z' }
    expect(told(await importRecords(tried, [expired]))).toEqual(['grant +0 ~0 =1 -0'])
    expect(await rows()).toHaveLength(0)
  })

  test('that are manual are kept in addition to imported ones', async () => {
    await importRecords(tried, company)
    const [ref] = await server.db<{ appId: string; entitlementId: string; accountId: string }[]>`
      select app_id as "appId", entitlement_id as "entitlementId", account_id as "accountId"
      from grants join accounts using (tenant_id, app_id, account_id)
      where tenant_id = ${tried.tenant.id} and external_id = 'ada-l'`
    const byHand = { id: access.world.newId(), ...(ref as NonNullable<typeof ref>), source: 'manual' as const }
    await access.world.db.begin((tx) => insertGrants(tx, operatorCause(tried.tenant, 'test'), [byHand], new Date()))
    await importRecords(tried, company.slice(1), { full: true })
    expect(await rows()).toMatchObject([
      { source: 'import', ended_why: 'revoked' },
      { source: 'manual', ended_at: null },
    ])
  })
})

describe('a dry run', () => {
  test('tells what it would do, and leaves nothing', async () => {
    await importRecords(tried, company)
    const before = await everything()
    const changed = companyWith('user', 'ada', { department: 'Sales' }).filter(({ kind }) => kind !== 'grant')
    const dry = await importRecords(tried, [...changed, { kind: 'app', externalId: 'n', displayName: 'N' }], {
      dryRun: true,
    })
    expect(told(dry)).toContain('user +0 ~1 =2 -0')
    expect(told(dry)).toContain('app +1 ~0 =2 -0')
    expect(await everything()).toBe(before)
  })
})

// Statistics of a distributed table are those of its shards.
test.skipIf(isDistributed)('what comes in by the thousand is known to the planner of queries at once', async () => {
  const people = Array.from({ length: 1000 }, (_, n) => ({
    kind: 'user',
    externalId: `p${n}`,
    email: `p${n}@example.com`,
    displayName: `Person ${n}`,
  }))
  await importRecords(tried, people)
  const { rows } = await one<{ rows: number }>(
    server.db`select reltuples::int as rows from pg_class where oid = 'users'::regclass`,
  )
  expect(rows).toBeGreaterThanOrEqual(1000)
})

test('an import is on the record and in the system log, with its counts and who did it', async () => {
  const done = await importRecords(tried, company)
  const row = await one(server.db`select * from imports where tenant_id = ${tried.tenant.id}`)
  expect(row).toMatchObject({
    import_id: done.id,
    format: 'jsonl',
    is_full: false,
    user_name: 'operator',
    line_count: company.length,
    byte_count: jsonl(company).length,
  })
  const events = await server.db<{ event: string }[]>`
    select event from systemlog_events where tenant_id = ${tried.tenant.id} order by event_id desc limit 1`
  const event = JSON.parse(events[0]?.event ?? '') as { message: string; resources: object[] }
  expect(event.message).toMatch(/^Imported a file: 3 users added, 2 apps added/)
  expect(event.resources).toMatchObject([{ type: 'import', uid: done.id, data: { counts: done.counts } }])
})

test('ids are KSUIDs of the time of the import', async () => {
  const begun = Date.now()
  await importRecords(tried, company)
  const rows = await server.db<{ id: string }[]>`
    select user_id as id from users where tenant_id = ${tried.tenant.id}
    union select grant_id from grants where tenant_id = ${tried.tenant.id}`
  const { idTime } = await import('#kernel/ids.ts')
  for (const { id } of rows) {
    // They hold whole seconds, and many at once may be ahead of the time.
    expect(idTime(id).getTime()).toBeGreaterThan(begun - 60_000)
    expect(idTime(id).getTime()).toBeLessThan(Date.now() + 60_000)
  }
})

test('another tenant sees nothing of it', async () => {
  const { tenant: other } = await newTenant()
  await access.world.db.begin((tx) =>
    insertUsers(
      tx,
      other.id,
      [{ id: access.world.newId(), externalId: 'ada', displayName: 'A', email: '' }],
      new Date(),
    ),
  )
  const before = await everythingOf(server.db, other)
  await importRecords(tried, company, { full: true })
  expect(await everythingOf(server.db, other)).toBe(before)
})
