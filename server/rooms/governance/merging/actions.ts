import { asService, type May } from '#authority/proof.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { beginOwned, endOwned, listOwned, type Owned } from '#rooms/foundation/ownership/index.ts'
import { fingerprintOf, refuseOutdated, rehearse } from '#rooms/foundation/plans/index.ts'
import { alert, causeOf, record } from '#rooms/foundation/systemlog/index.ts'
import { forgetUser } from '#rooms/identity/credentials/index.ts'
import { beyond, listRolesOfUser } from '#rooms/identity/roles/index.ts'
import {
  allDisabled,
  disableMany,
  hasEnabledOwner,
  lockOwnership,
  lockUsers,
  moveReports,
  recordsChanged,
  setMerged,
  type User,
  userNotFound,
  usersDisabled,
} from '#rooms/identity/users/index.ts'
import { moveAccounts } from '#rooms/records/accounts/index.ts'
import { byUser, listLinksOf, moveLinks, settlePeople } from '#rooms/records/directories/index.ts'
import {
  type Counts,
  countOf,
  endMerge,
  findStanding,
  insertMerge,
  listAccountsOf,
  listLinksOfUser,
  listReports,
  lockOpenMerge,
  type Moved,
} from './store.ts'

type Planned = {
  user: User
  into: User
  moved: Moved
  counts: Counts
  /** Open requests about the user: they have to be closed first. */
  openTasks: number
  fingerprint: string
}

/** What a merge would move; both users are locked. */
async function planIn(tx: Tx, call: Call, userId: string, intoId: string): Promise<Planned> {
  if (userId === intoId) throw invalid({ field: 'intoUserId', description: 'must be another user' })
  if (call.actor.userId === userId || call.actor.userId === intoId)
    throw new Refusal('CANNOT_MERGE_SELF', 'You cannot merge yourself; another administrator can.')
  // Lock order: Super Administrators first, as everywhere.
  await lockOwnership(tx, call.tenant.id)
  const users = await lockUsers(tx, call.tenant.id, [userId, intoId], call.now())
  const [user, into] = [users.find(({ id }) => id === userId), users.find(({ id }) => id === intoId)]
  if (!user) throw userNotFound(userId)
  if (!into) throw userNotFound(intoId)
  for (const each of [user, into]) {
    if (each.type !== 'USER_TYPE_HUMAN') throw notMergeable(`${each.displayName} is not a person.`)
    await refuseBeyond(call, each.id)
  }
  if (into.status !== 'ENABLED') throw notMergeable(`${into.displayName} is not enabled.`)
  const [standing, other] = [
    await findStanding(tx, call.tenant.id, userId),
    await findStanding(tx, call.tenant.id, intoId),
  ]
  if (standing.mergedInto !== '') throw notMergeable(`${user.displayName} is already merged.`)
  if (other.mergedInto !== '') throw notMergeable(`${into.displayName} is merged into another user.`)
  if (standing.hasMerged)
    throw notMergeable(
      `Other users are merged into ${user.displayName}: split them first, or merge the other way around.`,
    )
  const owned = await listOwned(tx, call.tenant.id, userId)
  const known = new Set((await listOwned(tx, call.tenant.id, intoId)).map((each) => JSON.stringify(each)))
  const isKnown = (each: Owned): boolean => known.has(JSON.stringify(each))
  const moved: Moved = {
    status: user.status,
    disabledBy: user.disabledBy,
    accounts: await listAccountsOf(tx, call.tenant.id, userId),
    links: await listLinksOfUser(tx, call.tenant.id, userId),
    reports: await listReports(tx, call.tenant.id, userId, intoId),
    owned: owned.filter((each) => !isKnown(each)),
    ownedByBoth: owned.filter(isKnown),
  }
  const counts = await countOf(tx, call.tenant.id, userId)
  const { grants } = counts
  const fingerprint = fingerprintOf(call, 'merge', [userId, intoId, moved, grants, standing.openTasks])
  return { user, into, moved, counts, openTasks: standing.openTasks, fingerprint }
}

