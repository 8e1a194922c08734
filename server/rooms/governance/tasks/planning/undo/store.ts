import type { Reads } from '#kernel/sql.ts'
import type { Task } from '../../machine/record.ts'
import type { EndedRow } from './decide.ts'

export type GivenRow = {
  id: string
  appId: string
  appName: string
  entitlementId: string
  entitlementName: string
  accountId: string
  expiresAt: Date | null
}

const rowsMax = 1000

/** The display names for a row of `grants g`. */
const named = (db: Reads) =>
  db`coalesce(n.display_name, '') as "entitlementName", coalesce(p.display_name, '') as "appName"`
const names = (db: Reads, tenantId: number) => db`
  left join entitlements n on n.tenant_id = ${tenantId} and n.app_id = g.app_id and n.entitlement_id = g.entitlement_id
  left join apps p on p.tenant_id = ${tenantId} and p.app_id = g.app_id`

const theirs = (db: Reads, { subjectUserId, appId, accountId }: Task) =>
  accountId === ''
    ? db`a.user_id = ${subjectUserId}`
    : db`(a.user_id = ${subjectUserId} or (a.app_id = ${appId} and a.account_id = ${accountId}))`

/** What a task granted and still holds: each account and entitlement once. */
export const listGivenBy = (db: Reads, tenantId: number, task: Task, at: Date): Promise<GivenRow[]> => db<GivenRow[]>`
  select g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId", g.grant_id as id,
    g.expires_at as "expiresAt", ${named(db)}
  from accounts a
  join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
  ${names(db, tenantId)}
  where a.tenant_id = ${tenantId} and ${theirs(db, task)} and g.granted_by = ${task.id} and g.source = 'request'
    and g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})
  order by g.app_id, g.entitlement_id, g.account_id limit ${rowsMax}`

/** What a task ended or restated since a decision: for each account, entitlement and source the last row. */
export const listEndedBy = (db: Reads, tenantId: number, task: Task, since: Date): Promise<EndedRow[]> => db<
  EndedRow[]
>`
  select distinct on (g.app_id, g.entitlement_id, g.account_id, g.source)
    g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId", g.grant_id as id, g.source,
    g.granted_by as "grantedBy", g.granted_at as "grantedAt", g.expires_at as "expiresAt", ${named(db)},
    (a.deleted_at is null and exists (select 1 from entitlements e
      join apps p on p.tenant_id = ${tenantId} and p.app_id = e.app_id and p.deleted_at is null
      where e.tenant_id = ${tenantId} and e.app_id = g.app_id and e.entitlement_id = g.entitlement_id
        and e.deleted_at is null)) as "isThere",
    (u.user_id is null or (u.status = 'ENABLED' and u.deleted_at is null)) as "isAble",
    -- Granted again since, not by this task; or restated by this task, and ended since.
    (exists (select 1 from grants o
      where o.tenant_id = ${tenantId} and o.app_id = g.app_id and o.entitlement_id = g.entitlement_id
        and o.account_id = g.account_id and o.source = g.source and o.began_at >= g.ended_at
        and o.grant_id <> g.grant_id and o.granted_by <> ${task.id})
      or (g.ended_why = 'restated' and not exists (select 1 from grants o
        where o.tenant_id = ${tenantId} and o.app_id = g.app_id and o.entitlement_id = g.entitlement_id
          and o.account_id = g.account_id and o.source = g.source and o.ended_at is null
          and o.granted_by = ${task.id}))) as "isChangedSince"
  from accounts a
  left join users u on u.tenant_id = ${tenantId} and u.user_id = a.user_id
  join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
  ${names(db, tenantId)}
  where a.tenant_id = ${tenantId} and ${theirs(db, task)} and g.ended_by = ${task.id}
    and g.ended_why in ('revoked', 'restated') and g.ended_at >= ${since}
  order by g.app_id, g.entitlement_id, g.account_id, g.source, g.ended_at desc, g.grant_id desc limit ${rowsMax}`

/** Whether a task that should end the same access because it expired was cancelled since a decision. */
export async function hadEnd(db: Reads, tenantId: number, task: Task, since: Date): Promise<boolean> {
  const [row] = await db<{ had: boolean }[]>`
    select exists (select 1 from tasks t
      where t.tenant_id = ${tenantId} and t.app_id = ${task.appId} and t.entitlement_id = ${task.entitlementId}
        and t.subject_user_id = ${task.subjectUserId} and t.kind = 'revoke' and t.origin = 'TASK_ORIGIN_TIME_REVOKE'
        and t.outcome = 'cancelled' and t.outcome_at >= ${since}) as had`
  return row?.had ?? false
}

/** The other reasons for which the same access is held. */
export async function listOtherSources(db: Reads, tenantId: number, row: GivenRow, at: Date): Promise<string[]> {
  const rows = await db<{ source: string }[]>`
    select g.source from grants g
    where g.tenant_id = ${tenantId} and g.app_id = ${row.appId} and g.entitlement_id = ${row.entitlementId}
      and g.account_id = ${row.accountId} and g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})
      and g.source <> 'request' order by g.source`
  return rows.map(({ source }) => source)
}
