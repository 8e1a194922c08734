import { route } from '#authority/route.ts'
import { fieldsToChange, updatable } from '#kernel/masks.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import {
  described,
  duration,
  empty,
  flag,
  int32,
  listOf,
  message,
  nested,
  required,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { countAfter } from '#rooms/foundation/systemlog/index.ts'
import {
  changeSubscription,
  createSubscription,
  getSubscription,
  pauseSubscription,
  removeSubscription,
  resumeSubscription,
  rotateSecret,
} from './actions.ts'
import { behindMax } from './metrics.ts'
import { requireLog } from './permitted.ts'
import { planReplay, replay } from './replay.ts'
import { findDelivery, listDeliveries } from './store/deliveries.ts'
import { listSubscriptions } from './store/subscriptions.ts'
import type { Subscription } from './subscription.ts'
import { sendTest } from './test-message.ts'
import {
  DeliveryDetail,
  DeliveryMessage,
  outcomeField,
  outcomeOf,
  ownFields,
  SubscriptionMessage,
  viewDelivery,
  viewDetail,
  viewSubscription,
} from './view.ts'

const service = 'bailiwick.v1.Subscriptions'
const base = '/api/v1/subscriptions'
const request = (name: string) => `${service}${name}Request`
const response = (name: string) => `${service}${name}Response`
const subscriptionReply = (name: string) => message(response(name), { subscription: nested(SubscriptionMessage) })
const secretReply = (name: string) =>
  message(response(name), {
    subscription: nested(SubscriptionMessage),
    secret: described(
      text(),
      'Verifies the Standard Webhooks signature of messages: whsec_ and 32 bytes in base64. It is only in this response.',
    ),
  })

const show = async (call: Call, of: Subscription) =>
  viewSubscription(of, await countAfter(call.db, call.tenant.id, of.cursor, behindMax))

const fromFields = {
  fromEventId: described(text({ maxLength: 100 }), 'The first event to send. Set either this or fromTime.'),
  fromTime: described(timestamp(), 'A time: sending starts with the first event in the log at or after it.'),
}

const changeable = ['displayName', 'description', 'url', 'eventKinds', 'filter'] as const
const overlap = { usual: 86_400, most: 7 * 86_400 } as const

function overlapOf(seconds: number | null): number {
  if (seconds === null) return overlap.usual
  if (seconds < 0 || seconds > overlap.most)
    throw invalid({ field: 'overlap', description: `must be from 0s to ${overlap.most}s` })
  return seconds
}

