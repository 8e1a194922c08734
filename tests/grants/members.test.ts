import { expect, test } from 'vitest'
import { type Json, outcomeOf } from '../fixture/access.ts'
import { idsOf, prepare, type Ref } from './scene.ts'

const scene = prepare()
const of = ({ appId, id }: Ref): string => `/api/v1/apps/${appId}/entitlements/${id}`
const add = (entitlement: Ref, userIds: string[], by = scene.admin) =>
  scene.post(`${of(entitlement)}/add-manual-user`, { userIds }, by)
const holders = async (entitlement: Ref): Promise<Json[]> => scene.all(`${of(entitlement)}/users`)
const grants = async (entitlement: Ref): Promise<Json[]> => scene.all(`${of(entitlement)}/grants`)
const rows = (entitlement: Ref) => scene.server.db<
  { source: string; ended_why: string | null; ended_by: string | null }[]
>`
  select source, ended_why, ended_by from grants where entitlement_id = ${entitlement.id} order by grant_id`

test('users are granted an entitlement manually, through their account or a new one', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const { appId } = entitlement
  const [withAccount, without] = [
    await scene.user(),
    await scene.user({ displayName: 'Neo Newcomer', username: 'neo' }),
  ]
  const disabled = await scene.account(appId, { userId: withAccount, status: 'STATUS_DISABLED' })
  const account = await scene.account(appId, { userId: withAccount })
  const reply = await add(entitlement, [withAccount, without, withAccount])
  expect(reply.json).toEqual({
    bulkActionId: expect.stringMatching(/^[0-9A-Za-z]{27}$/) as unknown,
    failedUsersErrorMap: {},
  })

  const listed = await holders(entitlement)
  expect(idsOf(listed, 'appUserId')).toContain(account.id)
  expect(idsOf(listed, 'appUserId')).not.toContain(disabled.id)
  const made = listed.find((item) => item['appUserId'] !== account.id) as Json
  expect(made).toMatchObject({
    appId,
    appEntitlementId: entitlement.id,
    appEntitlementUserBindingDeprovisionAt: null,
    appUser: { appUser: { identityUserId: without, displayName: 'Neo Newcomer', username: 'neo' } },
  })
  const events = await scene.logged('app.v1.AppEntitlements.AddManuallyManagedMembers')
  expect(events.at(-1)?.resources.map(({ type }) => type)).toEqual(['entitlement', 'account', 'grant', 'grant'])
  expect(events.at(-1)?.resources[0]?.data).toMatchObject({ bulkActionId: reply.json['bulkActionId'] })

  expect((await add(entitlement, [withAccount, without])).status).toBe(200)
  expect((await add(entitlement, [])).status).toBe(200)
  expect(await rows(entitlement)).toHaveLength(2)
  expect(await scene.logged('app.v1.AppEntitlements.AddManuallyManagedMembers')).toHaveLength(events.length)
})

test('who holds something is listed with the reasons that hold at that moment, from each source', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const account = await scene.account(entitlement.appId, { userId: scene.basic.userId })
  const runId = scene.access.world.newId()
  await scene.grant(entitlement, account, { source: 'rule', grantedBy: runId, beganAt: new Date('2024-01-01') })
  const between = new Date('2024-06-01').toISOString()
  await add(entitlement, [scene.basic.userId])
  const { appId, id } = entitlement
  const search = { userId: scene.basic.userId, entitlementRefs: [{ appId, id }] }
  const listed = async (asOf: string): Promise<Json[]> => [
    ...(await scene.all(`${of(entitlement)}/users${asOf && `?as_of=${asOf}`}`)),
    ...(await scene.all('/api/v1/search/grants', { ...search, asOf: asOf || null })).map(
      (row) => row['appEntitlementUserBinding'] as Json,
    ),
  ]
  const byRule = { appUserId: account.id, derivedIdType: 'rule', derivedIdData: runId, deletedAt: null }
  const byHand = { appUserId: account.id, derivedIdType: 'manual', derivedIdData: scene.admin.userId, deletedAt: null }
  for (const row of await listed('')) expect(row).toMatchObject({ grantReasons: [byRule, byHand] })
  for (const row of await listed(between)) expect(row).toMatchObject({ grantReasons: [byRule] })
  expect([...(await listed('')), ...(await listed(between))]).toHaveLength(4)
})

