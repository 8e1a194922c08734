import { describe, expect, test } from 'vitest'
import { enterpriseUrn, groupUrn, newName, patchUrn, prepare, refusal, userIdOf, userUrn } from './support.ts'

/** Requests as Okta and Microsoft Entra ID document and send them. */

const scene = prepare()
const query = (filter: string): string => encodeURIComponent(filter)

describe('Okta', () => {
  test('looks for a user, creates them, replaces them whole, and deactivates them by active: false', async () => {
    const scim = await scene.makeDirectory()
    const name = `${newName()}@okta.example`
    const none = await scim.get(`/Users?filter=${query(`userName eq "${name}"`)}&startIndex=1&count=100`)
    expect(none.json).toMatchObject({ totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] })
    const user = {
      schemas: [userUrn],
      userName: name,
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: name, type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    }
    const created = await scim.post('/Users', user)
    expect(created.status).toBe(201)
    const { id } = created.json
    expect(refusal(await scim.post('/Users', user))).toBe('409 uniqueness')
    const found = await scim.get(`/Users?filter=${query(`userName eq "${name}"`)}`)
    expect(found.json).toMatchObject({ totalResults: 1, Resources: [{ id, userName: name }] })
    const put = await scim.put(`/Users/${id}`, { ...created.json, name: { givenName: 'Another', familyName: 'User' } })
    expect(put.json).toMatchObject({ id, name: { givenName: 'Another' }, active: true })
    const off = await scim.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
    expect([off.status, off.json.active]).toEqual([200, false])
    const on = await scim.put(`/Users/${id}`, { ...created.json, active: true })
    expect(on.json.active).toBe(true)
    expect(refusal(await scim.get('/Users/23a35c27-23d3-4c03-b4c5-6443c09e7173'))).toBe('404')
  })

  test('pushes groups: by members, by whole groups, and by a path-less replace with an id', async () => {
    const scim = await scene.makeDirectory()
    const ann = await scim.makeUser(newName())
    const bob = await scim.makeUser(newName())
    const created = await scim.post('/Groups', { schemas: [groupUrn], displayName: 'Test SCIMv2', members: [] })
    expect(created.status).toBe(201)
    const { id } = created.json
    const renamed = await scim.patch(`/Groups/${id}`, {
      op: 'replace',
      value: { id, displayName: 'Test SCIMv2 renamed' },
    })
    expect(renamed.status).toBe(204)
    await scim.patch(
      `/Groups/${id}`,
      { op: 'remove', path: `members[value eq "${bob.id}"]` },
      { op: 'add', path: 'members', value: [{ value: ann.id, display: 'ann@okta.example' }] },
    )
    const put = await scim.put(`/Groups/${id}`, {
      schemas: [groupUrn],
      id,
      displayName: 'Test SCIMv2 renamed',
      members: [{ value: bob.id, display: 'bob@okta.example' }],
    })
    expect(put.json).toMatchObject({ displayName: 'Test SCIMv2 renamed', members: [{ value: bob.id }] })
    const list = await scim.get('/Groups?startIndex=1&count=100')
    expect(list.json).toMatchObject({ totalResults: 1, Resources: [{ id }] })
    expect((await scim.remove(`/Groups/${id}`)).status).toBe(204)
  })
})

