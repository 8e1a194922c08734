import type { Kind } from '../kinds.ts'
import type { Noticed, NoticedData } from '../noticed.ts'
import { firstReminder, reminderKey } from '../outbox/reminders.ts'

export type NoticedTask = {
  id: string
  kind: string
  subjectUserId: string
  createdBy: string
  isOpen: boolean
  outcome: string | null
  stepId: string
  stepKind: string
  stepDueAt: Date | null
  assigneeIds: readonly string[]
}
export type Happening = { taskId: string; id: string; kind: string; by: string; comment: string; at: Date }

/** Events after which a step may have new assignees. */
const assigning: ReadonlySet<string> = new Set([
  'created',
  'routed',
  'begun',
  'ended',
  'reassigned',
  'recalculated',
  'escalated',
  'restarted',
  'retried',
  'resumed',
  'undone',
])
/** All events that can cause notifications. */
export const noticedKinds: readonly string[] = [...assigning, 'commented', 'closed']

const commentMax = 2000
const isSet = (id: string): boolean => id !== ''

/** Determines who is notified of events of a task. Nobody is notified of their own actions. */
export function noticesOf(task: NoticedTask, happened: readonly Happening[], now: Date): Noticed[] {
  const found: Noticed[] = []
  const notify = (
    userIds: readonly string[],
    kind: Kind,
    key: string,
    more: { data?: NoticedData; dueAt?: Date | null; stepId?: string } = {},
  ): void => {
    for (const userId of new Set(userIds.filter(isSet)))
      found.push({ userId, kind, key, taskId: task.id, stepId: '', data: {}, dueAt: null, ...more })
  }
  const { createdBy, subjectUserId, assigneeIds, stepId } = task
  // Someone who loses access is notified when it has ended, not before.
  const parties = task.kind === 'grant' ? [createdBy, subjectUserId] : [createdBy]

  for (const event of happened) {
    // A task that ended at once is only reported as ended, not also as created.
    if (event.kind === 'created' && event.by !== '' && task.kind !== 'change' && task.isOpen)
      notify(parties, 'requestCreated', `created ${task.id}`)
    if (event.kind === 'commented')
      notify(
        [...parties, ...(task.isOpen ? assigneeIds : [])].filter((id) => id !== event.by),
        'commentOnRequest',
        `comment ${event.id}`,
        { data: { byUserId: event.by, comment: event.comment.slice(0, commentMax) } },
      )
    if (event.kind === 'closed') {
      // Whoever denies it, or fails to carry it out, gives the reason when the step ends.
      const why = event.comment || (happened.findLast(({ kind }) => kind === 'ended')?.comment ?? '')
      const data = { comment: why.slice(0, commentMax) }
      const isGiven = task.kind === 'grant' && task.outcome === 'done'
      if (isGiven) notify([subjectUserId], 'accessProvisioned', `closed ${event.id}`, { data })
      const others = [createdBy, ...(task.kind === 'offboarding' || task.kind === 'change' ? [] : [subjectUserId])]
      notify(
        others.filter((id) => id !== event.by && !(isGiven && id === subjectUserId)),
        'completion',
        `closed ${event.id}`,
        { data },
      )
    }
  }
  if (task.isOpen && stepId !== '' && happened.some(({ kind }) => assigning.has(kind))) {
    const kind = task.stepKind === 'provision' ? 'provisioningRequest' : 'approvalNeeded'
    notify(assigneeIds, kind, `step ${stepId}`, { stepId })
    notify(assigneeIds, 'taskReminders', reminderKey(stepId, 1), {
      stepId,
      data: { since: now.toISOString(), place: 1 },
      dueAt: firstReminder(now, task.stepDueAt),
    })
  }
  return found
}
