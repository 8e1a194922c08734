import type { May } from '#authority/proof.ts'
import { slot } from '#kernel/memory.ts'
import { strictRules } from '#kernel/outgoing/addresses.ts'
import { urlProblem } from '#kernel/outgoing/send.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { sharedBudget } from '#kernel/shared-budget.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { alert, causeOf, record, recordChange } from '#rooms/foundation/systemlog/index.ts'
import { type ChatChannel, chatChannels } from '../kinds.ts'
import { placeOf } from '../place.ts'
import { postToChat } from './post.ts'
import { openUrl, sealUrl } from './seal.ts'
import { type ChatWebhook, deleteWebhook, listWebhooks, putWebhook } from './store.ts'

const names: Readonly<Record<ChatChannel, string>> = { slack: 'Slack', teams: 'Microsoft Teams' }

const noChannel = (channel: string): Refusal =>
  new Refusal('CHAT_NOT_FOUND', `There is no chat channel ${channel}: there are ${chatChannels.join(' and ')}.`)

export function readChannel(text: string): ChatChannel {
  const channel = chatChannels.find((each) => each === text)
  if (!channel) throw noChannel(text)
  return channel
}

/**
 * Sets the incoming webhook of a channel. Operators are notified: from now on, names of people and apps leave the server.
 */
export async function setWebhook(
  tx: Tx,
  call: May<'notifications.set-chat'>,
  channel: ChatChannel,
  url: string,
): Promise<ChatWebhook> {
  const problem = url === '' ? 'must be given' : urlProblem(url, call.settings.outgoing ?? strictRules)
  if (problem) throw invalid({ field: 'url', description: problem })
  const { host } = new URL(url)
  const webhook: ChatWebhook = {
    channel,
    host,
    sealedUrl: sealUrl(call, call.tenant.id, channel, url),
    updatedBy: call.actor.userId,
    updatedAt: call.now(),
  }
  await putWebhook(tx, call.tenant.id, webhook)
  const touched = [{ type: 'chat_webhook', id: channel, name: names[channel], data: { host } }]
  await record(
    tx,
    call,
    call,
    alert(causeOf(call), 'update', `Set the webhook of ${names[channel]}, at ${host}`, touched),
  )
  return webhook
}

export async function removeWebhook(tx: Tx, call: May<'notifications.change'>, channel: ChatChannel): Promise<void> {
  if (!(await deleteWebhook(tx, call.tenant.id, channel)))
    throw new Refusal('CHAT_NOT_FOUND', `${names[channel]} has no webhook.`)
  const touched = [{ type: 'chat_webhook', id: channel, name: names[channel] }]
  await recordChange(tx, call, 'delete', `Removed the webhook of ${names[channel]}`, touched)
}

const tests = slot((world) => sharedBudget(world, 'chat tests', { burst: 10, perSecond: 1 / 60 }))

/** Posts a test message, and returns the result. */
export async function testWebhook(call: Call, channel: ChatChannel): Promise<{ isSent: boolean; message: string }> {
  const webhook = (await listWebhooks(call.db, call.tenant.id)).find((each) => each.channel === channel)
  if (!webhook) throw new Refusal('CHAT_NOT_FOUND', `${names[channel]} has no webhook.`)
  const budget = call.memory(tests)
  const key = String(call.tenant.id)
  if ((await budget.take(key)) === null)
    throw new Refusal('TOO_MANY_REQUESTS', 'Too many test messages were sent. Try again later.', {
      retryAfterSeconds: budget.waitSeconds(key),
    })
  const url = openUrl(call, call.tenant.id, webhook)
  if (url === null) return { isSent: false, message: 'The webhook cannot be read: set it again.' }
  const { origin } = placeOf(call.tenant)
  const notice = {
    subject: '',
    title: 'Test message from Bailiwick',
    lines: ['Notifications of the organization are sent to this channel.'],
    quote: null,
    facts: [],
    items: [],
    more: 0,
    action: { label: 'Open the console', url: origin },
    why: '',
  }
  const posted = await postToChat(call, channel, url, notice, call.signal)
  const words = posted.isSent ? `${webhook.host} accepted the message.` : posted.error
  const touched = [{ type: 'chat_webhook', id: channel, name: names[channel], data: { success: posted.isSent } }]
  await transact(call.db, (tx) => recordChange(tx, call, 'read', `Tested the webhook of ${names[channel]}`, touched))
  return { isSent: posted.isSent, message: words }
}
