import { describe, expect, test } from 'vitest'
import { longTest } from '../fixture/long.ts'
import { enterpriseUrn, newName, prepare, refusal, type ScimJson, userUrn } from './support.ts'

const scene = prepare()

describe('a user', () => {
  test('is created, read, replaced and deleted, with the statuses and headers of RFC 7644', async () => {
    const scim = await scene.makeDirectory()
    const name = newName()
    // The example of section 3.3, with an address.
    const created = await scim.post('/Users', {
      schemas: [userUrn],
      userName: name,
      externalId: 'bjensen',
      name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
      emails: [{ value: `${name}@example.com`, type: 'work', primary: true }],
    })
    expect(created.status).toBe(201)
    expect(created.headers['content-type']).toBe('application/scim+json')
    const { id } = created.json
    expect(created.headers['location']).toBe(`${scene.server.url}${scim.base}/Users/${id}`)
    expect(created.headers['etag']).toBe('W/"1"')
    expect(created.json).toMatchObject({
      schemas: [userUrn],
      id,
      externalId: 'bjensen',
      userName: name,
      active: true,
      name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
      meta: {
        resourceType: 'User',
        version: 'W/"1"',
        location: `${scene.server.url}${scim.base}/Users/${id}`,
        created: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      },
    })
    expect((await scim.get(`/Users/${id}`)).json).toEqual(created.json)

    const replaced = await scim.put(`/Users/${id}`, {
      schemas: [userUrn],
      id,
      userName: name,
      emails: [{ value: `${name}@example.com` }],
    })
    expect(replaced.status).toBe(200)
    expect(replaced.json.meta.version).toBe('W/"2"')
    expect(replaced.json).not.toHaveProperty('name')
    expect(replaced.json).not.toHaveProperty('externalId')

    const deleted = await scim.remove(`/Users/${id}`)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    for (const again of [
      await scim.get(`/Users/${id}`),
      await scim.remove(`/Users/${id}`),
      await scim.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'x' }),
      await scim.put(`/Users/${id}`, { userName: name }),
    ])
      expect(refusal(again)).toBe('404')
    // The name is free again.
    const another = await scim.makeUser(name)
    expect(another.id).not.toBe(id)
  })

  test('is refused a second time, also in other letters and at the same moment', async () => {
    const scim = await scene.makeDirectory()
    const name = newName()
    await scim.makeUser(name)
    expect(refusal(await scim.post('/Users', { userName: name.toUpperCase() }))).toBe('409 uniqueness')
    const other = newName()
    const replies = await Promise.all(Array.from({ length: 6 }, () => scim.post('/Users', { userName: other })))
    expect(replies.map(({ status }) => String(status)).toSorted()).toEqual(['201', ...Array<string>(5).fill('409')])
    const third = await scim.makeUser(newName())
    expect(refusal(await scim.put(`/Users/${third.id}`, { userName: name }))).toBe('409 uniqueness')
    const patched = await scim.patch(`/Users/${third.id}`, { op: 'replace', path: 'userName', value: name })
    expect(refusal(patched)).toBe('409 uniqueness')
  })

  test('needs a userName and values of the right types', async () => {
    const scim = await scene.makeDirectory()
    const refused: [unknown, string][] = [
      [{ schemas: [userUrn] }, '400 invalidValue'],
      [{ userName: '  ' }, '400 invalidValue'],
      [{ schemas: ['urn:other'], userName: newName() }, '400 invalidSyntax'],
      [{ userName: newName(), active: 'maybe' }, '400 invalidValue'],
      [{ userName: newName(), name: ['x'] }, '400 invalidValue'],
      [{ userName: { a: 1 } }, '400 invalidValue'],
      [{ userName: newName(), title: 'x'.repeat(5_000) }, '400 invalidValue'],
      [{ userName: `nul\u0000` }, '400 invalidValue'],
    ]
    for (const [body, outcome] of refused)
      expect(refusal(await scim.post('/Users', body)), JSON.stringify(body)).toBe(outcome)
    expect(refusal(await scim.ask('/Users', { method: 'POST', body: '{"userName":' }))).toBe('400 invalidSyntax')
    expect(refusal(await scim.ask('/Users', { method: 'POST', body: '[]' }))).toBe('400 invalidSyntax')
    const asText = await scim.ask('/Users', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } })
    expect(refusal(asText)).toBe('415')
    expect((await scim.get('/Users')).json.totalResults).toBe(0)
  })

  test('keeps no password, and shows what is unknown, read-only or empty to nobody', async () => {
    const scim = await scene.makeDirectory()
    const made = await scim.makeUser(newName(), {
      password: 't1meMa$heen',
      groups: [{ value: 'x' }],
      meta: { resourceType: 'Boss' },
      nickName: null,
      title: '',
      photos: [],
      favouriteColour: 'green',
      __proto__: { polluted: true },
    })
    for (const name of ['password', 'groups', 'nickName', 'title', 'photos', 'favouriteColour', 'polluted'])
      expect(made).not.toHaveProperty(name)
    await scim.patch(`/Users/${made.id}`, { op: 'add', path: 'password', value: 'another' })
    const [row] = await scene.server
      .db`select resource::text as text from directory_users where account_id = ${made.id}`
    expect(row?.['text']).not.toMatch(/t1meMa|another|password/)
  })

  test('takes attribute names in any case, in bodies, paths and filters', async () => {
    const scim = await scene.makeDirectory()
    const name = newName()
    const { json } = await scim.post('/Users', {
      USERNAME: name,
      Name: { FAMILYNAME: 'Jensen' },
      [enterpriseUrn.toUpperCase()]: { Department: 'R&D' },
    })
    expect(json).toMatchObject({
      userName: name,
      name: { familyName: 'Jensen' },
      [enterpriseUrn]: { department: 'R&D' },
    })
    expect(json.schemas).toEqual([userUrn, enterpriseUrn])
    await scim.patch(`/Users/${json.id}`, { op: 'replace', path: 'NAME.familyname', value: 'Olsen' })
    const found = await scim.get(`/Users?filter=${encodeURIComponent('Name.FamilyName EQ "olsen"')}`)
    expect(found.json.totalResults).toBe(1)
  })
})

