import { type Tx, transact } from '#kernel/sql.ts'
import { forEachTenant } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import type { Cause } from '#rooms/foundation/systemlog/index.ts'
import { findTenant } from '#rooms/foundation/tenants/index.ts'
import { connectorCause } from '../cause.ts'
import { type ConnectorTask, isProvisioning, type ProvisioningTask } from '../connector.ts'
import { type CreatedAccount, endedBy, type GivenGrant } from '../provisioning/created.ts'
import { type Ended, type Ending, endTask, replacedWhy } from '../provisioning/end.ts'
import { listOpenOf } from '../provisioning/store/tasks.ts'
import { nextSyncAfter, retrySyncMs } from '../schedule/decide.ts'
import { syncUploaded } from '../syncs/names.ts'
import { deleteOtherUploads } from '../syncs/store.ts'
import { lastMs, leaseMs } from '../tasks/leases.ts'
import {
  findOpenSync,
  findTask,
  insertTask,
  isAnythingToDo,
  listConnectorsWithLapsed,
  listLapsed,
  listLeased,
  listOpenTasks,
  listReady,
  listTenantsWithLapsed,
  lockConnector,
  setNextSync,
  shortenLeases,
  updateTask,
} from '../tasks/store.ts'
import { errorText, lapsed, mayBeOwn, reportOf } from './decide.ts'

type Locked = NonNullable<Awaited<ReturnType<typeof lockConnector>>>

/** Ends the leases that are over. */
const endLapsed = async (tx: Tx, world: World, tenantId: number, connector: Locked): Promise<void> =>
  endLeases(tx, world, tenantId, connector, await listLapsed(tx, tenantId, connector.id, world.now()))

/** Ends leases. Some tasks are queued again; the outcome of the others is unknown until a sync shows it. */
async function endLeases(
  tx: Tx,
  world: World,
  tenantId: number,
  connector: Locked,
  tasks: readonly ConnectorTask[],
): Promise<void> {
  const at = world.now()
  for (const task of tasks) {
    const { state, error } = lapsed(task)
    if (isProvisioning(task)) {
      const cause = await causeBy(world, tenantId, connector)
      if (state === 'queued') await giveBack(tx, world, cause, task)
      else {
        await endTask(tx, world, cause, task, { state: 'unknown', error })
        await setNextSync(tx, tenantId, connector.id, at)
      }
      continue
    }
    // What was uploaded is deleted below: the next host uploads its own.
    await updateTask(tx, tenantId, task, { state, error, uploadId: '', ...(state !== 'queued' && { endedAt: at }) })
    await deleteOtherUploads(tx, tenantId, { taskId: task.id, uploadId: '' })
    if (state === 'failed') await retrySync(tx, world, tenantId, connector)
  }
}

/**
 * A process of a connector has started on a host: nobody has the tasks that its predecessor had there. Whether a process on
 * another host has ended is unknown; it keeps its tasks for some seconds, and longer if it shows that it is running.
 */
export async function takeOver(
  world: World,
  tenantId: number,
  connectorId: string,
  { hostId, tokenSince }: { hostId: string; tokenSince: Date },
): Promise<void> {
  if ((await listLeased(world.db, tenantId, connectorId)).length === 0) return
  await transact(world.db, async (tx) => {
    const connector = await lockConnector(tx, tenantId, connectorId)
    if (!connector) return
    const at = world.now()
    const leased = await listLeased(tx, tenantId, connectorId)
    const ended = leased.filter((task) => task.hostId === hostId && !mayBeOwn(task, { tokenSince, at }))
    await endLeases(tx, world, tenantId, connector, ended)
    const [syncUntil, until] = [lastMs('sync'), lastMs('grant')].map((ms) => new Date(at.getTime() + ms)) as [
      Date,
      Date,
    ]
    await shortenLeases(tx, tenantId, connectorId, { syncUntil, until })
  })
}

async function causeBy(world: World, tenantId: number, connector: Locked): Promise<Ending> {
  const tenant = await findTenant(world.db, tenantId)
  if (!tenant) throw new Error(`there is no tenant ${tenantId}`)
  return connectorCause(tenant, connector, 'end leases of connectors')
}

/** After a sync that failed, the next one comes sooner than scheduled. */
const retrySync = (tx: Tx, world: World, tenantId: number, { id, syncEverySeconds, nextSyncAt }: Locked) => {
  const soon = new Date(world.now().getTime() + retrySyncMs(syncEverySeconds))
  return setNextSync(tx, tenantId, id, nextSyncAt && nextSyncAt < soon ? nextSyncAt : soon)
}

