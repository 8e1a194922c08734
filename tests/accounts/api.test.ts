import { expect, test } from 'vitest'
import { type Json, outcomeOf } from '../fixture/access.ts'
import { idsOf, prepare } from '../grants/scene.ts'

const scene = prepare()
const search = async (body: object, by = scene.admin): Promise<string[]> =>
  idsOf(await scene.all('/api/v1/search/app_users', body, by), 'appUser', 'id')

test('the accounts of an app are listed to the end, with every field', async () => {
  const appId = await scene.app()
  const first = await scene.account(appId, {
    userId: scene.basic.userId,
    displayName: 'Ana',
    email: 'ana@app.example',
    username: 'ana',
    employeeId: 'E-9',
    profile: { seat: 'blue' },
  })
  const others = []
  for (let i = 0; i < 12; i++) others.push((await scene.account(appId)).id)
  const listed = await scene.all(`/api/v1/apps/${appId}/app_users`)
  expect(idsOf(listed, 'appUser', 'id')).toEqual([first.id, ...others])
  expect(listed[0]).toEqual({
    appPath: '',
    identityUserPath: '',
    appUser: {
      id: first.id,
      appId,
      identityUserId: scene.basic.userId,
      appUserType: 'APP_USER_TYPE_USER',
      status: { status: 'STATUS_ENABLED' },
      displayName: 'Ana',
      email: 'ana@app.example',
      emails: ['ana@app.example'],
      username: 'ana',
      usernames: ['ana'],
      employeeIds: ['E-9'],
      isExternal: false,
      profile: { seat: 'blue' },
      createdAt: expect.any(String) as unknown,
      updatedAt: expect.any(String) as unknown,
      deletedAt: null,
    },
  })
})

test('an app that is not there, or is another tenant’s, has no accounts to list', async () => {
  const unknown = scene.access.world.newId()
  expect(outcomeOf(await scene.get(`/api/v1/apps/${unknown}/app_users`))).toBe('404/5 APP_NOT_FOUND')
  expect((await scene.get(`/api/v1/apps/${await scene.app()}/app_users`)).json).toMatchObject({ list: [] })
  // Whoever sees only their own is not told which apps there are.
  expect((await scene.get(`/api/v1/apps/${unknown}/app_users`, scene.basic)).json).toMatchObject({ list: [] })
})

test('one sees one’s own accounts in an app, and those of others only with the permission', async () => {
  const appId = await scene.app()
  const own = await scene.account(appId, { userId: scene.basic.userId })
  const other = await scene.account(appId, { userId: scene.admin.userId })
  const ofUser = (id: string) => `/api/v1/apps/${appId}/users/${id}/app_users`
  expect(idsOf(await scene.all(ofUser(scene.basic.userId), null, scene.basic), 'appUser', 'id')).toEqual([own.id])
  const all = `/api/v1/apps/${appId}/app_users`
  expect(idsOf(await scene.all(all, null, scene.basic), 'appUser', 'id')).toEqual([own.id])
  expect(idsOf(await scene.all(all, null, scene.viewer), 'appUser', 'id')).toEqual([own.id, other.id].toSorted())
  expect(idsOf(await scene.all(ofUser(scene.admin.userId), null, scene.viewer), 'appUser', 'id')).toEqual([other.id])
  expect(outcomeOf(await scene.get(ofUser(scene.admin.userId), scene.basic))).toBe('404/5 USER_NOT_FOUND')
  expect(outcomeOf(await scene.get(ofUser('nobody')))).toBe('404/5 USER_NOT_FOUND')
  expect((await scene.get(ofUser(scene.viewer.userId))).json).toMatchObject({ list: [] })
  const elsewhere = `/api/v1/apps/${scene.access.world.newId()}/users/${scene.basic.userId}/app_users`
  expect(outcomeOf(await scene.get(elsewhere))).toBe('404/5 APP_NOT_FOUND')
})

test('no credentials of accounts are kept, and whose account may not be seen has none either', async () => {
  const appId = await scene.app()
  const own = await scene.account(appId, { userId: scene.basic.userId })
  const other = await scene.account(appId)
  const of = (id: string) => `/api/v1/apps/${appId}/app_users/${id}/credentials`
  expect((await scene.get(of(own.id), scene.basic)).json).toEqual({ list: [], nextPageToken: '' })
  expect((await scene.get(of(other.id))).json).toEqual({ list: [], nextPageToken: '' })
  expect(outcomeOf(await scene.get(of(other.id), scene.basic))).toBe('404/5 ACCOUNT_NOT_FOUND')
  expect(outcomeOf(await scene.get(of('nothing')))).toBe('404/5 ACCOUNT_NOT_FOUND')
})