test('unknown users are listed in the map of errors, and do not affect the others', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const other = await scene.access.makeTenant('members.other.example')
  const stranger = await scene.access.makeUser({ tenant: other })
  const nobody = scene.access.world.newId()
  const reply = await add(entitlement, [scene.basic.userId, nobody, stranger])
  expect(reply.json).toMatchObject({
    failedUsersErrorMap: { [nobody]: `There is no user ${nobody}.`, [stranger]: `There is no user ${stranger}.` },
  })
  expect(Object.keys(reply.json['failedUsersErrorMap'] as object)).toHaveLength(2)
  expect(await holders(entitlement)).toHaveLength(1)
  const none = await add(await scene.entitlement(await scene.app()), [nobody, nobody])
  expect(none.json['failedUsersErrorMap']).toEqual({ [nobody]: `There is no user ${nobody}.` })
  expect(outcomeOf(await add({ ...entitlement, id: nobody }, []))).toBe('404/5 ENTITLEMENT_NOT_FOUND')
  expect(outcomeOf(await add({ ...entitlement, appId: nobody }, []))).toBe('404/5 APP_NOT_FOUND')
  expect(outcomeOf(await add(entitlement, [], scene.viewer))).toBe('403/7 PERMISSION_DENIED')
})

test('two who add at once give one grant by one account', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const users = [await scene.user(), await scene.user(), await scene.user()]
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, i) => add(entitlement, i % 2 === 0 ? users : users.toReversed())),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
  expect(await rows(entitlement)).toHaveLength(3)
  expect(await holders(entitlement)).toHaveLength(3)
  expect(await scene.all(`/api/v1/apps/${entitlement.appId}/app_users`)).toHaveLength(3)
})

test('where the entitlement says how long a grant lasts, it lasts that long', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  await scene.server.db`update entitlements set duration_grant_seconds = 3600 where entitlement_id = ${entitlement.id}`
  await add(entitlement, [scene.basic.userId])
  const [held] = await holders(entitlement)
  const since = Date.parse(held?.['appEntitlementUserBindingCreatedAt'] as string)
  expect(Date.parse(held?.['appEntitlementUserBindingDeprovisionAt'] as string)).toBe(since + 3_600_000)
})

test('what is held for several reasons is held once, since the first and until the last', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const account = await scene.account(entitlement.appId, { userId: scene.basic.userId })
  const at = (day: number) => new Date(Date.UTC(2026, 0, day))
  const soon = new Date(Date.now() + 3_600_000)
  await scene.grant(entitlement, account, { source: 'import', grantedAt: at(2), beganAt: at(3), expiresAt: soon })
  await scene.grant(entitlement, account, { source: 'rule', grantedBy: 'run 7', beganAt: at(1), grantedAt: at(1) })
  const listed = await holders(entitlement)
  expect(listed).toHaveLength(1)
  expect(listed[0]).toMatchObject({
    appEntitlementUserBindingCreatedAt: at(1).toISOString(),
    appEntitlementUserBindingDeprovisionAt: null,
  })
  const [told] = await grants(entitlement)
  expect(told).toMatchObject({
    appUserId: account.id,
    appUser: { id: account.id },
    user: { id: scene.basic.userId },
    discovered: at(1).toISOString(),
    expired: null,
    grantReasons: [
      { derivedIdType: 'import', derivedIdData: '', reasonExpiresAt: soon.toISOString(), deletedAt: null },
      { derivedIdType: 'rule', derivedIdData: 'run 7', createdAt: at(1).toISOString(), reasonExpiresAt: null },
    ],
  })
})

test('an entitlement is taken from an account for whatever reasons it is held, and the record says by whom', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const account = await scene.account(entitlement.appId, { userId: scene.basic.userId })
  await scene.grant(entitlement, account)
  await add(entitlement, [scene.basic.userId])
  const remove = (appUserId: string, by = scene.admin) =>
    scene.remove(`${of(entitlement)}/remove-membership`, { appUserId }, by)
  expect((await remove(account.id)).json).toEqual({ revokeTaskId: '' })
  expect(await holders(entitlement)).toEqual([])
  expect(await rows(entitlement)).toEqual([
    { source: 'import', ended_why: 'revoked', ended_by: scene.admin.userId },
    { source: 'manual', ended_why: 'revoked', ended_by: scene.admin.userId },
  ])
  expect(await grants(entitlement)).toMatchObject([
    {
      expired: expect.any(String) as unknown,
      grantReasons: [
        { derivedIdType: 'import', deletedAt: expect.any(String) as unknown },
        { derivedIdType: 'manual', derivedIdData: scene.admin.userId, deletedAt: expect.any(String) as unknown },
      ],
    },
  ])
  const events = await scene.logged('app.v1.AppEntitlements.RemoveEntitlementMembership')
  expect(events.at(-1)?.resources).toHaveLength(2)

  expect(outcomeOf(await remove(account.id))).toBe('404/5 GRANT_NOT_FOUND')
  expect(outcomeOf(await remove('nobody'))).toBe('404/5 ACCOUNT_NOT_FOUND')
  expect(outcomeOf(await remove(''))).toBe('400/3 INPUT_INVALID')
  expect(outcomeOf(await remove(account.id, scene.viewer))).toBe('403/7 PERMISSION_DENIED')
  const elsewhere = `/api/v1/apps/${entitlement.appId}/entitlements/nothing/remove-membership`
  expect(outcomeOf(await scene.remove(elsewhere, { appUserId: account.id }))).toBe('404/5 ENTITLEMENT_NOT_FOUND')
})

