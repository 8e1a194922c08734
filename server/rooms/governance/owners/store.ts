import type { Reads, Tx } from '#kernel/sql.ts'
import type { EntitlementRef, ObjectRef, OwnerRow, Owners } from './owner.ts'

/** One role of one thing. */
export type RoleRef = { object: ObjectRef; roleSlug: string }
export type Doing = { at: Date; by: string }

/** Rows `o` of a thing, in all roles. */
export const ofObject = (db: Reads, tenantId: number, { kind, appId, typeId, id }: ObjectRef) => db`
  o.tenant_id = ${tenantId} and o.kind = ${kind} and o.app_id = ${appId} and o.resource_type_id = ${typeId}
  and o.object_id = ${id}`

const ofRole = (db: Reads, tenantId: number, { object, roleSlug }: RoleRef) => db`
  ${ofObject(db, tenantId, object)} and o.role_slug = ${roleSlug}`

type Row = { id: string; userId: string | null; appId: string | null; entitlementId: string | null }
const columns = (db: Reads) => db`
  o.owner_id as id, o.user_id as "userId", o.entitlement_app_id as "appId", o.entitlement_id as "entitlementId"`
const rowOf = ({ id, userId, appId, entitlementId }: Row): OwnerRow => ({
  id,
  userId,
  entitlement: appId === null || entitlementId === null ? null : { appId, id: entitlementId },
})

const refsOf = (db: Reads, refs: readonly EntitlementRef[]) => db`
  unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[])`

/** Whether a row `o` is one of these owners. */
const isOneOf = (db: Reads, { userIds, entitlements }: Owners) => db`
  case when o.user_id is not null then o.user_id = any(${userIds}::text[])
    else (o.entitlement_app_id, o.entitlement_id) in (select * from ${refsOf(db, entitlements)}) end`

/** Ends the owners of a role, but for those that stay; or only those that are named. Told are those that it ended. */
export async function endOwners(
  tx: Tx,
  tenantId: number,
  role: RoleRef,
  which: { allBut: Owners } | { only: Owners },
  { at, by }: Doing,
): Promise<OwnerRow[]> {
  const named = 'only' in which ? isOneOf(tx, which.only) : tx`not ${isOneOf(tx, which.allBut)}`
  // A server whose clock is behind ends no row before it began.
  const rows = await tx<Row[]>`
    update owners o set ended_at = greatest(o.began_at, ${at}), ended_by = ${by}, ended_why = 'removed'
    where ${ofRole(tx, tenantId, role)} and o.ended_at is null and ${named}
    returning ${columns(tx)}`
  return rows.map(rowOf)
}

/** Of those that were wanted and were no owners yet: who is one now, and who there is not. */
export type Opened<T> = { opened: OwnerRow[]; unknown: T[] }

/** An id for each of the owners that one change brings: the change's own, counted up at its end. */
const rowId = (changeId: string, place: number): string => `${changeId.slice(0, 23)}${String(place).padStart(4, '0')}`

/** Only those who come in are looked up and held: of fifty of whom one changes, one. */
export async function openUsers(
  tx: Tx,
  tenantId: number,
  role: RoleRef,
  userIds: readonly string[],
  { at, by, changeId }: Doing & { changeId: string },
): Promise<Opened<string>> {
  if (userIds.length === 0) return { opened: [], unknown: [] }
  const { object, roleSlug } = role
  const open = await tx<{ userId: string }[]>`
    select o.user_id as "userId" from owners o
    where ${ofRole(tx, tenantId, role)} and o.user_id = any(${userIds}::text[]) and o.ended_at is null`
  const there = new Set(open.map(({ userId }) => userId))
  const missing = userIds
    .map((userId, i) => ({ userId, id: rowId(changeId, i) }))
    .filter(({ userId }) => !there.has(userId))
  if (missing.length === 0) return { opened: [], unknown: [] }
  const opened = await tx<{ userId: string }[]>`
    with kept as (
      select u.user_id from users u
      where u.tenant_id = ${tenantId} and u.user_id = any(${missing.map(({ userId }) => userId)}::text[])
        and u.deleted_at is null
      order by u.user_id for share
    )
    insert into owners (tenant_id, kind, app_id, resource_type_id, object_id, role_slug, owner_id, user_id, began_at,
      began_by)
    select ${tenantId}, ${object.kind}, ${object.appId}, ${object.typeId}, ${object.id}, ${roleSlug}, w.owner_id,
      k.user_id, ${at}, ${by}
    from kept k
    join unnest(${missing.map(({ userId }) => userId)}::text[], ${missing.map(({ id }) => id)}::text[])
      as w (user_id, owner_id) on w.user_id = k.user_id
    returning user_id as "userId"`
  const came = new Set(opened.map(({ userId }) => userId))
  return {
    opened: missing.filter(({ userId }) => came.has(userId)).map((each) => ({ ...each, entitlement: null })),
    unknown: missing.map(({ userId }) => userId).filter((userId) => !came.has(userId)),
  }
}

