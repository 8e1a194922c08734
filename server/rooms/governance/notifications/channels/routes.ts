import { route } from '#authority/route.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { described, flag, listOf, message, nested, required, text } from '#kernel/wire.ts'
import { channels } from '../kinds.ts'
import { confirmChannel, testChannel } from './actions.ts'
import { listCurrent } from './current.ts'
import { listTests } from './store.ts'
import { ChannelMessage, viewChannel } from './view.ts'

async function listViews(call: Call) {
  const [current, tests] = await Promise.all([listCurrent(call, call.tenant.id), listTests(call.db, call.tenant.id)])
  const of = <T extends { channel: string }>(all: readonly T[], name: string) =>
    all.find(({ channel }) => channel === name)
  return channels.map((channel) => viewChannel(channel, of(current, channel), of(tests, channel) ?? null, call.now()))
}

const at = '/api/v1/settings/notifications/channels'

export const channelRoutes: readonly Route[] = [
  route({
    id: 'settings.v1.NotificationChannels.List',
    at: `GET ${at}`,
    summary:
      'List email and the chats: whether each is set up, its last test message, and who confirmed that one arrived.',
    rule: 'notifications.read',
    reply: message('settings.v1.NotificationChannelsListResponse', { list: listOf(ChannelMessage) }),
    handle: async (call) => ({ list: await listViews(call) }),
  }),
  route({
    id: 'settings.v1.NotificationChannels.Test',
    at: `POST ${at}/{channel}/test`,
    summary:
      'Send a test message with a code, and return what was answered: by email to your own address, in a chat to its channel. Ten at once, then one per minute.',
    rule: 'notifications.change',
    reply: message('settings.v1.NotificationChannelsTestResponse', {
      success: described(flag(), 'Whether the message was accepted. Whether it arrived is confirmed with its code.'),
      message: described(text(), 'By which server it was accepted, with its reply; or why it was not.'),
    }),
    async handle(call, { path }) {
      const { isSent, message: words } = await testChannel(call, path.channel)
      return { success: isSent, message: words }
    },
  }),
  route({
    id: 'settings.v1.NotificationChannels.Confirm',
    at: `POST ${at}/{channel}/confirm`,
    summary:
      'Confirm that the last test message arrived, with the code in it. The code is valid for one hour, and for five attempts.',
    rule: 'notifications.change',
    body: message('settings.v1.NotificationChannelsConfirmRequest', {
      code: required(text({ maxLength: 20 }), 'must be the code in the test message'),
    }),
    reply: message('settings.v1.NotificationChannelsConfirmResponse', { channel: nested(ChannelMessage) }),
    async handle(call, { path, body }) {
      await confirmChannel(call, path.channel, body.code)
      const channel = (await listViews(call)).find((each) => each.channel === path.channel)
      return { channel: channel ?? null }
    },
  }),
]
