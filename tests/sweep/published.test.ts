import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#server/registry/routes.ts'
import { ask, fieldsOf, type Json, type Reply, reasonOf } from '../fixture/access.ts'
import { fewOrMany, isLong } from '../fixture/long.ts'
import { prepare, type Ref } from '../grants/scene.ts'
import { derived, filters, keptWrites, nobody, seek, shownElsewhere } from './published-tables.ts'

/**
 * Every field that the published API lets clients set, of every operation that is here, in both spellings: it is sent, and
 * then read back, or the request is refused and names it. `published-fields.txt` has a line an operation: each field with
 * its type, or with the name of an enum's last value.
 */
type Field = { operation: string; path: string; type: string; isQuery: boolean }
const fields: Field[] = readFileSync(join(import.meta.dirname, 'published-fields.txt'), 'utf8')
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [operation = '', ...words] = line.split(' ')
    return words.map((word) => {
      const [path = '', type = ''] = word.split('=')
      return { operation, path: path.replace('?', ''), type, isQuery: path.startsWith('?') }
    })
  })
  // How to do it, not what: shown for every list and every update elsewhere (tests/sweep/paging, tests/kernel/masks).
  .filter(({ path }) => !/^(page_?(size|token)|updateMask|expandMask\.paths\[\])$/i.test(path))

const scene = prepare()
let app: string
let entitlement: Ref
let resource: { typeId: string; id: string }
let account: Ref
let user: string
let ids: Record<string, string>
const stage = () => ({ app, entitlement, resource, account, user, ids })
const at = (operation: string): { method: string; path: string } => {
  const route = routes.find(({ id }) => id === operation)
  if (!route) throw new Error(`no route ${operation}`)
  const own = /\/([a-z_]+)\/\{id\}$/.exec(route.path)?.[1] ?? ''
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name === 'id' ? own : name] ?? name)
  return { method: route.method, path }
}
const send = (operation: string, body: object, query = ''): Promise<Reply> => {
  const { method, path } = at(operation)
  const asking = { method, token: scene.admin.token, ...(method !== 'GET' && { body }) }
  return ask(scene.server, `${path}${query}`, asking)
}
const search = async (operation: string, body: object): Promise<number> => {
  const reply = await send(operation, body)
  expect(reply.status, reply.text).toBe(200)
  const { list, pathsReturned, appGrantCounts } = reply.json as {
    list?: []
    pathsReturned?: number
    appGrantCounts?: []
  }
  return list?.length ?? pathsReturned ?? appGrantCounts?.length ?? 0
}

