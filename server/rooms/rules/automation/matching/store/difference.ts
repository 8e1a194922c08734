import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { Fragment } from '#rooms/rules/expressions/index.ts'
import type { Change, EntitlementRef, Outcome } from '../../automation.ts'

/** The users that a statement covers: everyone, some users, or those whose ids are in `(after, upTo]`. */
export type Among = { userIds: readonly string[] } | { after: string; upTo: string } | null

export type Scope = {
  tenantId: number
  ref: EntitlementRef
  now: Date
  /** The result of the rule for the rows `u` of users: true, false, or null if it fails. */
  verdict: Fragment
  among: Among
}

/** Limits a statement to the users that it covers, by one of its columns. */
export const among = (db: Reads, column: Fragment, who: Among) => {
  if (!who) return db``
  if ('userIds' in who) return db`and ${column} = any(${who.userIds}::text[])`
  return db`and ${column} > ${who.after} and ${column} <= ${who.upTo}`
}

/**
 * Who holds the entitlement, and who through its rule: one row per grant. For some users, it goes from them to their
 * accounts and on to what these hold (`offset 0` keeps this order): everyone may be a member of the entitlement.
 */
const heldBy = (db: Reads, { tenantId, ref, now, among: who }: Scope) => db`
  select a.user_id, false as matches, false as fails, g.source = 'rule' as by_rule,
    a.deleted_at is null and (g.expires_at is null or g.expires_at > ${now}) as holds, false as is_excluded
  from ${
    who
      ? db`(select a.* from accounts a
          where a.tenant_id = ${tenantId} and a.app_id = ${ref.appId} ${among(db, db`a.user_id`, who)} offset 0)`
      : db`accounts`
  } a
  join grants g on g.app_id = a.app_id and g.account_id = a.account_id
  where g.tenant_id = ${tenantId} and g.app_id = ${ref.appId} and g.entitlement_id = ${ref.id} and g.ended_at is null
    and a.tenant_id = ${tenantId} and a.user_id is not null`

/** Who matches, and for whom the rule fails. `offset 0` avoids evaluating it twice for each. */
const matchedBy = (db: Reads, { tenantId, verdict, among: who }: Scope) => db`
  select d.user_id, d.verdict is true as matches, d.verdict is null as fails, false as by_rule, false as holds,
    false as is_excluded
  from (
    select u.user_id, case when u.status = 'ENABLED' and u.deleted_at is null then ${verdict} else false end as verdict
    from users u where u.tenant_id = ${tenantId} ${among(db, db`u.user_id`, who)} offset 0
  ) d
  where d.verdict is not false`

const excludedFrom = (db: Reads, { tenantId, ref, among: who }: Scope) => db`
  select x.user_id, false, false, false, false, true from automation_exclusions x
  where x.tenant_id = ${tenantId} and x.app_id = ${ref.appId} and x.entitlement_id = ${ref.id}
    ${among(db, db`x.user_id`, who)}`

/**
 * The whole difference between the current and the desired state, with a row for everyone who is affected: `outcomeOf` in
 * decide.ts, in SQL. Each table is read once, and the results for a user are combined by grouping, not by joining: of a
 * million users the 200,000 affected ones are looked up, and not each of the million (1.9 s instead of 2.3 s), and nothing
 * is done once for each user, regardless of how the planner estimates tables that were filled a moment ago.
 */
const difference = (db: Reads, scope: Scope) => db`
  select d.user_id, case when not d.fails then d.matches end as verdict, d.by_rule,
    case when d.is_excluded then case when d.matches or d.by_rule then 'excluded' end
      when d.matches then case when d.holds then 'stay' else 'gain' end
      when d.by_rule then 'lose' end as outcome
  from (
    select t.user_id, bool_or(t.matches) as matches, bool_or(t.fails) as fails, bool_or(t.by_rule) as by_rule,
      bool_or(t.holds) as holds, bool_or(t.is_excluded) as is_excluded
    from (${matchedBy(db, scope)} union all ${heldBy(db, scope)} union all ${excludedFrom(db, scope)}) t
    group by t.user_id
  ) d
  where d.matches or d.fails or d.by_rule`

/**
 * Over everyone, no join uses a nested loop, however few rows the planner expects of a table without statistics. Affected
 * users are grouped in memory: 20 MB for 200,000, and the rest is spilled to files as usual.
 */
async function overEveryone<T>(tx: Tx, { among: who }: Scope, work: () => PromiseLike<T>): Promise<T> {
  if (who) return work()
  await tx`set local enable_nestloop = off`
  await tx`set local work_mem = '64MB'`
  const result = await work()
  await tx`set local enable_nestloop to default`
  await tx`set local work_mem to default`
  return result
}

export type Survey = {
  matched: number
  excluded: number
  members: number
  gain: number
  lose: number
  stay: number
  failed: number
  /** Some of those for whom the rule failed. */
  failedIds: string[]
  /** A number that identifies who gains, loses, stays and is excluded; for parts, their sum. */
  digest: string
}

const failedIdsMax = 20

