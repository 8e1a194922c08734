import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Route } from '#kernel/routes.ts'
import { described, flag, int32, listOf, message, oneOf, required, text, timestamp } from '#kernel/wire.ts'
import { findUnread, healthField, healthOnWire } from '#rooms/governance/enforcement/index.ts'
import { resolveDrift } from './runs/actions.ts'
import { driftRunRoutes } from './runs/routes.ts'
import {
  appIdField,
  DriftMessage,
  DriftRef,
  driftOnWire,
  kindOf,
  kinds,
  refFields,
  refOf,
  remedyField,
  remedyOf,
} from './shapes.ts'
import { countDrift, listDrift } from './store.ts'

const countMax = 10_000
const atOnceMax = 100

export const driftRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.Drift.List',
    at: 'GET /api/v1/drift',
    summary: 'List differences between the access that connectors found in apps and the grants.',
    rule: 'drift.read',
    paged: true,
    query: message('bailiwick.v1.ListDriftQuery', {
      appId: appIdField(),
      kind: oneOf(kinds),
      isUnderWay: described(flag(), 'Instead, list differences that a task or a connector is processing.'),
    }),
    reply: message('bailiwick.v1.ListDriftResponse', { list: listOf(DriftMessage), nextPageToken }),
    async handle(call, { query, page }) {
      const wanted = { appId: query.appId || null, kind: kindOf(query.kind), isUnderWay: query.isUnderWay }
      const rows = await listDrift(call.db, call.tenant.id, wanted, page, call.now())
      return page.cut(rows, ({ appId, entitlementId, accountId }) => [appId, entitlementId, accountId], driftOnWire)
    },
  }),
  route({
    id: 'bailiwick.v1.Drift.Count',
    at: 'GET /api/v1/drift/counts',
    summary:
      'Count the differences of each app that a connector reads, with the time of the last comparison. Those that are being processed are not counted.',
    rule: 'drift.read',
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
      unread: described(
        listOf(
          message('bailiwick.v1.UnreadConnector', {
            appId: text(),
            connectorId: text(),
            displayName: text(),
            health: healthField(),
            lastSyncedAt: described(timestamp(), 'When its last successful sync was imported; null if there was none.'),
          }),
        ),
        'Connectors whose last sync was not imported: what their apps have now is not known.',
      ),
      appsWithoutConnector: described(
        int32(),
        'How many apps with entitlements no connector reads. Nothing is known of them.',
      ),
    }),
    async handle(call) {
      const counted = await countDrift(call.db, call.tenant.id, countMax, call.now())
      const { connectors, withoutConnector } = await findUnread(call.db, call)
      return {
        unread: connectors.map(({ appId, id, displayName, health, lastSyncedAt }) => ({
          appId,
          connectorId: id,
          displayName,
          health: healthOnWire[health],
          lastSyncedAt,
        })),
        appsWithoutConnector: withoutConnector,
        total: counted.reduce((sum, { unexplained, missing }) => sum + unexplained + missing, 0),
        apps: counted.map(({ appName, ...each }) => ({ ...each, appDisplayName: appName })),
      }
    },
  }),
  route({
    id: 'bailiwick.v1.Drift.Resolve',
    at: 'POST /api/v1/drift/resolve',
    summary: 'Apply a remedy to differences between an app and the grants. Each succeeds or fails independently.',
    rule: 'drift.resolve',
    body: message('bailiwick.v1.ResolveDriftRequest', {
      remedy: required(remedyField()),
      items: listOf(DriftRef, atOnceMax),
      isConfirmed: described(flag(), 'Set to true to revoke or remove more than 20% of the grants of an app.'),
    }),
    reply: message('bailiwick.v1.ResolveDriftResponse', {
      list: listOf(
        message('bailiwick.v1.ResolvedDrift', {
          ...refFields,
          error: described(text(), 'Why nothing was done; empty if it was done.'),
          taskId: described(text(), 'The task that revokes or provisions it.'),
        }),
      ),
      runId: described(text(), 'The run, with which all of it can be undone.'),
    }),
    async handle(call, { body }) {
      const remedy = remedyOf(body.remedy)
      if (body.items.length === 0) throw invalid({ field: 'items', description: 'must name at least one difference' })
      const { isConfirmed } = body
      const { runId, items } = await resolveDrift(call, remedy, body.items.map(refOf), { isConfirmed })
      return {
        list: items.map(({ appId, entitlementId, accountId, error, taskId }) => ({
          appId,
          appEntitlementId: entitlementId,
          appUserId: accountId,
          error,
          taskId,
        })),
        runId,
      }
    },
  }),
  ...driftRunRoutes,
]
