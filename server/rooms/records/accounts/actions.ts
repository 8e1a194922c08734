import { may, type Plain } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { causeOf, recordChange } from '#rooms/foundation/systemlog/index.ts'
import type { Account, AccountRef, AccountStatus, AccountType } from './account.ts'
import { enqueueAccountsChanged } from './jobs.ts'
import { findAccount, listFirstAccounts, lockAccount } from './store/read.ts'
import { insertAccountsOf, updateAccount } from './store.ts'

export const accountNotFound = ({ appId, id }: AccountRef): Refusal =>
  new Refusal('ACCOUNT_NOT_FOUND', `The app ${appId} has no user ${id}.`, { metadata: { appId, appUserId: id } })

/** Anyone sees their own account; for others' the permission is needed, else the account counts as not found. */
export async function getAccount(call: Call, db: Reads, ref: AccountRef, action: Plain): Promise<Account> {
  const account = await findAccount(db, call.tenant.id, ref)
  if (!account || (account.identityUserId !== call.actor.userId && !may(call.actor, action))) throw accountNotFound(ref)
  return account
}

export type AccountChange = { appUserType?: AccountType; status?: AccountStatus }

export async function changeAccount(
  tx: Tx,
  call: May<'account.edit'>,
  ref: AccountRef,
  wanted: AccountChange,
): Promise<Account> {
  const before = await lockAccount(tx, call.tenant.id, ref)
  if (!before) throw accountNotFound(ref)
  if (wanted.appUserType === 'APP_USER_TYPE_UNSPECIFIED')
    throw invalid({ field: 'appUser.appUserType', description: 'must be given' })
  if (wanted.status === 'STATUS_DELETED')
    throw invalid({ field: 'appUser.status', description: 'must be STATUS_ENABLED or STATUS_DISABLED' })
  const after: Account = { ...before, ...wanted, updatedAt: call.now() }
  if (after.appUserType === before.appUserType && after.status === before.status) return before
  await updateAccount(tx, call.tenant.id, after)
  const { appUserType, status } = before
  const touched = {
    type: 'account',
    id: after.id,
    name: after.displayName,
    data: { appId: after.appId, userId: after.identityUserId, ...wanted, before: { appUserType, status } },
  }
  const switched = after.status === 'STATUS_ENABLED' ? 'Enabled' : 'Disabled'
  const message =
    after.status === status
      ? `Changed ${Object.keys(wanted).join(', ')} of the account ${after.displayName}`
      : `${switched} the account ${after.displayName}`
  await recordChange(tx, call, 'update', message, [touched])
  await enqueueAccountsChanged(tx, call, causeOf(call))
  return after
}

/**
 * An account in the app for each of the users, who are locked: the one they have, or a new, manually managed one. `made`
 * lists those that were created.
 */
export async function accountsFor(
  tx: Tx,
  call: Pick<Call, 'tenant' | 'newId' | 'now'>,
  appId: string,
  userIds: readonly string[],
): Promise<{ accountOf: Map<string, string>; made: readonly AccountRef[] }> {
  const known = await listFirstAccounts(tx, call.tenant.id, appId, userIds)
  const accountOf = new Map(known.map(({ userId, id }) => [userId, id]))
  const made = userIds.filter((id) => !accountOf.has(id)).map((userId) => ({ userId, appId, id: call.newId() }))
  if (made.length > 0) await insertAccountsOf(tx, call.tenant.id, made, call.now())
  for (const { id, userId } of made) accountOf.set(userId, id)
  return { accountOf, made }
}
