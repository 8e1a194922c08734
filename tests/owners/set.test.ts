import { describe, expect, test } from 'vitest'
import { fieldsOf, type Json, outcomeOf } from '../fixture/access.ts'
import { bodyOf, done, nobody, prepare } from './support.ts'

const scene = prepare()
const rowsOf = async (id: string): Promise<number> => {
  const [row] = await scene.server.db<{ count: number }[]>`select count(*) from owners where object_id = ${id}`
  return Number(row?.count)
}

/** Each kind of thing that has owners: made, and where it is. */
const kinds = {
  app: async () => {
    const appId = await scene.app()
    return { id: appId, path: `apps/${appId}`, tells: { appId } }
  },
  entitlement: async () => {
    const { appId, id } = await scene.entitlement(await scene.app())
    return { id, path: `apps/${appId}/entitlements/${id}`, tells: { appId, entitlementId: id } }
  },
  resource: async () => {
    const appId = await scene.app()
    const { typeId, id } = await scene.resource(appId)
    const path = `apps/${appId}/resource_types/${typeId}/resources/${id}`
    return { id, path, tells: { appId, resourceTypeId: typeId, resourceId: id } }
  },
  account: async () => {
    const { appId, id } = await scene.account(await scene.app())
    return { id, path: `apps/${appId}/users/${id}`, tells: { appId, userId: id } }
  },
  user: async () => {
    const id = await scene.user()
    return { id, path: `users/${id}`, tells: { userId: id } }
  },
  connector: async () => {
    const appId = await scene.app()
    const made = done(await scene.send('POST', `/api/v1/apps/${appId}/connectors`, { displayName: 'LDAP' }))
    const { id } = (made['connectorView'] as { connector: { id: string } }).connector
    return { id, path: `apps/${appId}/connectors/${id}`, tells: { appId, connectorId: id } }
  },
}

/** What replies call an owner of such a thing. */
const fieldOf = (kind: string): string =>
  ({ app: 'appOwner', account: 'appUserOwner', user: 'userOwner', connector: 'connectorOwner' })[kind] ??
  `app${kind[0]?.toUpperCase()}${kind.slice(1)}Owner`

describe.each(Object.entries(kinds))('the owners of an %s', (kind, make) => {
  test('are set, seen, added to and taken from', async () => {
    const { path, tells } = await make()
    const [anna, bert] = [await scene.user({ displayName: 'Anna' }), await scene.user()]
    const group = await scene.entitlement(await scene.app(), 'The group')
    await scene.set(path, 'primary', { users: [anna], entitlements: [group] })
    const ofGroup = `primary ${group.appId} ${group.id}`
    expect(await scene.named(path)).toEqual([`primary ${anna}`, ofGroup].toSorted())

    const [item] = (await scene.all(`/api/v2/${path}/owners/users`)) as [Json]
    expect(item).toMatchObject({ ...tells, roleSlug: 'primary', user: { id: anna, displayName: 'Anna' } })
    expect(new Date(item['createdAt'] as string).getTime()).toBeGreaterThan(Date.now() - 60_000)
    const [of] = (await scene.all(`/api/v2/${path}/owners/entitlements`)) as [Json]
    expect(of).toMatchObject({
      ...tells,
      roleSlug: 'primary',
      appEntitlement: { id: group.id, displayName: 'The group' },
    })

    const created = done(await scene.send('POST', `/api/v2/${path}/owners/users/backup/${bert}`, {}))
    const owner = fieldOf(kind)
    expect(created[`${owner}User`]).toMatchObject({ ...tells, roleSlug: 'backup', user: { id: bert } })
    const ref = `${group.appId}/${group.id}`
    const again = done(await scene.send('POST', `/api/v2/${path}/owners/entitlements/primary/${ref}`, {}))
    expect(again[`${owner}Entitlement`]).toEqual(of)
    expect(await scene.named(path)).toEqual([`backup ${bert}`, `primary ${anna}`, ofGroup].toSorted())

    done(await scene.send('DELETE', `/api/v2/${path}/owners/users/backup/${bert}`, {}))
    done(await scene.send('DELETE', `/api/v2/${path}/owners/entitlements/primary/${ref}`))
    expect(await scene.named(path)).toEqual([`primary ${anna}`])
    for (const gone of [`users/backup/${bert}`, `users/backup/${anna}`, `entitlements/primary/${ref}`])
      expect(outcomeOf(await scene.send('DELETE', `/api/v2/${path}/owners/${gone}`)), gone).toBe(
        '404/5 OWNER_NOT_FOUND',
      )
  })

  test('of what there is not are not found', async () => {
    const { path, id } = await make()
    const elsewhere = path.replace(id, nobody)
    const reason = `404/5 ${kind.toUpperCase()}_NOT_FOUND`
    expect(outcomeOf(await scene.send('GET', `/api/v2/${elsewhere}/owners/users`))).toBe(reason)
    expect(outcomeOf(await scene.send('PUT', `/api/v2/${elsewhere}/owners`, bodyOf('primary', {})))).toBe(reason)
  })
})

