import { describe, expect, test } from 'vitest'
import { fewOrMany } from '../fixture/long.ts'
import { groupUrn, newName, prepare, refusal, type Scim } from './support.ts'

const scene = prepare()

const membersOf = async (scim: Scim, id: string): Promise<string[]> =>
  ((await scim.get(`/Groups/${id}`)).json.members ?? []).map(({ value }) => value)

async function makeGroup(scim: Scim, displayName: string, members: readonly string[] = []): Promise<string> {
  const reply = await scim.post('/Groups', {
    schemas: [groupUrn],
    displayName,
    members: members.map((value) => ({ value })),
  })
  expect(reply.status, reply.text).toBe(201)
  return reply.json.id
}

describe('a group', () => {
  test('is created with members, read, renamed, replaced and deleted', async () => {
    const scim = await scene.makeDirectory()
    const ann = await scim.makeUser(newName(), { displayName: 'Ann' })
    const bob = await scim.makeUser(newName(), { displayName: 'Bob' })
    const id = await makeGroup(scim, 'Tour Guides', [ann.id])
    const read = await scim.get(`/Groups/${id}`)
    expect(read.json).toMatchObject({
      schemas: [groupUrn],
      displayName: 'Tour Guides',
      members: [{ value: ann.id, type: 'User', $ref: `${scene.server.url}${scim.base}/Users/${ann.id}` }],
      meta: { resourceType: 'Group', version: 'W/"1"' },
    })
    expect((await scim.get(`/Users/${ann.id}`)).json.groups).toEqual([
      { value: id, display: 'Tour Guides', type: 'direct', $ref: `${scene.server.url}${scim.base}/Groups/${id}` },
    ])
    const put = await scim.put(`/Groups/${id}`, {
      displayName: 'Guides',
      externalId: 'g1',
      members: [{ value: bob.id }],
    })
    expect(put.json).toMatchObject({ displayName: 'Guides', externalId: 'g1', members: [{ value: bob.id }] })
    expect(put.json.members).toHaveLength(1)
    // A PUT without members empties the group.
    expect((await scim.put(`/Groups/${id}`, { displayName: 'Guides' })).json).not.toHaveProperty('members')
    expect((await scim.remove(`/Groups/${id}`)).status).toBe(204)
    expect(refusal(await scim.get(`/Groups/${id}`))).toBe('404')
    expect((await scim.get(`/Users/${bob.id}`)).json).not.toHaveProperty('groups')
  })

  test('is an entitlement of the app, and membership is a grant that rules and people see', async () => {
    const scim = await scene.makeDirectory()
    const ann = await scim.makeUser(newName(), { displayName: 'Ann' })
    const id = await makeGroup(scim, 'Admins', [ann.id])
    const seen = await scene.api(`/api/v1/apps/${scim.appId}/entitlements/${id}`)
    expect(seen.json['appEntitlementView']).toMatchObject({
      appEntitlement: { displayName: 'Admins', grantCount: '1' },
    })
    await scim.patch(`/Groups/${id}`, { op: 'replace', path: 'displayName', value: 'Root' })
    const renamed = await scene.api(`/api/v1/apps/${scim.appId}/entitlements/${id}`)
    expect(renamed.json['appEntitlementView']).toMatchObject({ appEntitlement: { displayName: 'Root' } })
    // What someone holds by other ways is no membership, and a removal of the member leaves it alone.
    await scene.server.db`
      insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_at, began_at)
      select tenant_id, app_id, entitlement_id, account_id, ${scene.access.world.newId()}, 'manual', now(), now()
      from grants where entitlement_id = ${id}`
    await scim.patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${ann.id}"]` })
    expect(await membersOf(scim, id)).toEqual([])
    const [open] = await scene.server.db`
      select count(*) filter (where ended_at is null and source = 'manual') as held from grants where entitlement_id = ${id}`
    expect(open?.['held']).toBe(1)
    // Deleted by hand, it is not there for the directory either, which may create it again.
    const gone = await makeGroup(scim, 'Gone')
    expect((await scene.api(`/api/v1/apps/${scim.appId}/entitlements/${gone}`, { method: 'DELETE' })).status).toBe(200)
    expect(refusal(await scim.get(`/Groups/${gone}`))).toBe('404')
    expect(refusal(await scim.patch(`/Groups/${gone}`, { op: 'add', path: 'members', value: [] }))).toBe('404')
    expect((await scim.get('/Groups?filter=displayName%20eq%20%22gone%22')).json.totalResults).toBe(0)
    // The account goes, and with it everything that it held.
    await scim.remove(`/Users/${ann.id}`)
    const [left] = await scene.server
      .db`select count(*) as open from grants where entitlement_id = ${id} and ended_at is null`
    expect(left?.['open']).toBe(0)
  })

  test('is patched: members are added, removed and replaced, with 204 and no list of members', async () => {
    const scim = await scene.makeDirectory()
    const [a, b, c] = (await Promise.all([1, 2, 3].map(() => scim.makeUser(newName())))).map(({ id }) => id) as [
      string,
      string,
      string,
    ]
    const id = await makeGroup(scim, 'G', [a])
    const path = `/Groups/${id}`
    const added = await scim.patch(path, { op: 'add', path: 'members', value: [{ value: b }, { value: a }] })
    expect([added.status, added.headers['etag']]).toEqual([204, 'W/"2"'])
    expect((await membersOf(scim, id)).toSorted()).toEqual([a, b].toSorted())
    // Who is a member already makes no change, and so no version.
    expect((await scim.patch(path, { op: 'add', path: 'members', value: [{ value: b }] })).headers['etag']).toBe(
      'W/"2"',
    )
    await scim.patch(path, { op: 'remove', path: `members[value eq "${a}"]` })
    await scim.patch(path, { op: 'add', value: { members: [{ value: c }] } })
    expect((await membersOf(scim, id)).toSorted()).toEqual([b, c].toSorted())
    await scim.patch(path, { op: 'remove', path: `members[value eq "${b}" or value eq "${c}"]` })
    expect(await membersOf(scim, id)).toEqual([])
    await scim.patch(path, { op: 'replace', path: 'members', value: [{ value: a }, { value: b }] })
    await scim.patch(path, { op: 'remove', path: 'members', value: [{ value: a }] })
    expect(await membersOf(scim, id)).toEqual([b])
    // Several operations in one: the last word on each member counts.
    await scim.patch(
      path,
      { op: 'add', path: 'members', value: [{ value: a }] },
      { op: 'remove', path: `members[value eq "${a}"]` },
      { op: 'remove', path: `members[value eq "${b}"]` },
      { op: 'add', path: 'members', value: [{ value: c }, { value: b }] },
    )
    expect((await membersOf(scim, id)).toSorted()).toEqual([b, c].toSorted())
    await scim.patch(path, { op: 'remove', path: 'members' })
    expect(await membersOf(scim, id)).toEqual([])
    const asked = await scim.ask(`${path}?attributes=displayName`, {
      method: 'PATCH',
      body: { Operations: [{ op: 'replace', path: 'displayName', value: 'H' }] },
    })
    expect([asked.status, asked.json.displayName]).toEqual([200, 'H'])
  })

  test('refuses members that are not users of the directory, and changes nothing', async () => {
    const scim = await scene.makeDirectory()
    const other = await scene.makeDirectory()
    const ours = await scim.makeUser(newName())
    const theirs = await other.makeUser(newName())
    const inner = await makeGroup(scim, 'Inner')
    const id = await makeGroup(scim, 'G', [ours.id])
    for (const value of [theirs.id, inner, 'nobody', ''])
      expect(
        refusal(await scim.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value }] })),
        value,
      ).toBe('400 invalidValue')
    expect(refusal(await scim.post('/Groups', { displayName: 'X', members: [{ value: theirs.id }] }))).toBe(
      '400 invalidValue',
    )
    const nested = { op: 'add', path: 'members', value: [{ value: inner, type: 'Group' }] }
    expect(refusal(await scim.patch(`/Groups/${id}`, nested))).toBe('400 invalidValue')
    expect(refusal(await scim.patch(`/Groups/${id}`, { op: 'remove', path: 'members[display eq "x"]' }))).toBe(
      '400 invalidPath',
    )
    expect(refusal(await scim.patch(`/Groups/${id}`, { op: 'remove', path: 'displayName' }))).toBe('400 invalidValue')
    expect(refusal(await scim.post('/Groups', {}))).toBe('400 invalidValue')
    expect(await membersOf(scim, id)).toEqual([ours.id])
    expect((await scim.get('/Groups')).json.totalResults).toBe(2)
    // Another directory's groups and users are not there.
    expect(refusal(await other.get(`/Groups/${id}`))).toBe('404')
    expect(refusal(await other.patch(`/Groups/${id}`, { op: 'replace', path: 'displayName', value: 'x' }))).toBe('404')
    expect(refusal(await scim.get(`/Users/${theirs.id}`))).toBe('404')
  })

  test('is found by name, external id and member, without its members where that is said', async () => {
    const scim = await scene.makeDirectory()
    const ann = await scim.makeUser(newName())
    const id = await makeGroup(scim, 'Tour Guides', [ann.id])
    await makeGroup(scim, 'Others')
    const find = async (filter: string, rest = '') =>
      (await scim.get(`/Groups?filter=${encodeURIComponent(filter)}${rest}`)).json
    expect((await find('displayName eq "tour guides"', '&excludedAttributes=members')).Resources).toEqual([
      expect.not.objectContaining({ members: expect.anything() as unknown }),
    ])
    // As Entra asks whether someone is a member.
    expect((await find(`id eq "${id}" and members eq "${ann.id}"`, '&attributes=id')).Resources).toEqual([
      { schemas: [groupUrn], id },
    ])
    expect((await find(`members.value eq "${ann.id}"`)).totalResults).toBe(1)
    expect((await find(`members[value eq "${ann.id}"]`)).totalResults).toBe(1)
    expect((await find('members pr')).totalResults).toBe(1)
    expect((await find(`id eq "${id}" and members eq "nobody"`)).totalResults).toBe(0)
    const groups = (await scim.get('/Groups?sortBy=displayName&sortOrder=descending')).json.Resources
    expect(groups.map(({ displayName }) => displayName)).toEqual(['Tour Guides', 'Others'])
    const ofGroup = await scim.get(`/Users?filter=${encodeURIComponent(`groups.value eq "${id}"`)}`)
    expect(ofGroup.json.totalResults).toBe(1)
  })
})

