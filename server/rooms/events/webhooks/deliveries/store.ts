import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { findEarliest, listTenantsWith } from '#kernel/tenants-with.ts'
import type { Answer } from './answers.ts'
import type { Attempt, Claimed, Delivery, DeliveryState } from './delivery.ts'

const columns = (db: Reads) => db`
  d.delivery_id as id, d.webhook_id as "webhookId", d.state, d.source, d.ticket_id as "ticketId", d.step_id as "stepId",
  d.payload, d.destination, d.host, d.origin, d.attempts, d.bad_answers as "badAnswers", d.error, d.answer,
  d.due_at as "dueAt", d.created_at as "createdAt", d.updated_at as "updatedAt", d.last_attempted_at as "lastAttemptedAt",
  d.completed_at as "completedAt", d.expires_at as "expiresAt"`

/** False if its step has one already. */
export async function insertDelivery(tx: Tx, tenantId: number, of: Delivery, callbackHash: Buffer): Promise<boolean> {
  const rows = await tx`
    insert into webhook_deliveries (tenant_id, delivery_id, webhook_id, state, source, ticket_id, step_id, payload, destination,
      host, origin, callback_hash, due_at, created_at, updated_at, expires_at)
    values (${tenantId}, ${of.id}, ${of.webhookId}, ${of.state}, ${of.source}, ${of.ticketId}, ${of.stepId}, ${of.payload},
      ${of.destination}, ${of.host}, ${of.origin}, ${callbackHash}, ${of.dueAt}, ${of.createdAt}, ${of.updatedAt},
      ${of.expiresAt})
    on conflict (tenant_id, step_id) where step_id <> '' do nothing returning 1`
  return rows.length > 0
}

export async function findDelivery(
  db: Reads,
  tenantId: number,
  webhookId: string,
  id: string,
): Promise<Delivery | null> {
  const [row] = await db<Delivery[]>`
    select ${columns(db)} from webhook_deliveries d
    where d.tenant_id = ${tenantId} and d.webhook_id = ${webhookId} and d.delivery_id = ${id}`
  return row ?? null
}

