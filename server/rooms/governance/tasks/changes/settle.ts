import type { Tx } from '#kernel/sql.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { carry } from '../carry.ts'
import { changeApproved } from '../effects/job-names.ts'
import { Facts, type TenantWorld } from '../facts/facts.ts'
import type { TaskEvent } from '../machine/event.ts'
import { currentOf, replay } from '../machine/fold.ts'
import type { Snapshot } from '../machine/record.ts'
import type { TaskState } from '../machine/task.ts'
import { listTaskEvents, lockTask } from '../store.ts'

export type ApprovedChange = Snapshot & { stepId: string; approverIds: readonly string[] }

/**
 * The task of a change whose steps are all passed, locked until the transaction ends; null if the change is no longer to be
 * made.
 */
export async function findApprovedChange(
  tx: Tx,
  { tenant }: TenantWorld,
  taskId: string,
): Promise<ApprovedChange | null> {
  const task = await lockTask(tx, tenant.id, taskId)
  if (!task?.isOpen || task.kind !== 'change') return null
  const state = replay(await listTaskEvents(tx, tenant.id, taskId))
  const now = currentOf(state)
  if (now?.step.kind !== 'provision') return null
  return { task, state, stepId: now.id, approverIds: approversOf(state) }
}

/** The users who approved a step of the current round. */
const approversOf = ({ instances, generation: round }: TaskState): string[] =>
  instances.flatMap(({ generation, step, end }) =>
    generation === round && step.kind === 'approval' && end?.outcome === 'approved' && end.by !== '' ? [end.by] : [],
  )

/** Writes the result of a change: made, or why not. */
export async function settleChange(
  tx: Tx,
  world: TenantWorld,
  { task, state, stepId }: ApprovedChange,
  failure: string | null,
): Promise<void> {
  const events: TaskEvent[] =
    failure === null
      ? [{ is: 'ended', stepId, outcome: 'provisioned', comment: '' }]
      : [
          { is: 'ended', stepId, outcome: 'failed', comment: failure },
          { is: 'closed', outcome: 'failed', comment: failure },
        ]
  const verb = failure === null ? 'Carried out' : 'Could not carry out'
  const cause = serviceCause(world.tenant, changeApproved.kind)
  await carry(new Facts(tx, world), cause, { task, state }, { events, by: '', verb })
}
