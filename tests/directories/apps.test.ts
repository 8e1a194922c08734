import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, test } from 'vitest'
import { ask, eventually, getToken, type Json, type Reply, reasonOf } from '../fixture/access.ts'
import { onlyLongTest } from '../fixture/long.ts'
import { importRecords } from '../imports/support.ts'
import { signIn } from '../sessions/support.ts'
import { newName, prepare } from './support.ts'

const scene = prepare()

type Account = {
  externalId: string
  displayName?: string
  email?: string
  username?: string
  employeeId?: string
  status?: string
  type?: string
  profile?: Json
}

/** An app that is fed by imports, as a connector's sync does. */
async function makeApp(name: string) {
  await importRecords(scene.access, [{ kind: 'app', externalId: name, displayName: name }])
  const [row] = await scene.server.db<{ id: string }[]>`select app_id as id from apps where external_id = ${name}`
  const appId = row?.id as string
  const bring = (accounts: readonly Account[], options: { full?: boolean; force?: boolean } = {}) =>
    importRecords(
      scene.access,
      accounts.map(({ profile, ...account }) => ({
        kind: 'account',
        app: name,
        displayName: account.displayName ?? account.externalId,
        ...account,
        ...(profile && { profile }),
      })),
      options,
    )
  const userOf = async (externalId: string): Promise<string> => {
    const [found] = await scene.server.db<{ id: string | null }[]>`
      select user_id as id from accounts where app_id = ${appId} and external_id = ${externalId}`
    return found?.id ?? ''
  }
  return { appId, name, bring, userOf }
}
type App = Awaited<ReturnType<typeof makeApp>>

const matchCases = (...cases: [string, string][]) => ({
  mergeConfig: { matchCases: cases.map(([appUserKeyCel, userKeyCel]) => ({ appUserKeyCel, userKeyCel })) },
})
const byEmail = ['account.email', 'subject.email'] as [string, string]
const byNumber = ['account.employeeIds[0]', 'subject.employeeIds[0]'] as [string, string]

const direct = (app: App, body: Json = {}): Promise<Reply> =>
  scene.api('/api/v1/directories', { body: { appId: app.appId, ...body } })

/** Waits until the accounts were looked at. */
async function settled(): Promise<void> {
  const isDone = await eventually(async () => {
    const [row] = await scene.server.db<{ count: number }[]>`
      select count(*) from jobs where kind in ('accounts.changed', 'directories.changed')`
    return row?.count === 0
  })
  expect(isDone).toBe(true)
}

const planOf = async (body: Json) => {
  const reply = await scene.api('/api/v1/directory-plans', { body })
  expect(reply.status, reply.text).toBe(200)
  return reply.json as { planId: string; fingerprint: string; counts: Json; disablesTooMany: boolean }
}
const itemsOf = async (planId: string) => {
  const reply = await scene.api(`/api/v1/directory-plans/${planId}/items`)
  expect(reply.status, reply.text).toBe(200)
  return reply.json['list'] as Json[]
}
const applied = (plan: { planId: string; fingerprint: string }, more: Json = {}) =>
  scene.api(`/api/v1/directory-plans/${plan.planId}/apply`, { body: { fingerprint: plan.fingerprint, ...more } })

const sourcesOf = async (userId: string): Promise<Map<string, Json>> => {
  const reply = await scene.api(`/api/v1/users/${userId}/attributes/sources`)
  expect(reply.status, reply.text).toBe(200)
  return new Map((reply.json['list'] as Json[]).map((each) => [each['attribute'] as string, each]))
}
const conflictsOf = async (app: App): Promise<Json[]> => {
  const reply = await scene.api(`/api/v1/directories/${app.appId}/conflicts`)
  expect(reply.status, reply.text).toBe(200)
  return reply.json['list'] as Json[]
}

