import type { Reads, Tx } from '#kernel/sql.ts'
import type { Owned } from '#rooms/foundation/ownership/index.ts'

type Ref = readonly [appId: string, id: string]
/** What a merge will move, or has moved. */
export type Moved = {
  status: string
  disabledBy: string
  accounts: readonly Ref[]
  links: readonly Ref[]
  reports: readonly string[]
  /** Those that the other user did not own already: only these are returned by a split. */
  owned: readonly Owned[]
  ownedByBoth: readonly Owned[]
}

type Merge = {
  id: string
  userId: string
  intoUserId: string
  mergedBy: string
  mergedAt: Date
  splitBy: string
  splitAt: Date | null
}

const mergeColumns = (db: Reads) => db`
  m.merge_id as id, m.user_id as "userId", m.into_user_id as "intoUserId", m.merged_by as "mergedBy",
  m.merged_at as "mergedAt", m.split_by as "splitBy", m.split_at as "splitAt"`

/** Whether a user can be merged: the user they are already merged into, and whether others are merged into them. */
export async function findStanding(
  db: Reads,
  tenantId: number,
  userId: string,
): Promise<{ mergedInto: string; hasMerged: boolean; openTasks: number }> {
  const [row] = await db<{ mergedInto: string; hasMerged: boolean; openTasks: number }[]>`
    select u.merged_into as "mergedInto",
      exists (select 1 from users o where o.tenant_id = ${tenantId} and o.merged_into = ${userId}) as "hasMerged",
      (select count(*) from tasks t
        where t.tenant_id = ${tenantId} and t.subject_user_id = ${userId} and t.is_open) as "openTasks"
    from users u where u.tenant_id = ${tenantId} and u.user_id = ${userId}`
  return row ?? { mergedInto: '', hasMerged: false, openTasks: 0 }
}

export async function listAccountsOf(db: Reads, tenantId: number, userId: string): Promise<Ref[]> {
  const rows = await db<{ appId: string; id: string }[]>`
    select app_id as "appId", account_id as id from accounts
    where tenant_id = ${tenantId} and user_id = ${userId} order by app_id, account_id limit 10000`
  return rows.map(({ appId, id }) => [appId, id] as const)
}

export async function listLinksOfUser(db: Reads, tenantId: number, userId: string): Promise<Ref[]> {
  const rows = await db<{ appId: string; id: string }[]>`
    select app_id as "appId", account_id as id from directory_users
    where tenant_id = ${tenantId} and user_id = ${userId} order by app_id, account_id limit 10000`
  return rows.map(({ appId, id }) => [appId, id] as const)
}

/** Reports of both managers stay unchanged: a split could not distinguish them. */
export async function listReports(db: Reads, tenantId: number, userId: string, intoId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select user_id as id from users
    where tenant_id = ${tenantId} and manager_ids @> array[${userId}]::text[]
      and not manager_ids @> array[${intoId}]::text[] and user_id <> ${intoId} and deleted_at is null
    order by user_id limit 100000`
  return rows.map(({ id }) => id)
}

export type Counts = { grants: number; credentials: number; sessions: number; assignedTasks: number }

export async function countOf(db: Reads, tenantId: number, userId: string): Promise<Counts> {
  const [row] = await db<Counts[]>`
    select
      (select count(*) from accounts a
        join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
        where a.tenant_id = ${tenantId} and a.user_id = ${userId} and g.ended_at is null) as grants,
      (select count(*) from credentials c
        where c.tenant_id = ${tenantId} and c.user_id = ${userId} and c.deleted_at is null) as credentials,
      (select count(*) from sessions s where s.tenant_id = ${tenantId} and s.user_id = ${userId}) as sessions,
      (select count(*) from task_assignees t
        where t.tenant_id = ${tenantId} and t.user_id = ${userId}) as "assignedTasks"`
  return row ?? { grants: 0, credentials: 0, sessions: 0, assignedTasks: 0 }
}

export async function insertMerge(
  tx: Tx,
  tenantId: number,
  merge: Pick<Merge, 'id' | 'userId' | 'intoUserId' | 'mergedBy' | 'mergedAt'>,
  moved: Moved,
): Promise<void> {
  await tx`
    insert into user_merges (tenant_id, merge_id, user_id, into_user_id, merged_by, merged_at, moved)
    values (${tenantId}, ${merge.id}, ${merge.userId}, ${merge.intoUserId}, ${merge.mergedBy}, ${merge.mergedAt},
      ${tx.json(moved)})`
}

export async function lockOpenMerge(
  tx: Tx,
  tenantId: number,
  userId: string,
): Promise<(Merge & { moved: Moved }) | null> {
  const [row] = await tx<(Merge & { moved: Moved })[]>`
    select ${mergeColumns(tx)}, m.moved from user_merges m
    where m.tenant_id = ${tenantId} and m.user_id = ${userId} and m.split_at is null for no key update`
  return row ?? null
}

export async function endMerge(tx: Tx, tenantId: number, id: string, by: string, at: Date): Promise<void> {
  await tx`
    update user_merges set split_by = ${by}, split_at = ${at} where tenant_id = ${tenantId} and merge_id = ${id}`
}

/** The merges of a user, as either side, newest first. */
export async function listMerges(db: Reads, tenantId: number, userId: string): Promise<Merge[]> {
  return db<Merge[]>`
    select ${mergeColumns(db)} from user_merges m
    where m.tenant_id = ${tenantId} and (m.user_id = ${userId} or m.into_user_id = ${userId})
    order by m.merge_id desc limit 100`
}
