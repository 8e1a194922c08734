import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { type Cause, type CauseBy, change, record } from '#rooms/foundation/systemlog/index.ts'
import { markAccountDeleted, markAccountDisabled } from '#rooms/records/accounts/index.ts'
import { endGrants, insertSettled } from '#rooms/records/grants/index.ts'
import type { ProvisioningTask } from '../connector.ts'
import { isDisablingInstead } from '../scim-connection/store.ts'
import { updateTask } from '../tasks/store.ts'
import { provisioningEnded } from './names.ts'
import { listHeld } from './store/facts.ts'
import { setRefused } from './store/provisioners.ts'
import { insertProvisioningTask, listOpenOf, setSettledBy } from './store/tasks.ts'
import { saysNotEnabled } from './support.ts'

/** The first of the tasks that repeat one another. */
export const rootOf = ({ id, retryOf }: Pick<ProvisioningTask, 'id' | 'retryOf'>): string => retryOf || id

/** Why a task ended that was replaced by its opposite. */
export const replacedWhy = 'The opposite was decided before the connector fetched this task.'

export type Ended = {
  state: 'done' | 'failed' | 'unknown' | 'cancelled'
  error: string
  /** The sync that showed it. */
  settledBy?: string
}

const words: Record<ProvisioningTask['kind'], string> = {
  grant: 'Grant in the app',
  revoke: 'Revocation in the app',
  create_account: 'Creation of an account in the app',
  delete_account: 'Deletion of an account in the app',
}

/** Who ends tasks: the connector that reports them, and those who pause, delete or correct it. */
export type Ending = CauseBy<'connector' | 'connector.edit' | 'connectors.change' | 'app.change-provisioning-tasks'>

/**
 * A task is over, or its outcome is unknown: updates its row, records the event, and does what follows. The caller holds the
 * connector. Whatever waits for the task is notified by a job that is enqueued in the same transaction.
 */
export async function endTask(
  tx: Tx,
  world: World,
  cause: Ending,
  task: ProvisioningTask,
  { state, error, settledBy = '' }: Ended,
): Promise<void> {
  const tenantId = cause.tenant.id
  const at = world.now()
  await updateTask(tx, tenantId, task, { state, error, endedAt: at })
  if (settledBy !== '') await setSettledBy(tx, tenantId, task, settledBy)
  await recordEnd(tx, world, cause, task, { state, error, settledBy })
  if (state === 'failed' && saysNotEnabled(error)) await setRefused(tx, tenantId, task.connectorId, { why: error, at })
  if (state === 'done') await follow(tx, world, cause, task)
  if (task.kind === 'create_account' && (state === 'failed' || state === 'cancelled'))
    await endDependents(tx, world, cause, task, error)
  if (state === 'unknown') return
  if (task.isAwaited)
    await enqueue(tx, world, cause, provisioningEnded, {
      payload: { connectorId: task.connectorId, taskId: task.id, rootId: rootOf(task) },
      subject: { type: 'connector', id: task.connectorId },
      key: task.id,
    })
  // Whether what was done is still wanted: a request may have been closed meanwhile.
  else if (state === 'done' && task.entitlementId !== '') await insertSettled(tx, tenantId, task)
}

async function recordEnd(tx: Tx, world: World, cause: Cause, task: ProvisioningTask, ended: Ended): Promise<void> {
  const { appId, entitlementId, accountId, kind, connectorId, hostId, attempts } = task
  const data = { appId, entitlementId, accountId, kind, connectorId, hostId, attempts, ...ended }
  const touched = [{ type: 'connector_task', id: task.id, data }]
  await record(tx, world, cause, change(cause, 'update', `${words[kind]}: ${ended.state}`, touched))
}

/** What is true of the app from now on. A new grant is shown by the next sync; its reason is recorded already. */
async function follow(tx: Tx, world: World, cause: Ending, task: ProvisioningTask): Promise<void> {
  const at = world.now()
  const { appId, entitlementId, accountId, kind } = task
  if (kind === 'revoke')
    await endGrants(tx, cause, [{ appId, entitlementId, accountId }], {
      by: task.id,
      at,
      source: 'import',
      isTold: true,
    })
  if (kind !== 'delete_account') return
  // What it still holds there is shown by the next sync.
  if (await isDisablingInstead(tx, cause.tenant.id, task.connectorId))
    return markAccountDisabled(tx, cause.tenant.id, { appId, accountId, at })
  const held = await listHeld(tx, cause.tenant.id, task)
  await endGrants(tx, cause, held, { by: task.id, at, isTold: true })
  await markAccountDeleted(tx, cause.tenant.id, { appId, accountId, at })
}

/** Ends the tasks that wait for an account that will not be created. */
async function endDependents(
  tx: Tx,
  world: World,
  cause: Ending,
  { appId, accountId, id }: ProvisioningTask,
  error: string,
): Promise<void> {
  const open = await listOpenOf(tx, cause.tenant.id, { appId, accountId })
  for (const task of open)
    if (task.id !== id && task.state === 'queued')
      await endTask(tx, world, cause, task, { state: 'failed', error: `The account could not be created. ${error}` })
}

/** Queues the same work again, as a separate task: late reports about the first do not count for this one. */
export async function repeatTask(
  tx: Tx,
  world: World,
  cause: Cause,
  task: ProvisioningTask,
  { retries }: { retries: number },
): Promise<string> {
  const id = world.newId()
  const { connectorId, appId, entitlementId, accountId, kind, isAwaited } = task
  await insertProvisioningTask(tx, cause.tenant.id, {
    id,
    connectorId,
    appId,
    entitlementId,
    accountId,
    kind,
    state: 'queued',
    error: '',
    isAwaited,
    askedBy: cause.actor.userId,
    retryOf: rootOf(task),
    retries,
    at: world.now(),
  })
  return id
}
