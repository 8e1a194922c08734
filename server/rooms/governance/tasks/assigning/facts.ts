import type { PolicyFacts } from '#rooms/governance/policies/index.ts'
import type { Task } from '../record.ts'
import type { TaskState } from '../task.ts'

/** What expressions of policies see of a task. `ip` is where the request came from; empty where nobody asked. */
export const factsOf = (task: Task, { durationSeconds }: Pick<TaskState, 'durationSeconds'>, ip = ''): PolicyFacts => ({
  subjectUserId: task.subjectUserId,
  appId: task.appId,
  entitlementId: task.entitlementId,
  accountId: task.accountId,
  ip,
  task: {
    id: task.id,
    number: task.number,
    displayName: task.displayName,
    origin: task.origin,
    durationSeconds,
    requestorUserId: task.createdBy,
    createdAt: task.createdAt,
  },
})
