import { describe, expect, test } from 'vitest'
import type { Json } from '../fixture/access.ts'
import {
  enterpriseUrn,
  groupUrn,
  newName,
  patchUrn,
  prepare,
  refusal,
  type Scim,
  userIdOf,
  userUrn,
} from './support.ts'

/** Whole cycles of provisioning, as the products send them: one after the other, with what came of it in the record. */

const scene = prepare()
const find = async (scim: Scim, what: 'Users' | 'Groups', filter: string, more = '') =>
  (await scim.get(`/${what}?filter=${encodeURIComponent(filter)}${more}`)).json
const membersOf = async (scim: Scim, id: string): Promise<string[]> =>
  ((await scim.get(`/Groups/${id}`)).json.members ?? []).map(({ value }) => value).toSorted()
const personOf = async (scim: Scim, id: string): Promise<Json> => scene.user(await userIdOf(scene, scim, id))
const sorted = (...ids: string[]): string[] => ids.toSorted()

describe('Okta', () => {
  test('assigns, updates, unassigns and reassigns someone, and pushes a group in every way it knows', async () => {
    const scim = await scene.makeDirectory()
    const userName = `${newName()}@okta.example`
    const profile = (rest: Json): Json => ({
      schemas: [userUrn, enterpriseUrn],
      userName,
      name: { givenName: 'Ann', familyName: 'Bell' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      displayName: 'Ann Bell',
      locale: 'en-US',
      externalId: `00u${userName}`,
      groups: [],
      password: 'Xy12!zzzz',
      active: true,
      ...rest,
    })
    expect(await find(scim, 'Users', `userName eq "${userName}"`, '&startIndex=1&count=100')).toMatchObject({
      totalResults: 0,
      Resources: [],
    })
    const { id } = (await scim.post('/Users', profile({}))).json
    // The whole user with each change, as it was read and changed.
    const read = (await scim.get(`/Users/${id}`)).json
    const put = await scim.put(`/Users/${id}`, {
      ...read,
      ...profile({ id, title: 'Engineer', [enterpriseUrn]: { department: 'R&D', manager: { value: '' } } }),
    })
    expect(put.status, put.text).toBe(200)
    expect(await personOf(scim, id)).toMatchObject({ jobTitle: 'Engineer', department: 'R&D', status: 'ENABLED' })
    const off = await scim.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
    expect([off.status, off.json.active]).toEqual([200, false])
    expect(await personOf(scim, id)).toMatchObject({ status: 'DISABLED' })
    // Reassigned: it is found, replaced whole and active again.
    expect(await find(scim, 'Users', `userName eq "${userName}"`)).toMatchObject({ totalResults: 1 })
    await scim.put(`/Users/${id}`, profile({ id }))
    expect(await personOf(scim, id)).toMatchObject({ status: 'ENABLED', jobTitle: '' })

    const bob = (await scim.makeUser(newName())).id
    const group = (await scim.post('/Groups', { schemas: [groupUrn], displayName: 'Eng', members: [{ value: id }] }))
      .json
    const at = `/Groups/${group.id}`
    await scim.patch(at, { op: 'add', path: 'members', value: [{ value: bob, display: 'bob' }] })
    expect(await membersOf(scim, group.id)).toEqual(sorted(id, bob))
    await scim.patch(at, { op: 'remove', path: `members[value eq "${id}"]` })
    expect(await membersOf(scim, group.id)).toEqual([bob])
    await scim.patch(
      at,
      { op: 'replace', path: 'members', value: [{ value: id }] },
      { op: 'replace', value: { id: group.id, displayName: 'Engineering' } },
    )
    expect(await membersOf(scim, group.id)).toEqual([id])
    await scim.put(at, {
      schemas: [groupUrn],
      id: group.id,
      displayName: 'Engineering',
      members: [{ value: bob }, { value: id }],
    })
    expect(await membersOf(scim, group.id)).toEqual(sorted(id, bob))
    // "Push now" of an empty group.
    expect((await scim.patch(at, { op: 'replace', path: 'members', value: [] })).status).toBe(204)
    expect(await membersOf(scim, group.id)).toEqual([])
    expect((await scim.remove(at)).status).toBe(204)
    expect(refusal(await scim.get(at))).toBe('404')
  })
})

describe('Entra', () => {
  const probe = '5f1a8c9e-8f0b-4c0e-9e1e-3d1f0f9b7a11'

  test('tests the connection, then joins, moves, disables, restores and deletes someone', async () => {
    const scim = await scene.makeDirectory({ displayName: 'Entra' })
    const empty = await find(scim, 'Users', `userName eq "${probe}"`)
    expect(empty).toMatchObject({ totalResults: 0, itemsPerPage: 0, startIndex: 1, Resources: [] })
    const name = newName()
    const userName = `${name}@entra.example`
    expect((await find(scim, 'Users', `externalId eq "${name}"`)).totalResults).toBe(0)
    const { id } = (
      await scim.post('/Users', {
        schemas: [userUrn, enterpriseUrn],
        externalId: name,
        userName,
        active: true,
        displayName: 'Joy',
        emails: [{ primary: true, type: 'work', value: userName }],
        meta: { resourceType: 'User' },
        name: { formatted: 'Joy Ng', familyName: 'Ng', givenName: 'Joy' },
        preferredLanguage: null,
        roles: [],
      })
    ).json
    const boss = await scim.makeUser(newName())
    const other = await scim.makeUser(newName())
    const moved = await scim.patch(
      `/Users/${id}`,
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+49 30 1' },
      { op: 'Add', path: 'emails[type eq "other"].value', value: `${name}@other.example` },
      { op: 'Replace', path: 'title', value: 'Lead' },
      { op: 'Add', path: `${enterpriseUrn}:department`, value: 'Sales' },
      { op: 'Replace', path: `${enterpriseUrn}.costCenter`, value: 4130 },
      { op: 'Add', path: `${enterpriseUrn}:manager`, value: [{ $ref: `../Users/${boss.id}`, value: boss.id }] },
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'Reader' },
    )
    expect(moved.status, moved.text).toBe(200)
    expect(await personOf(scim, id)).toMatchObject({
      jobTitle: 'Lead',
      department: 'Sales',
      emails: [userName, `${name}@other.example`],
      managerIds: [await userIdOf(scene, scim, boss.id)],
      profile: { costCenter: '4130', phoneNumber: '+49 30 1' },
    })
    // Whether a reference is set already.
    const asked = (manager: string) =>
      find(scim, 'Users', `id eq "${id}" and ${enterpriseUrn}:manager eq "${manager}"`, '&attributes=id')
    expect([(await asked(boss.id)).totalResults, (await asked(other.id)).totalResults]).toEqual([1, 0])
    const replaced = await scim.patch(`/Users/${id}`, {
      op: 'Replace',
      path: `${enterpriseUrn}:manager`,
      value: other.id,
    })
    // What pointed to the manager of before is not left beside the new one.
    expect((replaced.json[enterpriseUrn] as Json)['manager']).toEqual({ value: other.id })
    expect((await personOf(scim, id))['managerIds']).toEqual([await userIdOf(scene, scim, other.id)])
    // Disabled there, then restored, then disabled and deleted for good.
    for (const [active, status] of [
      ['False', 'DISABLED'],
      ['True', 'ENABLED'],
      ['False', 'DISABLED'],
    ] as const) {
      await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: active })
      expect(await personOf(scim, id)).toMatchObject({ status })
    }
    const userId = await userIdOf(scene, scim, id)
    expect((await scim.remove(`/Users/${id}`)).status).toBe(204)
    expect(refusal(await scim.get(`/Users/${id}`))).toBe('404')
    expect(refusal(await scim.remove(`/Users/${id}`))).toBe('404')
    // The same person comes back under a new id.
    const again = await scim.makeUser(userName, { externalId: name, emails: [{ value: userName, type: 'work' }] })
    expect(await userIdOf(scene, scim, again.id)).toBe(userId)
    expect(await scene.user(userId)).toMatchObject({ status: 'ENABLED' })
  })

  test('sends everything without a path, with ?aadOptscim062020', async () => {
    const scim = await scene.makeDirectory({ displayName: 'Entra' })
    const ann = await scim.makeUser(newName(), { emails: [{ type: 'work', value: `${newName()}@x.example` }] })
    const body = (...Operations: Json[]) => ({ method: 'PATCH', body: { schemas: [patchUrn], Operations } })
    const changed = await scim.ask(
      `/Users/${ann.id}?aadOptscim062020`,
      body(
        {
          op: 'add',
          value: {
            displayName: 'Ann',
            'name.givenName': 'A',
            [enterpriseUrn]: { department: 'IT', organization: 'X' },
          },
        },
        { op: 'replace', value: { 'emails[type eq "work"].value': 'ann@x.example', active: 'True' } },
      ),
    )
    expect(changed.json).toMatchObject({
      displayName: 'Ann',
      name: { givenName: 'A' },
      emails: [{ type: 'work', value: 'ann@x.example' }],
      [enterpriseUrn]: { department: 'IT', organization: 'X' },
    })
    const group = (await scim.post('/Groups', { schemas: [groupUrn], externalId: probe, displayName: 'G' })).json
    const at = `/Groups/${group.id}?aadOptscim062020`
    await scim.ask(at, body({ op: 'add', value: { members: [{ value: ann.id }] } }))
    const asked = await find(scim, 'Groups', `id eq "${group.id}" and members eq "${ann.id}"`, '&attributes=id')
    expect(asked.totalResults).toBe(1)
    await scim.ask(
      at,
      body(
        { op: 'replace', value: { displayName: 'G2' } },
        { op: 'remove', path: `members[value eq "${ann.id}" and type eq "User"]` },
      ),
    )
    expect([(await scim.get(`/Groups/${group.id}`)).json.displayName, await membersOf(scim, group.id)]).toEqual([
      'G2',
      [],
    ])
  })
})

