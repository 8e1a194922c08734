import type { ConnectorTask, ProvisioningKind, TaskState } from '../connector.ts'

/** A task for one account and entitlement, or for the account itself. */
export type OpenTask = Pick<ConnectorTask, 'id' | 'state'> & { kind: ProvisioningKind }

/** What happens to the tasks of a pair if another is wanted. */
export type Placing = {
  /** Queued ones that it replaces: the last decision counts. */
  cancels: readonly OpenTask[]
  /** One of the same kind that has not ended: it is used instead. */
  joins: OpenTask | null
}

const isBegun = (state: TaskState): boolean => state === 'leased' || state === 'unknown'

/**
 * How a task is queued. At most one task of a pair is queued, and at most one is leased or of unknown outcome: they run in
 * order, never at the same time.
 */
export function placing(kind: ProvisioningKind, open: readonly OpenTask[]): Placing {
  const waiting = open.filter(({ state }) => state === 'queued')
  const same = waiting.find((task) => task.kind === kind)
  if (same) return { cancels: [], joins: same }
  const begun = open.find(({ state }) => isBegun(state))
  return { cancels: waiting, joins: begun?.kind === kind ? begun : null }
}

/** The facts about an account and an entitlement: what is decided here, what the app has, and which tasks are open. */
export type Known = {
  /** When the newest reason here for the account to hold it began; null if there is none. */
  wantedSince: Date | null
  /** When the newest of the reasons that ended here began; null if none ended. */
  endedBeganAt: Date | null
  /** Someone ended here what the app itself is known to have. */
  isRemoved: boolean
  /** Since when syncs have shown it, up to the last one; null if that did not. */
  inAppSince: Date | null
  /** Whether it is held only through other entitlements, such as that of a group. */
  isDerived: boolean
  /** The last of its tasks that was carried out since that sync began. */
  lastDone: 'grant' | 'revoke' | null
  /** The last of its tasks ever carried out granted it: the app has it because of that. */
  isGiven: boolean
  /** The last of its tasks, if it failed. */
  lastFailed: { kind: 'grant' | 'revoke'; createdAt: Date } | null
  open: readonly OpenTask[]
  /** A request waits for one of its tasks, or has not fetched its result yet. */
  isAwaited: boolean
}

/** What has to be done in the app; null if nothing. */
export function wanted(known: Known): 'grant' | 'revoke' | null {
  const {
    wantedSince,
    endedBeganAt,
    isRemoved,
    inAppSince,
    isDerived,
    lastDone,
    isGiven,
    lastFailed,
    open,
    isAwaited,
  } = known
  // The request decides how it continues. This is looked at again when the request is over.
  if (isAwaited) return null
  const last = open.find(({ state }) => state === 'queued') ?? open.find(({ state }) => isBegun(state))
  const isInApp = lastDone === null ? inAppSince !== null || isRemoved : lastDone === 'grant'
  const willBe = last ? last.kind === 'grant' : isInApp
  if (wantedSince) {
    if (willBe) return null
    // Each decision is tried once: after a failure, a person has to act.
    return lastFailed?.kind === 'grant' && lastFailed.createdAt >= wantedSince ? null : 'grant'
  }
  if (!willBe) return null
  if (last || isRemoved || lastDone === 'grant') return 'revoke'
  if (isDerived || endedBeganAt === null || inAppSince === null) return null
  // The app had it before anything here granted it, so it is not removed. For a request whose result was lost, the grant
  // begins only after the sync that showed its outcome.
  return isGiven || inAppSince >= endedBeganAt ? 'revoke' : null
}

/** The outcome of an unknown task, as a finished sync shows it. */
export function settled(
  { kind, retries }: Pick<ConnectorTask, 'kind' | 'retries'>,
  { isThere, isFollowed }: { isThere: boolean; isFollowed: boolean },
): 'done' | 'failed' | 'again' {
  const isDone = kind === 'grant' || kind === 'create_account' ? isThere : !isThere
  if (isDone) return 'done'
  // Creating an account twice would create two; a task that was followed by another is no longer wanted.
  const mayRepeat = (kind === 'grant' || kind === 'revoke') && retries === 0 && !isFollowed
  return mayRepeat ? 'again' : 'failed'
}
