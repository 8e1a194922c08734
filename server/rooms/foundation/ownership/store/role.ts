import type { By } from '#authority/proof.ts'
import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import type { EntitlementRef, ObjectRef, OwnerRow, Owners, OwnersChange, RoleRef } from '../owner.ts'

type Doing = { at: Date; by: string }

/** Rows `o` of an object, in all roles. */
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

/** Ends the owners of a role, except those that stay; or only those that are listed. Returns those that it ended. */
export async function endOwnersInRole(
  tx: Tx,
  { tenant: { id: tenantId } }: By<OwnersChange>,
  role: RoleRef,
  which: { allBut: Owners } | { only: Owners },
  { at, by }: Doing,
): Promise<OwnerRow[]> {
  const named = 'only' in which ? isOneOf(tx, which.only) : tx`not ${isOneOf(tx, which.allBut)}`
  // A server whose clock is slow ends no row before it began.
  const rows = await tx<Row[]>`
    update owners o set ended_at = greatest(o.began_at, ${at}), ended_by = ${by}, ended_why = 'removed'
    where ${ofRole(tx, tenantId, role)} and o.ended_at is null and ${named}
    returning ${columns(tx)}`
  return rows.map(rowOf)
}

/** Of the requested owners that were none yet: those that were added, and those that do not exist. */
export type Opened<T> = { opened: OwnerRow[]; unknown: T[] }

/** An id for each of the owners that one change adds: the change's own, with a counter at its end. */
const rowId = (changeId: string, place: number): string => `${changeId.slice(0, 23)}${String(place).padStart(4, '0')}`

/**
 * The owners that a change adds to a role. `holding` selects those of these keys that exist, and locks them: the rooms
 * of users and of entitlements import this one.
 */
export type Adding<T> = Doing & { keys: readonly T[]; changeId: string; holding: (keys: readonly T[]) => Fragment }

/** Only added owners are looked up and locked: of fifty of whom one changes, one. */
export async function addUserOwners(
  tx: Tx,
  { tenant: { id: tenantId } }: By<OwnersChange>,
  role: RoleRef,
  { keys: userIds, at, by, changeId, holding }: Adding<string>,
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
    with kept as (${holding(missing.map(({ userId }) => userId))})
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
export async function addEntitlementOwners(
  tx: Tx,
  { tenant: { id: tenantId } }: By<OwnersChange>,
  role: RoleRef,
  { keys: entitlements, at, by, changeId, holding }: Adding<EntitlementRef>,
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
    with kept as (${holding(refs)})
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
