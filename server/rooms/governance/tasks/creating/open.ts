import type { Tx } from '#kernel/sql.ts'
import type { Cause } from '#rooms/foundation/systemlog/index.ts'
import { carry } from '../carry.ts'
import type { Doing } from '../doing.ts'
import type { Looking } from '../facts/approvers.ts'
import type { TaskEvent } from '../machine/event.ts'
import { unborn } from '../machine/fold.ts'
import type { Task, TaskAbout } from '../machine/record.ts'
import type { Ran } from '../machine/run.ts'
import { newTask } from '../new-task.ts'
import type { Routed } from '../route.ts'
import { insertTask, lockOpenTwin } from '../store.ts'

/** A task that is not there yet. The number is taken before: see numbers.ts. */
export type Born = {
  number: number
  about: TaskAbout
  durationSeconds: number | null
  answers: { readonly [name: string]: unknown } | null
  isEmergency: boolean
  /** Where the settings of the request come from. */
  settings?: TaskEvent
  /** What was looked up in this transaction: whom it is about, and the open task about the same access. */
  known?: { subject: Looking['subject']; twin: Promise<Task | null> }
}

/**
 * Opens a task and carries it as far as it goes by itself. `by` is empty for the service itself. Where one about the same is
 * open, nothing happens, and the task that would have been is answered.
 */
export async function openTask(
  tx: Tx,
  doing: Doing,
  cause: Cause,
  { number, about, durationSeconds, answers, isEmergency, settings, known }: Born,
  by: string,
  route: (task: Task) => Promise<Routed>,
  answersTo: (routed: Routed) => Promise<Born['answers']> = async () => answers,
  check: ((of: { task: Task; events: readonly TaskEvent[] }) => Promise<void>) | null = null,
): Promise<{ ran: Ran } | { twinOf: Task }> {
  const task = newTask(doing, { number, about, durationSeconds, isEmergency })
  const routed = await route(task)
  const created = { is: 'created', durationSeconds, answers: await answersTo(routed), isEmergency } as const
  const events = [created, ...(settings ? [settings] : []), routed]
  // Asked along with who decides. A task that goes on by itself has its row written first; one that somebody is to decide, as
  // most are, is written once, as it is then: see `write`.
  const isFree = (known?.twin ?? lockOpenTwin(tx, doing.tenant.id, task)).then((twin) => {
    if (twin) throw new HasTwin()
  })
  isFree.catch(() => {})
  const insert = async (): Promise<void> => {
    if (!(await insertTask(tx, doing.tenant.id, task))) throw new HasTwin()
  }
  try {
    if (check) {
      await isFree
      await check({ task, events })
    }
    const { subject = null } = known ?? {}
    const happening = { events, by, verb: 'Created', activity: 'create', subject, birth: { isFree, insert } } as const
    return { ran: await carry(tx, doing, cause, task, unborn, happening) }
  } catch (error) {
    if (error instanceof HasTwin) return { twinOf: task }
    throw error
  }
}

/** One about the same access is open. */
class HasTwin extends Error {
  override name = 'HasTwin'
}