describe('an app that is made a directory', () => {
  test('makes people of its accounts, and finds those who are there by its keys', async () => {
    const app = await makeApp(newName())
    const [known, fresh] = [newName(), newName()]
    const knownId = await scene.access.makeUser({ email: `${known}@example.com` })
    await app.bring([
      {
        externalId: known,
        email: `${known.toUpperCase()}@example.com`,
        profile: { department: 'Physics', Title: 'Lead' },
      },
      {
        externalId: fresh,
        displayName: 'Fresh Person',
        email: `${fresh}@example.com`,
        employeeId: `E-${fresh}`,
        profile: { cost_center: 'CC 7', level: 3, manager: `${known}@example.com`, employee_type: 'Contractor' },
      },
      { externalId: `${fresh}-bot`, type: 'service_account', email: `${fresh}-bot@example.com` },
    ])
    const made = await direct(app, { all: {}, ...matchCases(byNumber, byEmail), expandMask: { paths: ['*'] } })
    expect(made.status, made.text).toBe(200)
    expect(made.json).toMatchObject({
      directoryView: {
        directory: { appId: app.appId, all: {}, celExpression: null, ...matchCases(byNumber, byEmail) },
        appPath: '$.expanded[0]',
      },
    })
    await settled()
    expect(await app.userOf(known)).toBe(knownId)
    expect(await scene.user(knownId)).toMatchObject({
      department: 'Physics',
      jobTitle: 'Lead',
      directoryIds: [app.appId],
    })
    const id = await app.userOf(fresh)
    expect(await scene.user(id)).toMatchObject({
      displayName: 'Fresh Person',
      email: `${fresh}@example.com`,
      employeeIds: [`E-${fresh}`],
      employmentType: 'Contractor',
      managerIds: [knownId],
      profile: { cost_center: 'CC 7', level: 3 },
      origin: 'USER_ORIGIN_DIRECTORY',
      status: 'ENABLED',
      emailSources: [{ appId: app.appId, value: `${fresh}@example.com` }],
      managerSources: [{ appId: app.appId, value: knownId }],
    })
    expect(await app.userOf(`${fresh}-bot`)).toBe('')
    // The list says the same as one user does.
    const listed = await scene.api('/api/v1/search/users', { body: { ids: [id] } })
    expect((listed.json['list'] as { user: Json }[])[0]?.user).toEqual(await scene.user(id))
    // Another import of the same changes nothing, and does not let go of anyone.
    await app.bring([{ externalId: known, email: `${known}@elsewhere.example.com` }])
    await settled()
    expect(await app.userOf(known)).toBe(knownId)
    expect(await scene.user(knownId)).toMatchObject({ email: `${known}@elsewhere.example.com` })
    const again = await direct(app)
    expect([again.status, reasonOf(again)]).toEqual([409, 'DIRECTORY_EXISTS'])
  })

  test('takes only the accounts that its filter matches, and says which ones nobody can be made of', async () => {
    const app = await makeApp(newName())
    const [a, b, c, d] = [newName(), newName(), newName(), newName()]
    const twin = `N-${a}`
    for (const email of [`${a}-1@example.com`, `${a}-2@example.com`]) {
      const id = await scene.access.makeUser({ email })
      await scene.server.db`update users set profile = ${scene.server.db.json({ number: twin })} where user_id = ${id}`
    }
    const holder = await scene.access.makeUser({ email: `${c}@example.com` })
    await app.bring([
      { externalId: a, email: `${a}@example.com`, profile: { site: 'Berlin', number: twin } },
      { externalId: b, email: `${b}@example.com`, profile: { site: 'Berlin' } },
      { externalId: c, email: `${c}@example.com`, profile: { site: 'Berlin', number: `N-${c}` } },
      { externalId: d, email: `${d}@example.com`, profile: { site: 'Paris', number: `N-${d}` } },
    ])
    const terms = {
      celExpression: { expression: 'account.profile.site == "Berlin"' },
      ...matchCases(['account.profile.number', 'user.profile.number']),
    }
    expect((await direct(app, terms)).status).toBe(200)
    await settled()
    const conflicts = await conflictsOf(app)
    expect(conflicts.map(({ username, displayName, reason }) => [displayName || username, reason])).toEqual(
      expect.arrayContaining([
        [a, 'SEVERAL_USERS'],
        [b, 'NO_KEY'],
        [c, 'EMAIL_TAKEN'],
      ]),
    )
    expect(conflicts).toHaveLength(3)
    expect(conflicts.find(({ reason }) => reason === 'EMAIL_TAKEN')).toMatchObject({ userIds: [holder] })
    for (const each of [a, b, c, d]) expect(await app.userOf(each)).toBe('')
    // What stood in the way does not any longer.
    await app.bring([{ externalId: b, email: `${b}@example.com`, profile: { site: 'Berlin', number: `N-${b}` } }])
    await settled()
    expect(await app.userOf(b)).not.toBe('')
    expect(await conflictsOf(app)).toHaveLength(2)
  })

  test('refuses expressions that are none by line and column, and what it does not know by name', async () => {
    const app = await makeApp(newName())
    const refused = async (body: Json) => {
      const reply = await direct(app, body)
      const { fieldViolations } = ((reply.json['details'] as Json[])[1] ?? {}) as {
        fieldViolations?: { field: string }[]
      }
      return [reply.status, reasonOf(reply), fieldViolations?.[0]?.field]
    }
    expect((await refused({ celExpression: { expression: 'account.nothing' } })).slice(0, 2)).toEqual([
      400,
      'EXPRESSION_INVALID',
    ])
    expect((await refused(matchCases(['account.email', 'account.email']))).slice(0, 2)).toEqual([
      400,
      'EXPRESSION_INVALID',
    ])
    expect((await refused(matchCases(['account.email', 'c1.user.v1.HasApp(subject, "x") ? "a" : "b"'])))[0]).toBe(400)
    expect((await refused(matchCases(['true', 'subject.email'])))[0]).toBe(400)
    expect((await refused(matchCases(['string(now())', 'subject.email'])))[0]).toBe(400)
    expect((await refused({ all: {}, celExpression: { expression: 'true' } }))[0]).toBe(400)
    expect((await refused({ celExpression: { expression: '' } }))[0]).toBe(400)
    expect((await refused({ appId: 'x' }))[0]).toBe(404)
    const scim = await scene.makeDirectory()
    const changed = await scene.api(`/api/v1/directories/${scim.appId}`, { method: 'PUT', body: matchCases(byEmail) })
    expect(changed.status).toBe(400)
    // It is no directory for SCIM, and has no tokens.
    expect((await direct(app)).status).toBe(200)
    const terms = { celExpression: { expression: 'account.email != ""' }, ...matchCases(byNumber) }
    const updated = await scene.api(`/api/v1/directories/${app.appId}`, { method: 'PUT', body: terms })
    expect(updated.status, updated.text).toBe(200)
    const kept = await scene.api(`/api/v1/directories/${app.appId}`)
    expect(kept.json).toMatchObject({ directoryView: { directory: { all: null, ...terms } } })
    for (const path of ['', '/tokens'])
      expect((await scene.api(`/api/v1/scim-directories/${app.appId}${path}`)).status).toBe(404)
    expect((await scene.api(`/api/v1/scim-directories/${app.appId}/tokens`, { body: {} })).status).toBe(404)
  })

  test('belongs to those who may change directories, and to its tenant', async () => {
    const app = await makeApp(newName())
    const lower = await getToken(scene.server, await scene.access.makeCaller(['system:user']))
    const host = `${newName()}.example.com`
    const other = await scene.access.makeTenant(host)
    const key = await scene.access.makeCaller(['system:owner'], {}, other)
    const stranger = await getToken(scene.server, key, { host })
    for (const token of [lower]) {
      expect((await scene.api('/api/v1/directories', { token, body: { appId: app.appId } })).status).toBe(403)
      expect((await scene.api('/api/v1/directory-plans', { token, body: { appId: app.appId } })).status).toBe(403)
    }
    const plan = await planOf({ appId: app.appId })
    const asked = { token: stranger, host }
    expect((await scene.api(`/api/v1/directory-plans/${plan.planId}/items`, asked)).status).not.toBe(200)
    expect((await scene.api('/api/v1/directories', { ...asked, body: { appId: app.appId } })).status).not.toBe(200)
    const [row] = await scene.server.db`select 1 from directories where app_id = ${app.appId}`
    expect(row).toBeUndefined()
  })

  test('is made one once, though two do so at the same moment', async () => {
    const app = await makeApp(newName())
    const name = newName()
    await app.bring([{ externalId: name, email: `${name}@example.com` }])
    const both = await Promise.all([direct(app), direct(app)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    await settled()
    const [row] = await scene.server.db<
      { count: number }[]
    >`select count(*) from users where email = ${`${name}@example.com`}`
    expect(row?.count).toBe(1)
  })
})

describe('who joins, moves and leaves', () => {
  test('is created, changed and disabled as the app says; sessions and tokens end, and an administrator has the last word', async () => {
    const app = await makeApp(newName())
    const [name, stays] = [newName(), newName()]
    const account = { externalId: name, email: `${name}@example.com`, profile: { department: 'Sales' } }
    const other = { externalId: stays, email: `${stays}@example.com` }
    await app.bring([account, other])
    await direct(app)
    await settled()
    const id = await app.userOf(name)
    const token = await getToken(scene.server, await scene.access.makeKey(id))
    const browser = await signIn(scene.server, scene.access, id)
    const isIn = async () => [
      (await ask(scene.server, '/api/v1/auth/introspect', { token })).status,
      (await browser.ask('/api/v1/auth/introspect')).status,
    ]
    expect(await isIn()).toEqual([200, 200])
    await app.bring([{ ...account, profile: { department: 'Research' } }])
    await settled()
    expect(await scene.user(id)).toMatchObject({ department: 'Research' })
    await app.bring([{ ...account, status: 'disabled' }])
    await settled()
    expect(await isIn()).toEqual([401, 401])
    expect(await scene.user(id)).toMatchObject({ status: 'DISABLED', directoryStatus: 'DISABLED' })
    await app.bring([account])
    await settled()
    expect(await scene.user(id)).toMatchObject({ status: 'ENABLED', directoryStatus: 'ENABLED' })
    // No longer there at all.
    await app.bring([other], { full: true, force: true })
    await settled()
    expect(await scene.user(id)).toMatchObject({ status: 'DISABLED', directoryStatus: 'DELETED', department: 'Sales' })
    expect(await scene.user(await app.userOf(stays))).toMatchObject({ status: 'ENABLED' })
    // Who comes back is the same person.
    await app.bring([account])
    await settled()
    expect(await app.userOf(name)).toBe(id)
    expect(await scene.user(id)).toMatchObject({ status: 'ENABLED' })
    const off = await scene.api(`/api/v1/users/${id}/disable`, { body: {} })
    expect(off.status, off.text).toBe(200)
    await app.bring([{ ...account, profile: { department: 'Later' } }])
    await settled()
    expect(await scene.user(id)).toMatchObject({ status: 'DISABLED', department: 'Later' })
  })

  onlyLongTest('more than a fifth at once wait until a person confirms it', async () => {
    const app = await makeApp(newName())
    const names = Array.from({ length: 25 }, newName)
    const accounts = names.map((name) => ({ externalId: name, email: `${name}@example.com` }))
    await app.bring(accounts)
    await direct(app)
    await settled()
    await app.bring(accounts.map((each, at) => ({ ...each, status: at < 6 ? 'disabled' : 'enabled' })))
    await settled()
    const statuses = () =>
      Promise.all(names.slice(0, 7).map(async (name) => (await scene.user(await app.userOf(name)))['status']))
    expect(new Set(await statuses())).toEqual(new Set(['ENABLED']))
    const state = await scene.api(`/api/v1/directories/${app.appId}/state`)
    expect(state.json).toMatchObject({ usesScim: false, userCount: 25, activeUserCount: 19, heldCount: 6 })
    const confirmed = await scene.api(`/api/v1/scim-directories/${app.appId}/held/confirm`, { body: {} })
    expect(confirmed.json).toMatchObject({ count: 6 })
    expect(await statuses()).toEqual([...Array.from({ length: 6 }, () => 'DISABLED'), 'ENABLED'])
  })
})

describe('several directories', () => {
  test('the first that says something of an attribute counts, and each attribute tells where it is from', async () => {
    const [hr, it] = [await makeApp(newName()), await makeApp(newName())]
    const name = newName()
    const email = `${name}@example.com`
    await hr.bring([
      { externalId: name, displayName: 'From HR', email, profile: { department: 'HR says', costCenter: '1' } },
    ])
    await it.bring([
      {
        externalId: name,
        displayName: 'From IT',
        email,
        username: name,
        profile: { department: 'IT says', title: 'Lead' },
      },
    ])
    await direct(hr)
    await direct(it)
    await settled()
    const id = await hr.userOf(name)
    expect(await it.userOf(name)).toBe(id)
    expect(await scene.user(id)).toMatchObject({
      displayName: 'From HR',
      department: 'HR says',
      jobTitle: 'Lead',
      username: name,
    })
    const before = await sourcesOf(id)
    expect(before.get('department')).toMatchObject({
      value: 'HR says',
      source: { appId: hr.appId, directoryName: hr.name },
      others: [{ appId: it.appId, value: 'IT says' }],
      isOverwritten: false,
    })
    expect(before.get('jobTitle')).toMatchObject({ source: { appId: it.appId }, others: [] })
    // For one attribute the other one first.
    const set = await scene.api('/api/v1/directory-precedence', {
      body: { order: [hr.appId, it.appId], attributes: [{ attribute: 'department', appIds: [it.appId] }] },
    })
    expect(set.status, set.text).toBe(200)
    await settled()
    expect(await scene.user(id)).toMatchObject({ displayName: 'From HR', department: 'IT says' })
    const after = await sourcesOf(id)
    expect(after.get('department')).toMatchObject({ source: { appId: it.appId }, others: [{ appId: hr.appId }] })
    expect(after.get('displayName')?.['since']).toBe(before.get('displayName')?.['since'])
    expect(Date.parse(after.get('department')?.['since'] as string)).toBeGreaterThan(
      Date.parse(before.get('department')?.['since'] as string),
    )
    // One that goes leaves what only it said, and what another says counts.
    expect((await scene.api(`/api/v1/directories/${hr.appId}`, { method: 'DELETE' })).status).toBe(200)
    await settled()
    expect(await scene.user(id)).toMatchObject({
      displayName: 'From IT',
      department: 'IT says',
      profile: { costCenter: '1' },
      status: 'ENABLED',
    })
    // The last one has them no longer.
    await it.bring([{ externalId: newName() }], { full: true, force: true })
    await settled()
    expect(await scene.user(id)).toMatchObject({ status: 'DISABLED', displayName: 'From IT', jobTitle: 'Lead' })
  })

  onlyLongTest(
    'the first one decides who may come in; one that has them no longer is not outvoted by one that does not know yet',
    async () => {
      const [hr, it] = [await makeApp(newName()), await makeApp(newName())]
      const [name, other] = [newName(), newName()]
      const account = (of: string, status = 'enabled') => ({ externalId: of, email: `${of}@example.com`, status })
      await hr.bring([account(name), account(other)])
      await it.bring([account(name), account(other)])
      await direct(hr)
      await direct(it)
      await settled()
      const id = await hr.userOf(name)
      await it.bring([account(name, 'disabled')])
      await settled()
      expect(await scene.user(id)).toMatchObject({ status: 'ENABLED' })
      await it.bring([account(name)])
      await hr.bring([account(name, 'disabled')])
      await settled()
      expect(await scene.user(id)).toMatchObject({ status: 'DISABLED' })
      await hr.bring([account(other)], { full: true, force: true })
      await settled()
      expect(await scene.user(id)).toMatchObject({ status: 'DISABLED', directoryStatus: 'ENABLED' })
      expect((await sourcesOf(id)).get('status')).toMatchObject({ source: { appId: it.appId } })
    },
  )

  test('an order that names what is no directory, or one twice, is refused', async () => {
    const app = await makeApp(newName())
    await direct(app)
    for (const body of [
      { order: ['x'] },
      { order: [app.appId, app.appId] },
      { order: [], attributes: [{ attribute: 'nothing', appIds: [app.appId] }] },
      { order: [], attributes: [{ attribute: 'email', appIds: ['x'] }] },
    ])
      expect((await scene.api('/api/v1/directory-precedence', { body })).status).toBe(400)
  })
})

describe('a plan', () => {
  test('says who would be created, matched and left out, changes nothing, and is carried out as it was shown', async () => {
    const app = await makeApp(newName())
    const [known, fresh, lost] = [newName(), newName(), newName()]
    const knownId = await scene.access.makeUser({ email: `${known}@example.com` })
    await app.bring([
      { externalId: known, email: `${known}@example.com`, profile: { title: 'Lead' } },
      { externalId: fresh, email: `${fresh}@example.com` },
      { externalId: lost },
    ])
    const body = { appId: app.appId, ...matchCases(byEmail) }
    const plan = await planOf(body)
    expect(plan).toMatchObject({
      counts: { created: 1, matched: 1, changed: 0, left: 0, disabled: 0, enabled: 0, conflicts: 1 },
      disablesTooMany: false,
    })
    expect(await itemsOf(plan.planId)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          outcome: 'DIRECTORY_OUTCOME_CREATE',
          displayName: fresh,
          userId: '',
          matchedBy: 'created',
        }),
        expect.objectContaining({ outcome: 'DIRECTORY_OUTCOME_MATCH', userId: knownId, matchedBy: 'key 1' }),
        expect.objectContaining({ outcome: 'DIRECTORY_OUTCOME_CONFLICT', displayName: lost, reason: 'NO_KEY' }),
      ]),
    )
    expect(await scene.user(knownId)).toMatchObject({ jobTitle: '' })
    expect((await scene.api(`/api/v1/directories/${app.appId}`)).status).toBe(404)
    const wrong = await applied({ ...plan, fingerprint: 'x' })
    expect([wrong.status, reasonOf(wrong)]).toEqual([409, 'PLAN_OUTDATED'])
    const done = await applied(plan)
    expect(done.status, done.text).toBe(200)
    expect(done.json).toMatchObject({ counts: { created: 1, matched: 1 } })
    // At once, and not a while later.
    expect(await scene.user(knownId)).toMatchObject({ jobTitle: 'Lead' })
    expect(await app.userOf(fresh)).not.toBe('')
    // Anything that changed since is refused, and nothing of it is done.
    const old = await planOf({ appId: app.appId, delete: true })
    await scene.access.world
      .db`update directory_plans set created_at = created_at - interval '25 hours' where plan_id = ${old.planId}`
    const expired = await applied(old)
    expect([expired.status, reasonOf(expired)]).toEqual([404, 'DIRECTORY_PLAN_NOT_FOUND'])
    const deletion = await planOf({ appId: app.appId, delete: true })
    const later = await planOf({
      appId: app.appId,
      celExpression: { expression: `account.email != "${fresh}@example.com"` },
      ...matchCases(byEmail),
    })
    expect(later.counts).toMatchObject({ left: 1, disabled: 1 })
    await app.bring([{ externalId: fresh, email: `${fresh}@example.com`, status: 'disabled' }])
    await settled()
    const outdated = await applied(later)
    expect([outdated.status, reasonOf(outdated)]).toEqual([409, 'PLAN_OUTDATED'])
    expect((await applied(deletion)).status).toBe(200)
    expect((await scene.api(`/api/v1/directories/${app.appId}`)).status).toBe(404)
    expect(await scene.user(knownId)).toMatchObject({ jobTitle: 'Lead', status: 'ENABLED' })
  })

  onlyLongTest(
    'of keys that find others shows who would be moved; one that disables too many needs a word more',
    async () => {
      const app = await makeApp(newName())
      const names = Array.from({ length: 20 }, newName)
      await app.bring(
        names.map((name) => ({
          externalId: name,
          email: `${name}@example.com`,
          profile: { site: name === names[0] ? 'A' : 'B' },
        })),
      )
      expect((await applied(await planOf({ appId: app.appId }))).status).toBe(200)
      const token = await getToken(scene.server, await scene.access.makeKey(await app.userOf(names[1] as string)))
      const plan = await planOf({ appId: app.appId, celExpression: { expression: 'account.profile.site == "A"' } })
      expect(plan).toMatchObject({ counts: { left: 19, disabled: 19 }, disablesTooMany: true })
      const refused = await applied(plan)
      expect([refused.status, reasonOf(refused)]).toEqual([400, 'DIRECTORY_DISABLES_TOO_MANY'])
      expect((await ask(scene.server, '/api/v1/auth/introspect', { token })).status).toBe(200)
      const forced = await applied(plan, { disableMany: true })
      expect(forced.status, forced.text).toBe(200)
      expect((await ask(scene.server, '/api/v1/auth/introspect', { token })).status).toBe(401)
      // A key that means somebody else, without doubt.
      const [first] = names as [string]
      const elsewhere = await scene.access.makeUser({ email: `${newName()}@example.com` })
      await scene.server
        .db`update users set profile = ${scene.server.db.json({ site: 'A' })} where user_id = ${elsewhere}`
      const before = await app.userOf(first)
      await scene.server.db`update users set profile = '{}' where user_id = ${before}`
      const moved = await planOf({
        appId: app.appId,
        celExpression: { expression: 'account.profile.site == "A"' },
        ...matchCases(['account.profile.site', 'subject.profile.site']),
      })
      expect(await itemsOf(moved.planId)).toEqual(
        expect.arrayContaining([expect.objectContaining({ outcome: 'DIRECTORY_OUTCOME_MOVE', userId: elsewhere })]),
      )
    },
  )
})

