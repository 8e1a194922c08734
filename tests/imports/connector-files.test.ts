import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ResourceType_Trait as Trait } from '../../server/rooms/records/baton/protocol/generated/c1/connector/v2/records_pb.js'
import { onlyLongTest } from '../fixture/long.ts'
import { connectorFile, ownTemporaryFolder, people, type Told } from './connector-file.ts'
import { everythingOf, importRecords, importText, prepare, refusalOf, stateOf, told } from './support.ts'

const setting = prepare()
const sample = (name: string): Buffer => readFileSync(new URL(`samples/${name}.c1z`, import.meta.url))
const stateNow = () => stateOf(setting.server.db, setting.tried.tenant)
const importSample = (name: string) => importText(setting.tried, sample(name), { app: name })

const leftBehind = ownTemporaryFolder()
const importOf = (file: Buffer, options: { full?: boolean; force?: boolean; dryRun?: boolean } = {}) =>
  importText(setting.tried, file, { app: 'dir', ...options })

/** The file is refused, says why, and leaves neither records nor files. */
async function expectRefused(file: Buffer, why: RegExp): Promise<void> {
  const before = await everythingOf(setting.server.db, setting.tried.tenant)
  const { reason, message } = await refusalOf(importOf(file))
  expect(reason).toBe('IMPORT_FILE_REFUSED')
  expect(message).toMatch(why)
  expect(await everythingOf(setting.server.db, setting.tried.tenant)).toBe(before)
  expect(leftBehind()).toEqual([])
}

describe('files of real connectors', () => {
  test('demo 0.2.51: accounts, resources, entitlements and grants of one app; grants to nobody are left out and told', async () => {
    const done = await importSample('demo-0.2.51')
    expect(told(done)).toEqual([
      'app +1 ~0 =0 -0',
      'resource_type +4 ~0 =0 -0',
      'resource +6 ~0 =0 -0',
      'entitlement +10 ~0 =0 -0',
      'account +5 ~0 =0 -0',
      'grant +25 ~0 =0 -0',
    ])
    expect(done.notes).toEqual([
      expect.stringMatching(/^6 grants to groups/),
      expect.stringMatching(/^1 grant skipped/),
    ])
    expect(told(await importSample('demo-0.2.51')).every((line) => /\+0 ~0 =\d+ -0$/.test(line))).toBe(true)
  })
  onlyLongTest('sql 0.2.65 and ldap 0.25.0 come in as well', async () => {
    expect(told(await importSample('sql-0.2.65'))).toContain('grant +3 ~0 =0 -0')
    expect(told(await importSample('ldap-0.25.0-v1'))).toContain('grant +4 ~0 =0 -0')
    const { accounts, grants } = await stateNow()
    expect(accounts).toContainEqual(
      expect.objectContaining({
        app: 'ldap-0.25.0-v1',
        external_id: 'user:uid=ada,ou=users,dc=example,dc=org',
        email: 'ada@example.org',
        username: 'ada',
        status: 'STATUS_ENABLED',
      }),
    )
    expect(grants).toHaveLength(7)
  })
  test('a sync that was not finished is refused, and the Pebble format with the flag that avoids it', async () => {
    await expectRefused(sample('sql-0.2.65-unfinished'), /no complete full sync/)
    await expectRefused(sample('ldap-0.25.0-v3'), /--storage-engine sqlite/)
  })
})

