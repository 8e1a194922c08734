import { accountsFor } from '#rooms/records/accounts/index.ts'
import {
  deleteChangesGiven,
  endForRestating,
  endGrants,
  insertGrants,
  openGrants,
} from '#rooms/records/grants/index.ts'
import type { Facts } from '../facts/facts.ts'
import { accountIn, type Held, hasExpired, listHeldBy, listOtherReasons } from '../facts/holdings-store.ts'
import type { Access } from '../machine/effect.ts'
import { isAgain, sourcesOf, type Task } from '../machine/record.ts'
import { lockEndsOf } from '../store.ts'
import type { Deciding } from '../verdict.ts'
import { findRequestEnd } from './waits-store.ts'

/** `isInApp`: the connector has provisioned it in the app already, or people have. */
export async function recordAccess(facts: Facts, by: Deciding, access: Access, isInApp: boolean): Promise<void> {
  const { of } = access
  // Existing grants remain unchanged, with their own reasons and expiry.
  if (isAgain(of)) await deleteChangesGiven(facts.tx, facts.tenantId, of)
  else if (of.kind === 'revoke') await revoke(facts, by, of, isInApp)
  else await grant(facts, by, access, isInApp)
}

const refOf = ({ appId, entitlementId }: Task, { accountId }: Held) => ({ appId, entitlementId, accountId })

/** The account of a person in an app: the first one, or a new one if there is none. */
export async function createAccount({ tx, world }: Facts, { appId, subjectUserId }: Task): Promise<string> {
  const { accountOf } = await accountsFor(tx, world, appId, [subjectUserId])
  return accountOf.get(subjectUserId) as string
}

/** The account to grant access to: the task's own, else one that holds it by request, else the first of the person. */
async function accountFor(facts: Facts, of: Task): Promise<{ id: string; isUnheld: boolean }> {
  if (of.accountId !== '') return { id: of.accountId, isUnheld: false }
  const { id, isUnheld } = accountIn(await facts.holdings(of))
  return { id: id ?? (await createAccount(facts, of)), isUnheld }
}

/**
 * The duration begins now: the time spent waiting for approval is not lost. If the person holds it by request already, the
 * later expiry applies: requesting again never shortens access.
 */
export async function grant(facts: Facts, by: Deciding, access: Access, isInApp: boolean): Promise<void> {
  const { of, durationSeconds } = access
  const { tx, tenantId, world } = facts
  const at = world.now()
  const { id: accountId, isUnheld } = await accountFor(facts, of)
  const { appId, entitlementId } = of
  if (isInApp) await deleteChangesGiven(tx, tenantId, { appId, entitlementId, accountId })
  const expiresAt = durationSeconds === null ? null : new Date(at.getTime() + durationSeconds * 1000)
  const wanted = { id: world.newId(), appId, entitlementId, accountId, expiresAt }
  const isTold = isInApp || (of.accountId === '' && !(await facts.holdings(of)).hasConnector)
  const opened = await openGrants(tx, by, [wanted], { source: 'request', by: of.id, at, isTold, isUnheld })
  if (opened.length > 0) return
  // The common case: nothing was held when that was read. With this code the transaction is run again if that has changed.
  if (isUnheld) throw Object.assign(new Error('It was granted in the meantime.'), { code: '40001' })
  // Access that is held past its expiry, until that is decided, has no expiry date: it gets one again.
  await lockEndsOf(tx, tenantId, of)
  const isOverdue = await hasExpired(tx, tenantId, of)
  const [before] = await findRequestEnd(tx, tenantId, wanted)
  if (!before || isOverdue || isLater(expiresAt, before.expiresAt))
    await restate(facts, by, { of, accountId, expiresAt, isTold: isInApp })
}

/** Null means no expiry, which is later than any time. */
const isLater = (a: Date | null, b: Date | null): boolean => b !== null && (a === null || a > b)

/**
 * Replaces a grant by one with another expiry and the same reason. The old row ends and a new one begins, so that the
 * history contains both.
 */
async function restate(
  { tx, world }: Facts,
  by: Deciding,
  { of, accountId, expiresAt, isTold }: { of: Task; accountId: string; expiresAt: Date | null; isTold: boolean },
): Promise<void> {
  const at = world.now()
  const { appId, entitlementId } = of
  const asked = { expiresAt, by: of.id, at, source: 'request' } as const
  const held = await endForRestating(tx, by, { appId, entitlementId, accountId }, asked)
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
  await insertGrants(tx, by, rows, at, { isTold })
}

/** Revokes it from every account of the person that holds it, or only from the one that the task names. */
async function revoke({ tx, tenantId, world }: Facts, by: Deciding, of: Task, isTold: boolean): Promise<void> {
  const at = world.now()
  const refs = (await listHeldBy(tx, tenantId, of, at)).map((held) => refOf(of, held))
  const sources = sourcesOf(of)
  if (sources === null) await endGrants(tx, by, refs, { by: of.id, at, isTold })
  else for (const source of sources) await endGrants(tx, by, refs, { by: of.id, at, source, isTold })
}

/**
 * Revokes what was granted along with an entitlement that is revoked, unless it was requested separately or another
 * entitlement that is held includes it. In that case it stays for as long as those.
 */
export async function revokeIncluded(facts: Facts, by: Deciding, of: Task, along: Task): Promise<void> {
  const { tx, tenantId, world } = facts
  const at = world.now()
  const held = (await listHeldBy(tx, tenantId, of, at)).filter(({ source }) => source === 'request')
  const reasons = await listOtherReasons(tx, tenantId, of, along, at)
  for (const each of held) {
    if (reasons.length === 0) await endGrants(tx, by, [refOf(of, each)], { by: of.id, at, source: 'request' })
    else {
      const { until: expiresAt } = reasons.reduce((a, b) => (isLater(b.until, a.until) ? b : a))
      await restate(facts, by, { of, accountId: each.accountId, expiresAt, isTold: false })
    }
  }
}