export const subscriptionRoutes = [
  route({
    id: `${service}.Create`,
    at: `POST ${base}`,
    summary: 'Create a subscription: events that occur from now on are sent to its address. Needs systemlog.read too.',
    rule: 'subscriptions.create',
    secretIn: 'secret',
    body: message(request('Create'), {
      ...ownFields,
      displayName: required(ownFields.displayName),
      url: required(ownFields.url),
    }),
    reply: secretReply('Create'),
    async handle(call, { body }) {
      const { subscription, secret } = await createSubscription(call, body)
      return { subscription: viewSubscription(subscription, 0), secret }
    },
  }),
  route({
    id: `${service}.List`,
    at: `GET ${base}`,
    summary: 'List subscriptions.',
    rule: 'subscriptions.read',
    paged: true,
    reply: message(response('List'), { list: listOf(SubscriptionMessage), nextPageToken }),
    async handle(call, { page }) {
      const rows = await listSubscriptions(call.db, call.tenant.id, page)
      const shown = await Promise.all(rows.map((row) => show(call, row)))
      return page.cut(
        shown,
        ({ id }) => [id],
        (each) => each,
      )
    },
  }),
  route({
    id: `${service}.Get`,
    at: `GET ${base}/{id}`,
    summary: 'Get a subscription, and how many events it is behind.',
    rule: 'subscriptions.read',
    reply: subscriptionReply('Get'),
    async handle(call, { path }) {
      return { subscription: await show(call, await getSubscription(call.db, call, path.id)) }
    },
  }),
  route({
    id: `${service}.Update`,
    at: `POST ${base}/{id}`,
    summary: 'Change a subscription. The user who changes it becomes responsible for it.',
    rule: 'subscriptions.create',
    body: message(request('Update'), { subscription: updatable(SubscriptionMessage), updateMask: text() }),
    reply: subscriptionReply('Update'),
    async handle(call, { path, body: { subscription, updateMask } }) {
      const fields = fieldsToChange(subscription, updateMask, changeable)
      const changes = Object.fromEntries([...fields].map((name) => [name, subscription?.[name]]))
      return { subscription: await show(call, await changeSubscription(call, path.id, changes)) }
    },
  }),
  route({
    id: `${service}.Delete`,
    at: `DELETE ${base}/{id}`,
    summary: 'Delete a subscription and the history of its deliveries.',
    rule: 'subscriptions.use',
    reply: empty,
    async handle(call, { path }) {
      await removeSubscription(call, path.id)
      return {}
    },
  }),
  route({
    id: `${service}.Pause`,
    at: `POST ${base}/{id}/pause`,
    summary: 'Pause a subscription. Events that occur while it is paused are sent when it is resumed.',
    rule: 'subscriptions.use',
    reply: subscriptionReply('Pause'),
    async handle(call, { path }) {
      return { subscription: await show(call, await pauseSubscription(call, path.id)) }
    },
  }),
  route({
    id: `${service}.Resume`,
    at: `POST ${base}/{id}/resume`,
    summary:
      'Resume a subscription that is paused or ended. One that is waiting for another attempt retries immediately.',
    rule: 'subscriptions.use',
    reply: subscriptionReply('Resume'),
    async handle(call, { path }) {
      return { subscription: await show(call, await resumeSubscription(call, path.id)) }
    },
  }),
  route({
    id: `${service}.RotateSecret`,
    at: `POST ${base}/{id}/rotate_secret`,
    summary: 'Create a new secret. For some time, messages are also signed with the previous one.',
    rule: 'subscriptions.create',
    secretIn: 'secret',
    body: message(request('RotateSecret'), {
      overlap: described(
        duration(),
        'How long messages are also signed with the previous secret, as in "86400s": one day by default, at most 7 days.',
      ),
    }),
    reply: secretReply('RotateSecret'),
    async handle(call, { path, body }) {
      const { subscription, secret } = await rotateSecret(call, path.id, overlapOf(body.overlap))
      return { subscription: await show(call, subscription), secret }
    },
  }),
  route({
    id: `${service}.PlanReplay`,
    at: `POST ${base}/{id}/replay/plan`,
    summary: 'Count the events that a replay would send. Changes nothing.',
    rule: 'subscriptions.use',
    body: message(request('PlanReplay'), fromFields),
    reply: message(response('PlanReplay'), {
      eventCount: described(int32(), 'The number of events from there on; 100000 means that many or more.'),
      lookedCount: described(
        int32(),
        'How many of them, starting with the first, were compared with the kinds and the filter.',
      ),
      matchedCount: described(int32(), 'How many of those would be sent.'),
      skippedCount: described(int32(), 'Events that were not sent yet and would be skipped.'),
    }),
    async handle(call, { path, body }) {
      return planReplay(call, path.id, { eventId: body.fromEventId, time: body.fromTime })
    },
  }),
  route({
    id: `${service}.Replay`,
    at: `POST ${base}/{id}/replay`,
    summary: 'Send all events starting from a given one again, in order and with the same message ids.',
    rule: 'subscriptions.use',
    body: message(request('Replay'), {
      ...fromFields,
      maySkip: described(flag(), 'Set to true to start after events that were not sent yet, and skip them.'),
    }),
    reply: subscriptionReply('Replay'),
    async handle(call, { path, body }) {
      const from = { eventId: body.fromEventId, time: body.fromTime }
      return { subscription: await show(call, await replay(call, path.id, from, body.maySkip)) }
    },
  }),
  route({
    id: `${service}.Test`,
    at: `POST ${base}/{id}/test`,
    summary: 'Send a test message, and return the response of the receiver. It is not an event of the system log.',
    rule: 'subscriptions.use',
    reply: message(response('Test'), { delivery: nested(DeliveryMessage) }),
    async handle(call, { path }) {
      return { delivery: viewDelivery(await sendTest(call, path.id)) }
    },
  }),
  route({
    id: `${service}.ListDeliveries`,
    at: `GET ${base}/{id}/deliveries`,
    summary: 'List the attempts to deliver messages, newest first: about the last 1,000, for at most 30 days.',
    rule: 'subscriptions.read',
    paged: true,
    query: message('', { outcome: outcomeField() }),
    reply: message(response('ListDeliveries'), { list: listOf(DeliveryMessage), nextPageToken }),
    async handle(call, { path, query, page }) {
      await getSubscription(call.db, call, path.id)
      const filter = { subscriptionId: path.id, outcome: outcomeOf(query.outcome) }
      const rows = await listDeliveries(call.db, call.tenant.id, filter, page)
      return page.cut(rows, ({ id }) => [id], viewDelivery)
    },
  }),
  route({
    id: `${service}.GetDelivery`,
    at: `GET ${base}/{id}/deliveries/{delivery_id}`,
    summary: 'Get an attempt with its request and response, without secrets. Also requires systemlog.read.',
    rule: 'subscriptions.read',
    reply: message(response('GetDelivery'), DeliveryDetail.fields),
    async handle(call, { path }) {
      requireLog(call.actor)
      const found = await findDelivery(call.db, call.tenant.id, path.id, path.delivery_id)
      if (!found)
        throw new Refusal('DELIVERY_NOT_FOUND', `There is no delivery ${path.delivery_id}.`, {
          metadata: { id: path.delivery_id },
        })
      return viewDetail(call, found)
    },
  }),
]
