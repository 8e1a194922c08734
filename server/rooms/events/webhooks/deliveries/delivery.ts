import type { Answer } from './answers.ts'
import type { Source } from './source.ts'

/** The name of the dispatcher of deliveries. */
export const webhookDispatch = 'webhooks'

/** `answered`: there is an answer, and the room that asked has not taken it yet. */
export type DeliveryState = 'pending' | 'running' | 'error' | 'waiting' | 'answered' | 'success' | 'fatal'

export type Delivery = {
  id: string
  webhookId: string
  state: DeliveryState
  source: Source
  ticketId: string
  stepId: string
  payload: string
  /** As stored: with its query sealed. */
  destination: string
  host: string
  origin: string
  attempts: number
  badAnswers: number
  error: string
  answer: Answer | null
  dueAt: Date | null
  createdAt: Date
  updatedAt: Date
  lastAttemptedAt: Date | null
  completedAt: Date | null
  expiresAt: Date
}

/** One that this process has claimed. */
export type Claimed = Delivery & { leaseId: string; attemptId: string }

export type Attempt = {
  id: string
  /** 0 for a callback. */
  number: number
  requestHeaders: Record<string, string>
  beganAt: Date
  endedAt: Date | null
  status: number
  error: string
  replyHeaders: Record<string, string>
  replyBody: string
  sourceAddress: string
}
