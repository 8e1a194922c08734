import type { Reads, Tx } from '#kernel/sql.ts'

/**
 * If a user and their manager are created at the same time, one of them sees the other: whoever names a manager waits for
 * those with that name who are being written, and vice versa. To be called before either looks for the other.
 */
export async function holdNames(
  tx: Tx,
  tenantId: number,
  appId: string,
  own: readonly string[],
  manager: string,
): Promise<void> {
  const names = new Set(own.map((name) => name.toLowerCase()))
  const all = [...names, ...(manager === '' || names.has(manager.toLowerCase()) ? [] : [manager.toLowerCase()])]
  if (all.length === 0) return
  // Sorted: always the same order.
  const keys = all.toSorted()
  await tx`
    select case when w.is_own then pg_advisory_xact_lock(hashtextextended(w.key, ${tenantId}))
      else pg_advisory_xact_lock_shared(hashtextextended(w.key, ${tenantId})) end
    from unnest(${keys.map((name) => `manager ${appId} ${name}`)}::text[], ${keys.map((name) => names.has(name))}::boolean[])
      as w (key, is_own)`
}

/** Whether others wait for a manager with one of these names. */
export async function isAwaited(
  db: Reads,
  tenantId: number,
  appId: string,
  names: readonly string[],
): Promise<boolean> {
  const rows = await db`
    select 1 from directory_users
    where tenant_id = ${tenantId} and app_id = ${appId} and lower(manager_ref) = any(${names.map((name) => name.toLowerCase())}::text[])
      and manager_ref <> '' and manager_id = '' and deleted_at is null limit 1`
  return rows.length > 0
}

/** Links the reports of this account's user who do not have their manager yet: locked, in order. Returns their users. */
export async function linkReports(
  tx: Tx,
  tenantId: number,
  appId: string,
  managerAccountId: string,
  { after, limit }: { after: string; limit: number },
): Promise<{ accountId: string; userId: string }[]> {
  const [manager] = await tx<{ userId: string; userName: string; externalId: string | null }[]>`
    select user_id as "userId", user_name as "userName", external_id as "externalId" from directory_users
    where tenant_id = ${tenantId} and app_id = ${appId} and account_id = ${managerAccountId} and deleted_at is null`
  if (!manager) return []
  const { userName, externalId } = manager
  const waiting = await tx<{ accountId: string; userId: string; ref: string }[]>`
    select account_id as "accountId", user_id as "userId", manager_ref as ref from directory_users
    where tenant_id = ${tenantId} and app_id = ${appId} and manager_ref <> '' and manager_id = '' and deleted_at is null
      and lower(manager_ref) = any(${[userName, externalId ?? userName].map((name) => name.toLowerCase())}::text[])
      and account_id > ${after}
    order by account_id limit ${limit} for no key update`
  const meant = waiting.filter(({ ref }) => ref === externalId || ref.toLowerCase() === userName.toLowerCase())
  await tx`
    update directory_users set manager_id = ${manager.userId}
    where tenant_id = ${tenantId} and app_id = ${appId} and account_id = any(${meant.map(({ accountId }) => accountId)}::text[])`
  return meant
}
