import type { Reads } from '#kernel/sql.ts'

const accountsMax = 1000

export type Unmatched = { appId: string; id: string; emails: string[]; usernames: string[]; employeeIds: string[] }

/** Accounts without a user that have the email address of one, as an address or as a username; none of directories. */
export const listUnmatched = (db: Reads, tenantId: number, userId: string): Promise<Unmatched[]> => db<Unmatched[]>`
  select a.app_id as "appId", a.account_id as id, a.emails || a.email as emails, a.usernames || a.username as usernames,
    a.employee_ids as "employeeIds"
  from users u
  join search_keys k on k.tenant_id = ${tenantId} and k.kind = 'account' and k.key = lower(left(u.email, 100))
  join accounts a on a.tenant_id = ${tenantId} and a.app_id = k.app_id and a.account_id = k.object_id
  left join directories d on d.tenant_id = ${tenantId} and d.app_id = a.app_id and d.kind = 'app' and d.deleted_at is null
  where u.tenant_id = ${tenantId} and u.user_id = ${userId} and u.email <> '' and a.user_id is null
    and a.deleted_at is null and d.app_id is null
  order by a.app_id, a.account_id limit ${accountsMax}`
