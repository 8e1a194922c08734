import type { Tx } from '#kernel/sql.ts'
import { releaseRequest } from '#rooms/records/connectors/index.ts'
import type { Doing } from '../doing.ts'
import { currentOf } from '../machine/fold.ts'
import type { Task } from '../machine/record.ts'
import type { TaskState } from '../machine/task.ts'
import { deleteWait, listWaits } from './store.ts'

/** A task that went on by other means, or was closed, no longer waits for a connector. */
export async function leaveProvisioning(
  tx: Tx,
  doing: Doing,
  { id, kind }: Pick<Task, 'id' | 'kind'>,
  before: TaskState,
  after: TaskState,
): Promise<void> {
  const was = currentOf(before)
  if (was?.step.kind !== 'provision' || (kind !== 'grant' && kind !== 'revoke')) return
  if (currentOf(after)?.id === was.id) return
  for (const wait of await listWaits(tx, doing.tenant.id, { taskId: id })) {
    if (wait.generation !== was.generation || wait.place !== was.place) continue
    await releaseRequest(tx, doing, wait)
    await deleteWait(tx, doing.tenant.id, wait)
  }
}
