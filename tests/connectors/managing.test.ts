import { beforeAll, describe, expect, test } from 'vitest'
import { ask, fieldsOf, getToken, type Json, type Reply, type RoleName, reasonOf } from '../fixture/access.ts'
import { type Caller, prepare } from '../grants/scene.ts'

/** What people do with connectors by the API, without a connector: what those do is in api.test.ts and baton.test.ts. */
const scene = prepare()
let app: string
beforeAll(async () => {
  app = await scene.app('Directory')
})

type Shown = Json & { id: string; userIds: string[]; config: Json | null; nextSyncAt: string }
const shownIn = (reply: Reply): Shown => {
  expect(reply.status, reply.text).toBe(200)
  return (reply.json['connectorView'] as { connector: Shown }).connector
}
const at = (id: string, rest = ''): string => `/api/v1/apps/${app}/connectors/${id}${rest}`
const make = async (more: object = {}, by = scene.admin): Promise<Shown> =>
  shownIn(await scene.post(`/api/v1/apps/${app}/connectors`, { displayName: 'LDAP', ...more }, by))
const get = async (id: string, by = scene.admin): Promise<Shown> => shownIn(await scene.get(at(id), by))
const outcome = (reply: Reply): string =>
  reply.status === 200 ? '200' : `${reply.status} ${String(reasonOf(reply))} ${fieldsOf(reply).join(',')}`.trim()
const caller = async (roles: RoleName[]): Promise<Caller> => {
  const key = await scene.access.makeCaller(roles)
  return { userId: key.userId, token: await getToken(scene.server, key) }
}
const envConfig = (configuration: Json) => ({
  '@type': 'type.googleapis.com/c1.api.app.v1.EnvConfig',
  configuration,
})

