import type { Reads, Tx } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'
import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import { leavesToOwners } from '#rooms/governance/enforcement/index.ts'
import { type GrantSource, held } from '#rooms/records/grants/index.ts'
import type { EntitlementRef } from '../profile.ts'

export const listTenantsWithChanges = (db: Reads): Promise<number[]> =>
  listTenantsWith(db, (after) => db`select tenant_id from profile_changes where tenant_id > ${after}`)

export const memberActions = ['join', 'ask', 'unask', 'leave', 'ask to leave', 'stay'] as const
export type MemberAction = (typeof memberActions)[number]
export type ToSettle = { userId: string; action: MemberAction; isAutomatic: boolean; isByHand: boolean }

/**
 * Compares the holders of the enrollment with the known members, and lists the users for whom there is something to do. If
 * the automation creates tasks, matching it is only a reason to request the enrollment; everyone who holds it for another
 * reason is enrolled.
 */
export async function listToSettle(
  db: Reads,
  tenantId: number,
  profileId: string,
  { createsTasks, at, limit }: { createsTasks: boolean; at: Date; limit: number },
): Promise<ToSettle[]> {
  return db<ToSettle[]>`
    with holding as (
      select a.user_id, bool_or(g.source = 'rule') as is_automatic, bool_or(g.source <> 'rule') as is_other,
        bool_or(g.source = 'manual') as is_by_hand
      from grants g
      join accounts a on a.tenant_id = ${tenantId} and a.app_id = g.app_id and a.account_id = g.account_id
        and a.deleted_at is null
      join users u on u.tenant_id = ${tenantId} and u.user_id = a.user_id and u.deleted_at is null
      where g.tenant_id = ${tenantId} and g.app_id = ${profilesAppId} and g.entitlement_id = ${profileId}
        and ${held(db, { at, isNow: true })}
      group by a.user_id
    ), known as (
      select m.user_id, m.state, m.is_automatic from profile_members m
      where m.tenant_id = ${tenantId} and m.profile_id = ${profileId}
    )
    select "userId", action, "isAutomatic", "isByHand" from (
      select coalesce(h.user_id, m.user_id) as "userId", coalesce(h.is_automatic and not h.is_other, false) as "isAutomatic",
        coalesce(h.is_by_hand, false) as "isByHand",
        case
          when m.user_id is null and (h.is_other or not ${createsTasks}) then 'join'
          when m.user_id is null then 'ask'
          when m.state = 'asked' and h.user_id is null then 'unask'
          when m.state = 'asked' and (h.is_other or not ${createsTasks}) then 'join'
          when m.state <> 'asked' and h.user_id is null then 'leave'
          when m.state = 'joined' and m.is_automatic and ${createsTasks} and not h.is_automatic then 'ask to leave'
          when m.state = 'leaving' and h.is_automatic then 'stay'
        end as action
      from holding h full join known m on m.user_id = h.user_id) s
    where action is not null order by action, "userId" limit ${limit}`
}

export type Entry = EntitlementRef & {
  /** Whether recording the grant, or its end, is sufficient. */
  isGivenByRecord: boolean
  isTakenByRecord: boolean
}

const isRecord = (db: Reads, tenantId: number, column: 'provisioner' | 'deprovisioner') => {
  const policy = column === 'provisioner' ? db`e.provisioner` : db`coalesce(e.deprovisioner, e.provisioner)`
  return db`(${policy} is null or coalesce(${policy} -> 'unconfigured', 'null') <> 'null'
    or coalesce(${policy} -> 'connector', 'null') <> 'null') and not ${leavesToOwners(db, tenantId)}`
}

/** The present contents of a profile: entitlements and apps that exist. */
export async function listLivingEntries(db: Reads, tenantId: number, profileId: string): Promise<Entry[]> {
  return db<Entry[]>`
    select r.app_id as "appId", r.entitlement_id as id, ${isRecord(db, tenantId, 'provisioner')} as "isGivenByRecord",
      ${isRecord(db, tenantId, 'deprovisioner')} as "isTakenByRecord"
    from profile_entries r
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = r.app_id and e.entitlement_id = r.entitlement_id
      and e.deleted_at is null
    join apps a on a.tenant_id = ${tenantId} and a.app_id = e.app_id
    where r.tenant_id = ${tenantId} and r.profile_id = ${profileId} and not r.is_enrollment
    order by r.place, r.app_id, r.entitlement_id`
}

export type Pair = { userId: string; appId: string; id: string }

const pairsOf = (db: Reads, userIds: readonly string[], refs: readonly EntitlementRef[]) => db`
  unnest(${userIds}::text[]) as w (user_id)
  cross join unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[]) as r (app_id, id)`

/**
 * Which of these entitlements these users neither hold nor have requested, and the profile has not requested for them since
 * a time.
 */
