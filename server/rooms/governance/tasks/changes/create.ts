import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import { addressField } from '../assigning/facts.ts'
import { carry } from '../carry.ts'
import { unborn } from '../machine/fold.ts'
import type { Task } from '../record.ts'
import { routeBy } from '../route.ts'
import { insertTask } from '../store.ts'

export type ChangeAsked = { displayName: string; description: string; policyId: string }

/** Creates the task in which a change waits. Its subject is its author: who is left out of those who approve. */
export async function createChangeTask(
  tx: Tx,
  call: Call,
  number: number,
  { displayName, description, policyId }: ChangeAsked,
): Promise<Task> {
  const at = call.now()
  const task: Task = {
    id: call.newId(),
    number,
    kind: 'change',
    origin: call.actor.sessionId === '' ? 'TASK_ORIGIN_API' : 'TASK_ORIGIN_WEBAPP',
    subjectUserId: call.actor.userId,
    createdBy: call.actor.userId,
    appId: '',
    entitlementId: '',
    accountId: '',
    resourceTypeId: '',
    resourceId: '',
    displayName,
    description,
    source: { [addressField]: call.sourceAddress },
    isOpen: true,
    outcome: null,
    outcomeAt: null,
    isEmergency: false,
    durationSeconds: null,
    policyId: '',
    stepId: '',
    stepKind: '',
    stepApprovers: '',
    stepDueAt: null,
    stuckWhy: null,
    approverIds: [],
    commentCount: 0,
    version: 0,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }
  const routed = await routeBy(tx, call, task, task, policyId)
  await insertTask(tx, call.tenant.id, task)
  const created = { is: 'created', durationSeconds: null, answers: null, isEmergency: false } as const
  const ran = await carry(tx, call, causeOf(call), task, unborn, {
    events: [created, routed],
    by: call.actor.userId,
    verb: 'Created',
    activity: 'create',
  })
  return ran.task
}
