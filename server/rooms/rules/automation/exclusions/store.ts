import type { May } from '#authority/proof.ts'
import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { EntitlementRef } from '../automation.ts'

export type Exclusion = { userId: string; addedAt: Date; addedBy: string; reason: string }

export async function listExclusions(
  db: Reads,
  tenantId: number,
  { appId, id }: EntitlementRef,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<Exclusion[]> {
  return db<Exclusion[]>`
    select x.user_id as "userId", x.added_at as "addedAt", x.added_by as "addedBy", x.reason
    from automation_exclusions x
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.entitlement_id = ${id}
      and x.user_id > ${page.after?.[0] ?? ''}
    order by x.user_id limit ${page.limit}`
}

export async function findExclusion(
  db: Reads,
  tenantId: number,
  { appId, id }: EntitlementRef,
  userId: string,
): Promise<Exclusion | null> {
  const [row] = await db<Exclusion[]>`
    select x.user_id as "userId", x.added_at as "addedAt", x.added_by as "addedBy", x.reason
    from automation_exclusions x
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.entitlement_id = ${id} and x.user_id = ${userId}`
  return row ?? null
}

const excludedMax = 100_000

/** The rules that someone is excluded from. */
export async function listExcludedFrom(db: Reads, tenantId: number, userId: string): Promise<EntitlementRef[]> {
  return db<EntitlementRef[]>`
    select x.app_id as "appId", x.entitlement_id as id from automation_exclusions x
    where x.tenant_id = ${tenantId} and x.user_id = ${userId} limit ${excludedMax}`
}

export type Excluded = {
  /** Those who were not excluded before. */
  added: string[]
  /** Ids without a user. */
  unknown: string[]
}

/** Excludes users, and locks them as `lockUserIds` of store/locks.ts does: a thousand in one statement. */
export async function insertExclusions(
  tx: Tx,
  tenantId: number,
  { appId, id }: EntitlementRef,
  userIds: readonly string[],
  { by, at, reason }: { by: string; at: Date; reason: string },
): Promise<Excluded> {
  const [row] = await tx<Excluded[]>`
    with known as materialized (
      select u.user_id from users u
      where u.tenant_id = ${tenantId} and u.user_id = any(${userIds}::text[]) and u.deleted_at is null
      order by u.user_id for no key update
    ),
    added as (
      insert into automation_exclusions (tenant_id, app_id, entitlement_id, user_id, added_at, added_by, reason)
      select ${tenantId}, ${appId}, ${id}, k.user_id, ${at}, ${by}, ${reason} from known k
      on conflict do nothing returning user_id
    )
    select array(select user_id::text from added) as added,
      array(select w.id from unnest(${userIds}::text[]) with ordinality as w (id, place)
        where w.id not in (select user_id from known) order by w.place) as unknown`
  return row as Excluded
}

/** Returns those who were excluded. */
export async function deleteExclusions(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'entitlement.change-rule' | 'rules.edit'>,
  { appId, id }: EntitlementRef,
  userIds: readonly string[],
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    delete from automation_exclusions
    where tenant_id = ${tenantId} and app_id = ${appId} and entitlement_id = ${id}
      and user_id = any(${userIds}::text[])
    returning user_id as id`
  return rows.map((row) => row.id)
}
