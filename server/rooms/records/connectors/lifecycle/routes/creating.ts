import type { May } from '#authority/proof.ts'
import { route } from '#authority/route.ts'
import { ExpandMask } from '#kernel/expand.ts'
import { type FieldViolation, invalid, Refusal } from '#kernel/refusals.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, list, listOf, message, nested, required, struct, text } from '#kernel/wire.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import { EntitlementRef, type FirstOwners, keepApp, mayNameOwners } from '#rooms/records/apps/index.ts'
import { type Config, readConfig } from '../../catalog/config.ts'
import { findEntry, refuseHosted } from '../../catalog/find.ts'
import { createConnector, type WantedConnector } from '../../connector/actions.ts'
import type { ConnectorOwners } from '../../connector/owners.ts'
import { connectorReply, ownersMax, viewConnector } from '../../connector/view.ts'

const userIds = described(list(text({ maxLength: 64 }), ownersMax), 'Users who own it, in the role primary.')
const terms = {
  description: text({ maxLength: 10_000 }),
  catalogId: described(text({ maxLength: 64 }), 'The connector of the catalog; empty for any other.'),
  userIds,
  expandMask: nested(ExpandMask),
}

/** The settings that a connector is started with, as they were sent; refused if they are wrong. */
export function configOf(
  json: { readonly [name: string]: unknown } | null,
  catalogId: string,
  at: string,
): Config | null {
  if (json === null) return null
  const read = readConfig(json, findEntry(catalogId), at)
  if (!Array.isArray(read)) return Object.keys(read).length > 0 ? read : null
  throw invalid(...(read as [FieldViolation, ...FieldViolation[]]))
}

const hostedOnly = (): Refusal =>
  new Refusal(
    'CONNECTOR_HOSTED',
    'Connectors that are configured by text are run by the vendor, and not by this service, which cannot validate them. ' +
      'Run a connector as your own program: GET /api/v1/connector_catalog lists some.',
  )

async function make(
  call: May<'connectors.change'>,
  owners: ConnectorOwners,
  wanted: WantedConnector,
  named: FirstOwners,
) {
  refuseHosted(wanted.catalogId)
  mayNameOwners(call, named)
  const { appId } = wanted
  const connector = await transact(call.db, async (tx) => {
    await keepApp(tx, call, appId)
    const made = await createConnector(tx, call, causeOf(call), wanted)
    await owners.name(tx, call, { kind: 'connector', appId, typeId: '', id: made.id }, named)
    return made
  })
  const users = await owners.listUsers(call.db, call, { appId, connectorId: connector.id })
  return { connectorView: viewConnector(connector, null, users) }
}

export const creatingRoutes = (owners: ConnectorOwners): Route[] => [
  route({
    id: 'app.v1.ConnectorService.CreateDelegated',
    at: 'POST /api/v1/apps/{app_id}/connectors',
    summary: 'Create a connector of an app: a program that you run, which reads the app.',
    rule: 'connectors.change',
    body: message('app.v1.ConnectorServiceCreateDelegatedRequestInput', {
      displayName: required(text({ maxLength: 200 })),
      ...terms,
      appEntitlementOwnerRefs: described(listOf(EntitlementRef, ownersMax), 'Everyone with one of these owns it, too.'),
    }),
    reply: connectorReply('app.v1.ConnectorServiceCreateResponse'),
    async handle(call, { path, body }) {
      const displayName = body.displayName.trim()
      const { description, catalogId } = body
      const named = { userIds: body.userIds, entitlements: body.appEntitlementOwnerRefs }
      return make(call, owners, { appId: path.app_id, displayName, description, catalogId }, named)
    },
  }),
  route({
    id: 'app.v1.ConnectorService.Create',
    at: 'POST /api/v1/apps/{app_id}/connectors/create',
    summary: 'Create a connector of the catalog, with its settings. Integrations that the vendor hosts are refused.',
    rule: 'connectors.change',
    body: message('app.v1.ConnectorServiceCreateRequestInput', {
      ...terms,
      config: described(
        struct(),
        'Its settings, as {"@type": "type.googleapis.com/c1.api.app.v1.EnvConfig", "configuration": ' +
          '{"NAME": "VALUE"}}. Secrets are refused: set them where the connector runs.',
      ),
    }),
    reply: connectorReply('app.v1.ConnectorServiceCreateResponse'),
    async handle(call, { path, body }) {
      const { description, catalogId } = body
      refuseHosted(catalogId)
      const config = configOf(body.config, catalogId, 'config')
      const displayName = findEntry(catalogId)?.displayName ?? 'Baton'
      const wanted = { appId: path.app_id, displayName, description, catalogId, config }
      return make(call, owners, wanted, { userIds: body.userIds, entitlements: [] })
    },
  }),
  route({
    id: 'app.v1.ConnectorService.ValidateHTTPConnectorConfig',
    at: 'POST /api/v1/apps/connectors/validate_config/http',
    summary: 'Always refused: connectors that are configured by text are run by the vendor.',
    rule: 'connectors.change',
    body: message('app.v1.EditorValidateRequest', { text: text() }),
    reply: message('app.v1.EditorValidateResponse', {}),
    handle: () => {
      throw hostedOnly()
    },
  }),
]
