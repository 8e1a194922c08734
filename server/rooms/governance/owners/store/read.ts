import type { Page } from '#kernel/pages.ts'
import type { Reads } from '#kernel/sql.ts'
import { type EntitlementRef, type ObjectRef, ofObject } from '#rooms/foundation/ownership/index.ts'
import type { Moment } from '#rooms/records/grants/index.ts'

type PageAsked = Pick<Page, 'after' | 'limit'>

/** Rows `o` of owners at a moment. For the present, the condition matches the indexes of open rows. */
export const owning = (db: Reads, { at, isNow }: Moment) =>
  isNow ? db`o.ended_at is null` : db`o.began_at <= ${at} and (o.ended_at is null or o.ended_at > ${at})`

const inRole = (db: Reads, roleSlug: string) => (roleSlug === '' ? db`` : db`and o.role_slug = ${roleSlug}`)

export type UserOwner = { roleSlug: string; userId: string; since: Date }
export type EntitlementOwner = { roleSlug: string; entitlement: EntitlementRef; since: Date }

/** The users who are named as owners of an object, by role; in one role, if one is given. */
export async function listUserOwners(
  db: Reads,
  tenantId: number,
  { object, roleSlug }: { object: ObjectRef; roleSlug: string },
  moment: Moment,
  page: PageAsked,
): Promise<UserOwner[]> {
  const [afterRole = '', afterUser = ''] = (page.after ?? []) as string[]
  return db<UserOwner[]>`
    select o.role_slug as "roleSlug", o.user_id as "userId", o.began_at as since from owners o
    where ${ofObject(db, tenantId, object)} ${inRole(db, roleSlug)} and o.user_id is not null
      and (o.role_slug, o.user_id) > (${afterRole}, ${afterUser}) and ${owning(db, moment)}
    order by o.role_slug, o.user_id limit ${page.limit}`
}

export async function findUserOwner(
  db: Reads,
  tenantId: number,
  { object, roleSlug }: { object: ObjectRef; roleSlug: string },
  userId: string,
): Promise<UserOwner | null> {
  const [row] = await db<UserOwner[]>`
    select o.role_slug as "roleSlug", o.user_id as "userId", o.began_at as since from owners o
    where ${ofObject(db, tenantId, object)} and o.role_slug = ${roleSlug} and o.user_id = ${userId}
      and o.ended_at is null`
  return row ?? null
}

type EntitlementRow = { roleSlug: string; appId: string; id: string; since: Date }
const entitlementColumns = (db: Reads) => db`
  o.role_slug as "roleSlug", o.entitlement_app_id as "appId", o.entitlement_id as id, o.began_at as since`
const entitlementOwner = ({ roleSlug, appId, id, since }: EntitlementRow): EntitlementOwner => ({
  roleSlug,
  entitlement: { appId, id },
  since,
})

/** The entitlements whose holders own an object, by role; in one role, if one is given. */
export async function listEntitlementOwners(
  db: Reads,
  tenantId: number,
  { object, roleSlug }: { object: ObjectRef; roleSlug: string },
  moment: Moment,
  page: PageAsked,
): Promise<EntitlementOwner[]> {
  const [afterRole = '', afterApp = '', afterId = ''] = (page.after ?? []) as string[]
  const rows = await db<EntitlementRow[]>`
    select ${entitlementColumns(db)} from owners o
    where ${ofObject(db, tenantId, object)} ${inRole(db, roleSlug)} and o.entitlement_id is not null
      and (o.role_slug, o.entitlement_app_id, o.entitlement_id) > (${afterRole}, ${afterApp}, ${afterId})
      and ${owning(db, moment)}
    order by o.role_slug, o.entitlement_app_id, o.entitlement_id limit ${page.limit}`
  return rows.map(entitlementOwner)
}

export async function findEntitlementOwner(
  db: Reads,
  tenantId: number,
  { object, roleSlug }: { object: ObjectRef; roleSlug: string },
  { appId, id }: EntitlementRef,
): Promise<EntitlementOwner | null> {
  const [row] = await db<EntitlementRow[]>`
    select ${entitlementColumns(db)} from owners o
    where ${ofObject(db, tenantId, object)} and o.role_slug = ${roleSlug} and o.entitlement_app_id = ${appId}
      and o.entitlement_id = ${id} and o.ended_at is null`
  return row ? entitlementOwner(row) : null
}

/** The users who are named as owners of several objects of a kind in an app, in the order in which they were added. */
export async function listUsersOfObjects(
  db: Reads,
  tenantId: number,
  { kind, appId, roleSlug }: { kind: ObjectRef['kind']; appId: string; roleSlug: string },
  ids: readonly string[],
): Promise<{ id: string; userId: string }[]> {
  if (ids.length === 0) return []
  return db<{ id: string; userId: string }[]>`
    select o.object_id as id, o.user_id as "userId" from owners o
    where o.tenant_id = ${tenantId} and o.kind = ${kind} and o.app_id = ${appId} and o.resource_type_id = ''
      and o.object_id = any(${ids}::text[]) and o.role_slug = ${roleSlug} and o.user_id is not null
      and o.ended_at is null
    order by o.object_id, o.began_at, o.owner_id limit 100000`
}
