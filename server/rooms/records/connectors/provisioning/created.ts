import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type AccountCredential, putAccountCredentials } from '#rooms/records/accounts/index.ts'
import type { KeptGrant } from '#rooms/records/baton/index.ts'
import { deleteConnectorGrant, putConnectorGrant, putConnectorObject } from '#rooms/records/imports/index.ts'
import type { ProvisioningTask } from '../connector.ts'
import type { Ended } from './end.ts'
import { adoptAccount, findAccountsOf, findEntitlement } from './store/objects.ts'
import { listProvisioners } from './store/provisioners.ts'
import { accountTypesOf } from './support.ts'

/** An account as the connector reported it. */
export type CreatedAccount = {
  is: 'created' | 'unfinished'
  typeId: string
  resourceId: string
  data: Uint8Array
  /** Its passwords, encrypted for its person. */
  secrets: readonly Omit<AccountCredential, 'id' | 'createdAt'>[]
}

const idBytesMax = 1024
const control = /\p{Cc}/u
const isId = (id: string): boolean =>
  id !== '' && Buffer.byteLength(id) <= idBytesMax && !control.test(id) && id.isWellFormed()
const objectBytesMax = 64 * 1024
const shownMax = 200

/** What a connector reported about a grant that it made: what revoking it may need; `usual` if that is nothing. */
export type GivenGrant = { entitlementKey: string; accountKey: string; kept: KeptGrant | 'usual' }

/** What follows from the report about a task. An account that was created is the task's account from then on. */
export async function endedBy(
  tx: Tx,
  world: World,
  tenantId: number,
  task: ProvisioningTask,
  { error, account, grants }: { error: string | null; account: CreatedAccount | null; grants: readonly GivenGrant[] },
): Promise<Ended> {
  if (error !== null) return { state: 'failed', error }
  if (task.kind === 'revoke') await deleteConnectorGrant(tx, tenantId, task)
  if (task.kind === 'grant') await keepGiven(tx, tenantId, task, grants)
  if (task.kind !== 'create_account') return { state: 'done', error: '' }
  const { appId, accountId, connectorId } = task
  const unknown = (why: string): Ended => ({
    state: 'unknown',
    error: `The connector reported success, but ${why}. The next sync shows whether it exists.`,
  })
  if (!account || account.is === 'unfinished' || account.typeId === '' || account.resourceId === '')
    return unknown('not which account it created')
  if (!isId(account.typeId) || !isId(account.resourceId))
    return unknown('the id of the account is longer than 1,024 bytes or contains control characters')
  const externalId = `${account.typeId}:${account.resourceId}`
  const shown = externalId.length > shownMax ? `${externalId.slice(0, shownMax)}…` : externalId
  const connector = (await listProvisioners(tx, tenantId, appId)).find(({ id }) => id === connectorId)
  const types = connector ? accountTypesOf(connector) : []
  if (types.length > 0 && !types.includes(account.typeId))
    return {
      state: 'failed',
      error: `The connector reported ${shown} as the account that it created. It creates accounts of the type ${types.join(' or ')}.`,
    }
  const adopted = await adoptAccount(tx, tenantId, { appId, accountId, externalId, connectorId, at: world.now() })
  if (adopted === 'of another')
    return { state: 'failed', error: `The connector reported the account ${shown}, which is already another account.` }
  if (adopted === 'no account')
    return {
      state: 'failed',
      error: `The connector reported ${shown} as the account that it created, which is not an account.`,
    }
  if (account.data.length <= objectBytesMax)
    await putConnectorObject(tx, tenantId, appId, {
      externalId,
      typeId: account.typeId,
      data: account.data,
      connectorId,
    })
  const secrets = account.secrets.map((secret) => ({ ...secret, id: world.newId(), createdAt: world.now() }))
  if (secrets.length > 0) await putAccountCredentials(tx, tenantId, { appId, id: accountId }, secrets)
  return { state: 'done', error: '' }
}

/** Kept until the next sync reports the grant. If the connector reports nothing about it, what is known stays. */
async function keepGiven(
  tx: Tx,
  tenantId: number,
  task: ProvisioningTask,
  grants: readonly GivenGrant[],
): Promise<void> {
  if (grants.length === 0) return
  const [[account], entitlement] = await Promise.all([
    findAccountsOf(tx, tenantId, task.appId, [task.accountId]),
    findEntitlement(tx, tenantId, task),
  ])
  const given = grants.find(
    ({ entitlementKey, accountKey }) =>
      entitlementKey === entitlement?.externalId && accountKey === account?.externalId,
  )
  if (!given) return
  if (given.kept === 'usual') await deleteConnectorGrant(tx, tenantId, task)
  else if (given.kept.data.length <= objectBytesMax) await putConnectorGrant(tx, tenantId, task, given.kept)
}