/** Has a connector sync at its next poll; nothing is added if a sync is queued or running already. */
export async function requestSync(
  tx: Tx,
  world: World,
  tenantId: number,
  connectorId: string,
  askedBy: string,
): Promise<void> {
  const connector = await lockConnector(tx, tenantId, connectorId)
  if (!connector) return
  await endLapsed(tx, world, tenantId, connector)
  if (await findOpenSync(tx, tenantId, connectorId)) return
  await insertTask(tx, tenantId, { id: world.newId(), connectorId, kind: 'sync', askedBy, at: world.now() })
}

export type Leasing = {
  hostId: string
  countMax: number
  /** Only syncs, or only tasks for the app; both by default. */
  only?: 'sync' | 'provisioning'
  /** Instead of the usual time. */
  leaseMs?: number
}

/** Leases tasks to a host, at most so many. Most of the time there is none, and that takes one statement. */
export async function leaseTasks(
  world: World,
  tenantId: number,
  connectorId: string,
  { hostId, countMax, only, leaseMs: forMs }: Leasing,
): Promise<ConnectorTask[]> {
  if (!(await isAnythingToDo(world.db, tenantId, connectorId, world.now()))) return []
  return transact(world.db, async (tx) => {
    const connector = await lockConnector(tx, tenantId, connectorId)
    if (!connector || connector.syncDisabledAt) return []
    const at = world.now()
    await endLapsed(tx, world, tenantId, connector)
    let sync = only === 'provisioning' ? null : await findOpenSync(tx, tenantId, connectorId)
    if (only !== 'provisioning' && connector.nextSyncAt && connector.nextSyncAt <= at) {
      await setNextSync(tx, tenantId, connectorId, nextSyncAfter(connector, at))
      if (!sync) {
        const id = world.newId()
        await insertTask(tx, tenantId, { id, connectorId, kind: 'sync', askedBy: '', at })
        sync = await findTask(tx, tenantId, connectorId, id)
      }
    }
    // A sync comes first: however much there is to do, the app is read on schedule.
    const isDue = sync?.state === 'queued'
    const readyMax = connector.isProvisioningDisabled || only === 'sync' ? 0 : Math.max(0, countMax - Number(isDue))
    const ready = readyMax === 0 ? [] : await listReady(tx, tenantId, connectorId, readyMax)
    const leased = [...(sync && isDue ? [sync] : []), ...ready]
    for (const task of leased) {
      const leaseUntil = new Date(at.getTime() + (forMs ?? leaseMs(task.kind)))
      const attempts = task.attempts + 1
      await updateTask(tx, tenantId, task, { state: 'leased', error: '', hostId, leaseUntil, attempts, begunAt: at })
    }
    return leased.map((task) => ({ ...task, hostId, state: 'leased' as const }))
  })
}

export type Report = {
  hostId: string
  taskId: string
  error: string | null
  /** The account that was created, as the connector reported it. */
  account?: CreatedAccount | null
  /** Whether its outcome is unknown, for the reason in `error`. */
  isUnknown?: boolean
  /** The grants that were made, as the connector reported them. */
  grants?: readonly GivenGrant[]
}

/** Records a host's report about its task. False if the host has no such task: nothing is changed then. */
export async function finishTask(world: World, cause: Ending, connectorId: string, report: Report): Promise<boolean> {
  const tenantId = cause.tenant.id
  return transact(world.db, async (tx) => {
    const connector = await lockConnector(tx, tenantId, connectorId)
    const task = connector && (await findTask(tx, tenantId, connectorId, report.taskId))
    const is = reportOf(task, report.hostId)
    if (!connector || !task || is === 'none') return false
    if (is === 'again') return true
    if (isProvisioning(task)) {
      const error = report.error === null ? null : errorText(report.error)
      const { account = null, grants = [] } = report
      const ended: Ended = report.isUnknown
        ? { state: 'unknown', error: error ?? '' }
        : await endedBy(tx, world, tenantId, task, { error, account, grants })
      await endTask(tx, world, cause, task, ended)
      if (ended.state === 'unknown') await setNextSync(tx, tenantId, connectorId, world.now())
      return true
    }
    const at = world.now()
    const fail = async (error: string): Promise<void> => {
      await updateTask(tx, tenantId, task, { state: 'failed', error, endedAt: at })
      await deleteOtherUploads(tx, tenantId, { taskId: task.id, uploadId: '' })
      await retrySync(tx, world, tenantId, connector)
    }
    if (report.error !== null) await fail(errorText(report.error))
    else if (task.uploadId === '') await fail('The connector finished the sync without uploading a file.')
    else {
      await updateTask(tx, tenantId, task, { state: 'merging' })
      await enqueueMerge(tx, world, cause, task)
    }
    return true
  })
}

