import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { alert, causeOf, record, recordChange } from '#rooms/foundation/systemlog/index.ts'
import {
  allDisabled,
  hasEnabledOwner,
  lockOwnership,
  recordsChanged,
  type User,
  updatePerson,
  usersDisabled,
} from '#rooms/identity/users/index.ts'
import type { Directory } from '../../directory.ts'
import { lockDirectory, updateDirectory } from '../../store.ts'
import { notOfDirectory } from '../../tokens/bearer.ts'
import { findSizes } from '../store/sizes.ts'
import { isHeldBack, windowMs } from './decide.ts'
import { countDeactivated } from './store.ts'

/** The outcome of a deactivation. */
export type Deactivated = 'disabled' | 'held' | 'kept' | 'nothing'

/**
 * To be called before the user is locked: the Super Administrators are locked first, everywhere. Returns whether the
 * deactivation is held.
 */
export async function beforeDeactivating(tx: Tx, call: Call, { appId }: Directory): Promise<boolean> {
  // Deactivations of a directory are processed one after the other, so that each is counted.
  const directory = await lockDirectory(tx, call.tenant.id, appId)
  await lockOwnership(tx, call.tenant.id)
  if (!directory) throw notOfDirectory()
  if (directory.heldSince) return true
  const at = call.now()
  const since = new Date(Math.max(directory.countedFrom.getTime(), at.getTime() - windowMs))
  const deactivated = await countDeactivated(tx, call.tenant.id, appId, since)
  const { active } = await findSizes(tx, call.tenant.id, appId)
  if (!isHeldBack(deactivated, active)) return false
  await updateDirectory(tx, call.tenant.id, { ...directory, heldSince: at, updatedAt: at })
  const touched = { type: 'directory', id: appId, name: directory.displayName, data: { deactivated, active } }
  const message = `Held deactivations of the directory ${directory.displayName}: ${deactivated} users were deactivated within a day. Further ones are waiting for confirmation`
  await record(tx, call, call, alert(causeOf(call), 'update', message, [touched]))
  return true
}

/** Disables a user whom their directory calls inactive, unless no enabled Super Administrator would be left. */
export async function disable(tx: Tx, call: Call, user: User, appId: string): Promise<Deactivated> {
  if (user.status !== 'ENABLED') return 'nothing'
  await updatePerson(tx, call.tenant.id, user.id, { status: 'DISABLED', disabled_by: appId, updated_at: call.now() })
  if (await hasEnabledOwner(tx, call, call.tenant.id)) {
    await enqueueDisabled(tx, call)
    await recordStatus(tx, call, user, 'DISABLED', appId)
    return 'disabled'
  }
  await updatePerson(tx, call.tenant.id, user.id, { status: 'ENABLED', disabled_by: '', updated_at: call.now() })
  const touched = { type: 'user', id: user.id, name: user.displayName, data: { status: 'ENABLED' } }
  const message = `Did not disable ${user.displayName}, who is inactive in the directory: no enabled Super Administrator would be left`
  await record(tx, call, call, alert(causeOf(call), 'update', message, [touched]))
  return 'kept'
}

export async function enable(tx: Tx, call: Call, user: User, appId: string): Promise<void> {
  await updatePerson(tx, call.tenant.id, user.id, { status: 'ENABLED', disabled_by: '', updated_at: call.now() })
  await enqueue(tx, call, causeOf(call), recordsChanged, allDisabled)
  await recordStatus(tx, call, user, 'ENABLED', appId)
}

/** The history of a person shows the directory that decided it. */
async function recordStatus(
  tx: Tx,
  call: Call,
  user: User,
  status: 'ENABLED' | 'DISABLED',
  appId: string,
): Promise<void> {
  const reason = status === 'ENABLED' ? 'Active in the directory' : 'Inactive in the directory'
  const touched = {
    type: 'user',
    id: user.id,
    name: user.displayName,
    data: { status, before: user.status, reason, appId },
  }
  const done = status === 'ENABLED' ? 'Enabled' : 'Disabled'
  await recordChange(tx, call, 'update', `${done} ${user.displayName}`, [touched])
}

async function enqueueDisabled(tx: Tx, call: Call): Promise<void> {
  await enqueue(tx, call, causeOf(call), usersDisabled, allDisabled)
  await enqueue(tx, call, causeOf(call), recordsChanged, allDisabled)
}
