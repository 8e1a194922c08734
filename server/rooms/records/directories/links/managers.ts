import type { Tx } from '#kernel/sql.ts'

type Waiting = { accountId: string; ref: string }
type NamedUser = { userId: string; key: string; isEmail: boolean }

/**
 * Finds managers whom accounts name and who did not exist before. Returns their reports, and where it stopped; null at the
 * end. In several statements: PostgreSQL has no statistics about rows that were just written, and for 10,000 it took longer
 * than a statement may.
 */
export async function findManagers(
  tx: Tx,
  tenantId: number,
  appId: string,
  which: { accountIds: readonly string[] } | { after: string; limit: number },
): Promise<{ userIds: string[]; last: string | null }> {
  const waiting = await tx<Waiting[]>`
    select account_id as "accountId", manager_ref as ref from directory_users
    where tenant_id = ${tenantId} and app_id = ${appId} and manager_ref <> '' and manager_id = '' and deleted_at is null
      ${
        'accountIds' in which
          ? tx`and account_id = any(${which.accountIds}::text[])`
          : tx`and account_id > ${which.after} order by account_id limit ${which.limit}`
      }`
  const last = 'limit' in which && waiting.length === which.limit ? (waiting.at(-1)?.accountId ?? null) : null
  if (waiting.length === 0) return { userIds: [], last }
  const refs = [...new Set(waiting.map(({ ref }) => ref))]
  const named = await tx<NamedUser[]>`
    select user_id as "userId", account_id::text as key, false as "isEmail" from directory_users
    where tenant_id = ${tenantId} and app_id = ${appId} and account_id = any(${refs}::text[]) and deleted_at is null
    union all select user_id, external_id, false from directory_users
    where tenant_id = ${tenantId} and app_id = ${appId} and external_id = any(${refs}::text[]) and deleted_at is null
    union all select d.user_id, e.address, true from directory_users d cross join lateral unnest(d.emails) as e (address)
    where d.tenant_id = ${tenantId} and d.app_id = ${appId} and d.deleted_at is null
      and e.address = any(${refs.map((ref) => ref.toLowerCase())}::text[])`
  const keyOf = (key: string, isEmail: boolean): string => `${isEmail ? 'email' : 'id'} ${key}`
  const byKey = Map.groupBy(named, ({ key, isEmail }) => keyOf(key, isEmail))
  const found = waiting.flatMap(({ accountId, ref }) => {
    const keys = [keyOf(ref, false), keyOf(ref.toLowerCase(), true)]
    const [managerId, ...others] = new Set(keys.flatMap((key) => byKey.get(key) ?? []).map(({ userId }) => userId))
    return managerId !== undefined && others.length === 0 ? [{ accountId, managerId }] : []
  })
  const rows = await tx<{ userId: string }[]>`
    update directory_users x set manager_id = w.manager_id
    from unnest(${found.map(({ accountId }) => accountId)}::text[], ${found.map(({ managerId }) => managerId)}::text[])
      as w (account_id, manager_id)
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.account_id = w.account_id
    returning x.user_id as "userId"`
  return { userIds: rows.map(({ userId }) => userId), last }
}
