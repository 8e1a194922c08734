import { route } from '#authority/route.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { list, listOf, message, nested, oneOf, required, text } from '#kernel/wire.ts'
import { EntitlementRef, setWithoutConnector } from '#rooms/records/apps/index.ts'
import { enforcementOfEntitlements, getApp, statesOfApps } from './actions.ts'
import { coverageRoutes } from './covered/routes.ts'
import {
  AppEnforcement,
  AppStateMessage,
  EntitlementEnforcement,
  withoutConnectorNames,
  withoutConnectorOf,
} from './view.ts'

const service = 'bailiwick.v1.Enforcement'
/** Of one request for several. */
const atOnceMax = 100

const appReply = (name: string) => message(`bailiwick.v1.${name}`, { enforcement: nested(AppEnforcement) })

export const enforcementRoutes: readonly Route[] = [
  route({
    id: `${service}.GetApp`,
    at: 'GET /api/v1/apps/{app_id}/enforcement',
    summary:
      'Get whether decisions about an app are carried out in it: by which connectors, by people, or by nobody because they are only recorded.',
    rule: 'app.read',
    about: { app: 'app_id' },
    reply: appReply('GetAppEnforcementResponse'),
    handle: async (call, { path }) => ({ enforcement: await getApp(call, path.app_id) }),
  }),
  route({
    id: `${service}.SetApp`,
    at: 'POST /api/v1/apps/{app_id}/enforcement',
    summary:
      'Set what happens in an app without a connector: its owners are asked to make each change, or changes are only recorded.',
    rule: 'app.edit',
    about: { app: 'app_id' },
    body: message('bailiwick.v1.SetAppEnforcementRequest', {
      withoutConnector: required(oneOf(withoutConnectorNames)),
    }),
    reply: appReply('SetAppEnforcementResponse'),
    async handle(call, { path, body }) {
      const kind = withoutConnectorOf[body.withoutConnector]
      if (kind === null) throw invalid({ field: 'withoutConnector', description: 'must be given' })
      await transact(call.db, (tx) => setWithoutConnector(tx, call, path.app_id, kind))
      return { enforcement: await getApp(call, path.app_id) }
    },
  }),
  route({
    id: `${service}.ListOfEntitlements`,
    at: 'POST /api/v1/enforcement/entitlements',
    summary:
      'Get who carries out grants and revocations of some entitlements in their apps. Those that the caller does not see are left out.',
    rule: 'entitlements.list',
    onlyReads: true,
    body: message('bailiwick.v1.ListEntitlementEnforcementRequest', { refs: listOf(EntitlementRef, atOnceMax) }),
    reply: message('bailiwick.v1.ListEntitlementEnforcementResponse', { list: listOf(EntitlementEnforcement) }),
    handle: async (call, { body }) => ({ list: await enforcementOfEntitlements(call, body.refs) }),
  }),
  route({
    id: `${service}.ListOfApps`,
    at: 'POST /api/v1/enforcement/apps',
    summary: 'Get the enforcement state of some apps. Those that the caller does not see are left out.',
    rule: 'apps.list',
    onlyReads: true,
    body: message('bailiwick.v1.ListAppEnforcementRequest', { appIds: list(text(), atOnceMax) }),
    reply: message('bailiwick.v1.ListAppEnforcementResponse', { list: listOf(AppStateMessage) }),
    handle: async (call, { body }) => ({ list: await statesOfApps(call, body.appIds) }),
  }),
  ...coverageRoutes,
]
