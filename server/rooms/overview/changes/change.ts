import type { GrantSource } from '#rooms/records/grants/index.ts'

/** What is compared: everything of the tenant, of an app, of an entitlement, or of a person. */
export type Scope =
  | { kind: 'tenant' }
  | { kind: 'app'; appId: string }
  | { kind: 'entitlement'; appId: string; id: string }
  | { kind: 'user'; userId: string; accounts: readonly { appId: string; id: string }[] }

/** After `from`, up to and with `to`. */
export type Span = { from: Date; to: Date }

export const subjects = ['grant', 'user', 'app', 'account', 'entitlement', 'owner', 'rule'] as const
export type Subject = (typeof subjects)[number]
export const changeKinds = ['added', 'removed', 'changed'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** Which change of one thing: `at` and `id` are its place in a list, the latest first. */
type Placed = { id: string; at: Date; change: ChangeKind }

/** What an account holds at one of the moments and not at the other, or holds otherwise. */
export type GrantChange = Placed & { appId: string; entitlementId: string; accountId: string }

/** One reason why something was held: at the first moment, at the second, or at both. */
export type ReasonThen = {
  appId: string
  entitlementId: string
  accountId: string
  grantId: string
  source: GrantSource
  grantedBy: string
  grantedAt: Date
  beganAt: Date
  expiresAt: Date | null
  endedAt: Date | null
  endedBy: string | null
  endedWhy: 'revoked' | 'expired' | 'restated' | null
  wasHeld: boolean
  isHeld: boolean
}

/** A user, an app, an account, an entitlement, an owner or a rule that came or went. */
export type ThingChange = Placed & {
  appId: string
  entitlementId: string
  accountId: string
  userId: string
  /** Of owners: what is owned, and in which role. The owner is the user, or everyone who holds the entitlement. */
  objectKind: string
  objectAppId: string
  objectTypeId: string
  objectId: string
  roleSlug: string
  /** Of rules. */
  name: string
  /** Of owners: who named or removed them, or what. */
  by: string
}

/** Who or what brought a change about. */
export const causeKinds = [
  'unspecified',
  'user',
  'import',
  'rule',
  'task',
  'profile',
  'connector',
  'directory',
  'expiry',
] as const
export type CauseKind = (typeof causeKinds)[number]
export type CauseRef = { kind: CauseKind; id: string; appId: string; entitlementId: string }
