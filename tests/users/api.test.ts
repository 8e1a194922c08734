import { expect, test } from 'vitest'
import { type Json, outcomeOf } from '../fixture/access.ts'
import { update } from '../fixture/write.ts'
import { idsOf, prepare } from '../grants/scene.ts'

const scene = prepare()
const userIn = (item: Json): Json => item['user'] as Json
const search = async (body: object): Promise<string[]> => idsOf(await scene.all('/api/v1/search/users', body), 'userId')

test('users are listed in order of creation, and deleted ones are not', async () => {
  const made: string[] = []
  for (let i = 0; i < 12; i++) made.push(await scene.user())
  const [gone] = made
  const { db } = scene.server
  await update(db, 'users', { deleted_at: new Date(), status: 'DELETED' }, db`x.user_id = ${gone as string}`)
  const listed = idsOf(await scene.all('/api/v1/users'), 'userId')
  expect(listed).toEqual(listed.toSorted())
  expect(listed.filter((id) => made.includes(id))).toEqual(made.slice(1))
  expect((await scene.get(`/api/v1/users/${gone}`)).json).toMatchObject({ userView: { user: { status: 'DELETED' } } })
})

test('a user is shown with every field, and with what the caller may do', async () => {
  const id = await scene.user({
    displayName: 'Ana Maria Souza',
    email: 'Ana.Souza@example.com',
    username: 'asouza',
    employeeId: 'E-1',
    department: 'Finance',
    jobTitle: 'Controller',
    employmentType: 'Full time',
    employmentStatus: 'Active',
    managerId: scene.admin.userId,
    profile: { floor: 3 },
  })
  const reply = await scene.get(`/api/v1/users/${id}`, scene.viewer)
  expect(reply.status).toBe(200)
  const view = reply.json['userView'] as Json
  expect(view['objectPermissions']).toEqual({ read: true, edit: false, delete: false })
  expect(userIn(view)).toEqual({
    id,
    type: 'USER_TYPE_HUMAN',
    origin: 'USER_ORIGIN_LOCAL',
    status: 'ENABLED',
    directoryStatus: 'ENABLED',
    displayName: 'Ana Maria Souza',
    email: 'Ana.Souza@example.com',
    emails: ['Ana.Souza@example.com'],
    username: 'asouza',
    usernames: ['asouza'],
    employeeIds: ['E-1'],
    department: 'Finance',
    jobTitle: 'Controller',
    employmentType: 'Full time',
    employmentStatus: 'Active',
    managerIds: [scene.admin.userId],
    roleIds: [],
    delegatedUserId: '',
    profile: { floor: 3 },
    createdAt: expect.any(String) as unknown,
    updatedAt: expect.any(String) as unknown,
    deletedAt: null,
    directoryStatusSources: [],
    emailSources: [],
    usernameSources: [],
    employeeIdSources: [],
    departmentSources: [],
    jobTitleSources: [],
    employmentTypeSources: [],
    employmentStatusSources: [],
    managerSources: [],
    directoryIds: [],
  })
})

test('a basic user sees themselves, and nobody else', async () => {
  const { basic, admin } = scene
  expect((await scene.get(`/api/v1/users/${basic.userId}`, basic)).status).toBe(200)
  expect(outcomeOf(await scene.get(`/api/v1/users/${admin.userId}`, basic))).toBe('404/5 USER_NOT_FOUND')
  expect(outcomeOf(await scene.get(`/api/v1/users/${admin.userId}/profile-types`, basic))).toBe('404/5 USER_NOT_FOUND')
  expect(outcomeOf(await scene.get('/api/v1/users', basic))).toBe('403/7 PERMISSION_DENIED')
  expect(outcomeOf(await scene.post('/api/v1/search/users', {}, basic))).toBe('403/7 PERMISSION_DENIED')
  const itself = await scene.post('/api/v1/users/introspect', {}, basic)
  expect(itself.json).toMatchObject({ userView: { userId: basic.userId }, expanded: [] })
})

test("another tenant's user, and one that never was, are not there", async () => {
  const other = await scene.access.makeTenant('users.other.example')
  const stranger = await scene.access.makeUser({ tenant: other })
  for (const id of [stranger, scene.access.world.newId(), 'nobody', '%00'])
    expect([404, 400]).toContain((await scene.get(`/api/v1/users/${id}`)).status)
  expect(outcomeOf(await scene.get(`/api/v1/users/${stranger}`))).toBe('404/5 USER_NOT_FOUND')
  expect(await search({ ids: [stranger] })).toEqual([])
})