/** How many statements about accounts and people were sent meanwhile: not those by which is asked whether it is over. */
async function statementsIn(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const note = (message: unknown): void => {
    if (/\b(?:accounts|users|directory_users)\b/.test((message as { text: string }).text)) count += 1
  }
  subscribe('bailiwick:statement:sent', note)
  try {
    await work()
  } finally {
    unsubscribe('bailiwick:statement:sent', note)
  }
  return count
}

onlyLongTest('of 4,000 accounts people are made, changed and disabled without a statement for each', async () => {
  const app = await makeApp(newName())
  const prefix = newName()
  const accounts = Array.from({ length: 4_000 }, (_, at) => ({
    externalId: `${prefix}-${at}`,
    email: `${prefix}-${at}@example.com`,
    profile: { department: `D${at % 50}`, manager: `${prefix}-${at % 100}@example.com` },
  }))
  await app.bring(accounts)
  const counts: number[] = []
  let plan = { planId: '', fingerprint: '' }
  counts.push(await statementsIn(async () => (plan = await planOf({ appId: app.appId }))))
  counts.push(
    await statementsIn(async () => {
      const done = await applied(plan)
      expect(done.status, done.text).toBe(200)
      expect(done.json).toMatchObject({ counts: { created: 4_000 } })
    }),
  )
  await app.bring(accounts.slice(0, 100).map((each) => ({ ...each, profile: { department: 'Moved' } })))
  counts.push(await statementsIn(settled))
  expect(await scene.user(await app.userOf(`${prefix}-7`))).toMatchObject({ department: 'Moved' })
  await app.bring(accounts.slice(0, 600).map((each) => ({ ...each, status: 'disabled' })))
  counts.push(await statementsIn(settled))
  expect(await scene.user(await app.userOf(`${prefix}-8`))).toMatchObject({ status: 'DISABLED' })
  for (const count of counts) expect(count).toBeLessThan(2_000)
})

