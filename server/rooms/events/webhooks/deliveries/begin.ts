import { dispatchBells } from '#kernel/dispatch.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { onOutcome, type Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { Webhook } from '../webhook.ts'
import { lifetimeMs } from './decide.ts'
import { type Delivery, webhookDispatch } from './delivery.ts'
import type { Source } from './source.ts'
import { insertDelivery } from './store.ts'
import { callbackHash, callbackToken } from './token.ts'

export const hostOf = (url: string): string => URL.parse(url)?.host ?? ''

export type Asked = {
  source: Source
  ticketId?: string
  stepId?: string
  payload: object
  /** The address of this server, if it is better known now than when the webhook was saved. */
  origin?: string
}

/** Sends a message to a webhook, if the transaction commits. Null if the step has asked before. */
export async function beginDelivery(
  tx: Tx,
  { now, newId, seals, memory }: Pick<World, 'now' | 'newId' | 'seals' | 'memory'>,
  tenant: Pick<Tenancy, 'id' | 'domain'>,
  webhook: Webhook,
  { source, ticketId = '', stepId = '', payload, origin = '' }: Asked,
): Promise<Delivery | null> {
  const at = now()
  const delivery: Delivery = {
    id: newId(),
    webhookId: webhook.id,
    state: 'pending',
    source,
    ticketId,
    stepId,
    payload: JSON.stringify(payload),
    destination: webhook.url,
    host: hostOf(webhook.url),
    origin: origin || webhook.origin || `https://${tenant.domain}`,
    attempts: 0,
    badAnswers: 0,
    error: '',
    answer: null,
    dueAt: at,
    createdAt: at,
    updatedAt: at,
    lastAttemptedAt: null,
    completedAt: null,
    expiresAt: new Date(at.getTime() + lifetimeMs),
  }
  const hash = callbackHash(callbackToken(seals, tenant.id, delivery.id))
  if (!(await insertDelivery(tx, tenant.id, delivery, hash))) return null
  onOutcome(tx, (outcome) => outcome !== 'rolled back' && memory(dispatchBells).ring(webhookDispatch))
  return delivery
}
