import { inOrder, type Order, type Sortable } from '#kernel/order.ts'
import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { findEarliest, listTenantsWith } from '#kernel/tenants-with.ts'
import type { Change, EntitlementRef, Failure, Run, RunCause, RunStatus } from '../automation.ts'

const columns = (db: Reads) => db`
  r.run_id as id, r.app_id as "appId", r.entitlement_id as "entitlementId", r.version, r.cause,
  r.started_by as "startedBy", r.phase, r.status, r.is_released as "isReleased", r.position, r.asked_units as "askedUnits",
  r.asked_users as "askedUsers", r.matched, r.excluded,
  r.members, r.to_gain as "toGain", r.to_lose as "toLose", r.gained, r.lost, r.failed, r.failures,
  coalesce(r.undoes, '') as undoes, coalesce(r.undone_by, '') as "undoneBy", r.left_alone as "leftAlone", r.error,
  r.started_at as "startedAt", r.finished_at as "finishedAt"`
const ofKey = (db: Reads, tenantId: number, id: string) => db`r.tenant_id = ${tenantId} and r.run_id = ${id}`
const ofRule = (db: Reads, tenantId: number, { appId, id }: EntitlementRef) => db`
  r.tenant_id = ${tenantId} and r.app_id = ${appId} and r.entitlement_id = ${id}`

export type NewRun = Pick<Run, 'id' | 'version' | 'cause' | 'startedBy' | 'phase' | 'status'> & {
  ref: EntitlementRef
  isReleased?: boolean
  undoes?: string
  error?: string
  at: Date
}

export async function insertRun(tx: Tx, tenantId: number, run: NewRun): Promise<void> {
  const { ref, at, status } = run
  await tx`
    insert into automation_runs (tenant_id, run_id, app_id, entitlement_id, version, cause, started_by, phase, status,
      is_released, undoes, error, started_at, stepped_at, finished_at)
    values (${tenantId}, ${run.id}, ${ref.appId}, ${ref.id}, ${run.version}, ${run.cause}, ${run.startedBy},
      ${run.phase}, ${status}, ${run.isReleased ?? false}, ${run.undoes ?? null}, ${run.error ?? ''}, ${at}, ${at},
      ${status === 'running' || status === 'held' ? null : at})`
}

export async function findRun(db: Reads, tenantId: number, ref: EntitlementRef, id: string): Promise<Run | null> {
  const [row] = await db<Run[]>`
    select ${columns(db)} from automation_runs r where ${ofRule(db, tenantId, ref)} and r.run_id = ${id}`
  return row ?? null
}

/** The run of a rule that waits for a person. Nobody else changes it while the caller holds the rule. */
export async function findHeldRun(tx: Tx, tenantId: number, ref: EntitlementRef): Promise<Run | null> {
  const [row] = await tx<Run[]>`
    select ${columns(tx)} from automation_runs r where ${ofRule(tx, tenantId, ref)} and r.status = 'held'`
  return row ?? null
}

/** The runs of some rules that are under way, by `appId/id`: their ids. */
export async function findOpenRuns(
  db: Reads,
  tenantId: number,
  refs: readonly EntitlementRef[],
): Promise<Map<string, string>> {
  const rows = await db<{ key: string; id: string }[]>`
    select r.app_id || '/' || r.entitlement_id as key, r.run_id as id from automation_runs r
    where r.tenant_id = ${tenantId} and r.status in ('running', 'held') and (r.app_id, r.entitlement_id) in (
      select * from unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[]))`
  return new Map(rows.map(({ key, id }) => [key, id]))
}

const anyRun: RunFilter = { statuses: [], causes: [], hasChanged: null }

export const runOrders = [
  'started',
  'cause',
  'version',
  'status',
  'matched',
  'excluded',
  'failed',
  'added',
  'removed',
] as const
export type RunOrder = Order<(typeof runOrders)[number]>
/** Counts that callers who may not see everyone see in part only: they cannot sort by them either. */
export const hiddenOrders: readonly string[] = ['matched', 'excluded', 'failed']

/** Empty lists and nulls filter nothing. */
export type RunFilter = { statuses: readonly string[]; causes: readonly string[]; hasChanged: boolean | null }

