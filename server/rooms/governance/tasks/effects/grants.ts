import { accountsFor } from '#rooms/records/accounts/index.ts'
import {
  deleteChangesGiven,
  endForRestating,
  endGrants,
  insertGrants,
  openGrants,
} from '#rooms/records/grants/index.ts'
import type { Facts } from '../facts/facts.ts'
import { accountIn, sourcesOf } from '../facts/holdings.ts'
import { type Held, hasExpired, listHeldBy, listOtherReasons } from '../facts/holdings-store.ts'
import type { Access } from '../machine/effect.ts'
import { isAgain, type Task } from '../machine/record.ts'
import { lockEndsOf } from '../store.ts'
import { findRequestEnd } from './waits-store.ts'

/** `isInApp`: the connector has done it in the app already, or people have. */
export async function recordAccess(facts: Facts, access: Access, isInApp: boolean): Promise<void> {
  const { of } = access
  // What was recorded before stays as it was recorded, for its own reasons and until its own end.
  if (isAgain(of)) await deleteChangesGiven(facts.tx, facts.tenantId, of)
  else if (of.kind === 'revoke') await revoke(facts, of, isInApp)
  else await grant(facts, access, isInApp)
}

const refOf = ({ appId, entitlementId }: Task, { accountId }: Held) => ({ appId, entitlementId, accountId })

/** The account of a person in an app: the first one, which is made where there is none. */
export async function createAccount({ tx, world }: Facts, { appId, subjectUserId }: Task): Promise<string> {
  const { accountOf } = await accountsFor(tx, world, appId, [subjectUserId])
  return accountOf.get(subjectUserId) as string
}

/** The account that gets it: the task's own, else one that has it by request, else the first of the person. */
async function accountFor(facts: Facts, of: Task): Promise<{ id: string; isUnheld: boolean }> {
  if (of.accountId !== '') return { id: of.accountId, isUnheld: false }
  const { id, isUnheld } = accountIn(await facts.holdings(of))
  return { id: id ?? (await createAccount(facts, of)), isUnheld }
}

/**
 * Its time begins now: what was waited for an approval is not lost. Who holds it by request already gets the later of both
 * ends: asking again takes nothing away.
 */
export async function grant(facts: Facts, { of, durationSeconds }: Access, isInApp: boolean): Promise<void> {
  const { tx, tenantId, world } = facts
  const at = world.now()
  const { id: accountId, isUnheld } = await accountFor(facts, of)
  const { appId, entitlementId } = of
  if (isInApp) await deleteChangesGiven(tx, tenantId, { appId, entitlementId, accountId })
  const expiresAt = durationSeconds === null ? null : new Date(at.getTime() + durationSeconds * 1000)
  const wanted = { id: world.newId(), appId, entitlementId, accountId, expiresAt }
  const isTold = isInApp || (of.accountId === '' && !(await facts.holdings(of)).hasConnector)
  const opened = await openGrants(tx, tenantId, [wanted], { source: 'request', by: of.id, at, isTold, isUnheld })
  if (opened.length > 0) return
  // As mostly nothing was held when that was read. By this code all of it is done again if something is by now.
  if (isUnheld) throw Object.assign(new Error('It was granted in the meantime.'), { code: '40001' })
  // What is held beyond its time, until that is decided, has no end of its own: it gets one again.
  await lockEndsOf(tx, tenantId, of)
  const isOverdue = await hasExpired(tx, tenantId, of)
  const [before] = await findRequestEnd(tx, tenantId, wanted)
  if (!before || isOverdue || isLater(expiresAt, before.expiresAt))
    await restate(facts, { of, accountId, expiresAt, isTold: isInApp })
}

/** Null is for good, which is later than any time. */
const isLater = (a: Date | null, b: Date | null): boolean => b !== null && (a === null || a > b)

/** The same reason with another end. Its row ends and another begins, so that the record tells both. */
async function restate(
  { tx, tenantId, world }: Facts,
  { of, accountId, expiresAt, isTold }: { of: Task; accountId: string; expiresAt: Date | null; isTold: boolean },
): Promise<void> {
  const at = world.now()
  const { appId, entitlementId } = of
  const asked = { expiresAt, by: of.id, at, source: 'request' } as const
  const held = await endForRestating(tx, tenantId, { appId, entitlementId, accountId }, asked)
  const rows = held.map(({ source, grantedAt, endedAt }) => ({
    id: world.newId(),
    appId,
    entitlementId,
    accountId,
    source,
    grantedBy: of.id,
    grantedAt,
    beganAt: endedAt,
    ...(expiresAt && { expiresAt }),
  }))
  await insertGrants(tx, tenantId, rows, at, { isTold })
}

/** Of every account of the person that holds it, or only of the one that the task names. */
async function revoke({ tx, tenantId, world }: Facts, of: Task, isTold: boolean): Promise<void> {
  const at = world.now()
  const refs = (await listHeldBy(tx, tenantId, of, at)).map((held) => refOf(of, held))
  const sources = sourcesOf(of)
  if (sources === null) await endGrants(tx, tenantId, refs, { by: of.id, at, isTold })
  else for (const source of sources) await endGrants(tx, tenantId, refs, { by: of.id, at, source, isTold })
}

/**
 * What came along with an entitlement that is revoked: it goes too, unless it was requested for itself or another entitlement
 * that is held brings it. Then it stays for as long as those.
 */
export async function revokeIncluded(facts: Facts, of: Task, along: Task): Promise<void> {
  const { tx, tenantId, world } = facts
  const at = world.now()
  const held = (await listHeldBy(tx, tenantId, of, at)).filter(({ source }) => source === 'request')
  const reasons = await listOtherReasons(tx, tenantId, of, along, at)
  for (const each of held) {
    if (reasons.length === 0) await endGrants(tx, tenantId, [refOf(of, each)], { by: of.id, at, source: 'request' })
    else {
      const { until: expiresAt } = reasons.reduce((a, b) => (isLater(b.until, a.until) ? b : a))
      await restate(facts, { of, accountId: each.accountId, expiresAt, isTold: false })
    }
  }
}
