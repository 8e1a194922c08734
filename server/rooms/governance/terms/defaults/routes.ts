import { route } from '#authority/route.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, duration, flag, list, message, neverSet, oneOf, readOnly, struct, text } from '#kernel/wire.ts'
import { requestTermShapes } from '../request-terms.ts'
import { getDefaults, saveDefaults } from './actions.ts'
import type { RequestDefaults } from './defaults.ts'

const typesMax = 1000
const path = '/api/v1/apps/{app_id}/access_request_defaults' as const
const service = 'app.v1.AppAccessRequestsDefaultsService'
const about = { app: 'app_id' } as const

const shapes = {
  ...requestTermShapes,
  defaultsEnabled: flag(),
  resourceTypeIds: described(
    list(text(), typesMax),
    'The resource types whose entitlements use the defaults; empty for all entitlements of the app.',
  ),
  durationGrant: described(duration(), 'The maximum duration that can be requested, as in "3600s".'),
  durationUnset: described(struct(), 'Set to {} if there is no maximum duration.'),
  // Defaults are looked up for each request and copied nowhere. Only access profiles determine who can request what: an
  // app's owner may set defaults, and must not publish its entitlements that way.
  catalogIds: neverSet(list(text()), 'Add the entitlements to access profiles with requestable_entries.'),
  state: described(
    readOnly(
      oneOf([
        'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_UNSPECIFIED',
        'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_RUNNING',
        'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_SUCCESS',
        'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_FAILED',
        'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_CANCELING',
        'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_CANCEL_SUCCESS',
        'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_CANCEL_ERROR',
      ]),
    ),
    'SUCCESS if they are enabled: each request looks them up, so there is nothing to apply. Otherwise unspecified.',
  ),
}
const DefaultsMessage = message(
  'app.v1.AppAccessRequestDefaults',
  { appId: readOnly(text()), ...shapes },
  'The settings for requests of entitlements of an app that do not have their own settings.',
)

const onWire = ({ isDurationUnset, ...defaults }: RequestDefaults) =>
  ({
    ...defaults,
    durationUnset: isDurationUnset ? {} : null,
    catalogIds: [],
    state: `APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_${defaults.defaultsEnabled ? 'SUCCESS' : 'UNSPECIFIED'}`,
  }) as const

export const defaultsRoutes: readonly Route[] = [
  route({
    id: `${service}.GetAppAccessRequestsDefaults`,
    at: `GET ${path}`,
    summary: 'Get the defaults for access requests of an app.',
    rule: 'app.read-terms',
    about,
    reply: DefaultsMessage,
    handle: async (call, { path: { app_id } }) => onWire(await getDefaults(call.db, call, app_id)),
  }),
  route({
    id: `${service}.CreateAppAccessRequestsDefaults`,
    at: `POST ${path}`,
    summary: 'Set the defaults for access requests of an app.',
    rule: 'app.change-terms',
    about,
    body: message('app.v1.AppAccessRequestDefaultsInput', shapes),
    reply: DefaultsMessage,
    async handle(call, { path: { app_id }, body }) {
      const { durationUnset, state: _, catalogIds: __, ...said } = body
      const wanted = { ...said, isDurationUnset: durationUnset !== null }
      return onWire(await transact(call.db, (tx) => saveDefaults(tx, call, app_id, wanted)))
    },
  }),
  route({
    id: `${service}.CancelAppAccessRequestsDefaults`,
    at: `POST ${path}/cancel`,
    summary:
      'Stop applying the defaults of an app to its entitlements. They apply immediately, so there is never anything to stop: the response contains their state.',
    rule: 'app.change-terms',
    about,
    body: message('app.v1.CancelAccessRequestDefaultsRequestInput', {}),
    reply: DefaultsMessage,
    handle: async (call, { path: { app_id } }) => onWire(await getDefaults(call.db, call, app_id)),
  }),
]
