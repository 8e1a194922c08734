import { may } from '#authority/may.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { listOwned } from '#rooms/governance/owners/index.ts'
import type { Person } from './machine/decide.ts'
import { replay } from './machine/fold.ts'
import { expiredField, type Task } from './machine/record.ts'
import type { TaskState } from './machine/task.ts'
import { taskNotFound } from './refuse.ts'
import { findTask, findTaskNumbered, isParty, listTaskEvents, lockTask } from './store.ts'

export const seesAllTasks = ({ actor }: Pick<Call, 'actor'>): boolean => may(actor, 'tasks.read')

/** The requester, the subject, people who decide or decided, owners of the app, and callers who may read all tasks. */
async function sees(db: Reads, call: Call, task: Task, party: () => Promise<boolean>): Promise<boolean> {
  const { userId } = call.actor
  if (seesAllTasks(call) || task.createdBy === userId || task.subjectUserId === userId) return true
  if (await party()) return true
  return (await listOwnedApps(db, call)).includes(task.appId)
}

// Nobody owns more apps than this without automation.
const ownedMax = 10_000

/** The apps that a caller owns, by name or by an entitlement, regardless of their roles. */
export async function listOwnedApps(db: Reads, { tenant, actor, now }: Call): Promise<string[]> {
  const of = { userId: actor.userId, kinds: ['app'] as const }
  const rows = await listOwned(db, tenant.id, of, { at: now(), isNow: true }, { after: null, limit: ownedMax })
  return rows.map(({ appId }) => appId)
}

// Ids are KSUIDs, which contain letters: digits alone are a number.
const numberForm = /^[1-9]\d{0,14}$/
export const isNumber = (id: string): boolean => numberForm.test(id)

/** A task by its id or its number. For callers who may not see it, the response is as if it did not exist. */
export async function getTask(db: Reads, call: Call, id: string): Promise<Task> {
  const { tenant, actor } = call
  if (isNumber(id)) {
    const task = await findTaskNumbered(db, tenant.id, Number(id))
    if (!task || !(await sees(db, call, task, () => isParty(db, tenant.id, task.id, actor.userId))))
      throw taskNotFound(id)
    return task
  }
  // Both in one round trip.
  const [task, isTheirs] = await Promise.all([
    findTask(db, tenant.id, id),
    seesAllTasks(call) || isParty(db, tenant.id, id, actor.userId),
  ])
  if (!task || !(await sees(db, call, task, async () => isTheirs))) throw taskNotFound(id)
  return task
}

/**
 * A task to change, by its id, locked until the transaction ends: in one round trip, executed in this order, so that the
 * events are read under the lock. The events show who was assigned, so that usually nothing else is needed to decide whether
 * the caller can see it.
 */
export async function holdTask(tx: Tx, call: Call, id: string): Promise<{ task: Task; state: TaskState }> {
  const { tenant, actor } = call
  const [task, happened] = await Promise.all([lockTask(tx, tenant.id, id), listTaskEvents(tx, tenant.id, id)])
  const isAssigned = happened.some(
    (event) => 'assignees' in event && event.assignees.some(({ userId }) => userId === actor.userId),
  )
  const party = async (): Promise<boolean> => isAssigned || isParty(tx, tenant.id, id, actor.userId)
  if (!task || !(await sees(tx, call, task, party))) throw taskNotFound(id)
  return { task, state: replay(happened) }
}

export const personOf = ({ actor }: Pick<Call, 'actor'>, task: Task): Person => ({
  userId: actor.userId,
  isAdministrator: may(actor, 'tasks.manage') && !isOwnMatter(actor, task),
  isRequester: task.createdBy === actor.userId && !endsAnyway(task),
  // Someone who is to lose access cannot keep it by closing the task that ends it, unless they requested that themselves.
  isSubject: task.subjectUserId === actor.userId && task.kind === 'grant',
})

/**
 * A revocation that someone requested, and that happens anyway by now, because the access expired or the person is
 * offboarded: they can no longer close it. Otherwise they could request the end of their own access before that, close the
 * request after it, and keep the access.
 */
const endsAnyway = ({ kind, source, parentId }: Task): boolean =>
  kind === 'revoke' && (source[expiredField] !== undefined || parentId !== '')

/**
 * The author of a change has no say in its approval. Nor do request administrators for their own access: skipping the
 * approval of your own request grants you access, which requires permission to grant it.
 */
const isOwnMatter = ({ userId, permissions }: Call['actor'], task: Task): boolean =>
  task.kind === 'change'
    ? task.createdBy === userId
    : task.subjectUserId === userId && !may({ permissions }, 'grants.give')
