import { mayOf } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { seesEveryone, sightOf } from '#authority/sight/index.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { alert, type CauseBy, causeOf, change, record, recordChange } from '#rooms/foundation/systemlog/index.ts'
import { replaceRolesOfUser } from '#rooms/identity/roles/index.ts'
import { delegationProblems, type WantedDelegation } from './decide.ts'
import { allDisabled, delegationChanged, recordsChanged, usersDisabled } from './jobs.ts'
import { deleteDelegation, lockDelegation, putDelegation } from './store/delegations.ts'
import { findUser, lockUsers } from './store/read.ts'
import { hasEnabledOwner, isMerged, lockOwnership, updateUserStatus } from './store.ts'
import type { Delegation, User } from './user.ts'

const namedMax = 100

/** Lists them, up to a hundred. */
export const userNotFound = (...ids: readonly string[]): Refusal => {
  const named = ids.slice(0, namedMax)
  const more = ids.length > namedMax ? ` and ${ids.length - namedMax} more` : ''
  const metadata = { userIds: named.join(',') }
  return new Refusal('USER_NOT_FOUND', noUser(`${named.join(', ')}${more}`), { metadata })
}

/** The same as text only: for 10,000 users the stacks of as many refusals took 90 ms. */
export const noUser = (id: string): string => `There is no user ${id}.`

/** The caller, or anyone for those who may see everyone; to others they do not exist. */
export async function getUser(call: Call, id: string): Promise<User> {
  const mayKnow = mayOf(call.actor, 'user.read', id)
  const user = mayKnow ? await findUser(call.db, call.tenant.id, id, call.now()) : null
  if (!user) throw userNotFound(id)
  return user
}

/** Any user whom the caller sees, at any level. */
export async function getSeenUser(call: Call, id: string): Promise<User> {
  const isSeen = seesEveryone(call.actor) || (await sightOf(call, call.db).people([id])).has(id)
  const user = isSeen ? await findUser(call.db, call.tenant.id, id, call.now()) : null
  if (!user) throw userNotFound(id)
  return user
}

/** All of them, locked until the transaction ends; refuses with those that do not exist. */
async function getUsersToChange(tx: Tx, call: Call, ids: readonly string[]): Promise<User[]> {
  const users = await lockUsers(tx, call.tenant.id, ids, call.now())
  const known = new Set(users.map(({ id }) => id))
  const unknown = [...new Set(ids)].filter((id) => !known.has(id))
  if (unknown.length > 0) throw userNotFound(...unknown)
  return users
}

export type DelegationSet = Omit<Delegation, 'namedBy' | 'createdAt' | 'updatedAt'> & {
  createdAt: Date | null
  updatedAt: Date | null
  deletedAt: Date | null
}

/**
 * Sets the delegate who acts for a user, for a time or until further notice; or, if there is none in the request,
 * removes it.
 */
export async function setDelegation(
  tx: Tx,
  call: May<'self.delegate' | 'users.set-delegate'>,
  wanted: WantedDelegation,
): Promise<DelegationSet> {
  const now = call.now()
  const [first, ...others] = delegationProblems(wanted, now)
  if (first) throw invalid(first, ...others)
  const people = await getUsersToChange(
    tx,
    call,
    [wanted.userId, wanted.delegatedUserId].filter((id) => id !== ''),
  )
  const user = people.find(({ id }) => id === wanted.userId) as User
  const before = await lockDelegation(tx, call.tenant.id, user.id)
  if (wanted.delegatedUserId === '') return endDelegation(tx, call, user, before)

  const delegate = people.find(({ id }) => id === wanted.delegatedUserId) as User
  if (delegate.status !== 'ENABLED')
    throw invalid({ field: 'delegatedUserId', description: `${delegate.id} is not enabled` })
  // A delegate does not decide tasks from before they were set: another delegate is a new delegation.
  const isSame = before?.delegatedUserId === delegate.id && !isOver(before, now)
  const namedBy = call.actor.userId
  const delegation = { ...wanted, namedBy, createdAt: isSame ? before.createdAt : now, updatedAt: now }
  await putDelegation(tx, call, delegation)
  await enqueueDelegationChange(tx, call, user.id, [before, delegation])
  await recheckWork(tx, call, before)
  const touched = { type: 'user', id: user.id, name: user.displayName, data: { delegation, before } }
  const message = `Set ${delegate.displayName} as the delegate of ${user.displayName}`
  await recordChange(tx, call, before ? 'update' : 'create', message, [touched])
  return { ...delegation, deletedAt: null }
}

