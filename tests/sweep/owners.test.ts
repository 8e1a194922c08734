import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Route, route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { empty } from '#kernel/wire.ts'
import { builtInRoles } from '#rooms/identity/roles/index.ts'
import { insertAccounts } from '#rooms/records/accounts/index.ts'
import { insertApps, insertEntitlements, insertResources, insertResourceTypes } from '#rooms/records/apps/index.ts'
import { routes } from '#server/registry/routes.ts'
import { type Access, ask, getToken, openAccess, type Reply, type RoleName, reasonOf } from '../fixture/access.ts'
import { isLong } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

/**
 * Every operation that is about something is called on a thing that is there: by an application administrator who owns
 * it, or what it lies in, or nothing of it; and by those of other roles who own all of it, which gives them nothing.
 */

const admin = 'system:application-admin'
const extra = (id: string, allow: string, more: object): Route =>
  route({ id, at: `GET /api/v1/${id}/{app_id}/{id}`, summary: '.', allow, ...more, reply: empty, handle: () => ({}) })
const about = { about: { app: 'app_id', entitlement: 'id' } as {} }

// Served otherwise than tabled: each must be caught.
const escaped = {
  open: { served: extra('open', 'roles.read', {}), tabled: extra('open', 'entitlements.write', about) },
  loose: {
    served: extra('loose', 'apps.read', about),
    tabled: extra('loose', 'apps.read', { ...about, fromAbove: true }),
  },
  closed: { served: extra('closed', 'apps.read', {}), tabled: extra('closed', 'apps.read', about) },
  elsewhere: {
    served: extra('elsewhere', 'apps.read', { about: { app: 'app_id' } }),
    tabled: extra('elsewhere', 'apps.read', about),
  },
}

type Ids = {
  app: string
  resourceType: string
  resource: string
  entitlement: string
  account: string
  connector: string
}
type Owning = 'nothing' | 'all' | 'app' | 'resource' | 'entitlement' | 'connector'

/** In `npm test` those with the fewest rights. */
const otherRoles = (Object.keys(builtInRoles) as RoleName[]).filter(
  (role) => role !== admin && (isLong || role === 'system:user'),
)

let server: TestServer
let access: Access
const callers = new Map<RoleName, { userId: string; token: string }>()
beforeAll(async () => {
  server = await startServer({ extraRoutes: Object.values(escaped).map(({ served }) => served) })
  access = await openAccess(server)
  for (const role of [admin, ...otherRoles] as RoleName[]) {
    const key = await access.makeCaller([role])
    callers.set(role, { userId: key.userId, token: await getToken(server, key) })
  }
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const sharedThings = new Map<string, Promise<Ids>>()

/** Things that someone owns so. They are a call's own where it is let in and may change them. */
function thingsOf(each: Route, role: RoleName, owning: Owning): Promise<Ids> {
  if (each.method !== 'GET' && expected(each, role, owning) === 'let in') return makeOwned(role, owning)
  const name = `${role} ${owning}`
  const things = sharedThings.get(name) ?? makeOwned(role, owning)
  sharedThings.set(name, things)
  return things
}

async function makeOwned(role: RoleName, owning: Owning): Promise<Ids> {
  const { userId } = callers.get(role) as { userId: string }
  const ids = await makeThings()
  if (owning === 'all')
    for (const kind of ['app', 'resource', 'entitlement', 'connector'] as const) await own(ids, kind, userId)
  else if (owning !== 'nothing') await own(ids, owning, userId)
  return ids
}

/** A whole app. */
async function makeThings(): Promise<Ids> {
  const { world, tenant } = access
  const id = world.newId
  const ids: Ids = {
    ...{ app: id(), resourceType: id(), resource: id(), entitlement: id(), account: id(), connector: id() },
  }
  const { app: appId, resourceType, resource } = ids
  const displayName = 'Swept'
  await transact(world.db, async (tx) => {
    const at = world.now()
    await insertApps(tx, tenant.id, [{ id: appId, displayName }], at)
    await insertResourceTypes(tx, tenant.id, [{ id: resourceType, appId, displayName }], at)
    await insertResources(tx, tenant.id, [{ id: resource, appId, resourceTypeId: resourceType, displayName }], at)
    const on = { typeId: resourceType, id: resource }
    await insertEntitlements(tx, tenant.id, [{ id: ids.entitlement, appId, displayName, resource: on }], at)
    await insertAccounts(tx, tenant.id, [{ id: ids.account, appId, displayName }], at)
    await tx`
      insert into connectors (tenant_id, connector_id, app_id, display_name, created_at, updated_at)
      values (${tenant.id}, ${ids.connector}, ${appId}, ${displayName}, ${at}, ${at})`
  })
  return ids
}

async function own(ids: Ids, kind: Exclude<Owning, 'nothing' | 'all'>, userId: string): Promise<void> {
  const objectId = ids[kind]
  const typeId = kind === 'resource' ? ids.resourceType : ''
  await server.db`
    insert into owners (tenant_id, kind, app_id, resource_type_id, object_id, role_slug, owner_id, user_id, began_at)
    values (${access.tenant.id}, ${kind}, ${ids.app}, ${typeId}, ${objectId}, 'sweeper', ${access.world.newId()}, ${userId},
      now())`
}

/** What is named besides: an owner that there is. */
const others: Record<string, keyof Ids> = { app_entitlement_ref_app_id: 'app', app_entitlement_ref_id: 'entitlement' }

/** The operation, on these things: of several that it is about, all are the same app's. */
async function call({ method, path, about: things }: Route, ids: Ids, token: string): Promise<Reply> {
  const idOf = new Map(
    things.flatMap((thing) => Object.entries(thing).map(([part, name]) => [name, part as keyof Ids])),
  )
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = idOf.get(name) ?? others[name]
    return part ? ids[part] : name === 'role_slug' ? 'primary' : '2zzzzzzzzzzzzzzzzzzzzzzzzzz'
  })
  return ask(server, url, {
    method,
    token,
    ...(method !== 'GET' && { body: '{}', headers: { 'content-type': 'application/json' } }),
  })
}