test('the items of a plan are listed by what they are counted as, and the states tell of directories of both kinds', async () => {
  const app = await makeApp(newName())
  const [known, fresh] = [newName(), newName()]
  await scene.access.makeUser({ email: `${known}@example.com` })
  await app.bring([
    { externalId: known, email: `${known}@example.com` },
    { externalId: fresh, email: `${fresh}@example.com` },
    { externalId: `${fresh}-nobody` },
  ])
  const plan = await planOf({ appId: app.appId, ...matchCases(byEmail) })
  expect(plan.counts).toMatchObject({ created: 1, matched: 1, conflicts: 1, disabled: 0 })
  const namesOf = async (countedAs: string): Promise<unknown[]> => {
    const reply = await scene.api(`/api/v1/directory-plans/${plan.planId}/items?counted_as=${countedAs}`)
    expect(reply.status, reply.text).toBe(200)
    return (reply.json['list'] as Json[]).map(({ displayName }) => displayName)
  }
  expect(await namesOf('created')).toEqual([fresh])
  expect(await namesOf('matched')).toEqual([known])
  expect(await namesOf('conflicts')).toEqual([`${fresh}-nobody`])
  expect(await namesOf('disabled')).toEqual([])
  expect(await namesOf('')).toHaveLength(3)
  const wrong = await scene.api(`/api/v1/directory-plans/${plan.planId}/items?counted_as=toString`)
  expect([wrong.status, reasonOf(wrong)]).toEqual([400, 'INPUT_INVALID'])
  expect((await applied(plan)).status).toBe(200)

  const { appId: scimId } = await scene.makeDirectory({ displayName: newName() })
  const states = new Map<string, Json>()
  for (let token = ''; ; ) {
    const { json } = await scene.api(`/api/v1/directory-states?page_size=100&page_token=${token}`)
    for (const each of json['list'] as Json[]) states.set(each['appId'] as string, each)
    token = json['nextPageToken'] as string
    if (token === '') break
  }
  expect(states.get(app.appId)).toMatchObject({
    displayName: app.name,
    usesScim: false,
    userCount: 2,
    conflictCount: 1,
    heldCount: 0,
    followedAt: expect.any(String) as string,
    lastRequestAt: null,
  })
  expect(states.get(scimId)).toMatchObject({ usesScim: true, userCount: 0, groupCount: 0, followedAt: null })
  const one = await scene.api(`/api/v1/directories/${app.appId}/state`)
  expect(one.json).toEqual(states.get(app.appId))
})
