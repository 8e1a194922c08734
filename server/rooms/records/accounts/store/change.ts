import type { Tx } from '#kernel/sql.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'

/** For an account that was created in the app: sets its id there. */
export async function setExternalId(
  tx: Tx,
  tenantId: number,
  {
    appId,
    accountId,
    externalId,
    connectorId,
    at,
  }: { appId: string; accountId: string; externalId: string; connectorId: string; at: Date },
): Promise<void> {
  await updateRecords(
    tx,
    tenantId,
    'accounts',
    {
      set: {
        external_id: externalId,
        is_manually_managed: false,
        updated_at: at,
        connector_ids: tx`${[connectorId]}::text[]`,
      },
      where: tx`x.app_id = ${appId} and x.account_id = ${accountId} and x.external_id is null`,
    },
    { isFew: true },
  )
}

export async function markAccountDeleted(
  tx: Tx,
  tenantId: number,
  { appId, accountId, at }: { appId: string; accountId: string; at: Date },
): Promise<void> {
  await updateRecords(tx, tenantId, 'accounts', {
    set: { deleted_at: at, updated_at: at },
    where: tx`x.app_id = ${appId} and x.account_id = ${accountId} and x.deleted_at is null`,
  })
}

export async function markAccountDisabled(
  tx: Tx,
  tenantId: number,
  { appId, accountId, at }: { appId: string; accountId: string; at: Date },
): Promise<void> {
  await updateRecords(tx, tenantId, 'accounts', {
    set: { status: 'STATUS_DISABLED', updated_at: at },
    where: tx`x.app_id = ${appId} and x.account_id = ${accountId} and x.status = 'STATUS_ENABLED'`,
  })
}

/** Moves accounts from one user to another, except those that belong to someone else by now. */
export async function moveAccounts(
  tx: Tx,
  tenantId: number,
  refs: readonly (readonly [appId: string, id: string])[],
  { from, to, at }: { from: string; to: string; at: Date },
): Promise<number> {
  if (refs.length === 0) return 0
  const { count } = await updateRecords(tx, tenantId, 'accounts', {
    set: { user_id: to, updated_at: at },
    from: tx`unnest(${refs.map(([appId]) => appId)}::text[], ${refs.map(([, id]) => id)}::text[]) as w (app_id, account_id)`,
    where: tx`x.app_id = w.app_id and x.account_id = w.account_id and x.user_id = ${from}`,
  })
  return count
}

/** Sets the users that accounts belong to. */
export async function setAccountUsers(
  tx: Tx,
  tenantId: number,
  appId: string,
  accounts: readonly { accountId: string; userId: string | null }[],
): Promise<void> {
  if (accounts.length === 0) return
  await updateRecords(tx, tenantId, 'accounts', {
    set: { user_id: tx`w.user_id` },
    from: tx`unnest(${accounts.map(({ accountId }) => accountId)}::text[], ${accounts.map(({ userId }) => userId)}::text[])
      as w (account_id, user_id)`,
    where: tx`x.app_id = ${appId} and x.account_id = w.account_id and x.user_id is distinct from w.user_id`,
  })
}

/** What a directory provides for one of its accounts. */
type Described = {
  displayName: string
  email: string
  emails: string[]
  username: string
  employeeIds: string[]
  profile: { [name: string]: string }
  isEnabled: boolean
}

export async function updateAccountOf(
  tx: Tx,
  tenantId: number,
  { appId, accountId, at }: { appId: string; accountId: string; at: Date },
  person: Described,
): Promise<void> {
  const set = {
    status: person.isEnabled ? 'STATUS_ENABLED' : 'STATUS_DISABLED',
    display_name: person.displayName,
    email: person.email,
    emails: person.emails,
    username: person.username,
    usernames: [person.username],
    employee_ids: person.employeeIds,
    profile: tx.json(person.profile),
    updated_at: at,
  }
  await updateRecords(
    tx,
    tenantId,
    'accounts',
    { set, where: tx`x.app_id = ${appId} and x.account_id = ${accountId}` },
    { isFew: true },
  )
}

/** Deletes accounts of an app; returns how many. */
export async function deleteAccounts(
  tx: Tx,
  tenantId: number,
  appId: string,
  ids: readonly string[] | 'all',
  at: Date,
): Promise<number> {
  const { count } = await updateRecords(tx, tenantId, 'accounts', {
    set: { deleted_at: at, updated_at: at, status: 'STATUS_DELETED' },
    where: tx`x.app_id = ${appId} ${ids === 'all' ? tx`` : tx`and x.account_id = any(${ids}::text[])`} and x.deleted_at is null`,
  })
  return count
}
