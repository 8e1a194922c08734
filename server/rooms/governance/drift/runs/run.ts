import type { HoldingRef } from '#rooms/records/grants/index.ts'
import type { Remedy } from '../drift.ts'

export const runStates = ['running', 'done', 'stopped', 'undoing', 'undone'] as const
export type RunState = (typeof runStates)[number]
export const itemStates = ['waiting', 'done', 'refused', 'undone', 'left'] as const
export type ItemState = (typeof itemStates)[number]

/** A remedy that was applied to some differences. */
export type Run = {
  id: string
  remedy: Remedy
  state: RunState
  /** Why it was stopped. */
  error: string
  askedBy: string
  clientId: string
  sessionId: string
  sourceAddress: string
  requestId: string
  createdAt: Date
  endedAt: Date | null
  undoneBy: string
  undoneAt: Date | null
}

export type Item = HoldingRef & {
  state: ItemState
  /** Why nothing was done, or why it could not be undone. */
  error: string
  taskId: string
  grantIds: readonly string[]
}

export type ShownItem = Item & { appName: string; entitlementName: string; accountName: string }
export type Counts = Readonly<Record<ItemState, number>>