const askedForAlone = ['app', 'entitlement', 'resource', 'connector'] as const
test.each(askedForAlone)('one owner of an %s can be asked for alone', async (kind) => {
  const { path } = await kinds[kind]()
  const [anna, group] = [await scene.user(), await scene.entitlement(await scene.app())]
  await scene.set(path, 'primary', { users: [anna], entitlements: [group] })
  const owner = fieldOf(kind)
  const at = `/api/v2/${path}/owners`
  const ref = `${group.appId}/${group.id}`
  const [user] = await scene.all(`${at}/users`)
  const [entitlement] = await scene.all(`${at}/entitlements`)
  expect(done(await scene.send('GET', `${at}/users/primary/${anna}`))).toEqual({ [`${owner}User`]: user })
  expect(done(await scene.send('GET', `${at}/entitlements/primary/${ref}`))).toEqual({
    [`${owner}Entitlement`]: entitlement,
  })
  for (const other of [`users/backup/${anna}`, `users/primary/${nobody}`, `entitlements/backup/${ref}`])
    expect(outcomeOf(await scene.send('GET', `${at}/${other}`)), other).toBe('404/5 OWNER_NOT_FOUND')
})

describe('Set', () => {
  test('replaces the owners of its role, and leaves other roles alone', async () => {
    const path = `apps/${await scene.app()}`
    const [a, b, c] = [await scene.user(), await scene.user(), await scene.user()]
    await scene.set(path, 'primary', { users: [a, b] })
    await scene.set(path, 'security', { users: [a] })
    await scene.set(path, 'primary', { users: [b, c] })
    expect(await scene.named(path)).toEqual([`primary ${b}`, `primary ${c}`, `security ${a}`].toSorted())
  })

  test.each([
    ['empty lists', { userRefs: [], appEntitlementRefs: [] }],
    ['absent lists', {}],
    ['null for lists', { userRefs: null, appEntitlementRefs: null }],
  ])('with %s clears the role', async (_what, body) => {
    const path = `apps/${await scene.app()}`
    const group = await scene.entitlement(await scene.app())
    await scene.set(path, 'primary', { users: [await scene.user()], entitlements: [group] })
    done(await scene.send('PUT', `/api/v2/${path}/owners`, { roleSlug: 'primary', ...body }))
    expect(await scene.named(path)).toEqual([])
  })

  test('counts who is named twice once', async () => {
    const path = `apps/${await scene.app()}`
    const [a, group] = [await scene.user(), await scene.entitlement(await scene.app())]
    await scene.set(path, 'primary', { users: [a, a], entitlements: [group, group] })
    expect(await scene.named(path)).toHaveLength(2)
  })

  test('touches what changes and nothing else: one of fifty is one row out and one in', async () => {
    const appId = await scene.app()
    const users = await Promise.all(Array.from({ length: 51 }, () => scene.user()))
    await scene.set(`apps/${appId}`, 'primary', { users: users.slice(0, 50) })
    expect(await rowsOf(appId)).toBe(50)
    await scene.set(`apps/${appId}`, 'primary', { users: users.slice(1) })
    expect(await rowsOf(appId)).toBe(51)
    const since = await scene.server.db`
      select 1 from owners where object_id = ${appId} and ended_at is null and user_id = ${users[1] as string}`
    expect(since).toHaveLength(1)
  })

  test('that changes nothing writes nothing, and tells nothing', async () => {
    const appId = await scene.app()
    const owners = { users: [await scene.user()], entitlements: [await scene.entitlement(appId)] }
    await scene.set(`apps/${appId}`, 'primary', owners)
    const before = (await scene.logged('app.v2.AppOwners.Set')).length
    await scene.set(`apps/${appId}`, 'primary', owners)
    expect([await rowsOf(appId), (await scene.logged('app.v2.AppOwners.Set')).length]).toEqual([2, before])
  })

  test('tells the system log who came and who went', async () => {
    const appId = await scene.app('Ledger')
    const [a, b, group] = [await scene.user(), await scene.user(), await scene.entitlement(appId)]
    await scene.set(`apps/${appId}`, 'primary', { users: [a] })
    await scene.set(`apps/${appId}`, 'primary', { users: [b], entitlements: [group] })
    const event = (await scene.logged('app.v2.AppOwners.Set')).at(-1)
    expect(event?.message).toBe('Changed who owns the app Ledger in the role primary')
    const [of, ...owners] = event?.resources ?? []
    expect(of).toMatchObject({ type: 'app', uid: appId, name: 'Ledger', data: { roleSlug: 'primary' } })
    expect(owners.map(({ type, data }) => ({ type, ...data }))).toEqual([
      { type: 'owner', change: 'removed', userId: a },
      { type: 'owner', change: 'added', userId: b },
      { type: 'owner', change: 'added', appId, appEntitlementId: group.id },
    ])
  })

  test('refuses the whole call for an unknown user or entitlement, and names them all', async () => {
    const appId = await scene.app()
    const [known, strange] = [await scene.user(), nobody.replace(/0$/, '7')]
    const path = `/api/v2/apps/${appId}/owners`
    await scene.set(`apps/${appId}`, 'primary', { users: [known] })
    const users = await scene.send('PUT', path, bodyOf('primary', { users: [nobody, known, strange, ''] }))
    expect(outcomeOf(users)).toBe('404/5 USER_NOT_FOUND')
    for (const id of [nobody, strange]) expect(users.json['message']).toContain(id)
    expect(users.json['message']).not.toContain(known)
    const ref = { appId: nobody, id: strange }
    const entitlements = await scene.send('PUT', path, bodyOf('primary', { entitlements: [ref] }))
    expect(outcomeOf(entitlements)).toBe('404/5 ENTITLEMENT_NOT_FOUND')
    expect(entitlements.json['message']).toContain(strange)
    const both = await scene.send('PUT', path, bodyOf('primary', { users: [nobody], entitlements: [ref] }))
    expect(outcomeOf(both)).toBe('404/5 USER_NOT_FOUND')
    expect(both.json['message']).toContain(strange)
    // An entitlement of another app than is said is unknown too.
    const other = await scene.entitlement(await scene.app())
    const misplaced = bodyOf('primary', { entitlements: [{ appId, id: other.id }] })
    expect(outcomeOf(await scene.send('PUT', path, misplaced))).toBe('404/5 ENTITLEMENT_NOT_FOUND')
    expect(await scene.named(`apps/${appId}`)).toEqual([`primary ${known}`])
    expect(await rowsOf(appId)).toBe(1)
  })

  test('takes at most 1,000 refs a call, users and entitlements together', async () => {
    const path = `/api/v2/apps/${await scene.app()}/owners`
    const ids = (count: number) => Array.from({ length: count }, (_, i) => String(i).padStart(27, '0'))
    const refs = (count: number) => ids(count).map((id) => ({ appId: nobody, id }))
    for (const owners of [
      { users: ids(1001) },
      { entitlements: refs(1001) },
      { users: ids(500), entitlements: refs(501) },
    ])
      expect(outcomeOf(await scene.send('PUT', path, bodyOf('primary', owners)))).toBe('400/3 INPUT_INVALID')
    expect(outcomeOf(await scene.send('PUT', path, bodyOf('primary', { users: ids(1000) })))).toBe(
      '404/5 USER_NOT_FOUND',
    )
  })

  test('of a thousand users sets them all', async () => {
    const appId = await scene.app()
    const rows = await scene.server.db<{ id: string }[]>`
      insert into users (tenant_id, user_id, display_name, created_at, updated_at)
      select ${scene.access.tenant.id}, lpad(n::text, 27, 'M'), 'Many ' || n, now(), now() from generate_series(1, 1000) n
      returning user_id as id`
    await scene.set(`apps/${appId}`, 'primary', { users: rows.map(({ id }) => id) })
    expect(await rowsOf(appId)).toBe(1000)
    expect(await scene.all(`/api/v2/apps/${appId}/owners/users`, null, scene.admin, 100)).toHaveLength(1000)
  })
})

