import type { Tenancy } from '#kernel/routes.ts'
import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import { findEarliest, listTenantsWith } from '#kernel/tenants-with.ts'
import type { Place } from '#rooms/foundation/systemlog/index.ts'
import type { Reason, State, Subscription } from '../subscription.ts'
import { columns, type Row, subscriptionOf } from './subscriptions.ts'

/** Active, not waiting after a failure, and not being sent to. */
const isFree = (db: Reads, { at, mayTakeOver }: Judging): Fragment => db`
  s.state = 'active' and (s.next_attempt_at is null or s.next_attempt_at <= ${at})
    and (s.lease_until is null or (${mayTakeOver} and s.lease_until < statement_timestamp()))`

/** Just after a clock jump nothing is taken over: the process that is sending had no time to renew its lease. */
type Judging = { at: Date; mayTakeOver: boolean }

/** Tenants that have subscriptions with events to send. */
export const listTenantsDue = (db: Reads, judging: Judging): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`select s.tenant_id from subscriptions s join systemlog_heads h on h.tenant_id = s.tenant_id
      where ${isFree(db, judging)} and (s.is_behind or h.seal_number > s.cursor_seal) and s.tenant_id > ${after}`,
  )

/** When one with events to send may be tried again, or the lease on it expires. */
export const findNextDelivery = (db: Reads, before: Date): Promise<Date | null> =>
  findEarliest(
    db,
    db`select coalesce(greatest(s.next_attempt_at, s.lease_until), statement_timestamp()) as at
      from subscriptions s join systemlog_heads h on h.tenant_id = s.tenant_id
      where s.state = 'active' and (s.is_behind or h.seal_number > s.cursor_seal)
        and (s.next_attempt_at is null or s.next_attempt_at <= ${before})`,
  )

export async function findTenancy(db: Reads, tenantId: number): Promise<Tenancy | null> {
  const [row] = await db<Tenancy[]>`
    select tenant_id as id, public_id as "publicId", domain from tenants where tenant_id = ${tenantId}`
  return row ?? null
}

export type ClaimWanted = Judging & {
  /** The last link of the tenant's chain. */
  headSeal: number
  limit: number
  /** Whether to include those whose last attempt failed. */
  withFailing: boolean
  /** Subscriptions to leave out, because they are slow. */
  except: readonly string[]
}

/** Subscriptions to start, those first that have waited longest. */
export async function lockDue(tx: Tx, tenantId: number, wanted: ClaimWanted): Promise<string[]> {
  const { headSeal, limit, withFailing, except } = wanted
  const rows = await tx<{ id: string }[]>`
    select s.subscription_id as id from subscriptions s
    where s.tenant_id = ${tenantId} and ${isFree(tx, wanted)} and (s.is_behind or ${headSeal}::bigint > s.cursor_seal)
      and s.subscription_id <> all(${[...except]}::text[])
      ${withFailing ? tx`` : tx`and s.attempt = 0`}
    order by s.attempt > 0, s.claimed_at nulls first, s.subscription_id limit ${limit}
    for update skip locked`
  return rows.map(({ id }) => id)
}

export type Claimed = Subscription & { leaseId: string }

export async function claim(
  tx: Tx,
  tenantId: number,
  ids: readonly string[],
  { leaseId, leaseMs, at }: { leaseId: string; leaseMs: number; at: Date },
): Promise<Claimed[]> {
  const rows = await tx<Row[]>`
    update subscriptions s set lease_id = ${leaseId}, claimed_at = ${at},
      lease_until = statement_timestamp() + ${leaseMs} * interval '1 ms'
    where tenant_id = ${tenantId} and subscription_id = any(${[...ids]}::text[])
    returning ${columns(tx)}`
  return rows.map((row) => ({ ...subscriptionOf(row), leaseId }))
}

