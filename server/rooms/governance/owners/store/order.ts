import type { Reads, Tx } from '#kernel/sql.ts'
import { ofObject, type RoleRef } from '#rooms/foundation/ownership/index.ts'
import type { Moment } from '#rooms/records/grants/index.ts'
import { owning } from './read.ts'

type Named = { id: string; userId: string }

/**
 * The users who are named in a role at a moment: in the order in which they were set, then in the order in which they were
 * added.
 */
export async function listNamedInOrder(
  db: Reads,
  tenantId: number,
  { object, roleSlug }: RoleRef,
  moment: Moment,
  limit: number,
): Promise<Named[]> {
  const { kind, appId, typeId, id } = object
  return db<Named[]>`
    select o.owner_id as id, o.user_id as "userId" from owners o
    left join (
      select place.owner_id, place.n from (
        select q.owner_ids from owner_orders q
        where q.tenant_id = ${tenantId} and q.kind = ${kind} and q.app_id = ${appId} and q.resource_type_id = ${typeId}
          and q.object_id = ${id} and q.role_slug = ${roleSlug}
          ${moment.isNow ? db`` : db`and q.began_at <= ${moment.at}`}
        order by q.began_at desc, q.change_id desc limit 1) latest,
        unnest(latest.owner_ids) with ordinality as place (owner_id, n)) place on place.owner_id = o.owner_id
    where ${ofObject(db, tenantId, object)} and o.role_slug = ${roleSlug} and o.user_id is not null
      and ${owning(db, moment)}
    order by place.n nulls last, o.began_at, o.owner_id limit ${limit}`
}

/** Saves the order of a role's owners. The new order follows the previous one even if this server's clock is behind. */
export async function insertOrder(
  tx: Tx,
  tenantId: number,
  { object, roleSlug }: RoleRef,
  ownerIds: readonly string[],
  { at, changeId }: { at: Date; changeId: string },
): Promise<void> {
  const { kind, appId, typeId, id } = object
  await tx`
    insert into owner_orders (tenant_id, kind, app_id, resource_type_id, object_id, role_slug, change_id, began_at,
      owner_ids)
    select ${tenantId}, ${kind}, ${appId}, ${typeId}, ${id}, ${roleSlug}, ${changeId},
      greatest(${at}, (select max(q.began_at) from owner_orders q
        where q.tenant_id = ${tenantId} and q.kind = ${kind} and q.app_id = ${appId} and q.resource_type_id = ${typeId}
          and q.object_id = ${id} and q.role_slug = ${roleSlug})),
      ${ownerIds}`
}
