import type { Reads } from '#kernel/sql.ts'

export type Waiting = { appId: string; appName: string; subjectId: string; stepKind: string; count: number }

/**
 * What waits for someone, counted by app, person and kind of step: only the oldest tasks, so that the time is limited for
 * everyone.
 */
export const countWaiting = (db: Reads, tenantId: number, userId: string, most: number): Promise<Waiting[]> => db<
  Waiting[]
>`
  with mine as (
    select a.task_id from task_assignees a
    where a.tenant_id = ${tenantId} and a.user_id = ${userId} order by a.task_id limit ${most})
  select t.app_id as "appId", coalesce(p.display_name, '') as "appName", t.subject_user_id as "subjectId",
    t.step_kind as "stepKind", count(*)::int as count
  from mine
  join tasks t on t.tenant_id = ${tenantId} and t.task_id = mine.task_id and t.is_open and t.deleted_at is null
  left join apps p on p.tenant_id = ${tenantId} and p.app_id = t.app_id
  group by t.app_id, p.display_name, t.subject_user_id, t.step_kind`

export type Report = { id: string; displayName: string }

/** The enabled people whom someone manages, by name. */
export const listReports = (db: Reads, tenantId: number, managerId: string, most: number): Promise<Report[]> => db<
  Report[]
>`
  select u.user_id as id, u.display_name as "displayName" from users u
  where u.tenant_id = ${tenantId} and u.manager_ids @> ${[managerId]}::text[] and u.status = 'ENABLED'
    and u.deleted_at is null
  order by lower(u.display_name), u.user_id limit ${most}`
