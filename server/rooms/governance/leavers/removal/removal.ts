import type { Undone } from '#rooms/foundation/plans/index.ts'
import type { GrantSource, HoldingRef } from '#rooms/records/grants/index.ts'

/** What is done in addition to ending grants. */
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
  /** The entitlement through which alone the app grants it, such as that of a group; empty if it is held directly. */
  throughName: string
  /** Whether ending the grant is sufficient: otherwise people carry it out, as the entitlement specifies. */
  isTakenByRecord: boolean
}

/** Access that people have to remove in the app, and the task that asks them to, once it is open. */
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
