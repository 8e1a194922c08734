import type { Step, Steps } from '#rooms/governance/policies/index.ts'
import type { Effect } from './effect.ts'
import type { TaskEvent } from './event.ts'
import { currentOf } from './fold.ts'
import type { Assignee, Explained, TaskState } from './task.ts'

/** The facts that the caller finds for each kind of step that needs one. */
type FactsOf = {
  /** Who can decide. `approvedBy` is set if one of them requested it, and so has decided already. */
  approval: {
    for: 'approval'
    assignees: readonly Assignee[]
    approvedBy: string | null
    explained?: Explained
    /** A webhook decides, not people. */
    isByWebhook?: boolean
  }
  /** True, false, or an error. When waiting for a time: that time. */
  wait: { for: 'wait'; isOver: boolean; until: Date | null; error: string | null }
  form: { for: 'form'; isAnswered: boolean; assignees: readonly Assignee[] }
  /** `effects`: how the result is achieved. They are carried out once the task is written. */
  provision: { for: 'provision'; result: ProvisionResult; effects?: readonly Effect[] }
}
/** Kinds of steps that need a fact; the others pass automatically. */
export type AskedKind = keyof FactsOf
export type FactOf<K extends AskedKind> = FactsOf[K]
export type Fact = FactsOf[AskedKind]

/** The step for which a fact is needed before the task can continue. The caller finds it, and calls again. */
export type Need = Exclude<Step, Steps['accept' | 'reject']>

export type ProvisionResult =
  /** `why`: what was done, if it was not all that one would expect. */
  | { is: 'done'; why?: string }
  /** People provision it, and report that. */
  | { is: 'assigned'; assignees: readonly Assignee[] }
  /** Something else does, later: a job of ours gets the result. */
  | { is: 'under way' }
  /** Nothing provisioned it. If people can do so instead, they are asked; approvals remain valid. */
  | { is: 'failed'; error: string; instead?: readonly Assignee[] }
  /** There is nothing left to provision, and why. */
  | { is: 'gone'; why: string }

/** The fact that is needed next; null if the task waits for someone, is stuck, or is over. */
export function needOf(task: TaskState): Need | null {
  if (!task.isOpen || currentOf(task)) return null
  const step = task.route[task.place]
  return !step || step.kind === 'accept' || step.kind === 'reject' ? null : step
}

type Now = { at: Date; newId(): string }

const begins: { readonly [K in Need['kind']]: (step: Steps[K], fact: FactOf<K>, now: Now) => TaskEvent[] } = {
  approval,
  wait,
  form,
  provision,
}

const begin = <K extends AskedKind>(kind: K, step: Steps[K], fact: FactOf<K>, now: Now): TaskEvent[] =>
  begins[kind](step, fact, now)

/**
 * The events by which a task continues, as far as possible without further facts: call it with the fact that `needOf` asks
 * for, fold, and call it again until it returns none. A missing fact stops the task visibly: no step passes because someone
 * was missing.
 */
export function advance(task: TaskState, fact: Fact | null, at: Date, newId: () => string): TaskEvent[] {
  if (!task.isOpen || currentOf(task)) return []
  const step = task.route[task.place]
  if (!step) return [{ is: 'closed', outcome: 'done', comment: '' }]
  if (step.kind === 'accept') return passed(newId(), 'accepted', step.message)
  if (step.kind === 'reject')
    return [...passed(newId(), 'rejected', step.message), { is: 'closed', outcome: 'denied', comment: step.message }]
  return fact?.for === step.kind ? begin(step.kind, step, fact, { at, newId }) : []
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
  { escalation }: Steps['approval'],
  { assignees, approvedBy, explained, isByWebhook = false }: FactOf<'approval'>,
  { at, newId }: Now,
): TaskEvent[] {
  const stepId = newId()
  if (assignees.length === 0 && !isByWebhook) return [{ is: 'stuck', why: 'Nobody is left who can decide this step.' }]
  const expiresAt = escalation ? new Date(at.getTime() + escalation.afterSeconds * 1000) : null
  const begun: TaskEvent = { is: 'begun', stepId, assignees, expiresAt, ...(explained && { explained }) }
  return approvedBy === null ? [begun] : [begun, { is: 'ended', stepId, outcome: 'approved', comment: '' }]
}

export const conditionFails = (name: string, error: string): string =>
  `The condition of ${name || 'a wait step'} fails: ${error}`

function wait(step: Steps['wait'], { isOver, until, error }: FactOf<'wait'>, { at, newId }: Now): TaskEvent[] {
  const stepId = newId()
  if (error !== null) return [{ is: 'stuck', why: conditionFails(step.name, error) }]
  if (isOver) return passed(stepId, 'waited', '')
  const timeout = step.timeoutSeconds === null ? null : new Date(at.getTime() + step.timeoutSeconds * 1000)
  return [{ is: 'begun', stepId, assignees: [], expiresAt: until ?? timeout }]
}

function form(_step: Steps['form'], { isAnswered, assignees }: FactOf<'form'>, { newId }: Now): TaskEvent[] {
  const stepId = newId()
  if (isAnswered) return passed(stepId, 'answered', '')
  return assignees.length === 0
    ? [{ is: 'stuck', why: 'The person who should fill in the form no longer exists.' }]
    : [{ is: 'begun', stepId, assignees, expiresAt: null }]
}

function provision(_step: Steps['provision'], { result }: FactOf<'provision'>, { newId }: Now): TaskEvent[] {
  if (result.is === 'gone') return [{ is: 'closed', outcome: 'cancelled', comment: result.why }]
  const stepId = newId()
  const begun = (assignees: readonly Assignee[]): TaskEvent => ({ is: 'begun', stepId, assignees, expiresAt: null })
  if (result.is === 'done')
    return [begun([]), { is: 'ended', stepId, outcome: 'provisioned', comment: result.why ?? '' }]
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