beforeAll(async () => {
  app = await scene.app('Published app')
  resource = await scene.resource(app, 'Published thing')
  entitlement = await scene.entitlement(app, 'Published entitlement', { resource, slug: 'published' })
  user = await scene.user({ displayName: 'Published person' })
  account = await scene.account(app, { userId: user, displayName: 'Published account' })
  await scene.grant(entitlement, account)
  const made = async (path: string, body: object) => (await scene.post(`/api/v1/${path}`, body)).json
  const client = (await made('iam/personal_clients', { displayName: 'Published' }))['client'] as Json
  const role = scene.access.world.newId()
  await scene.server.db`
    insert into roles (tenant_id, role_id, name, display_name, permissions, created_at, updated_at)
    values (${scene.access.tenant.id}, ${role}, 'custom', 'Custom', '{}', now(), now())`
  const attribute = (await made('attributes/risk_levels', { value: 'Filtered' }))['value'] as Json
  await made(`apps/${app}/entitlements/${entitlement.id}/automation/create`, { automation: { none: {} } })
  await made(`apps/${app}/resource_types/${resource.typeId}`, { appResourceType: { traitIds: ['FILTERED'] } })
  await made(`apps/${app}/resource_types/${resource.typeId}/resource/${resource.id}/owners`, { userId: user })
  const former = await scene.account(app)
  await scene.grant(entitlement, former)
  await scene.remove(`/api/v1/apps/${app}/entitlements/${entitlement.id}/remove-membership`, { appUserId: former.id })
  const policy = (
    await made('policies', {
      displayName: 'Published policy',
      policyType: 'POLICY_TYPE_GRANT',
      policySteps: { grant: { steps: [{ accept: {} }] } },
      scope: { appId: app, slot: 'POLICY_SCOPE_SLOT_EMERGENCY' },
    })
  )['policy'] as Json
  const rules = `apps/${app}/entitlement_configuration_rules`
  const rule = (await made(rules, { displayName: 'Published rule' }))['routingRule'] as Json
  const form = (await made('request_schemas', { name: 'Published form' }))['requestSchema'] as Json
  const catalog = seek(
    await made('catalogs', { displayName: 'Offered', published: true, visibleToEveryone: true }),
    'id',
  )
  await made(`catalogs/${String(catalog)}/requestable_entries`, { appEntitlements: [entitlement] })
  const connector = seek(await made(`apps/${app}/connectors`, { displayName: 'Published' }), 'id') as string
  const webhook = seek(await made('webhooks', { displayName: 'Published', url: 'https://example.com' }), 'id') as string
  const robot = seek(await made('service_principals', { displayName: 'Robot' }), 'id') as string
  const key = (await made(`service_principals/${robot}/credentials`, { displayName: 'Published' }))[
    'credential'
  ] as Json
  const exportId = scene.access.world.newId()
  await scene.server.db`
    insert into systemlog_exports (tenant_id, export_id, display_name, datasource_id, prefix, format, state, seal_number,
      seal_position, next_run_at, created_at, updated_at)
    values (${scene.access.tenant.id}, ${exportId}, 'Published', 'none', '', 'gzip', 'waiting', 0, 0,
      now() + interval '1 day', now(), now())`
  const issuer = { displayName: 'Published', issuerUrl: 'https://issuer.example.com' }
  const provider = seek(await made('workload_federation/providers', issuer), 'id') as string
  const trust = { displayName: 'Published', conditionExpression: 'claims.sub == "a"', providerId: provider }
  const trusted = seek(await made(`service_principals/${robot}/trusts`, trust), 'clientId') as string
  ids = {
    webhooks: webhook,
    exports: exportId,
    export_id: exportId,
    providers: provider,
    client_id: encodeURIComponent(trusted),
    service_principals: robot,
    service_principal_id: robot,
    credentials: key['id'] as string,
    connectors: connector,
    connector_id: connector,
    connector_app_id: app,
    entitlement_configuration_rules: rule['id'] as string,
    request_schemas: form['id'] as string,
    catalogs: catalog as string,
    catalog_id: catalog as string,
    request_catalog_id: catalog as string,
    apps: app,
    policies: policy['id'] as string,
    entitlements: entitlement.id,
    resources: resource.id,
    resource_types: resource.typeId,
    personal_clients: client['id'] as string,
    app_id: app,
    app_user_app_id: app,
    app_entitlement_id: entitlement.id,
    entitlement_id: entitlement.id,
    app_resource_type_id: resource.typeId,
    resource_type_id: resource.typeId,
    resource_id: resource.id,
    app_user_id: account.id,
    user_id: user,
    role_id: role,
    role_slug: 'primary',
    user_ref_id: user,
    app_entitlement_ref_app_id: app,
    app_entitlement_ref_id: entitlement.id,
    attribute: attribute['id'] as string,
  }
})

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const same = (name: string): string => name
/** In which spellings a field is sent: in `npm test` in one of them, by turns. */
const spellingsOf = (place: number) => (isLong ? [same, snake] : place % 2 === 0 ? [same] : [snake])

/** `a.b[].c` with a value in it, as JSON. */
function jsonOf(path: string, value: unknown): Json {
  const [first = '', ...rest] = path.split('.')
  const inner = rest.length > 0 ? jsonOf(rest.join('.'), value) : value
  return first.endsWith('[]') ? { [first.slice(0, -2)]: [inner] } : { [first]: inner }
}
const merged = (a: Json, b: Json): Json =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((name) => {
      const [one, other] = [a[name], b[name]]
      const areBoth = [one, other].every((each) => typeof each === 'object' && each !== null && !Array.isArray(each))
      return [name, areBoth ? merged(one as Json, other as Json) : (other ?? one)]
    }),
  )

