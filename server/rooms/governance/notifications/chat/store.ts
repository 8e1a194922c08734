import type { Reads, Tx } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'
import { type ChatChannel, chatChannels } from '../kinds.ts'

export type ChatWebhook = {
  channel: ChatChannel
  host: string
  sealedUrl: Buffer
  updatedBy: string
  updatedAt: Date
}

export const listWebhooks = (db: Reads, tenantId: number): Promise<ChatWebhook[]> => db<ChatWebhook[]>`
  select w.channel, w.host, w.sealed_url as "sealedUrl", w.updated_by as "updatedBy", w.updated_at as "updatedAt"
  from chat_webhooks w where w.tenant_id = ${tenantId} order by w.channel`

export async function findConfigured(db: Reads, tenantId: number): Promise<Record<ChatChannel, boolean>> {
  const set = new Set((await listWebhooks(db, tenantId)).map(({ channel }) => channel))
  return Object.fromEntries(chatChannels.map((channel) => [channel, set.has(channel)])) as Record<ChatChannel, boolean>
}

export async function putWebhook(tx: Tx, tenantId: number, webhook: ChatWebhook): Promise<void> {
  const { channel, host, sealedUrl, updatedBy, updatedAt } = webhook
  await tx`
    insert into chat_webhooks (tenant_id, channel, host, sealed_url, updated_by, updated_at)
    values (${tenantId}, ${channel}, ${host}, ${sealedUrl}, ${updatedBy}, ${updatedAt})
    on conflict (tenant_id, channel) do update set host = excluded.host, sealed_url = excluded.sealed_url,
      updated_by = excluded.updated_by, updated_at = excluded.updated_at`
}

export async function deleteWebhook(tx: Tx, tenantId: number, channel: ChatChannel): Promise<boolean> {
  const { count } = await tx`
    delete from chat_webhooks where tenant_id = ${tenantId} and channel = ${channel}`
  return count === 1
}

/** Tenants with a chat. */
export const listTenantsWithChat = (db: Reads): Promise<number[]> =>
  listTenantsWith(db, (after) => db`select w.tenant_id from chat_webhooks w where w.tenant_id > ${after}`)
