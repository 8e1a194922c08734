import type { Reads, Tx } from '#kernel/sql.ts'
import { findEarliest, listTenantsWith } from '#kernel/tenants-with.ts'
import type { Channel, Kind } from '../kinds.ts'
import type { Noticed, NoticedData } from '../noticed.ts'
import type { Form } from './decide.ts'

export type NewNotification = Omit<Noticed, 'dueAt'> & { id: string; channel: Channel; createdAt: Date; dueAt: Date }

/** Notifications that exist already are unchanged. */
export async function insertNotifications(tx: Tx, tenantId: number, rows: readonly NewNotification[]): Promise<void> {
  if (rows.length === 0) return
  const text = (of: (row: NewNotification) => string): string[] => rows.map(of)
  await tx`
    insert into notifications (tenant_id, notification_id, channel, user_id, kind, key, task_id, step_id, data,
      created_at, due_at)
    select ${tenantId}, n.id, n.channel, n.user_id, n.kind, n.key, n.task_id, n.step_id, n.data::jsonb, n.created_at,
      n.due_at
    from unnest(
      ${text(({ id }) => id)}::text[], ${text(({ channel }) => channel)}::text[], ${text(({ userId }) => userId)}::text[],
      ${text(({ kind }) => kind)}::text[], ${text(({ key }) => key)}::text[], ${text(({ taskId }) => taskId)}::text[],
      ${text(({ stepId }) => stepId)}::text[], ${text(({ data }) => JSON.stringify(data))}::text[],
      ${text(({ createdAt }) => createdAt.toISOString())}::timestamptz[],
      ${text(({ dueAt }) => dueAt.toISOString())}::timestamptz[]
    ) as n (id, channel, user_id, kind, key, task_id, step_id, data, created_at, due_at)
    on conflict (tenant_id, channel, user_id, key) do nothing`
}

/** Tenants with notifications that are due and not yet in a message. */
export const listTenantsToGather = (db: Reads, now: Date): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`
      select n.tenant_id from notifications n
      where n.message_id = '' and n.due_at <= ${now} and n.tenant_id > ${after}`,
  )

export const findNextToGather = (db: Reads, before: Date): Promise<Date | null> =>
  findEarliest(db, db`select n.due_at as at from notifications n where n.message_id = '' and n.due_at <= ${before}`)

export const findNextToSend = (db: Reads, before: Date, channels: readonly Channel[]): Promise<Date | null> =>
  findEarliest(
    db,
    db`select m.due_at as at from notification_messages m
      where m.state = 'waiting' and m.due_at <= ${before} and m.channel = any(${channels}::text[])`,
  )

export type Reader = { channel: Channel; userId: string }

/** Readers with something due. */
export const listReaders = (db: Reads, tenantId: number, now: Date, limit: number): Promise<Reader[]> => db<Reader[]>`
  select n.channel, n.user_id as "userId" from notifications n
  where n.tenant_id = ${tenantId} and n.message_id = '' and n.due_at <= ${now}
  group by n.channel, n.user_id order by min(n.due_at), n.channel, n.user_id limit ${limit}`

export type DueNotification = { id: string; kind: Kind }

/** What a reader has due, locked until the transaction ends: no other server puts it into another message. */
export const lockDue = (
  tx: Tx,
  tenantId: number,
  { channel, userId }: Reader,
  now: Date,
  limit: number,
): Promise<DueNotification[]> => tx<DueNotification[]>`
  select n.notification_id as id, n.kind from notifications n
  where n.tenant_id = ${tenantId} and n.channel = ${channel} and n.user_id = ${userId} and n.message_id = ''
    and n.due_at <= ${now}
  order by n.notification_id limit ${limit} for update skip locked`

/** How many messages a reader got recently, and when the last summary was sent. */
export async function findPace(
  db: Reads,
  tenantId: number,
  { channel, userId }: Reader,
  since: Date,
): Promise<{ count: number; lastSummaryAt: Date | null }> {
  const [row] = await db<{ count: number; lastSummaryAt: Date | null }[]>`
    select count(*)::int as count, max(m.created_at) filter (where m.form = 'summary') as "lastSummaryAt"
    from notification_messages m
    where m.tenant_id = ${tenantId} and m.channel = ${channel} and m.user_id = ${userId} and m.created_at > ${since}`
  return row ?? { count: 0, lastSummaryAt: null }
}

export async function postpone(tx: Tx, tenantId: number, ids: readonly string[], until: Date): Promise<void> {
  await tx`
    update notifications set due_at = ${until}
    where tenant_id = ${tenantId} and notification_id = any(${ids}::text[])`
}