test('others test the connection with a user and a group of their own, as JumpCloud does, and leave nothing behind', async () => {
  const scim = await scene.makeDirectory()
  const userName = `${newName()}@idp.example`
  // Bases with a slash at their end, and operators in any case.
  expect((await scim.get('//Users?count=1')).status).toBe(200)
  expect((await scim.get(`/Users/?filter=${encodeURIComponent(`userName Eq "${userName}"`)}`)).json.totalResults).toBe(
    0,
  )
  const made = await scim.makeUser(userName, { name: { givenName: 'Test', familyName: 'User' }, active: true })
  const renamed = await scim.put(`/Users/${made.id}`, { ...made, name: { givenName: 'Test2', familyName: 'User' } })
  expect(renamed.json).toMatchObject({ id: made.id, name: { givenName: 'Test2' } })
  const group = (await scim.post('/Groups', { schemas: [groupUrn], displayName: 'Test' })).json
  const member = [{ value: made.id, type: 'User', $ref: `${scim.base}/Users/${made.id}` }]
  await scim.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: member })
  await scim.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: member })
  expect(await membersOf(scim, group.id)).toEqual([made.id])
  await scim.patch(`/Groups/${group.id}`, { op: 'remove', path: 'members', value: member })
  expect(await membersOf(scim, group.id)).toEqual([])
  expect((await scim.patch(`/Users/${made.id}`, { op: 'replace', path: 'active', value: false })).json.active).toBe(
    false,
  )
  expect((await scim.remove(`/Users/${made.id}`)).status).toBe(204)
  expect((await scim.remove(`/Groups/${group.id}`)).status).toBe(204)
  expect([(await scim.get('/Users')).json.totalResults, (await scim.get('/Groups')).json.totalResults]).toEqual([0, 0])
})

