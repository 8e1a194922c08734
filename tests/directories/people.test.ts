import { describe, expect, test } from 'vitest'
import { ask, eventually, getToken, type Json } from '../fixture/access.ts'
import { importRecords } from '../imports/support.ts'
import { signIn } from '../sessions/support.ts'
import { enterpriseUrn, newName, prepare, refusal, userIdOf } from './support.ts'

const scene = prepare()
const address = (name: string): string => `${name}@example.com`
const email = (name: string): Json => ({ emails: [{ value: address(name), type: 'work', primary: true }] })

describe('who a user is', () => {
  test('a new one becomes a user of the record, with what the directory says of them', async () => {
    const scim = await scene.makeDirectory()
    const boss = await scim.makeUser(newName())
    const name = newName()
    const made = await scim.makeUser(name, {
      ...email(name),
      name: { givenName: 'Barbara', familyName: 'Jensen' },
      title: 'Tour Guide',
      userType: 'Employee',
      timezone: 'America/Los_Angeles',
      [enterpriseUrn]: {
        employeeNumber: '701984',
        department: 'Tour Operations',
        costCenter: '4130',
        manager: { value: boss.id },
      },
    })
    const user = await scene.user(await userIdOf(scene, scim, made.id))
    expect(user).toMatchObject({
      displayName: 'Barbara Jensen',
      email: address(name),
      username: name,
      status: 'ENABLED',
      directoryStatus: 'ENABLED',
      type: 'USER_TYPE_HUMAN',
      department: 'Tour Operations',
      jobTitle: 'Tour Guide',
      employmentType: 'Employee',
      employeeIds: ['701984'],
      managerIds: [await userIdOf(scene, scim, boss.id)],
      profile: { givenName: 'Barbara', costCenter: '4130', timezone: 'America/Los_Angeles' },
    })
    const account = await scene.api(`/api/v1/apps/${scim.appId}/app_users/${made.id}`)
    expect(account.status === 200 ? account.json['appUserView'] : { appUser: { username: name } }).toMatchObject({
      appUser: { username: name },
    })
    // What the directory no longer says is gone; what it never said stays.
    await scene.server.db`
      update users set employment_status = 'by hand', profile = profile || '{"shoe": "44"}' where user_id = ${user['id'] as string}`
    await scim.put(`/Users/${made.id}`, {
      userName: name,
      ...email(name),
      displayName: 'Babs',
      [enterpriseUrn]: { costCenter: '1' },
    })
    expect(await scene.user(user['id'] as string)).toMatchObject({
      displayName: 'Babs',
      department: '',
      jobTitle: '',
      employeeIds: [],
      managerIds: [],
      employmentStatus: 'by hand',
      profile: { costCenter: '1', shoe: '44' },
    })
    expect(((await scene.user(user['id'] as string))['profile'] as Json)['givenName']).toBeUndefined()
  })

  test('one who exists already is linked by their email address, unless the directory is not to', async () => {
    const name = newName()
    const userId = await scene.access.makeUser({ email: address(name) })
    const strict = await scene.makeDirectory({ doNotLinkExistingUsers: true })
    expect(refusal(await strict.post('/Users', { userName: name, ...email(name) }))).toBe('409 uniqueness')
    const scim = await scene.makeDirectory()
    const made = await scim.makeUser(name, { emails: [{ value: address(name).toUpperCase() }], title: 'Boss' })
    expect(await userIdOf(scene, scim, made.id)).toBe(userId)
    expect(await scene.user(userId)).toMatchObject({ jobTitle: 'Boss', username: name, status: 'ENABLED' })
    // A second account with the same address would be the same person twice.
    expect(refusal(await scim.post('/Users', { userName: newName(), ...email(name) }))).toBe('409 uniqueness')
    const other = await scim.makeUser(newName())
    const taken = await scim.patch(`/Users/${other.id}`, {
      op: 'add',
      path: 'emails',
      value: [{ value: address(name) }],
    })
    expect(refusal(taken)).toBe('409 uniqueness')
  })

  test('when the source is deleted as a directory, another one is the source from its next change on', async () => {
    const [one, two] = [await scene.makeDirectory(), await scene.makeDirectory()]
    const name = newName()
    const first = await one.makeUser(name, { ...email(name), title: 'From one' })
    const second = await two.makeUser(name, { ...email(name), title: 'From two' })
    const userId = await userIdOf(scene, one, first.id)
    await scene.api(`/api/v1/scim-directories/${one.appId}`, { method: 'DELETE' })
    await two.patch(`/Users/${second.id}`, { op: 'replace', path: 'title', value: 'Later' })
    expect(await scene.user(userId)).toMatchObject({ jobTitle: 'Later' })
    const three = await scene.makeDirectory()
    await scene.api(`/api/v1/scim-directories/${two.appId}`, { method: 'DELETE' })
    await three.makeUser(name, { ...email(name), title: 'From three' })
    expect(await scene.user(userId)).toMatchObject({ jobTitle: 'From three' })
  })

  test('of two directories the first is the source, and the second takes over when the first lets go', async () => {
    const [one, two] = [await scene.makeDirectory(), await scene.makeDirectory({ displayName: 'Entra' })]
    const name = newName()
    const first = await one.makeUser(name, { ...email(name), title: 'From one' })
    const second = await two.makeUser(name, { ...email(name), title: 'From two' })
    const userId = await userIdOf(scene, one, first.id)
    expect(await userIdOf(scene, two, second.id)).toBe(userId)
    expect(await scene.user(userId)).toMatchObject({ jobTitle: 'From one' })
    await two.patch(`/Users/${second.id}`, { op: 'replace', path: 'active', value: false })
    expect(await scene.user(userId)).toMatchObject({ status: 'ENABLED' })
    await two.patch(`/Users/${second.id}`, { op: 'replace', path: 'active', value: true })
    await one.remove(`/Users/${first.id}`)
    expect(await scene.user(userId)).toMatchObject({ status: 'ENABLED' })
    await two.patch(`/Users/${second.id}`, { op: 'replace', path: 'title', value: 'From two, later' })
    expect(await scene.user(userId)).toMatchObject({ jobTitle: 'From two, later' })
    await two.remove(`/Users/${second.id}`)
    expect(await scene.user(userId)).toMatchObject({ status: 'DISABLED', directoryStatus: 'DELETED' })
  })
})