export async function insertMessage(
  tx: Tx,
  tenantId: number,
  { id, channel, userId, form, at }: Reader & { id: string; form: Form; at: Date },
  notificationIds: readonly string[],
): Promise<void> {
  await tx`
    insert into notification_messages (tenant_id, message_id, channel, user_id, form, state, created_at, due_at)
    values (${tenantId}, ${id}, ${channel}, ${userId}, ${form}, 'waiting', ${at}, ${at})`
  await tx`
    update notifications set message_id = ${id}
    where tenant_id = ${tenantId} and notification_id = any(${notificationIds}::text[])`
}

export const listTenantsToSend = (db: Reads, now: Date, channels: readonly Channel[]): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`
      select m.tenant_id from notification_messages m
      where m.state = 'waiting' and m.due_at <= ${now} and m.channel = any(${channels}::text[])
        and m.tenant_id > ${after}`,
  )

export type Claimed = {
  id: string
  channel: Channel
  userId: string
  form: Form
  createdAt: Date
  /** Including this one. */
  attempts: number
  leaseId: string
}

/** Claims the next message that is due, for a time. After that, another server, or the same after a crash, can claim it. */
export async function claimMessage(
  tx: Tx,
  tenantId: number,
  { channels, now, until, leaseId }: { channels: readonly Channel[]; now: Date; until: Date; leaseId: string },
): Promise<Claimed | null> {
  const [next] = await tx<{ id: string }[]>`
    select m.message_id as id from notification_messages m
    where m.tenant_id = ${tenantId} and m.state = 'waiting' and m.due_at <= ${now}
      and m.channel = any(${channels}::text[])
    order by m.due_at, m.message_id limit 1 for update skip locked`
  if (!next) return null
  const [row] = await tx<Claimed[]>`
    update notification_messages set due_at = ${until}, attempts = attempts + 1, lease_id = ${leaseId}
    where tenant_id = ${tenantId} and message_id = ${next.id}
    returning message_id as id, channel, user_id as "userId", form, created_at as "createdAt", attempts,
      lease_id as "leaseId"`
  return row ?? null
}

/** Ends a message, if the lease is still ours. */
export async function endMessage(
  tx: Tx,
  tenantId: number,
  { id, leaseId }: Pick<Claimed, 'id' | 'leaseId'>,
  { state, error, at }: { state: 'sent' | 'failed' | 'dropped'; error: string; at: Date },
): Promise<boolean> {
  const { count } = await tx`
    update notification_messages set state = ${state}, error = ${error}, ended_at = ${at}, lease_id = ''
    where tenant_id = ${tenantId} and message_id = ${id} and lease_id = ${leaseId} and state = 'waiting'`
  return count === 1
}

/** Releases a message, to be tried again. */
export async function putBack(
  db: Tx,
  tenantId: number,
  { id, leaseId }: Pick<Claimed, 'id' | 'leaseId'>,
  { error, dueAt }: { error: string; dueAt: Date },
): Promise<void> {
  await db`
    update notification_messages set due_at = ${dueAt}, error = ${error}, lease_id = ''
    where tenant_id = ${tenantId} and message_id = ${id} and lease_id = ${leaseId} and state = 'waiting'`
}

export type ToldNotification = {
  id: string
  kind: Kind
  taskId: string
  stepId: string
  data: NoticedData
  createdAt: Date
}

export const listOfMessage = (
  db: Reads,
  tenantId: number,
  messageId: string,
  limit: number,
): Promise<ToldNotification[]> => db<ToldNotification[]>`
  select n.notification_id as id, n.kind, n.task_id as "taskId", n.step_id as "stepId", n.data,
    n.created_at as "createdAt"
  from notifications n
  where n.tenant_id = ${tenantId} and n.message_id = ${messageId} order by n.notification_id limit ${limit}`

/** Tenants with messages that can be deleted, or that were not sent in time. */
export const listTenantsToTidy = (db: Reads, { ended, late }: { ended: Date; late: Date }): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`
      select m.tenant_id from notification_messages m
      where (m.ended_at < ${ended} or (m.state = 'waiting' and m.created_at < ${late})) and m.tenant_id > ${after}`,
  )

/** Gives up messages that could not be sent for days. */
export async function giveUp(tx: Tx, tenantId: number, { late, at }: { late: Date; at: Date }): Promise<void> {
  await tx`
    update notification_messages set state = 'failed', ended_at = ${at}, lease_id = '',
      error = case when error = '' then 'It was not sent in time.' else error end
    where tenant_id = ${tenantId} and state = 'waiting' and created_at < ${late} and due_at <= ${at}`
}

export async function deleteEnded(tx: Tx, tenantId: number, ended: Date, limit: number): Promise<number> {
  const rows = await tx<{ id: string }[]>`
    select m.message_id as id from notification_messages m
    where m.tenant_id = ${tenantId} and m.state <> 'waiting' and m.ended_at < ${ended} limit ${limit}`
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  await tx`delete from notifications where tenant_id = ${tenantId} and message_id = any(${ids}::text[])`
  await tx`delete from notification_messages where tenant_id = ${tenantId} and message_id = any(${ids}::text[])`
  return ids.length
}
