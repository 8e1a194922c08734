import { route } from '#authority/route.ts'
import { fieldsToChange, updatableBody } from '#kernel/masks.ts'

import { described, flag, int32, message, nested, required, text, timestamp } from '#kernel/wire.ts'
import { about, refOf } from '../connector/ref.ts'
import { connectorReply, viewConnector } from '../connector/view.ts'
import type { ScimConnection } from '../scim-connection/connection.ts'
import { changeScim, checkAddress, checkConnection, createScim, getConnection, readAccess } from './actions.ts'

const baseUrl = () =>
  described(text({ maxLength: 2000 }), 'The URL without /Users and /Groups, as in https://app.example.com/scim/v2.')
const token = () =>
  described(text({ maxLength: 9000 }), 'A bearer token of the app. It is stored encrypted and never returned.')
const deletesUsers = () =>
  described(
    flag(),
    'When accounts are removed, they are deleted in the app. Otherwise they are disabled (active: false).',
  )

const ConnectionMessage = message(
  'connector.v1.ScimConnection',
  {
    baseUrl: baseUrl(),
    tokenUpdatedAt: described(timestamp(), 'When the token was last set. The token itself is never returned.'),
    deletesUsers: deletesUsers(),
    waitUntil: described(timestamp(), 'Until when the app requested that no changes are sent.'),
  },
  'The connection of this server to an app that supports SCIM.',
)
const connectionReply = (name: string) => message(name, { connection: nested(ConnectionMessage) })

const view = ({ sealedToken: _sealed, connectorId: _id, ...shown }: ScimConnection) => shown

const CheckedMessage = message('connector.v1.ScimCheck', {
  isWorking: flag(),
  message: described(text(), 'What was found, or what failed.'),
  advice: described(text(), 'What to do about it.'),
  userCount: int32(),
  groupCount: int32(),
  canProvision: described(flag(), 'Whether members can be added and removed.'),
})
const checkedReply = (name: string) => message(name, { check: nested(CheckedMessage) })

const changeable = ['baseUrl', 'token', 'deletesUsers'] as const

export const scimRoutes = [
  route({
    id: 'connector.v1.ScimConnectorService.Create',
    at: 'POST /api/v1/apps/{app_id}/connectors/scim',
    summary: 'Create a connector for an app that supports SCIM 2.0. This server runs it: no program is needed.',
    rule: 'connectors.change',
    body: message('connector.v1.ScimConnectorServiceCreateRequest', {
      displayName: required(text({ maxLength: 200 })),
      description: text({ maxLength: 10_000 }),
      baseUrl: required(baseUrl()),
      token: required(token()),
      deletesUsers: deletesUsers(),
    }),
    reply: connectorReply('connector.v1.ScimConnectorServiceCreateResponse'),
    async handle(call, { path, body }) {
      const access = readAccess(call, body)
      const displayName = body.displayName.trim()
      const { description } = body
      const wanted = { appId: path.app_id, displayName, description, deletesUsers: body.deletesUsers, ...access }
      return { connectorView: viewConnector(await createScim(call, wanted), null, []) }
    },
  }),
  route({
    id: 'connector.v1.ScimConnectorService.Test',
    at: 'POST /api/v1/connectors/scim/test',
    summary: 'Test whether an app that supports SCIM can be read, before a connector is created. Changes nothing.',
    rule: 'connectors.change',
    body: message('connector.v1.ScimConnectorServiceTestRequest', {
      baseUrl: required(baseUrl()),
      token: required(token()),
    }),
    reply: checkedReply('connector.v1.ScimConnectorServiceTestResponse'),
    async handle(call, { body }) {
      return { check: await checkAddress(call, readAccess(call, body)) }
    },
  }),
  route({
    id: 'connector.v1.ScimConnectorService.Get',
    at: 'GET /api/v1/apps/{app_id}/connectors/{connector_id}/scim',
    summary: 'Get the connection settings of a SCIM connector, without the token.',
    rule: 'connector.read',
    about,
    reply: connectionReply('connector.v1.ScimConnectorServiceGetResponse'),
    async handle(call, { path }) {
      return { connection: view(await getConnection(call.db, call, refOf(path))) }
    },
  }),
  route({
    id: 'connector.v1.ScimConnectorService.Update',
    at: 'POST /api/v1/apps/{app_id}/connectors/{connector_id}/scim',
    summary: 'Change the URL, the token or the settings of a SCIM connector. A new URL requires the token again.',
    rule: 'connectors.change',
    body: updatableBody(
      message(
        'connector.v1.ScimConnectorServiceUpdateRequest',
        { baseUrl: baseUrl(), token: token(), deletesUsers: deletesUsers() },
        'Omitted fields are not changed.',
      ),
    ),
    reply: connectionReply('connector.v1.ScimConnectorServiceUpdateResponse'),
    async handle(call, { path, body }) {
      const fields = fieldsToChange(body, '', changeable)
      const changes = Object.fromEntries([...fields].map((name) => [name, body[name]]))
      return { connection: view(await changeScim(call, refOf(path), changes)) }
    },
  }),
  route({
    id: 'connector.v1.ScimConnectorService.TestConnection',
    at: 'POST /api/v1/apps/{app_id}/connectors/{connector_id}/scim/test',
    summary: 'Test whether the app of a SCIM connector can be read. Changes nothing.',
    rule: 'connector.edit',
    about,
    reply: checkedReply('connector.v1.ScimConnectorServiceTestConnectionResponse'),
    async handle(call, { path }) {
      return { check: await checkConnection(call, refOf(path)) }
    },
  }),
]
