import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { ConnectorTask, ProvisioningTask } from '../connector.ts'
import { isDisablingInstead } from '../scim-connection/store.ts'
import { settled } from './decide.ts'
import { type Ending, endTask, repeatTask } from './end.ts'
import { listFacts } from './store/facts.ts'
import { findAccountsOf } from './store/objects.ts'
import { listOpenOf, listToSettle, setAwaited } from './store/tasks.ts'

const saidNothing = 'The connector did not report a result, and the next sync shows'

/**
 * Settles tasks of unknown outcome after a sync of their connector has shown it. Only those that were unknown before the
 * sync began: it may have read the effects of others too early. The caller holds the connector.
 */
export async function settleUnknown(
  tx: Tx,
  world: World,
  cause: Ending,
  { id: connectorId }: { id: string },
  sync: Pick<ConnectorTask, 'id' | 'begunAt'>,
): Promise<void> {
  if (!sync.begunAt) return
  for (const task of await listToSettle(tx, cause.tenant.id, connectorId, sync.begunAt)) {
    const isThere = await isInApp(tx, cause.tenant.id, task, world.now())
    const open = await listOpenOf(tx, cause.tenant.id, task)
    const isFollowed = open.some(({ id, entitlementId }) => id !== task.id && entitlementId === task.entitlementId)
    const is = settled(task, { isThere, isFollowed })
    if (is === 'done') await endTask(tx, world, cause, task, { state: 'done', error: '', settledBy: sync.id })
    else {
      const error = `${saidNothing} that it was not done.`
      // A request that waits for this task waits for the next one instead.
      const isPassedOn = is === 'again'
      const ending: ProvisioningTask = isPassedOn ? { ...task, isAwaited: false } : task
      await endTask(tx, world, cause, ending, { state: 'failed', error, settledBy: sync.id })
      if (isPassedOn) {
        await setAwaited(tx, cause.tenant.id, task, false)
        await repeatTask(tx, world, cause, task, { retries: task.retries + 1 })
      }
    }
  }
}

/** Whether the records, as the last sync left them, have what the task was to grant, or to remove. */
async function isInApp(tx: Tx, tenantId: number, task: ProvisioningTask, at: Date): Promise<boolean> {
  const { appId, entitlementId, accountId } = task
  if (entitlementId === '') {
    const [account] = await findAccountsOf(tx, tenantId, appId, [accountId])
    const isThere = account !== undefined && !account.isDeleted && account.externalId !== ''
    // An account that exists but was disabled counts as removed, if that is how accounts are removed.
    return (
      isThere &&
      !(
        task.kind === 'delete_account' &&
        account.isDisabled &&
        (await isDisablingInstead(tx, tenantId, task.connectorId))
      )
    )
  }
  const [fact] = await listFacts(tx, tenantId, appId, [{ entitlementId, accountId }], { at })
  return fact?.inAppSince !== null && fact !== undefined
}