// The runs of one rule: those that changed nothing are deleted, so that there are thousands at most.
const sortables = (db: Reads): Record<(typeof runOrders)[number], Sortable> => ({
  started: { by: db`r.started_at`, type: 'timestamptz' },
  cause: { by: db`r.cause`, type: 'text' },
  version: { by: db`r.version::bigint`, type: 'bigint' },
  status: { by: db`r.status`, type: 'text' },
  matched: { by: db`r.matched::bigint`, type: 'bigint' },
  excluded: { by: db`r.excluded::bigint`, type: 'bigint' },
  failed: { by: db`r.failed::bigint`, type: 'bigint' },
  added: { by: db`r.gained::bigint`, type: 'bigint' },
  removed: { by: db`r.lost::bigint`, type: 'bigint' },
})

const runsWanted = (db: Reads, tenantId: number, ref: EntitlementRef, filter: RunFilter) => db`
  automation_runs r
  where ${ofRule(db, tenantId, ref)}
    ${filter.statuses.length > 0 ? db`and r.status = any(${filter.statuses}::text[])` : db``}
    ${filter.causes.length > 0 ? db`and r.cause = any(${filter.causes}::text[])` : db``}
    ${filter.hasChanged === null ? db`` : db`and (r.gained > 0 or r.lost > 0) = ${filter.hasChanged}`}`

/** How many match a filter, at most `limit`. */
export async function countRuns(
  db: Reads,
  tenantId: number,
  ref: EntitlementRef,
  filter: RunFilter,
  limit: number,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (select 1 from ${runsWanted(db, tenantId, ref, filter)} limit ${limit}) x`
  return row?.count ?? 0
}

/** The latest first, unless an order is requested. */
export async function listRuns(
  db: Reads,
  tenantId: number,
  ref: EntitlementRef,
  page: Pick<Page, 'after' | 'limit'>,
  { filter, order }: { filter: RunFilter; order: RunOrder } = { filter: anyRun, order: null },
): Promise<(Run & { key?: string })[]> {
  if (order) {
    const sorted = inOrder(db, sortables(db)[order.key], order.isDescending, [db`r.run_id`], page)
    return db<(Run & { key: string })[]>`
      select ${columns(db)}, ${sorted.value} as key from ${runsWanted(db, tenantId, ref, filter)} ${sorted.after} ${sorted.by}`
  }
  const after = page.after?.[0]
  return db<Run[]>`
    select ${columns(db)} from ${runsWanted(db, tenantId, ref, filter)}
      ${after === undefined ? db`` : db`and r.run_id < ${after}`}
    order by r.run_id desc limit ${page.limit}`
}

/** The last run that changed anything. */
export async function findLastThatChanged(db: Reads, tenantId: number, ref: EntitlementRef): Promise<string> {
  const [row] = await db<{ id: string }[]>`
    select r.run_id as id from automation_runs r
    where ${ofRule(db, tenantId, ref)} and (r.gained > 0 or r.lost > 0)
    order by r.run_id desc limit 1`
  return row?.id ?? ''
}

const tenantsAtOnce = 20

/**
 * Tenants with runs that are under way, those that have waited longest first; except some that are being worked on already.
 */
export async function listTenantsWithRuns(db: Reads, otherThan: readonly number[]): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    select r.tenant_id as id from automation_runs r
    where r.status = 'running' and r.tenant_id <> all(${otherThan}::int[])
    group by r.tenant_id order by min(r.stepped_at), r.tenant_id limit ${tenantsAtOnce}`
  return rows.map(({ id }) => id)
}

// Not `for update`: others add users to its list meanwhile, which takes a share lock on its key.
/** Locks the run that is under way, that no one works on at the moment, and that has waited longest. */
export async function lockRunToStep(tx: Tx, tenantId: number): Promise<Run | null> {
  const [row] = await tx<Run[]>`
    select ${columns(tx)} from automation_runs r where r.tenant_id = ${tenantId} and r.status = 'running'
    order by r.stepped_at limit 1 for no key update skip locked`
  return row ?? null
}

export type DueRule = EntitlementRef & { version: number; cause: RunCause; by: string }

