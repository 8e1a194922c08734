import type { Reads } from '#kernel/sql.ts'
import type { Fragment } from '#rooms/rules/expressions/index.ts'
import { type Among, among } from '../../matching/store/difference.ts'

/** The results of two rules for the rows `u` of users: true, false, or null if they fail. */
export type Verdicts = { from: Fragment; to: Fragment }

/** Enabled users and the results of both rules for them. `offset 0` avoids evaluating them twice for each user. */
const asked = (db: Reads, tenantId: number, { from, to }: Verdicts, who: Among) => db`
  select u.user_id, (${from}) is true as by_from, (${to}) is true as by_to
  from users u
  where u.tenant_id = ${tenantId} and u.status = 'ENABLED' and u.deleted_at is null ${among(db, db`u.user_id`, who)}
  offset 0`

export type Matched = { both: number; onlyFrom: number; onlyTo: number }

/** Each user is read once, as for a plan. */
export async function countMatched(db: Reads, tenantId: number, verdicts: Verdicts, who: Among): Promise<Matched> {
  const [row] = await db<Matched[]>`
    select count(*) filter (where by_from and by_to) as both,
      count(*) filter (where by_from and not by_to) as "onlyFrom",
      count(*) filter (where by_to and not by_from) as "onlyTo"
    from (${asked(db, tenantId, verdicts, who)}) d`
  return row as Matched
}

export type Differing = { userId: string; isFrom: boolean }

/** The users whom only one of the two matches. */
export async function listDiffering(
  db: Reads,
  tenantId: number,
  verdicts: Verdicts,
  who: Among,
  limit: number,
): Promise<Differing[]> {
  return db<Differing[]>`
    select user_id as "userId", by_from as "isFrom" from (${asked(db, tenantId, verdicts, who)}) d
    where by_from <> by_to order by user_id limit ${limit}`
}
