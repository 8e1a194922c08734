import { jobName } from '#kernel/jobs.ts'
import type { Tx } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import type { Doing } from '../doing.ts'
import type { ProvisionResult } from '../machine/advance.ts'
import type { Task } from '../machine/record.ts'

/** Goes on with an offboarding: opens what is still to be revoked, and ends it once all of that is over. */
export const offboardTask = jobName<{ taskId: string }>('tasks.offboarding')

export const offboardingOf = (taskId: string) => ({
  payload: { taskId },
  subject: { type: 'task', id: taskId },
  key: taskId,
})

/** A job does it, some at a time: someone may hold hundreds of things. */
export async function beginOffboarding(tx: Tx, doing: Doing, task: Task): Promise<ProvisionResult> {
  await enqueue(tx, doing, serviceCause(doing.tenant, offboardTask.kind), offboardTask, offboardingOf(task.id))
  return { is: 'under way' }
}
