import { route } from '#authority/route.ts'
import { fieldsToChange, keptIn, updatable } from '#kernel/masks.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, empty, listOf, type MessageOf, message, nested, required, text } from '#kernel/wire.ts'
import { changeWebhook, createWebhook, getWebhook, removeWebhook, testWebhook } from './actions.ts'
import { AnswerMessage } from './deliveries/answers.ts'
import { requireCallback, takeCallback } from './deliveries/callback.ts'
import { findDelivery, listAttempts, listDeliveries } from './deliveries/store.ts'
import { deliveryNotFound, webhookNotFound } from './refuse.ts'
import { DeliveryDetailsMessage, DeliveryMessage, InstanceMessage, WebhookMessage, webhookFields } from './shapes.ts'
import { findAnyWebhook, searchWebhooks } from './store.ts'
import { deliveryDetailsOnWire, deliveryOnWire, instanceOnWire, webhookOnWire } from './view.ts'
import type { WebhookTerms } from './webhook.ts'

const service = 'webhooks.v1.WebhooksService'
const deliveries = 'bailiwick.v1.WebhookDeliveries'
const queryLength = 1000
const refsMax = 1000
const reply = (name: string) => message(`${service}${name}Response`, { webhook: nested(WebhookMessage) })

type Sent = Omit<MessageOf<(typeof WebhookMessage)['fields']>, 'id'>

const changeable = ['displayName', 'description', 'url', 'callbackTimeout'] as const

function changesOf(asked: Sent, updateMask: string): Partial<WebhookTerms> {
  const names = fieldsToChange(asked, updateMask, changeable)
  const { displayName, description, url, callbackTimeout } = asked
  return {
    ...(names.has('displayName') && { displayName }),
    ...(names.has('description') && { description }),
    ...(names.has('url') && { url }),
    ...(names.has('callbackTimeout') && { callbackTimeoutSeconds: callbackTimeout }),
  }
}

/** Deliveries of a deleted webhook can still be seen. */
async function seenWebhook(call: Call, id: string): Promise<void> {
  if (!(await findAnyWebhook(call.db, call.tenant.id, id))) throw webhookNotFound(id)
}

