import { redactedUrl } from '#kernel/outgoing/secret-url.ts'
import type { Answer } from './deliveries/answers.ts'
import type { Attempt, Delivery } from './deliveries/delivery.ts'
import { shownBody } from './deliveries/request.ts'
import { events } from './deliveries/source.ts'
import { states } from './shapes.ts'
import type { Webhook } from './webhook.ts'

export const webhookOnWire = ({ callbackTimeoutSeconds, origin: _origin, ...webhook }: Webhook) => ({
  ...webhook,
  url: redactedUrl(webhook.url),
  callbackTimeout: callbackTimeoutSeconds,
})

function sourceOf({ source, ticketId }: Delivery) {
  return {
    test: source === 'test' ? {} : null,
    approvalStep: source === 'approval' ? { ticketId } : null,
    provisionStep: source === 'provision' ? { ticketId } : null,
    policyPostAction: null,
    workflowStep: null,
  }
}

export const instanceOnWire = (delivery: Delivery) => {
  const { id, webhookId, state, attempts, destination } = delivery
  const { createdAt, updatedAt, lastAttemptedAt, completedAt, expiresAt } = delivery
  return {
    id,
    webhookId,
    state: states[state],
    attempts,
    source: sourceOf(delivery),
    spec: { destination: redactedUrl(destination) },
    createdAt,
    updatedAt,
    lastAttemptedAt,
    completedAt,
    expiresAt,
  }
}

const commentOf = (answer: Answer | null): string => answer?.comment ?? ''

export const deliveryOnWire = (delivery: Delivery) => ({
  ...instanceOnWire(delivery),
  event: events[delivery.source],
  nextAttemptAt: delivery.state === 'pending' || delivery.state === 'error' ? delivery.dueAt : null,
  error: delivery.error,
  outcome: delivery.answer?.outcome ?? '',
  comment: commentOf(delivery.answer),
})

const attemptOnWire = ({ id: _id, ...attempt }: Attempt) => ({ ...attempt, isCallback: attempt.number === 0 })

export const deliveryDetailsOnWire = (delivery: Delivery, attempts: readonly Attempt[]) => ({
  ...deliveryOnWire(delivery),
  requestUrl: redactedUrl(delivery.destination),
  requestBody: shownBody(delivery),
  attemptList: attempts.map(attemptOnWire),
})
