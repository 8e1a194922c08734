import type { Kind } from './kinds.ts'

/** A possible notification of one person, before their settings are checked. */
export type Noticed = {
  userId: string
  kind: Kind
  /** If it is noticed again with the same key, it is sent once. */
  key: string
  taskId: string
  stepId: string
  data: NoticedData
  /** Not before this time; null for soon. */
  dueAt: Date | null
}

/** What is stored in addition to the task: ids, and what cannot be looked up later. */
export type NoticedData =
  | {}
  | { byUserId: string; comment: string }
  | { comment: string }
  | { since: string; place: number }
  | { grantId: string; appId: string; entitlementId: string; accountId: string; holderId: string; endsAt: string }
  | { connectorId: string; appId: string; state: 'failed' | 'held' }
  | { message: string; by: string; at: string }
  | { credentialId: string; endsAt: string }
