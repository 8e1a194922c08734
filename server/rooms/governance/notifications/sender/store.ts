import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { Sender } from '../mail/sender.ts'

export async function findSender(db: Reads, tenantId: number): Promise<Sender | null> {
  const [row] = await db<Sender[]>`
    select s.from_name as "fromName", s.reply_to as "replyTo", s.created_at as "createdAt", s.updated_at as "updatedAt"
    from mail_senders s where s.tenant_id = ${tenantId}`
  return row ?? null
}

export async function putSender(tx: Tx, tenantId: number, { fromName, replyTo, updatedAt }: Sender): Promise<void> {
  await tx`
    insert into mail_senders (tenant_id, from_name, reply_to, created_at, updated_at)
    values (${tenantId}, ${fromName}, ${replyTo}, ${updatedAt}, ${updatedAt})
    on conflict (tenant_id) do update set from_name = excluded.from_name, reply_to = excluded.reply_to,
      updated_at = excluded.updated_at`
}

export async function insertAudit(tx: Tx, tenantId: number, id: string, event: object): Promise<void> {
  await tx`
    insert into mail_audit (tenant_id, audit_id, event) values (${tenantId}, ${id}, ${JSON.stringify(event)}::text::jsonb)`
}

export type Audited = { id: string; event: { readonly [name: string]: unknown } }

/** Newest first. */
export const listAudit = (db: Reads, tenantId: number, page: Pick<Page, 'after' | 'limit'>): Promise<Audited[]> => {
  const [before] = (page.after ?? []) as string[]
  return db<Audited[]>`
    select a.audit_id as id, a.event from mail_audit a
    where a.tenant_id = ${tenantId} ${before === undefined ? db`` : db`and a.audit_id < ${before}`}
    order by a.audit_id desc limit ${page.limit}`
}