const notMergeable = (why: string): Refusal => new Refusal('NOT_MERGEABLE', `The users cannot be merged: ${why}`)

/** Callers cannot merge or split users who have more permissions than they do. */
async function refuseBeyond(call: Call, userId: string): Promise<void> {
  for (const role of await listRolesOfUser(call, call.tenant.id, userId)) {
    const missing = beyond(call.actor, role)
    if (missing.length > 0)
      throw new Refusal(
        'PERMISSION_DENIED',
        `The role ${role.displayName} permits more than you may do: ${missing.join(', ')}.`,
        { metadata: { roleId: role.id, permission: missing.join(',') } },
      )
  }
}

/** A plan refuses what the merge would refuse. Open requests are only reported. */
export const planMerge = (call: Call, userId: string, intoId: string): Promise<Planned> =>
  rehearse(call.db, async (tx) => {
    const planned = await planIn(tx, call, userId, intoId)
    if (planned.openTasks === 0)
      await mergeIn(tx, asService(call, 'users.merge', 'what is rehearsed is rolled back'), planned)
    return planned
  })

/**
 * Merges a user into another: accounts with their access, directory data, reports and owned objects move. Roles,
 * credentials, sessions and the history stay with the user, who is disabled from then on.
 */
export async function mergeUsers(
  call: May<'users.merge'>,
  userId: string,
  intoId: string,
  fingerprint: string,
): Promise<string> {
  const id = await transact(call.db, async (tx) => {
    const plan = await planIn(tx, call, userId, intoId)
    refuseOutdated(plan.fingerprint, fingerprint)
    if (plan.openTasks > 0)
      throw notMergeable(`${plan.openTasks} requests about ${plan.user.displayName} are open: close them first.`)
    return mergeIn(tx, call, plan)
  })
  await forgetUser(call, userId)
  await forgetUser(call, intoId)
  return id
}

async function mergeIn(tx: Tx, call: May<'users.merge'>, { user, into, moved }: Planned): Promise<string> {
  const tenantId = call.tenant.id
  const [at, by] = [call.now(), call.actor.userId]
  const way = { from: user.id, to: into.id, at }
  const before = byUser(await listLinksOf(tx, tenantId, [user.id, into.id]))
  await moveAccounts(tx, tenantId, moved.accounts, way)
  await moveLinks(tx, tenantId, moved.links, way)
  await moveReports(tx, tenantId, moved.reports, way)
  await endOwned(tx, call, [...moved.owned, ...moved.ownedByBoth], { userId: user.id, by, at })
  await beginOwned(tx, call, withIds(call, moved.owned), { userId: into.id, by, at })
  await setMerged(tx, tenantId, user.id, { merged_into: into.id, status: 'DISABLED', disabled_by: '', updated_at: at })
  if (!(await hasEnabledOwner(tx, call, tenantId)))
    throw new Refusal('LAST_OWNER', 'That would leave no enabled Super Administrator.')
  const [settled] = await settlePeople({ tx, world: call, tenant: call.tenant }, [into.id], {
    acting: '',
    links: before,
  })
  if (settled?.isToDisable)
    throw notMergeable(
      `a directory in which ${user.displayName} is not active would decide, and ${into.displayName} be disabled.`,
    )
  const id = call.newId()
  await insertMerge(tx, tenantId, { id, userId: user.id, intoUserId: into.id, mergedBy: by, mergedAt: at }, moved)
  await recordMerge(tx, call, 'Merged', { user, into }, moved)
  await enqueue(tx, call, causeOf(call), usersDisabled, allDisabled)
  return id
}

const withIds = (call: Call, owned: readonly Owned[]) => owned.map((each) => [each, call.newId()] as const)

