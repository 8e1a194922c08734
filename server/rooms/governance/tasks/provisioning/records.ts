import type { Tx } from '#kernel/sql.ts'
import { accountsFor } from '#rooms/records/accounts/index.ts'
import { endForRestating, endGrants, insertGrants, openGrants } from '#rooms/records/grants/index.ts'
import { lockEndsOf } from '../store.ts'
import type { Provisioner, Provisioning } from './provisioner.ts'

/** Of apps that are records only: the record of the grant is the access. */
export const records: Provisioner = {
  kind: 'records',
  takes: (policy) => policy === null || policy.unconfigured !== null,
  async begin(what) {
    await giveOrTake(what)
    return { is: 'done' }
  },
}

export const giveOrTake = (what: Provisioning): Promise<void> => (what.task.kind === 'revoke' ? take(what) : give(what))

/** The account that a task is about; made where the person has none in the app. */
async function accountOf(tx: Tx, { call, task }: Provisioning): Promise<string> {
  if (task.accountId !== '') return task.accountId
  const { accountOf: found } = await accountsFor(tx, call, task.appId, [task.subjectUserId])
  return found.get(task.subjectUserId) as string
}

/** Its time begins now: what was waited for an approval is not lost. Who holds it by request already gets the new end, if that is later. */
async function give(what: Provisioning): Promise<void> {
  const { tx, call, task, state } = what
  const at = call.now()
  const accountId = await accountOf(tx, what)
  const { appId, entitlementId } = task
  const expiresAt = state.durationSeconds === null ? null : new Date(at.getTime() + state.durationSeconds * 1000)
  const wanted = { id: call.newId(), appId, entitlementId, accountId, expiresAt }
  const opened = await openGrants(tx, call.tenant.id, [wanted], { source: 'request', by: task.id, at })
  if (opened.length > 0) return
  // What is held beyond its time, until that is decided, has no end of its own: it gets one again.
  const isOverdue = (await lockEndsOf(tx, call.tenant.id, task)).length > 0
  const asked = { expiresAt, by: task.id, at, source: 'request', onlyLater: !isOverdue } as const
  const held = await endForRestating(tx, call.tenant.id, wanted, asked)
  const rows = held.map(({ source, grantedAt, endedAt }) => ({
    ...{ id: call.newId(), appId, entitlementId, accountId },
    ...{ source, grantedBy: task.id, grantedAt, beganAt: endedAt },
    ...(expiresAt && { expiresAt }),
  }))
  await insertGrants(tx, call.tenant.id, rows, at)
}

/** All reasons for which it is held, or only the request's where its time is over: others still hold. */
async function take(what: Provisioning): Promise<void> {
  const { tx, call, task } = what
  const accountId = await accountOf(tx, what)
  const { appId, entitlementId } = task
  const isExpiry = task.origin === 'TASK_ORIGIN_TIME_REVOKE'
  await endGrants(tx, call.tenant.id, [{ appId, entitlementId, accountId }], {
    by: task.id,
    at: call.now(),
    ...(isExpiry && { source: 'request' as const }),
  })
}
