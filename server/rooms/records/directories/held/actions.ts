import type { May } from '#authority/proof.ts'
import { transact } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { alert, causeOf, record } from '#rooms/foundation/systemlog/index.ts'
import { forgetUser } from '#rooms/identity/credentials/index.ts'
import { allDisabled, lockOwnership, lockUsers, recordsChanged, usersDisabled } from '#rooms/identity/users/index.ts'
import type { Directory, HeldDecision } from '../directory.ts'
import { heldDecided } from '../jobs.ts'
import { type DirectoryContext, disableAll } from '../people/disable.ts'
import { directoryNotFound, heldBeingDecided } from '../refuse.ts'
import { deleteWithGrants } from '../scim/users/delete.ts'
import { countHeld, listWithOtherSource, lockHeld, releaseHeld } from '../scim/users/store.ts'
import type { DirectoryUser } from '../scim/users/user.ts'
import { findDirectory, lockDirectory, updateDirectory } from '../store.ts'

/** How many are decided in one transaction: as many as one event can name. */
const atOnce = 200

/** Disables everyone whose deactivation is held; counting starts again after that. Returns how many. */
export const confirmHeld = (call: May<'directories.change'>, appId: string): Promise<number> =>
  decideHeld(call, appId, true)

/** Everyone whose deactivation is held stays enabled. */
export const dismissHeld = (call: May<'directories.change'>, appId: string): Promise<number> =>
  decideHeld(call, appId, false)

/** The first of them at once, with the decision; a job decides the others, even if this server stops. */
async function decideHeld(call: May<'directories.change'>, appId: string, isConfirmed: boolean): Promise<number> {
  if (!(await findDirectory(call.db, call.tenant.id, appId))) throw directoryNotFound(appId)
  const decided = await transact(call.db, async (tx) => {
    const until = call.now()
    const rows = await lockHeld(tx, call.tenant.id, appId, until, atOnce)
    const directory = await lockDirectory(tx, call.tenant.id, appId)
    if (!directory) throw directoryNotFound(appId)
    const { heldDecision } = directory
    if (heldDecision && heldDecision.isConfirmed !== isConfirmed) throw heldBeingDecided(heldDecision.isConfirmed)
    const count = rows.length < atOnce ? rows.length : await countHeld(tx, call.tenant.id, appId, until)
    if (heldDecision) return { count, userIds: [] }
    const context: DirectoryContext = { tx, world: call, tenant: call.tenant, cause: causeOf(call) }
    const decision = { isConfirmed, until: until.toISOString() }
    const userIds = await decideRows(context, directory, rows, decision)
    if (count === rows.length) await finish(context, directory)
    else {
      await updateDirectory(tx, call.tenant.id, { ...directory, heldDecision: decision, updatedAt: until })
      await enqueue(tx, call, causeOf(call), heldDecided, {
        payload: { appId },
        key: appId,
        subject: { type: 'directory', id: appId },
      })
    }
    return { count, userIds }
  })
  for (const userId of decided.userIds) await forgetUser(call, userId)
  return decided.count
}

/** Applies the decision to some more of them. Returns who was disabled, and whether that was the last part. */
export async function decideMore(
  context: DirectoryContext,
  appId: string,
  wanted: HeldDecision,
): Promise<{ userIds: string[]; isDone: boolean }> {
  const { tx, tenant } = context
  const rows = await lockHeld(tx, tenant.id, appId, new Date(wanted.until), atOnce)
  const directory = await lockDirectory(tx, tenant.id, appId)
  if (directory?.heldDecision?.until !== wanted.until) return { userIds: [], isDone: true }
  const userIds = await decideRows(context, directory, rows, wanted)
  const isDone = rows.length < atOnce
  if (isDone) await finish(context, directory)
  return { userIds, isDone }
}

/** Deactivations held since then stay held until somebody decides about them too. */
async function finish({ tx, world, tenant }: DirectoryContext, directory: Directory): Promise<void> {
  const at = world.now()
  const isHeld = (await countHeld(tx, tenant.id, directory.appId, null, 1)) > 0
  const heldSince = isHeld ? (directory.heldSince ?? at) : null
  await updateDirectory(tx, tenant.id, { ...directory, heldSince, countedFrom: at, heldDecision: null, updatedAt: at })
}

/** Returns the users whose status changed. */
async function decideRows(
  context: DirectoryContext,
  directory: Directory,
  rows: readonly DirectoryUser[],
  { isConfirmed }: HeldDecision,
): Promise<string[]> {
  const { tx, world, tenant, cause } = context
  const { appId } = directory
  if (isConfirmed && rows.length > 0) await disableRows(context, directory, rows)
  if (rows.length > 0)
    await releaseHeld(
      tx,
      tenant.id,
      appId,
      rows.map(({ id }) => id),
    )
  const of = { type: 'directory', id: appId, name: directory.displayName, data: { count: rows.length } }
  const touched = rows.map(({ userId }) => ({ type: 'user', id: userId }))
  const words = isConfirmed ? 'Confirmed' : 'Dismissed'
  const message = `${words} ${rows.length} held deactivations of the directory ${directory.displayName}`
  if (rows.length > 0 || directory.heldSince)
    await record(tx, world, cause, alert(cause, 'update', message, [of, ...touched]))
  return isConfirmed ? rows.map(({ userId }) => userId) : []
}

async function disableRows(
  context: DirectoryContext,
  directory: Directory,
  rows: readonly DirectoryUser[],
): Promise<void> {
  const { tx, world, tenant, cause } = context
  const { appId } = directory
  await lockOwnership(tx, tenant.id)
  const userIds = rows.map(({ userId }) => userId)
  const users = await lockUsers(tx, tenant.id, userIds, world.now())
  // Users whom this directory deleted and another one has had since are disabled by that one.
  const others = await listWithOtherSource(tx, tenant.id, appId, userIds)
  const leaving = users.filter(({ id, status }) => status === 'ENABLED' && !others.has(id)).map(({ id }) => id)
  await disableAll(context, leaving, appId)
  await enqueue(tx, world, cause, usersDisabled, allDisabled)
  await enqueue(tx, world, cause, recordsChanged, allDisabled)
  const deleted = rows.filter(({ deletedAt }) => deletedAt !== null).map(({ id }) => id)
  // For a directory that is another app, its connector or import deletes the accounts.
  if (deleted.length > 0 && directory.kind === 'scim')
    await deleteWithGrants(tx, tenant.id, appId, deleted, { at: world.now(), by: cause.actor.userId })
}