test('neighbours come along when they are wanted, each once, and the paths lead to them', async () => {
  const manager = await scene.user()
  const both = await Promise.all([scene.user({ managerId: manager }), scene.user({ managerId: manager })])
  const until = new Date(Date.now() + 60_000).toISOString()
  const set = { delegatedUserId: manager, delegationExpireAt: until }
  expect((await scene.post(`/api/v1/users/${both[0]}/set-delegation-by-admin`, set)).status).toBe(200)
  const reply = await scene.post('/api/v1/search/users', {
    ids: both,
    expand_mask: { paths: ['manager_ids', 'delegated_user_id', 'role_ids'] },
  })
  const expanded = reply.json['expanded'] as Json[]
  expect(expanded).toHaveLength(1)
  expect(expanded[0]).toMatchObject({ '@type': 'type.googleapis.com/c1.api.user.v1.User', id: manager })
  const [first, second] = reply.json['list'] as [Json, Json]
  expect(first).toMatchObject({ managersPath: '$.expanded[0]', delegatedUserPath: '$.expanded[0]', rolesPath: '' })
  expect(second).toMatchObject({ managersPath: '$.expanded[0]', delegatedUserPath: '' })

  const itself = await scene.post('/api/v1/users/introspect', { expandMask: { paths: ['*'] } })
  expect(itself.json).toMatchObject({
    userView: { rolesPath: '$.expanded[0]' },
    expanded: [{ '@type': 'type.googleapis.com/c1.api.iam.v1.Role', name: 'system:owner' }],
  })
})

test('there are no profile types', async () => {
  expect((await scene.get(`/api/v1/users/${scene.basic.userId}/profile-types`)).json).toEqual({ profileTypes: [] })
})

test('someone else answers for a user while the delegation lasts, and not before', async () => {
  const [user, delegate] = await Promise.all([scene.user(), scene.user()])
  const at = `/api/v1/users/${user}/set-delegation-by-admin`
  const inAMinute = new Date(Date.now() + 60_000).toISOString()
  const later = new Date(Date.now() + 120_000).toISOString()
  const delegateNow = async () =>
    (((await scene.get(`/api/v1/users/${user}`)).json['userView'] as Json)['user'] as Json)['delegatedUserId']

  const ahead = await scene.post(at, {
    delegatedUserId: delegate,
    delegationStartAt: inAMinute,
    delegationExpireAt: later,
  })
  expect(ahead.json).toEqual({
    item: {
      userId: user,
      delegatedUserId: delegate,
      startAt: inAMinute,
      expirationAt: later,
      createdAt: expect.any(String) as unknown,
      updatedAt: expect.any(String) as unknown,
      deletedAt: null,
    },
  })
  expect(await delegateNow()).toBe('')
  expect((await scene.post(at, { delegatedUserId: delegate })).status).toBe(200)
  expect(await delegateNow()).toBe(delegate)

  expect(await search({ delegatedUserIds: [delegate] })).toEqual([user])
  expect(await search({ ids: [user, delegate], isDelegate: true })).toEqual([delegate])
  expect(await search({ ids: [user, delegate], delegateStatus: 'DELEGATE_STATUS_HAS_DELEGATE' })).toEqual([user])
  expect(await search({ ids: [user, delegate], delegateStatus: 'DELEGATE_STATUS_NO_DELEGATE' })).toEqual([delegate])

  const ended = await scene.post(at, {})
  expect((ended.json['item'] as Json)['deletedAt']).not.toBeNull()
  expect(await delegateNow()).toBe('')
  const again = await scene.post(at, { delegatedUserId: '' })
  expect(again.json).toMatchObject({ item: { userId: user, delegatedUserId: '', createdAt: null } })
  const events = await scene.logged('user.v1.UserService.SetExpiringUserDelegationBindingByAdmin')
  expect(events.filter(({ resources }) => resources[0]?.uid === user)).toHaveLength(3)
})

test('a delegation that makes no sense is refused, and changes nothing', async () => {
  const user = await scene.user()
  const disabled = await scene.user({ status: 'DISABLED' })
  const at = `/api/v1/users/${user}/set-delegation-by-admin`
  const past = new Date(Date.now() - 1000).toISOString()
  const soon = new Date(Date.now() + 60_000).toISOString()
  const nobody = scene.access.world.newId()
  const { userId } = scene.admin
  const refused: [object, string][] = [
    [{ delegatedUserId: user }, '400/3 INPUT_INVALID'],
    [{ delegatedUserId: nobody }, '404/5 USER_NOT_FOUND'],
    [{ delegatedUserId: disabled }, '400/3 INPUT_INVALID'],
    [{ delegatedUserId: userId, delegationExpireAt: past }, '400/3 INPUT_INVALID'],
    [{ delegatedUserId: userId, delegationStartAt: soon, delegationExpireAt: soon }, '400/3 INPUT_INVALID'],
    [{ delegatedUserId: userId, delegationExpireAt: 'soon' }, '400/3 INPUT_INVALID'],
  ]
  for (const [body, outcome] of refused)
    expect(outcomeOf(await scene.post(at, body)), JSON.stringify(body)).toBe(outcome)
  const unknown = await scene.post(`/api/v1/users/${nobody}/set-delegation-by-admin`, { delegatedUserId: user })
  expect(outcomeOf(unknown)).toBe('404/5 USER_NOT_FOUND')
  expect(unknown.json['message']).toContain(nobody)
  expect(outcomeOf(await scene.post(at, {}, scene.viewer))).toBe('403/7 PERMISSION_DENIED')
  expect((await scene.get(`/api/v1/users/${user}`)).json).toMatchObject({ userView: { user: { delegatedUserId: '' } } })
})

