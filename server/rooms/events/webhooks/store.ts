import type { May } from '#authority/proof.ts'
import { sealedMark } from '#kernel/outgoing/secret-url.ts'
import type { Page } from '#kernel/pages.ts'
import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'
import type { Webhook } from './webhook.ts'

const columns = (db: Reads) => db`
  w.webhook_id as id, w.display_name as "displayName", w.description, w.url, w.origin,
  w.callback_timeout_seconds as "callbackTimeoutSeconds", w.created_at as "createdAt", w.updated_at as "updatedAt",
  w.deleted_at as "deletedAt"`

export async function insertWebhook(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'webhooks.create'>,
  webhook: Webhook,
): Promise<void> {
  const { id, displayName, description, url, origin, callbackTimeoutSeconds, createdAt, updatedAt } = webhook
  await tx`
    insert into webhooks (tenant_id, webhook_id, display_name, description, url, origin, callback_timeout_seconds,
      created_at, updated_at)
    values (${tenantId}, ${id}, ${displayName}, ${description}, ${url}, ${origin}, ${callbackTimeoutSeconds},
      ${createdAt}, ${updatedAt})`
}

/** Includes deleted ones: their deliveries can still be seen. */
export async function findAnyWebhook(db: Reads, tenantId: number, id: string): Promise<Webhook | null> {
  const [row] = await db<Webhook[]>`
    select ${columns(db)} from webhooks w where w.tenant_id = ${tenantId} and w.webhook_id = ${id}`
  return row ?? null
}

export async function findWebhooks(db: Reads, tenantId: number, ids: readonly string[]): Promise<Webhook[]> {
  if (ids.length === 0) return []
  return db<Webhook[]>`
    select ${columns(db)} from webhooks w
    where w.tenant_id = ${tenantId} and w.webhook_id = any(${ids}::text[]) and w.deleted_at is null`
}

export async function lockWebhook(tx: Tx, tenantId: number, id: string): Promise<Webhook | null> {
  const [row] = await tx<Webhook[]>`
    select ${columns(tx)} from webhooks w
    where w.tenant_id = ${tenantId} and w.webhook_id = ${id} and w.deleted_at is null for no key update`
  return row ?? null
}

export async function updateWebhook(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'webhooks.create' | 'webhooks.use'>,
  webhook: Webhook,
): Promise<void> {
  const { id, displayName, description, url, origin, callbackTimeoutSeconds, updatedAt, deletedAt } = webhook
  await tx`
    update webhooks set display_name = ${displayName}, description = ${description}, url = ${url}, origin = ${origin},
      callback_timeout_seconds = ${callbackTimeoutSeconds}, updated_at = ${updatedAt}, deleted_at = ${deletedAt}
    where tenant_id = ${tenantId} and webhook_id = ${id}`
}

/** A tenant has tens of webhooks, not thousands. */
export async function searchWebhooks(
  db: Reads,
  tenantId: number,
  { query, ids }: { query: string; ids: readonly string[] },
  page: Pick<Page, 'after' | 'limit'>,
): Promise<Webhook[]> {
  return db<Webhook[]>`
    select ${columns(db)} from webhooks w
    where w.tenant_id = ${tenantId} and w.deleted_at is null and w.webhook_id > ${page.after?.[0] ?? ''}
      ${query === '' ? db`` : db`and strpos(lower(w.display_name || ' ' || w.description), ${query.toLowerCase()}) > 0`}
      ${ids.length === 0 ? db`` : db`and w.webhook_id = any(${ids}::text[])`}
    order by w.webhook_id limit ${page.limit}`
}

type PlainUrl = { of: 'webhook' | 'delivery'; id: string; url: string }

/** Tenants with addresses whose query is not sealed. */
export async function listTenantsWithPlainUrls(db: Reads): Promise<number[]> {
  const ofWebhooks = await listTenantsWith(
    db,
    (after) => db`select w.tenant_id from webhooks w where w.tenant_id > ${after} and ${isPlain(db, db`w.url`)}`,
  )
  const ofDeliveries = await listTenantsWith(
    db,
    (after) =>
      db`select d.tenant_id from webhook_deliveries d where d.tenant_id > ${after} and ${isPlain(db, db`d.destination`)}`,
  )
  return [...new Set([...ofWebhooks, ...ofDeliveries])]
}

const isPlain = (db: Reads, column: Fragment): Fragment =>
  db`${column} ~ '[?#]' and strpos(${column}, ${sealedMark}) = 0`

/** Locked until the transaction ends. */
export async function listPlainUrls(tx: Tx, tenantId: number): Promise<PlainUrl[]> {
  const webhooks = await tx<PlainUrl[]>`
    select 'webhook' as of, w.webhook_id as id, w.url from webhooks w
    where w.tenant_id = ${tenantId} and ${isPlain(tx, tx`w.url`)} order by w.webhook_id for no key update`
  const deliveries = await tx<PlainUrl[]>`
    select 'delivery' as of, d.delivery_id as id, d.destination as url from webhook_deliveries d
    where d.tenant_id = ${tenantId} and ${isPlain(tx, tx`d.destination`)} order by d.delivery_id for no key update`
  return [...webhooks, ...deliveries]
}

export async function putUrl(tx: Tx, tenantId: number, { of, id }: PlainUrl, url: string): Promise<void> {
  if (of === 'webhook') await tx`update webhooks set url = ${url} where tenant_id = ${tenantId} and webhook_id = ${id}`
  else
    await tx`
      update webhook_deliveries set destination = ${url} where tenant_id = ${tenantId} and delivery_id = ${id}`
}