/** Newest first. */
export async function listDeliveries(
  db: Reads,
  tenantId: number,
  webhookId: string,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<Delivery[]> {
  return db<Delivery[]>`
    select ${columns(db)} from webhook_deliveries d
    where d.tenant_id = ${tenantId} and d.webhook_id = ${webhookId}
      ${page.after === null ? db`` : db`and d.delivery_id < ${page.after[0] as string}`}
    order by d.delivery_id desc limit ${page.limit}`
}

const attemptsMax = 100
export async function listAttempts(db: Reads, tenantId: number, deliveryId: string): Promise<Attempt[]> {
  return db<Attempt[]>`
    select a.attempt_id as id, a.number, a.request_headers as "requestHeaders", a.began_at as "beganAt",
      a.ended_at as "endedAt", a.status, a.error, a.reply_headers as "replyHeaders", a.reply_body as "replyBody",
      a.source_address as "sourceAddress"
    from webhook_attempts a where a.tenant_id = ${tenantId} and a.delivery_id = ${deliveryId}
    order by a.attempt_id limit ${attemptsMax}`
}

type Asker = Pick<Delivery, 'webhookId' | 'stepId' | 'state' | 'attempts'>
export async function findAsker(db: Reads, tenantId: number, deliveryId: string): Promise<Asker | null> {
  const [row] = await db<Asker[]>`
    select d.webhook_id as "webhookId", d.step_id as "stepId", d.state, d.attempts from webhook_deliveries d
    where d.tenant_id = ${tenantId} and d.delivery_id = ${deliveryId}`
  return row ?? null
}

export type Result = Pick<Attempt, 'number' | 'status' | 'error'>

/** The results of the attempts, without callbacks. */
export async function listResults(db: Reads, tenantId: number, deliveryId: string): Promise<Result[]> {
  return db<Result[]>`
    select a.number, a.status, a.error from webhook_attempts a
    where a.tenant_id = ${tenantId} and a.delivery_id = ${deliveryId} and a.number > 0
    order by a.attempt_id limit ${attemptsMax}`
}

export async function countOpenTests(db: Reads, tenantId: number, webhookId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from webhook_deliveries d
    where d.tenant_id = ${tenantId} and d.webhook_id = ${webhookId} and d.source = 'test' and d.completed_at is null`
  return row?.count ?? 0
}

export async function lockDelivery(tx: Tx, tenantId: number, id: string): Promise<(Delivery & Leased) | null> {
  const [row] = await tx<(Delivery & Leased)[]>`
    select ${columns(tx)}, d.lease_id as "leaseId" from webhook_deliveries d
    where d.tenant_id = ${tenantId} and d.delivery_id = ${id} for no key update`
  return row ?? null
}
type Leased = { leaseId: string }

export async function hasCallback(db: Reads, tenantId: number, hash: Buffer): Promise<boolean> {
  const rows = await db`select 1 from webhook_deliveries where tenant_id = ${tenantId} and callback_hash = ${hash}`
  return rows.length > 0
}

export async function lockByCallback(tx: Tx, tenantId: number, hash: Buffer): Promise<Delivery | null> {
  const [row] = await tx<Delivery[]>`
    select ${columns(tx)} from webhook_deliveries d
    where d.tenant_id = ${tenantId} and d.callback_hash = ${hash} for no key update`
  return row ?? null
}

export async function lockOfStep(tx: Tx, tenantId: number, stepId: string): Promise<Delivery | null> {
  const [row] = await tx<Delivery[]>`
    select ${columns(tx)} from webhook_deliveries d
    where d.tenant_id = ${tenantId} and d.step_id = ${stepId} for no key update`
  return row ?? null
}

export async function listOpenOf(tx: Tx, tenantId: number, webhookId: string): Promise<Delivery[]> {
  return tx<Delivery[]>`
    select ${columns(tx)} from webhook_deliveries d
    where d.tenant_id = ${tenantId} and d.webhook_id = ${webhookId} and d.state in ('pending', 'running', 'error', 'waiting')
    order by d.delivery_id for no key update`
}

export type Change = {
  state: DeliveryState
  at: Date
  dueAt: Date | null
  error?: string
  isBad?: boolean
  answer?: Answer | null
  expiresAt?: Date
}

export async function updateDelivery(tx: Tx, tenantId: number, id: string, to: Change): Promise<void> {
  const { state, at, dueAt, error = '', isBad = false, answer = null, expiresAt = null } = to
  const completedAt = state === 'success' || state === 'fatal' ? at : null
  await tx`
    update webhook_deliveries set state = ${state}, updated_at = ${at}, due_at = ${dueAt}, error = ${error},
      bad_answers = bad_answers + ${isBad ? 1 : 0}, answer = ${answer === null ? null : tx.json(answer)}::jsonb,
      completed_at = ${completedAt}, expires_at = coalesce(${expiresAt}::timestamptz, expires_at)
    where tenant_id = ${tenantId} and delivery_id = ${id}`
}

/** The new address of deliveries that are not over. */
export async function redirectOpen(
  tx: Tx,
  tenantId: number,
  webhookId: string,
  { destination, host }: Pick<Delivery, 'destination' | 'host'>,
): Promise<void> {
  await tx`
    update webhook_deliveries set destination = ${destination}, host = ${host}
    where tenant_id = ${tenantId} and webhook_id = ${webhookId} and state in ('pending', 'running', 'error')`
}

export const listTenantsWithDue = (db: Reads, at: Date): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`
      select tenant_id from webhook_deliveries where due_at <= ${at} and state <> 'waiting' and tenant_id > ${after}`,
  )

export const listTenantsWithUnanswered = (db: Reads, at: Date): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`
      select tenant_id from webhook_deliveries where due_at <= ${at} and state = 'waiting' and tenant_id > ${after}`,
  )

/** When the next attempt is due, or an attempt that was begun times out. */
export const findNextAttempt = (db: Reads, before: Date): Promise<Date | null> =>
  findEarliest(db, db`select due_at as at from webhook_deliveries where due_at <= ${before} and state <> 'waiting'`)

export const findNextUnanswered = (db: Reads, before: Date): Promise<Date | null> =>
  findEarliest(db, db`select due_at as at from webhook_deliveries where due_at <= ${before} and state = 'waiting'`)

export const listTenantsWithOld = (db: Reads, before: Date): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`select tenant_id from webhook_deliveries where completed_at < ${before} and tenant_id > ${after}`,
  )

/** Deliveries that are due, except to hosts that have enough under way. */
export async function listDue(
  db: Reads,
  tenantId: number,
  { at, notTo, limit }: { at: Date; notTo: readonly string[]; limit: number },
): Promise<Pick<Delivery, 'id' | 'host'>[]> {
  return db<Pick<Delivery, 'id' | 'host'>[]>`
    select d.delivery_id as id, d.host from webhook_deliveries d
    where d.tenant_id = ${tenantId} and d.due_at <= ${at} and d.state in ('pending', 'running', 'error')
      and d.host <> all(${notTo}::text[])
    order by d.due_at limit ${limit}`
}

/**
 * Claims deliveries for a time, each for one attempt. Those that another process has claimed in the meantime are left out.
 */
export async function claimDeliveries(
  tx: Tx,
  tenantId: number,
  ids: readonly string[],
  { at, until, leaseId }: { at: Date; until: Date; leaseId: string },
): Promise<Omit<Claimed, 'attemptId'>[]> {
  return tx<Omit<Claimed, 'attemptId'>[]>`
    update webhook_deliveries d set state = 'running', lease_id = ${leaseId}, due_at = ${until}, attempts = d.attempts + 1,
      last_attempted_at = ${at}, updated_at = ${at}
    where d.tenant_id = ${tenantId} and d.delivery_id = any(${ids}::text[]) and d.due_at <= ${at}
      and d.state in ('pending', 'running', 'error')
    returning ${columns(tx)}, d.lease_id as "leaseId"`
}

export async function listUnanswered(db: Reads, tenantId: number, at: Date, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select d.delivery_id as id from webhook_deliveries d
    where d.tenant_id = ${tenantId} and d.state = 'waiting' and d.due_at <= ${at} order by d.due_at limit ${limit}`
  return rows.map(({ id }) => id)
}

export async function deleteOld(tx: Tx, tenantId: number, before: Date, limit: number): Promise<number> {
  const rows = await tx`
    delete from webhook_deliveries where tenant_id = ${tenantId} and delivery_id = any(array(
      select o.delivery_id::text from webhook_deliveries o
      where o.tenant_id = ${tenantId} and o.completed_at < ${before} order by o.completed_at limit ${limit}))
    returning 1`
  return rows.length
}

export async function insertAttempts(
  tx: Tx,
  tenantId: number,
  attempts: readonly { id: string; deliveryId: string; number: number }[],
  at: Date,
): Promise<void> {
  await tx`
    insert into webhook_attempts (tenant_id, delivery_id, attempt_id, number, began_at)
    select ${tenantId}, a.delivery_id, a.attempt_id, a.number, ${at}
    from unnest(${attempts.map(({ deliveryId }) => deliveryId)}::text[], ${attempts.map(({ id }) => id)}::text[],
      ${attempts.map(({ number }) => number)}::int[]) as a (delivery_id, attempt_id, number)`
}

export type Ended = Omit<Attempt, 'beganAt' | 'endedAt' | 'number' | 'sourceAddress'> & { endedAt: Date }

export async function endAttempt(tx: Tx, tenantId: number, deliveryId: string, of: Ended): Promise<void> {
  await tx`
    update webhook_attempts set ended_at = ${of.endedAt}, status = ${of.status}, error = ${of.error},
      request_headers = ${tx.json(of.requestHeaders)}, reply_headers = ${tx.json(of.replyHeaders)}, reply_body = ${of.replyBody}
    where tenant_id = ${tenantId} and delivery_id = ${deliveryId} and attempt_id = ${of.id}`
}

const callbacksMax = 20

/** Records a callback, unless there were too many. */
export async function insertCallback(
  tx: Tx,
  tenantId: number,
  deliveryId: string,
  of: Pick<Attempt, 'id' | 'beganAt' | 'status' | 'error' | 'replyBody' | 'sourceAddress'>,
): Promise<void> {
  await tx`
    insert into webhook_attempts (tenant_id, delivery_id, attempt_id, number, began_at, ended_at, status, error, reply_body,
      source_address)
    select ${tenantId}, ${deliveryId}, ${of.id}, 0, ${of.beganAt}, ${of.beganAt}, ${of.status}, ${of.error}, ${of.replyBody},
      ${of.sourceAddress}
    where (select count(*) from webhook_attempts o
      where o.tenant_id = ${tenantId} and o.delivery_id = ${deliveryId} and o.number = 0) < ${callbacksMax}`
}
