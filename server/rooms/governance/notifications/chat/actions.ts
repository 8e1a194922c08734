import type { May } from '#authority/proof.ts'
import { outgoingRulesOf } from '#kernel/outgoing/rules-of.ts'
import { urlProblem } from '#kernel/outgoing/send.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { alert, causeOf, record, recordChange } from '#rooms/foundation/systemlog/index.ts'
import { type ChatChannel, chatChannels } from '../kinds.ts'
import type { Notice } from '../templates/notice.ts'
import { postToChat } from './post.ts'
import { openUrl, sealUrl } from './seal.ts'
import { type ChatWebhook, deleteWebhook, listWebhooks, putWebhook } from './store.ts'

type Tested = { isSent: boolean; message: string; reply: string }

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
  const problem = url === '' ? 'must be given' : urlProblem(url, outgoingRulesOf(call, call.tenant.id))
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

/** Posts one message at once, and returns the result. */
export async function postTest(call: Call, channel: ChatChannel, notice: Notice): Promise<Tested> {
  const webhook = (await listWebhooks(call.db, call.tenant.id)).find((each) => each.channel === channel)
  const url = webhook && openUrl(call, call.tenant.id, webhook)
  if (!url) return { isSent: false, message: 'The webhook cannot be read: set it again.', reply: '' }
  const posted = await postToChat(call, channel, url, notice, call.signal)
  return posted.isSent
    ? { isSent: true, message: `${webhook.host} accepted the message.`, reply: '' }
    : { isSent: false, message: posted.error, reply: '' }
}
