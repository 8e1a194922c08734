import { createHash, type KeyObject } from 'node:crypto'
import { create, type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf'
import { type Any, anyUnpack } from '@bufbuild/protobuf/wkt'
import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { listKeysOf } from '#rooms/identity/credentials/index.ts'
import { loadKept, loadProtocol, type Task } from '#rooms/records/baton/index.ts'
import type { ConnectorTask, ProvisioningTask } from '../connector.ts'
import { accountProfileFor } from '../provisioning/account-profile.ts'
import type { CreatedAccount, GivenGrant } from '../provisioning/created.ts'
import { findKeptGrant } from '../provisioning/store/kept-grants.ts'
import { findAccountsOf, findEntitlement, findObjects, findPersonOf } from '../provisioning/store/objects.ts'
import { listProvisioners } from '../provisioning/store/provisioners.ts'
import { accountTypeOf, needsPassword } from '../provisioning/support.ts'

const {
  CreateAccountResponseSchema,
  CredentialOptionsSchema,
  EntitlementSchema,
  GrantManagerServiceGrantResponseSchema,
  GrantSchema,
  messageExcess,
  ResourceSchema,
  Task_Status,
  TaskSchema,
  toBinary,
} = await loadProtocol()
const { keptOfMessage, usualGrantId } = await loadKept()

/** Why a task cannot be sent: what it names is gone, or was never reported by the connector. */
export class Unsendable extends Error {}

/** A task as connectors read it. What they reported about the app is sent back as they wrote it. */
export async function taskOnWire(world: World, tenantId: number, task: ConnectorTask): Promise<Task> {
  return create(TaskSchema, { id: task.id, status: Task_Status.PENDING, taskType: await typeOf(world, tenantId, task) })
}

type TaskType = NonNullable<Parameters<typeof create<typeof TaskSchema>>[1]>['taskType'] & object

async function typeOf(world: World, tenantId: number, task: ConnectorTask): Promise<TaskType> {
  const { db } = world
  switch (task.kind) {
    case 'sync':
      // Keeps the newest connectors off a format that only Go can read.
      return { case: 'syncFull', value: { storageEngine: 'sqlite' } }
    case 'grant': {
      const { entitlement, principal } = await partsOf(db, tenantId, task as ProvisioningTask)
      return { case: 'grant', value: { entitlement, principal } }
    }
    case 'revoke': {
      const { entitlement, principal } = await partsOf(db, tenantId, task as ProvisioningTask)
      const kept = await findKeptGrant(db, tenantId, task)
      const own = kept && fromBinary(GrantSchema, kept.data)
      const id = own?.id || usualGrantId(entitlement.id, principal.id ?? nobody)
      return { case: 'revoke', value: { grant: { entitlement, principal, id, annotations: own?.annotations ?? [] } } }
    }
    case 'create_account':
      return { case: 'createAccount', value: await accountToCreate(world, tenantId, task) }
    case 'delete_account': {
      const { id, parentResourceId } = await principalOf(db, tenantId, task)
      if (!id) throw new Unsendable('The connector reported this account without its id.')
      return { case: 'deleteResource', value: { resourceId: id, ...(parentResourceId && { parentResourceId }) } }
    }
  }
}

const nobody = { resourceType: '', resource: '' }

async function principalOf(db: Reads, tenantId: number, { appId, accountId }: ConnectorTask) {
  const [account] = await findAccountsOf(db, tenantId, appId, [accountId])
  if (!account || account.externalId === '') throw new Unsendable('The account is not in the app.')
  const [object] = await findObjects(db, tenantId, appId, [{ kind: 'resource', externalId: account.externalId }])
  if (!object) throw new Unsendable(`The last sync did not report the account ${account.externalId}.`)
  return fromBinary(ResourceSchema, object.data)
}

async function partsOf(db: Reads, tenantId: number, task: ProvisioningTask) {
  const principal = await principalOf(db, tenantId, task)
  const of = await findEntitlement(db, tenantId, task)
  const [object] = of?.isKnown
    ? await findObjects(db, tenantId, task.appId, [{ kind: 'entitlement', externalId: of.externalId }])
    : []
  if (!object) throw new Unsendable('The last sync did not report the entitlement.')
  const entitlement = fromBinary(EntitlementSchema, object.data)
  // Often only the id of the resource is there, or not even that: connectors are sent the whole resource.
  const { id } = entitlement.resource ?? {}
  const key = id ? `${id.resourceType}:${id.resource}` : (of?.resourceKey ?? '')
  const [resource] =
    key === '' ? [] : await findObjects(db, tenantId, task.appId, [{ kind: 'resource', externalId: key }])
  if (resource && !entitlement.resource?.displayName) entitlement.resource = fromBinary(ResourceSchema, resource.data)
  return { entitlement, principal }
}

// Connectors accept 8 to 64.
const passwordLength = 32n

async function accountToCreate(world: World, tenantId: number, { appId, accountId, connectorId }: ConnectorTask) {
  const { db } = world
  const [account] = await findAccountsOf(db, tenantId, appId, [accountId])
  const person = account && (await findPersonOf(db, tenantId, account.userId))
  if (!account || !person) throw new Unsendable('The person for whom the account is to be created was deleted.')
  if (account.externalId !== '') throw new Unsendable(`The account already exists: ${account.externalId}.`)
  const connector = (await listProvisioners(db, tenantId, appId)).find(({ id }) => id === connectorId)
  if (!connector) throw new Unsendable('The connector was deleted.')
  const { displayName, email, emails, username, department, jobTitle, employeeIds } = person
  const login = username || email
  const [givenName = '', ...rest] = displayName.split(' ')
  const told = {
    email,
    login,
    username: login,
    display_name: displayName,
    name: displayName,
    first_name: givenName,
    last_name: rest.join(' '),
    department,
    job_title: jobTitle,
    employee_id: employeeIds[0] ?? '',
  }
  const { profile, missing } = accountProfileFor(connector, told, connector.accountProfile)
  if (missing.length > 0)
    throw new Unsendable(
      `To create an account, the connector ${connector.displayName} requires ${missing.join(', ')}. ` +
        'Set accountProfile in the provisioning settings of the connector.',
    )
  return {
    accountInfo: {
      emails: [...new Set([email, ...emails])].filter(Boolean).map((address, i) => ({ address, isPrimary: i === 0 })),
      login,
      profile,
    },
    // A password that a connector requires is encrypted for its person; if they have no API credential, nobody knows it.
    encryptionConfigs: needsPassword(connector)
      ? (await listKeysOf(world, tenantId, account.userId)).map(encryptionFor)
      : [],
    credentialOptions: create(CredentialOptionsSchema, {
      options: needsPassword(connector)
        ? { case: 'randomPassword', value: { length: passwordLength } }
        : { case: 'noPassword', value: {} },
    }),
    resourceTypeId: accountTypeOf(connector),
  }
}

/** An embedded message has been bytes until now: its fields were not counted with those of the outer one. */
const unpacked = <D extends DescMessage>(response: Any, schema: D): MessageShape<D> | undefined =>
  messageExcess(schema, response.value) ? undefined : anyUnpack(response, schema)

const provider = 'baton/jwk/v1'

/** RFC 7638 section 3: the thumbprint of a key of Ed25519, of its required members in this order. */
function encryptionFor(key: KeyObject) {
  const { crv, kty, x } = key.export({ format: 'jwk' })
  const pubKey = Buffer.from(JSON.stringify({ crv, kty, x }))
  const keyId = createHash('sha256').update(pubKey).digest('hex')
  return { provider, keyId, config: { case: 'jwkPublicKeyConfig' as const, value: { pubKey } } }
}

const secretsMax = 20
const secretBytesMax = 16 * 1024
const shortText = (text: string): string => text.replaceAll('\0', '').toWellFormed().slice(0, 500)

/** The account in a report; null if the report contains none that can be read. */
export function accountIn(response: Any | undefined): CreatedAccount | null {
  if (!response) return null
  try {
    const { result, encryptedData = [] } = unpacked(response, CreateAccountResponseSchema) ?? {}
    if (!result?.case) return null
    const secrets = encryptedData
      .filter(({ encryptedBytes }) => encryptedBytes.length > 0 && encryptedBytes.length <= secretBytesMax)
      .slice(0, secretsMax)
      .map(({ keyId, keyIds, encryptedBytes, ...told }) => ({
        provider: shortText(told.provider),
        keyId: shortText(keyIds[0] ?? keyId),
        name: shortText(told.name),
        description: shortText(told.description),
        schema: shortText(told.schema),
        encryptedBytes: Buffer.from(encryptedBytes),
      }))
    const { resource } = result.value
    const is = result.case === 'success' || result.case === 'alreadyExists' ? 'created' : 'unfinished'
    const { resourceType: typeId = '', resource: resourceId = '' } = resource?.id ?? {}
    return { is, typeId, resourceId, data: resource ? toBinary(ResourceSchema, resource) : new Uint8Array(), secrets }
  } catch {
    return null
  }
}

const givenMax = 1000

/** The grants in a report; empty if they cannot be read. */
export function grantsIn(response: Any | undefined): GivenGrant[] {
  if (!response) return []
  try {
    const { grants = [] } = unpacked(response, GrantManagerServiceGrantResponseSchema) ?? {}
    return grants.slice(0, givenMax).map((grant) => {
      const entitlementKey = grant.entitlement?.id ?? ''
      const principal = grant.principal?.id ?? nobody
      const ownId = grant.id === '' || grant.id === usualGrantId(entitlementKey, principal) ? null : grant.id
      const kept = keptOfMessage(toBinary(GrantSchema, grant), { entitlementId: entitlementKey, ownId })
      return { entitlementKey, accountKey: `${principal.resourceType}:${principal.resource}`, kept: kept ?? 'usual' }
    })
  } catch {
    return []
  }
}
