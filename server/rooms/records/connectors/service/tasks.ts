import { create, fromBinary, type JsonObject } from '@bufbuild/protobuf'
import { type Any, anyUnpack } from '@bufbuild/protobuf/wkt'
import type { Reads } from '#kernel/sql.ts'
import { loadProtocol, type Task } from '#rooms/records/baton/index.ts'
import type { ConnectorTask, ProvisioningTask } from '../connector.ts'
import type { CreatedAccount } from '../provisioning/created.ts'
import { findAccountsOf, findEntitlement, findObjects, findPersonOf, listProvisioners } from '../provisioning/store.ts'
import { accountTypeOf } from '../provisioning/support.ts'

const { CreateAccountResponseSchema, EntitlementSchema, ResourceSchema, Task_Status, TaskSchema, toBinary } =
  await loadProtocol()

/** Why a task cannot be sent: what it names is gone, or was never told by the connector. */
export class Unsendable extends Error {}

/** A task as connectors read it. What they told of the app is sent back as they wrote it. */
export async function taskOnWire(db: Reads, tenantId: number, task: ConnectorTask): Promise<Task> {
  return create(TaskSchema, { id: task.id, status: Task_Status.PENDING, taskType: await typeOf(db, tenantId, task) })
}

type TaskType = NonNullable<Parameters<typeof create<typeof TaskSchema>>[1]>['taskType'] & object

async function typeOf(db: Reads, tenantId: number, task: ConnectorTask): Promise<TaskType> {
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
      // The id that the connectors' own library gives to grants: most of them read none.
      const id = `${entitlement.id}:${principal.id?.resourceType ?? ''}:${principal.id?.resource ?? ''}`
      return { case: 'revoke', value: { grant: { entitlement, principal, id } } }
    }
    case 'create_account':
      return { case: 'createAccount', value: await accountToCreate(db, tenantId, task) }
    case 'delete_account': {
      const { id, parentResourceId } = await principalOf(db, tenantId, task)
      if (!id) throw new Unsendable('The connector told of this account without its id.')
      return { case: 'deleteResource', value: { resourceId: id, ...(parentResourceId && { parentResourceId }) } }
    }
  }
}

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
  // Often only the id of the resource is there, or not even that: connectors are told the whole of it.
  const { id } = entitlement.resource ?? {}
  const key = id ? `${id.resourceType}:${id.resource}` : (of?.resourceKey ?? '')
  const [resource] =
    key === '' ? [] : await findObjects(db, tenantId, task.appId, [{ kind: 'resource', externalId: key }])
  if (resource && !entitlement.resource?.displayName) entitlement.resource = fromBinary(ResourceSchema, resource.data)
  return { entitlement, principal }
}

async function accountToCreate(db: Reads, tenantId: number, { appId, accountId, connectorId }: ConnectorTask) {
  const [account] = await findAccountsOf(db, tenantId, appId, [accountId])
  const person = account && (await findPersonOf(db, tenantId, account.userId))
  if (!account || !person) throw new Unsendable('The person for whom the account is to be created was deleted.')
  if (account.externalId !== '') throw new Unsendable(`The account exists already: ${account.externalId}.`)
  const connector = (await listProvisioners(db, tenantId, appId)).find(({ id }) => id === connectorId)
  const { displayName, email, emails, username, department, jobTitle, employeeIds } = person
  const login = username || email
  const [givenName = '', ...rest] = displayName.split(' ')
  const profile: JsonObject = {
    ...{ email, login, username: login, display_name: displayName, name: displayName },
    ...{ first_name: givenName, last_name: rest.join(' '), department, job_title: jobTitle },
    employee_id: employeeIds[0] ?? '',
  }
  return {
    accountInfo: {
      emails: [...new Set([email, ...emails])].filter(Boolean).map((address, i) => ({ address, isPrimary: i === 0 })),
      login,
      profile,
    },
    // No secret is made that nobody could be told safely.
    credentialOptions: { options: { case: 'noPassword' as const, value: {} } },
    resourceTypeId: connector ? accountTypeOf(connector) : '',
  }
}

/** What the report about an account says of it; null where it says nothing that can be read. */
export function accountIn(response: Any | undefined): CreatedAccount | null {
  if (!response) return null
  try {
    const { result } = anyUnpack(response, CreateAccountResponseSchema) ?? {}
    if (!result?.case) return null
    const { resource } = result.value
    const is = result.case === 'success' || result.case === 'alreadyExists' ? 'created' : 'unfinished'
    const { resourceType: typeId = '', resource: resourceId = '' } = resource?.id ?? {}
    return { is, typeId, resourceId, data: resource ? toBinary(ResourceSchema, resource) : new Uint8Array() }
  } catch {
    return null
  }
}
