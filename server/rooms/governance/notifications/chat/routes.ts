import { route } from '#authority/route.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, flag, listOf, message, nested, text, timestamp } from '#kernel/wire.ts'
import { chatChannels } from '../kinds.ts'
import { readChannel, removeWebhook, setWebhook, testWebhook } from './actions.ts'
import { type ChatWebhook, listWebhooks } from './store.ts'

const ChatMessage = message('settings.v1.ChatWebhook', {
  channel: described(text(), 'slack or teams.'),
  isConfigured: flag(),
  host: described(text(), 'The host of the webhook. Its address is a secret and is never returned.'),
  updatedByUserId: text(),
  updatedAt: timestamp(),
})

const view = (channel: string, webhook: ChatWebhook | undefined) => ({
  channel,
  isConfigured: webhook !== undefined,
  host: webhook?.host ?? '',
  updatedByUserId: webhook?.updatedBy ?? '',
  updatedAt: webhook?.updatedAt ?? null,
})

export const chatRoutes: readonly Route[] = [
  route({
    id: 'settings.v1.ChatWebhooks.List',
    at: 'GET /api/v1/settings/chat_webhooks',
    summary: 'List the chats that notifications can be posted to, and whether each has an incoming webhook.',
    rule: 'notifications.read',
    reply: message('settings.v1.ChatWebhooksListResponse', { list: listOf(ChatMessage) }),
    async handle({ db, tenant }) {
      const found = new Map((await listWebhooks(db, tenant.id)).map((each) => [each.channel, each]))
      return { list: chatChannels.map((channel) => view(channel, found.get(channel))) }
    },
  }),
  route({
    id: 'settings.v1.ChatWebhooks.Set',
    at: 'POST /api/v1/settings/chat_webhooks/{channel}',
    summary:
      'Set the incoming webhook of a chat: Slack or a compatible chat, or Microsoft Teams. Everyone in the channel can read the notifications that are turned on for it.',
    rule: 'notifications.set-chat',
    body: message('settings.v1.ChatWebhooksSetRequest', {
      url: described(text({ maxLength: 2000 }), 'The webhook URL that the chat issued.'),
    }),
    reply: message('settings.v1.ChatWebhooksSetResponse', { chatWebhook: nested(ChatMessage) }),
    async handle(call, { path, body }) {
      const channel = readChannel(path.channel)
      const webhook = await transact(call.db, (tx) => setWebhook(tx, call, channel, body.url))
      return { chatWebhook: view(channel, webhook) }
    },
  }),
  route({
    id: 'settings.v1.ChatWebhooks.Delete',
    at: 'DELETE /api/v1/settings/chat_webhooks/{channel}',
    summary: 'Remove the incoming webhook of a chat. Nothing is sent to it any more.',
    rule: 'notifications.change',
    reply: message('settings.v1.ChatWebhooksDeleteResponse', {}),
    async handle(call, { path }) {
      await transact(call.db, (tx) => removeWebhook(tx, call, readChannel(path.channel)))
      return {}
    },
  }),
  route({
    id: 'settings.v1.ChatWebhooks.Test',
    at: 'POST /api/v1/settings/chat_webhooks/{channel}/test',
    summary: 'Post a test message to a chat, and return its response.',
    rule: 'notifications.change',
    reply: message('settings.v1.ChatWebhooksTestResponse', { success: flag(), message: text() }),
    async handle(call, { path }) {
      const { isSent, message: words } = await testWebhook(call, readChannel(path.channel))
      return { success: isSent, message: words }
    },
  }),
]
