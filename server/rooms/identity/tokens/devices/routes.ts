import { route } from '#authority/route.ts'
import { nextPageToken, type Page } from '#kernel/pages.ts'
import type { Call, ErrorForm, Refusals } from '#kernel/routes.ts'
import { described, empty, int32, listOf, message, nested, required, text } from '#kernel/wire.ts'
import { familyOf } from '#rooms/identity/credentials/index.ts'
import { refuseOtherTargets, targetFields } from '../asked-for.ts'
import { approveRequest, denyRequest, revokeDevice, showRequest } from './actions.ts'
import { beginDevice } from './begin.ts'
import { clientName } from './decide.ts'
import { type Device, listDevicesOf } from './store.ts'
import { DeviceMessage, DeviceRequestMessage } from './view.ts'

const userCode = required(
  described(text({ maxLength: 40 }), 'The code that the device shows; case, spaces and dashes are ignored.'),
)
const listReply = (name: string) => message(name, { list: listOf(DeviceMessage), nextPageToken })

async function listPage(call: Call, whose: { userId: string; family: string | null }, page: Page) {
  const rows = await listDevicesOf(call.db, call.tenant.id, whose, call.now(), page)
  const view = (row: Device) => ({ ...row, displayName: clientName(row.clientId) })
  return page.cut(rows, (row) => [row.id], view)
}

/** A limited credential can access only itself, as for credentials. */
const ownOf = ({ actor }: Call) => ({ userId: actor.userId, family: familyOf(actor) })

/** The device authorization endpoint, whose requests and errors are like those of the token endpoint. */
export const deviceAuthorizationRoute = (errors: ErrorForm, refusals: Refusals) =>
  route({
    id: 'auth.v1.Device.Authorize',
    at: 'POST /auth/v1/device_authorization',
    summary: 'Start the authorization of a device or program, which a user then approves in the console (RFC 8628).',
    rule: 'token.use',
    form: true,
    errors,
    refusals,
    body: message('auth.v1.DeviceAuthorizationRequest', {
      client_id: described(text({ maxLength: 512 }), 'The name that the program reports; shown to the user.'),
      scope: described(text({ maxLength: 2000 }), 'Ids of roles to limit the token to, separated by spaces.'),
      ...targetFields,
    }),
    reply: message('auth.v1.DeviceAuthorizationResponse', {
      device_code: text(),
      user_code: text(),
      verification_uri: text(),
      verification_uri_complete: text(),
      expires_in: described(int32(), 'Seconds until the codes expire.'),
      interval: described(int32(), 'Seconds between two requests for the token.'),
    }),
    async handle(call, { body }) {
      refuseOtherTargets(call, body)
      return beginDevice(call, body)
    },
  })

export const deviceRoutes = [
  route({
    id: 'auth.v1.DeviceRequest.Find',
    at: 'POST /api/v1/auth/device_requests/find',
    summary:
      'Show the request of a device that waits for a code, before it is approved or denied. From the console only.',
    rule: 'own-credentials.revoke',
    body: message('auth.v1.DeviceRequestFindRequest', { userCode }),
    reply: message('auth.v1.DeviceRequestFindResponse', { request: nested(DeviceRequestMessage) }),
    handle: async (call, { body }) => ({ request: await showRequest(call, body.userCode) }),
  }),
  route({
    id: 'auth.v1.DeviceRequest.Approve',
    at: 'POST /api/v1/auth/device_requests/approve',
    summary: 'Authorize the device that waits for a code to act as you, for 90 days. From the console only.',
    rule: 'own-credentials.create',
    body: message('auth.v1.DeviceRequestApproveRequest', { userCode }),
    reply: empty,
    async handle(call, { body }) {
      await approveRequest(call, body.userCode)
      return {}
    },
  }),
  route({
    id: 'auth.v1.DeviceRequest.Deny',
    at: 'POST /api/v1/auth/device_requests/deny',
    summary: 'Deny the request of the device that waits for a code. From the console only.',
    rule: 'own-credentials.revoke',
    body: message('auth.v1.DeviceRequestDenyRequest', { userCode }),
    reply: empty,
    async handle(call, { body }) {
      await denyRequest(call, body.userCode)
      return {}
    },
  }),
  route({
    id: 'auth.v1.Device.List',
    at: 'GET /api/v1/auth/devices',
    summary: 'List your own authorized devices.',
    rule: 'own-credentials.read',
    paged: true,
    reply: listReply('auth.v1.DeviceListResponse'),
    handle: (call, { page }) => listPage(call, ownOf(call), page),
  }),
  route({
    id: 'auth.v1.Device.Revoke',
    at: 'DELETE /api/v1/auth/devices/{id}',
    summary: 'Revoke one of your own authorized devices, and delete the API credentials that were created with it.',
    rule: 'own-credentials.revoke',
    body: message('auth.v1.DeviceRevokeRequest', {}),
    reply: empty,
    async handle(call, { path }) {
      await revokeDevice(call, { ...ownOf(call), id: path.id })
      return {}
    },
  }),
  route({
    id: 'auth.v1.UserDevice.List',
    at: 'GET /api/v1/auth/users/{user_id}/devices',
    summary: "List a user's authorized devices.",
    rule: 'credentials.read',
    paged: true,
    reply: listReply('auth.v1.UserDeviceListResponse'),
    handle: (call, { path, page }) => listPage(call, { userId: path.user_id, family: null }, page),
  }),
  route({
    id: 'auth.v1.UserDevice.Revoke',
    at: 'DELETE /api/v1/auth/users/{user_id}/devices/{id}',
    summary: "Revoke one of a user's authorized devices, and delete the API credentials that were created with it.",
    rule: 'credentials.revoke',
    body: message('auth.v1.UserDeviceRevokeRequest', {}),
    reply: empty,
    async handle(call, { path }) {
      await revokeDevice(call, { userId: path.user_id, id: path.id, family: null })
      return {}
    },
  }),
]