test('users are found by the beginning of a name, a word of it, an address, a username, an employee id, and by id', async () => {
  const id = await scene.user({
    displayName: 'Zebedee Quartermain-Öz',
    email: 'zq@quarters.example',
    username: 'zebq',
    employeeId: 'QX-77',
  })
  for (const query of ['zeb', 'Quarterm', 'öz', 'ZQ@quar', 'zebq', 'qx-7', id, '  zebedee q'])
    expect(await search({ query }), query).toEqual([id])
  expect(await search({ query: 'ebedee' })).toEqual([])
  expect(await search({ query: id, ids: [scene.admin.userId] })).toEqual([])
  expect(await search({ email: 'ZQ@Quarters.example' })).toEqual([id])
  expect(await search({ email: 'zq@quarters' })).toEqual([])
  expect(await search({ query: "'; drop table users; --" })).toEqual([])
})

test('every filter holds, alone and with a query', async () => {
  const boss = await scene.user({ displayName: 'Filter Boss' })
  const one = await scene.user({
    displayName: 'Filter One',
    department: 'Filters',
    jobTitle: 'Filterer',
    managerId: boss,
    origin: 'USER_ORIGIN_DIRECTORY',
  })
  const two = await scene.user({ displayName: 'Filter Two', type: 'USER_TYPE_SERVICE', status: 'DISABLED' })
  const roleId = await scene.access.roleId('system:viewer')
  const everyone = [boss, one, two]
  const found: [object, string[]][] = [
    [{}, everyone],
    [{ excludeIds: [one] }, [boss, two]],
    [{ departments: ['Filters', 'Others'] }, [one]],
    [{ jobTitles: ['Filterer'] }, [one]],
    [{ managerIds: [boss] }, [one]],
    [{ origins: ['USER_ORIGIN_DIRECTORY'] }, [one]],
    [{ excludeOrigins: ['USER_ORIGIN_DIRECTORY'] }, [boss, two]],
    [{ types: ['USER_TYPE_SERVICE'] }, [two]],
    [{ excludeTypes: ['USER_TYPE_HUMAN', 'USER_TYPE_UNSPECIFIED'] }, [two]],
    [{ userStatuses: ['DISABLED'] }, [two]],
    [{ user_statuses: ['ENABLED'] }, [boss, one]],
    [{ userStatuses: ['DELETED'] }, []],
    [{ roleIds: [roleId] }, []],
    [{ refs: [{ id: one }, { id: two }] }, [one, two]],
  ]
  for (const [filter, expected] of found) {
    expect(await search({ ids: everyone, ...filter }), JSON.stringify(filter)).toEqual(
      'refs' in filter ? everyone : expected,
    )
    expect((await search({ query: 'filter', ...filter })).toSorted(), JSON.stringify(filter)).toEqual(expected)
  }
  expect(await search({ roleIds: [roleId] })).toEqual([scene.viewer.userId])
  expect(outcomeOf(await scene.post('/api/v1/search/users', { userStatuses: ['GONE'] }))).toBe('400/3 INPUT_INVALID')
})

test('a search is paged to its end, nobody twice and nobody missed, while users come and go', async () => {
  const made: string[] = []
  for (let i = 0; i < 35; i++) made.push(await scene.user({ displayName: `Pageling ${i % 7} ${i}` }))
  for (const query of ['', 'pageling']) {
    const seen: string[] = []
    for (let pageToken = ''; ; ) {
      const reply = await scene.post('/api/v1/search/users', { query, pageSize: 10, pageToken })
      seen.push(...idsOf(reply.json['list'] as Json[], 'userId'))
      pageToken = reply.json['nextPageToken'] as string
      if (pageToken === '') break
      await scene.user({ displayName: 'Pageling 0 newcomer' })
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(made.filter((id) => !seen.includes(id))).toEqual([])
  }
  const first = await scene.post('/api/v1/search/users', { query: 'pageling', pageSize: 10 })
  const pageToken = first.json['nextPageToken']
  expect(outcomeOf(await scene.post('/api/v1/search/users', { query: 'other', pageToken }))).toBe(
    '400/3 PAGE_TOKEN_INVALID',
  )
})
