import { type Tx, transact } from '#kernel/sql.ts'
import { forEachTenant } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import type { Cause } from '#rooms/foundation/systemlog/index.ts'
import type { ConnectorTask } from '../connector.ts'
import { nextSyncAfter } from '../schedule/decide.ts'
import { syncUploaded } from '../syncs/names.ts'
import { deleteOtherUploads } from '../syncs/store.ts'
import { errorText, lapsed, leaseMs, reportOf, retrySyncMs } from './decide.ts'
import {
  findTask,
  insertTask,
  isAnythingToDo,
  listConnectorsWithLapsed,
  listOpenTasks,
  listTenantsWithLapsed,
  lockConnector,
  renewLeases,
  setNextSync,
  updateTask,
} from './store.ts'

type Locked = NonNullable<Awaited<ReturnType<typeof lockConnector>>>

/** Ends the leases that are over. Answers what is open afterwards. */
async function endLapsed(tx: Tx, world: World, tenantId: number, connector: Locked): Promise<ConnectorTask[]> {
  const at = world.now()
  const open: ConnectorTask[] = []
  for (const task of await listOpenTasks(tx, tenantId, connector.id)) {
    const isOver = task.state === 'leased' && task.leaseUntil !== null && task.leaseUntil <= at
    if (!isOver) {
      open.push(task)
      continue
    }
    const { state, error } = lapsed(task)
    // What was uploaded is deleted below: the next host uploads its own.
    await updateTask(tx, tenantId, task, { state, error, uploadId: '', ...(state !== 'queued' && { endedAt: at }) })
    if (state === 'queued') open.push({ ...task, state, uploadId: '' })
    if (task.kind === 'sync') await deleteOtherUploads(tx, tenantId, { taskId: task.id, uploadId: '' })
    if (state === 'failed') await retrySync(tx, world, tenantId, connector)
  }
  return open
}

/** After a sync that failed, the next one comes sooner than it would have. */
const retrySync = (tx: Tx, world: World, tenantId: number, { id, syncEverySeconds, nextSyncAt }: Locked) => {
  const soon = new Date(world.now().getTime() + retrySyncMs(syncEverySeconds))
  return setNextSync(tx, tenantId, id, nextSyncAt && nextSyncAt < soon ? nextSyncAt : soon)
}

const isOpenSync = ({ kind }: ConnectorTask): boolean => kind === 'sync'

/** Has a connector synced as soon as it asks; one that waits or runs already is not asked for twice. */
export async function requestSync(
  tx: Tx,
  world: World,
  tenantId: number,
  connectorId: string,
  askedBy: string,
): Promise<void> {
  const connector = await lockConnector(tx, tenantId, connectorId)
  if (!connector) return
  const open = await endLapsed(tx, world, tenantId, connector)
  if (open.some(isOpenSync)) return
  await insertTask(tx, tenantId, { id: world.newId(), connectorId, kind: 'sync', askedBy, at: world.now() })
}

/** Tasks for a host, at most so many, each its own for a time. Most of the time there is none, and that takes one statement. */
export async function leaseTasks(
  world: World,
  tenantId: number,
  connectorId: string,
  { hostId, countMax }: { hostId: string; countMax: number },
): Promise<ConnectorTask[]> {
  if (!(await isAnythingToDo(world.db, tenantId, connectorId, world.now()))) return []
  return transact(world.db, async (tx) => {
    const connector = await lockConnector(tx, tenantId, connectorId)
    if (!connector || connector.syncDisabledAt) return []
    const at = world.now()
    const open = await endLapsed(tx, world, tenantId, connector)
    if (connector.nextSyncAt && connector.nextSyncAt <= at) {
      await setNextSync(tx, tenantId, connectorId, nextSyncAfter(connector, at))
      if (!open.some(isOpenSync)) {
        const id = world.newId()
        await insertTask(tx, tenantId, { id, connectorId, kind: 'sync', askedBy: '', at })
        open.push((await findTask(tx, tenantId, connectorId, id)) as ConnectorTask)
      }
    }
    const leased = open.filter(({ state }) => state === 'queued').slice(0, countMax)
    for (const task of leased) {
      const leaseUntil = new Date(at.getTime() + leaseMs(task.kind))
      const attempts = task.attempts + 1
      await updateTask(tx, tenantId, task, { state: 'leased', hostId, leaseUntil, attempts, begunAt: at })
    }
    return leased
  })
}

/** Keeps tasks with their host; answers which of them are no longer its own. */
export async function keepTasks(
  world: World,
  tenantId: number,
  connectorId: string,
  { hostId, taskIds }: { hostId: string; taskIds: readonly string[] },
): Promise<string[]> {
  const at = world.now()
  const until = new Date(at.getTime() + leaseMs('sync'))
  const kept = await renewLeases(world.db, tenantId, connectorId, { hostId, taskIds, until, at })
  return taskIds.filter((id) => !kept.includes(id))
}

export type Report = { hostId: string; taskId: string; error: string | null }

/** A host says what became of its task. False where it has none such: nothing is changed then. */
export async function finishTask(world: World, cause: Cause, connectorId: string, report: Report): Promise<boolean> {
  const tenantId = cause.tenant.id
  return transact(world.db, async (tx) => {
    const connector = await lockConnector(tx, tenantId, connectorId)
    const task = connector && (await findTask(tx, tenantId, connectorId, report.taskId))
    const is = reportOf(task, report.hostId)
    if (!connector || !task || is === 'none') return false
    if (is === 'again') return true
    const at = world.now()
    const fail = async (error: string): Promise<void> => {
      await updateTask(tx, tenantId, task, { state: 'failed', error, endedAt: at })
      if (task.kind !== 'sync') return
      await deleteOtherUploads(tx, tenantId, { taskId: task.id, uploadId: '' })
      await retrySync(tx, world, tenantId, connector)
    }
    if (report.error !== null) await fail(errorText(report.error))
    else if (task.kind !== 'sync') await updateTask(tx, tenantId, task, { state: 'done', endedAt: at })
    else if (task.uploadId === '') await fail('The connector finished the sync without uploading a file.')
    else {
      await updateTask(tx, tenantId, task, { state: 'merging' })
      await enqueueMerge(tx, world, cause, task)
    }
    return true
  })
}

export const enqueueMerge = (tx: Tx, world: World, cause: Cause, { connectorId, id }: ConnectorTask): Promise<void> =>
  enqueue(tx, world, cause, syncUploaded, {
    payload: { connectorId, taskId: id },
    subject: { type: 'connector', id: connectorId },
    key: id,
  })

/** Ends the leases of connectors that do not ask any more; run by the engine. */
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
