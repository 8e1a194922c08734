import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { alert, causeOf, record } from '#rooms/foundation/systemlog/index.ts'
import { forgetUser } from '#rooms/identity/credentials/index.ts'
import { lockOwnership, lockUsers } from '#rooms/identity/users/index.ts'
import { directoryNotFound } from '../refuse.ts'
import { disable } from '../scim/users/status.ts'
import { deleteAccounts, listWithOtherSource, lockHeld, releaseHeld } from '../scim/users/store.ts'
import { findDirectory, lockDirectory, updateDirectory } from '../store.ts'

const atOnce = 200

/** Disables everyone whose deactivation waits, some at a time; then further ones count anew. Answers how many. */
export const confirmHeld = (call: Call, appId: string): Promise<number> => decideHeld(call, appId, true)

/** Everyone whose deactivation waits stays enabled. */
export const dismissHeld = (call: Call, appId: string): Promise<number> => decideHeld(call, appId, false)

async function decideHeld(call: Call, appId: string, isConfirmed: boolean): Promise<number> {
  if (!(await findDirectory(call.db, call.tenant.id, appId))) throw directoryNotFound(appId)
  let decided = 0
  for (;;) {
    const userIds = await transact(call.db, (tx) => decideSome(tx, call, appId, isConfirmed))
    if (isConfirmed) for (const userId of userIds) await forgetUser(call, userId)
    decided += userIds.length
    if (userIds.length < atOnce) return decided
  }
}

async function decideSome(tx: Tx, call: Call, appId: string, isConfirmed: boolean): Promise<string[]> {
  const rows = await lockHeld(tx, call.tenant.id, appId, atOnce)
  const directory = await lockDirectory(tx, call.tenant.id, appId)
  if (!directory) throw directoryNotFound(appId)
  const ids = rows.map(({ id }) => id)
  if (isConfirmed) {
    await lockOwnership(tx, call.tenant.id)
    const userIds = rows.map(({ userId }) => userId)
    const users = await lockUsers(tx, call.tenant.id, userIds, call.now())
    // Whom it deleted and another directory has had since is that one's to disable.
    const others = await listWithOtherSource(tx, call.tenant.id, appId, userIds)
    for (const user of users) if (!others.has(user.id)) await disable(tx, call, user, appId)
    const deleted = rows.filter(({ deletedAt }) => deletedAt !== null).map(({ id }) => id)
    // Those of another app are deleted by who has them.
    if (deleted.length > 0 && directory.kind === 'scim')
      await deleteAccounts(tx, call.tenant.id, appId, deleted, { at: call.now(), by: call.actor.userId })
  }
  if (ids.length > 0) await releaseHeld(tx, call.tenant.id, appId, ids)
  if (rows.length < atOnce) {
    const at = call.now()
    await updateDirectory(tx, call.tenant.id, { ...directory, heldSince: null, countedFrom: at, updatedAt: at })
  }
  const of = { type: 'directory', id: appId, name: directory.displayName, data: { count: rows.length } }
  const touched = rows.slice(0, atOnce).map(({ userId }) => ({ type: 'user', id: userId }))
  const words = isConfirmed ? 'Confirmed' : 'Dismissed'
  const message = `${words} ${rows.length} held deactivations of the directory ${directory.displayName}`
  if (rows.length > 0 || directory.heldSince)
    await record(tx, call, call, alert(causeOf(call), 'update', message, [of, ...touched]))
  return rows.map(({ userId }) => userId)
}
