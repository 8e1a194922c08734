import type { Reads } from '#kernel/sql.ts'
import type { Scope } from '../../scope.ts'
import { inApps, inScope } from '../../scope-store.ts'
import type { Found } from '../findings.ts'
import { few } from './few.ts'

/**
 * People who were disabled or deleted and still hold access. For each a look-up of their accounts and of one open grant; as a plain
 * `exists` it would become a join of all open grants. In no order, so that it ends with the last that is counted.
 */
export const findLeavers = (db: Reads, tenantId: number, scope: Scope, at: Date): Promise<Found> =>
  few(
    db,
    db`select case when u.deleted_at is null then 'living' else '' end as "appId", u.user_id as id,
        u.display_name as name, u.department as about
      from users u
      cross join lateral (
        select 1 from accounts a
        join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
          and g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})
        where a.tenant_id = ${tenantId} and a.user_id = u.user_id and a.deleted_at is null
          ${inScope(db, scope, db`g.app_id`, db`g.entitlement_id`)}
        limit 1) held
      where u.tenant_id = ${tenantId} and u.status <> 'ENABLED'`,
  )

/** Accounts of people that belong to nobody: neither a user nor an owner. By the index of accounts without a user. */
export const findOrphans = (db: Reads, tenantId: number, scope: Scope): Promise<Found> =>
  few(
    db,
    db`select a.app_id as "appId", a.account_id as id, a.display_name as name, p.display_name as about from accounts a
      join apps p on p.tenant_id = ${tenantId} and p.app_id = a.app_id and p.deleted_at is null
      where a.tenant_id = ${tenantId} and a.user_id is null and a.deleted_at is null ${inApps(db, scope, db`a.app_id`)}
        and not exists (select 1 from owners o where o.tenant_id = ${tenantId} and o.kind = 'account'
          and o.app_id = a.app_id and o.object_id = a.account_id and o.ended_at is null)
      order by a.app_id, a.account_id`,
  )

/** Access that ends within a time, the next first. By the index of grants that expire. */
export const findEndingAccess = (
  db: Reads,
  tenantId: number,
  scope: Scope,
  { at, until, namesPeople }: { at: Date; until: Date; namesPeople: boolean },
): Promise<Found> =>
  few(
    db,
    db`select g.app_id as "appId", g.entitlement_id as id, e.display_name as name,
        ${
          namesPeople
            ? db`concat_ws(' · ', coalesce(u.display_name, a.display_name), p.display_name)`
            : db`p.display_name`
        } as about
      from grants g
      join entitlements e on e.tenant_id = ${tenantId} and e.app_id = g.app_id and e.entitlement_id = g.entitlement_id
        and e.deleted_at is null
      join apps p on p.tenant_id = ${tenantId} and p.app_id = g.app_id and p.deleted_at is null
      join accounts a on a.tenant_id = ${tenantId} and a.app_id = g.app_id and a.account_id = g.account_id
        and a.deleted_at is null
      left join users u on u.tenant_id = ${tenantId} and u.user_id = a.user_id
      where g.tenant_id = ${tenantId} and g.ended_at is null and g.expires_at > ${at} and g.expires_at <= ${until}
        ${inScope(db, scope, db`g.app_id`, db`g.entitlement_id`)}
      order by g.expires_at, g.grant_id`,
  )
