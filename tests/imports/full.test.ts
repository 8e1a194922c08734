import { expect, test } from 'vitest'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { insertGrants } from '#rooms/records/grants/index.ts'
import { insert } from '../fixture/write.ts'
import {
  company,
  companyWith,
  everythingOf,
  importRecords,
  prepare,
  type Rec,
  refusalOf,
  refusedLines,
  stateOf,
  told,
} from './support.ts'

const { server, access, tried } = prepare()

const state = () => stateOf(server.db, tried.tenant)
const full = { full: true }

test('without full, what is absent stays', async () => {
  await importRecords(tried, company)
  const before = await state()
  await importRecords(tried, company.slice(5, 6))
  expect(await state()).toEqual(before)
})

test('with full, what is absent goes, with what hangs on it', async () => {
  await importRecords(tried, company)
  const left = company.filter((each) => each['app'] !== 'code' && each['externalId'] !== 'code')
  expect(told(await importRecords(tried, left, full))).toEqual([
    'user +0 ~0 =3 -0',
    'app +0 ~0 =1 -1',
    'resource_type +0 ~0 =0 -1',
    'resource +0 ~0 =0 -2',
    'entitlement +0 ~0 =0 -2',
    'account +0 ~0 =1 -3',
    'grant +0 ~0 =0 -2',
  ])
  const { apps, types, resources, entitlements, accounts, grants } = await state()
  expect([apps, types, resources, entitlements, accounts, grants].map((each) => each?.length)).toEqual([
    1, 0, 0, 0, 1, 0,
  ])
})

test('what went comes back when a file has it again, as the same record', async () => {
  await importRecords(tried, company)
  const before = await state()
  const ids = () => server.db`
    select user_id as id, external_id from users where tenant_id = ${tried.tenant.id}
    union select account_id, external_id from accounts where tenant_id = ${tried.tenant.id} order by 1`
  const idsBefore = await ids()
  await importRecords(
    tried,
    [company[4] as Rec, company[6] as Rec, company[15] as Rec].map((each) => ({ ...each, user: undefined })),
    full,
  )
  expect((await state())['users']).toHaveLength(1)
  await importRecords(tried, company)
  expect(await state()).toEqual(before)
  expect(await ids()).toEqual(idsBefore)
})

test('only kinds that the file has lines of are looked at', async () => {
  await importRecords(tried, company)
  expect(
    told(
      await importRecords(
        tried,
        companyWith('user', 'robot', null).filter(({ kind }) => kind === 'user'),
        full,
      ),
    ),
  ).toEqual(['user +0 ~0 =2 -1'])
  expect((await state())['accounts']).toHaveLength(4)
})

test('a file without apps is only of the apps that it names', async () => {
  await importRecords(tried, company)
  const accounts = company.filter(({ kind, app }) => kind === 'account' && app === 'code').slice(0, 2)
  expect(told(await importRecords(tried, accounts, full))).toEqual(['account +0 ~0 =2 -1'])
  const { accounts: left } = await state()
  expect(left).toMatchObject([{ app: 'code' }, { app: 'code' }, { app: 'pay' }])
})

test('manually created records are kept, and so are grants that were not imported', async () => {
  await importRecords(tried, company)
  const { id } = tried.tenant
  const [ids] = await server.db`
    select a.app_id, e.entitlement_id, c.account_id from apps a
    join entitlements e using (tenant_id, app_id) join accounts c using (tenant_id, app_id)
    where a.tenant_id = ${id} and e.external_id = 'member' and c.external_id = 'ghost'`
  const {
    app_id: appId,
    entitlement_id: entitlementId,
    account_id: accountId,
  } = ids as unknown as Record<string, string>
  const held = { appId, entitlementId, accountId } as { appId: string; entitlementId: string; accountId: string }
  const grants = (['manual', 'rule', 'request'] as const).map((source) => ({
    id: access.world.newId(),
    ...held,
    source,
  }))
  await access.world.db.begin((tx) => insertGrants(tx, operatorCause(tried.tenant, 'test'), grants, new Date()))
  await insert(
    server.db,
    id,
    'apps',
    server.db`(tenant_id, app_id, display_name, created_at, updated_at)
    values (${id}::int, ${access.world.newId()}, 'By hand', now(), now())`,
  )
  await importRecords(tried, company.slice(1), full)
  const after = await state()
  expect(after['grants']).toMatchObject([
    { account: 'bo', source: 'import' },
    { account: 'ghost', source: 'manual' },
    { account: 'ghost', source: 'request' },
    { account: 'ghost', source: 'rule' },
  ])
  expect(after['apps']).toHaveLength(3)
  const [owner] = await server.db`select deleted_at from users where tenant_id = ${id} and email = 'owner@example.com'`
  expect(owner).toEqual({ deleted_at: null })
})