const plain: Record<string, unknown> = {
  string: 'x',
  boolean: true,
  integer: 7,
  map: { a: 'b' },
  object: { x: {} },
  'date-time': '2031-01-01T00:00:00Z',
  duration: '60s',
}
const valueOf = (type: string): unknown => (Object.hasOwn(plain, type) ? plain[type] : type)

/** The same body, its names spelled so. */
const spelled = (json: unknown, spell: (name: string) => string): Json =>
  (Array.isArray(json)
    ? json.map((item) => spelled(item, spell))
    : typeof json === 'object' && json !== null
      ? Object.fromEntries(Object.entries(json).map(([name, value]) => [spell(name), spelled(value, spell)]))
      : json) as Json

const nameOf = (path: string): string => (path.split('.').at(-1) ?? '').replace('[]', '')
/** Whether a field, or one that it lies in, is what a table speaks of. */
const isIn = (table: Record<string, unknown>, path: string): boolean =>
  Object.keys(table).some((known) => path === known || path.startsWith(`${known}.`))

describe('a filter', () => {
  test('that is published finds less, in both spellings', async () => {
    for (const [operation, { with: base = {}, fields: values, finds = {} }] of Object.entries(
      filters(scene, stage()),
    )) {
      const found = await search(operation, base)
      expect(found, operation).toBeGreaterThan(0)
      const leaving = (left: number, of: Record<string, unknown>) =>
        Object.entries(of).map(([path, value]) => ({ path, value, left }))
      for (const [place, { path, value, left }] of [...leaving(0, values), ...leaving(found, finds)].entries())
        for (const spell of spellingsOf(place)) {
          const body = spelled({ ...base, ...jsonOf(path, value) }, spell)
          expect([operation, path, await search(operation, body)]).toEqual([operation, path, left])
        }
    }
  })
})

