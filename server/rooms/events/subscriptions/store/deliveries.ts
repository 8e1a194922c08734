import type { Page } from '#kernel/pages.ts'
import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'
import type { Delivery, KeptReply, SentRequest } from '../subscription.ts'

type Row = Omit<Delivery, 'request' | 'reply'> & { request: string; reply: string }

const columns = (db: Reads): Fragment => db`
  delivery_id as id, subscription_id as "subscriptionId", message_id as "messageId", kind, is_test as "isTest", attempt,
  outcome, started_at as "startedAt", duration_ms as "durationMs", status, error, request, reply`

const deliveryOf = ({ request, reply, ...row }: Row): Delivery => ({
  ...row,
  request: JSON.parse(request) as SentRequest,
  reply: reply === '' ? null : (JSON.parse(reply) as KeptReply),
})

const replyText = ({ reply }: Delivery): string => (reply ? JSON.stringify(reply) : '')

export async function insertDeliveries(tx: Tx, tenantId: number, rows: readonly Delivery[]): Promise<void> {
  const texts = (of: (row: Delivery) => string) => tx.array('text', rows.map(of))
  const ints = (of: (row: Delivery) => number) => tx.array('int4', rows.map(of))
  await tx`
    insert into subscription_deliveries (tenant_id, subscription_id, delivery_id, message_id, kind, is_test, attempt,
      outcome, started_at, duration_ms, status, error, request, reply)
    select ${tenantId}::int, d.subscription_id, d.delivery_id, d.message_id, d.kind, d.is_test = 1, d.attempt, d.outcome,
      d.started_at, d.duration_ms, d.status, d.error, d.request, d.reply
    from unnest(${texts((row) => row.subscriptionId)}, ${texts((row) => row.id)}, ${texts((row) => row.messageId)},
      ${texts((row) => row.kind)}, ${ints((row) => (row.isTest ? 1 : 0))}, ${ints((row) => row.attempt)},
      ${texts((row) => row.outcome)}, ${tx.array(
        'timestamptz',
        rows.map((row) => row.startedAt),
      )}, ${ints((row) => row.durationMs)}, ${ints((row) => row.status)}, ${texts((row) => row.error)},
      ${texts((row) => JSON.stringify(row.request))}, ${texts(replyText)})
      as d (subscription_id, delivery_id, message_id, kind, is_test, attempt, outcome, started_at, duration_ms, status,
        error, request, reply)`
}

/** How many attempts of a subscription are kept, and for how long. */
const keptMax = 1_000
export const keptDays = 30

/** Deletes the oldest attempts of a subscription that has many. */
export async function trimDeliveries(tx: Tx, tenantId: number, subscriptionId: string): Promise<void> {
  const [oldest] = await tx<{ id: string }[]>`
    select delivery_id as id from subscription_deliveries
    where tenant_id = ${tenantId} and subscription_id = ${subscriptionId}
    order by delivery_id desc offset ${keptMax - 1} limit 1`
  if (oldest)
    await tx`
      delete from subscription_deliveries
      where tenant_id = ${tenantId} and subscription_id = ${subscriptionId} and delivery_id < ${oldest.id}`
}

export const listTenantsWithOld = (db: Reads, before: Date): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`select tenant_id from subscription_deliveries where started_at < ${before} and tenant_id > ${after}`,
  )

export async function deleteOld(tx: Tx, tenantId: number, before: Date): Promise<void> {
  await tx`delete from subscription_deliveries where tenant_id = ${tenantId} and started_at < ${before}`
}

export type DeliveryFilter = { subscriptionId: string; outcome: Delivery['outcome'] | null }

/** Newest first. */
export async function listDeliveries(
  db: Reads,
  tenantId: number,
  { subscriptionId, outcome }: DeliveryFilter,
  page: Page,
): Promise<Delivery[]> {
  const before = page.after?.[0] as string | undefined
  const rows = await db<Row[]>`
    select ${columns(db)} from subscription_deliveries
    where tenant_id = ${tenantId} and subscription_id = ${subscriptionId}
      ${before === undefined ? db`` : db`and delivery_id < ${before}`}
      ${outcome === null ? db`` : db`and outcome = ${outcome}`}
    order by delivery_id desc limit ${page.limit}`
  return rows.map(deliveryOf)
}

export async function findDelivery(
  db: Reads,
  tenantId: number,
  subscriptionId: string,
  id: string,
): Promise<Delivery | null> {
  const [row] = await db<Row[]>`
    select ${columns(db)} from subscription_deliveries
    where tenant_id = ${tenantId} and subscription_id = ${subscriptionId} and delivery_id = ${id}`
  return row ? deliveryOf(row) : null
}
