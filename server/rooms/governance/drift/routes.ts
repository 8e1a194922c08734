import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import { type Route, route } from '#kernel/routes.ts'
import { described, int32, list, listOf, message, oneOf, text, timestamp } from '#kernel/wire.ts'
import { resolveDrift } from './actions.ts'
import { type Drift, driftKinds, remedies, remediesOf } from './drift.ts'
import { countDrift, listDrift } from './store.ts'

const id = () => text({ maxLength: 64 })
const refFields = { appId: id(), appEntitlementId: id(), appUserId: id() }
const kinds = ['DRIFT_KIND_UNSPECIFIED', 'DRIFT_KIND_UNEXPLAINED', 'DRIFT_KIND_MISSING'] as const
const kindNames = { unexplained: kinds[1], missing: kinds[2] } as const
const remedyNames = [
  'DRIFT_REMEDY_UNSPECIFIED',
  'DRIFT_REMEDY_KEEP',
  'DRIFT_REMEDY_REVOKE',
  'DRIFT_REMEDY_REMOVE',
] as const
const kindText =
  'UNEXPLAINED: the app has it, and nothing here says why. MISSING: it should be there, and the app does not have it.'

const DriftMessage = message(
  'bailiwick.v1.Drift',
  {
    ...refFields,
    kind: described(oneOf(kinds), kindText),
    foundAt: timestamp(),
    sources: described(
      list(text()),
      'Why it is recorded: manual, import, rule, request, profile or directory. Of unexplained access: only import.',
    ),
    remedies: described(
      list(oneOf(remedyNames)),
      'KEEP: record it as given by hand. REVOKE: create a task that revokes it. REMOVE: end its record.',
    ),
    appDisplayName: text(),
    entitlementDisplayName: text(),
    appUserDisplayName: text(),
    identityUserId: text(),
    userDisplayName: text(),
  },
  'An account and an entitlement on which an app and the record differ.',
)

const onWire = (each: Drift) => ({
  appId: each.appId,
  appEntitlementId: each.entitlementId,
  appUserId: each.accountId,
  kind: kindNames[each.kind],
  foundAt: each.foundAt,
  sources: each.sources,
  remedies: remediesOf[each.kind].map((remedy) => remedyNames[remedies.indexOf(remedy) + 1] ?? remedyNames[0]),
  appDisplayName: each.appName,
  entitlementDisplayName: each.entitlementName,
  appUserDisplayName: each.accountName,
  identityUserId: each.userId,
  userDisplayName: each.userName,
})

const countMax = 10_000
const atOnceMax = 100

export const driftRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.Drift.List',
    at: 'GET /api/v1/drift',
    summary:
      'List where the access that connectors found in apps differs from the access that is recorded for other reasons.',
    allow: 'grants.read',
    paged: true,
    query: message('bailiwick.v1.ListDriftQuery', { appId: id(), kind: oneOf(kinds) }),
    reply: message('bailiwick.v1.ListDriftResponse', { list: listOf(DriftMessage), nextPageToken }),
    async handle(call, { query, page }) {
      const wanted = { appId: query.appId || null, kind: driftKinds[kinds.indexOf(query.kind) - 1] ?? null }
      const rows = await listDrift(call.db, call.tenant.id, wanted, page, call.now())
      return page.cut(rows, ({ appId, entitlementId, accountId }) => [appId, entitlementId, accountId], onWire)
    },
  }),
  route({
    id: 'bailiwick.v1.Drift.Count',
    at: 'GET /api/v1/drift/counts',
    summary: 'Count the differences of each app that a connector reads, with the time of the last comparison.',
    allow: 'grants.read',
    reply: message('bailiwick.v1.CountDriftResponse', {
      total: described(int32(), `At most ${countMax} are counted.`),
      apps: listOf(
        message('bailiwick.v1.DriftOfApp', {
          appId: text(),
          appDisplayName: text(),
          unexplained: int32(),
          missing: int32(),
          checkedAt: timestamp(),
        }),
      ),
    }),
    async handle(call) {
      const counted = await countDrift(call.db, call.tenant.id, countMax, call.now())
      return {
        total: counted.reduce((sum, { unexplained, missing }) => sum + unexplained + missing, 0),
        apps: counted.map(({ appName, ...each }) => ({ ...each, appDisplayName: appName })),
      }
    },
  }),
  route({
    id: 'bailiwick.v1.Drift.Resolve',
    at: 'POST /api/v1/drift/resolve',
    summary: 'Apply a remedy to differences between an app and the record. Each succeeds or is refused by itself.',
    allow: 'grants.write',
    body: message('bailiwick.v1.ResolveDriftRequest', {
      remedy: oneOf(remedyNames),
      items: listOf(message('bailiwick.v1.DriftRef', refFields), atOnceMax),
    }),
    reply: message('bailiwick.v1.ResolveDriftResponse', {
      list: listOf(
        message('bailiwick.v1.ResolvedDrift', {
          ...refFields,
          error: described(text(), 'Why nothing was done; empty where it was.'),
          taskId: described(text(), 'The task that revokes it.'),
        }),
      ),
    }),
    async handle(call, { body }) {
      const remedy = remedies[remedyNames.indexOf(body.remedy) - 1]
      if (!remedy) throw invalid({ field: 'remedy', description: 'must be given' })
      if (body.items.length === 0) throw invalid({ field: 'items', description: 'must name at least one difference' })
      const refs = body.items.map((each) => ({
        appId: each.appId,
        entitlementId: each.appEntitlementId,
        accountId: each.appUserId,
      }))
      const outcomes = await resolveDrift(call, remedy, refs)
      return {
        list: outcomes.map(({ appId, entitlementId, accountId, error, taskId }) => ({
          ...{ appId, appEntitlementId: entitlementId, appUserId: accountId },
          ...{ error, taskId },
        })),
      }
    },
  }),
]