const missing = (of: Route): string => {
  const [{ entitlement, resource, resourceType, account, connector } = {}] = of.about as Partial<
    Record<keyof Ids, string>
  >[]
  if (entitlement) return 'ENTITLEMENT_NOT_FOUND'
  if (account) return 'ACCOUNT_NOT_FOUND'
  if (connector) return 'CONNECTOR_NOT_FOUND'
  return resource ? 'RESOURCE_NOT_FOUND' : resourceType ? 'RESOURCE_TYPE_NOT_FOUND' : 'APP_NOT_FOUND'
}

/** Let in, denied, or told that the very thing is not there, which is. */
function answerOf(of: Route, reply: Reply): string {
  const { status } = reply
  const reason = String(reasonOf(reply))
  if (status === 404 && reason === missing(of)) return 'unseen'
  if (status === 404 && /^(APP|RESOURCE_TYPE|RESOURCE|ENTITLEMENT)_NOT_FOUND$/.test(reason)) return `404 ${reason}`
  if (status === 401 || status === 403) return `${status} ${reason}`
  return status >= 500 ? `a failure, ${status}` : 'let in'
}

const denied = '403 PERMISSION_DENIED'

/** What the tables say. */
function expected(of: Route, role: RoleName, owning: Owning): string {
  const terms: { permissions: readonly string[]; permissionsOnOwned?: readonly string[] } = builtInRoles[role]
  if (terms.permissions.includes(of.allowOwners)) return 'let in'
  // It shows only one's own, and what is here is nobody's.
  const otherwise = terms.permissions.includes(of.allow) ? 'unseen' : denied
  if (!terms.permissionsOnOwned?.includes(of.allowOwners)) return otherwise
  const [thing = {}] = of.about
  const itself = (['entitlement', 'resource', 'connector'] as const).find((part) => thing[part]) ?? null
  const above = itself === 'entitlement' ? ['app', 'resource', 'all'] : ['app', 'all']
  if (above.includes(owning)) return 'let in'
  if (owning === itself) return of.fromAbove ? denied : 'let in'
  return 'unseen'
}