describe('at once and in numbers', () => {
  test('members that are added and removed at the same time all arrive', async () => {
    const scim = await scene.makeDirectory()
    const ids = (await Promise.all(Array.from({ length: 12 }, () => scim.makeUser(newName())))).map(({ id }) => id)
    const id = await makeGroup(scim, 'G', ids.slice(0, 4))
    const replies = await Promise.all([
      ...ids.slice(4).map((value) => scim.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value }] })),
      ...ids
        .slice(0, 4)
        .map((value) => scim.patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${value}"]` })),
    ])
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 204))
    expect((await membersOf(scim, id)).toSorted()).toEqual(ids.slice(4).toSorted())
    expect((await scim.get(`/Groups/${id}`)).json.meta.version).toBe('W/"13"')
  })

  // How many rows that reads is shown in large.test.ts.
  test('a group of many members takes another one and loses it again', async () => {
    const scim = await scene.makeDirectory()
    const count = fewOrMany(500, 100_000)
    const { db } = scene.server
    const tenantId = scene.access.tenant.id
    const first = await scim.makeUser(newName())
    // Copies of one user by hand: what is measured is the group.
    await db`
      insert into accounts (tenant_id, app_id, account_id, user_id, display_name, created_at, updated_at)
      select tenant_id, app_id, 'm' || lpad(n::text, 26, '0'), user_id, 'M', created_at, updated_at
      from accounts, generate_series(1, ${count}) n where account_id = ${first.id}`
    await db`
      insert into directory_users (tenant_id, app_id, account_id, user_id, user_name, is_active, resource, version, is_source,
        created_at, updated_at)
      select tenant_id, app_id, 'm' || lpad(n::text, 26, '0'), user_id, 'm' || n, true, resource, 1, false, created_at, updated_at
      from directory_users, generate_series(1, ${count}) n where account_id = ${first.id}`
    // As PostgreSQL does by itself within a minute.
    await db`analyze accounts, directory_users`
    const id = await makeGroup(scim, 'All')
    const idOf = (n: number): string => `m${String(n).padStart(26, '0')}`
    const perRequest = 5_000
    for (let from = 1; from <= count; from += perRequest) {
      const value = Array.from({ length: Math.min(perRequest, count - from + 1) }, (_, i) => ({
        value: idOf(from + i),
      }))
      const reply = await scim.patch(`/Groups/${id}`, { op: 'add', path: 'members', value })
      expect(reply.status, reply.text.slice(0, 200)).toBe(204)
    }
    const [row] =
      await db`select count(*) as open from grants where tenant_id = ${tenantId} and entitlement_id = ${id} and ended_at is null`
    expect(row?.['open']).toBe(count)
    expect(
      (await scim.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: first.id }] })).status,
    ).toBe(204)
    expect((await scim.patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${first.id}"]` })).status).toBe(
      204,
    )
    expect(await membersOf(scim, id)).toHaveLength(count)
    // All at once is more than a request may hold.
    const all = Array.from({ length: 100_000 }, (_, i) => ({ value: idOf(i) }))
    expect(refusal(await scim.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: all }))).toBe('413')
    expect(
      refusal(await scim.ask('/Users', { method: 'POST', body: `{"userName":"${'x'.repeat(10_000_000)}"}` })),
    ).toBe('413')
  })
})