describe('who leaves', () => {
  test('is disabled at once: sessions and tokens end, and all comes back when the directory says so', async () => {
    const scim = await scene.makeDirectory()
    const name = newName()
    const made = await scim.makeUser(name, email(name))
    const userId = await userIdOf(scene, scim, made.id)
    const token = await getToken(scene.server, await scene.access.makeKey(userId))
    const browser = await signIn(scene.server, scene.access, userId)
    const isIn = async () => [
      (await ask(scene.server, '/api/v1/auth/introspect', { token })).status,
      (await browser.ask('/api/v1/auth/introspect')).status,
    ]
    expect(await isIn()).toEqual([200, 200])
    const off = await scim.patch(`/Users/${made.id}`, { op: 'replace', value: { active: false } })
    expect([off.status, off.json.active]).toEqual([200, false])
    expect(await isIn()).toEqual([401, 401])
    expect(await scene.user(userId)).toMatchObject({ status: 'DISABLED', directoryStatus: 'DISABLED' })
    await scim.patch(`/Users/${made.id}`, { op: 'replace', value: { active: true } })
    expect(await scene.user(userId)).toMatchObject({ status: 'ENABLED', directoryStatus: 'ENABLED' })
    expect(await eventually(async () => (await isIn())[0] === 200)).toBe(true)
    await scim.remove(`/Users/${made.id}`)
    expect((await isIn())[0]).toBe(401)
    expect(await scene.user(userId)).toMatchObject({ status: 'DISABLED', directoryStatus: 'DELETED' })
    // Who comes back is the same person.
    const again = await scim.makeUser(name, email(name))
    expect(await userIdOf(scene, scim, again.id)).toBe(userId)
    expect(await scene.user(userId)).toMatchObject({ status: 'ENABLED', directoryStatus: 'ENABLED' })
  })

  test('is disabled at once also when a directory links someone and calls them inactive', async () => {
    const name = newName()
    const first = await scene.makeDirectory()
    const userId = await userIdOf(scene, first, (await first.makeUser(name, email(name))).id)
    await scene.api(`/api/v1/scim-directories/${first.appId}`, { method: 'DELETE' })
    const token = await getToken(scene.server, await scene.access.makeKey(userId))
    const isIn = async () => (await ask(scene.server, '/api/v1/auth/introspect', { token })).status
    const second = await scene.makeDirectory()
    expect(await isIn()).toBe(200)
    await second.makeUser(name, { ...email(name), active: false })
    expect(await isIn()).toBe(401)
  })

  test('whom an import disabled is not enabled by a directory that had disabled them before', async () => {
    const scim = await scene.makeDirectory()
    const name = newName()
    const imported = (status: string) =>
      importRecords(scene.access, [{ kind: 'user', externalId: name, displayName: name, email: address(name), status }])
    await imported('enabled')
    const made = await scim.makeUser(name, email(name))
    const userId = await userIdOf(scene, scim, made.id)
    const says = (active: boolean) => scim.patch(`/Users/${made.id}`, { op: 'replace', path: 'active', value: active })
    await says(false)
    await imported('enabled')
    await says(true)
    expect(await scene.user(userId)).toMatchObject({ status: 'ENABLED' })
    await imported('disabled')
    expect(await scene.user(userId)).toMatchObject({ status: 'DISABLED' })
    await scim.patch(`/Users/${made.id}`, { op: 'replace', path: 'title', value: 'Engineer' })
    expect(await scene.user(userId)).toMatchObject({ status: 'DISABLED', jobTitle: 'Engineer' })
  })

  test('whom an administrator disabled is not enabled by the directory', async () => {
    const scim = await scene.makeDirectory()
    const name = newName()
    const made = await scim.makeUser(name, email(name))
    const userId = await userIdOf(scene, scim, made.id)
    expect((await scene.api(`/api/v1/users/${userId}/disable`, { body: {} })).status).toBe(200)
    await scim.put(`/Users/${made.id}`, { userName: name, ...email(name), active: true, title: 'x' })
    await scim.patch(`/Users/${made.id}`, { op: 'replace', path: 'active', value: false })
    await scim.patch(`/Users/${made.id}`, { op: 'replace', path: 'active', value: true })
    expect(await scene.user(userId)).toMatchObject({ status: 'DISABLED', jobTitle: 'x' })
    // Also not when the directory had disabled them before, and a person enabled and disabled them since.
    const by = (verb: string) => scene.api(`/api/v1/users/${userId}/${verb}`, { body: {} })
    await by('enable')
    await scim.patch(`/Users/${made.id}`, { op: 'replace', path: 'active', value: false })
    await by('enable')
    await by('disable')
    await scim.patch(`/Users/${made.id}`, { op: 'replace', path: 'active', value: true })
    expect(await scene.user(userId)).toMatchObject({ status: 'DISABLED' })
    // Whoever comes in inactive is enabled once they are active.
    const later = await scim.makeUser(newName(), { active: false })
    const laterId = await userIdOf(scene, scim, later.id)
    expect(await scene.user(laterId)).toMatchObject({ status: 'DISABLED' })
    await scim.patch(`/Users/${later.id}`, { op: 'replace', path: 'active', value: 'true' })
    expect(await scene.user(laterId)).toMatchObject({ status: 'ENABLED' })
  })

  test('the last Super Administrator is not locked out, whatever the directory says', async () => {
    const tenant = await scene.access.makeTenant('alone.example.com')
    const host = tenant.domain
    const [root] = await scene.server.db<{ id: string }[]>`
      select user_id as id from users where tenant_id = ${tenant.id} and email = 'owner@example.com'`
    const rootId = root?.id as string
    const token = await getToken(scene.server, await scene.access.makeKey(rootId, {}, tenant))
    const made = await ask(scene.server, '/api/v1/scim-directories', { host, token, body: { displayName: 'Gone mad' } })
    expect(made.status, made.text).toBe(200)
    const { directory, token: secret } = made.json as { directory: { appId: string }; token: string }
    const send = (method: string, path: string, body?: unknown) =>
      ask(scene.server, `/scim/v2/${directory.appId}${path}`, { host, token: secret, method, body })
    const created = await send('POST', '/Users', { userName: 'root', emails: [{ value: 'owner@example.com' }] })
    expect(created.status, created.text).toBe(201)
    const { id } = JSON.parse(created.text) as { id: string }
    const stays = async () => (await ask(scene.server, '/api/v1/auth/introspect', { host, token })).status
    const off = await send('PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', path: 'active', value: false }] })
    expect([off.status, (JSON.parse(off.text) as Json)['active']]).toEqual([200, false])
    expect(await stays()).toBe(200)
    expect((await send('DELETE', `/Users/${id}`)).status).toBe(204)
    expect(await stays()).toBe(200)
    const [events] = await scene.server.db`
      select count(*) as count from systemlog_events
      where tenant_id = ${tenant.id} and event like '%no enabled Super Administrator would be left%'`
    expect(events?.['count']).toBe(2)
  })
})

