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
const rowId = (tx: Tx, changeId: string) => tx`left(${changeId}, 23) || lpad((w.n - 1)::text, 4, '0')`

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
  const rows = await tx<{ id: string | null; userId: string }[]>`
    with missing as (
      select w.user_id, ${rowId(tx, changeId)} as owner_id
      from unnest(${userIds}::text[]) with ordinality as w (user_id, n)
      where not exists (select from owners o
        where ${ofRole(tx, tenantId, role)} and o.user_id = w.user_id and o.ended_at is null)
    ), kept as (
      select m.owner_id, u.user_id from missing m
      join users u on u.tenant_id = ${tenantId} and u.user_id = m.user_id
      where u.deleted_at is null order by u.user_id for share of u
    ), opened as (
      insert into owners (tenant_id, kind, app_id, resource_type_id, object_id, role_slug, owner_id, user_id, began_at,
        began_by)
      select ${tenantId}, ${object.kind}, ${object.appId}, ${object.typeId}, ${object.id}, ${roleSlug}, k.owner_id,
        k.user_id, ${at}, ${by}
      from kept k returning owner_id, user_id
    )
    select m.user_id as "userId", n.owner_id as id from missing m left join opened n using (user_id)`
  return sorted(rows, ({ userId }) => ({ told: userId, owner: { userId, entitlement: null } }))
}

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
  const rows = await tx<{ id: string | null; appId: string; entitlementId: string }[]>`
    with missing as (
      select w.app_id, w.entitlement_id, ${rowId(tx, changeId)} as owner_id
      from unnest(
        ${entitlements.map(({ appId }) => appId)}::text[], ${entitlements.map(({ id }) => id)}::text[]
      ) with ordinality as w (app_id, entitlement_id, n)
      where not exists (select from owners o
        where ${ofRole(tx, tenantId, role)} and o.entitlement_app_id = w.app_id
          and o.entitlement_id = w.entitlement_id and o.ended_at is null)
    ), kept as (
      select m.owner_id, e.app_id, e.entitlement_id from missing m
      join entitlements e on e.tenant_id = ${tenantId} and e.app_id = m.app_id and e.entitlement_id = m.entitlement_id
      where e.deleted_at is null order by e.app_id, e.entitlement_id for share of e
    ), opened as (
      insert into owners (tenant_id, kind, app_id, resource_type_id, object_id, role_slug, owner_id, entitlement_app_id,
        entitlement_id, began_at, began_by)
      select ${tenantId}, ${object.kind}, ${object.appId}, ${object.typeId}, ${object.id}, ${roleSlug}, k.owner_id,
        k.app_id, k.entitlement_id, ${at}, ${by}
      from kept k returning owner_id, entitlement_app_id, entitlement_id
    )
    select m.app_id as "appId", m.entitlement_id as "entitlementId", n.owner_id as id
    from missing m
    left join opened n on n.entitlement_app_id = m.app_id and n.entitlement_id = m.entitlement_id`
  return sorted(rows, ({ appId, entitlementId }) => {
    const entitlement = { appId, id: entitlementId }
    return { told: entitlement, owner: { userId: null, entitlement } }
  })
}

function sorted<R extends { id: string | null }, T>(
  rows: readonly R[],
  of: (row: R) => { told: T; owner: Omit<OwnerRow, 'id'> },
): Opened<T> {
  return {
    opened: rows.flatMap((row) => (row.id === null ? [] : [{ id: row.id, ...of(row).owner }])),
    unknown: rows.filter(({ id }) => id === null).map((row) => of(row).told),
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
