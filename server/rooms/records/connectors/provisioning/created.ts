import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { ProvisioningTask } from '../connector.ts'
import type { Ended } from './end.ts'
import { adoptAccount, listProvisioners, putObject } from './store.ts'
import { accountTypesOf } from './support.ts'

/** An account as the connector told of it. */
export type CreatedAccount = {
  is: 'created' | 'unfinished'
  typeId: string
  resourceId: string
  data: Uint8Array
}

const idBytesMax = 1024
const control = /\p{Cc}/u
const isId = (id: string): boolean =>
  id !== '' && Buffer.byteLength(id) <= idBytesMax && !control.test(id) && id.isWellFormed()
const objectBytesMax = 64 * 1024
const shownMax = 200

/** What a report makes of a task. An account that was created is the one of the task from then on. */
export async function endedBy(
  tx: Tx,
  world: World,
  tenantId: number,
  task: ProvisioningTask,
  { error, account }: { error: string | null; account: CreatedAccount | null },
): Promise<Ended> {
  if (error !== null) return { state: 'failed', error }
  if (task.kind !== 'create_account') return { state: 'done', error: '' }
  const { appId, accountId } = task
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
  const connector = (await listProvisioners(tx, tenantId, appId)).find(({ id }) => id === task.connectorId)
  const types = connector ? accountTypesOf(connector) : []
  if (types.length > 0 && !types.includes(account.typeId))
    return {
      state: 'failed',
      error: `The connector reported ${shown} as the account that it created. It creates accounts of the type ${types.join(' or ')}.`,
    }
  const adopted = await adoptAccount(tx, tenantId, { appId, accountId, externalId, at: world.now() })
  if (adopted === 'of another')
    return { state: 'failed', error: `The connector reported the account ${shown}, which is another account here.` }
  if (adopted === 'no account')
    return {
      state: 'failed',
      error: `The connector reported ${shown} as the account that it created, which is no account.`,
    }
  if (account.data.length <= objectBytesMax)
    await putObject(tx, tenantId, appId, { externalId, typeId: account.typeId, data: account.data })
  return { state: 'done', error: '' }
}
