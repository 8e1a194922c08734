import { route } from '#authority/route.ts'
import { Refusal } from '#kernel/refusals.ts'

import { transact } from '#kernel/sql.ts'
import { described, empty, message, nested, readOnly, text, timestamp } from '#kernel/wire.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import { getConnector } from '../connector/actions.ts'
import { lockConnector } from '../tasks/store.ts'
import { revokeCredentials, rotateCredential } from './actions.ts'
import { type ConnectorCredential, findCredentialRow } from './store.ts'

const ConnectorCredentialMessage = message('app.v1.ConnectorCredential', {
  id: text(),
  appId: text(),
  connectorId: text(),
  clientId: text(),
  clientSecret: described(text(), 'Only in the response that creates it.'),
  displayName: text(),
  createdAt: readOnly(timestamp()),
  updatedAt: readOnly(timestamp()),
  expiresTime: readOnly(timestamp()),
  lastUsedAt: readOnly(timestamp()),
  deletedAt: readOnly(timestamp()),
})
const credentialReply = (name: string) => message(name, { credential: nested(ConnectorCredentialMessage) })

const view = (appId: string, { expiresAt, revokedAt, ...credential }: ConnectorCredential) => ({
  ...credential,
  appId,
  expiresTime: expiresAt,
  deletedAt: revokedAt,
  updatedAt: revokedAt ?? credential.createdAt,
})

const notFound = (id: string): Refusal =>
  new Refusal('CREDENTIAL_NOT_FOUND', `There is no credential ${id} of this connector.`, { metadata: { id } })

const builtIn = (): Refusal =>
  new Refusal(
    'CONNECTOR_BUILT_IN',
    'This connector is run by this server and needs no credential. Its token is set with POST …/connectors/{connector_id}/scim.',
  )

const id = () => text({ maxLength: 64 })

export const connectorCredentialRoutes = [
  route({
    id: 'app.v1.ConnectorService.RotateCredential',
    at: 'POST /api/v1/apps/connectors/credentials',
    summary: 'Create a credential for a connector, replacing the previous one. Only this response contains the secret.',
    rule: 'connectors.rotate-credential',
    body: message('app.v1.ConnectorServiceRotateCredentialRequest', { appId: id(), connectorId: id() }),
    reply: credentialReply('app.v1.ConnectorServiceRotateCredentialResponse'),
    secretIn: 'credential',
    async handle(call, { body }) {
      const { appId, connectorId } = body
      const { clientSecret, ...made } = await transact(call.db, async (tx) => {
        await lockConnector(tx, call.tenant.id, connectorId)
        const connector = await getConnector(tx, call, { appId, connectorId })
        if (connector.isBuiltIn) throw builtIn()
        return rotateCredential(tx, call, causeOf(call), connectorId)
      })
      const kept = await findCredentialRow(call.db, call.tenant.id, connectorId, made.id)
      if (!kept) throw notFound(made.id)
      return { credential: { ...view(appId, kept), clientSecret } }
    },
  }),
  route({
    id: 'app.v1.ConnectorService.GetCredentials',
    at: 'GET /api/v1/apps/{app_id}/connectors/{connector_id}/credentials/{id}',
    summary: 'Get a credential of a connector, without its secret.',
    rule: 'app.list-connectors',
    about: { app: 'app_id' },
    reply: credentialReply('app.v1.ConnectorServiceGetCredentialsResponse'),
    async handle(call, { path }) {
      const ref = { appId: path.app_id, connectorId: path.connector_id }
      await getConnector(call.db, call, ref)
      const kept = await findCredentialRow(call.db, call.tenant.id, ref.connectorId, path.id)
      if (!kept) throw notFound(path.id)
      return { credential: { ...view(ref.appId, kept), clientSecret: '' } }
    },
  }),
  route({
    id: 'app.v1.ConnectorService.RevokeCredential',
    at: 'POST /api/v1/apps/{app_id}/connectors/{connector_id}/credentials/{id}',
    summary: 'Revoke a credential of a connector: it is refused from now on.',
    rule: 'connectors.change',
    reply: empty,
    async handle(call, { path }) {
      const ref = { appId: path.app_id, connectorId: path.connector_id }
      await transact(call.db, async (tx) => {
        await lockConnector(tx, call.tenant.id, ref.connectorId)
        await getConnector(tx, call, ref)
        const count = await revokeCredentials(tx, call, causeOf(call), ref.connectorId, path.id)
        if (count === 0) throw notFound(path.id)
      })
      return {}
    },
  }),
]