describe('versions', () => {
  test('a change of a version that is not current is refused with 412, and a read of a known one is 304', async () => {
    const scim = await scene.makeDirectory()
    const { id } = await scim.makeUser(newName())
    const asking = (method: string, header: string, body?: unknown) =>
      scim.ask(`/Users/${id}`, { method, headers: { [method === 'GET' ? 'if-none-match' : 'if-match']: header }, body })
    const operations = { Operations: [{ op: 'replace', path: 'title', value: 'a' }] }
    expect((await asking('PATCH', 'W/"1"', operations)).headers['etag']).toBe('W/"2"')
    expect(refusal(await asking('PATCH', 'W/"1"', operations))).toBe('412')
    expect(refusal(await asking('PUT', '"7"', { userName: 'x' }))).toBe('412')
    expect(refusal(await asking('DELETE', 'W/"1"'))).toBe('412')
    expect((await asking('GET', 'W/"1"')).status).toBe(200)
    expect((await asking('GET', 'W/"1", W/"2"')).status).toBe(304)
    expect((await asking('PATCH', '*', { Operations: [{ op: 'replace', path: 'title', value: 'b' }] })).status).toBe(
      200,
    )
    expect((await asking('DELETE', 'W/"3"')).status).toBe(204)
  })

  test('a change that changes nothing leaves the version as it is', async () => {
    const scim = await scene.makeDirectory()
    const { id } = await scim.makeUser(newName(), { title: 'a' })
    const reply = await scim.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'a' })
    expect(reply.json.meta.version).toBe('W/"1"')
  })
})