describe('an identity provider gone mad', () => {
  test('deactivates a fifth; the others wait until a person confirms or dismisses it', async () => {
    const scim = await scene.makeDirectory()
    const people = await Promise.all(Array.from({ length: 25 }, () => scim.makeUser(newName())))
    const group = await scim.post('/Groups', { displayName: 'All', members: people.map(({ id }) => ({ value: id })) })
    const userIds = await Promise.all(people.map(({ id }) => userIdOf(scene, scim, id)))
    const enabled = async () =>
      (
        await scene.server.db<{ count: number }[]>`
        select count(*) from users where user_id = any(${userIds}::text[]) and status = 'ENABLED'`
      )[0]?.count
    for (const { id } of people.slice(0, 12)) {
      const reply = await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
      expect([reply.status, reply.json.active]).toEqual([200, false])
    }
    for (const { id } of people.slice(12, 20)) expect((await scim.remove(`/Users/${id}`)).status).toBe(204)
    const kept = (await enabled()) as number
    expect(kept).toBeGreaterThanOrEqual(18)
    const get = async () => (await scene.api(`/api/v1/scim-directories/${scim.appId}`)).json['directory'] as Json
    expect(await get()).toMatchObject({ heldCount: kept - 5, userCount: 17, heldSince: expect.any(String) as string })
    const held = await scene.api(`/api/v1/scim-directories/${scim.appId}/held?page_size=100`)
    expect(held.json['list']).toHaveLength(kept - 5)
    // Those who were deleted and are held have what they had.
    const [row] = await scene.server.db`
      select count(*) as open from grants where entitlement_id = ${group.json.id} and ended_at is null`
    expect(row?.['open']).toBe(25)
    // For the directory they are gone: who was deleted is no member of a group.
    expect((await scim.get(`/Groups/${group.json.id}`)).json.members).toHaveLength(17)
    // Who is called active again waits no longer.
    await scim.patch(`/Users/${people[11]?.id}`, { op: 'replace', path: 'active', value: true })
    expect(await get()).toMatchObject({ heldCount: kept - 6 })

    const confirmed = await scene.api(`/api/v1/scim-directories/${scim.appId}/held/confirm`, { body: {} })
    expect(confirmed.json).toEqual({ count: kept - 6 })
    expect(await enabled()).toBe(6)
    expect(await get()).toMatchObject({ heldCount: 0, heldSince: null })
    const [after] = await scene.server.db`
      select count(*) as open from grants where entitlement_id = ${group.json.id} and ended_at is null`
    expect(after?.['open']).toBe(17)
    const [events] = await scene.server.db`
      select count(*) as count from systemlog_events where event like ${`%${scim.appId}%`} and event like '%"severity_id":4%'
        and event like '%held deactivations%'`
    expect(events?.['count']).toBe(1)
  })

  test('whom another directory has had since they were deleted stays enabled, also when two confirm at once', async () => {
    const [scim, other] = [await scene.makeDirectory(), await scene.makeDirectory()]
    const names = Array.from({ length: 20 }, newName)
    const people = await Promise.all(names.map((name) => scim.makeUser(name, email(name))))
    for (const { id } of people.slice(0, 6)) expect((await scim.remove(`/Users/${id}`)).status).toBe(204)
    const [kept, gone] = await Promise.all(people.slice(4, 6).map(({ id }) => userIdOf(scene, scim, id)))
    await other.makeUser(names[4] as string, email(names[4] as string))
    const confirm = () => scene.api(`/api/v1/scim-directories/${scim.appId}/held/confirm`, { body: {} })
    const confirmed = await Promise.all([confirm(), confirm()])
    expect(confirmed.map(({ status }) => status)).toEqual([200, 200])
    expect(confirmed.map(({ json }) => Number(json['count'])).toSorted((a, b) => a - b)).toEqual([0, 2])
    expect(await scene.user(kept as string)).toMatchObject({ status: 'ENABLED' })
    expect(await scene.user(gone as string)).toMatchObject({ status: 'DISABLED' })
    const [row] = await scene.server.db`select deleted_at from accounts where account_id = ${people[4]?.id as string}`
    expect(row?.['deleted_at']).not.toBeNull()
  })

  test('deleting those who are inactive already holds nothing', async () => {
    const scim = await scene.makeDirectory()
    const people = await Promise.all(Array.from({ length: 20 }, () => scim.makeUser(newName())))
    for (const { id } of people.slice(0, 4))
      await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    for (const { id } of people.slice(0, 4)) expect((await scim.remove(`/Users/${id}`)).status).toBe(204)
    const reply = await scene.api(`/api/v1/scim-directories/${scim.appId}`)
    expect(reply.json['directory']).toMatchObject({ heldSince: null, heldCount: 0, userCount: 16 })
  })

  test('those whose deactivation is dismissed stay, and the directory is not held any longer', async () => {
    const scim = await scene.makeDirectory()
    const people = await Promise.all(Array.from({ length: 20 }, () => scim.makeUser(newName())))
    const replies = await Promise.all(
      people.map(({ id }) => scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })),
    )
    expect(replies.every(({ status }) => status === 200)).toBe(true)
    const userIds = await Promise.all(people.map(({ id }) => userIdOf(scene, scim, id)))
    const count = async () =>
      (
        await scene.server.db<{ count: number }[]>`
        select count(*) from users where user_id = any(${userIds}::text[]) and status = 'ENABLED'`
      )[0]?.count
    const kept = (await count()) as number
    // Also all at once, no more than a fifth of them went.
    expect(kept).toBeGreaterThanOrEqual(15)
    const dismissed = await scene.api(`/api/v1/scim-directories/${scim.appId}/held/dismiss`, { body: {} })
    expect(dismissed.json).toEqual({ count: kept })
    expect(await count()).toBe(kept)
  })
})

test('what a directory does is in the system log, with the directory as who did it and without values', async () => {
  const scim = await scene.makeDirectory({ displayName: 'Logged' })
  const name = newName()
  const { id } = await scim.makeUser(name, { ...email(name), title: 'Secret title' })
  await scim.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Another title' })
  await scim.remove(`/Users/${id}`)
  const rows = await scene.server.db<{ event: string }[]>`
    select event from systemlog_events where event like ${`%${id}%`} order by event_id`
  const events = rows.map(({ event }) => JSON.parse(event) as { message: string; actor: { user: Json }; api: Json })
  expect(events.map(({ message }) => message)).toEqual([
    `Created the user ${name}`,
    `Updated the user ${name}`,
    `Deleted the account of ${name}`,
  ])
  for (const { actor, api } of events) {
    expect(actor.user).toEqual({ name: 'Directory Logged' })
    expect(api).toMatchObject({ operation: 'scim.v2' })
  }
  expect(JSON.stringify(events)).not.toMatch(/Secret title|Another title/)
})
