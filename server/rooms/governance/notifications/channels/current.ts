import type { World } from '#kernel/world.ts'
import { listWebhooks } from '../chat/store.ts'
import { type Channel, chatChannels } from '../kinds.ts'
import { type CurrentMail, findMail } from '../mail-server/current.ts'

/** A channel that is set up. */
export type CurrentChannel = {
  channel: Channel
  source: 'operator' | 'organization'
  /** Where messages are sent to: the mail server, or the host of the webhook. */
  target: string
  version: string
  mail: CurrentMail | null
}

type Parts = Pick<World, 'db' | 'seals' | 'settings'>

/** The channels of a tenant that are set up. */
export async function listCurrent(world: Parts, tenantId: number): Promise<CurrentChannel[]> {
  const [mail, webhooks] = await Promise.all([findMail(world, tenantId), listWebhooks(world.db, tenantId)])
  const chats = webhooks
    .filter(({ channel }) => chatChannels.includes(channel))
    .map(({ channel, host, sealedUrl }) => ({
      channel,
      source: 'organization' as const,
      target: host,
      version: world.seals.mac('chat settings', String(tenantId), channel, sealedUrl).toString('base64url'),
      mail: null,
    }))
  const { source = 'operator', host = '', port = 0, version = '' } = mail ?? {}
  return [...(mail ? [{ channel: 'email' as const, source, target: `${host}:${port}`, version, mail }] : []), ...chats]
}