describe('a role', () => {
  const put = async (roleSlug: unknown) =>
    scene.send('PUT', `/api/v2/apps/${await scene.app()}/owners`, { roleSlug, userRefs: [] })

  test.each(['primary', 'p', '0', 'a-b_c', 'x'.repeat(64)])('may be called %s', async (slug) => {
    done(await put(slug))
  })

  test.each(['', undefined, null, 'Primary', '-a', '_a', 'a b', 'x'.repeat(65), 'ä', 7])(
    'may not be called %s',
    async (slug) => {
      const reply = await put(slug)
      expect(outcomeOf(reply)).toBe('400/3 INPUT_INVALID')
      expect(fieldsOf(reply)).toEqual(['roleSlug'])
    },
  )

  test('in an address is held to the same', async () => {
    const appId = await scene.app()
    const user = await scene.user()
    for (const method of ['POST', 'DELETE']) {
      const reply = await scene.send(method, `/api/v2/apps/${appId}/owners/users/Not%20so/${user}`, {})
      expect([outcomeOf(reply), fieldsOf(reply)]).toEqual(['400/3 INPUT_INVALID', ['role_slug']])
    }
    const search = await scene.send('GET', `/api/v2/apps/${appId}/owners/users?role_slug=Not%20so`)
    expect([outcomeOf(search), fieldsOf(search)]).toEqual(['400/3 INPUT_INVALID', ['roleSlug']])
  })
})

