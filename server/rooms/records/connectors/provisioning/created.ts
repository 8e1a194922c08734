import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { KeptGrant } from '#rooms/records/baton/index.ts'
import type { ProvisioningTask } from '../connector.ts'
import type { Ended } from './end.ts'
import { adoptAccount, deleteKeptGrant, findAccountsOf, findEntitlement, putKeptGrant, putObject } from './store.ts'

/** An account as the connector told of it. */
export type CreatedAccount = {
  is: 'created' | 'unfinished'
  typeId: string
  resourceId: string
  data: Uint8Array
}

const idBytesMax = 1024
const isId = (id: string): boolean =>
  id !== '' && Buffer.byteLength(id) <= idBytesMax && !id.includes('\0') && id.isWellFormed()
const objectBytesMax = 64 * 1024

/** What a connector told of a grant that it gave: what revoking it may need; `usual` where that is nothing. */
export type GivenGrant = { entitlementKey: string; accountKey: string; kept: KeptGrant | 'usual' }

/** What a report makes of a task. An account that was created is the one of the task from then on. */
export async function endedBy(
  tx: Tx,
  world: World,
  tenantId: number,
  task: ProvisioningTask,
  { error, account, grants }: { error: string | null; account: CreatedAccount | null; grants: readonly GivenGrant[] },
): Promise<Ended> {
  if (error !== null) return { state: 'failed', error }
  if (task.kind === 'revoke') await deleteKeptGrant(tx, tenantId, task)
  if (task.kind === 'grant') await keepGiven(tx, tenantId, task, grants)
  if (task.kind !== 'create_account') return { state: 'done', error: '' }
  const { appId, accountId } = task
  if (!account || account.is === 'unfinished' || !isId(account.typeId) || !isId(account.resourceId))
    return {
      state: 'unknown',
      error: 'The connector reported success, but not which account it created. The next sync shows whether it exists.',
    }
  const externalId = `${account.typeId}:${account.resourceId}`
  if (!(await adoptAccount(tx, tenantId, { appId, accountId, externalId, at: world.now() })))
    return { state: 'failed', error: `The app has the account ${externalId} already, and it belongs to someone else.` }
  if (account.data.length <= objectBytesMax)
    await putObject(tx, tenantId, appId, { externalId, typeId: account.typeId, data: account.data })
  return { state: 'done', error: '' }
}

/** Until the next sync tells of the grant. A connector that says nothing of it leaves what is known. */
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
  if (given.kept === 'usual') await deleteKeptGrant(tx, tenantId, task)
  else if (given.kept.data.length <= objectBytesMax) await putKeptGrant(tx, tenantId, task, given.kept)
}
