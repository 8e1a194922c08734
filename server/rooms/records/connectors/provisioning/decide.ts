import type { ConnectorTask, ProvisioningKind, TaskState } from '../connector.ts'

/** A task of one account and entitlement, or of the account itself. */
export type OpenTask = Pick<ConnectorTask, 'id' | 'state'> & { kind: ProvisioningKind }

/** What happens to the tasks of a pair when another is wanted. */
export type Placing = {
  /** Waiting ones that it replaces: the last word counts. */
  cancels: readonly OpenTask[]
  /** One of the same kind that is not over: it is the same task. */
  joins: OpenTask | null
}

const isBegun = (state: TaskState): boolean => state === 'leased' || state === 'unknown'

/**
 * Where a task finds its place. At most one task of a pair waits, and at most one is with the connector or of unknown outcome:
 * they run in order, never beside each other.
 */
export function placing(kind: ProvisioningKind, open: readonly OpenTask[]): Placing {
  const waiting = open.filter(({ state }) => state === 'queued')
  const same = waiting.find((task) => task.kind === kind)
  if (same) return { cancels: [], joins: same }
  const begun = open.find(({ state }) => isBegun(state))
  return { cancels: waiting, joins: begun?.kind === kind ? begun : null }
}

/** What is known of an account and an entitlement: what is decided here, what the app has, and what is on its way. */
export type Known = {
  /** When the newest reason here began, by which the account is to hold it; null where there is none. */
  wantedSince: Date | null
  /** When the newest of the reasons that ended here began; null where none did. */
  endedBeganAt: Date | null
  /** Someone ended here what the app itself is known to have. */
  isRemoved: boolean
  /** Since when the last sync has shown it; null where it did not. */
  inAppSince: Date | null
  /** Whether it is held only by other entitlements, such as that of a group. */
  isDerived: boolean
  /** The last of its tasks that was carried out since that sync began. */
  lastDone: 'grant' | 'revoke' | null
  /** The last of its tasks that was carried out at any time gave it: the app has it because of that. */
  isGiven: boolean
  /** The last of its tasks, where that failed. */
  lastFailed: { kind: 'grant' | 'revoke'; createdAt: Date } | null
  open: readonly OpenTask[]
  /** A request waits for one of its tasks, or has not taken its result yet. */
  isAwaited: boolean
}

/** What has to be done in the app; null where nothing has. */
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
  // The request decides what comes of it. It is looked at again when that is over.
  if (isAwaited) return null
  const last = open.find(({ state }) => state === 'queued') ?? open.find(({ state }) => isBegun(state))
  const isInApp = lastDone === null ? inAppSince !== null || isRemoved : lastDone === 'grant'
  const willBe = last ? last.kind === 'grant' : isInApp
  if (wantedSince) {
    if (willBe) return null
    // Each decision is tried once: what failed waits for a person.
    return lastFailed?.kind === 'grant' && lastFailed.createdAt >= wantedSince ? null : 'grant'
  }
  if (!willBe) return null
  if (last || isRemoved || lastDone === 'grant') return 'revoke'
  if (isDerived || endedBeganAt === null || inAppSince === null) return null
  // The app had it before anything here gave it: that is not ours to remove. Of a request whose result was lost the record begins
  // only after the sync that showed what became of it.
  return isGiven || inAppSince >= endedBeganAt ? 'revoke' : null
}

/** What a finished sync shows of a task of unknown outcome. */
export function settled(
  { kind, retries }: Pick<ConnectorTask, 'kind' | 'retries'>,
  { isThere, isFollowed }: { isThere: boolean; isFollowed: boolean },
): 'done' | 'failed' | 'again' {
  const isDone = kind === 'grant' || kind === 'create_account' ? isThere : !isThere
  if (isDone) return 'done'
  // An account that is created twice is two accounts; what another task follows is not wanted any more.
  const mayRepeat = (kind === 'grant' || kind === 'revoke') && retries === 0 && !isFollowed
  return mayRepeat ? 'again' : 'failed'
}
