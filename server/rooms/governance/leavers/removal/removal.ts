import type { Undone } from '#rooms/foundation/plans/index.ts'
import type { GrantSource, HoldingRef } from '#rooms/records/grants/index.ts'

/** What is done besides ending grants. */
export type Options = {
  /** Also exclude the person from rules that would grant access again. */
  excludes: boolean
  /** Also disable the person: then no rule matches them. */
  disables: boolean
  /** Only in these apps; in all if empty. */
  appIds: readonly string[]
}

/** An account and an entitlement, with every reason for which it is held. */
export type Held = HoldingRef & {
  appName: string
  entitlementName: string
  accountName: string
  grants: readonly { id: string; source: GrantSource; grantedBy: string }[]
  /** The entitlement through which alone the app says it is held, such as that of a group; empty if it is held directly. */
  throughName: string
  /** Whether the record is all that there is to ending it: else people carry it out, as the entitlement says. */
  isTakenByRecord: boolean
}

/** Access that people have to remove in the app, and the task that asks them to, once there is one. */
export type ByHand = HoldingRef & { taskId?: string }

export type Removal = Undone & {
  id: string
  userId: string
  fingerprint: string
  reason: string
  askedBy: string
  clientId: string
  sessionId: string
  sourceAddress: string
  requestId: string
  createdAt: Date
  grantCount: number
  excluded: readonly { appId: string; id: string }[]
  byHand: readonly ByHand[]
  byHandError: string
  isDisabled: boolean
}