describe('Entra', () => {
  test('creates a user, then patches with capital letters, string booleans, filtered paths and dotted names', async () => {
    const scim = await scene.makeDirectory({ displayName: 'Entra' })
    const name = newName()
    const created = await scim.ask('/Users?aadOptscim062020', {
      method: 'POST',
      headers: { 'content-type': 'application/scim+json; charset=utf-8' },
      body: {
        schemas: [userUrn, enterpriseUrn],
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        userName: name,
        active: 'True',
        emails: [{ primary: true, type: 'work', value: `${name}@testuser.com` }],
        meta: { resourceType: 'User' },
        name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
        roles: [],
      },
    })
    expect(created.status, created.text).toBe(201)
    const { id } = created.json
    expect(created.json.active).toBe(true)
    const patched = await scim.patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: `${name}.new@testuser.com` },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 425 555 0100' },
      { op: 'Replace', path: 'addresses[type eq "work"].locality', value: 'Redmond' },
      { op: 'Add', path: `${enterpriseUrn}:department`, value: 'R&D' },
      { op: 'Add', path: `${enterpriseUrn}:manager`, value: (await scim.makeUser(newName())).id },
    )
    expect(patched.status, patched.text).toBe(200)
    expect(patched.json).toMatchObject({
      emails: [{ primary: true, type: 'work', value: `${name}.new@testuser.com` }],
      name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
      phoneNumbers: [{ type: 'mobile', value: '+1 425 555 0100' }],
      addresses: [{ type: 'work', locality: 'Redmond' }],
      [enterpriseUrn]: { department: 'R&D', manager: { value: expect.any(String) as string } },
    })
    const dotted = await scim.patch(`/Users/${id}`, {
      op: 'Replace',
      value: {
        displayName: 'Bjfe',
        'name.givenName': 'New',
        'emails[type eq "work"].primary': 'True',
        [`${enterpriseUrn}:department`]: 'Sales',
        unknownAttribute: 'ignored',
      },
    })
    expect(dotted.json).toMatchObject({
      displayName: 'Bjfe',
      name: { givenName: 'New' },
      [enterpriseUrn]: { department: 'Sales' },
    })
    const userId = await userIdOf(scene, scim, id)
    expect(await scene.user(userId)).toMatchObject({ department: 'Sales', email: `${name}.new@testuser.com` })
    const off = await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })
    expect([off.status, off.json.active]).toEqual([200, false])
    expect(await scene.user(userId)).toMatchObject({ status: 'DISABLED' })
    const removed = await scim.patch(`/Users/${id}`, { op: 'Remove', path: `${enterpriseUrn}:manager` })
    expect(removed.json[enterpriseUrn]).toEqual({ department: 'Sales' })
  })

  test('asks for groups without members, adds and removes members one by one, and asks who is in', async () => {
    const scim = await scene.makeDirectory({ displayName: 'Entra' })
    const ann = await scim.makeUser(newName())
    const bob = await scim.makeUser(newName())
    expect(
      (await scim.get(`/Groups?excludedAttributes=members&filter=${query('displayName eq "BobIsAmazing"')}`)).json
        .totalResults,
    ).toBe(0)
    const created = await scim.post('/Groups', {
      schemas: [groupUrn, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    })
    expect(created.status).toBe(201)
    const { id } = created.json
    const path = `/Groups/${id}`
    expect((await scim.patch(path, { op: 'Replace', path: 'displayName', value: '1879db59' })).status).toBe(204)
    const add = { op: 'Add', path: 'members', value: [{ $ref: null, value: ann.id }] }
    expect((await scim.patch(path, add)).status).toBe(204)
    await scim.patch(path, { op: 'Add', path: 'members', value: [{ value: bob.id }] })
    const isMember = async (member: string) =>
      (await scim.get(`/Groups?filter=${query(`id eq "${id}" and members eq "${member}"`)}&attributes=id`)).json
        .totalResults
    expect([await isMember(ann.id), await isMember('nobody')]).toEqual([1, 0])
    expect(
      (await scim.patch(path, { op: 'Remove', path: 'members', value: [{ $ref: null, value: ann.id }] })).status,
    ).toBe(204)
    expect((await scim.patch(path, { op: 'Remove', path: `members[value eq "${bob.id}"]` })).status).toBe(204)
    expect([await isMember(ann.id), await isMember(bob.id)]).toEqual([0, 0])
    expect((await scim.get(`${path}?excludedAttributes=members`)).json.displayName).toBe('1879db59')
  })

  test('both media types are taken, and a body of PATCH in any case', async () => {
    const scim = await scene.makeDirectory()
    const { id } = await scim.makeUser(newName())
    const reply = await scim.ask(`/Users/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: { Schemas: [patchUrn], operations: [{ OP: 'REPLACE', Path: 'title', Value: 'x' }] },
    })
    expect([reply.status, reply.json.title]).toEqual([200, 'x'])
  })
})

test.each([
  [{}, '400 invalidSyntax'],
  [{ Operations: [] }, '400 invalidSyntax'],
  // RFC 7644 section 3.5.2: "The body of each request MUST contain the "schemas" attribute with the URI value of …PatchOp".
  [{ schemas: [userUrn], Operations: [{ op: 'add', path: 'title', value: 'x' }] }, '400 invalidSyntax'],
  [{ schemas: [`${patchUrn}1`], Operations: [{ op: 'add', path: 'title', value: 'x' }] }, '400 invalidSyntax'],
  [{ schemas: [], Operations: [{ op: 'add', path: 'title', value: 'x' }] }, '400 invalidSyntax'],
  [{ Operations: [{ op: 'move', path: 'title', value: 'x' }] }, '400 invalidSyntax'],
  [{ Operations: [{ op: 'remove' }] }, '400 noTarget'],
  [{ Operations: [{ op: 'add', path: 'title' }] }, '400 invalidValue'],
  [{ Operations: [{ op: 'add', path: 'title', value: { a: 1 } }] }, '400 invalidValue'],
  [{ Operations: [{ op: 'add', path: 'shoeSize', value: '44' }] }, '400 invalidPath'],
  [{ Operations: [{ op: 'add', path: '__proto__.polluted', value: '1' }] }, '400 invalidPath'],
  [{ Operations: [{ op: 'add', path: 'constructor.prototype.polluted', value: '1' }] }, '400 invalidPath'],
  [{ Operations: [{ op: 'replace', path: 'emails[type eq', value: '1' }] }, '400 invalidPath'],
  [{ Operations: [{ op: 'replace', path: 'emails[type co "w"].value', value: '1' }] }, '400 noTarget'],
  [{ Operations: [{ op: 'replace', path: 'emails[type eq "work"]', value: { value: '1' } }] }, '400 noTarget'],
  [{ Operations: [{ op: 'replace', path: 'title[type eq "work"]', value: '1' }] }, '400 invalidPath'],
  [{ Operations: [{ op: 'replace', path: 'id', value: '1' }] }, '400 mutability'],
  [{ Operations: [{ op: 'replace', path: 'meta.created', value: '1' }] }, '400 mutability'],
  [{ Operations: [{ op: 'add', path: 'groups', value: [{ value: '1' }] }] }, '400 mutability'],
  [{ Operations: [{ op: 'remove', path: 'userName' }] }, '400 invalidValue'],
  [{ Operations: [{ op: 'replace', path: 'active', value: 'perhaps' }] }, '400 invalidValue'],
])('PATCH %j is refused with %s, and changes nothing', async (body, outcome) => {
  const scim = await scene.makeDirectory()
  const { id } = await scim.makeUser(newName(), { title: 'kept' })
  expect(refusal(await scim.ask(`/Users/${id}`, { method: 'PATCH', body }))).toBe(outcome)
  expect((await scim.get(`/Users/${id}`)).json).toMatchObject({ title: 'kept', meta: { version: 'W/"1"' } })
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})
