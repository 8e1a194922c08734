import type { Reads } from '#kernel/sql.ts'
import type { Granted } from './decide.ts'

const lookedAtMax = 500

/**
 * For how long an entitlement was granted to others who requested it: of its latest tasks. Peers have the department or the
 * job title of the requester.
 */
export const listGranted = (
  db: Reads,
  tenantId: number,
  { appId, entitlementId }: { appId: string; entitlementId: string },
  userId: string,
): Promise<Granted[]> => db<Granted[]>`
  select t.subject_user_id as "userId", t.duration_seconds::float8 as seconds,
    coalesce((u.department <> '' and u.department = me.department)
      or (u.job_title <> '' and u.job_title = me.job_title), false) as "isPeer"
  from (
    select l.subject_user_id, l.duration_seconds, l.kind, l.outcome, l.deleted_at from tasks l
    where l.tenant_id = ${tenantId} and l.app_id = ${appId} and l.entitlement_id = ${entitlementId}
    order by l.task_id desc limit ${lookedAtMax}) t
  join users u on u.tenant_id = ${tenantId} and u.user_id = t.subject_user_id
  left join users me on me.tenant_id = ${tenantId} and me.user_id = ${userId}
  where t.kind = 'grant' and t.outcome = 'done' and t.duration_seconds is not null and t.deleted_at is null
    and t.subject_user_id <> ${userId}`