test('a search is of one role where one is named, and pages through all', async () => {
  const path = `apps/${await scene.app()}`
  const users = (await Promise.all(Array.from({ length: 25 }, () => scene.user()))).toSorted()
  await scene.set(path, 'primary', { users })
  await scene.set(path, 'backup', { users: users.slice(0, 3) })
  expect(await scene.named(path)).toHaveLength(28)
  expect(await scene.named(path, '&role_slug=backup')).toHaveLength(3)
  const paged = await scene.all(`/api/v2/${path}/owners/users?role_slug=primary`)
  expect(paged.map((item) => (item['user'] as Json)['id'])).toEqual(users)
  expect(await scene.named(path, '&role_slug=other')).toEqual([])
})

test('a body may repeat what the address names, and must not name another', async () => {
  const appId = await scene.app()
  const [user, other, group] = [await scene.user(), await scene.user(), await scene.entitlement(appId)]
  const at = `/api/v2/apps/${appId}/owners`
  for (const method of ['POST', 'DELETE']) {
    const wrong = await scene.send(method, `${at}/users/primary/${user}`, { userRef: { id: other } })
    expect([outcomeOf(wrong), fieldsOf(wrong)]).toEqual(['400/3 INPUT_INVALID', ['userRef.id']])
    done(await scene.send(method, `${at}/users/primary/${user}`, { userRef: { id: user } }))
    const where = `${at}/entitlements/primary/${appId}/${group.id}`
    const wrongRef = await scene.send(method, where, { appEntitlementRef: { appId, id: other } })
    expect([outcomeOf(wrongRef), fieldsOf(wrongRef)]).toEqual(['400/3 INPUT_INVALID', ['appEntitlementRef.id']])
    done(await scene.send(method, where, { appEntitlementRef: group }))
  }
})

describe('the app user in a path', () => {
  test('is named by its own id, or by the id of a user who has just the one', async () => {
    const [appId, userId, owner] = [await scene.app(), await scene.user(), await scene.user()]
    const account = await scene.account(appId, { userId })
    await scene.account(await scene.app(), { userId })
    await scene.set(`apps/${appId}/users/${userId}`, 'primary', { users: [owner] })
    expect(await scene.named(`apps/${appId}/users/${account.id}`)).toEqual([`primary ${owner}`])
    const [item] = (await scene.all(`/api/v2/apps/${appId}/users/${userId}/owners/users`)) as [Json]
    expect(item['userId']).toBe(account.id)
  })

  test('is refused where that user has several, or none', async () => {
    const [appId, userId] = [await scene.app(), await scene.user()]
    const path = `/api/v2/apps/${appId}/users/${userId}/owners`
    expect(outcomeOf(await scene.send('PUT', path, bodyOf('primary', {})))).toBe('404/5 ACCOUNT_NOT_FOUND')
    await scene.account(appId, { userId })
    await scene.account(appId, { userId })
    for (const reply of [
      await scene.send('PUT', path, bodyOf('primary', {})),
      await scene.send('GET', `${path}/users`),
    ])
      expect(outcomeOf(reply)).toBe('400/9 ACCOUNT_AMBIGUOUS')
  })
})

test("another tenant's things and people are not there", async () => {
  const other = await scene.access.makeTenant('owners.example.com')
  const stranger = await scene.access.makeUser({ tenant: other })
  const reply = await scene.send(
    'PUT',
    `/api/v2/apps/${await scene.app()}/owners`,
    bodyOf('primary', { users: [stranger] }),
  )
  expect(outcomeOf(reply)).toBe('404/5 USER_NOT_FOUND')
  expect(outcomeOf(await scene.send('GET', `/api/v2/users/${stranger}/owners/users`))).toBe('404/5 USER_NOT_FOUND')
})
