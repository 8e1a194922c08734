import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Route } from '#kernel/routes.ts'
import { described, flag, int32, listOf, message, nested, oneOf, text, timestamp } from '#kernel/wire.ts'
import { findConfigured } from '../chat/store.ts'
import { placeOf } from '../place.ts'
import { findOrganisation } from '../settings/store.ts'
import { htmlOf, textOf } from '../templates/look.ts'
import { sampleNotices } from '../templates/samples.ts'
import { plainLine } from '../templates/write.ts'
import { countMessages, type ListedMessage, listMessages } from './store.ts'

const weekMs = 7 * 86_400_000

const StatusMessage = message('settings.v1.NotificationStatus', {
  isMailConfigured: described(flag(), 'Whether this server has a mail server (--smtp-host).'),
  isMailEnabled: described(flag(), 'Whether email is turned on for the organization.'),
  slackConfigured: flag(),
  teamsConfigured: flag(),
  waiting: described(int32(), 'How many messages are waiting to be sent; 10000 means that many or more.'),
  failed: described(int32(), 'How many could not be sent in the last seven days.'),
  lastSentAt: described(timestamp(), 'When a message was sent last, within seven days.'),
  lastError: described(text(), 'Why the latest waiting message was not sent yet.'),
})

const ListedMessageShape = message('settings.v1.NotificationMessage', {
  id: text(),
  channel: text(),
  userId: described(text(), 'The recipient; empty for a chat.'),
  state: text(),
  form: described(text(), 'single, summary or digest.'),
  attempts: int32(),
  error: text(),
  createdAt: timestamp(),
  nextAttemptAt: timestamp(),
  endedAt: timestamp(),
})

const viewMessage = ({ dueAt, ...of }: ListedMessage) => ({
  ...of,
  nextAttemptAt: of.state === 'waiting' ? dueAt : null,
})

const PreviewMessage = message('settings.v1.NotificationPreview', {
  name: text(),
  subject: text(),
  text: text(),
  html: text(),
})

const titlesOf = (place: ReturnType<typeof placeOf>) =>
  Object.entries(sampleNotices(place)).map(([name, notice]) => ({ name, subject: plainLine(notice.subject) }))

export const statusRoutes: readonly Route[] = [
  route({
    id: 'settings.v1.Notifications.GetStatus',
    at: 'GET /api/v1/settings/notifications/status',
    summary: 'Get whether notifications are sent, how many are waiting and how many failed.',
    rule: 'notifications.read',
    reply: message('settings.v1.NotificationsGetStatusResponse', { status: nested(StatusMessage) }),
    async handle({ db, tenant, settings, now }) {
      const since = new Date(now().getTime() - weekMs)
      const [counts, configured, organisation] = await Promise.all([
        countMessages(db, tenant.id, since),
        findConfigured(db, tenant.id),
        findOrganisation(db, tenant.id),
      ])
      return {
        status: {
          ...counts,
          isMailConfigured: settings.mail !== undefined,
          isMailEnabled: organisation.email.enabled,
          slackConfigured: configured.slack,
          teamsConfigured: configured.teams,
        },
      }
    },
  }),
  route({
    id: 'settings.v1.Notifications.ListMessages',
    at: 'GET /api/v1/settings/notifications/messages',
    summary:
      'List messages that are waiting, were sent, failed or were dropped, newest first. Their content is not stored.',
    rule: 'notifications.read',
    paged: true,
    query: message('settings.v1.NotificationsListMessagesRequest', {
      state: described(
        oneOf(['waiting', 'sent', 'failed', 'dropped']),
        'The state of the messages; waiting by default.',
      ),
    }),
    reply: message('settings.v1.NotificationsListMessagesResponse', {
      list: listOf(ListedMessageShape),
      nextPageToken,
    }),
    async handle({ db, tenant }, { query, page }) {
      return page.cut(await listMessages(db, tenant.id, query.state, page), ({ id }) => [id], viewMessage)
    },
  }),
  route({
    id: 'settings.v1.Notifications.ListPreviews',
    at: 'GET /api/v1/settings/notifications/previews',
    summary: 'List all kinds of messages, with sample subjects.',
    rule: 'own-notifications.use',
    reply: message('settings.v1.NotificationsListPreviewsResponse', {
      list: listOf(message('settings.v1.NotificationPreviewTitle', { name: text(), subject: text() })),
    }),
    handle: ({ tenant }) => ({ list: titlesOf(placeOf(tenant)) }),
  }),
  route({
    id: 'settings.v1.Notifications.GetPreview',
    at: 'GET /api/v1/settings/notifications/previews/{name}',
    summary: 'Get a message as it is sent, with sample data. A browser that opens the URL shows its HTML.',
    rule: 'own-notifications.use',
    pageIn: 'html',
    reply: message('settings.v1.NotificationsGetPreviewResponse', PreviewMessage.fields),
    handle({ tenant }, { path }) {
      const place = placeOf(tenant)
      const samples = sampleNotices(place)
      const notice = Object.hasOwn(samples, path.name) ? samples[path.name] : undefined
      if (!notice) throw new Refusal('PREVIEW_NOT_FOUND', `There is no message ${path.name}.`)
      return {
        name: path.name,
        subject: plainLine(notice.subject),
        text: textOf(place, notice),
        html: htmlOf(place, notice),
      }
    },
  }),
]