describe('lists', () => {
  test('are paged from startIndex by count, sorted and filtered, by GET and by /.search', async () => {
    const scim = await scene.makeDirectory()
    for (const [name, title] of [
      ['ann', 'b'],
      ['bob', 'c'],
      ['cid', 'a'],
      ['dan', null],
    ] as const)
      await scim.makeUser(name, title ? { title, emails: [{ value: `${name}@corp.example`, type: 'work' }] } : {})
    const namesOf = (json: ScimJson) => json.Resources.map(({ userName }) => userName)
    const list = async (query: string) => (await scim.get(`/Users?${query}`)).json
    expect(await list('startIndex=2&count=2')).toMatchObject({ totalResults: 4, startIndex: 2, itemsPerPage: 2 })
    expect(namesOf(await list('startIndex=2&count=2'))).toEqual(['bob', 'cid'])
    expect(namesOf(await list('startIndex=4&count=2'))).toEqual(['dan'])
    expect(await list('startIndex=9&count=2')).toMatchObject({ totalResults: 4, itemsPerPage: 0, Resources: [] })
    // Section 3.4.2.4: less than 1 is 1; a negative count is 0, which only counts.
    expect(await list('startIndex=-5&count=-1')).toMatchObject({ totalResults: 4, startIndex: 1, itemsPerPage: 0 })
    // Those without the attribute come last, and first in descending order (section 3.4.2.3).
    expect(namesOf(await list('sortBy=title'))).toEqual(['cid', 'ann', 'bob', 'dan'])
    expect(namesOf(await list('sortBy=title&sortOrder=descending'))).toEqual(['dan', 'bob', 'ann', 'cid'])
    expect(namesOf(await list('sortBy=emails&sortOrder=ascending&count=1'))).toEqual(['ann'])
    expect(refusal(await scim.get('/Users?sortBy=shoeSize'))).toBe('400 invalidPath')
    expect(refusal(await scim.get('/Users?count=many'))).toBe('400 invalidValue')
    const searched = await scim.post('/Users/.search', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      attributes: ['userName'],
      filter: 'title pr',
      sortBy: 'userName',
      sortOrder: 'descending',
      startIndex: 1,
      count: 2,
    })
    expect(searched.json).toMatchObject({ totalResults: 3, itemsPerPage: 2 })
    expect(searched.json.Resources).toEqual([
      { schemas: [userUrn], id: expect.any(String) as string, userName: 'cid' },
      { schemas: [userUrn], id: expect.any(String) as string, userName: 'bob' },
    ])
    // A user that goes while someone pages does not make the next page leave another out.
    const first = await list('startIndex=1&count=2')
    await scim.remove(`/Users/${first.Resources[0]?.id}`)
    expect(namesOf(await list('startIndex=3&count=2'))).toEqual(['cid', 'dan'])
  })

  test('give only the attributes that are asked for, or all but some', async () => {
    const scim = await scene.makeDirectory()
    const { id } = await scim.makeUser(newName(), {
      name: { familyName: 'J', givenName: 'B' },
      emails: [{ value: 'b@x.example', type: 'work' }],
      [enterpriseUrn]: { department: 'R&D', division: 'West' },
    })
    const get = async (query: string) => (await scim.get(`/Users/${id}?${query}`)).json
    expect(await get(`attributes=name.familyName,emails.type,${enterpriseUrn}:department,nonsense`)).toEqual({
      schemas: [userUrn, enterpriseUrn],
      id,
      name: { familyName: 'J' },
      emails: [{ type: 'work' }],
      [enterpriseUrn]: { department: 'R&D' },
    })
    const without = await get(`excludedAttributes=emails.value,name,meta,id,${enterpriseUrn}`)
    expect(without).toMatchObject({ id, emails: [{ type: 'work' }], active: true })
    for (const name of ['name', 'meta', enterpriseUrn]) expect(without).not.toHaveProperty(name)
    const both = 'attributes=name&excludedAttributes=name'
    expect(refusal(await scim.get(`/Users/${id}?${both}`))).toBe('400 invalidSyntax')
    // What is refused was not done.
    expect(refusal(await scim.post(`/Users?${both}`, { userName: 'never' }))).toBe('400 invalidSyntax')
    expect(refusal(await scim.put(`/Users/${id}?${both}`, { userName: 'never' }))).toBe('400 invalidSyntax')
    expect((await scim.get('/Users?filter=userName%20eq%20%22never%22')).json.totalResults).toBe(0)
  })

  test.each([
    ['userName eq "BJENSEN"', ['bjensen']],
    ['userName eq "bjensen" and active eq true', ['bjensen']],
    ['active eq "False"', ['olsen']],
    ['active ne true', ['olsen']],
    ['name.familyName co "O\'Malley"', ['malley']],
    ['userName sw "J"', ['jsmith']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"', ['jsmith']],
    ['userName ew "en"', ['bjensen', 'olsen']],
    ['title pr', ['bjensen', 'jsmith']],
    ['not (title pr)', ['malley', 'olsen']],
    ['title ne "Boss"', ['jsmith', 'malley', 'olsen']],
    ['title eq null', ['malley', 'olsen']],
    ['title pr and userType eq "Employee"', ['bjensen']],
    ['title pr or userType eq "Intern"', ['bjensen', 'jsmith', 'malley']],
    ['schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"', ['olsen']],
    ['userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")', ['bjensen']],
    [
      'userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")',
      ['jsmith', 'malley', 'olsen'],
    ],
    ['userType eq "Employee" and (emails.type eq "work")', ['bjensen']],
    ['userType eq "Employee" and emails[type eq "work" and value co "@example.com"]', ['bjensen']],
    [
      'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]',
      ['bjensen', 'jsmith'],
    ],
    ['emails[type eq "work"].value eq "bjensen@example.com"', ['bjensen']],
    ['emails[type eq "home"].value eq "bjensen@example.com"', []],
    ['emails.value eq "BJensen@example.com"', ['bjensen']],
    ['emails eq "bjensen@example.com"', ['bjensen']],
    ['emails ne "bjensen@example.com"', ['jsmith', 'malley', 'olsen']],
    ['externalId eq "701984"', ['bjensen']],
    ['externalId eq "nobody"', []],
    ['meta.lastModified gt "2011-05-13T04:42:34Z" and meta.created lt "2011-05-13T04:42:34Z"', []],
    ['meta.resourceType eq "User" and userName ge "m"', ['malley', 'olsen']],
    [`${enterpriseUrn}:department eq "tour operations"`, ['olsen']],
    [`${enterpriseUrn}:manager.value pr`, []],
    ['groups pr', []],
    ['name.givenName eq "a\\"b\\u00e9"', ['jsmith']],
  ])('are filtered by %s', async (filter, names) => {
    const scim = await filled()
    const reply = await scim.get(`/Users?filter=${encodeURIComponent(filter)}`)
    expect(reply.status, reply.text).toBe(200)
    const found = reply.json.Resources.map(({ userName }) => userName)
    expect(found.toSorted()).toEqual(names)
    expect(reply.json.totalResults).toBe(names.length)
  })

  test.each([
    'userName',
    'userName eq',
    'userName is "x"',
    'userName eq x',
    '(userName eq "x"',
    'userName eq "x" and',
    'emails[type eq "work"',
    'shoeSize eq 3',
    'name eq "x"',
    'active gt true',
    'meta.created gt "yesterday"',
    'password eq "x"',
    `${'('.repeat(30)}title pr${')'.repeat(30)}`,
    `title pr${' and title pr'.repeat(120)}`,
    `userName eq "${'x'.repeat(5_000)}"`,
  ])('are refused the filter %.40s', async (filter) => {
    const scim = await filled()
    expect(refusal(await scim.get(`/Users?filter=${encodeURIComponent(filter)}`))).toBe('400 invalidFilter')
  })

  let filledOnce: ReturnType<typeof fill> | undefined
  const filled = () => {
    filledOnce ??= fill()
    return filledOnce
  }
  const fill = async () => {
    const scim = await scene.makeDirectory()
    await scim.makeUser('bjensen', {
      externalId: '701984',
      title: 'Boss',
      userType: 'Employee',
      emails: [
        { value: 'bjensen@example.com', type: 'work' },
        { value: 'babs@jensen.org', type: 'home' },
      ],
    })
    await scim.makeUser('jsmith', {
      title: 'Clerk',
      name: { givenName: 'a"bé' },
      ims: [{ type: 'xmpp', value: 'j@foo.com' }],
    })
    await scim.makeUser('malley', { userType: 'Intern', name: { familyName: "O'Malley" } })
    await scim.makeUser('olsen', { active: false, [enterpriseUrn]: { department: 'Tour Operations' } })
    return scim
  }
})