export const webhookRoutes: readonly Route[] = [
  route({
    id: `${service}.Create`,
    at: 'POST /api/v1/webhooks',
    summary:
      'Create a webhook. Its URL is not called, and its host name is not resolved, until something is sent to it.',
    rule: 'webhooks.create',
    body: message(`${service}CreateRequest`, {
      ...webhookFields,
      displayName: required(webhookFields.displayName),
      url: required(webhookFields.url),
    }),
    reply: reply('Create'),
    async handle(call, { body }) {
      const { callbackTimeout: callbackTimeoutSeconds, ...terms } = body
      const wanted = { ...terms, callbackTimeoutSeconds }
      return { webhook: webhookOnWire(await transact(call.db, (tx) => createWebhook(tx, call, wanted))) }
    },
  }),
  route({
    id: `${service}.List`,
    at: 'GET /api/v1/webhooks',
    summary: 'List webhooks, in order of their ids.',
    rule: 'webhooks.read',
    paged: true,
    reply: message(`${service}ListResponse`, { list: listOf(WebhookMessage), nextPageToken }),
    async handle(call, { page }) {
      const found = await searchWebhooks(call.db, call.tenant.id, { query: '', ids: [] }, page)
      return page.cut(found, ({ id }) => [id], webhookOnWire)
    },
  }),
  route({
    id: `${service}.Get`,
    at: 'GET /api/v1/webhooks/{id}',
    summary: 'Get a webhook.',
    rule: 'webhooks.read',
    reply: reply('Get'),
    handle: async (call, { path }) => ({ webhook: webhookOnWire(await getWebhook(call.db, call, path.id)) }),
  }),
  route({
    id: `${service}.Update`,
    at: 'POST /api/v1/webhooks/{id}',
    summary: 'Change a webhook. Deliveries that have not ended are sent to its new URL.',
    rule: 'webhooks.create',
    body: message(`${service}UpdateRequestInput`, { webhook: required(updatable(WebhookMessage)), updateMask: text() }),
    reply: reply('Update'),
    async handle(call, { path, body }) {
      const changes = changesOf(body.webhook, body.updateMask)
      const update = { at: 'webhook', value: body.webhook, updateMask: body.updateMask }
      const changed = await transact(call.db, async (tx) =>
        keptIn(WebhookMessage, update, webhookOnWire(await changeWebhook(tx, call, path.id, changes))),
      )
      return { webhook: changed }
    },
  }),
  route({
    id: `${service}.Delete`,
    at: 'DELETE /api/v1/webhooks/{id}',
    summary: 'Delete a webhook. Steps that use it are then decided by people.',
    rule: 'webhooks.use',
    body: message(`${service}DeleteRequestInput`, {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => removeWebhook(tx, call, path.id))
      return {}
    },
  }),
  route({
    id: `${service}.Test`,
    at: 'POST /api/v1/webhooks/{id}/test',
    summary: 'Send an empty message to a webhook. The response is in its deliveries.',
    rule: 'webhooks.use',
    body: message(`${service}TestRequestInput`, {}),
    reply: message(`${service}TestResponse`, { webhook: nested(InstanceMessage) }),
    handle: async (call, { path }) => ({
      webhook: instanceOnWire(await transact(call.db, (tx) => testWebhook(tx, call, path.id))),
    }),
  }),
  route({
    id: 'webhooks.v1.WebhooksSearch.Search',
    at: 'POST /api/v1/search/webhooks',
    summary: 'Search webhooks by a part of their name or description, or by their ids.',
    rule: 'webhooks.read',
    paged: true,
    body: message('webhooks.v1.WebhooksSearchRequest', {
      query: described(text({ maxLength: queryLength }), 'A part of the name or description, in any case.'),
      refs: listOf(message('webhooks.v1.WebhookRef', { id: text() }), refsMax),
    }),
    reply: message('webhooks.v1.WebhooksSearchResponse', { list: listOf(WebhookMessage), nextPageToken }),
    async handle(call, { body, page }) {
      const filter = { query: body.query.trim(), ids: body.refs.map(({ id }) => id) }
      return page.cut(await searchWebhooks(call.db, call.tenant.id, filter, page), ({ id }) => [id], webhookOnWire)
    },
  }),
  route({
    id: `${deliveries}.List`,
    at: 'GET /api/v1/webhooks/{id}/deliveries',
    summary: 'List the deliveries to a webhook, newest first. Deliveries are kept for 30 days after they end.',
    rule: 'webhooks.read',
    paged: true,
    reply: message('bailiwick.v1.ListWebhookDeliveriesResponse', { list: listOf(DeliveryMessage), nextPageToken }),
    async handle(call, { path, page }) {
      await seenWebhook(call, path.id)
      const found = await listDeliveries(call.db, call.tenant.id, path.id, page)
      return page.cut(found, ({ id }) => [id], deliveryOnWire)
    },
  }),
  route({
    id: `${deliveries}.Get`,
    at: 'GET /api/v1/webhooks/{id}/deliveries/{delivery_id}',
    summary: 'Get a delivery with its requests and responses.',
    rule: 'webhooks.read',
    reply: message('bailiwick.v1.GetWebhookDeliveryResponse', { delivery: nested(DeliveryDetailsMessage) }),
    async handle(call, { path }) {
      const delivery = await findDelivery(call.db, call.tenant.id, path.id, path.delivery_id)
      if (!delivery) throw deliveryNotFound(path.delivery_id)
      const attempts = await listAttempts(call.db, call.tenant.id, delivery.id)
      return { delivery: deliveryDetailsOnWire(delivery, attempts) }
    },
  }),
  route({
    id: `${deliveries}.Callback`,
    at: 'POST /api/v1/webhooks/callback/{token}',
    summary: 'Send the answer to a delivery whose response was 202. The URL is in the delivery, and works once.',
    rule: 'webhooks.answer',
    admits: (world, path) => requireCallback(world, path.token),
    body: message('bailiwick.v1.WebhookCallbackRequest', AnswerMessage.fields, AnswerMessage.description),
    reply: empty,
    async handle(call, { path, sent }) {
      await takeCallback(call, path.token, sent)
      return {}
    },
  }),
]
