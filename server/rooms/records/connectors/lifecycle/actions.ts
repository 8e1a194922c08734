import { isDeepStrictEqual } from 'node:util'
import type { May } from '#authority/proof.ts'
import { refuseGivingBeyondReach } from '#authority/reach/index.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { endOwnersOf } from '#rooms/foundation/ownership/index.ts'
import { type Cause, causeOf, change, record } from '#rooms/foundation/systemlog/index.ts'
import { recordOwnersGone } from '#rooms/records/apps/index.ts'
import type { Config } from '../catalog/config.ts'
import { getConnector } from '../connector/actions.ts'
import type { ConnectorRef } from '../connector/ref.ts'
import { markDeleted, setSyncDisabled, updateConnector, updateSchedule } from '../connector/store.ts'
import type { Connector } from '../connector.ts'
import { revokeCredentials } from '../credentials/actions.ts'
import { nextSyncAfter, type Schedule } from '../schedule/decide.ts'
import { deleteConnection } from '../scim-connection/store.ts'
import { findTask, lockConnector, updateTask } from '../tasks/store.ts'
import { cancelTasks, enqueueMerge, requestSync } from '../work/actions.ts'

type Changing = { tx: Tx; cause: Cause; connector: Connector }

/** Changes a connector while it is locked, and records what was done. */
const changing = (
  call: Call,
  ref: ConnectorRef,
  { activity, message }: { activity: 'update' | 'delete'; message: string },
  work: (on: Changing) => Promise<void>,
): Promise<void> =>
  transact(call.db, async (tx) => {
    await lockConnector(tx, call.tenant.id, ref.connectorId)
    const connector = await getConnector(tx, call, ref)
    const cause = causeOf(call)
    await work({ tx, cause, connector })
    const touched = { type: 'connector', id: connector.id, name: connector.displayName }
    await record(tx, call, cause, change(cause, activity, `${message} ${connector.displayName}`, [touched]))
  })

export const forceSync = (call: May<'connector.edit'>, ref: ConnectorRef): Promise<void> =>
  changing(
    call,
    ref,
    { activity: 'update', message: 'Requested a sync of the connector' },
    async ({ tx, connector }) => {
      if (connector.syncDisabledAt)
        throw new Refusal('CONNECTOR_PAUSED', 'The connector is paused. Resume it before you request a sync.')
      await requestSync(tx, call, call.tenant.id, connector.id, call.actor.userId)
    },
  )

export const pauseConnector = (call: May<'connector.edit'>, ref: ConnectorRef): Promise<void> =>
  changing(call, ref, { activity: 'update', message: 'Paused the connector' }, async ({ tx, connector }) => {
    const at = call.now()
    const disabledAt = connector.syncDisabledAt ?? at
    await setSyncDisabled(tx, call.tenant.id, connector.id, { at, disabledAt, reason: 'Paused by an administrator.' })
    await cancelTasks(tx, call, causeOf(call), connector.id, { error: 'The connector was paused.', isForGood: false })
  })

export const resumeConnector = (call: May<'connector.edit'>, ref: ConnectorRef): Promise<void> =>
  changing(call, ref, { activity: 'update', message: 'Resumed the connector' }, ({ tx, connector }) =>
    setSyncDisabled(tx, call.tenant.id, connector.id, { at: call.now(), disabledAt: null, reason: '' }),
  )

export const deleteConnector = (call: May<'connectors.change'>, ref: ConnectorRef): Promise<void> =>
  changing(call, ref, { activity: 'delete', message: 'Deleted the connector' }, async ({ tx, cause, connector }) => {
    await revokeCredentials(tx, call, causeOf(call), connector.id, null)
    await cancelTasks(tx, call, causeOf(call), connector.id, { error: 'The connector was deleted.', isForGood: true })
    const object = { kind: 'connector' as const, appId: ref.appId, typeId: '', id: ref.connectorId }
    const gone = await endOwnersOf(tx, call.tenant.id, object, { at: call.now(), by: call.actor.userId })
    if (gone.length > 0) await recordOwnersGone(tx, call, cause, gone)
    await deleteConnection(tx, call.tenant.id, connector.id)
    await markDeleted(tx, call.tenant.id, connector.id, call.now())
  })

/** Someone has looked at what a sync would remove: it is merged. */
export const confirmSync = (call: May<'connector.confirm-sync'>, ref: ConnectorRef, syncId: string): Promise<void> =>
  changing(
    call,
    ref,
    { activity: 'update', message: 'Confirmed a sync of the connector' },
    async ({ tx, cause, connector }) => {
      const task = await findTask(tx, call.tenant.id, connector.id, syncId)
      if (task?.state !== 'held')
        throw new Refusal('CONNECTOR_TASK_NOT_FOUND', `No sync ${syncId} of this connector waits to be confirmed.`, {
          metadata: { id: syncId },
        })
      await updateTask(tx, call.tenant.id, task, { state: 'merging', isConfirmed: true, error: '' })
      await enqueueMerge(tx, call, cause, task)
    },
  )

export type ConnectorChanges = { displayName?: string; description?: string; config?: Config | null }

/**
 * Changes the fields that people set, in the transaction that changes the connector's owners too. Unchanged fields are not
 * recorded.
 */
export async function changeConnector(
  tx: Tx,
  call: May<'connector.edit'>,
  ref: ConnectorRef,
  changes: ConnectorChanges,
): Promise<Connector> {
  await lockConnector(tx, call.tenant.id, ref.connectorId)
  const before = await getConnector(tx, call, ref)
  const changed = (Object.keys(changes) as (keyof ConnectorChanges)[]).filter(
    (name) => !isDeepStrictEqual(changes[name], before[name]),
  )
  if (changed.length === 0) return before
  // Choosing where a connector reads means choosing what it reports, and so who holds what.
  if (changed.includes('config')) await refuseGivingBeyondReach(tx, call, { appId: ref.appId })
  const at = call.now()
  const configUpdatedAt = changed.includes('config') ? at : before.configUpdatedAt
  const after: Connector = { ...before, ...changes, configUpdatedAt, updatedAt: at }
  await updateConnector(tx, call, after)
  const cause = causeOf(call)
  const touched = { type: 'connector', id: after.id, name: after.displayName, data: { appId: after.appId, changed } }
  await record(
    tx,
    call,
    cause,
    change(cause, 'update', `Changed ${changed.join(', ')} of the connector ${after.displayName}`, [touched]),
  )
  return after
}

/** From now on syncs are due by this schedule; every hour if there is none. */
export const scheduleSyncs = (
  call: May<'connector.edit'>,
  ref: ConnectorRef,
  schedule: Schedule | null,
): Promise<void> =>
  changing(
    call,
    ref,
    { activity: 'update', message: 'Changed the schedule of the connector' },
    async ({ tx, connector }) => {
      const at = call.now()
      const { cronSpec = '', timeZone = '' } = schedule ?? {}
      const after = { ...connector, cronSpec, cronTimeZone: timeZone, cronSince: schedule ? at : null, updatedAt: at }
      await updateSchedule(tx, call, { ...after, nextSyncAt: nextSyncAfter(after, at) })
    },
  )
