import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { Fragment } from '#rooms/expressions/index.ts'
import type { Change, EntitlementRef, Outcome } from './automation.ts'

/** Whom a statement is about: everyone, some users, or those whose ids lie in `(after, upTo]`. */
export type Among = { userIds: readonly string[] } | { after: string; upTo: string } | null

export type Scope = {
  tenantId: number
  ref: EntitlementRef
  now: Date
  /** What the rule says of the rows `u` of users: true, false, or null where it fails. */
  verdict: Fragment
  among: Among
}

const among = (db: Reads, column: Fragment, who: Among) => {
  if (!who) return db``
  if ('userIds' in who) return db`and ${column} = any(${who.userIds as string[]}::text[])`
  return db`and ${column} > ${who.after} and ${column} <= ${who.upTo}`
}

/**
 * Who holds the entitlement, and who by its rule. Asked about some users, it goes from them to their accounts and on to
 * what these hold (`offset 0` keeps it so): the entitlement may have everyone for a member.
 */
const heldBy = (db: Reads, { tenantId, ref, now, among: who }: Scope) => db`
  select a.user_id, bool_or(g.source = 'rule') as by_rule,
    bool_or(a.deleted_at is null and (g.expires_at is null or g.expires_at > ${now})) as holds
  from ${
    who
      ? db`(select a.* from accounts a
          where a.tenant_id = ${tenantId} and a.app_id = ${ref.appId} ${among(db, db`a.user_id`, who)} offset 0)`
      : db`accounts`
  } a
  join grants g on g.tenant_id = a.tenant_id and g.app_id = a.app_id and g.account_id = a.account_id
  where g.tenant_id = ${tenantId} and g.app_id = ${ref.appId} and g.entitlement_id = ${ref.id} and g.ended_at is null
    and a.user_id is not null
  group by a.user_id`

/**
 * The whole difference between what is and what should be, a row for everyone of whom there is something to tell:
 * `outcomeOf` in decide.ts, in SQL. The users are read once; `offset 0` keeps the rule from being asked twice of each.
 * Who holds it is found once, whatever the planner makes of tables that were filled a moment ago: for 200 users it once
 * did so 200 times, which took 80 s.
 */
const difference = (db: Reads, scope: Scope) => {
  const { tenantId, ref, verdict, among: who } = scope
  return db`
    with held as materialized (${heldBy(db, scope)})
    select d.user_id, d.verdict, h.by_rule,
      case when x.user_id is not null then case when d.verdict or h.by_rule then 'excluded' end
        when d.verdict then case when h.holds then 'stay' else 'gain' end
        when h.by_rule then 'lose' end as outcome
    from (
      select u.user_id, case when u.status = 'ENABLED' and u.deleted_at is null then ${verdict} else false end as verdict
      from users u where u.tenant_id = ${tenantId} ${among(db, db`u.user_id`, who)} offset 0
    ) d
    left join held h on h.user_id = d.user_id
    left join automation_exclusions x on x.tenant_id = ${tenantId} and x.app_id = ${ref.appId}
      and x.entitlement_id = ${ref.id} and x.user_id = d.user_id
    where d.verdict is not false or h.by_rule`
}

/** Over everyone, no join goes row by row, however few rows the planner expects of a table that it has not looked at. */
async function overEveryone<T>(tx: Tx, { among: who }: Scope, work: () => PromiseLike<T>): Promise<T> {
  if (who) return work()
  await tx`set local enable_nestloop = off`
  const result = await work()
  await tx`set local enable_nestloop = on`
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
  /** A number that stands for who gains, loses, stays and is excluded; of parts, their sum. */
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

// Sums of two hashes a row: the order of the rows does not matter, nor in how many parts they are read.
const digest = (db: Reads) => {
  const sum = (seed: number) =>
    db`coalesce(sum(hashtextextended(user_id || ' ' || coalesce(outcome, '-'), ${seed})), 0)::text`
  return db`${sum(1)} || ',' || ${sum(2)}`
}

/** Counts the difference, and changes nothing. */
export async function survey(tx: Tx, scope: Scope): Promise<Survey> {
  const [row] = await overEveryone(
    tx,
    scope,
    () => tx<Survey[]>`
      with difference as materialized (${difference(tx, scope)})
      select ${counts(tx)}, ${digest(tx)} as digest from difference`,
  )
  return row as Survey
}

/** Counts the difference, and notes down for a run whom it is to look at; `isDigested` where it is held against a plan. */
export async function surveyForRun(tx: Tx, scope: Scope, runId: string, isDigested: boolean): Promise<Survey> {
  const [row] = await overEveryone(
    tx,
    scope,
    () => tx<Survey[]>`
      with difference as materialized (${difference(tx, scope)}),
      noted as (
        insert into automation_run_items (tenant_id, run_id, user_id, outcome)
        select ${scope.tenantId}, ${runId}, user_id, outcome from difference where outcome in ('gain', 'lose')
        on conflict do nothing
      )
      select ${counts(tx)}, ${isDigested ? digest(tx) : tx`''`} as digest from difference`,
  )
  return row as Survey
}

/** Those of some users for whom something is to be done. */
export async function listChanges(db: Reads, scope: Scope): Promise<Change[]> {
  return db<Change[]>`
    select user_id as "userId", outcome from (${difference(db, scope)}) as difference
    where outcome in ('gain', 'lose') order by user_id`
}

export type Planned = { userId: string; outcome: NonNullable<Outcome> }

/** Who would be affected and how, by id. */
export async function listPlanned(
  db: Reads,
  scope: Scope,
  outcomes: readonly string[],
  page: Pick<Page, 'limit'> & { after: string },
): Promise<Planned[]> {
  return db<Planned[]>`
    select user_id as "userId", outcome from (${difference(db, scope)}) as difference
    where outcome = any(${outcomes as string[]}::text[]) and user_id > ${page.after}
    order by user_id limit ${page.limit}`
}

/** The next users by id, whoever they are: the part of everyone that is looked at in one go. */
export async function listNextUsers(db: Reads, tenantId: number, after: string, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select user_id as id from users where tenant_id = ${tenantId} and user_id > ${after}
    order by user_id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** How many accounts that are nobody's hold the entitlement by the rule. */
export async function countOfNobody(db: Reads, tenantId: number, ref: EntitlementRef): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from grants g
    join accounts a on a.tenant_id = g.tenant_id and a.app_id = g.app_id and a.account_id = g.account_id
    where g.tenant_id = ${tenantId} and g.app_id = ${ref.appId} and g.entitlement_id = ${ref.id}
      and g.ended_at is null and g.source = 'rule' and a.user_id is null`
  return row?.count ?? 0
}

/** How many grants the rule has given and not taken back; `limit` where there are more. */
export async function countMembers(db: Reads, tenantId: number, ref: EntitlementRef, limit: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from (
      select from grants g where g.tenant_id = ${tenantId} and g.app_id = ${ref.appId} and g.entitlement_id = ${ref.id}
        and g.ended_at is null and g.source = 'rule' limit ${Math.ceil(limit)}) g`
  return row?.count ?? 0
}