/** Whether another task about the same is queued behind one that the connector has: the last decision counts. */
const isReplaced = async (tx: Tx, tenantId: number, { id, entitlementId, ...of }: ProvisioningTask): Promise<boolean> =>
  (await listOpenOf(tx, tenantId, of)).some(
    (each) => each.id !== id && each.entitlementId === entitlementId && each.state === 'queued',
  )

/** Queues a task again, unless it was replaced. */
async function giveBack(tx: Tx, world: World, cause: Ending, task: ConnectorTask): Promise<void> {
  if (isProvisioning(task) && (await isReplaced(tx, cause.tenant.id, task)))
    await endTask(tx, world, cause, task, { state: 'cancelled', error: replacedWhy })
  else await updateTask(tx, cause.tenant.id, task, { state: 'queued', uploadId: '' })
}

/** Returns a task that a host has not begun, or that may be repeated. False if the host no longer has it. */
export const releaseTask = (
  world: World,
  cause: Ending,
  connectorId: string,
  { hostId, taskId }: { hostId: string; taskId: string },
): Promise<boolean> =>
  transact(world.db, async (tx) => {
    const tenantId = cause.tenant.id
    const connector = await lockConnector(tx, tenantId, connectorId)
    const task = connector && (await findTask(tx, tenantId, connectorId, taskId))
    if (task?.state !== 'leased' || task.hostId !== hostId) return false
    await giveBack(tx, world, cause, task)
    if (!isProvisioning(task)) await deleteOtherUploads(tx, tenantId, { taskId, uploadId: '' })
    return true
  })

export const enqueueMerge = (tx: Tx, world: World, cause: Cause, { connectorId, id }: ConnectorTask): Promise<void> =>
  enqueue(tx, world, cause, syncUploaded, {
    payload: { connectorId, taskId: id },
    subject: { type: 'connector', id: connectorId },
    key: id,
  })

/** Ends the leases of connectors that no longer poll; run by the engine. */
export async function endLapsedLeases(world: World): Promise<void> {
  const at = world.now()
  await forEachTenant(await listTenantsWithLapsed(world.db, at), async (tenantId) => {
    for (const id of await listConnectorsWithLapsed(world.db, tenantId, at))
      await transact(world.db, async (tx) => {
        const connector = await lockConnector(tx, tenantId, id)
        if (connector) await endLapsed(tx, world, tenantId, connector)
      })
  })
}

/**
 * Ends the tasks that are queued or leased; what is being merged is merged. A paused connector keeps its queued tasks for
 * the app until it is resumed; the outcome of the leased ones is unknown until a later sync shows it. After a connector is
 * deleted no sync shows anything: people have to check.
 */
export async function cancelTasks(
  tx: Tx,
  world: World,
  cause: Ending,
  connectorId: string,
  { error, isForGood }: { error: string; isForGood: boolean },
): Promise<void> {
  const tenantId = cause.tenant.id
  for (;;) {
    const open = await listOpenTasks(tx, tenantId, connectorId)
    const ending = open.filter(
      (task) => task.state !== 'merging' && (isForGood || !isProvisioning(task) || task.state === 'leased'),
    )
    for (const task of ending) {
      if (!isProvisioning(task)) {
        await updateTask(tx, tenantId, task, { state: 'cancelled', error, endedAt: world.now() })
        await deleteOtherUploads(tx, tenantId, { taskId: task.id, uploadId: '' })
      } else if (!isForGood) await endTask(tx, world, cause, task, { state: 'unknown', error })
      else {
        const mayBeDone = task.state === 'queued' ? '' : ' It did not report a result: check whether it was done.'
        await endTask(tx, world, cause, task, { state: 'failed', error: `${error}${mayBeDone}` })
      }
    }
    if (ending.length === 0 || !isForGood) return
  }
}
