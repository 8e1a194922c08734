import { jobName } from '#kernel/jobs.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import type { ProvisionResult } from '../machine/advance.ts'
import type { Task } from '../machine/record.ts'

/** All steps of a change are passed. The room that holds the change carries it out: see governance/four-eyes. */
export const changeApproved = jobName<{ taskId: string }>('tasks.change-approved')

/** Has a change carried out, in a transaction of its own: a refusal of what it would do does not undo the approval. */
export async function carryOutChange(
  tx: Tx,
  doing: World & Pick<Call, 'tenant'>,
  task: Task,
): Promise<ProvisionResult> {
  const cause = serviceCause(doing.tenant, changeApproved.kind)
  await enqueue(tx, doing, cause, changeApproved, {
    payload: { taskId: task.id },
    subject: { type: 'task', id: task.id },
  })
  return { is: 'under way' }
}
