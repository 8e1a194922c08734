import { may } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { refuseBeyondReach } from '#authority/reach/index.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { causeOf, change, record, recordChange } from '#rooms/foundation/systemlog/index.ts'
import { analyzeRecords } from '#rooms/foundation/writes/index.ts'
import { findUser, lockUsers, type User, userNotFound } from '#rooms/identity/users/index.ts'
import {
  type Account,
  type AccountRef,
  accountNotFound,
  accountsFor,
  findAccounts,
  findAccountsById,
  getAccount,
  listAllAccountsOf,
} from '#rooms/records/accounts/index.ts'
import { entitlementNotFound, findEntitlementsUncounted, keepApp, keepEntitlement } from '#rooms/records/apps/index.ts'
import type { EntitlementRef, Holding, HoldingRef, Moment } from './grant.ts'
import { endForRestating, endGrants, openGrants } from './store/change.ts'
import { findHolding, findRevokeTask, listHoldingUsers } from './store/held.ts'
import { insertGrants } from './store.ts'

/** Whether the caller may see only their own access. */
export const seesOnlyOwn = ({ actor }: Call): boolean => !may(actor, 'grants.read')

/** The caller, or anyone for callers who may see everyone's access. */
export async function getHolder(call: Call, userId: string): Promise<User> {
  if (userId === '') throw invalid({ field: 'userId', description: 'must be given' })
  const isSeen = userId === call.actor.userId || !seesOnlyOwn(call)
  const user = isSeen ? await findUser(call.db, call.tenant.id, userId, call.now()) : null
  if (!user) throw userNotFound(userId)
  return user
}

/** An account whose access the caller may see; for a moment in the past also one that was deleted since. */
export async function getHoldingAccount(call: Call, ref: AccountRef, moment: Moment): Promise<Account> {
  if (moment.isNow) return getAccount(call, call.db, ref, 'grants.read')
  const [account] = await findAccounts(call.db, call.tenant.id, [ref])
  if (!account || (account.identityUserId !== call.actor.userId && seesOnlyOwn(call))) throw accountNotFound(ref)
  return account
}

/** For empty lists: refuses if the reason is that the entitlement does not exist, or was deleted. */
export async function refuseUnknownEntitlement(call: Call, ref: EntitlementRef, { isNow }: Moment): Promise<void> {
  const [entitlement] = await findEntitlementsUncounted(call.db, call.tenant.id, [ref])
  if (!entitlement || (isNow && entitlement.deletedAt)) throw entitlementNotFound(ref.appId, ref.id)
}

export type Whose = {
  userIds: readonly string[] | null
  accountIds: readonly string[] | null
  accounts: readonly AccountRef[] | null
}

/**
 * The accounts that a filter selects, in order; null if it selects all. Callers who see only their own access get only their
 * accounts.
 */
export async function accountsAsked(call: Call, { userIds, accountIds, accounts }: Whose): Promise<Account[] | null> {
  const { actor, tenant, db } = call
  const ofUsers = seesOnlyOwn(call) ? [actor.userId].filter((id) => userIds === null || userIds.includes(id)) : userIds
  if (!ofUsers && !accountIds && !accounts) return null
  const users = ofUsers && new Set(ofUsers)
  const ids = accountIds && new Set(accountIds)
  const found = accounts
    ? await findAccounts(db, tenant.id, accounts)
    : accountIds
      ? await findAccountsById(db, tenant.id, accountIds)
      : await listAllAccountsOf(db, tenant.id, ofUsers ?? [])
  return found
    .filter(({ identityUserId }) => !users || users.has(identityUserId))
    .filter(({ id }) => !ids || ids.has(id))
    .toSorted((a, b) => (a.appId === b.appId ? compare(a.id, b.id) : compare(a.appId, b.appId)))
}
// Ids are ASCII: their order in the program is their order in the database.
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

// In a new tenant they are more than all grants before them: with outdated statistics, another operation on the same 10,000
// people took 40 s a moment later.
const manyGrants = 5_000
const touchedPerEvent = 100
// Writing the events of 10,000 members and their accounts in one go took 58 ms of the event loop.
const touchedAtOnce = 2_000

/**
 * Grants an entitlement manually to users, each through their account in its app; existing manual grants stay. Users who do
 * not exist are returned, and do not keep the others from getting it: the published reply has a map of errors for this.
 */
