import type { Page } from '#kernel/pages.ts'
import type { Reads } from '#kernel/sql.ts'
import type { Kind, ObjectRef } from '#rooms/foundation/ownership/index.ts'
import { held, type Moment } from '#rooms/records/grants/index.ts'
import type { Level, Named } from '../decide.ts'
import { owning } from './read.ts'

type PageAsked = Pick<Page, 'after' | 'limit'>

const key = (db: Reads) => db`o.kind, o.app_id, o.resource_type_id, o.object_id`

/**
 * The objects that a user owns at a moment, each once: those that name the user, and those that name an entitlement that the
 * user holds.
 */
export async function listOwned(
  db: Reads,
  tenantId: number,
  { userId, kinds }: { userId: string; kinds: readonly Kind[] },
  moment: Moment,
  page: PageAsked,
): Promise<ObjectRef[]> {
  const [kind = '', appId = '', typeId = '', id = ''] = (page.after ?? []) as string[]
  const within = db`o.tenant_id = ${tenantId} and o.kind = any(${kinds}::text[])
    and (${key(db)}) > (${kind}, ${appId}, ${typeId}, ${id}) and ${owning(db, moment)}`
  return db<ObjectRef[]>`
    select distinct kind, app_id as "appId", resource_type_id as "typeId", object_id as id from (
      (select ${key(db)} from owners o where o.user_id = ${userId} and ${within}
      group by ${key(db)} order by ${key(db)} limit ${page.limit})
      union all
      (select ${key(db)} from ${heldBy(db, tenantId, userId, moment)} h
      cross join lateral (select o.* from owners o
        where o.entitlement_app_id = h.app_id and o.entitlement_id = h.entitlement_id and ${within} offset 0) o
      group by ${key(db)} order by ${key(db)} limit ${page.limit})
    ) owned
    order by kind, app_id, resource_type_id, object_id limit ${page.limit}`
}

/**
 * The entitlements that a user holds: from their accounts to the grants of each. `offset 0` makes the planner keep that
 * order, also for tables that were never analyzed: otherwise it read 3,000 grants for each of 200 owners, which took 17 s.
 */
const heldBy = (db: Reads, tenantId: number, userId: string, moment: Moment) => db`(
  select distinct g.app_id, g.entitlement_id from accounts a
  cross join lateral (select g.app_id, g.entitlement_id from grants g
    where g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id and ${held(db, moment)}
    offset 0) g
  where a.tenant_id = ${tenantId} and a.user_id = ${userId} ${moment.isNow ? db`and a.deleted_at is null` : db``}
  offset 0)`

/** The service accounts that a user owned at a moment, as far as they still exist. */
export async function listOwnedServiceAccounts(
  db: Reads,
  tenantId: number,
  userId: string,
  moment: Moment,
  page: PageAsked,
): Promise<{ appId: string; id: string }[]> {
  const [appId = '', id = ''] = (page.after ?? []) as string[]
  const owned = db`o.tenant_id = ${tenantId} and o.kind = 'account' and ${owning(db, moment)}`
  return db<{ appId: string; id: string }[]>`
    select a.app_id as "appId", a.account_id as id from (
      select o.app_id, o.object_id from owners o where ${owned} and o.user_id = ${userId}
      union
      select o.app_id, o.object_id from ${heldBy(db, tenantId, userId, moment)} h
      cross join lateral (select o.* from owners o
        where o.entitlement_app_id = h.app_id and o.entitlement_id = h.entitlement_id and ${owned} offset 0) o
    ) each
    join accounts a on a.tenant_id = ${tenantId} and a.app_id = each.app_id and a.account_id = each.object_id
    where (a.app_id, a.account_id) > (${appId}, ${id}) and a.type = 'APP_USER_TYPE_SERVICE_ACCOUNT'
      and a.deleted_at is null
    order by a.app_id, a.account_id limit ${page.limit}`
}

/**
 * Which of an object and what it is in a user owns now, in any role. Read for each request of callers who may do something
 * only as owners: a lookup for each object, and one for each entitlement whose holders own it.
 */
export async function findOwnedLevels(
  db: Reads,
  tenantId: number,
  userId: string,
  { app, entitlement = '', resourceType = '', resource = '', connector = '' }: Named,
  at: Date,
): Promise<Set<Level>> {
  const now = { at, isNow: true }
  const isThis = db`o.tenant_id = ${tenantId} and o.kind = t.kind and o.app_id = t.app_id
    and o.resource_type_id = t.resource_type_id and o.object_id = t.object_id and o.ended_at is null`
  const rows = await db<{ kind: Level }[]>`
    select distinct t.kind from (
      select 'app' as kind, ${app}::text as app_id, '' as resource_type_id, ${app}::text as object_id
      ${entitlement === '' ? db`` : db`union all select 'entitlement', ${app}::text, '', ${entitlement}::text`}
      ${connector === '' ? db`` : db`union all select 'connector', ${app}::text, '', ${connector}::text`}
      ${resource === '' ? db`` : db`union all select 'resource', ${app}::text, ${resourceType}::text, ${resource}::text`}
      ${
        entitlement === ''
          ? db``
          : db`union all select 'resource', e.app_id, e.resource_type_id, e.resource_id from entitlements e
            where e.tenant_id = ${tenantId} and e.app_id = ${app} and e.entitlement_id = ${entitlement}
              and e.resource_id is not null`
      }
    ) t
    where exists (select 1 from users u
        where u.tenant_id = ${tenantId} and u.user_id = ${userId} and u.status = 'ENABLED' and u.deleted_at is null)
      and (
        exists (select 1 from owners o where o.user_id = ${userId} and ${isThis})
        or exists (
          select 1 from owners o
          join accounts a on a.tenant_id = ${tenantId} and a.user_id = ${userId} and a.app_id = o.entitlement_app_id
            and a.deleted_at is null
          join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
            and g.entitlement_id = o.entitlement_id and ${held(db, now)}
          where o.entitlement_id is not null and ${isThis})
      )`
  return new Set(rows.map(({ kind }) => kind))
}