const keyOf = ({ appId, id }: EntitlementRef): string => `${appId} ${id}`

/** The same for entitlements. */
export async function openEntitlements(
  tx: Tx,
  tenantId: number,
  role: RoleRef,
  entitlements: readonly EntitlementRef[],
  { at, by, changeId }: Doing & { changeId: string },
): Promise<Opened<EntitlementRef>> {
  if (entitlements.length === 0) return { opened: [], unknown: [] }
  const { object, roleSlug } = role
  const open = await tx<EntitlementRef[]>`
    select o.entitlement_app_id as "appId", o.entitlement_id as id from owners o
    where ${ofRole(tx, tenantId, role)} and o.ended_at is null
      and (o.entitlement_app_id, o.entitlement_id) in (select * from ${refsOf(tx, entitlements)})`
  const there = new Set(open.map(keyOf))
  const missing = entitlements
    .map((entitlement, i) => ({ entitlement, id: rowId(changeId, i) }))
    .filter(({ entitlement }) => !there.has(keyOf(entitlement)))
  if (missing.length === 0) return { opened: [], unknown: [] }
  const refs = missing.map(({ entitlement }) => entitlement)
  const opened = await tx<EntitlementRef[]>`
    with kept as (
      select e.app_id, e.entitlement_id from entitlements e
      where e.tenant_id = ${tenantId} and e.app_id = any(${refs.map(({ appId }) => appId)}::text[])
        and e.entitlement_id = any(${refs.map(({ id }) => id)}::text[]) and e.deleted_at is null
      order by e.app_id, e.entitlement_id for share
    )
    insert into owners (tenant_id, kind, app_id, resource_type_id, object_id, role_slug, owner_id, entitlement_app_id,
      entitlement_id, began_at, began_by)
    select ${tenantId}, ${object.kind}, ${object.appId}, ${object.typeId}, ${object.id}, ${roleSlug}, w.owner_id,
      k.app_id, k.entitlement_id, ${at}, ${by}
    from kept k
    join unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[],
      ${missing.map(({ id }) => id)}::text[]) as w (app_id, entitlement_id, owner_id)
      on w.app_id = k.app_id and w.entitlement_id = k.entitlement_id
    returning entitlement_app_id as "appId", entitlement_id as id`
  const came = new Set(opened.map(keyOf))
  return {
    opened: missing
      .filter(({ entitlement }) => came.has(keyOf(entitlement)))
      .map(({ id, entitlement }) => ({ id, userId: null, entitlement })),
    unknown: refs.filter((ref) => !came.has(keyOf(ref))),
  }
}

export type NewOwner = { object: ObjectRef; roleSlug: string; id: string } & (
  | { userId: string }
  | { entitlement: EntitlementRef }
)

const rowsPerStatement = 1000

export async function insertOwners(tx: Tx, tenantId: number, owners: readonly NewOwner[], at: Date): Promise<void> {
  for (let from = 0; from < owners.length; from += rowsPerStatement) {
    const rows = owners.slice(from, from + rowsPerStatement).map(({ object, roleSlug, id, ...owner }) => ({
      tenant_id: tenantId,
      kind: object.kind,
      app_id: object.appId,
      resource_type_id: object.typeId,
      object_id: object.id,
      role_slug: roleSlug,
      owner_id: id,
      user_id: 'userId' in owner ? owner.userId : null,
      entitlement_app_id: 'entitlement' in owner ? owner.entitlement.appId : null,
      entitlement_id: 'entitlement' in owner ? owner.entitlement.id : null,
      began_at: at,
    }))
    await tx`insert into owners ${tx(rows)}`
  }
}