describe('by the clause', () => {
  test('a removed attribute "SHALL be considered unassigned" (RFC 7644 section 3.5.2.2): `active` too, and nobody is enabled by it', async () => {
    const scim = await scene.makeDirectory()
    const { id } = await scim.makeUser(newName(), { active: false })
    const removed = await scim.patch(`/Users/${id}`, { op: 'remove', path: 'active' })
    expect(removed.json).not.toHaveProperty('active')
    expect((await scim.get(`/Users/${id}`)).json).not.toHaveProperty('active')
    expect(await personOf(scim, id)).toMatchObject({ status: 'DISABLED' })
    expect((await scim.patch(`/Users/${id}`, { op: 'add', path: 'active', value: true })).json.active).toBe(true)
    expect(await personOf(scim, id)).toMatchObject({ status: 'ENABLED' })
  })

  test('"totalResults" is "the total number of results" (RFC 7644 section 3.4.2), also on a page that follows another one', async () => {
    const scim = await scene.makeDirectory()
    for (const what of ['Users', 'Groups'] as const) {
      const make = () => scim.post(`/${what}`, { userName: newName(), displayName: newName() })
      await make()
      await make()
      expect((await scim.get(`/${what}?startIndex=1&count=2`)).json.totalResults).toBe(2)
      const { id } = (await make()).json
      const next = (await scim.get(`/${what}?startIndex=3&count=2`)).json
      expect(next).toMatchObject({ totalResults: 3, Resources: [{ id }] })
    }
  })

  test('an attribute "returned" by "request" (RFC 7643 section 7) is there only if it is named: the name of a member', async () => {
    const scim = await scene.makeDirectory()
    const ann = await scim.makeUser(newName(), { displayName: 'Ann' })
    const group = (await scim.post('/Groups', { displayName: 'G', members: [{ value: ann.id }] })).json
    const value = { value: ann.id, type: 'User', $ref: expect.stringMatching(ann.id) as string }
    expect(group.members).toEqual([value])
    expect((await scim.get(`/Groups/${group.id}?attributes=members`)).json.members).toEqual([value])
    const named = await scim.get(`/Groups/${group.id}?attributes=members.value,members.display`)
    expect(named.json.members).toEqual([{ value: ann.id, display: 'Ann' }])
  })
})