export async function listMissing(
  db: Reads,
  tenantId: number,
  userIds: readonly string[],
  refs: readonly EntitlementRef[],
  { at, askedSince }: { at: Date; askedSince: { profileId: string; time: Date } | null },
): Promise<Pair[]> {
  if (refs.length === 0 || userIds.length === 0) return []
  // One index lookup after the other, as below.
  return db<Pair[]>`
    select w.user_id as "userId", r.app_id as "appId", r.id from ${pairsOf(db, userIds, refs)}
    where not exists (select 1 from accounts a
        cross join lateral (
          select 1 from grants g
          where g.tenant_id = ${tenantId} and g.app_id = r.app_id and g.entitlement_id = r.id and g.account_id = a.account_id
            and ${held(db, { at, isNow: true })} offset 0) g
        where a.tenant_id = ${tenantId} and a.user_id = w.user_id and a.app_id = r.app_id and a.deleted_at is null offset 0)
      and not exists (select 1 from tasks t
        where t.tenant_id = ${tenantId} and t.kind = 'grant' and t.app_id = r.app_id and t.entitlement_id = r.id
          and t.subject_user_id = w.user_id and t.is_open)
      ${
        askedSince
          ? db`and not exists (select 1 from tasks t
              where t.tenant_id = ${tenantId} and t.subject_user_id = w.user_id and t.app_id = r.app_id
                and t.entitlement_id = r.id and t.kind = 'grant' and t.created_at >= ${askedSince.time}
                and t.source ->> 'profileId' = ${askedSince.profileId})`
          : db``
      }
    order by 1, 2, 3`
}

export type HeldPair = Pair & { accountId: string; source: GrantSource }

/**
 * Which of these entitlements these users hold, by which accounts and for which reasons. `onlyUnjustified` leaves out what
 * another profile of theirs contains; other reasons do not count. A profile that they have left no longer counts, even if
 * that was not processed yet: a user who leaves two at once keeps nothing because of the other.
 */
export async function listHeldPairs(
  db: Reads,
  tenantId: number,
  userIds: readonly string[],
  refs: readonly EntitlementRef[],
  { at, leaving, onlyUnjustified }: { at: Date; leaving: string; onlyUnjustified: boolean },
): Promise<HeldPair[]> {
  if (refs.length === 0 || userIds.length === 0) return []
  // One index lookup after the other: right after many were enrolled, the planner has no statistics of their rows.
  return db<HeldPair[]>`
    select w.user_id as "userId", r.app_id as "appId", r.id, a.account_id as "accountId", g.source
    from ${pairsOf(db, userIds, refs)}
    cross join lateral (
      select a.account_id from accounts a
      where a.tenant_id = ${tenantId} and a.user_id = w.user_id and a.app_id = r.app_id and a.deleted_at is null offset 0) a
    cross join lateral (
      select g.source from grants g
      where g.tenant_id = ${tenantId} and g.app_id = r.app_id and g.entitlement_id = r.id and g.account_id = a.account_id
        and ${held(db, { at, isNow: true })} offset 0) g
    where ${
      onlyUnjustified
        ? db`not exists (select 1 from profile_members m
            join profiles p on p.tenant_id = ${tenantId} and p.profile_id = m.profile_id and p.deleted_at is null
            join profile_entries o on o.tenant_id = ${tenantId} and o.profile_id = m.profile_id and o.app_id = r.app_id
              and o.entitlement_id = r.id and not o.is_enrollment
            where m.tenant_id = ${tenantId} and m.user_id = w.user_id and m.profile_id <> ${leaving} and m.state <> 'asked'
              and exists (select 1 from accounts ma
                join grants mg on mg.tenant_id = ${tenantId} and mg.app_id = ma.app_id and mg.account_id = ma.account_id
                  and mg.entitlement_id = m.profile_id and mg.ended_at is null
                  and (mg.expires_at is null or mg.expires_at > ${at})
                where ma.tenant_id = ${tenantId} and ma.user_id = w.user_id and ma.app_id = ${profilesAppId}
                  and ma.deleted_at is null))`
        : db`true`
    }
    order by 1, 2, 3, 4, 5`
}

export async function putMembers(
  tx: Tx,
  tenantId: number,
  profileId: string,
  members: readonly { userId: string; isAutomatic: boolean }[],
  { state, at }: { state: 'asked' | 'joined' | 'leaving'; at: Date },
): Promise<void> {
  await tx`
    insert into profile_members as m (tenant_id, profile_id, user_id, state, is_automatic, joined_at)
    select ${tenantId}, ${profileId}, w.user_id, ${state}, w.is_automatic, ${at}
    from unnest(${members.map(({ userId }) => userId)}::text[], ${members.map((each) => each.isAutomatic)}::boolean[])
      as w (user_id, is_automatic)
    on conflict (tenant_id, profile_id, user_id) do update set state = excluded.state,
      is_automatic = m.is_automatic or excluded.is_automatic`
}

export async function deleteMembers(
  tx: Tx,
  tenantId: number,
  profileId: string,
  userIds: readonly string[],
): Promise<void> {
  await tx`
    delete from profile_members
    where tenant_id = ${tenantId} and profile_id = ${profileId} and user_id = any(${userIds}::text[])`
}

/** Members after one, by id. */
export async function listMembers(
  db: Reads,
  tenantId: number,
  profileId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db<{ userId: string }[]>`
    select m.user_id as "userId" from profile_members m
    where m.tenant_id = ${tenantId} and m.profile_id = ${profileId} and m.state <> 'asked' and m.user_id > ${after}
    order by m.user_id limit ${limit}`
  return rows.map(({ userId }) => userId)
}

/** Whether the automation of a profile requests the enrollment instead of granting it. */
export async function createsTasksOf(db: Reads, tenantId: number, profileId: string): Promise<boolean> {
  const [row] = await db<{ createsTasks: boolean }[]>`
    select s.creates_tasks as "createsTasks" from profile_automations s
    where s.tenant_id = ${tenantId} and s.profile_id = ${profileId}`
  return row?.createsTasks ?? false
}