test('new terms end the row and begin another: since when it is held stays, and it is no removal', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const account = await scene.account(entitlement.appId, { userId: scene.basic.userId })
  const since = new Date(Date.UTC(2026, 0, 1))
  await scene.grant(entitlement, account, { grantedAt: since, beganAt: since })
  const users = `${of(entitlement)}/users/${account.id}`
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const limited = await scene.post(`${users}/update-grant-duration`, { newDeprovisionAt: until })
  expect(limited.json).toEqual({
    binding: {
      appId: entitlement.appId,
      appEntitlementId: entitlement.id,
      appUserId: account.id,
      createdAt: since.toISOString(),
      deprovisionAt: until,
      deletedAt: null,
      grantSources: [],
    },
  })
  expect((await scene.post(`${users}/update-grant-duration`, { newDeprovisionAt: until })).json).toEqual(limited.json)
  const freed = await scene.post(`${users}/remove-grant-duration`, {})
  expect(freed.json).toMatchObject({ binding: { createdAt: since.toISOString(), deprovisionAt: null } })
  expect((await rows(entitlement)).map(({ ended_why }) => ended_why)).toEqual(['restated', 'restated', null])
  const feed = await scene.all('/api/v1/grants/feed', { appEntitlementRefs: [entitlement] })
  expect(feed.map(({ feed: event }) => (event as Json)['eventType'])).toEqual(['GRANT_EVENT_TYPE_ADDED'])
  expect(await scene.all('/api/v1/search/past-grants', { appEntitlementRefs: [entitlement] })).toEqual([])
  expect(await scene.logged('app.v1.AppEntitlementUserBindingService.UpdateGrantDuration')).toHaveLength(1)
})

test('terms that cannot be are refused, and so are those of what is not held', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const account = await scene.account(entitlement.appId)
  const update = (body: object, by = scene.admin) =>
    scene.post(`${of(entitlement)}/users/${account.id}/update-grant-duration`, body, by)
  const future = { newDeprovisionAt: new Date(Date.now() + 60_000).toISOString() }
  expect(outcomeOf(await update(future))).toBe('404/5 GRANT_NOT_FOUND')
  await scene.grant(entitlement, account)
  expect(outcomeOf(await update({}))).toBe('400/3 INPUT_INVALID')
  expect(outcomeOf(await update({ newDeprovisionAt: '2020-01-01T00:00:00Z' }))).toBe('400/3 INPUT_INVALID')
  expect(outcomeOf(await update(future, scene.viewer))).toBe('403/7 PERMISSION_DENIED')
  const gone = `${of(entitlement)}/users/nobody/remove-grant-duration`
  expect(outcomeOf(await scene.post(gone, {}))).toBe('404/5 ACCOUNT_NOT_FOUND')
})

test('the accounts through which a user has access are shown to the user and to callers who may see everyone', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const accounts = [
    await scene.account(entitlement.appId, { userId: scene.basic.userId }),
    await scene.account(entitlement.appId, { userId: scene.basic.userId }),
  ]
  for (const account of accounts) await scene.grant(entitlement, account)
  await scene.account(entitlement.appId, { userId: scene.basic.userId })
  const at = (userId: string) => `${of(entitlement)}/users/${userId}/grants`
  for (const by of [scene.basic, scene.viewer]) {
    const reply = await scene.get(at(scene.basic.userId), by)
    expect(idsOf(reply.json['bindings'] as Json[], 'appUserId')).toEqual(accounts.map(({ id }) => id))
  }
  expect((await scene.get(at(scene.viewer.userId))).json).toEqual({ bindings: [] })
  expect(outcomeOf(await scene.get(at(scene.viewer.userId), scene.basic))).toBe('404/5 USER_NOT_FOUND')
  expect(outcomeOf(await scene.get(at('nobody')))).toBe('404/5 USER_NOT_FOUND')
})

