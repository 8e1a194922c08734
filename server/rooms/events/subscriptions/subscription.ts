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

/** What is sent, and to which address. */
export type Target = {
  /** As stored: with its query sealed. */
  url: string
  eventKinds: readonly string[]
  filter: string
  /** The user who created it, or who last changed or resumed it. */
  responsibleId: string
}

export type Subscription = Target & {
  id: string
  displayName: string
  description: string
  state: State
  /** Empty if it is active. */
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
  /** The last event in the chain that was acknowledged or skipped. */
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
  /** 0 if there was no response. */
  status: number
  error: string
  request: SentRequest
  reply: KeptReply | null
}

/** What differs between requests: the rest follows from the message. Without secrets. */
export type SentRequest = { url: string; timestamp: number; filterError?: string }
/** Useful headers without secrets, and the beginning of the body. */
export type KeptReply = { headers: { [name: string]: string }; body: string }
