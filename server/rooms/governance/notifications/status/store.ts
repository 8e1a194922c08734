import type { Page } from '#kernel/pages.ts'
import type { Reads } from '#kernel/sql.ts'
import type { Channel } from '../kinds.ts'

export type Counts = { waiting: number; failed: number; lastSentAt: Date | null; lastError: string }

const countMax = 10_000

/** How many messages wait, and how many failed recently. */
export async function countMessages(db: Reads, tenantId: number, since: Date): Promise<Counts> {
  const [row] = await db<Counts[]>`
    select (select count(*)::int from (select 1 from notification_messages w
        where w.tenant_id = ${tenantId} and w.state = 'waiting' limit ${countMax}) c) as waiting,
      (select count(*)::int from (select 1 from notification_messages f
        where f.tenant_id = ${tenantId} and f.state = 'failed' and f.ended_at > ${since} limit ${countMax}) c) as failed,
      (select max(s.ended_at) from notification_messages s
        where s.tenant_id = ${tenantId} and s.state = 'sent' and s.ended_at > ${since}) as "lastSentAt",
      coalesce((select e.error from notification_messages e
        where e.tenant_id = ${tenantId} and e.state = 'waiting' and e.error <> ''
        order by e.message_id desc limit 1), '') as "lastError"`
  return row ?? { waiting: 0, failed: 0, lastSentAt: null, lastError: '' }
}

export type ListedMessage = {
  id: string
  channel: Channel
  userId: string
  state: 'waiting' | 'sent' | 'failed' | 'dropped'
  form: string
  attempts: number
  error: string
  createdAt: Date
  dueAt: Date
  endedAt: Date | null
}

/** Messages in a state, newest first. */
export const listMessages = (
  db: Reads,
  tenantId: number,
  state: ListedMessage['state'],
  page: Pick<Page, 'after' | 'limit'>,
): Promise<ListedMessage[]> => {
  const [before] = (page.after ?? []) as string[]
  return db<ListedMessage[]>`
    select m.message_id as id, m.channel, m.user_id as "userId", m.state, m.form, m.attempts, m.error,
      m.created_at as "createdAt", m.due_at as "dueAt", m.ended_at as "endedAt"
    from notification_messages m
    where m.tenant_id = ${tenantId} and m.state = ${state}
      ${before === undefined ? db`` : db`and m.message_id < ${before}`}
    order by m.message_id desc limit ${page.limit}`
}
