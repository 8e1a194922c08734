import type { ApprovalStep, Step, WaitStep } from '#rooms/governance/policies/index.ts'
import type { Effect } from './effect.ts'
import type { TaskEvent } from './event.ts'
import { currentOf } from './fold.ts'
import type { Assignee, Explained, TaskState } from './task.ts'

/** What has to be known before a task can go on. The shell finds it out, and asks again. */
export type Need =
  | { for: 'approval'; step: ApprovalStep }
  | { for: 'wait'; step: WaitStep }
  | { for: 'form'; step: Extract<Step, { kind: 'form' }> }
  | { for: 'provision'; step: Extract<Step, { kind: 'provision' }> }

/** What the shell found out: the answer to the need of the same name. */
export type Fact =
  /** Who can decide. `by` is set where one of them asked for it, and so has decided already. */
  | {
      for: 'approval'
      assignees: readonly Assignee[]
      approvedBy: string | null
      explained?: Explained
      /** A webhook decides, and nobody. */
      isByWebhook?: boolean
    }
  /** True, false, or why it cannot be told. For a time to be waited for, the time. */
  | { for: 'wait'; isOver: boolean; until: Date | null; error: string | null }
  | { for: 'form'; isAnswered: boolean; assignees: readonly Assignee[] }
  /** `effects`: what makes the result so. They are carried out once the task is written. */
  | { for: 'provision'; result: ProvisionResult; effects?: readonly Effect[] }

export type ProvisionResult =
  | { is: 'done' }
  /** People carry it out, and say so. */
  | { is: 'assigned'; assignees: readonly Assignee[] }
  /** Something else does, later: a job of ours knows. */
  | { is: 'under way' }
  /** Nothing carried it out. Where people can do so instead, they are asked; what was approved stays so. */
  | { is: 'failed'; error: string; instead?: readonly Assignee[] }
  /** There is nothing to carry out any more, and why. */
  | { is: 'gone'; why: string }

/** What is needed next; null where the task waits for somebody, is stuck, or is over. */
export function needOf(task: TaskState): Need | null {
  if (!task.isOpen || currentOf(task)) return null
  const step = task.route[task.place]
  if (!step || step.kind === 'accept' || step.kind === 'reject') return null
  return { for: step.kind, step } as Need
}

/**
 * The events by which a task goes on, as far as it can without knowing more: call it with the fact that `needOf` asks for,
 * fold, and call it again until it answers none. Whatever is not known stops the task where all can see it: nothing passes
 * because somebody was missing.
 */
export function advance(task: TaskState, fact: Fact | null, at: Date, newId: () => string): TaskEvent[] {
  if (!task.isOpen || currentOf(task)) return []
  const step = task.route[task.place]
  if (!step) return [{ is: 'closed', outcome: 'done', comment: '' }]
  if (step.kind === 'accept') return passed(newId(), 'accepted', step.message)
  if (step.kind === 'reject')
    return [...passed(newId(), 'rejected', step.message), { is: 'closed', outcome: 'denied', comment: step.message }]
  if (fact?.for !== step.kind) return []
  if (fact.for === 'approval') return approval(step as ApprovalStep, fact, at, newId())
  if (fact.for === 'wait') return wait(step as WaitStep, fact, at, newId())
  if (fact.for === 'form') return form(fact, newId())
  return provision(fact.result, newId)
}

const passed = (
  stepId: string,
  outcome: 'accepted' | 'rejected' | 'waited' | 'answered',
  comment: string,
): TaskEvent[] => [
  { is: 'begun', stepId, assignees: [], expiresAt: null },
  { is: 'ended', stepId, outcome, comment },
]

function approval(
  { escalation }: ApprovalStep,
  { assignees, approvedBy, explained, isByWebhook = false }: Extract<Fact, { for: 'approval' }>,
  at: Date,
  stepId: string,
): TaskEvent[] {
  if (assignees.length === 0 && !isByWebhook) return [{ is: 'stuck', why: 'Nobody is left who can decide this step.' }]
  const expiresAt = escalation ? new Date(at.getTime() + escalation.afterSeconds * 1000) : null
  const begun: TaskEvent = { is: 'begun', stepId, assignees, expiresAt, ...(explained && { explained }) }
  return approvedBy === null ? [begun] : [begun, { is: 'ended', stepId, outcome: 'approved', comment: '' }]
}

export const conditionFails = (name: string, error: string): string =>
  `The condition of ${name || 'a wait step'} fails: ${error}`

function wait(
  step: WaitStep,
  { isOver, until, error }: Extract<Fact, { for: 'wait' }>,
  at: Date,
  stepId: string,
): TaskEvent[] {
  if (error !== null) return [{ is: 'stuck', why: conditionFails(step.name, error) }]
  if (isOver) return passed(stepId, 'waited', '')
  const timeout = step.timeoutSeconds === null ? null : new Date(at.getTime() + step.timeoutSeconds * 1000)
  return [{ is: 'begun', stepId, assignees: [], expiresAt: until ?? timeout }]
}

const form = ({ isAnswered, assignees }: Extract<Fact, { for: 'form' }>, stepId: string): TaskEvent[] => {
  if (isAnswered) return passed(stepId, 'answered', '')
  return assignees.length === 0
    ? [{ is: 'stuck', why: 'The person who should fill in the form no longer exists.' }]
    : [{ is: 'begun', stepId, assignees, expiresAt: null }]
}

function provision(result: ProvisionResult, newId: () => string): TaskEvent[] {
  if (result.is === 'gone') return [{ is: 'closed', outcome: 'cancelled', comment: result.why }]
  const stepId = newId()
  const begun = (assignees: readonly Assignee[]): TaskEvent => ({ is: 'begun', stepId, assignees, expiresAt: null })
  if (result.is === 'done') return [begun([]), { is: 'ended', stepId, outcome: 'provisioned', comment: '' }]
  if (result.is === 'assigned')
    return result.assignees.length === 0
      ? [{ is: 'stuck', why: 'Nobody is left who can provision this.' }]
      : [begun(result.assignees)]
  if (result.is === 'under way') return [begun([])]
  const failed: TaskEvent[] = [begun([]), { is: 'ended', stepId, outcome: 'failed', comment: result.error }]
  const { instead = [] } = result
  return instead.length === 0
    ? [...failed, { is: 'closed', outcome: 'failed', comment: result.error }]
    : [...failed, { is: 'begun', stepId: newId(), assignees: instead, expiresAt: null }]
}