const counts = (db: Reads) => db`
  count(*) filter (where verdict) as matched,
  count(*) filter (where outcome = 'excluded') as excluded,
  count(*) filter (where by_rule) as members,
  count(*) filter (where outcome = 'gain') as gain,
  count(*) filter (where outcome = 'lose') as lose,
  count(*) filter (where outcome = 'stay') as stay,
  count(*) filter (where verdict is null) as failed,
  coalesce((select array_agg(f.user_id::text) from (
    select user_id from difference where verdict is null order by user_id limit ${failedIdsMax}) f), '{}') as "failedIds"`

// Sums of two hashes of each row: the order of the rows does not matter, nor in how many parts they are read.
const digest = (db: Reads) => {
  const sum = (seed: number) =>
    db`coalesce(sum(hashtextextended(user_id || ' ' || coalesce(outcome, '-'), ${seed})), 0)::text`
  return db`${sum(1)} || ',' || ${sum(2)}`
}

/** A statement that is cancelled if the caller no longer waits for it. */
async function unlessAborted<T>(
  signal: AbortSignal | null,
  statement: PromiseLike<T> & { cancel(): void },
): Promise<T> {
  const cancel = (): void => statement.cancel()
  signal?.throwIfAborted()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    return await statement
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}

/** Counts the difference, and changes nothing. */
export async function survey(tx: Tx, scope: Scope, signal: AbortSignal | null): Promise<Survey> {
  const [row] = await overEveryone(tx, scope, () =>
    unlessAborted(
      signal,
      tx<Survey[]>`
        with difference as materialized (${difference(tx, scope)})
        select ${counts(tx)}, ${digest(tx)} as digest from difference`,
    ),
  )
  return row as Survey
}

/** Counts the difference, and notes the affected users for a run; `isDigested` if it is compared with a plan. */
export async function surveyForRun(
  tx: Tx,
  scope: Scope,
  runId: string,
  isDigested: boolean,
  signal: AbortSignal | null,
): Promise<Survey> {
  const [row] = await overEveryone(tx, scope, () =>
    unlessAborted(
      signal,
      tx<Survey[]>`
        with difference as materialized (${difference(tx, scope)}),
        noted as (
          insert into automation_run_items (tenant_id, run_id, user_id, outcome)
          select ${scope.tenantId}, ${runId}, user_id, outcome from difference where outcome in ('gain', 'lose')
          on conflict do nothing
        )
        select ${counts(tx)}, ${isDigested ? digest(tx) : tx`''`} as digest from difference`,
    ),
  )
  return row as Survey
}

/** The changes among some users. */
export async function listChanges(db: Reads, scope: Scope): Promise<Change[]> {
  return db<Change[]>`
    select user_id as "userId", outcome from (${difference(db, scope)}) as difference
    where outcome in ('gain', 'lose') order by user_id`
}

export type Planned = { userId: string; outcome: NonNullable<Outcome> }

/** Who would be affected and how, by id. */
export async function listPlanned(
  db: Tx,
  scope: Scope,
  outcomes: readonly string[],
  page: Pick<Page, 'limit'> & { after: string },
  signal: AbortSignal | null,
): Promise<Planned[]> {
  return unlessAborted(
    signal,
    db<Planned[]>`
      select user_id as "userId", outcome from (${difference(db, scope)}) as difference
      where outcome = any(${outcomes as string[]}::text[]) and user_id > ${page.after}
      order by user_id limit ${page.limit}`,
  )
}

/** The next users by id, regardless of their status: a part of everyone, for one statement. */
export async function listNextUsers(db: Reads, tenantId: number, after: string, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select user_id as id from users where tenant_id = ${tenantId} and user_id > ${after}
    order by user_id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** How many users there are; `limit` where there are more. */
export async function countUsers(db: Reads, tenantId: number, limit: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from (select 1 from users where tenant_id = ${tenantId} limit ${limit}) u`
  return row?.count ?? 0
}

/** How many accounts without a user hold the entitlement through the rule. */
export async function countOfNobody(db: Reads, tenantId: number, ref: EntitlementRef): Promise<number> {
  // There is an index for each half: without them, all accounts of the app would be read.
  const ofNobody = (which: Fragment) => db`
    select a.account_id from accounts a
    where a.tenant_id = ${tenantId} and a.app_id = ${ref.appId} and a.user_id is null and ${which}`
  const [row] = await db<{ count: number }[]>`
    select count(*) from (${ofNobody(db`a.deleted_at is null`)} union all ${ofNobody(db`a.deleted_at is not null`)}) a
    join grants g on g.tenant_id = ${tenantId} and g.app_id = ${ref.appId} and g.entitlement_id = ${ref.id}
      and g.account_id = a.account_id and g.ended_at is null and g.source = 'rule'`
  return row?.count ?? 0
}

/** How many users are enabled; `limit` where there are more. */
export async function countEnabled(db: Reads, tenantId: number, limit: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from (
      select 1 from users u where u.tenant_id = ${tenantId} and u.status = 'ENABLED' and u.deleted_at is null
      limit ${Math.ceil(limit)}) u`
  return row?.count ?? 0
}

/** How many grants the rule has made and not revoked; `limit` if there are more. */
export async function countMembers(db: Reads, tenantId: number, ref: EntitlementRef, limit: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from (
      select 1 from grants g where g.tenant_id = ${tenantId} and g.app_id = ${ref.appId} and g.entitlement_id = ${ref.id}
        and g.ended_at is null and g.source = 'rule' limit ${Math.ceil(limit)}) g`
  return row?.count ?? 0
}