test('what an account holds is listed to its end, to its owner and to those who may see everyone', async () => {
  const appId = await scene.app()
  const account = await scene.account(appId, { userId: scene.basic.userId })
  const stranger = await scene.account(appId)
  const held = []
  for (let i = 0; i < 12; i++) {
    const entitlement = await scene.entitlement(appId, `Thing ${i}`)
    await scene.grant(entitlement, account)
    held.push(entitlement.id)
  }
  for (const path of [`/api/v1/apps/${appId}/entitlements/users`, `/api/v1/search/apps/${appId}/entitlements/users`]) {
    const listed = await scene.all(`${path}/${account.id}`, null, scene.basic)
    expect(idsOf(listed, 'appEntitlement', 'id')).toEqual(held)
    expect(listed[3]).toMatchObject({ appEntitlement: { displayName: 'Thing 3', grantCount: '1' } })
    expect(await scene.all(`${path}/${stranger.id}`)).toEqual([])
    expect(outcomeOf(await scene.get(`${path}/${stranger.id}`, scene.basic))).toBe('404/5 ACCOUNT_NOT_FOUND')
  }
  expect(outcomeOf(await scene.get(`/api/v1/apps/${appId}/entitlements/${held[0]}/users`, scene.basic))).toBe(
    '403/7 PERMISSION_DENIED',
  )
})

test('who holds something is paged to the end while others come and go: nobody twice, nobody missed', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const accounts: string[] = []
  for (let i = 0; i < 34; i++) {
    const account = await scene.account(entitlement.appId)
    await scene.grant(entitlement, account)
    accounts.push(account.id)
  }
  const seen: string[] = []

  for (let token = ''; ; ) {
    const reply = await scene.get(`${of(entitlement)}/users?page_size=10&page_token=${token}`)
    const ids = idsOf(reply.json['list'] as Json[], 'appUserId')
    seen.push(...ids)
    token = reply.json['nextPageToken'] as string
    if (token === '') break

    await scene.remove(`${of(entitlement)}/remove-membership`, { appUserId: ids.at(-1) })
    await add(entitlement, [await scene.user()])
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(accounts.filter((id) => !seen.includes(id))).toEqual([])
  expect(await holders(entitlement)).toHaveLength(accounts.length)
})

test('a deleted entitlement is held by nobody, and its past is still told as of then', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const account = await scene.account(entitlement.appId)
  await scene.grant(entitlement, account)
  const then = new Date().toISOString()
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect((await scene.remove(of(entitlement), {})).status).toBe(200)
  expect(outcomeOf(await scene.get(`${of(entitlement)}/users`))).toBe('404/5 ENTITLEMENT_NOT_FOUND')
  expect(await scene.all(`${of(entitlement)}/users?as_of=${then}`)).toHaveLength(1)
  expect(await scene.all('/api/v1/search/grants', { entitlementRefs: [entitlement], asOf: then })).toHaveLength(1)
  expect(await scene.all('/api/v1/search/grants', { entitlementRefs: [entitlement] })).toEqual([])
})

test('a manual grant expires when its giver says, in place of the time of the entitlement; the log names what it tells of', async () => {
  const entitlement = await scene.entitlement(await scene.app(), 'Night shift')
  await scene.server.db`update entitlements set duration_grant_seconds = 3600 where entitlement_id = ${entitlement.id}`
  const userId = await scene.user()
  const grant = (expiresAt: string) =>
    scene.post(`${of(entitlement)}/add-manual-user`, { userIds: [userId], expiresAt })
  expect(outcomeOf(await grant('2020-01-01T00:00:00Z'))).toBe('400/3 INPUT_INVALID')
  expect(await holders(entitlement)).toEqual([])
  expect((await grant('2099-01-01T00:00:00Z')).status).toBe(200)
  const [held] = await holders(entitlement)
  expect(held?.['appEntitlementUserBindingDeprovisionAt']).toBe('2099-01-01T00:00:00.000Z')

  const accountId = held?.['appUserId'] as string
  const until = { newDeprovisionAt: '2098-01-01T00:00:00Z' }
  await scene.post(`${of(entitlement)}/users/${accountId}/update-grant-duration`, until)
  await scene.remove(`${of(entitlement)}/remove-membership`, { appUserId: accountId })
  const last = async (operation: string) => (await scene.logged(operation)).at(-1)?.message
  expect([
    await last('app.v1.AppEntitlementUserBindingService.UpdateGrantDuration'),
    await last('app.v1.AppEntitlements.RemoveEntitlementMembership'),
  ]).toEqual([
    expect.stringMatching(/^Changed the expiry of Night shift for .+: expires at 2098-01-01T00:00:00.000Z$/),
    expect.stringMatching(/^Revoked Night shift from .+$/),
  ])
})