describe('a field', () => {
  test('that is published is kept and read back, or is refused by its name; in both spellings', async () => {
    const kept = await keptWrites(scene, stage())
    const found = filters(scene, stage())
    let [readBack, refused] = [0, 0]
    for (const [place, { operation, path, type, isQuery }] of fields.entries()) {
      const filter = found[operation]
      if (derived.has(path) || (filter && isIn({ ...filter.fields, ...filter.finds }, path))) continue
      if (shownElsewhere.some(([which]) => which.test(`${operation} ${path}`))) continue
      const said = kept[operation]
      if (said && isIn(said.fields, path)) continue
      for (const spell of spellingsOf(place)) {
        const query = isQuery ? `?${spell(path)}=${String(valueOf(type))}` : ''
        const body = isQuery ? {} : jsonOf(path, valueOf(type))
        const reply = await send(operation, spelled(merged(said?.with ?? filter?.with ?? {}, body), spell), query)
        const named = fieldsOf(reply).map((field) => String(field).replace(/\[\d+\]/g, '[]'))
        const isNamed = named.some((field) => path === field || path.startsWith(`${field}.`) || path === `${field}[]`)
        const outer = path.replace(/\[\]/g, '').split('.')
        const isOuterNamed = named.some((field) => outer.join('.').startsWith(field.replace(/\[\]/g, '')))
        expect([operation, path, reply.status, isNamed || isOuterNamed], reply.text).toEqual([
          operation,
          path,
          400,
          true,
        ])
        refused++
      }
    }
    for (const [operation, { with: base = {}, fields: values, after }] of Object.entries(kept))
      for (const [place, [path, value]] of Object.entries(values).entries())
        for (const spell of spellingsOf(place)) {
          const isRule = /(basic|cel|entitlements)/.test(path)
          const body = isRule ? jsonOf(path, value) : merged(base, jsonOf(path, value))
          const reply = await send(operation, spelled(body, spell))
          expect([operation, path, reply.status], reply.text).toEqual([operation, path, 200])
          const back = seek(reply.json, nameOf(path))
          expect([operation, path, back]).toEqual([operation, path, path.endsWith('[]') ? [value] : value])
          await after?.()
          readBack++
        }
    expect(readBack).toBeGreaterThan(fewOrMany(50, 100))
    expect(refused).toBeGreaterThan(fewOrMany(100, 200))
  })

  test('that holds no more than its unset value passes: clients send such fields along', async () => {
    const nothing: Record<string, unknown> = { string: '', boolean: false, integer: 0, map: {}, object: {} }
    const sent = new Set<string>()
    for (const { operation, path, type } of fields.filter(({ path: each }) =>
      /^(app|entitlement|appResource)\./.test(each),
    )) {
      const top = path.split('.').slice(0, 2).join('.')
      if (!operation.endsWith('.Update') || path.endsWith('displayName') || sent.has(`${operation} ${top}`)) continue
      sent.add(`${operation} ${top}`)
      const unset = top.endsWith('[]') ? [] : top === path ? (nothing[type] ?? null) : {}
      const reply = await send(operation, jsonOf(top.replace('[]', ''), unset))
      expect([operation, path, reply.status], reply.text).toEqual([operation, path, 200])
    }
  })

  test('that is sent as an empty string comes back as one: Terraform compares', async () => {
    const written = fields.filter(
      ({ operation, path, type }) =>
        type === 'string' &&
        /^app\.v1\.(Apps|AppEntitlements|AppResourceService)\.(Create\w*|Update)$/.test(operation) &&
        /^((app|entitlement|appResource)\.)?(alias|slug|description|\w+PolicyId|\w+BatonId|\w+(Schema|Catalog|Config)Id)$/.test(
          path,
        ),
    )
    expect(written.map(({ path }) => path)).toEqual(expect.arrayContaining(['app.grantPolicyId', 'matchBatonId']))
    for (const { operation, path } of written) {
      const isUpdate = operation.endsWith('.Update')
      const reply = await send(operation, merged(isUpdate ? {} : { displayName: 'Of empty strings' }, jsonOf(path, '')))
      expect([operation, path, reply.status, seek(reply.json, nameOf(path))], reply.text).toEqual([
        operation,
        path,
        200,
        '',
      ])
    }
  })

  test('that is read can be sent back: a whole reply as the body of an update', async () => {
    for (const [operation, path, name, unwrap] of [
      ['app.v1.Apps.Update', `apps/${app}`, 'app', 'app'],
      ['app.v1.AppEntitlements.Update', `apps/${app}/entitlements/${entitlement.id}`, 'entitlement', 'appEntitlement'],
      [
        'app.v1.AppResourceService.Update',
        `apps/${app}/resource_types/${resource.typeId}/resources/${resource.id}`,
        'appResource',
        'appResource',
      ],
      ['app.v1.AppUsageControlsService.Update', `apps/${app}/usage_controls`, 'appUsageControls', 'appUsageControls'],
      ['iam.v1.Roles.Update', `iam/roles/${ids['role_id']}`, 'role', 'role'],
    ] as const)
      for (const updateMask of ['', '*']) {
        const read = seek((await scene.get(`/api/v1/${path}`)).json, unwrap) as Json
        const reply = await send(operation, { [name]: read, updateMask })
        expect([operation, reply.status], reply.text).toEqual([operation, 200])
        const { updatedAt: _, userEditedMask: __, ...rest } = read
        expect(seek(reply.json, unwrap)).toMatchObject(rest)
      }
  })

  test('that cannot be changed is refused where it is said to be something else', async () => {
    for (const [operation, body] of [
      ['app.v1.AppEntitlements.Update', { entitlement: { appResourceId: nobody } }],
      ['app.v1.AppEntitlements.Update', { entitlement: { app_id: nobody }, updateMask: '*' }],
      ['app.v1.AppResourceService.Update', { appResource: { parentAppResourceId: nobody } }],
      ['app.v1.Apps.Update', { app: { isManuallyManaged: true } }],
    ] as const)
      expect(reasonOf(await send(operation, body)), JSON.stringify(body)).toBe('INPUT_INVALID')
  })
})
