import type { Reads } from '#kernel/sql.ts'
import { type EntitlementRef, type ObjectRef, ofObject } from '#rooms/foundation/ownership/index.ts'
import { held, type Moment } from '#rooms/records/grants/index.ts'
import { owning } from './read.ts'

/** Up to this many holders are read and sorted; if there are more, walking all accounts by user finds one soon. */
const fewHolders = 1000

type Ref = EntitlementRef & { isMany: boolean }

/** The entitlements whose holders own an object in a role, and whether those are many. */
async function listRefs(
  db: Reads,
  tenantId: number,
  { object, roleSlug }: { object: ObjectRef; roleSlug: string },
  moment: Moment,
): Promise<Ref[]> {
  const isMany = db`(
    select count(*) > ${fewHolders} from (
      select 1 from grants g
      where g.tenant_id = ${tenantId} and g.app_id = o.entitlement_app_id and g.entitlement_id = o.entitlement_id
        and g.ended_at is null limit ${fewHolders + 1}) counted)`
  return db<Ref[]>`
    select o.entitlement_app_id as "appId", o.entitlement_id as id, ${moment.isNow ? isMany : db`false`} as "isMany"
    from owners o
    where ${ofObject(db, tenantId, object)} and o.role_slug = ${roleSlug} and o.entitlement_id is not null
      and ${owning(db, moment)}
    limit 10000`
}

/**
 * The owners of an object in a role at a moment, each user once and in the order of their ids: those who are named, and
 * those who hold an entitlement that is. For the present only enabled users count as holders; for the past it is not known
 * who was enabled.
 */
export async function listEffectiveOwners(
  db: Reads,
  tenantId: number,
  role: { object: ObjectRef; roleSlug: string },
  moment: Moment,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const refs = await listRefs(db, tenantId, role, moment)
  const [many, few] = [refs.filter(({ isMany }) => isMany), refs.filter(({ isMany }) => !isMany)]
  const columnsOf = (of: readonly Ref[]) =>
    db`unnest(${of.map(({ appId }) => appId)}::text[], ${of.map(({ id }) => id)}::text[]) as r (app_id, entitlement_id)`
  const isEnabled = moment.isNow
    ? db`and (select u.status = 'ENABLED' and u.deleted_at is null from users u
        where u.tenant_id = ${tenantId} and u.user_id = a.user_id)`
    : db``
  const isLiving = moment.isNow ? db`and a.deleted_at is null` : db``
  const rows = await db<{ userId: string }[]>`
    select user_id as "userId" from (
      (select o.user_id from owners o
      where ${ofObject(db, tenantId, role.object)} and o.role_slug = ${role.roleSlug} and o.user_id > ${after}
        and ${owning(db, moment)}
      order by o.user_id limit ${limit})
      ${
        few.length === 0
          ? db``
          : db`union all
            (select a.user_id from ${columnsOf(few)}
            join grants g on g.tenant_id = ${tenantId} and g.app_id = r.app_id and g.entitlement_id = r.entitlement_id
              and ${held(db, moment)}
            join accounts a on a.tenant_id = ${tenantId} and a.app_id = g.app_id and a.account_id = g.account_id
            where a.user_id > ${after} ${isLiving} ${isEnabled}
            group by a.user_id order by a.user_id limit ${limit})`
      }
      ${
        // In the order of users, checking for each whether they hold it: as a subquery that the planner cannot turn into a
        // join.
        many.length === 0
          ? db``
          : db`union all
            (select x.user_id from ${columnsOf(many)}
            cross join lateral (
              select distinct on (a.user_id) a.user_id from accounts a
              where a.tenant_id = ${tenantId} and a.app_id = r.app_id and a.user_id > ${after} and a.deleted_at is null
                and (select true from grants g
                  where g.tenant_id = ${tenantId} and g.app_id = r.app_id and g.entitlement_id = r.entitlement_id
                    and g.account_id = a.account_id and ${held(db, moment)} limit 1)
                ${isEnabled}
              order by a.user_id limit ${limit}) x)`
      }
    ) each
    group by user_id order by user_id limit ${limit}`
  return rows.map(({ userId }) => userId)
}