/** Returns which of them are still leased. */
export async function renew(
  db: Reads,
  tenantId: number,
  leaseIds: readonly string[],
  leaseMs: number,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    update subscriptions set lease_until = statement_timestamp() + ${leaseMs} * interval '1 ms'
    where tenant_id = ${tenantId} and lease_id = any(${[...leaseIds]}::text[])
    returning subscription_id as id`
  return rows.map(({ id }) => id)
}

export type Progress = {
  cursor: Place
  delivered: number
  lastDeliveredAt: Date | null
  filterErrors: number
  filterError: string
}

/** How a run leaves its subscription. */
export type Left = { isBehind: boolean; failure: Failure | null }
/** Failed attempts at the next event, and when it is tried again; or why the subscription is paused or ended. */
export type Failure = {
  attempt: number
  failingSince: Date | null
  nextAttemptAt: Date | null
  state: State
  reason: Reason | ''
  detail: string
  at: Date
}

/** The commit returns before it is on disk. */
export async function commitLater(tx: Tx): Promise<void> {
  await tx`set local synchronous_commit = off`
}

export type Held = { leaseId: string | null; version: number; state: State }

/** Locks subscriptions and returns their leases: nothing is written to one that has another lease. */
export async function lockHeld(tx: Tx, tenantId: number, ids: readonly string[]): Promise<ReadonlyMap<string, Held>> {
  const rows = await tx<(Held & { id: string })[]>`
    select subscription_id as id, lease_id as "leaseId", version, state from subscriptions
    where tenant_id = ${tenantId} and subscription_id = any(${[...ids]}::text[])
    order by subscription_id for update`
  return new Map(rows.map(({ id, ...held }) => [id, held]))
}

/** Moves the cursors of locked subscriptions past what was acknowledged. */
export async function saveProgress(
  tx: Tx,
  tenantId: number,
  moved: readonly (Progress & { id: string })[],
): Promise<void> {
  await tx`
    update subscriptions s set cursor_seal = p.seal, cursor_position = p.position, attempt = 0, failing_since = null,
      next_attempt_at = null, delivered_count = s.delivered_count + p.delivered,
      last_delivered_at = coalesce(p.delivered_at, s.last_delivered_at),
      filter_error_count = s.filter_error_count + p.filter_errors,
      filter_error = case when p.filter_errors > 0 then p.filter_error else s.filter_error end,
      detail = case when s.state = 'active' then '' else s.detail end
    from unnest(${moved.map(({ id }) => id)}::text[], ${moved.map(({ cursor }) => cursor[0])}::bigint[],
      ${moved.map(({ cursor }) => cursor[1])}::int[], ${moved.map(({ delivered }) => delivered)}::int[],
      ${tx.array(
        'timestamptz',
        moved.map(({ lastDeliveredAt }) => lastDeliveredAt),
      )}, ${moved.map(({ filterErrors }) => filterErrors)}::int[], ${moved.map(({ filterError }) => filterError)}::text[])
      as p (id, seal, position, delivered, delivered_at, filter_errors, filter_error)
    where s.tenant_id = ${tenantId} and s.subscription_id = p.id`
}

/** Ends the leases of locked subscriptions. */
export async function release(tx: Tx, tenantId: number, ids: readonly string[], isBehind: boolean): Promise<void> {
  await tx`
    update subscriptions set lease_id = null, lease_until = null, is_behind = ${isBehind}
    where tenant_id = ${tenantId} and subscription_id = any(${[...ids]}::text[])`
}

/** Saves a failure, unless someone paused or ended the subscription in the meantime. */
export async function saveFailure(tx: Tx, tenantId: number, id: string, failure: Failure): Promise<void> {
  const { attempt, failingSince, nextAttemptAt, state, reason, detail, at } = failure
  await tx`
    update subscriptions set attempt = ${attempt}, failing_since = ${failingSince}, next_attempt_at = ${nextAttemptAt},
      state = ${state}, reason = ${reason}, detail = ${detail}
      ${state === 'active' ? tx`` : tx`, state_changed_at = ${at}, version = version + 1`}
    where tenant_id = ${tenantId} and subscription_id = ${id} and state = 'active'`
}

export type Totals = { state: State; isFailing: boolean; count: number }

/** For the operator of all tenants. */
export async function countByState(db: Reads): Promise<Totals[]> {
  return db<Totals[]>`
    select state, attempt > 0 as "isFailing", count(*)::int as count from subscriptions group by 1, 2`
}

/** Of all tenants: the cursors of active subscriptions that have events to send. */
export async function listBehind(db: Reads, limit: number): Promise<{ tenantId: number; cursor: Place }[]> {
  const rows = await db<{ tenantId: number; seal: number; position: number }[]>`
    select s.tenant_id as "tenantId", s.cursor_seal as seal, s.cursor_position as position
    from subscriptions s join systemlog_heads h on h.tenant_id = s.tenant_id
    where s.state = 'active' and (s.is_behind or h.seal_number > s.cursor_seal)
    order by s.tenant_id limit ${limit}`
  return rows.map(({ tenantId, seal, position }) => ({ tenantId, cursor: [seal, position] }))
}

/** The subscription that is furthest behind, paused ones included. One that has ended no longer needs events. */
export async function findOldestCursor(
  db: Reads,
  tenantId: number,
): Promise<{ displayName: string; sealNumber: number } | null> {
  const [row] = await db<{ displayName: string; sealNumber: number }[]>`
    select display_name as "displayName", cursor_seal as "sealNumber" from subscriptions
    where tenant_id = ${tenantId} and state <> 'ended' order by cursor_seal limit 1`
  return row ?? null
}
