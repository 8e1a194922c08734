import { analyzeRecords } from '#rooms/foundation/writes/index.ts'
import { lockOwnership } from '#rooms/identity/users/index.ts'
import {
  countActive,
  type Directory,
  findManagers,
  holdLinks,
  type Settled,
  setFollowed,
  settlePeople,
} from '#rooms/records/directories/index.ts'
import type { Outcome } from './decide.ts'
import { type Followed, type Following, outcomeOf } from './following.ts'
import { type Matching } from './match.ts'

import { followPage } from './page.ts'
import { followStatuses, recordFollowed } from './statuses.ts'
import { deleteConflictsOfGone, listAccountsOf, listHeldUsers } from './store.ts'

export const accountsPerPage = 1_000

/** After 1, 2, 4, 8 pages and so on: each time, the number of rows has doubled since the planner's last statistics. */
export const isTimeToAnalyze = (pages: number): boolean => Number.isInteger(Math.log2(pages))

/**
 * Creates and updates users from the accounts of a directory: all, or those that changed. The same for a plan, which is
 * rolled back, and for the real run. A few statements per thousand accounts.
 */
export async function followAccounts(
  following: Following,
  directory: Directory,
  matching: Matching,
  { isAll, isForced }: { isAll: boolean; isForced: boolean },
): Promise<Followed> {
  const { tx, world, tenant } = following
  // Before any user is locked, as everywhere: of two Super Administrators who would both be disabled, the second sees that
  // the first is.
  await lockOwnership(tx, tenant.id)
  const activeBefore = await countActive(tx, tenant.id, directory.appId)
  const all: Outcome[] = []
  const leaving = new Set<string>()
  const returning = new Set<string>()
  for (let after = '', pages = 1; ; pages++) {
    const accounts = await listAccountsOf(tx, tenant.id, directory.appId, { isAll, after, limit: accountsPerPage })
    const page = await followPage(following, directory, matching, accounts)
    if (accounts.length === accountsPerPage && isTimeToAnalyze(pages)) await analyzeRecords(tx)
    all.push(...page.outcomes)
    noteStatus(page.settled, leaving, returning)
    const last = accounts.at(-1)
    if (!last || accounts.length < accountsPerPage) break
    after = last.id
  }
  const known = new Set(all.map(({ userId }) => userId))
  for (let after = ''; ; ) {
    const page = await followManagers(following, directory, after)
    all.push(...page.outcomes.filter(({ userId }) => !known.has(userId)))
    if (page.last === null) break
    after = page.last
  }
  await deleteConflictsOfGone(tx, tenant.id, directory.appId)
  await setFollowed(tx, tenant.id, directory.appId, world.now())
  const { isHeld, tooMany, kept } = await followStatuses(following, directory, {
    leaving: [...leaving],
    returning: [...returning],
    activeBefore,
    isForced,
  })
  const outcomes = all.map((each) => ({
    ...each,
    isDisabled: leaving.has(each.userId) && !kept.has(each.userId),
    isEnabled: returning.has(each.userId),
  }))
  await recordFollowed(following, directory, outcomes)
  return { outcomes, userIds: [...leaving, ...returning], isHeld, tooMany }
}

/** Sets managers who did not exist before, for some accounts at a time. Returns what changed, and where it stopped. */
export async function followManagers(
  following: Following,
  { appId }: Directory,
  after: string,
): Promise<{ outcomes: Outcome[]; last: string | null }> {
  const waiting = { after, limit: accountsPerPage }
  const { userIds, last } = await findManagers(following.tx, following.tenant.id, appId, waiting)
  const settled = await settlePeople(following, userIds, { acting: appId, links: new Map() })
  const outcomes = settled
    .filter(({ fields }) => fields.length > 0)
    .map(({ user, fields }) => outcomeOf({ outcome: 'change', userId: user.id, displayName: user.displayName, fields }))
  return { outcomes, last }
}

/**
 * Processes some accounts, in a separate transaction, so that nobody waits for all of them. Users who leave are held until
 * all accounts were processed, because only then their number is known (`followLeaving`). Returns where it stopped; null at
 * the end.
 */
export async function followSome(
  following: Following,
  directory: Directory,
  matching: Matching,
  { isAll, after }: { isAll: boolean; after: string },
): Promise<string | null> {
  const { tx, world, tenant } = following
  await lockOwnership(tx, tenant.id)
  const accounts = await listAccountsOf(tx, tenant.id, directory.appId, { isAll, after, limit: accountsPerPage })
  const { outcomes, settled } = await followPage(following, directory, matching, accounts)
  const leaving = new Set<string>()
  const returning = new Set<string>()
  noteStatus(settled, leaving, returning)
  const at = world.now()
  if (leaving.size > 0) await holdLinks(tx, tenant.id, directory.appId, [...leaving], { isHeld: true, at })
  await followStatuses(following, directory, {
    leaving: [],
    returning: [...returning],
    activeBefore: 0,
    isForced: false,
  })
  await recordFollowed(
    following,
    directory,
    outcomes.map((each) => ({ ...each, isEnabled: returning.has(each.userId) })),
  )
  return accounts.length < accountsPerPage ? null : (accounts.at(-1)?.id ?? null)
}

/** Disables those whom `followSome` held, unless they are too many; then they stay held. Returns who was disabled. */
export async function followLeaving(
  following: Following,
  directory: Directory,
  activeBefore: number,
): Promise<string[]> {
  const { tx, world, tenant } = following
  await lockOwnership(tx, tenant.id)
  await deleteConflictsOfGone(tx, tenant.id, directory.appId)
  await setFollowed(tx, tenant.id, directory.appId, world.now())
  // Held since before: a person has to decide about all of them.
  if (directory.heldSince !== null) return []
  const leaving = await listHeldUsers(tx, tenant.id, directory.appId)
  if (leaving.length === 0) return []
  const { isHeld, kept } = await followStatuses(following, directory, {
    leaving: leaving.map(({ userId }) => userId),
    returning: [],
    activeBefore,
    isForced: false,
  })
  if (isHeld) return []
  const gone = leaving.filter(({ userId }) => !kept.has(userId))
  await recordFollowed(
    following,
    directory,
    gone.map((each) => outcomeOf({ ...each, outcome: 'change', isDisabled: true })),
  )
  return gone.map(({ userId }) => userId)
}

function noteStatus(settled: readonly Settled[], leaving: Set<string>, returning: Set<string>): void {
  for (const { user, isToDisable, isToEnable } of settled) {
    if (isToDisable) leaving.add(user.id)
    if (isToEnable) returning.add(user.id)
  }
}