test('the accounts of a user who goes are nobody’s', async () => {
  await importRecords(tried, company)
  const people = company.filter(({ kind }) => kind === 'user').map((each): Rec => ({ ...each, manager: null }))
  await importRecords(
    tried,
    people.filter(({ externalId }) => externalId !== 'ada'),
    full,
  )
  expect((await state())['accounts']).toMatchObject([{ user: null }, { user: 'bo' }, { user: null }, { user: null }])
})

test('a line that hangs on what is absent is refused', async () => {
  await importRecords(tried, company)
  const file = [
    { kind: 'app', externalId: 'pay', displayName: 'Payroll' },
    { kind: 'account', app: 'code', externalId: 'ada-l', displayName: 'A' },
    { kind: 'user', externalId: 'robot', displayName: 'Robot', manager: 'ada' },
  ]
  expect(await refusedLines(importRecords(tried, file, full))).toEqual([
    'line 2: account: app: the app "code" is not in the file, and would be removed',
    'line 3: user: manager: the user "ada" is not in the file, and would be removed',
  ])
})

test('an entitlement that moves to another resource does not go with the one that it had', async () => {
  await importRecords(tried, company)
  const moved = companyWith('entitlement', 'core:write', { resource: 'docs' })
    .filter(({ externalId, kind }) => !(kind === 'resource' && externalId === 'core'))
    .map((each) => (each['externalId'] === 'docs' ? { ...each, parentResource: null } : each))
  await importRecords(tried, moved, full)
  const { entitlements, grants } = await state()
  expect(entitlements).toMatchObject([{ external_id: 'core:write', resource: 'docs' }, {}])
  expect(grants).toHaveLength(2)
})

test('the address of someone who goes is free', async () => {
  const user = { kind: 'user', externalId: 'a', displayName: 'A', email: 'a@x.example' }
  await importRecords(tried, [user])
  expect(told(await importRecords(tried, [{ ...user, externalId: 'b' }], full))).toEqual(['user +1 ~0 =0 -1'])
})

const crowd = (count: number): Rec[] =>
  Array.from({ length: count }, (_, i) => ({ kind: 'user', externalId: `u${i}`, displayName: `User ${i}` }))

test('a full import that would remove more than a fifth of at least 20 is stopped, and can be forced', async () => {
  await importRecords(tried, crowd(25))
  const before = await everythingOf(server.db, tried.tenant)
  for (const dryRun of [false, true]) {
    const { reason, message, status } = await refusalOf(importRecords(tried, crowd(19), { ...full, dryRun }))
    expect([reason, status]).toEqual(['IMPORT_REMOVES_TOO_MUCH', 400])
    expect(message).toContain('6 of 25 users')
  }
  expect(await everythingOf(server.db, tried.tenant)).toBe(before)
  expect(told(await importRecords(tried, crowd(20), full))).toEqual(['user +0 ~0 =20 -5'])
  expect(told(await importRecords(tried, crowd(1), { ...full, force: true }))).toEqual(['user +0 ~0 =1 -19'])
})

test('of fewer than 20, a full import removes what it likes', async () => {
  await importRecords(tried, crowd(19))
  expect(told(await importRecords(tried, crowd(1), full))).toEqual(['user +0 ~0 =1 -18'])
})

test('the breaker also counts what would go along', async () => {
  const app = { kind: 'app', externalId: 'a', displayName: 'A' }
  const accounts = Array.from({ length: 20 }, (_, i) => ({
    kind: 'account',
    app: 'a',
    externalId: `${i}`,
    displayName: 'C',
  }))
  await importRecords(tried, [app, ...accounts])
  const { message } = await refusalOf(importRecords(tried, [{ ...app, externalId: 'b' }], full))
  expect(message).toContain('20 of 20 accounts')
})

test('the circuit breaker counts imported grants, and not manual ones', async () => {
  const app = { kind: 'app', externalId: 'a', displayName: 'A' }
  const entitlement = { kind: 'entitlement', app: 'a', externalId: 'e', displayName: 'E' }
  const accounts = Array.from({ length: 20 }, (_, i) => ({
    kind: 'account',
    app: 'a',
    externalId: `${i}`,
    displayName: 'C',
  }))
  const grants = accounts.map(({ externalId }) => ({ kind: 'grant', app: 'a', entitlement: 'e', account: externalId }))
  await importRecords(tried, [app, entitlement, ...accounts, ...grants])
  const { message } = await refusalOf(importRecords(tried, grants.slice(0, 10), full))
  expect(message).toContain('10 of 20 grants')
  expect(told(await importRecords(tried, grants.slice(0, 16), full))).toEqual(['grant +0 ~0 =16 -4'])
})
