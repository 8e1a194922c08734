import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { addActor, insertTask, insertTaskEvents, putAssignees, updateTask } from '../store.ts'
import { advance, type Fact, type Need, needOf } from './advance.ts'
import type { Happened, TaskEvent } from './event.ts'
import { currentOf, fold } from './fold.ts'
import type { Task } from './record.ts'
import type { TaskState } from './task.ts'

/** Finds out what a task needs to know. */
export type Finder = (tx: Tx, task: Task, state: TaskState, need: Need) => Promise<Fact>

// A route has at most 32 steps of up to 16 parts each, a form before them, and an end.
const roundsMax = 600

export type Ran = { task: Task; state: TaskState; events: readonly (Happened & { id: string })[] }

type Happening = { events: readonly TaskEvent[]; by: string }

/**
 * Writes what `unfold` answered, in the transaction that holds the task. The statements are sent together, and carried out in
 * this order.
 */
export async function write(
  tx: Tx,
  tenantId: number,
  task: Task,
  before: TaskState,
  ran: Ran,
  { isNew = false }: { isNew?: boolean } = {},
): Promise<void> {
  const newActors = ran.task.approverIds.filter((id) => !task.approverIds.includes(id))
  const row = isNew ? insertTask(tx, tenantId, ran.task) : updateTask(tx, tenantId, ran.task)
  await Promise.all([
    row,
    insertTaskEvents(tx, tenantId, task.id, task.version + 1, ran.events),
    putAssignees(tx, tenantId, task.id, assigneesOf(before), assigneesOf(ran.state)),
    ...newActors.map((id) => addActor(tx, tenantId, task.id, id)),
  ]).catch(async (error: unknown) => {
    throw isNew && (await row.catch(() => true)) === false ? takenMeanwhile(error) : error
  })
  if (isNew && (await row) === false) throw takenMeanwhile(null)
}

/**
 * Somebody has opened one about the same since it was looked whether there is one, so that the row was not inserted, and its
 * events have nothing to be of. By this code all of it is done again (`transact`), and finds that one.
 */
const takenMeanwhile = (cause: unknown): Error =>
  Object.assign(new Error('Another task for the same access was created in the meantime.', { cause }), {
    code: '40001',
  })

/**
 * What happens to a task, and all that follows from it without anybody's doing. `before` is what its events told so far. The
 * task is not written yet; what `find` does is done.
 */
export async function unfold(
  tx: Tx,
  call: Pick<Call, 'newId' | 'now'>,
  task: Task,
  before: TaskState,
  { events: first, by }: Happening,
  find: Finder,
): Promise<Ran> {
  const at = call.now()
  const events: Happened[] = []
  let state = before
  const append = (event: TaskEvent, who: string): void => {
    const happened: Happened = { ...event, by: who, at }
    events.push(happened)
    state = fold(state, happened)
  }
  for (const event of first) append(event, by)
  for (let round = 0; state.isOpen && currentOf(state) === null && state.stuckWhy === null; round++) {
    if (round === roundsMax) throw new Error(`the task ${task.id} does not settle`)
    const need = needOf(state)
    const fact = need && (await find(tx, task, state, need))
    const approvedBy = fact?.for === 'approval' ? fact.approvedBy : null
    for (const event of advance(state, fact, at, call.newId))
      append(event, event.is === 'ended' && approvedBy !== null ? approvedBy : '')
  }
  return {
    task: project(task, state, events, at),
    state,
    events: events.map((event) => ({ ...event, id: call.newId() })),
  }
}

export const assigneesOf = (state: TaskState): string[] => [
  ...new Set(currentOf(state)?.assignees.map(({ userId }) => userId)),
]

/** The row of a task, as its state says. */
export function project(task: Task, state: TaskState, events: readonly Happened[], at: Date): Task {
  const now = currentOf(state)
  const deciders = state.instances.flatMap(({ end, step }) =>
    end && end.by !== '' && step.kind === 'approval' && (end.outcome === 'approved' || end.outcome === 'denied')
      ? [end.by]
      : [],
  )
  return {
    ...task,
    isOpen: state.isOpen,
    outcome: state.outcome,
    outcomeAt: state.isOpen ? null : (task.outcomeAt ?? at),
    isEmergency: state.isEmergency,
    durationSeconds: state.durationSeconds,
    policyId: state.policyId,
    stepId: now?.id ?? '',
    stepKind: now?.step.kind ?? '',
    stepApprovers: now?.step.kind === 'approval' ? now.step.approvers.by : '',
    stepDueAt: now?.expiresAt ?? null,
    stepApproveReason: now?.step.kind === 'approval' && now.step.needsReason.toApprove,
    stepDenyReason: now?.step.kind === 'approval' && now.step.needsReason.toDeny,
    stuckWhy: state.stuckWhy,
    approverIds: [...new Set(deciders)],
    commentCount:
      task.commentCount +
      events.filter((event) => 'comment' in event && event.comment !== '' && event.by !== '').length,
    version: task.version + events.length,
    updatedAt: at,
  }
}
