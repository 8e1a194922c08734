import { may, standingTo } from '#authority/may.ts'
import { sieve } from '#authority/replies/index.ts'
import { route } from '#authority/route.ts'
import { type Page, pageOf } from '#kernel/pages.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { described, listOf, message, required, text } from '#kernel/wire.ts'
import { findAppsUncounted } from '#rooms/records/apps/index.ts'
import { findProfiles } from './profiles-store.ts'

type Json = { readonly [name: string]: unknown }
type Hit = { id: string; appId: string; displayName: string; description: string; appResourceTypeId?: string }

/** An operation that is asked, and what it found. */
type Source = {
  kind: string
  operation: string
  ask: (query: string) => Json
  hits: (reply: Json) => Hit[]
  /** How many are shown; `hitsMax` by default. */
  max?: number
}

const textIn = (of: unknown, name: string): string => {
  const value = (of as Json | null | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}
const listIn = (reply: Json): Json[] => (reply['list'] ?? []) as Json[]
const under = (item: Json, name: string): Json => (item[name] ?? {}) as Json

/** The neighbour that a path such as `$.expanded[0]` points at. */
function neighbourName(reply: Json, path: unknown): string {
  const place = typeof path === 'string' ? /^\$\.expanded\[(\d+)\]$/.exec(path)?.[1] : undefined
  return place === undefined ? '' : textIn((reply['expanded'] as Json[] | undefined)?.[Number(place)], 'displayName')
}

const hitsMax = 6
const entitlementsMax = 12
const withApp = { expandMask: { paths: ['appId'] } }

/** What is looked through, in the order in which it is shown. Each is an operation of the API, with its own rights. */
const sources: readonly Source[] = [
  {
    kind: 'user',
    operation: 'user.v1.UserSearch.Search',
    ask: (query) => ({ query }),
    hits: (reply) =>
      listIn(reply).map((item) => {
        const user = under(item, 'user')
        const id = textIn(user, 'id')
        const displayName = textIn(user, 'displayName')
        return { id, appId: '', displayName, description: textIn(user, 'email') }
      }),
  },
  {
    kind: 'app',
    operation: 'app.v1.AppSearch.Search',
    ask: (query) => ({ query }),
    hits: (reply) =>
      listIn(reply).map((app) => {
        const id = textIn(app, 'id')
        const displayName = textIn(app, 'displayName')
        return { id, appId: id, displayName, description: textIn(app, 'description') }
      }),
  },
  {
    kind: 'entitlement',
    // There are several of each resource, with the same words: of “prod” six would be all of Product, and none of Production.
    max: entitlementsMax,
    operation: 'app.v1.AppEntitlementSearchService.Search',
    ask: (query) => ({ query, ...withApp }),
    hits: (reply) =>
      listIn(reply).map((item) => {
        const [of, id] = [under(item, 'appEntitlement'), textIn(under(item, 'appEntitlement'), 'id')]
        const appId = textIn(of, 'appId')
        const displayName = textIn(of, 'displayName')
        const description = neighbourName(reply, item['appPath'])
        return { id, appId, displayName, description }
      }),
  },
  {
    kind: 'account',
    operation: 'app.v1.AppUserService.Search',
    ask: (query) => ({ query, ...withApp }),
    hits: (reply) =>
      listIn(reply).map((item) => {
        const of = under(item, 'appUser')
        const [id, appId] = [textIn(of, 'id'), textIn(of, 'appId')]
        const displayName = textIn(of, 'displayName') || textIn(of, 'username') || textIn(of, 'email')
        const description = neighbourName(reply, item['appPath'])
        return { id, appId, displayName, description }
      }),
  },
  {
    kind: 'resource',
    operation: 'app.v1.AppResourceSearch.SearchAppResources',
    ask: (query) => ({ query }),
    hits: (reply) =>
      listIn(reply).map((item) => {
        const of = under(item, 'appResource')
        const [id, appId, typeId] = [textIn(of, 'id'), textIn(of, 'appId'), textIn(of, 'appResourceTypeId')]
        const displayName = textIn(of, 'displayName')
        return { id, appId, displayName, description: '', appResourceTypeId: typeId }
      }),
  },
  {
    kind: 'policy',
    operation: 'policy.v1.PolicySearch.Search',
    ask: (query) => ({ query }),
    hits: (reply) =>
      listIn(reply).map((of) => {
        const id = textIn(of, 'id')
        const displayName = textIn(of, 'displayName')
        return { id, appId: '', displayName, description: textIn(of, 'description') }
      }),
  },
  {
    kind: 'connector',
    operation: 'connector.v1.ConnectorOverviewService.List',
    ask: (query) => ({ query }),
    hits: (reply) =>
      listIn(reply).map((of) => {
        const [id, appId] = [textIn(of, 'id'), textIn(of, 'appId')]
        return { id, appId, displayName: textIn(of, 'displayName'), description: textIn(of, 'appName') }
      }),
  },
  {
    kind: 'task',
    operation: 'task.v1.TaskSearchService.Search',
    ask: (query) => ({ query }),
    hits: (reply) =>
      listIn(reply).map((item) => {
        const task = under(item, 'task')
        const number = textIn(task, 'numericId')
        const displayName = textIn(task, 'displayName')
        return { id: textIn(task, 'id'), appId: '', displayName, description: `#${number}` }
      }),
  },
]

const kinds = [...sources.map(({ kind }) => kind), 'profile']
const pageSize = 15

/** Asks an operation in the name of the caller: nothing where they may not call it, and no more than they may know. */
async function ask(call: Call, asked: Route, source: Source, query: string): Promise<Hit[]> {
  if (!standingTo(call.actor, asked).asCaller) return []
  // Those two are computed on access, and the spread does not copy them.
  const inside: Call = { ...call, origin: call.origin, signal: call.signal, operation: asked.id, shows: {} }
  const sent = source.ask(query)
  const body = asked.body ? asked.body.read(sent, '', []) : {}
  const params = asked.query.read(asked.body ? {} : sent, '', [])
  const scope = { seals: call.seals, tenant: call.tenant.publicId, operation: asked.id, filter: null }
  const page: Page = pageOf(scope, pageSize, '')
  const stream = undefined as never
  const reply = await asked.handle(inside, { path: {}, query: params, body, sent, page, stream })
  const whole = asked.reply.write(reply) as Json
  const seen = sieve.passes(inside, asked) ? whole : await sieve.sift(inside, asked.reply, whole)
  return source
    .hits(seen)
    .filter(({ id, displayName }) => id !== '' && displayName !== '')
    .slice(0, source.max ?? hitsMax)
}

/** One search of everything that has a name, for people who type a few letters of it. */
export const findRoutes = (all: readonly Route[]): Route[] => [
  route({
    id: 'bailiwick.v1.Finder.Find',
    at: 'GET /api/v1/find',
    summary: `Find users, apps, entitlements, accounts, resources, policies, connectors, tasks and access profiles by words of their names: at most ${entitlementsMax} entitlements, and ${hitsMax} of each other kind, that the caller may search.`,
    rule: 'everything.find',
    query: message('bailiwick.v1.FindQuery', { query: required(text({ maxLength: 200 })) }),
    reply: message('bailiwick.v1.FindResponse', {
      list: listOf(
        message('bailiwick.v1.FindHit', {
          kind: described(text(), `One of ${kinds.join(', ')}.`),
          id: text(),
          appId: text(),
          displayName: text(),
          description: described(
            text(),
            'What distinguishes it from others: an email address, the name of the app, a number.',
          ),
          appResourceTypeId: described(text(), 'Of a resource.'),
        }),
      ),
    }),
    async handle(call, { query: { query } }) {
      const wanted = query.trim()
      const found = await Promise.all(
        sources.map(async (source) => {
          const asked = all.find(({ id }) => id === source.operation)
          if (!asked) throw new Error(`there is no operation ${source.operation}`)
          return (await ask(call, asked, source, wanted)).map((hit) => ({
            kind: source.kind,
            appResourceTypeId: '',
            ...hit,
          }))
        }),
      )
      const profiles = may(call.actor, 'profiles.read')
        ? await findProfiles(call.db, call.tenant.id, wanted, hitsMax)
        : []
      // Who finds resources may read all apps.
      const unnamed = found.flat().filter(({ kind }) => kind === 'resource')
      const apps =
        unnamed.length > 0
          ? await findAppsUncounted(
              call.db,
              call.tenant.id,
              unnamed.map(({ appId }) => appId),
            )
          : []
      const nameOf = new Map(apps.map(({ id, displayName }) => [id, displayName]))
      return {
        list: [
          ...found
            .flat()
            .map((hit) => (hit.kind === 'resource' ? { ...hit, description: nameOf.get(hit.appId) ?? '' } : hit)),
          ...profiles.map((each) => ({ kind: 'profile', appId: '', appResourceTypeId: '', ...each })),
        ],
      }
    },
  }),
]
