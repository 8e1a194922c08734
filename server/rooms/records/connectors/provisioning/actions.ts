import type { JsonObject } from '@bufbuild/protobuf'
import type { May } from '#authority/proof.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { causeOf, change, record } from '#rooms/foundation/systemlog/index.ts'
import { type ProvisioningTask, shownState } from '../connector.ts'
import { lockConnector } from '../tasks/store.ts'
import { checkAccountProfile } from './account-profile.ts'
import { endTask, repeatTask } from './end.ts'
import { listFacts } from './store/facts.ts'
import { findAccountsOf } from './store/objects.ts'
import { listProvisioners, type Provisioner, updateSettings } from './store/provisioners.ts'
import { findProvisioningTask, listOpenOf, setAwaited } from './store/tasks.ts'
import { canCreateAccounts, canDeleteAccounts, whyNotProvisioned } from './support.ts'

export type Support = {
  connector: Provisioner | null
  /** Why access is not granted or removed in the app; empty if it is. */
  why: string
  canCreateAccounts: boolean
  canDeleteAccounts: boolean
}

/** What the connector of an app can do in it. */
export async function getSupport(call: Call, appId: string): Promise<Support> {
  const all = await listProvisioners(call.db, call.tenant.id, appId)
  const connector = all.find((each) => whyNotProvisioned(each, null) === null) ?? all[0] ?? null
  if (!connector)
    return { connector, why: 'The app has no connector.', canCreateAccounts: false, canDeleteAccounts: false }
  const why = whyNotProvisioned(connector, null) ?? ''
  return {
    connector,
    why,
    canCreateAccounts: why === '' && canCreateAccounts(connector),
    canDeleteAccounts: why === '' && canDeleteAccounts(connector, null),
  }
}

/** Without an account profile, the existing one stays. */
export type Settings = { isDisabled: boolean; deletesAccounts: boolean; accountProfile: object | null }

/** Changes whether a connector carries out what is decided here. Its queued tasks stay queued. */
export async function changeSettings(
  call: May<'connectors.set-provisioning'>,
  { appId, connectorId }: { appId: string; connectorId: string },
  { isDisabled, deletesAccounts, accountProfile }: Settings,
): Promise<void> {
  if (accountProfile) checkAccountProfile(accountProfile as JsonObject)
  await transact(call.db, async (tx) => {
    await lockConnector(tx, call.tenant.id, connectorId)
    const before = (await listProvisioners(tx, call.tenant.id, appId)).find(({ id }) => id === connectorId)
    if (!before)
      throw new Refusal('CONNECTOR_NOT_FOUND', `There is no connector ${connectorId} in this app.`, {
        metadata: { id: connectorId },
      })
    const after = {
      isDisabled,
      deletesAccounts,
      accountProfile: (accountProfile as JsonObject | null) ?? before.accountProfile,
    }
    await updateSettings(tx, call.tenant.id, connectorId, { ...after, at: call.now() })
    const cause = causeOf(call)
    const { isDisabled: wasDisabled, deletesAccounts: deleted, accountProfile: profile } = before
    const data = {
      appId,
      ...after,
      before: { isDisabled: wasDisabled, deletesAccounts: deleted, accountProfile: profile },
    }
    const touched = [{ type: 'connector', id: connectorId, name: before.displayName, data }]
    await record(
      tx,
      call,
      cause,
      change(cause, 'update', `Changed provisioning by the connector ${before.displayName}`, touched),
    )
  })
}

const taskNotFound = (id: string): Refusal =>
  new Refusal('CONNECTOR_TASK_NOT_FOUND', `There is no provisioning task ${id} in this app.`, { metadata: { id } })
const wrongState = (message: string): Refusal => new Refusal('CONNECTOR_TASK_STATE', message)

type Ref = { appId: string; id: string }

/** Works on a task while it is locked. */
const holding = <T>(
  call: Call,
  { appId, id }: Ref,
  work: (on: Parameters<Parameters<typeof transact>[1]>[0], task: ProvisioningTask) => Promise<T>,
): Promise<T> =>
  transact(call.db, async (tx) => {
    const seen = await findProvisioningTask(tx, call.tenant.id, appId, id)
    if (!seen || !(await lockConnector(tx, call.tenant.id, seen.connectorId))) throw taskNotFound(id)
    return work(tx, (await findProvisioningTask(tx, call.tenant.id, appId, id)) as ProvisioningTask)
  })

/** Cancels a task that the connector has not fetched. */
export const cancelTask = (call: Call, ref: Ref): Promise<void> =>
  holding(call, ref, async (tx, task) => {
    if (task.state !== 'queued')
      throw wrongState(`Only a waiting task can be cancelled. This one is ${shownState(task.state)}.`)
    await endTask(tx, call, causeOf(call), task, { state: 'cancelled', error: 'Cancelled by an administrator.' })
  })

/**
 * Retries a failed task. A task with an unknown outcome is retried only if the caller accepts that it may be done twice.
 * What is no longer wanted is not repeated.
 */
export const retryTask = (call: Call, ref: Ref, { isUnknownAccepted }: { isUnknownAccepted: boolean }) =>
  holding(call, ref, async (tx, task) => {
    const { state, kind, appId, entitlementId, accountId } = task
    if (state === 'unknown' && !isUnknownAccepted)
      throw wrongState(
        'The outcome of this task is unknown. Wait for the next sync, which shows it, or set acceptUnknown to true.',
      )
    if (state !== 'failed' && state !== 'unknown' && state !== 'cancelled')
      throw wrongState(`Only a task that failed can be repeated. This one is ${shownState(state)}.`)
    const open = await listOpenOf(tx, call.tenant.id, task)
    if (open.some((each) => each.id !== task.id && each.entitlementId === entitlementId))
      throw wrongState('Another task for the same access has not ended yet.')
    const isWanted = await isStillWanted()
    if (!isWanted)
      throw wrongState(
        'The grants have changed, and this is no longer needed. Request the access again, or complete the request manually.',
      )
    const cause = causeOf(call)
    const { isAwaited } = task
    if (state === 'unknown') {
      // A request that waits for this task waits for the next one instead.
      if (isAwaited) await setAwaited(tx, call.tenant.id, task, false)
      const error = 'Repeated although the outcome was unknown.'
      await endTask(tx, call, cause, { ...task, isAwaited: false }, { state: 'failed', error })
    }
    const id = await repeatTask(
      tx,
      call,
      cause,
      { ...task, isAwaited: state === 'unknown' && isAwaited },
      { retries: 0 },
    )
    return (await findProvisioningTask(tx, call.tenant.id, appId, id)) as ProvisioningTask

    async function isStillWanted(): Promise<boolean> {
      // People take over what failed; only an unknown outcome is still waited for.
      if (task.isAwaited) return state === 'unknown'
      if (kind === 'create_account' || kind === 'delete_account') {
        const [account] = await findAccountsOf(tx, call.tenant.id, appId, [accountId])
        const isThere = account !== undefined && !account.isDeleted
        return isThere && (kind === 'create_account') === (account.externalId === '')
      }
      const [fact] = await listFacts(tx, call.tenant.id, appId, [{ entitlementId, accountId }], { at: call.now() })
      return (kind === 'grant') === ((fact?.wantedSince ?? null) !== null)
    }
  })