longTest(
  'of more than 10,000 users only what an index finds is looked for, and pages go on where the last one ended',
  async () => {
    const scim = await scene.makeDirectory()
    const { db } = scene.server
    const first = await scim.makeUser('first', { emails: [{ value: 'first@many.example', type: 'work' }] })
    await db`
    insert into accounts (tenant_id, app_id, account_id, user_id, display_name, created_at, updated_at)
    select tenant_id, app_id, 'z' || lpad(n::text, 26, '0'), user_id, 'M', created_at, updated_at
    from accounts, generate_series(1, 10000) n where account_id = ${first.id}`
    await db`
    insert into directory_users (tenant_id, app_id, account_id, user_id, user_name, external_id, is_active, emails, resource,
      version, is_source, created_at, updated_at)
    select tenant_id, app_id, 'z' || lpad(n::text, 26, '0'), user_id, 'm' || n, 'x' || n, true, array['m' || n || '@many.example'],
      jsonb_build_object('userName', 'm' || n, 'emails', jsonb_build_array(jsonb_build_object('type', 'work', 'value', 'm' || n || '@many.example'))),
      1, false, created_at, updated_at
    from directory_users, generate_series(1, 10000) n where account_id = ${first.id}`
    await db`
    insert into directory_sizes (tenant_id, app_id, part, users, active)
    select tenant_id, app_id, 100, 10000, 10000 from directories where app_id = ${scim.appId}`
    await db`analyze directory_users`
    const total = async (query: string) => (await scim.get(`/Users?${query}`)).json.totalResults
    const filter = (text: string): string => `filter=${encodeURIComponent(text)}`
    for (const text of [
      'userName eq "M77"',
      'externalId eq "x77"',
      'emails.value eq "m77@MANY.example"',
      'emails[type eq "work"].value eq "m77@many.example"',
      'emails[type eq "work" and value eq "m77@many.example"]',
      'userName eq "m77" and active eq true',
      'userName eq "m77" or externalId eq "x77"',
    ])
      expect(await total(filter(text)), text).toBe(1)
    for (const query of [
      filter('title pr'),
      filter('userName sw "m7"'),
      filter('userName eq "m7" or title pr'),
      'sortBy=userName',
    ])
      expect(refusal(await scim.get(`/Users?${query}`)), query).toBe('400 tooMany')
    expect(await total('count=0')).toBe(10_001)
    const second = async () => (await scim.get('/Users?startIndex=201&count=200&attributes=userName')).json
    await scim.get('/Users?startIndex=1&count=200')
    expect((await second()).Resources[0]?.userName).toBe('m200')
    expect((await scim.get('/Users?startIndex=10001&count=1000')).json).toMatchObject({
      itemsPerPage: 1,
      Resources: [{ userName: 'm10000' }],
    })
  },
)

