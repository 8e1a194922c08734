import type { App, AppEntitlement, Task, TaskView, User } from '#client/api/types.ts'
import { neighbourAt, usersIn } from '../../client/neighbours.ts'

/** A task with the things that its ids refer to. */
export type SeenTask = {
  task: Task
  /** A `change` is one that others have to approve; the published API has no type for it. */
  kind: 'grant' | 'revoke' | 'offboarding' | 'change'
  appId: string
  entitlementId: string
  app?: App | undefined
  entitlement?: AppEntitlement | undefined
  /** The name of a user; the server itself has no id. */
  nameOf(userId: string): string
  /** The users in the reply. */
  people: readonly User[]
}

type Reply = { expanded: readonly (Record<string, unknown> | null)[] }

/** What lists request with each task. */
export const listMask = {
  paths: ['appId', 'appEntitlementIds', 'userId', 'createdByUserId', 'stepApproverIds'],
}

const kindOf = ({ type }: Task): SeenTask['kind'] =>
  type?.grant ? 'grant' : type?.revoke ? 'revoke' : type?.offboarding ? 'offboarding' : 'change'

export function seenTask(view: TaskView | null, reply: Reply): SeenTask | null {
  const task = view?.task
  const about = task?.type?.grant ?? task?.type?.revoke
  if (!view || !task) return null
  const users = usersIn(reply)
  return {
    task,
    kind: kindOf(task),
    appId: about?.appId ?? '',
    entitlementId: about?.appEntitlementId ?? '',
    app: neighbourAt(reply, view.appPath, 'App'),
    entitlement: neighbourAt(reply, view.entitlementsPath, 'AppEntitlement'),
    people: [...users.values()],
    nameOf: (id) => (id === '' ? 'Bailiwick' : users.get(id)?.displayName || 'Someone you cannot see'),
  }
}

export const seenTasks = (reply: Reply & { list: readonly TaskView[] }): SeenTask[] =>
  reply.list.flatMap((view) => seenTask(view, reply) ?? [])

export const may = ({ task }: Pick<SeenTask, 'task'>, action: string): boolean =>
  task.actions.some((each) => each === `TASK_ACTION_TYPE_${action}`)

/** Why nobody can continue it; empty if somebody can. */
export const stuckWhy = ({ task }: Pick<SeenTask, 'task'>): string => {
  const why = task.annotations.find((each) => each?.['stuck'])?.['stuck']
  return task.state === 'TASK_STATE_OPEN' && typeof why === 'string' ? why : ''
}
