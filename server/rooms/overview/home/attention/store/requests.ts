import type { Fragment, Reads } from '#kernel/sql.ts'
import type { Found } from '../findings.ts'
import { few } from './few.ts'

const named = (db: Reads): Fragment =>
  db`'' as "appId", t.number::text as id, t.display_name as name, '#' || t.number as about`

/** Tasks that wait for someone, the oldest first. */
export const findDecisions = (db: Reads, tenantId: number, userId: string): Promise<Found> =>
  few(
    db,
    db`select ${named(db)} from task_assignees a
      join tasks t on t.tenant_id = ${tenantId} and t.task_id = a.task_id and t.is_open and t.deleted_at is null
      where a.tenant_id = ${tenantId} and a.user_id = ${userId} order by a.task_id`,
  )

/** Open tasks that nobody can decide. */
export const findStuckTasks = (db: Reads, tenantId: number): Promise<Found> =>
  few(
    db,
    db`select ${named(db)} from tasks t
      where t.tenant_id = ${tenantId} and t.is_open and t.stuck_why is not null and t.deleted_at is null
      order by t.task_id`,
  )

/** Tasks that have waited for an approval since before an id was made. Ids are in the order of time, and so is the index of open tasks. */
export const findOldTasks = (db: Reads, tenantId: number, beforeId: string): Promise<Found> =>
  few(
    db,
    db`select ${named(db)} from tasks t
      where t.tenant_id = ${tenantId} and t.is_open and t.task_id < ${beforeId} and t.step_kind = 'approval'
        and t.stuck_why is null and t.deleted_at is null
      order by t.task_id`,
  )

/** Changes of rules, policies, owners and roles that wait for a second person. */
export const findWaitingChanges = (db: Reads, tenantId: number): Promise<Found> =>
  few(
    db,
    db`select ${named(db)} from changes c
      join tasks t on t.tenant_id = ${tenantId} and t.task_id = c.task_id and t.is_open and t.deleted_at is null
      where c.tenant_id = ${tenantId} and c.carried_out_at is null order by c.task_id`,
  )

/**
 * What can be requested and nobody can decide, regardless of who requests it. People without a manager do not count:
 * somebody is at the top.
 */
export const findWithoutApprover = (db: Reads, tenantId: number): Promise<Found> =>
  few(
    db,
    db`select n.app_id as "appId", n.entitlement_id as id, e.display_name as name, p.display_name as about
      from unanswerable n
      join entitlements e on e.tenant_id = ${tenantId} and e.app_id = n.app_id and e.entitlement_id = n.entitlement_id
        and e.deleted_at is null
      join apps p on p.tenant_id = ${tenantId} and p.app_id = n.app_id and p.deleted_at is null
      where n.tenant_id = ${tenantId} and jsonb_path_exists(n.problems, '$[*] ? (@.people == 0)')
      order by n.app_id, n.entitlement_id`,
  )
