import type { May } from '#authority/proof.ts'
import { type OutgoingRules, strictRules } from '#kernel/outgoing/addresses.ts'
import { type FieldViolation, invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Reads, transact } from '#kernel/sql.ts'
import { alert, causeOf, record } from '#rooms/foundation/systemlog/index.ts'
import { keepApp } from '#rooms/records/apps/index.ts'
import { createConnector, getConnector } from '../connector/actions.ts'
import type { ConnectorRef } from '../connector/ref.ts'
import type { Connector } from '../connector.ts'
import { type ScimAccess, type ScimConnection, scimCatalogId } from '../scim-connection/connection.ts'
import { findConnection, putConnection } from '../scim-connection/store.ts'
import { lockConnector } from '../tasks/store.ts'
import { readBaseUrl, readToken } from './address.ts'
import { type Checked, checkApp } from './check.ts'
import { openAccess, sealToken, unreadableToken } from './seal.ts'

const rulesOf = ({ settings }: Call): OutgoingRules => settings.outgoing ?? strictRules

/** The address and the token of the app, as they were sent; all problems with them are reported at once. */
export function readAccess(call: Call, said: { baseUrl: string; token: string }): ScimAccess {
  const baseUrl = readBaseUrl(said.baseUrl, rulesOf(call), 'baseUrl')
  const token = readToken(said.token, 'token')
  const problems = [baseUrl, token].filter((each): each is FieldViolation => typeof each !== 'string')
  if (problems.length > 0) throw invalid(...(problems as [FieldViolation, ...FieldViolation[]]))
  return { baseUrl: baseUrl as string, token: token as string }
}

export type WantedScim = ScimAccess & { appId: string; displayName: string; description: string; deletesUsers: boolean }

/** Creates a connector that this server runs itself. It syncs at once. */
export const createScim = (call: May<'connectors.change'>, wanted: WantedScim): Promise<Connector> =>
  transact(call.db, async (tx) => {
    const { appId, displayName, description, baseUrl, token, deletesUsers } = wanted
    await keepApp(tx, call, appId)
    const of = { appId, displayName, description, catalogId: scimCatalogId, isBuiltIn: true }
    const connector = await createConnector(tx, call, causeOf(call), of)
    const key = { connectorId: connector.id, baseUrl }
    await putConnection(tx, call.tenant.id, {
      ...key,
      sealedToken: sealToken(call, call.tenant.id, key, token),
      tokenUpdatedAt: call.now(),
      deletesUsers,
    })
    await recordSettings(tx, call, connector, `Set the address and the token of the connector ${displayName}`, {
      baseUrl,
    })
    return connector
  })

const recordSettings = async (
  tx: Parameters<typeof record>[0],
  call: Call,
  { id, displayName, appId }: Connector,
  message: string,
  data: object,
): Promise<void> => {
  const cause = causeOf(call)
  const touched = [{ type: 'connector', id, name: displayName, data: { appId, ...data } }]
  await record(tx, call, cause, alert(cause, 'update', message, touched))
}

/** The connection of a connector that this server runs. */
export async function getConnection(db: Reads, call: Call, ref: ConnectorRef): Promise<ScimConnection> {
  await getConnector(db, call, ref)
  const connection = await findConnection(db, call.tenant.id, ref.connectorId)
  if (!connection)
    throw new Refusal('CONNECTOR_NOT_SCIM', 'This connector is a program that you run. It has no SCIM address here.')
  return connection
}

export type ScimChanges = { baseUrl?: string; token?: string; deletesUsers?: boolean }

/**
 * Changes the app's address and token, and what happens to accounts of people who leave. A new address requires the token
 * again: whoever may change the address must not be able to have an unknown token sent there.
 */
export const changeScim = (
  call: May<'connectors.change'>,
  ref: ConnectorRef,
  changes: ScimChanges,
): Promise<ScimConnection> =>
  transact(call.db, async (tx) => {
    await lockConnector(tx, call.tenant.id, ref.connectorId)
    const before = await getConnection(tx, call, ref)
    const connector = await getConnector(tx, call, ref)
    const rules = rulesOf(call)
    const baseUrl = changes.baseUrl === undefined ? before.baseUrl : readBaseUrl(changes.baseUrl, rules, 'baseUrl')
    const token = changes.token === undefined ? null : readToken(changes.token, 'token')
    const problems = [baseUrl, token].filter(
      (each): each is FieldViolation => each !== null && typeof each !== 'string',
    )
    if (typeof baseUrl === 'string' && baseUrl !== before.baseUrl && token === null)
      problems.push({ field: 'token', description: 'is required to change the base URL' })
    if (problems.length > 0) throw invalid(...(problems as [FieldViolation, ...FieldViolation[]]))
    const key = { connectorId: before.connectorId, baseUrl: baseUrl as string }
    const { deletesUsers = before.deletesUsers } = changes
    const after: ScimConnection = {
      ...before,
      ...key,
      ...(token !== null && {
        sealedToken: sealToken(call, call.tenant.id, key, token as string),
        tokenUpdatedAt: call.now(),
      }),
      deletesUsers,
    }
    await putConnection(tx, call.tenant.id, after)
    const data = { baseUrl: after.baseUrl, isNewToken: token !== null, deletesUsers }
    await recordSettings(
      tx,
      call,
      connector,
      `Changed the SCIM settings of the connector ${connector.displayName}`,
      data,
    )
    return after
  })

/** Checks whether a connector's app can be read, with the stored address and token. */
export async function checkConnection(call: Call, ref: ConnectorRef): Promise<Checked> {
  const connection = await getConnection(call.db, call, ref)
  const access = openAccess(call, call.tenant.id, connection)
  if (access) return checkApp(access, rulesOf(call), call.signal)
  const none = { isWorking: false, userCount: 0, groupCount: 0, canProvision: false }
  return { ...none, message: unreadableToken, advice: 'Set the token of the connector again.' }
}

export const checkAddress = (call: Call, access: ScimAccess): Promise<Checked> =>
  checkApp(access, rulesOf(call), call.signal)