const isOver = ({ expirationAt }: Delegation, now: Date): boolean => expirationAt !== null && expirationAt <= now

/** Enqueued now, for the previous and the new deciders; and for when the delegation begins or ends. */
async function enqueueDelegationChange(
  tx: Tx,
  call: Call,
  userId: string,
  of: readonly (Delegation | null)[],
): Promise<void> {
  const others = of.flatMap((each) => (each ? [each.delegatedUserId] : []))
  const subject = { type: 'user', id: userId }
  const payload = { userId, others: [...new Set(others)] }
  await enqueue(tx, call, causeOf(call), delegationChanged, { payload, subject })
}

async function endDelegation(
  tx: Tx,
  call: May<'self.delegate' | 'users.set-delegate'>,
  user: User,
  before: Delegation | null,
): Promise<DelegationSet> {
  const nobody = { userId: user.id, delegatedUserId: '', startAt: null, expirationAt: null }
  if (!before) return { ...nobody, createdAt: null, updatedAt: null, deletedAt: null }
  await deleteDelegation(tx, call, user.id)
  await enqueueDelegationChange(tx, call, user.id, [before])
  await recheckWork(tx, call, before)
  const touched = { type: 'user', id: user.id, name: user.displayName, data: { before } }
  const message = `Removed the delegate of ${user.displayName}`
  await recordChange(tx, call, 'delete', message, [touched])
  return { ...nobody, createdAt: before.createdAt, updatedAt: call.now(), deletedAt: call.now() }
}

/** The previous delegate has open tasks, which they may no longer decide. */
async function recheckWork(tx: Tx, call: Call, before: Delegation | null): Promise<void> {
  if (!before) return
  const userIds = [before.delegatedUserId]
  await enqueue(tx, call, causeOf(call), recordsChanged, {
    payload: { userIds },
    key: `user ${before.delegatedUserId}`,
  })
}

/** Grants a user these roles and revokes all others. */
export async function setRoles(
  tx: Tx,
  world: World,
  cause: CauseBy<'operator'>,
  userId: string,
  roleIds: string[],
): Promise<void> {
  const user = await holdUser(tx, world, cause, userId)
  await replaceRolesOfUser(tx, world, cause.tenant.id, user, roleIds)
  await refuseWithoutOwner(tx, world, cause.tenant.id)
  const data = { roleIds, before: user.roleIds }
  const touched = { type: 'user', id: userId, name: user.displayName, data }
  await record(tx, world, cause, alert(cause, 'update', `Set the roles of ${user.displayName}`, [touched]))
}

/** Enables or disables a user. */
export async function setStatus(
  tx: Tx,
  world: World,
  cause: CauseBy<'users.change-status' | 'users.edit' | 'operator'>,
  userId: string,
  { status, reason = '' }: { status: 'ENABLED' | 'DISABLED'; reason?: string },
): Promise<void> {
  const user = await holdUser(tx, world, cause, userId)
  if (user.status === status) return
  // Their records belong to another user: if enabled, one person would have two users.
  if (status === 'ENABLED' && (await isMerged(tx, cause.tenant.id, userId)))
    throw new Refusal('USER_MERGED', `${user.displayName} is merged into another user: split them first.`, {
      metadata: { userId },
    })
  await updateUserStatus(tx, cause.tenant.id, userId, status, world.now())
  await refuseWithoutOwner(tx, world, cause.tenant.id)
  const touched = {
    type: 'user',
    id: userId,
    name: user.displayName,
    data: { status, before: user.status, ...(reason && { reason }) },
  }
  if (status === 'DISABLED') await enqueue(tx, world, cause, usersDisabled, allDisabled)
  await enqueue(tx, world, cause, recordsChanged, allDisabled)
  const done = status === 'ENABLED' ? 'Enabled' : 'Disabled'
  await record(tx, world, cause, change(cause, 'update', `${done} ${user.displayName}`, [touched]))
}

/** Locks a user, and those who may do everything, until the transaction ends. */
export async function holdUser(
  tx: Tx,
  world: Pick<World, 'now'>,
  cause: Pick<Call, 'tenant'>,
  userId: string,
): Promise<User> {
  await lockOwnership(tx, cause.tenant.id)
  const [user] = await lockUsers(tx, cause.tenant.id, [userId], world.now())
  if (!user) throw userNotFound(userId)
  return user
}

export async function refuseWithoutOwner(tx: Tx, world: Pick<World, 'seals'>, tenantId: number): Promise<void> {
  if (!(await hasEnabledOwner(tx, world, tenantId)))
    throw new Refusal('LAST_OWNER', 'That would leave no enabled Super Administrator.')
}
