import type { May } from '#authority/proof.ts'
import { sealedMark } from '#kernel/outgoing/secret-url.ts'
import type { Page } from '#kernel/pages.ts'
import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'
import type { Place } from '#rooms/foundation/systemlog/index.ts'
import type { Subscription } from '../subscription.ts'

export type Row = Omit<Subscription, 'cursor'> & { cursorSeal: number; cursorPosition: number }

export const columns = (db: Reads): Fragment => db`
  subscription_id as id, display_name as "displayName", description, url, event_kinds as "eventKinds", filter, state, reason,
  detail, state_changed_at as "stateChangedAt", sealed_secret as "sealedSecret", sealed_old_secret as "sealedOldSecret",
  old_secret_until as "oldSecretUntil", responsible_id as "responsibleId", created_by as "createdBy",
  created_at as "createdAt", updated_at as "updatedAt", cursor_seal as "cursorSeal",
  cursor_position as "cursorPosition", attempt, failing_since as "failingSince", next_attempt_at as "nextAttemptAt",
  last_delivered_at as "lastDeliveredAt", delivered_count as "deliveredCount",
  filter_error_count as "filterErrorCount", filter_error as "filterError", version`

export const subscriptionOf = ({ cursorSeal, cursorPosition, ...row }: Row): Subscription => ({
  ...row,
  cursor: [cursorSeal, cursorPosition],
})

export async function findSubscription(db: Reads, tenantId: number, id: string): Promise<Subscription | null> {
  const [row] = await db<Row[]>`
    select ${columns(db)} from subscriptions where tenant_id = ${tenantId} and subscription_id = ${id}`
  return row ? subscriptionOf(row) : null
}

export async function lockSubscription(tx: Tx, tenantId: number, id: string): Promise<Subscription | null> {
  const [row] = await tx<Row[]>`
    select ${columns(tx)} from subscriptions where tenant_id = ${tenantId} and subscription_id = ${id} for update`
  return row ? subscriptionOf(row) : null
}

export async function listSubscriptions(db: Reads, tenantId: number, page: Page): Promise<Subscription[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from subscriptions
    where tenant_id = ${tenantId} and subscription_id > ${(page.after?.[0] as string) ?? ''}
    order by subscription_id limit ${page.limit}`
  return rows.map(subscriptionOf)
}

export async function countSubscriptions(db: Reads, tenantId: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from subscriptions where tenant_id = ${tenantId}`
  return row?.count ?? 0
}

export async function insertSubscription(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'subscriptions.create'>,
  of: Subscription,
): Promise<void> {
  const [cursorSeal, cursorPosition] = of.cursor
  await tx`
    insert into subscriptions (tenant_id, subscription_id, display_name, description, url, event_kinds, filter, state,
      state_changed_at, sealed_secret, responsible_id, created_by, created_at, updated_at, cursor_seal, cursor_position,
      is_behind)
    values (${tenantId}, ${of.id}, ${of.displayName}, ${of.description}, ${of.url}, ${[...of.eventKinds]}::text[],
      ${of.filter}, ${of.state}, ${of.stateChangedAt}, ${of.sealedSecret}, ${of.responsibleId}, ${of.createdBy},
      ${of.createdAt}, ${of.updatedAt}, ${cursorSeal}, ${cursorPosition}, false)`
}

/** Saves its name, what it sends, its address and its secrets. A run in progress starts again with it. */
export async function updateSubscription(tx: Tx, tenantId: number, of: Subscription): Promise<void> {
  await tx`
    update subscriptions set display_name = ${of.displayName}, description = ${of.description}, url = ${of.url},
      event_kinds = ${[...of.eventKinds]}::text[], filter = ${of.filter}, sealed_secret = ${of.sealedSecret},
      sealed_old_secret = ${of.sealedOldSecret}, old_secret_until = ${of.oldSecretUntil},
      responsible_id = ${of.responsibleId}, updated_at = ${of.updatedAt}, version = version + 1
    where tenant_id = ${tenantId} and subscription_id = ${of.id}`
}

type Standing = Pick<Subscription, 'id' | 'state' | 'reason' | 'detail' | 'stateChangedAt'>

/** Pauses it, ends it, or makes it continue at once. */
export async function updateState(tx: Tx, tenantId: number, of: Standing): Promise<void> {
  await tx`
    update subscriptions set state = ${of.state}, reason = ${of.reason}, detail = ${of.detail},
      state_changed_at = ${of.stateChangedAt}, attempt = 0, failing_since = null, next_attempt_at = null,
      is_behind = true, version = version + 1
    where tenant_id = ${tenantId} and subscription_id = ${of.id}`
}

/** Ends the lease of a run in progress, so that the run does not move the cursor again. */
export async function moveCursor(tx: Tx, tenantId: number, id: string, [seal, position]: Place): Promise<void> {
  await tx`
    update subscriptions set cursor_seal = ${seal}, cursor_position = ${position}, is_behind = true, attempt = 0,
      failing_since = null, next_attempt_at = null, version = version + 1, lease_id = null, lease_until = null
    where tenant_id = ${tenantId} and subscription_id = ${id}`
}

export async function deleteSubscription(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'subscriptions.use'>,
  id: string,
): Promise<void> {
  await tx`delete from subscriptions where tenant_id = ${tenantId} and subscription_id = ${id}`
}

const isPlain = (db: Reads): Fragment => db`url ~ '[?#]' and strpos(url, ${sealedMark}) = 0`

/** Tenants with addresses whose query is not sealed. */
export const listTenantsWithPlainUrls = (db: Reads): Promise<number[]> =>
  listTenantsWith(db, (after) => db`select tenant_id from subscriptions where tenant_id > ${after} and ${isPlain(db)}`)

export async function lockPlainUrls(tx: Tx, tenantId: number): Promise<Subscription[]> {
  const rows = await tx<Row[]>`
    select ${columns(tx)} from subscriptions
    where tenant_id = ${tenantId} and ${isPlain(tx)} order by subscription_id for update`
  return rows.map(subscriptionOf)
}
