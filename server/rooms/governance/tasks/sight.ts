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

/** Who asked, whom it is about, who decides or decided, owners of the app, and who may read all. */
async function sees(db: Reads, call: Call, task: Task, party: () => Promise<boolean>): Promise<boolean> {
  const { userId } = call.actor
  if (seesAllTasks(call) || task.createdBy === userId || task.subjectUserId === userId) return true
  if (await party()) return true
  return (await listOwnedApps(db, call)).includes(task.appId)
}

// Nobody owns more apps than this by hand.
const ownedMax = 10_000

/** The apps that a caller owns, by name or by what they hold, whatever their roles. */
export async function listOwnedApps(db: Reads, { tenant, actor, now }: Call): Promise<string[]> {
  const of = { userId: actor.userId, kinds: ['app'] as const }
  const rows = await listOwned(db, tenant.id, of, { at: now(), isNow: true }, { after: null, limit: ownedMax })
  return rows.map(({ appId }) => appId)
}

// Ids are KSUIDs, which hold letters: what is digits alone is a number.
const numberForm = /^[1-9]\d{0,14}$/
export const isNumber = (id: string): boolean => numberForm.test(id)

/** A task by its id or its number. Who may not see it is told that there is none. */
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
 * A task that is changed, by its id, held until the transaction ends: in one round trip, carried out in this order, so that what
 * happened to it is read once it is held. Its events tell who was to decide it, so that mostly nothing else is asked to know
 * whether the caller sees it.
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
  // Who is to lose access cannot keep it by closing the task that ends it, unless they asked for that themselves.
  isSubject: task.subjectUserId === actor.userId && task.kind === 'grant',
})

/**
 * What somebody asked to be revoked and what ends anyway by now, since its time is over or the person is offboarded: it is no
 * longer theirs to close. Otherwise whoever asks for the end of their own access before that, and thinks again after it, keeps it.
 */
const endsAnyway = ({ kind, source, parentId }: Task): boolean =>
  kind === 'revoke' && (source[expiredField] !== undefined || parentId !== '')

/**
 * Who asks for a change has no say in how it is approved. Nor has who administers requests in what they get or lose
 * themselves: to skip the approval of one's own request is to give oneself access, which takes the right to give access.
 */
const isOwnMatter = ({ userId, permissions }: Call['actor'], task: Task): boolean =>
  task.kind === 'change'
    ? task.createdBy === userId
    : task.subjectUserId === userId && !may({ permissions }, 'grants.give')
