import { accountsFor } from '#rooms/records/accounts/index.ts'
import { isAutomatic } from '#rooms/records/apps/index.ts'
import {
  deleteChangesGiven,
  endForRestating,
  endGrants,
  insertGrants,
  openGrants,
} from '#rooms/records/grants/index.ts'
import { isAgain, type Task } from '../record.ts'
import { lockEndsOf } from '../store.ts'
import type { Provisioner, Provisioning } from './provisioner.ts'
import {
  findHoldings,
  findRequestEnd,
  type Held,
  type Holdings,
  hasExpired,
  listHeldBy,
  listOtherReasons,
} from './store.ts'

/** Of apps that are records only: the record of the grant is the access. */
export const records: Provisioner = {
  kind: 'records',
  takes: isAutomatic,
  async begin(what) {
    // The record is there: it is the app that lacks it.
    if (isAgain(what.task)) return { is: 'failed', error: 'No connector provisions this in the app.' }
    if (what.isLast) await giveOrTake(what)
    return { is: 'done' }
  },
}

export function giveOrTake(what: Provisioning): Promise<void> {
  if (isAgain(what.task)) return noteAgain(what)
  return what.task.kind === 'revoke' ? take(what) : give(what)
}

/** What was recorded before stays as it was recorded, for its own reasons and until its own end. */
async function noteAgain({ tx, call, task: { appId, entitlementId, accountId } }: Provisioning): Promise<void> {
  await deleteChangesGiven(tx, call.tenant.id, { appId, entitlementId, accountId })
}

const refOf = ({ appId, entitlementId }: Task, { accountId }: Held) => ({ appId, entitlementId, accountId })

type Account = {
  id: string
  /** Nothing of it was held there by request when that was looked at: not even beyond its time. */
  isUnheld: boolean
}

/** The account that gets it: the task's own, else one that has it by request, else the first of the person, which is made. */
export async function accountOf({ tx, call, task, holdings }: Provisioning): Promise<Account> {
  if (task.accountId !== '') return { id: task.accountId, isUnheld: false }
  const { rows } =
    holdings && isOf(holdings, task) ? holdings : await findHoldings(tx, call.tenant.id, task, call.now())
  const requested = rows.filter(({ source }) => source === 'request')
  const [extended] = requested
    .filter(({ isOver }) => !isOver)
    .map(({ accountId }) => accountId)
    .toSorted()
  const id = extended ?? rows[0]?.accountId
  if (id !== undefined) return { id, isUnheld: !requested.some(({ accountId }) => accountId === id) }
  const { accountOf: found } = await accountsFor(tx, call, task.appId, [task.subjectUserId])
  return { id: found.get(task.subjectUserId) as string, isUnheld: false }
}

/** The entitlement that another brings along may be of another app. */
export const isOf = ({ of }: Holdings, { appId, entitlementId, subjectUserId }: Task): boolean =>
  of.appId === appId && of.entitlementId === entitlementId && of.subjectUserId === subjectUserId

/**
 * Its time begins now: what was waited for an approval is not lost. Who holds it by request already gets the later of both
 * ends: asking again takes nothing away.
 */
export async function give(what: Provisioning): Promise<void> {
  const { tx, call, task, state, holdings } = what
  const isTold = what.isCarriedOut === true || (holdings && isOf(holdings, task) ? !holdings.hasConnector : false)
  const at = call.now()
  const { id: accountId, isUnheld } = await accountOf(what)
  const { appId, entitlementId } = task
  if (what.isCarriedOut) await deleteChangesGiven(tx, call.tenant.id, { appId, entitlementId, accountId })
  const expiresAt = state.durationSeconds === null ? null : new Date(at.getTime() + state.durationSeconds * 1000)
  const wanted = { id: call.newId(), appId, entitlementId, accountId, expiresAt }
  const giving = { source: 'request', by: task.id, at, isTold } as const
  if (isUnheld && what.later) {
    // As mostly: it goes out with what is written of the task, and by this code all of it is done again if it is held by now.
    const isGiven = openGrants(tx, call.tenant.id, [wanted], { ...giving, isUnheld }).then((opened) => {
      if (opened.length === 0) throw Object.assign(new Error('It was granted in the meantime.'), { code: '40001' })
    })
    what.later(isGiven)
    return
  }
  const opened = await openGrants(tx, call.tenant.id, [wanted], giving)
  if (opened.length > 0) return
  // What is held beyond its time, until that is decided, has no end of its own: it gets one again.
  await lockEndsOf(tx, call.tenant.id, task)
  const isOverdue = await hasExpired(tx, call.tenant.id, task)
  const [before] = await findRequestEnd(tx, call.tenant.id, wanted)
  if (!before || isOverdue || isLater(expiresAt, before.expiresAt)) await restate(what, accountId, expiresAt)
}

/** Null is for good, which is later than any time. */
const isLater = (a: Date | null, b: Date | null): boolean => b !== null && (a === null || a > b)

/** The same reason with another end. Its row ends and another begins, so that the record tells both. */
async function restate(
  { tx, call, task, isCarriedOut: isTold = false }: Provisioning,
  accountId: string,
  expiresAt: Date | null,
): Promise<void> {
  const at = call.now()
  const { appId, entitlementId } = task
  const asked = { expiresAt, by: task.id, at, source: 'request' } as const
  const held = await endForRestating(tx, call.tenant.id, { appId, entitlementId, accountId }, asked)
  const rows = held.map(({ source, grantedAt, endedAt }) => ({
    id: call.newId(),
    appId,
    entitlementId,
    accountId,
    source,
    grantedBy: task.id,
    grantedAt,
    beganAt: endedAt,
    ...(expiresAt && { expiresAt }),
  }))
  await insertGrants(tx, call.tenant.id, rows, at, { isTold })
}

/** Which reasons a revocation ends; null for all. Others still hold. */
export function sourcesOf({ origin, parentId }: Task): readonly ('request' | 'manual')[] | null {
  if (origin === 'TASK_ORIGIN_TIME_REVOKE') return ['request']
  // An offboarding leaves alone what rules and imports say: they would only say it again.
  return parentId === '' ? null : ['request', 'manual']
}

/** Of every account of the person that holds it, or only of the one that the task names. */
async function take({ tx, call, task, isCarriedOut: isTold = false }: Provisioning): Promise<void> {
  const at = call.now()
  const refs = (await listHeldBy(tx, call.tenant.id, task, at)).map((held) => refOf(task, held))
  const sources = sourcesOf(task)
  if (sources === null) await endGrants(tx, call.tenant.id, refs, { by: task.id, at, isTold })
  else for (const source of sources) await endGrants(tx, call.tenant.id, refs, { by: task.id, at, source, isTold })
}

/**
 * What came along with an entitlement that is revoked: it goes too, unless it was requested for itself or another entitlement
 * that is held brings it. Then it stays for as long as those.
 */
export async function takeDelegated(what: Provisioning, along: Task): Promise<void> {
  const { tx, call, task } = what
  const at = call.now()
  const held = (await listHeldBy(tx, call.tenant.id, task, at)).filter(({ source }) => source === 'request')
  const reasons = await listOtherReasons(tx, call.tenant.id, task, along, at)
  for (const each of held) {
    if (reasons.length === 0)
      await endGrants(tx, call.tenant.id, [refOf(task, each)], { by: task.id, at, source: 'request' })
    else {
      const last = reasons.reduce((a, b) => (isLater(b.until, a.until) ? b : a))
      await restate(what, each.accountId, last.until)
    }
  }
}
