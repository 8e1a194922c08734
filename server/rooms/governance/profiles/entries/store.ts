import type { May } from '#authority/proof.ts'
import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { type EntitlementRef, enrollmentOf } from '../profile.ts'

const columnsOf = (refs: readonly EntitlementRef[]) =>
  [refs.map(({ appId }) => appId), refs.map(({ id }) => id)] as const

/** Locks those of some entitlements that exist, together with their apps, until the transaction ends. */
export async function holdEntitlements(
  tx: Tx,
  tenantId: number,
  refs: readonly EntitlementRef[],
): Promise<EntitlementRef[]> {
  if (refs.length === 0) return []
  const [apps, ids] = columnsOf(refs)
  return tx<EntitlementRef[]>`
    select e.app_id as "appId", e.entitlement_id as id from entitlements e
    where e.tenant_id = ${tenantId} and e.deleted_at is null
      and (e.app_id, e.entitlement_id) in (select * from unnest(${apps}::text[], ${ids}::text[]))
    order by e.app_id, e.entitlement_id for share`
}

const living = (db: Reads, tenantId: number) => db`
  join entitlements e on e.tenant_id = ${tenantId} and e.app_id = r.app_id and e.entitlement_id = r.entitlement_id
    and e.deleted_at is null`

/** The contents of a profile, in the order in which clients sent them, without deleted objects. */
export async function listEntryRefs(db: Reads, tenantId: number, profileId: string): Promise<EntitlementRef[]> {
  return db<EntitlementRef[]>`
    select r.app_id as "appId", r.entitlement_id as id from profile_entries r ${living(db, tenantId)}
    where r.tenant_id = ${tenantId} and r.profile_id = ${profileId} and not r.is_enrollment
    order by r.place, r.app_id, r.entitlement_id`
}

/** The same, one page. */
export async function listEntries(
  db: Reads,
  tenantId: number,
  profileId: string,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<(EntitlementRef & { place: number })[]> {
  const [place = -1, appId = '', id = ''] = page.after ?? []
  return db<(EntitlementRef & { place: number })[]>`
    select r.app_id as "appId", r.entitlement_id as id, r.place from profile_entries r ${living(db, tenantId)}
    where r.tenant_id = ${tenantId} and r.profile_id = ${profileId} and not r.is_enrollment
      and (r.place, r.app_id::text, r.entitlement_id::text) > (${Number(place)}::int, ${String(appId)}, ${String(id)})
    order by r.place, r.app_id::text, r.entitlement_id::text limit ${page.limit}`
}

export async function hasEntry(
  db: Reads,
  tenantId: number,
  profileId: string,
  { appId, id }: EntitlementRef,
): Promise<boolean> {
  const rows = await db`
    select 1 from profile_entries r ${living(db, tenantId)}
    where r.tenant_id = ${tenantId} and r.profile_id = ${profileId} and r.app_id = ${appId} and r.entitlement_id = ${id}
      and not r.is_enrollment`
  return rows.length > 0
}

/** Adds entitlements after the existing ones. Returns those that are new. */
export async function insertEntries(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'profiles.change'>,
  profileId: string,
  refs: readonly EntitlementRef[],
  at: Date,
): Promise<EntitlementRef[]> {
  if (refs.length === 0) return []
  const [last] = await tx<{ place: number }[]>`
    select coalesce(max(r.place), -1) as place from profile_entries r
    where r.tenant_id = ${tenantId} and r.profile_id = ${profileId}`
  const [apps, ids] = columnsOf(refs)
  return tx<EntitlementRef[]>`
    insert into profile_entries (tenant_id, profile_id, app_id, entitlement_id, place, added_at)
    select ${tenantId}, ${profileId}, r.app_id, r.entitlement_id, ${last?.place ?? -1} + r.place::int, ${at}
    from unnest(${apps}::text[], ${ids}::text[]) with ordinality as r (app_id, entitlement_id, place)
    on conflict do nothing
    returning app_id as "appId", entitlement_id as id`
}

/** Sets the order of the entitlements. */
export async function orderEntries(
  tx: Tx,
  tenantId: number,
  profileId: string,
  refs: readonly EntitlementRef[],
): Promise<void> {
  const [apps, ids] = columnsOf(refs)
  await tx`
    update profile_entries x set place = r.place::int
    from unnest(${apps}::text[], ${ids}::text[]) with ordinality as r (app_id, entitlement_id, place)
    where x.tenant_id = ${tenantId} and x.profile_id = ${profileId} and x.app_id = r.app_id
      and x.entitlement_id = r.entitlement_id and x.place <> r.place::int`
}

/** Returns those that were removed. */
export async function deleteEntries(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'profiles.change'>,
  profileId: string,
  refs: readonly EntitlementRef[],
): Promise<EntitlementRef[]> {
  const [apps, ids] = columnsOf(refs)
  return tx<EntitlementRef[]>`
    delete from profile_entries where tenant_id = ${tenantId} and profile_id = ${profileId} and not is_enrollment
      and (app_id, entitlement_id) in (select * from unnest(${apps}::text[], ${ids}::text[]))
    returning app_id as "appId", entitlement_id as id`
}

/** Removes all but these; returns those that were removed. */
export async function deleteOtherEntries(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'profiles.change'>,
  profileId: string,
  kept: readonly EntitlementRef[],
): Promise<EntitlementRef[]> {
  const [apps, ids] = columnsOf(kept)
  return tx<EntitlementRef[]>`
    delete from profile_entries where tenant_id = ${tenantId} and profile_id = ${profileId} and not is_enrollment
      and (app_id, entitlement_id) not in (select * from unnest(${apps}::text[], ${ids}::text[]))
    returning app_id as "appId", entitlement_id as id`
}

export async function countEntries(db: Reads, tenantId: number, profileId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) as count from profile_entries r
    where r.tenant_id = ${tenantId} and r.profile_id = ${profileId} and not r.is_enrollment`
  return row?.count ?? 0
}

/** Makes the profile requestable as a whole. */
export async function insertEnrollmentEntry(tx: Tx, tenantId: number, profileId: string, at: Date): Promise<void> {
  const { appId, id } = enrollmentOf(profileId)
  await tx`
    insert into profile_entries (tenant_id, profile_id, app_id, entitlement_id, place, is_enrollment, added_at)
    values (${tenantId}, ${profileId}, ${appId}, ${id}, -1, true, ${at}) on conflict do nothing`
}

export async function deleteEnrollmentEntry(tx: Tx, tenantId: number, profileId: string): Promise<void> {
  await tx`delete from profile_entries where tenant_id = ${tenantId} and profile_id = ${profileId} and is_enrollment`
}

/** Which of these the automation of the profile reads. */
export async function listReadByAutomation(
  db: Reads,
  tenantId: number,
  profileId: string,
  refs: readonly EntitlementRef[],
): Promise<EntitlementRef[]> {
  if (refs.length === 0) return []
  const { appId } = enrollmentOf(profileId)
  const [apps, ids] = columnsOf(refs)
  return db<EntitlementRef[]>`
    select a.app_id as "appId", a.entitlement_id as id from automation_reads a
    where a.tenant_id = ${tenantId} and a.by_app_id = ${appId} and a.by_entitlement_id = ${profileId}
      and (a.app_id, a.entitlement_id) in (select * from unnest(${apps}::text[], ${ids}::text[]))`
}
