import type { Kind } from './kinds.ts'

/** Something that one person has to be told, before it is known whether they want to be. */
export type Noticed = {
  userId: string
  kind: Kind
  /** The same, noticed again, is told once. */
  key: string
  taskId: string
  stepId: string
  data: NoticedData
  /** Not before; null for soon. */
  dueAt: Date | null
}

/** What is kept of it beside its task: ids, and what cannot be looked up later. */
export type NoticedData =
  | {}
  | { byUserId: string; comment: string }
  | { comment: string }
  | { since: string; place: number }
  | { grantId: string; appId: string; entitlementId: string; accountId: string; holderId: string; endsAt: string }
  | { connectorId: string; appId: string; state: 'failed' | 'held' }
  | { message: string; by: string; at: string }
  | { credentialId: string; endsAt: string }
