import type { Plain } from '#authority/may.ts'
import type { GrantSource } from '#rooms/records/grants/index.ts'
import type { CauseKind, CauseRef, ChangeKind, ReasonThen, Scope, Span, Subject } from './change.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
// 1970-01-01 was a Thursday; weeks begin on Mondays.
const mondayMs = 4 * dayMs

const units = [
  { unit: 'hour', ms: hourMs, spanMax: 2 * dayMs, offset: 0 },
  { unit: 'day', ms: dayMs, spanMax: 100 * dayMs, offset: 0 },
  { unit: 'week', ms: 7 * dayMs, spanMax: 700 * dayMs, offset: mondayMs },
  { unit: 'four weeks', ms: 28 * dayMs, spanMax: 2800 * dayMs, offset: mondayMs },
  { unit: 'year', ms: 364 * dayMs, spanMax: Number.POSITIVE_INFINITY, offset: mondayMs },
] as const

export type Buckets = { unit: (typeof units)[number]['unit']; ms: number; beginsAt: Date; count: number }
const bucketsMax = 120

/** How a chart divides the time between two moments, in UTC: into few enough parts that each is visible. */
export function bucketsOf({ from, to }: Span): Buckets {
  const found = units.find(({ spanMax }) => to.getTime() - from.getTime() <= spanMax) ?? units[units.length - 1]
  const { unit, ms, offset } = found as (typeof units)[number]
  const floor = (at: number): number => Math.floor((at - offset) / ms) * ms + offset
  const last = floor(to.getTime())
  const first = Math.max(floor(from.getTime()), last - (bucketsMax - 1) * ms)
  return { unit, ms, beginsAt: new Date(first), count: (last - first) / ms + 1 }
}

/** What can be compared in a scope. */
export const subjectsIn = ({ kind }: Pick<Scope, 'kind'>): readonly Subject[] =>
  ({
    tenant: ['grant', 'user', 'app', 'account', 'entitlement', 'owner', 'rule'],
    app: ['grant', 'account', 'entitlement', 'owner', 'rule'],
    entitlement: ['grant', 'owner', 'rule'],
    user: ['grant', 'account', 'owner'],
  })[kind] as readonly Subject[]

/** What each needs beside that of the operation. */
export const actionFor: Readonly<Record<Subject, Plain | null>> = {
  grant: null,
  user: 'users.read',
  app: 'apps.read',
  account: 'accounts.read',
  entitlement: 'entitlements.read',
  owner: 'owners.read',
  rule: 'rules.read',
}

const givers: Readonly<Record<GrantSource, CauseKind>> = {
  manual: 'user',
  import: 'import',
  rule: 'rule',
  request: 'task',
  profile: 'profile',
  directory: 'directory',
}

const givenBy = ({ source, grantedBy, appId, entitlementId }: ReasonThen): CauseRef => ({
  kind: givers[source],
  id: source === 'directory' ? appId : grantedBy,
  appId,
  entitlementId,
})

// Of an end, the record keeps who or what, but not its kind: that is looked up.
const endedBy = ({ source, endedBy: by, endedWhy, appId, entitlementId }: ReasonThen): CauseRef => {
  const of = { appId, entitlementId }
  if (by) return { kind: 'unspecified', id: by, ...of }
  if (endedWhy === null || endedWhy === 'expired') return { kind: 'expiry', id: '', ...of }
  return source === 'directory' ? { kind: 'directory', id: appId, ...of } : { kind: 'unspecified', id: '', ...of }
}

const latest = (reasons: readonly ReasonThen[], timeOf: (reason: ReasonThen) => number): ReasonThen | undefined =>
  reasons.toSorted((a, b) => timeOf(b) - timeOf(a))[0]

const endOf = ({ endedAt, expiresAt }: ReasonThen): number =>
  Math.min(endedAt?.getTime() ?? Number.POSITIVE_INFINITY, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY)

/** Who or what brought it about that something is held, not held any more, or held otherwise. */
export function causeOfGrant(change: ChangeKind, reasons: readonly ReasonThen[]): CauseRef | null {
  const begun = latest(
    reasons.filter(({ isHeld, wasHeld }) => isHeld && !wasHeld),
    ({ beganAt }) => beganAt.getTime(),
  )
  const over = latest(
    reasons.filter(({ isHeld, wasHeld }) => wasHeld && !isHeld),
    endOf,
  )
  if (change === 'added') return begun ? givenBy(begun) : null
  if (change === 'removed') return over ? endedBy(over) : null
  // New terms: the row that ended has who changed them, and the row that follows it still has who granted it first.
  const isRestated = over?.endedWhy === 'restated'
  if (over && (isRestated || !begun || endOf(over) > begun.beganAt.getTime())) return endedBy(over)
  return begun ? givenBy(begun) : null
}
