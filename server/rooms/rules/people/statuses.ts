import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { alert, change, record } from '#rooms/foundation/systemlog/index.ts'

import { allDisabled, enableMany, recordsChanged, usersDisabled } from '#rooms/identity/users/index.ts'
import {
  countDeactivated,
  type Directory,
  disableAll,
  holdLinks,
  updateDirectory,
} from '#rooms/records/directories/index.ts'
import { countsOf, isTooMany, type Outcome } from './decide.ts'
import type { Followed, Following } from './following.ts'

const windowMs = 24 * 60 * 60 * 1000
type Statuses = { leaving: readonly string[]; returning: readonly string[]; activeBefore: number; isForced: boolean }

/** Disables users who left, unless they are too many at once, and enables those who are back. */
export async function followStatuses(
  { tx, world, tenant, cause }: Following,
  directory: Directory,
  { leaving, returning, activeBefore, isForced }: Statuses,
): Promise<{ isHeld: boolean; tooMany: Followed['tooMany']; kept: Set<string> }> {
  const at = world.now()
  const { appId } = directory
  const none = { isHeld: false, tooMany: null, kept: new Set<string>() }
  if (returning.length > 0) {
    await enableMany(tx, tenant.id, returning, at)
    await enqueue(tx, world, cause, recordsChanged, allDisabled)
  }
  if (leaving.length === 0) return none
  const since = new Date(Math.max(directory.countedFrom.getTime(), at.getTime() - windowMs))
  const before = await countDeactivated(tx, tenant.id, appId, since)
  const isMany = directory.heldSince !== null || isTooMany(leaving.length, before, activeBefore)
  const tooMany = isMany ? { disabled: leaving.length, active: activeBefore } : null
  if (isMany && !isForced) {
    await holdLinks(tx, tenant.id, appId, leaving, { isHeld: true, at })
    if (!directory.heldSince) {
      await updateDirectory(tx, tenant.id, { ...directory, heldSince: at, updatedAt: at })
      const data = { deactivated: leaving.length, active: activeBefore }
      const touched = { type: 'directory', id: appId, name: directory.displayName, data }
      const message = `Held deactivations of the directory ${directory.displayName}: ${leaving.length} users would be disabled at the same time. They are waiting for confirmation`
      await record(tx, world, cause, alert(cause, 'update', message, [touched]))
    }
    return { isHeld: true, tooMany, kept: new Set(leaving) }
  }
  await holdLinks(tx, tenant.id, appId, leaving, { isHeld: false, at })
  const kept = await disableAll({ tx, world, tenant, cause }, leaving, appId)
  await enqueue(tx, world, cause, usersDisabled, allDisabled)
  await enqueue(tx, world, cause, recordsChanged, allDisabled)
  return { isHeld: false, tooMany, kept }
}

const namedPerEvent = 100

/** Records one event for everything that was done, and further ones that name those who left. */
export async function recordFollowed(
  { tx, world, cause }: Following,
  directory: Directory,
  outcomes: readonly Outcome[],
): Promise<void> {
  const counts = countsOf(outcomes)
  const { created, matched, changed, left, disabled, enabled } = counts
  if (created + matched + changed + left + disabled + enabled === 0) return
  const of = { type: 'directory', id: directory.appId, name: directory.displayName, data: { ...counts } }
  const done = outcomes.filter(({ outcome, userId }) => outcome !== 'conflict' && userId !== '')
  const first = done.slice(0, namedPerEvent).map(userOf)
  const message = `Followed the directory ${directory.displayName}: ${created} users created, ${matched} matched, ${changed} changed, ${disabled} disabled`
  await record(tx, world, cause, change(cause, 'update', message, [of, ...first]))
  const gone = done.filter(({ isDisabled }) => isDisabled)
  for (let from = 0; from < gone.length; from += namedPerEvent) {
    const some = gone.slice(from, from + namedPerEvent)
    const words = `Disabled ${some.length} users who are not active in the directory ${directory.displayName}`
    await record(tx, world, cause, change(cause, 'update', words, [of, ...some.map(userOf)]))
  }
}

const userOf = ({ userId, displayName, outcome, fields }: Outcome) => ({
  type: 'user',
  id: userId,
  name: displayName,
  data: { outcome, fields },
})