describe('a connector', () => {
  test('of the catalog is created with its settings; secrets, other settings and hosted integrations are refused', async () => {
    const create = (body: object) => scene.post(`/api/v1/apps/${app}/connectors/create`, body)
    const ldap = { url: 'ldaps://ldap.example.com', 'base-dn': { stringValue: 'DC=example,DC=com' }, filter: '' }
    const made = shownIn(await create({ catalogId: 'baton-ldap', description: 'x', config: envConfig(ldap) }))
    expect(made).toMatchObject({ displayName: 'LDAP', catalogId: 'baton-ldap', description: 'x' })
    expect((await get(made.id)).config).toEqual(
      envConfig({ url: { stringValue: ldap.url }, 'base-dn': { stringValue: 'DC=example,DC=com' } }),
    )
    const secret = await create({ catalogId: 'baton-ldap', config: envConfig({ password: 'hunter2', nosuch: 'x' }) })
    expect(outcome(secret)).toBe('400 INPUT_INVALID config.configuration.password,config.configuration.nosuch')
    expect(secret.text).not.toContain('hunter2')
    for (const config of [
      { '@type': 'x' },
      envConfig({ url: 'x'.repeat(2001) }),
      envConfig({ url: 7 }),
      { ...envConfig({}), more: 1 },
    ])
      expect(outcome(await create({ catalogId: 'baton-ldap', config }))).toMatch(/^400 INPUT_INVALID config\./)
    // As Terraform asks for integrations that the vendor hosts, with and without settings.
    const hosted = await create({ catalogId: '22Q7hxWTEhBlcqsT1dljnRWEa7t', config: envConfig({ github_org: 'x' }) })
    expect(outcome(hosted)).toBe('400 CONNECTOR_HOSTED')
    expect(hosted.text).toContain('/api/v1/connector_catalog')
    const delegated = { displayName: 'GitHub', catalogId: '22Q7hxWTEhBlcqsT1dljnRWEa7t' }
    expect(outcome(await scene.post(`/api/v1/apps/${app}/connectors`, delegated))).toBe('400 CONNECTOR_HOSTED')
    expect((await make({ catalogId: '2HErg7BRmNdHgX8sTCWVq4E1fyh' })).catalogId).toBe('2HErg7BRmNdHgX8sTCWVq4E1fyh')
    expect(outcome(await create({ config: envConfig({ url: 'x' }) }))).toBe(
      '400 INPUT_INVALID config.configuration.url',
    )
    expect(outcome(await scene.post('/api/v1/apps/connectors/validate_config/http', { text: 'x' }))).toBe(
      '400 CONNECTOR_HOSTED',
    )
  })

  test('is changed as far as the mask says, and told of once; what cannot be changed is refused', async () => {
    const { id } = await make({ catalogId: 'baton-ldap', description: 'before' })
    const update = (body: object, by = scene.admin) => scene.post(at(id), body, by)
    expect(
      shownIn(await update({ connector: { displayName: 'New', description: 'no' }, updateMask: 'display_name' })),
    ).toMatchObject({
      displayName: 'New',
      description: 'before',
    })
    const config = envConfig({ url: 'ldaps://new.example.com' })
    const delegated = await scene.post(at(id, '/delegated'), { connector: { description: 'after', config } })
    expect(shownIn(delegated)).toMatchObject({ displayName: 'New', description: 'after' })
    expect((await get(id)).config).toEqual(envConfig({ url: { stringValue: 'ldaps://new.example.com' } }))
    expect(shownIn(await update({ connector: {}, updateMask: 'config' })).config).toBeNull()
    // What was read is sent back, and changes nothing.
    const events = async () => (await scene.logged('app.v1.ConnectorService.Update')).length
    const before = await events()
    expect(outcome(await update({ connector: await get(id) }))).toBe('200')
    expect(await events()).toBe(before)
    expect(before).toBe(2)
    expect(outcome(await update({ connector: { displayName: ' ' } }))).toBe('400 INPUT_INVALID connector.displayName')
    expect(outcome(await update({ connector: { displayName: 'x' }, updateMask: 'catalogId' }))).toBe(
      '400 INPUT_INVALID updateMask',
    )
    expect(outcome(await update({ connector: { catalogId: 'baton-okta' } }))).toBe(
      '400 INPUT_INVALID connector.catalogId',
    )
    expect(outcome(await update({ connector: { disableCheckBadSync: true } }))).toContain('400 FIELD_NOT_SUPPORTED')
    expect(outcome(await update({ connector: { config: envConfig({ password: 'x' }) } }))).toContain(
      '400 INPUT_INVALID',
    )
    expect(outcome(await update({ connector: { displayName: 'x' } }, scene.viewer))).toContain('403')
    expect((await get(id))['displayName']).toBe('New')
  })

  test('syncs by a schedule, which is shown, refused if it is invalid, and removed', async () => {
    const { id } = await make()
    const set = (body: object, by = scene.admin) => scene.post(at(id, '/schedule'), body, by)
    expect(outcome(await set({ cron: { cronSpec: '0 3 * * *', timezone: 'Europe/Berlin' } }))).toBe('200')
    const shown = await get(id)
    expect(shown['connectorSyncCronSchedule']).toMatchObject({ cronSpec: '0 3 * * *', timezone: 'Europe/Berlin' })
    expect(new Date(shown.nextSyncAt).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' })).toMatch(/^03:0[012]:/)
    expect(outcome(await set({ cron: { cronSpec: '* * * * *' } }))).toBe('400 INPUT_INVALID cron.cronSpec')
    expect(outcome(await set({ cron: { cronSpec: '0 3 * * *', timezone: 'Mars' } }))).toBe(
      '400 INPUT_INVALID cron.timezone',
    )
    expect(outcome(await set({ cron: { timezone: 'UTC' } }))).toBe('400 INPUT_INVALID cron.cronSpec')
    expect(outcome(await set({ cron: { cronSpec: '0 3 * * *' } }, scene.viewer))).toContain('403')
    expect((await get(id)).nextSyncAt).toBe(shown.nextSyncAt)
    expect(outcome(await set({}))).toBe('200')
    expect(await get(id)).not.toHaveProperty('connectorSyncCronSchedule')
  })

  test('of another tenant or app is none, by every operation', async () => {
    const { id } = await make()
    const other = await scene.app('Other')
    const tenant = await scene.access.makeTenant('foreign.example')
    const key = await scene.access.makeCaller(['system:owner'], {}, tenant)
    const foreign = await getToken(scene.server, key)
    const paths: [string, string][] = [
      ['GET', ''],
      ['POST', ''],
      ['POST', '/delegated'],
      ['POST', '/schedule'],
      ['GET', '/syncs'],
      ['GET', '/syncs/2zzzzzzzzzzzzzzzzzzzzzzzzzz'],
      ['GET', '/syncs/2zzzzzzzzzzzzzzzzzzzzzzzzzz/download_url'],
      ['GET', '/owners/users'],
      ['PUT', '/owners'],
    ]
    for (const [method, rest] of paths)
      for (const [inApp, token, host] of [
        [other, scene.admin.token, undefined],
        [app, foreign, 'foreign.example'],
      ] as const) {
        const version = rest.startsWith('/owners') ? 'v2' : 'v1'
        const body = { connector: { displayName: 'x' }, cron: { cronSpec: '0 3 * * *' }, roleSlug: 'primary' }
        const sent =
          rest === '' || rest === '/delegated'
            ? { connector: body.connector }
            : rest === '/schedule'
              ? { cron: body.cron }
              : { roleSlug: 'primary' }
        const reply = await ask(scene.server, `/api/${version}/apps/${inApp}/connectors/${id}${rest}`, {
          method,
          token,
          ...(host && { host }),
          ...(method !== 'GET' && { body: sent }),
        })
        expect([method, rest, reply.status, reasonOf(reply)]).toEqual([method, rest, 404, 'CONNECTOR_NOT_FOUND'])
      }
  })
})

describe('the catalog', () => {
  test('tells of each connector how it is run, in pages and as a schema; every setting belongs to it', async () => {
    const list = (await scene.all('/api/v1/connector_catalog', null, scene.viewer)) as (Json & {
      id: string
      settings: { name: string; flag: string; environment: string; isSecret: boolean; description: string }[]
      groups: { settings: string[]; isDefault: boolean }[]
    })[]
    expect(list.length).toBeGreaterThan(25)
    expect(new Set(list.map(({ id }) => id)).size).toBe(list.length)
    for (const { id, settings, groups, command, repository } of list) {
      expect([id, command, repository]).toEqual([id, id, `ConductorOne/${id}`])
      const names = settings.map(({ name }) => name)
      expect([id, new Set(names).size]).toEqual([id, names.length])
      expect([id, groups.flatMap((group) => group.settings).filter((name) => !names.includes(name))]).toEqual([id, []])
      expect([id, groups.filter(({ isDefault }) => isDefault).length]).toEqual([id, Math.min(groups.length, 1)])
      // What is called a password, token, key or secret is one.
      const secrets = settings.filter(({ name }) =>
        /(password|token|secret|private-key|api-key|-string|dsn)$/.test(name),
      )
      expect([id, secrets.filter(({ isSecret }) => !isSecret)]).toEqual([id, []])
    }
    const okta = list.find(({ id }) => id === 'baton-okta')
    expect(okta?.settings[0]).toMatchObject({ name: 'domain', flag: '--domain', environment: 'BATON_DOMAIN' })
    const schema = (body: object) => scene.post('/api/v1/connectorcatalog', body, scene.viewer)
    const { json } = await schema({ catalogId: 'baton-okta' })
    expect(json['schema']).toMatchObject({ displayName: 'Okta', requiresExternalConnector: true })
    const fields = (json['schema'] as { fields: Json[] }).fields
    expect(fields.find(({ name }) => name === 'api-token')?.['str']).toEqual({ secret: true })
    const { id } = await make({ catalogId: 'baton-okta' })
    expect((await schema({ appId: app, connectorId: id })).json).toEqual(json)
    expect(outcome(await schema({ catalogId: 'nosuch' }))).toBe('404 CONNECTOR_CATALOG_NOT_FOUND')
    expect(outcome(await schema({ appId: app, connectorId: 'nosuch' }))).toBe('404 CONNECTOR_NOT_FOUND')
    expect(outcome(await scene.get('/api/v1/connector_catalog', scene.basic))).toContain('403')
  })
})

describe('owners of a connector', () => {
  const owners = (id: string, rest: string): string => `/api/v2/apps/${app}/connectors/${id}/owners${rest}`

  test('are named when it is created, shown in order, set by an update, and end with it', async () => {
    const [first, second] = [await scene.user(), await scene.user()]
    const entitlement = await scene.entitlement(app)
    const { id, userIds } = await make({ userIds: [second, first], appEntitlementOwnerRefs: [entitlement] })
    expect(userIds).toEqual([second, first])
    const listed = (await scene.get(`/api/v1/apps/${app}/connectors?page_size=100`)).json['list'] as {
      connector: Shown
    }[]
    expect(listed.find(({ connector }) => connector.id === id)?.connector.userIds.toSorted()).toEqual(
      [first, second].toSorted(),
    )
    // As Terraform updates it.
    const update = (ids: string[], by = scene.admin) =>
      scene.post(
        at(id, '/delegated'),
        { connector: { displayName: 'Baton', userIds: ids }, updateMask: 'displayName,userIds' },
        by,
      )
    expect(shownIn(await update([first])).userIds).toEqual([first])
    expect(await scene.all(owners(id, '/entitlements'))).toHaveLength(1)
    expect(outcome(await update(['2zzzzzzzzzzzzzzzzzzzzzzzzzz']))).toContain('404 USER_NOT_FOUND')
    expect((await get(id)).userIds).toEqual([first])
    expect(outcome(await scene.remove(at(id), {}))).toBe('200')
    const rows = await scene.server.db<{ why: string }[]>`
      select ended_why as why from owners where object_id = ${id} and ended_why = 'object_gone'`
    expect(rows).toHaveLength(2)
  })

  test('see, sync, pause, schedule and describe it; its owners, credentials and deletion are not theirs', async () => {
    const owner = await caller(['system:application-admin', 'system:user'])
    const { id } = await make()
    const [other] = [await make()]
    expect(outcome(await scene.get(at(id), owner))).toBe('404 CONNECTOR_NOT_FOUND')
    expect(outcome(await scene.post(owners(id, `/users/primary/${owner.userId}`), {}))).toBe('200')
    expect(await scene.all('/api/v1/connectors/owned', null, owner)).toEqual([
      { appId: app, appDisplayName: 'Directory', connectorId: id, displayName: 'LDAP' },
    ])
    expect(await scene.all('/api/v1/connectors/owned', null, scene.admin)).toEqual([])
    const may = async (path: string, body: object | null): Promise<string> =>
      outcome(body ? await scene.post(path, body, owner) : await scene.get(path, owner))
    expect(await may(at(id), null)).toBe('200')
    expect(await may(at(id, '/syncs'), null)).toBe('200')
    for (const [verb, body] of [
      ['force_sync', {}],
      ['pause', {}],
      ['resume', {}],
      ['schedule', { cron: { cronSpec: '0 3 * * *' } }],
      ['delegated', { connector: { displayName: 'Theirs' }, updateMask: 'displayName' }],
    ] as const)
      expect([verb, await may(at(id, `/${verb}`), body)]).toEqual([verb, '200'])
    // There is none to confirm, which they are told: a stranger would not be.
    expect(await may(at(id, `/confirm_sync_valid/${id}`), {})).toContain('404 CONNECTOR_TASK_NOT_FOUND')
    const shown = (await scene.get(owners(id, '/users'), owner)).json['list'] as { user: Json | null }[]
    expect(shown.map(({ user }) => user?.['id'])).toEqual([owner.userId])

    const refused = [
      await scene.post(at(id, '/delegated'), { connector: { userIds: [] }, updateMask: 'userIds' }, owner),
      await scene.post(owners(id, `/users/primary/${scene.basic.userId}`), {}, owner),
      await scene.post('/api/v1/apps/connectors/credentials', { appId: app, connectorId: id }, owner),
      await scene.remove(at(id), {}, owner),
      await scene.get(at(id, `/syncs/${id}/download_url`), owner),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    expect(await may(at(other.id), null)).toBe('404 CONNECTOR_NOT_FOUND')
    expect(await may(`/api/v1/apps/${app}/connectors`, null)).toBe('404 APP_NOT_FOUND')
    // Who has the role and owns nothing, and who owns it and has no role.
    const basic = scene.basic.userId
    expect(outcome(await scene.post(owners(id, `/users/primary/${basic}`), {}))).toBe('200')
    expect(outcome(await scene.post(at(id, '/pause'), {}, scene.basic))).toContain('403')
    await scene.server.db`update users set status = 'DISABLED' where user_id = ${owner.userId}`
    // At once: what is remembered of a token's owner is not what says who owns something.
    expect([401, 404]).toContain((await scene.get(at(id), owner)).status)
  })

  test('who are owners of its app may choose them; set at once, one of two sets stands', async () => {
    const owner = await caller(['system:application-admin'])
    const { id } = await make()
    await scene.post(`/api/v2/apps/${app}/owners/users/primary/${owner.userId}`, {})
    const [first, second] = [await scene.user(), await scene.user()]
    expect(outcome(await scene.post(owners(id, `/users/primary/${first}`), {}, owner))).toBe('200')
    const set = (userId: string) =>
      ask(scene.server, owners(id, ''), {
        method: 'PUT',
        token: scene.admin.token,
        body: { roleSlug: 'primary', userRefs: [{ id: userId }] },
      })
    const replies = await Promise.all([set(first), set(second), set(first), set(second)])
    expect(replies.map(outcome)).toEqual(['200', '200', '200', '200'])
    expect((await get(id)).userIds).toHaveLength(1)
    expect(outcome(await scene.get(owners(id, `/users/primary/${(await get(id)).userIds[0] as string}`)))).toBe('200')
  })

  test('whom nobody else follows are named where someone leaves', async () => {
    const leaver = await scene.user()
    const unowned = async () =>
      ((await scene.all(`/api/v1/apps/${app}/connectors?unowned_only=true`)) as { connector: Shown }[]).map(
        ({ connector }) => connector.id,
      )
    const nobodys = await make()
    const { id } = await make({ displayName: 'Left behind', userIds: [leaver] })
    const { json } = await scene.get(`/api/v1/users/${leaver}/leaver_plan`)
    const { lastOwnerOf } = Object.values(json)[0] as Json
    expect(lastOwnerOf).toMatchObject([{ kind: 'connector', id, appId: app, displayName: 'Left behind' }])
    expect(await unowned()).toContain(nobodys.id)
    expect(await unowned()).not.toContain(id)
  })
})