describe('what a file means', () => {
  test('it is the whole record of one app: the same file changes nothing, a full one removes what is gone', async () => {
    await importRecords(setting.tried, [
      { kind: 'app', externalId: 'other', displayName: 'Other' },
      { kind: 'account', app: 'other', externalId: 'x', displayName: 'X' },
      { kind: 'user', externalId: 'ada', displayName: 'Ada Lovelace', email: 'ada@corp.example' },
    ])
    await importOf(connectorFile(people), { full: true })
    const before = await stateNow()
    expect(before['accounts']).toContainEqual(expect.objectContaining({ external_id: 'user:ada', user: 'ada' }))
    expect(before['accounts']).toContainEqual(
      expect.objectContaining({ external_id: 'user:bo', status: 'STATUS_DISABLED' }),
    )
    expect(before['resources']).toContainEqual(expect.objectContaining({ external_id: 'admins', parent: 'staff' }))
    expect(told(await importOf(connectorFile(people), { full: true })).join()).not.toMatch(/[+~-][1-9]/)
    const fewer = {
      ...people,
      grants: [],
      resources: people.resources?.filter(({ id }) => id !== 'bo') ?? [],
    }
    expect(told(await importOf(connectorFile(fewer), { full: true }))).toEqual([
      'resource_type +0 ~0 =2 -0',
      'resource +0 ~0 =2 -0',
      'entitlement +0 ~0 =2 -0',
      'account +0 ~0 =1 -1',
      'grant +0 ~0 =0 -3',
    ])
    const after = await stateNow()
    expect(after['apps']).toHaveLength(2)
    expect(after['accounts']).toContainEqual(expect.objectContaining({ app: 'other', external_id: 'x' }))
  })
  onlyLongTest('a resource that is a user and a role at once is account, resource and holder of grants', async () => {
    await importOf(
      connectorFile({
        types: [{ id: 'role', traits: [Trait.USER, Trait.ROLE, Trait.GROUP] }],
        resources: [
          { type: 'role', id: '1', name: 'app', user: {} },
          { type: 'role', id: '2', name: 'owners', user: {} },
        ],
        entitlements: [{ id: 'entitlement:role:2:member', type: 'role', resource: '2' }],
        grants: [{ entitlement: 'entitlement:role:2:member', principal: ['role', '1'] }],
      }),
    )
    const { accounts, resources, grants } = await stateNow()
    expect([accounts?.length, resources?.length, grants?.length]).toEqual([2, 2, 1])
  })
  onlyLongTest(
    'users with entitlements of their own are resources too, and users of a type that is not of users accounts',
    async () => {
      await importOf(
        connectorFile({
          types: [
            { id: 'user', traits: [Trait.USER] },
            { id: 'bot', traits: [] },
          ],
          resources: [
            { type: 'user', id: '1' },
            { type: 'bot', id: '1', user: { accountType: 2 } },
          ],
          entitlements: [{ id: 'user:1:impersonate', type: 'user', resource: '1' }],
          grants: [{ entitlement: 'user:1:impersonate', principal: ['bot', '1'] }],
        }),
      )
      const { accounts, resources, grants } = await stateNow()
      expect([accounts?.length, resources?.length, grants?.length]).toEqual([2, 2, 1])
      expect(accounts).toContainEqual(
        expect.objectContaining({ external_id: 'bot:1', type: 'APP_USER_TYPE_SERVICE_ACCOUNT' }),
      )
    },
  )
  test('references to records that are not in the file are skipped and listed; duplicates count once', async () => {
    const done = await importOf(
      connectorFile({
        types: people.types ?? [],
        resources: [
          { type: 'user', id: 'ada' },
          { type: 'group', id: 'staff', parent: ['group', 'nowhere'] },
          { type: 'odd', id: '1' },
        ],
        entitlements: [
          { id: 'staff:member', type: 'group', resource: 'staff' },
          { id: 'lost', type: 'group', resource: 'lost' },
        ],
        grants: [
          { entitlement: 'staff:member', principal: ['user', 'ada'] },
          { entitlement: 'staff:member', principal: ['user', 'ada'] },
          { entitlement: 'staff:member', principal: ['user', 'gone'] },
          { entitlement: 'nothing', principal: ['user', 'ada'] },
          { entitlement: 'staff:member', principal: ['user', ''] },
        ],
      }),
      { full: true },
    )
    expect(told(done)).toContain('grant +1 ~0 =0 -0')
    expect(told(done)).toContain('resource_type +3 ~0 =0 -0')
    expect(done.notes).toEqual([
      '3 grants skipped: the account or the entitlement is not in the file.',
      '1 entitlement without a resource: the resource is not in the file.',
      '1 resource without a parent: the parent is not in the file.',
    ])
  })
  test('the group of a grant is shown with it, and removed when the group no longer grants it', async () => {
    const { db } = setting.server
    const { id } = setting.tried.tenant
    const sources = () => db<{ of: string; source: string }[]>`
      select e.external_id as of, v.external_id as source from grant_sources x
      join entitlements e on e.tenant_id = ${id} and e.app_id = x.app_id and e.entitlement_id = x.entitlement_id
      join entitlements v on v.tenant_id = ${id} and v.app_id = x.app_id and v.entitlement_id = x.source_entitlement_id
      where x.tenant_id = ${id} order by 1, 2`
    const done = await importOf(connectorFile(people))
    expect(done.notes).toEqual([
      '1 grant to groups or other resources: shown as the source of the access of their members.',
    ])
    expect([...(await sources())]).toEqual([{ of: 'staff:member', source: 'admins:member' }])
    const direct = {
      ...people,
      grants: people.grants?.map(({ entitlement, principal }) => ({ entitlement, principal })) ?? [],
    }
    await importOf(connectorFile(direct))
    expect([...(await sources())]).toEqual([])
  })
  onlyLongTest('the breaker holds a full import that would remove too much', async () => {
    const many = (count: number): Told => ({
      ...people,
      resources: Array.from({ length: count }, (_, i) => ({ type: 'user', id: `u${i}` })),
      entitlements: [],
      grants: [],
    })
    await importOf(connectorFile(many(30)), { full: true })
    const { reason } = await refusalOf(importOf(connectorFile(many(10)), { full: true }))
    expect(reason).toBe('IMPORT_REMOVES_TOO_MUCH')
    expect(told(await importOf(connectorFile(many(10)), { full: true, force: true }))).toContain(
      'account +0 ~0 =10 -20',
    )
  })
  test('an app is named by its id as well; a built-in one is refused, and so are options of other formats', async () => {
    await importOf(connectorFile(people))
    const [app] = await setting.server.db<{ id: string }[]>`
      select app_id as id from apps where tenant_id = ${setting.tried.tenant.id} and external_id = 'dir'`
    const again = await importText(setting.tried, connectorFile(people), { app: app?.id ?? '' })
    expect(again.appId).toBe(app?.id)
    expect(told(again).join()).not.toMatch(/[+~-][1-9]/)
    const builtIn = importText(setting.tried, connectorFile(people), { app: '0builtinAccessProfilesApp01' })
    expect((await refusalOf(builtIn)).reason).toBe('APP_BUILT_IN')
    expect((await refusalOf(importText(setting.tried, connectorFile(people)))).message).toMatch(/^app: is required/)
    expect((await refusalOf(importText(setting.tried, '{}', { app: 'x' }))).message).toMatch(
      /^app: is for connector files/,
    )
    expect(
      (await refusalOf(importText(setting.tried, connectorFile(people), { app: 'x', kind: 'user' }))).message,
    ).toMatch(/^kind:/)
  })
  onlyLongTest(
    'names that are too long are cut, control characters replaced, and profiles that cannot be kept left out',
    async () => {
      const done = await importOf(
        connectorFile({
          types: people.types ?? [],
          resources: [
            { type: 'user', id: 'a', name: 'n'.repeat(2000), profile: { 'a\0': 'b\0', c: String.raw`\u0000` } },
            { type: 'user', id: 'b', name: 'b\0b', profile: { long: 'x'.repeat(70_000) } },
            { type: 'user', id: 'c', name: '' },
          ],
        }),
      )
      expect(done.notes).toEqual([
        '1 object larger than 64 KiB: the connector cannot grant or revoke it.',
        '1 profile skipped: larger than 64 KiB.',
      ])
      const { accounts } = await stateNow()
      expect(accounts).toEqual([
        expect.objectContaining({ display_name: 'n'.repeat(500), profile: { a: 'b', c: String.raw`\u0000` } }),
        expect.objectContaining({ display_name: 'b b', profile: {} }),
        expect.objectContaining({ display_name: 'c', profile: {} }),
      ])
    },
  )
  onlyLongTest('the newest full sync that was finished counts, of all that are in the file', async () => {
    const newer = '3M8uGSH3zysWR9KSAJSjHlEu1jG'
    await importOf(
      connectorFile(people, {
        extra: `insert into v1_sync_runs (sync_id, started_at, ended_at, sync_token, sync_type)
          values ('${newer}', '', '2026', '', 'partial');
          insert into v1_resources select null, resource_type_id, 'user:other', null, null, data, '${newer}', ''
          from v1_resources where external_id = 'user:ada'`,
      }),
    )
    expect((await stateNow())['accounts']).toHaveLength(2)
  })
})