/** When the next rule is due. */
export const findNextRun = (db: Reads, before: Date): Promise<Date | null> =>
  findEarliest(
    db,
    db`select m.due_at as at from automations m
      left join automation_runs r on r.tenant_id = m.tenant_id and r.app_id = m.app_id
        and r.entitlement_id = m.entitlement_id and r.status in ('running', 'held')
      where m.deleted_at is null and m.paused_why is null and m.due_at <= ${before} and r.run_id is null`,
  )

export async function listTenantsWithDue(db: Reads, at: Date): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    select m.tenant_id as id from automations m
    left join automation_runs r on r.tenant_id = m.tenant_id and r.app_id = m.app_id
      and r.entitlement_id = m.entitlement_id and r.status in ('running', 'held')
    where m.deleted_at is null and m.paused_why is null and m.due_at <= ${at} and r.run_id is null
    group by m.tenant_id order by min(m.due_at), m.tenant_id limit ${tenantsAtOnce}`
  return rows.map(({ id }) => id)
}

/** Locks rules that are due and have not begun to run. */
export async function lockDueRules(tx: Tx, tenantId: number, at: Date, limit: number): Promise<DueRule[]> {
  return tx<DueRule[]>`
    select m.app_id as "appId", m.entitlement_id as id, m.version, m.due_cause as cause, m.due_by as by
    from automations m
    where m.tenant_id = ${tenantId} and m.deleted_at is null and m.paused_why is null and m.due_at <= ${at}
      and not exists (select 1 from automation_runs r
        where r.tenant_id = ${tenantId} and r.app_id = m.app_id and r.entitlement_id = m.entitlement_id
          and r.status in ('running', 'held'))
    order by m.due_at limit ${limit} for no key update of m skip locked`
}

/** Notes that a rule's run has begun. */
export async function setBegun(tx: Tx, tenantId: number, { appId, id }: DueRule, runId: string): Promise<void> {
  await tx`
    update automations m set due_at = null, last_run_id = ${runId}
    where m.tenant_id = ${tenantId} and m.app_id = ${appId} and m.entitlement_id = ${id}`
}

export type Found = Pick<Run, 'matched' | 'excluded' | 'members' | 'toGain' | 'toLose' | 'failed' | 'position'> & {
  /** What it has cost, including earlier parts. */
  asked?: { units: number; users: number }
}

/** Adds to the counts of what a run has found. */
export async function addFound(tx: Tx, tenantId: number, runId: string, found: Found, at: Date): Promise<Run> {
  const [row] = await tx<Run[]>`
    update automation_runs r set matched = r.matched + ${found.matched}, excluded = r.excluded + ${found.excluded},
      members = r.members + ${found.members}, to_gain = r.to_gain + ${found.toGain},
      to_lose = r.to_lose + ${found.toLose}, failed = r.failed + ${found.failed}, position = ${found.position},
      stepped_at = ${at},
      asked_units = ${found.asked?.units ?? 0}, asked_users = ${found.asked?.users ?? 0}
    where ${ofKey(tx, tenantId, runId)} returning ${columns(tx)}`
  return row as Run
}

const failuresMax = 20

/** Adds some of the users for whom the rule failed. */
export async function addFailures(
  tx: Tx,
  tenantId: number,
  runId: string,
  failures: readonly Failure[],
): Promise<void> {
  if (failures.length === 0) return
  await tx`
    update automation_runs r set failures = (
      select jsonb_agg(f) from (
        select f from jsonb_array_elements(r.failures || ${tx.json(failures)}::jsonb) f limit ${failuresMax}) x)
    where ${ofKey(tx, tenantId, runId)}`
}

/** How many grants rules of an app have made since. */
export async function sumGained(db: Reads, tenantId: number, appId: string, since: Date): Promise<number> {
  const [row] = await db<{ gained: number }[]>`
    select coalesce(sum(gained), 0) as gained from automation_runs
    where tenant_id = ${tenantId} and app_id = ${appId} and started_at > ${since}`
  return row?.gained ?? 0
}

export async function addDone(
  tx: Tx,
  tenantId: number,
  runId: string,
  { gained, lost, failed = 0, leftAlone = 0 }: { gained: number; lost: number; failed?: number; leftAlone?: number },
  at: Date,
): Promise<void> {
  await tx`
    update automation_runs r set gained = r.gained + ${gained}, lost = r.lost + ${lost},
      failed = r.failed + ${failed}, left_alone = r.left_alone + ${leftAlone}, stepped_at = ${at}
    where ${ofKey(tx, tenantId, runId)}`
}

/** Notes how far a run has got. */
export async function setPosition(tx: Tx, tenantId: number, runId: string, position: string, at: Date): Promise<void> {
  await tx`
    update automation_runs r set position = ${position}, stepped_at = ${at} where ${ofKey(tx, tenantId, runId)}`
}

export async function setPhase(tx: Tx, tenantId: number, runId: string, phase: Run['phase'], at: Date): Promise<void> {
  await tx`
    update automation_runs r set phase = ${phase}, stepped_at = ${at} where ${ofKey(tx, tenantId, runId)}`
}

/** Ends a run, or lets it wait for a person. Returns when it began. */
export async function setStatus(
  tx: Tx,
  tenantId: number,
  runId: string,
  { status, error = '', at }: { status: RunStatus; error?: string; at: Date },
): Promise<{ startedAt: Date }> {
  const isOver = status !== 'held' && status !== 'running'
  const [row] = await tx<{ startedAt: Date }[]>`
    update automation_runs r set status = ${status}, error = ${error}, stepped_at = ${at},
      phase = case when ${isOver} then 'over' else r.phase end,
      finished_at = case when ${isOver} then greatest(r.started_at, ${at}) end
    where ${ofKey(tx, tenantId, runId)} returning r.started_at as "startedAt"`
  return row as { startedAt: Date }
}

export async function setUndoneBy(tx: Tx, tenantId: number, runId: string, by: string): Promise<void> {
  await tx`update automation_runs r set undone_by = ${by} where ${ofKey(tx, tenantId, runId)}`
}

/** Adds users to the list of a run that is under way; an empty id means accounts without a user. */
export async function insertItems(tx: Tx, tenantId: number, runId: string, userIds: readonly string[]): Promise<void> {
  await tx`
    insert into automation_run_items (tenant_id, run_id, user_id, outcome)
    select ${tenantId}, ${runId}, u.id, 'lose' from unnest(${userIds}::text[]) as u (id)
    on conflict do nothing`
}

/** The next users on the list of a run, by id; they are removed from it when the transaction commits. */
export async function takeItems(tx: Tx, tenantId: number, runId: string, limit: number): Promise<Change[]> {
  // As a range, and not by joining the next ones: the planner knows nothing about a list that was filled a moment ago, and
  // took 4 s for a thousand.
  const rows = await tx<Change[]>`
    delete from automation_run_items i
    where i.tenant_id = ${tenantId} and i.run_id = ${runId} and i.user_id <= (
      select max(user_id) from (
        select user_id from automation_run_items where tenant_id = ${tenantId} and run_id = ${runId}
        order by user_id limit ${limit}) next)
    returning i.user_id as "userId", i.outcome`
  return rows.toSorted((a, b) => (a.userId < b.userId ? -1 : 1))
}

export async function deleteItems(tx: Tx, tenantId: number, runId: string): Promise<void> {
  await tx`delete from automation_run_items where tenant_id = ${tenantId} and run_id = ${runId}`
}

// Scheduled runs that found nothing to do.
const idle = (db: Reads, before: Date) => db`
  r.status = 'done' and r.cause = 'schedule' and r.gained = 0 and r.lost = 0 and r.failed = 0 and r.finished_at < ${before}`

/** Tenants with old scheduled runs that found nothing to do. */
export const listTenantsWithIdleRuns = (db: Reads, before: Date): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`select r.tenant_id from automation_runs r where ${idle(db, before)} and r.tenant_id > ${after}`,
  )

/** Deletes some of them, except those that are the last of their rules. */
export async function deleteIdleRuns(tx: Tx, tenantId: number, before: Date, limit: number): Promise<number> {
  const { count } = await tx`
    delete from automation_runs where tenant_id = ${tenantId} and run_id in (
      select r.run_id from automation_runs r
      where r.tenant_id = ${tenantId} and ${idle(tx, before)}
        and not exists (select 1 from automations m where m.tenant_id = ${tenantId} and m.last_run_id = r.run_id)
      order by r.finished_at limit ${limit})`
  return count
}