test('the type and the status of an account are changed, by mask or by what is sent, and it is recorded', async () => {
  const { appId, id } = await scene.account(await scene.app('Payroll'), { userId: scene.basic.userId })
  const at = `/api/v1/apps/${appId}/app_users/${id}`
  const typed = await scene.post(at, {
    appUser: { appUserType: 'APP_USER_TYPE_SERVICE_ACCOUNT', status: {}, displayName: 'ignored' },
    expandMask: { paths: ['app_id', 'identity_user_id'] },
  })
  expect(typed.json).toMatchObject({
    appUserView: {
      appPath: '$.expanded[0]',
      identityUserPath: '$.expanded[1]',
      appUser: { appUserType: 'APP_USER_TYPE_SERVICE_ACCOUNT', status: { status: 'STATUS_ENABLED' } },
    },
    expanded: [{ displayName: 'Payroll' }, { id: scene.basic.userId }],
  })
  expect((typed.json['appUserView'] as { appUser: Json }).appUser['displayName']).not.toBe('ignored')

  const masked = await scene.post(at, {
    app_user: { app_user_type: 'APP_USER_TYPE_USER', status: { status: 'STATUS_DISABLED' } },
    update_mask: 'status.status',
  })
  expect(masked.json).toMatchObject({
    appUserView: { appUser: { appUserType: 'APP_USER_TYPE_SERVICE_ACCOUNT', status: { status: 'STATUS_DISABLED' } } },
  })
  expect((await scene.post(at, {})).status).toBe(200)
  const events = (await scene.logged('app.v1.AppUserService.Update')).filter(
    ({ resources }) => resources[0]?.uid === id,
  )
  expect(events.map(({ resources }) => resources[0]?.data)).toEqual([
    expect.objectContaining({ appUserType: 'APP_USER_TYPE_SERVICE_ACCOUNT' }),
    expect.objectContaining({ status: 'STATUS_DISABLED' }),
  ])
})

test('a change of an account that cannot be made is refused', async () => {
  const { appId, id } = await scene.account(await scene.app())
  const at = `/api/v1/apps/${appId}/app_users/${id}`
  const refused: [object, string][] = [
    [{ appUser: {}, updateMask: 'displayName' }, '400/3 INPUT_INVALID'],
    [{ appUser: {}, updateMask: 'appUserType' }, '400/3 INPUT_INVALID'],
    [{ appUser: { status: { status: 'STATUS_DELETED' } } }, '400/3 INPUT_INVALID'],
    [{ appUser: { appUserType: 'ROBOT' } }, '400/3 INPUT_INVALID'],
  ]
  for (const [body, outcome] of refused)
    expect(outcomeOf(await scene.post(at, body)), JSON.stringify(body)).toBe(outcome)
  const elsewhere = `/api/v1/apps/${await scene.app()}/app_users/${id}`
  expect(outcomeOf(await scene.post(elsewhere, {}))).toBe('404/5 ACCOUNT_NOT_FOUND')
  expect(outcomeOf(await scene.post(at, {}, scene.viewer))).toBe('403/7 PERMISSION_DENIED')
})

test('accounts are found by name, address, id and by every filter', async () => {
  const [appA, appB] = [await scene.app(), await scene.app()]
  const ana = await scene.account(appA, {
    displayName: 'Seekable Ana',
    email: 'seek.ana@a.example',
    username: 'seekana',
  })
  const bot = await scene.account(appA, { displayName: 'Seekable Bot', type: 'APP_USER_TYPE_SERVICE_ACCOUNT' })
  const old = await scene.account(appB, {
    displayName: 'Seekable Old',
    status: 'STATUS_DISABLED',
    userId: scene.viewer.userId,
  })
  const all = [ana.id, bot.id, old.id]
  for (const [query, expected] of [
    ['seekable', all],
    ['bot', [bot.id]],
    ['SEEK.ana', [ana.id]],
    ['seekana', [ana.id]],
    [old.id, [old.id]],
  ] as const)
    expect((await search({ query, appIds: [appA, appB] })).toSorted(), query).toEqual(expected)

  const found: [object, string[]][] = [
    [{ appId: appB }, [old.id]],
    [{ appIds: [appA] }, [ana.id, bot.id]],
    [{ appUserIds: [bot.id, old.id] }, [bot.id, old.id]],
    [{ excludeAppUserIds: [bot.id] }, [ana.id, old.id]],
    [
      {
        refs: [
          { appId: appA, id: ana.id },
          { appId: appA, id: old.id },
        ],
      },
      [ana.id],
    ],
    [{ userIds: [scene.viewer.userId] }, [old.id]],
    [{ appUserTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT'] }, [bot.id]],
    [{ appUserStatuses: ['STATUS_DISABLED'] }, [old.id]],
    [{ appUserStatuses: ['STATUS_DELETED'] }, []],
    [{ excludeDeletedApps: true }, all],
  ]
  for (const [filter, expected] of found)
    for (const query of ['', 'seek'])
      expect(
        (await search({ query, appIds: [appA, appB], ...filter })).toSorted(),
        JSON.stringify([filter, query]),
      ).toEqual('appId' in filter ? all : expected)
  expect(await search({ appId: appB })).toEqual([old.id])
  const byApp = { sortBy: 'APP_USER_SEARCH_SORT_BY_APP', appIds: [appA, appB] }
  expect((await search(byApp)).toSorted()).toEqual(all)
  // By name, they are in the order of their names.
  const refused = await scene.post('/api/v1/search/app_users', { ...byApp, query: 'seek' })
  expect(outcomeOf(refused)).toBe('400/3 FIELD_NOT_SUPPORTED')
})

test('a basic user finds their own accounts alone', async () => {
  const appId = await scene.app()
  const own = await scene.account(appId, { userId: scene.basic.userId, displayName: 'Ownly' })
  await scene.account(appId, { userId: scene.admin.userId, displayName: 'Ownly' })
  await scene.account(appId, { displayName: 'Ownly' })
  expect(await search({ appId }, scene.basic)).toEqual([own.id])
  expect(await search({ query: 'ownly' }, scene.basic)).toEqual([own.id])
  expect(await search({ appId, userIds: [scene.admin.userId] }, scene.basic)).toEqual([])
})