export async function addMembers(
  tx: Tx,
  call: May<'entitlement.give'>,
  entitlement: EntitlementRef,
  userIds: readonly string[],
  { reason = '', expiresAt: until = null }: { reason?: string; expiresAt?: Date | null } = {},
): Promise<{ bulkActionId: string; unknown: string[] }> {
  const bulkActionId = call.newId()
  const { appId, id: entitlementId } = entitlement
  await keepApp(tx, call, appId)
  await keepEntitlement(tx, call, appId, entitlementId)
  await refuseBeyondReach(tx, call, entitlement)
  const at = call.now()
  if (until && until <= at) throw invalid({ field: 'expiresAt', description: 'must be in the future' })
  const users = await lockUsers(tx, call.tenant.id, userIds, at)
  const ids = users.map(({ id }) => id)
  const holding = new Set(await listHoldingUsers(tx, call.tenant.id, entitlement, ids, { at, source: 'manual' }))
  const { accountOf, made } = await accountsFor(
    tx,
    call,
    appId,
    ids.filter((id) => !holding.has(id)),
  )
  const [terms] = await findEntitlementsUncounted(tx, call.tenant.id, [entitlement])
  const seconds = terms?.durationGrant ?? null
  const expiresAt = until ?? (seconds === null ? null : new Date(at.getTime() + seconds * 1000))
  const wanted = [...accountOf.values()].map((accountId) => ({
    id: call.newId(),
    appId,
    entitlementId,
    accountId,
    expiresAt,
  }))
  const opened = await openGrants(tx, call, wanted, {
    source: 'manual',
    by: call.actor.userId,
    at,
    reason,
  })
  if (opened.length >= manyGrants) await analyzeRecords(tx)
  const touched = [
    ...made.map(({ id }) => ({ type: 'account', id, data: { appId } })),
    ...opened.map(({ id, accountId }) => ({ type: 'grant', id, data: { appId, entitlementId, accountId, expiresAt } })),
  ]
  const name = terms?.displayName ?? entitlementId
  const of = { type: 'entitlement', id: entitlementId, name, data: { appId, bulkActionId, reason } }
  const cause = causeOf(call)
  for (let from = 0; from < touched.length; from += touchedAtOnce) {
    const part = touched.slice(from, from + touchedAtOnce)
    const events = Array.from({ length: Math.ceil(part.length / touchedPerEvent) }, (_, i) =>
      change(cause, 'create', `Granted ${name} manually`, [
        of,
        ...part.slice(i * touchedPerEvent, (i + 1) * touchedPerEvent),
      ]),
    )
    await record(tx, call, call, ...events)
  }
  const known = new Set(ids)
  return { bulkActionId, unknown: [...new Set(userIds)].filter((id) => !known.has(id)) }
}

const grantNotFound = ({ appId, entitlementId, accountId }: HoldingRef): Refusal =>
  new Refusal('GRANT_NOT_FOUND', `The account ${accountId} does not hold the entitlement ${entitlementId}.`, {
    metadata: { appId, appEntitlementId: entitlementId, appUserId: accountId },
  })

async function keepEnds(tx: Tx, call: Call, { appId, entitlementId, accountId }: HoldingRef): Promise<Account> {
  await keepEntitlement(tx, call, appId, entitlementId)
  return getAccount(call, tx, { appId, id: accountId }, 'grants.give')
}

/** The name of the entitlement, for messages: readers outside the console cannot look up names by id. */
async function nameOf(tx: Tx, call: Call, { appId, entitlementId }: HoldingRef): Promise<string> {
  const [entitlement] = await findEntitlementsUncounted(tx, call.tenant.id, [{ appId, id: entitlementId }])
  return entitlement?.displayName ?? entitlementId
}

/**
 * Revokes an entitlement from an account, regardless of the reasons for which it is held. Returns the task that was to
 * revoke it, if there is one.
 */
export async function removeMember(
  tx: Tx,
  call: May<'entitlement.give' | 'grants.bulk-change'>,
  ref: HoldingRef,
  reason = '',
): Promise<string> {
  const account = await keepEnds(tx, call, ref)
  const ended = await endGrants(tx, call, [ref], { by: call.actor.userId, at: call.now() })
  if (ended.length === 0) throw grantNotFound(ref)
  const touched = ended.map(({ id, source }) => ({ type: 'grant', id, data: { ...ref, source, reason } }))
  const message = `Revoked ${await nameOf(tx, call, ref)} from ${account.displayName}`
  await recordChange(tx, call, 'delete', message, touched)
  const task = await findRevokeTask(tx, call.tenant.id, ref, account.identityUserId)
  const isSeen = task && (may(call.actor, 'tasks.read') || task.createdBy === call.actor.userId)
  return isSeen ? task.id : ''
}

/** Sets when an account's access expires; null means never. The grants are ended and replaced by new ones. */
export async function restateExpiry(
  tx: Tx,
  call: May<'entitlement.give' | 'grants.bulk-change'>,
  ref: HoldingRef,
  expiresAt: Date | null,
): Promise<Holding & { isChanged: boolean }> {
  const account = await keepEnds(tx, call, ref)
  await refuseBeyondReach(tx, call, { appId: ref.appId, id: ref.entitlementId })
  const at = call.now()
  if (expiresAt && expiresAt <= at) throw invalid({ field: 'newDeprovisionAt', description: 'must be in the future' })
  const ended = await endForRestating(tx, call, ref, { expiresAt, by: call.actor.userId, at })
  const rows = ended.map(({ source, grantedBy, grantedAt, endedAt, reason }) => ({
    ...ref,
    id: call.newId(),
    source,
    grantedBy,
    grantedAt,
    reason,
    ...(expiresAt && { expiresAt }),
    beganAt: endedAt,
  }))
  await insertGrants(tx, call, rows, at)
  const holding = await getHolding(tx, call, ref, at)
  if (rows.length === 0) return { ...holding, isChanged: false }
  const touched = rows.map(({ id, source }, i) => {
    const before = ended[i]
    return {
      type: 'grant',
      id,
      data: { ...ref, source, expiresAt, before: { id: before?.id, expiresAt: before?.expiresAt } },
    }
  })
  const until = expiresAt ? `expires at ${expiresAt.toISOString()}` : 'never expires'
  const message = `Changed the expiry of ${await nameOf(tx, call, ref)} for ${account.displayName}: ${until}`
  await recordChange(tx, call, 'update', message, touched)
  return { ...holding, isChanged: true }
}

async function getHolding(db: Reads, call: Call, ref: HoldingRef, at: Date): Promise<Holding> {
  const holding = await findHolding(db, call.tenant.id, ref, { at, isNow: true })
  if (!holding) throw grantNotFound(ref)
  return holding
}
