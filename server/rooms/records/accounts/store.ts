import type { Tx } from '#kernel/sql.ts'
import { fewMax, insertRecords, updateRecords } from '#rooms/foundation/writes/index.ts'
import type { Account } from './account.ts'

export type NewAccount = {
  id: string
  appId: string
  externalId?: string
  /** The user that it belongs to; absent if it is matched to none. */
  userId?: string
  type?: 'APP_USER_TYPE_USER' | 'APP_USER_TYPE_SERVICE_ACCOUNT' | 'APP_USER_TYPE_SYSTEM_ACCOUNT'
  status?: 'STATUS_ENABLED' | 'STATUS_DISABLED'
  displayName: string
  email?: string
  username?: string
  employeeId?: string
  profile?: Record<string, string | number | boolean>
  /** Created because its user was granted something, rather than found in the app. */
  isManuallyManaged?: boolean
}

// PostgreSQL takes at most 65,535 parameters in one statement.
const rowsPerStatement = 1000

export async function insertAccounts(
  tx: Tx,
  tenantId: number,
  accounts: readonly NewAccount[],
  at: Date,
): Promise<void> {
  for (let from = 0; from < accounts.length; from += rowsPerStatement) {
    const rows = accounts.slice(from, from + rowsPerStatement).map((account) => ({
      tenant_id: tenantId,
      app_id: account.appId,
      account_id: account.id,
      external_id: account.externalId ?? null,
      user_id: account.userId ?? null,
      type: account.type ?? 'APP_USER_TYPE_USER',
      status: account.status ?? 'STATUS_ENABLED',
      display_name: account.displayName,
      email: account.email ?? '',
      emails: account.email ? [account.email] : [],
      username: account.username ?? '',
      usernames: account.username ? [account.username] : [],
      employee_ids: account.employeeId ? [account.employeeId] : [],
      profile: tx.json(account.profile ?? {}),
      is_manually_managed: account.isManuallyManaged ?? false,
      created_at: at,
      updated_at: at,
    }))
    await insertRecords(tx, tenantId, 'accounts', tx(rows), { isFew: rows.length <= fewMax })
  }
}

/** Accounts that are created because their users are granted something; they get the names of the users. */
export async function insertAccountsOf(
  tx: Tx,
  tenantId: number,
  made: readonly { id: string; appId: string; userId: string }[],
  at: Date,
): Promise<void> {
  await insertRecords(
    tx,
    tenantId,
    'accounts',
    tx`
    (tenant_id, app_id, account_id, user_id, display_name, email, emails, username, usernames,
      employee_ids, is_manually_managed, created_at, updated_at)
    select u.tenant_id, w.app_id, w.account_id, u.user_id, u.display_name,
      u.email, array_remove(array[u.email], ''), u.username, array_remove(array[u.username], ''),
      u.employee_ids[1:1], true, ${at}, ${at}
    from unnest(
      ${made.map(({ appId }) => appId)}::text[],
      ${made.map(({ id }) => id)}::text[],
      ${made.map(({ userId }) => userId)}::text[]) as w (app_id, account_id, user_id)
    join users u on u.tenant_id = ${tenantId} and u.user_id = w.user_id`,
  )
}

/** Updates the fields of an account that can be changed. */
export async function updateAccount(tx: Tx, tenantId: number, account: Account): Promise<void> {
  await updateRecords(
    tx,
    tenantId,
    'accounts',
    {
      set: { type: account.appUserType, status: account.status, updated_at: account.updatedAt },
      where: tx`x.app_id = ${account.appId} and x.account_id = ${account.id}`,
    },
    { isFew: true },
  )
}