/** Undoes a merge: what moved and still exists moves back. */
export async function splitUser(call: May<'users.merge'>, userId: string): Promise<string> {
  const intoId = await transact(call.db, async (tx) => {
    await lockOwnership(tx, call.tenant.id)
    const merge = await lockOpenMerge(tx, call.tenant.id, userId)
    if (!merge) throw new Refusal('NOT_MERGED', `The user ${userId} is not merged.`, { metadata: { userId } })
    if (call.actor.userId === userId || call.actor.userId === merge.intoUserId)
      throw new Refusal('CANNOT_MERGE_SELF', 'You cannot split yourself; another administrator can.')
    await refuseBeyond(call, userId)
    await refuseBeyond(call, merge.intoUserId)
    const users = await lockUsers(tx, call.tenant.id, [userId, merge.intoUserId], call.now())
    const user = users.find(({ id }) => id === userId)
    const into = users.find(({ id }) => id === merge.intoUserId)
    if (!user) throw userNotFound(userId)
    await splitIn(tx, call, user, into ?? null, merge)
    return merge.intoUserId
  })
  await forgetUser(call, userId)
  await forgetUser(call, intoId)
  return intoId
}

async function splitIn(
  tx: Tx,
  call: May<'users.merge'>,
  user: User,
  into: User | null,
  { id, intoUserId, moved }: { id: string; intoUserId: string; moved: Moved },
): Promise<void> {
  const tenantId = call.tenant.id
  const [at, by] = [call.now(), call.actor.userId]
  const way = { from: intoUserId, to: user.id, at }
  const before = byUser(await listLinksOf(tx, tenantId, [user.id, intoUserId]))
  await moveAccounts(tx, tenantId, moved.accounts, way)
  await moveLinks(tx, tenantId, moved.links, way)
  await moveReports(tx, tenantId, moved.reports, way)
  // What the other user no longer owns is not returned.
  const still = new Set((await listOwned(tx, tenantId, intoUserId)).map((each) => JSON.stringify(each)))
  const back = moved.owned.filter((each) => still.has(JSON.stringify(each)))
  await endOwned(tx, call, back, { userId: intoUserId, by, at })
  await beginOwned(tx, call, withIds(call, [...back, ...moved.ownedByBoth]), { userId: user.id, by, at })
  const set = { merged_into: '', status: moved.status, disabled_by: moved.disabledBy, updated_at: at }
  await setMerged(tx, tenantId, user.id, set)
  await endMerge(tx, tenantId, id, by, at)
  const settled = await settlePeople({ tx, world: call, tenant: call.tenant }, [user.id, ...(into ? [into.id] : [])], {
    acting: '',
    links: before,
  })
  for (const each of settled) if (each.isToDisable) await disableMany(tx, tenantId, [each.user.id], each.decider, at)
  if (!(await hasEnabledOwner(tx, call, tenantId)))
    throw new Refusal('LAST_OWNER', 'That would leave no enabled Super Administrator.')
  await recordMerge(tx, call, 'Split', { user, into }, moved)
}

async function recordMerge(
  tx: Tx,
  call: Call,
  done: 'Merged' | 'Split',
  { user, into }: { user: User; into: User | null },
  moved: Moved,
): Promise<void> {
  const { accounts, links, reports, owned } = moved
  const data = { accounts: accounts.length, directories: links.length, reports: reports.length, owned: owned.length }
  const touched = [
    { type: 'user', id: user.id, name: user.displayName, data },
    ...(into ? [{ type: 'user', id: into.id, name: into.displayName }] : []),
    ...accounts.slice(0, 100).map(([appId, id]) => ({ type: 'account', id, data: { appId } })),
  ]
  const words = done === 'Merged' ? `Merged ${user.displayName} into` : `Split ${user.displayName} from`
  const message = `${words} ${into?.displayName ?? 'a deleted user'}`
  await record(tx, call, call, alert(causeOf(call), 'update', message, touched))
  await enqueue(tx, call, causeOf(call), recordsChanged, allDisabled)
}
