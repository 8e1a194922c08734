import type { Reads } from '#kernel/sql.ts'
import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import { held } from '#rooms/records/grants/index.ts'
import type { Task } from '../machine/record.ts'
import { type Counted, peopleMax } from './decide.ts'

export type Person = { department: string; jobTitle: string }

export async function findPerson(db: Reads, tenantId: number, userId: string): Promise<Person | null> {
  const [row] = await db<Person[]>`
    select u.department, u.job_title as "jobTitle" from users u
    where u.tenant_id = ${tenantId} and u.user_id = ${userId} and u.deleted_at is null`
  return row ?? null
}

type Group = { by: 'department' | 'job title'; value: string }

/** The enabled people of a department or with a job title, without the person of the task; one more than are counted. */
export async function countGroup(
  db: Reads,
  tenantId: number,
  { appId, entitlementId, subjectUserId }: Task,
  { by, value }: Group,
  at: Date,
): Promise<Counted> {
  const [row] = await db<Counted[]>`
    select count(*)::int as people, count(*) filter (where exists (
      select 1 from accounts a
      join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
        and g.entitlement_id = ${entitlementId} and ${held(db, { at, isNow: true })}
      where a.tenant_id = ${tenantId} and a.user_id = w.user_id and a.app_id = ${appId} and a.deleted_at is null))::int as holding
    from (
      select u.user_id from users u
      where u.tenant_id = ${tenantId} and u.deleted_at is null and u.status = 'ENABLED' and u.user_id <> ${subjectUserId}
        and ${by === 'department' ? db`u.department = ${value}` : db`u.job_title = ${value}`}
      limit ${peopleMax + 1}) w`
  return row ?? { people: 0, holding: 0 }
}

/** The name of the risk level of an entitlement; empty without one. */
export async function findRisk(
  db: Reads,
  tenantId: number,
  { appId, entitlementId }: Pick<Task, 'appId' | 'entitlementId'>,
): Promise<string> {
  const [row] = await db<{ value: string }[]>`
    select v.value from entitlements e
    join attribute_values v on v.tenant_id = ${tenantId} and v.value_id = e.risk_level_value_id
    where e.tenant_id = ${tenantId} and e.app_id = ${appId} and e.entitlement_id = ${entitlementId}`
  return row?.value ?? ''
}

export type LedTo = { appId: string; id: string; name: string; appName: string }

/**
 * What its holders get with an entitlement: those that it is bound to, that its provisioner grants along, that rules grant to
 * its holders, and what an access profile contains.
 */
export const listLedTo = (
  db: Reads,
  tenantId: number,
  { appId, entitlementId }: Pick<Task, 'appId' | 'entitlementId'>,
  limit: number,
): Promise<LedTo[]> => db<LedTo[]>`
  select distinct e.app_id as "appId", e.entitlement_id as id, e.display_name as name, p.display_name as "appName"
  from (
    select x.dst_app_id::text as app_id, x.dst_entitlement_id::text as id from entitlement_proxies x
    where x.tenant_id = ${tenantId} and x.src_app_id = ${appId} and x.src_entitlement_id = ${entitlementId}
    union all
    select d ->> 'appId', d ->> 'entitlementId' from entitlements o
    cross join lateral jsonb_path_query(o.provisioner, '$.**.delegated') d
    where o.tenant_id = ${tenantId} and o.app_id = ${appId} and o.entitlement_id = ${entitlementId}
    union all
    select r.by_app_id::text, r.by_entitlement_id::text from automation_reads r
    where r.tenant_id = ${tenantId} and r.app_id = ${appId} and r.entitlement_id in (${entitlementId}, '')
    union all
    select c.app_id::text, c.entitlement_id::text from profile_entries c
    where c.tenant_id = ${tenantId} and ${appId} = ${profilesAppId} and c.profile_id = ${entitlementId} and not c.is_enrollment
  ) w
  join entitlements e on e.tenant_id = ${tenantId} and e.app_id = w.app_id and e.entitlement_id = w.id
    and e.deleted_at is null and (e.app_id, e.entitlement_id) <> (${appId}, ${entitlementId})
  join apps p on p.tenant_id = ${tenantId} and p.app_id = e.app_id and p.deleted_at is null
  order by 4, 3, 2 limit ${limit}`

/** How many objects of each kind the holders of an entitlement own. */
export const countOwned = (
  db: Reads,
  tenantId: number,
  { appId, entitlementId }: Pick<Task, 'appId' | 'entitlementId'>,
): Promise<{ kind: string; count: number }[]> => db<{ kind: string; count: number }[]>`
  select o.kind, count(distinct (o.app_id, o.resource_type_id, o.object_id))::int as count from owners o
  where o.tenant_id = ${tenantId} and o.entitlement_app_id = ${appId} and o.entitlement_id = ${entitlementId}
    and o.ended_at is null
  group by o.kind order by o.kind`
