import type { May } from '#authority/proof.ts'
import { isVisibleProfile } from '#authority/sight/index.ts'
import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import type { EntitlementRef, Profile } from '../profile.ts'

const columns = (db: Reads) => db`
  p.profile_id as id, p.display_name as "displayName", p.description, p.is_published as published,
  p.is_for_everyone as "visibleToEveryone", p.is_bundle as "requestBundle", p.enrollment as "enrollmentBehavior",
  p.unenrollment as "unenrollmentBehavior", p.unenrollment_entitlements as "unenrollmentEntitlementBehavior",
  p.annotations, p.created_by as "createdByUserId", p.created_at as "createdAt", p.updated_at as "updatedAt",
  p.deleted_at as "deletedAt"`

export async function insertProfile(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'profiles.change'>,
  profile: Profile,
): Promise<void> {
  await tx`
    insert into profiles (tenant_id, profile_id, display_name, description, is_published, is_for_everyone, is_bundle,
      enrollment, unenrollment, unenrollment_entitlements, annotations, created_by, created_at, updated_at)
    values (${tenantId}, ${profile.id}, ${profile.displayName}, ${profile.description}, ${profile.published},
      ${profile.visibleToEveryone}, ${profile.requestBundle}, ${profile.enrollmentBehavior},
      ${profile.unenrollmentBehavior}, ${profile.unenrollmentEntitlementBehavior}, ${tx.json(profile.annotations)},
      ${profile.createdByUserId}, ${profile.createdAt}, ${profile.updatedAt})`
}

/** The user who is asking, if they see only some. */
export type Viewer = { userId: string; at: Date }

const seenBy = (db: Reads, tenantId: number, viewer: Viewer | null) =>
  viewer === null ? db`p.deleted_at is null` : isVisibleProfile(db, tenantId, viewer.userId, viewer.at)

export async function findProfile(
  db: Reads,
  tenantId: number,
  id: string,
  viewer: Viewer | null = null,
): Promise<Profile | null> {
  const [row] = await db<Profile[]>`
    select ${columns(db)} from profiles p
    where p.tenant_id = ${tenantId} and p.profile_id = ${id} and ${seenBy(db, tenantId, viewer)}`
  return row ?? null
}

export async function listProfiles(
  db: Reads,
  tenantId: number,
  page: Pick<Page, 'after' | 'limit'>,
  viewer: Viewer | null,
): Promise<Profile[]> {
  return db<Profile[]>`
    select ${columns(db)} from profiles p
    where p.tenant_id = ${tenantId} and p.profile_id > ${page.after?.[0] ?? ''} and ${seenBy(db, tenantId, viewer)}
    order by p.profile_id limit ${page.limit}`
}

/** One change of a profile at a time; deleted ones too, if `isAny`. */
export async function lockProfile(tx: Tx, tenantId: number, id: string, isAny = false): Promise<Profile | null> {
  const [row] = await tx<Profile[]>`
    select ${columns(tx)} from profiles p
    where p.tenant_id = ${tenantId} and p.profile_id = ${id} ${isAny ? tx`` : tx`and p.deleted_at is null`}
    for no key update`
  return row ?? null
}

export async function updateProfile(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'profiles.change'>,
  profile: Profile,
): Promise<void> {
  await tx`
    update profiles set display_name = ${profile.displayName}, description = ${profile.description},
      is_published = ${profile.published}, is_for_everyone = ${profile.visibleToEveryone},
      is_bundle = ${profile.requestBundle}, enrollment = ${profile.enrollmentBehavior},
      unenrollment = ${profile.unenrollmentBehavior},
      unenrollment_entitlements = ${profile.unenrollmentEntitlementBehavior},
      annotations = ${tx.json(profile.annotations)}, updated_at = ${profile.updatedAt}
    where tenant_id = ${tenantId} and profile_id = ${profile.id}`
}

export async function deleteProfile(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'profiles.change'>,
  id: string,
  at: Date,
): Promise<void> {
  await tx`
    update profiles set deleted_at = ${at}, updated_at = ${at} where tenant_id = ${tenantId} and profile_id = ${id}`
}

/** How many accounts hold the enrollment of each of some profiles. */
export async function countMembers(
  db: Reads,
  tenantId: number,
  ids: readonly string[],
  at: Date,
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db<{ id: string; count: number }[]>`
    select w.id, (
      select count(distinct g.account_id) from grants g
      where g.tenant_id = ${tenantId} and g.app_id = ${profilesAppId} and g.entitlement_id = w.id
        and g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})) as count
    from unnest(${ids}::text[]) as w (id)`
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** The entitlements that determine who sees each of some profiles, in the order in which they were added. */
export async function listBindings(
  db: Reads,
  tenantId: number,
  ids: readonly string[],
): Promise<(EntitlementRef & { profileId: string })[]> {
  if (ids.length === 0) return []
  return db<(EntitlementRef & { profileId: string })[]>`
    select v.profile_id as "profileId", v.app_id as "appId", v.entitlement_id as id from profile_visibility v
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = v.app_id and e.entitlement_id = v.entitlement_id
      and e.deleted_at is null
    where v.tenant_id = ${tenantId} and v.profile_id = any(${ids}::text[])
    order by v.profile_id, v.added_at, v.app_id, v.entitlement_id`
}

export async function insertBindings(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'profiles.change'>,
  id: string,
  refs: readonly EntitlementRef[],
  at: Date,
): Promise<void> {
  await tx`
    insert into profile_visibility (tenant_id, profile_id, app_id, entitlement_id, added_at)
    select ${tenantId}, ${id}, r.app_id, r.entitlement_id, ${at}
    from unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map((ref) => ref.id)}::text[]) as r (app_id, entitlement_id)
    on conflict do nothing`
}

/** Returns how many there were. */
export async function deleteBindings(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'profiles.change'>,
  id: string,
  refs: readonly EntitlementRef[] | 'all',
): Promise<number> {
  const { count } = await tx`
    delete from profile_visibility where tenant_id = ${tenantId} and profile_id = ${id} ${
      refs === 'all'
        ? tx``
        : tx`and (app_id, entitlement_id) in (
          select * from unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map((ref) => ref.id)}::text[]))`
    }`
  return count
}

/** Deleted or not. */
export async function findAnyProfile(db: Reads, tenantId: number, id: string): Promise<Profile | null> {
  const [row] = await db<Profile[]>`
    select ${columns(db)} from profiles p where p.tenant_id = ${tenantId} and p.profile_id = ${id}`
  return row ?? null
}