describe('what is found out', () => {
  test('ServiceProviderConfig, ResourceTypes and Schemas say what is supported', async () => {
    const scim = await scene.makeDirectory()
    const config = (await scim.get('/ServiceProviderConfig')).json
    expect(config).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      changePassword: { supported: false },
      sort: { supported: true },
      etag: { supported: true },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    })
    const types = (await scim.get('/ResourceTypes')).json
    expect(types.Resources.map(({ id }) => id)).toEqual(['User', 'Group'])
    expect((await scim.get('/ResourceTypes/User')).json).toMatchObject({
      endpoint: '/Users',
      schema: userUrn,
      schemaExtensions: [{ schema: enterpriseUrn, required: false }],
    })
    const { Resources } = (await scim.get('/Schemas')).json as unknown as {
      Resources: { id: string; attributes: { name: string }[] }[]
    }
    expect(Resources).toHaveLength(3)
    expect((await scim.get(`/Schemas/${userUrn}`)).json.attributes.map(({ name }) => name)).toContain('userName')
    expect(refusal(await scim.get('/Schemas/urn:other'))).toBe('404')
    expect(refusal(await scim.get('/Schemas?filter=id%20pr'))).toBe('403')
  })

  test('what there is not is 404, 405 or 501, in the form of SCIM', async () => {
    const scim = await scene.makeDirectory()
    expect(refusal(await scim.get('/Unicorns'))).toBe('404')
    expect(refusal(await scim.get('/Users/a/b'))).toBe('404')
    expect(refusal(await scim.get(`/Users/${'x'.repeat(300)}`))).toBe('404')
    expect(refusal(await scim.get('/Users/%00'))).toBe('400')
    const wrong = await scim.ask('/Users', { method: 'DELETE' })
    expect([refusal(wrong), wrong.headers['allow']]).toEqual(['405', 'GET, POST'])
    expect(refusal(await scim.post('/Bulk', { Operations: [] }))).toBe('501')
    expect(refusal(await scim.get('/Me'))).toBe('501')
  })

  test('a search over everything finds users, then groups', async () => {
    const scim = await scene.makeDirectory()
    const { id } = await scim.makeUser('ann', { displayName: 'Same' })
    await scim.post('/Groups', { displayName: 'Same', members: [{ value: id }] })
    const all = await scim.post('/.search', { filter: 'displayName eq "same"' })
    expect(all.json.Resources.map((each) => each.meta.resourceType)).toEqual(['User', 'Group'])
    const rest = await scim.post('/.search', { filter: 'displayName eq "same"', startIndex: 2, count: 5 })
    expect(rest.json).toMatchObject({ totalResults: 2, itemsPerPage: 1, Resources: [{ displayName: 'Same' }] })
    expect((await scim.post('/.search', { filter: 'userName eq "ann"' })).json.totalResults).toBe(1)
  })
})

test('names and addresses of several lines are refused', async () => {
  const scim = await scene.makeDirectory()
  const email = (value: string) => scim.post('/Users', { userName: 'several-lines', emails: [{ value }] })
  expect((await email('a@b.test>\r\nBcc: x@evil')).status).toBe(400)
  expect((await email('a@b.test>')).status).toBe(400)
  for (const displayName of ['a\nb', 'a\u001db', 'a\u202eb'])
    expect((await scim.post('/Users', { userName: 'several-lines', displayName })).status).toBe(400)
})
