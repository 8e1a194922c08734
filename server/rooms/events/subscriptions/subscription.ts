import type { Place } from '#rooms/foundation/systemlog/index.ts'

export const states = ['active', 'paused', 'ended'] as const
export type State = (typeof states)[number]

/** Why a subscription is not active. */
export const reasons = [
  'USER',
  'DELIVERY_FAILED',
  'RECEIVER_GONE',
  'FILTER_TOO_COSTLY',
  'FILTER_INVALID',
  'NOT_PERMITTED',
  'CHANGED_OUTSIDE',
  'EVENTS_MISSING',
  'LOG_TAMPERED',
] as const
export type Reason = (typeof reasons)[number]

/** What leaves, and where it goes. */
export type Target = {
  /** As it is kept: with its query sealed. */
  url: string
  eventKinds: readonly string[]
  filter: string
  /** Who created it, or last changed what leaves or where it goes. */
  responsibleId: string
}

export type Subscription = Target & {
  id: string
  displayName: string
  description: string
  state: State
  /** Empty where it is active. */
  reason: Reason | ''
  /** In words: why it is not active, or why the last attempt failed. */
  detail: string
  stateChangedAt: Date
  sealedSecret: Buffer
  sealedOldSecret: Buffer | null
  oldSecretUntil: Date | null
  createdBy: string
  createdAt: Date
  updatedAt: Date
  /** The last event in the chain that was acknowledged, or passed over. */
  cursor: Place
  /** Failed attempts at the event that follows. */
  attempt: number
  failingSince: Date | null
  nextAttemptAt: Date | null
  lastDeliveredAt: Date | null
  deliveredCount: number
  filterErrorCount: number
  filterError: string
  version: number
}

export const outcomes = ['delivered', 'failed'] as const

/** One attempt to deliver a message. */
export type Delivery = {
  id: string
  subscriptionId: string
  messageId: string
  kind: string
  isTest: boolean
  attempt: number
  outcome: (typeof outcomes)[number]
  startedAt: Date
  durationMs: number
  /** 0 where there was no reply. */
  status: number
  error: string
  request: SentRequest
  reply: KeptReply | null
}

/** What differs between requests: the rest is told by what the message is. Without secrets. */
export type SentRequest = { url: string; timestamp: number; filterError?: string }
/** Of the headers those that are of use and hold no secrets, of the body the beginning. */
export type KeptReply = { headers: { [name: string]: string }; body: string }
