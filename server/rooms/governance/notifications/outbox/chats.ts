import type { Dispatch, DueTenant } from '#kernel/dispatch.ts'
import type { World } from '#kernel/world.ts'
import { postToChat } from '../chat/post.ts'
import { openUrl } from '../chat/seal.ts'
import { listWebhooks } from '../chat/store.ts'
import { type ChatChannel, chatChannels } from '../kinds.ts'
import { placeOf } from '../place.ts'
import { isInChat } from '../settings/decide.ts'
import { findOrganisation } from '../settings/store.ts'
import { prepare } from './prepare.ts'
import { claimNext, type Fate, graceMs, leaseMs, type Message, settle } from './settle.ts'
import { findNextToSend, listTenantsToSend } from './store.ts'

/** Posts messages to chats: one at a time per tenant, so that a slow chat delays only its own tenant. */
export const sendChats = (world: World): Dispatch<DueTenant, Message> => ({
  name: 'chats',
  inAll: 16,
  perTenant: 1,
  leaseMs,
  everyMs: { least: 1_000, most: 1_000 },
  graceMs,
  listDue: async () => (await listTenantsToSend(world.db, world.now(), chatChannels)).map((id) => ({ id })),
  nextDue: (before) => findNextToSend(world.db, before, chatChannels),
  claim: ({ id }) => claimNext(world, id, chatChannels),
  perform: async ({ work, abort }) => settle(world, work, await post(world, work, abort.signal)),
})

async function post(world: World, message: Message, signal: AbortSignal): Promise<Fate> {
  const { tenant } = message
  const channel = message.channel as ChatChannel
  const webhook = (await listWebhooks(world.db, tenant.id)).find((each) => each.channel === channel)
  if (!webhook) return { is: 'dropped', error: 'The channel no longer has a webhook.' }
  const url = openUrl(world, tenant.id, webhook)
  if (url === null) return { is: 'failed', error: 'The webhook cannot be read: set it again.' }
  const organisation = await findOrganisation(world.db, tenant.id)
  const prepared = await prepare(world, tenant, placeOf(tenant), message, (kind) =>
    isInChat(organisation[channel], kind),
  )
  if (!prepared) return { is: 'dropped', error: 'There was nothing left to send.' }
  const posted = await postToChat(world, channel, url, prepared.notice, signal)
  if (posted.isSent) return { is: 'sent', prepared }
  const { error, mayRetry, afterMs } = posted
  return mayRetry ? { is: 'again', error, afterMs } : { is: 'failed', error }
}