const owningIn = ({ about: [thing] }: Route): readonly Owning[] =>
  thing?.['connector'] ? ['nothing', 'app', 'connector', 'entitlement'] : ['nothing', 'app', 'resource', 'entitlement']

/** In `npm test` an operation is called by one who may not, and by one who may: by turns the owner of this or that. */
const owningAt = (place: number, each: Route): readonly Owning[] => {
  const [nothing = 'nothing', ...some] = owningIn(each)
  return [nothing, some[place % some.length] ?? 'app']
}

async function sweep(table: readonly Route[], isWhole = true): Promise<string[]> {
  const wrong: string[] = []
  const compare = async (each: Route, role: RoleName, owning: Owning): Promise<void> => {
    const { token } = callers.get(role) as { token: string }
    const ids = await thingsOf(each, role, owning)
    const answer = answerOf(each, await call(each, ids, token))
    const should = expected(each, role, owning)
    // Someone else's account shows a basic user the same 404 as none at all.
    if (answer !== should && !(should === 'unseen' && answer === 'let in' && role === 'system:user'))
      wrong.push(`${each.id} for ${role} who owns ${owning}: ${answer}, not ${should}`)
  }
  for (const [place, each] of table.entries())
    await Promise.all([
      ...(isWhole ? owningIn(each) : owningAt(place, each)).map((owning) => compare(each, admin, owning)),
      ...otherRoles.map((role) => compare(each, role, 'all')),
    ])
  return wrong
}

// Owners of service principals are another matter: tests/principals/attacks.test.ts.
const ofThings = routes.filter((each) => each.about.length > 0 && !each.about.some(({ user }) => user !== undefined))

test('every operation on a thing lets in its owners as the tables say, and nobody else', async () => {
  expect(ofThings.length).toBeGreaterThan(70)
  expect(await sweep(ofThings, isLong)).toEqual([])
})

describe('the sweep finds an operation', () => {
  test('that lets in who owns nothing', async () => {
    const wrong = await sweep([escaped.open.tabled])
    expect(wrong).toContain('open for system:user who owns all: let in, not 403 PERMISSION_DENIED')
  })

  test('that lets in owners of the thing where it should be those of what it lies in', async () => {
    const wrong = await sweep([escaped.loose.tabled])
    expect(wrong).toEqual([`loose for ${admin} who owns entitlement: let in, not 403 PERMISSION_DENIED`])
  })

  test('that lets in no owners', async () => {
    const wrong = await sweep([escaped.closed.tabled])
    expect(wrong).toContain(`closed for ${admin} who owns app: 403 PERMISSION_DENIED, not let in`)
    expect(wrong).toContain(`closed for ${admin} who owns nothing: 403 PERMISSION_DENIED, not unseen`)
  })

  test('that looks at another thing than it says', async () => {
    const wrong = await sweep([escaped.elsewhere.tabled])
    expect(wrong).toContain(`elsewhere for ${admin} who owns entitlement: 404 APP_NOT_FOUND, not let in`)
    expect(wrong).toContain(`elsewhere for ${admin} who owns nothing: 404 APP_NOT_FOUND, not unseen`)
  })
})

// Whether the thing is, and who owns it, is nothing for its own owners: of an app, only for those who may everywhere.
const notForOwners = [
  'app.v1.Apps.Delete',
  ...['Set', 'Add', 'Remove', 'Delete'].map((verb) => `app.v1.AppOwners.${verb}`),
  'app.v2.AppOwners.Set',
  ...['User', 'Entitlement'].flatMap((kind) =>
    ['Create', 'Delete'].map((verb) => `app.v2.AppOwners.${verb}${kind}Owner`),
  ),
]

test('every operation in an app says what it is about, but for those that are not for its owners', () => {
  const ofOwners: readonly string[] = builtInRoles[admin].permissionsOnOwned
  const silent = routes.filter(
    (each) =>
      /^\/api\/v\d\/(search\/)?apps\/\{/.test(each.path) &&
      each.about.length === 0 &&
      (ofOwners.includes(each.allow) || ofOwners.includes(each.allow.replace('.own.', '.'))),
  )
  expect(silent.map(({ id }) => id).toSorted()).toEqual(notForOwners.toSorted())
})
