import type { Step } from '#rooms/governance/policies/index.ts'
import type { ActionName } from './action.ts'
import type { TaskEvent } from './event.ts'
import { currentOf, isAsked } from './fold.ts'
import type { Assignee, StepOutcome, TaskState } from './task.ts'

/** The person who wants to act on a task, with the facts that matter here. */
export type Person = {
  userId: string
  /** May restart, reset, skip, reassign and close any task. */
  isAdministrator: boolean
  isRequester: boolean
  isSubject: boolean
}

const assignedTo = (assignees: readonly Assignee[], userId: string): boolean =>
  assignees.some((each) => each.userId === userId)

/** What someone may do with a task now. Nothing else is allowed to them. */
export function actionsOf(task: TaskState, who: Person, facts: TaskFacts): Set<ActionName> {
  const { isGrant, isOffboarding, isChange, hasEmergencyPolicy } = facts
  const now = currentOf(task)
  const isAssigned = now !== null && assignedTo(now.assignees, who.userId)
  const kind = now?.step.kind
  const isBeforeProvisioning = !task.instances.some(
    ({ step, generation }) => step.kind === 'provision' && generation === task.generation,
  )
  const allowed = new Set<ActionName>(['comment'])
  const allow = (condition: boolean, ...names: ActionName[]): void => {
    if (condition) for (const name of names) allowed.add(name)
  }
  if (!task.isOpen) {
    allow(who.isAdministrator, 'restart')
    allow(who.isAdministrator && !isOffboarding, 'reset')
    allow(who.isAdministrator && task.outcome === 'failed', 'retry-provisioning')
    return allowed
  }
  // Who approves a change is determined by its policy, and by those whom it names.
  const choosesOthers = who.isAdministrator && (!isChange || isAssigned)
  allow(kind === 'approval' && isAssigned, 'approve', 'deny')
  allow(now?.step.kind === 'approval' && (choosesOthers || (isAssigned && now.step.reassignment.isAllowed)), 'reassign')
  // Nobody can hand over what is provisioned by something other than people.
  allow(kind === 'provision' && who.isAdministrator && !isOffboarding, 'reassign')
  allow(kind === 'provision' && isAssigned, 'provision-complete', 'provision-errored', 'provision-cancelled')
  allow(who.isRequester || who.isSubject || who.isAdministrator, 'close')
  allow(who.isAdministrator, 'restart', 'process')
  allow(who.isAdministrator && !isOffboarding, 'reset')
  allow(choosesOthers && now !== null && kind !== 'provision', 'skip-step')
  allow(isGrant && hasEmergencyPolicy && !task.isEmergency && (who.isRequester || who.isSubject), 'escalate')
  allow(isGrant && isBeforeProvisioning && (isAssigned || who.isAdministrator), 'update-grant-duration')
  const hasForm = task.route.some((step) => step.kind === 'form')
  allow(hasForm && isBeforeProvisioning && (who.isRequester || who.isSubject || isAssigned), 'update-request-data')
  return allowed
}
export type TaskFacts = { isGrant: boolean; isOffboarding: boolean; isChange: boolean; hasEmergencyPolicy: boolean }

export type Refused = { why: 'NOT_ALLOWED' | 'STEP_NOT_CURRENT' | 'REASON_MISSING' | 'NOT_SEEN' }

export type Decision = {
  stepId: string
  isApproval: boolean
  comment: string
  /** The revision that was seen; null if the client does not send it. */
  revision: number | null
}

/** A decision about the current step, by someone whom `actionsOf` allows it. */
export function decided(task: TaskState, { stepId, isApproval, comment, revision }: Decision): TaskEvent[] | Refused {
  const now = currentOf(task)
  if (now?.step.kind !== 'approval') return { why: 'NOT_ALLOWED' }
  if (now.id !== stepId) return { why: 'STEP_NOT_CURRENT' }
  if (revision !== null && revision !== task.revision) return { why: 'NOT_SEEN' }
  const { toApprove, toDeny } = now.step.needsReason
  if ((isApproval ? toApprove : toDeny) && comment.trim() === '') return { why: 'REASON_MISSING' }
  const ended: TaskEvent = { is: 'ended', stepId, outcome: isApproval ? 'approved' : 'denied', comment }
  return isApproval ? [ended] : [ended, { is: 'closed', outcome: 'denied', comment: '' }]
}

/**
 * Whether a step was passed based on the content of the request: approved, skipped by someone, or waited for by a condition.
 */
const hasSeen = (step: Step, outcome: StepOutcome | undefined): boolean =>
  (step.kind === 'approval' && (outcome === 'approved' || outcome === 'skipped')) ||
  (step.kind === 'wait' && step.until.by === 'condition' && outcome === 'waited')

/**
 * The effect of a change of duration or answers: if a step was approved, its approvers saw something else, so the route
 * begins again. If none was approved, the step continues with another id, for the same people: a client that saw the request
 * before it changed, and sends no revision, then names a step that is over. Not if the only assignee has made the change.
 */
export function changed(
  task: TaskState,
  change: Extract<TaskEvent, { is: 'duration changed' | 'answers changed' }>,
  { by, newId }: { by: string; newId: () => string },
): TaskEvent[] {
  const wasApproved = task.instances.some(
    ({ generation, step, end }) => generation === task.generation && hasSeen(step, end?.outcome),
  )
  if (wasApproved) return [change, { is: 'restarted', comment: 'What was approved has changed.' }]
  const now = currentOf(task)
  if (now?.step.kind !== 'approval') return [change]
  // A webhook is called again: what it was sent has changed.
  if (!isAsked(now) && now.assignees.every(({ userId }) => userId === by)) return [change]
  const { id: stepId, assignees, expiresAt } = now
  return [change, { is: 'reassigned', stepId, newStepId: newId(), assignees, comment: '', expiresAt }]
}

const ofAccess: readonly ActionName[] = [
  'reset',
  'escalate',
  'update-grant-duration',
  'update-request-data',
  'retry-provisioning',
  'provision-complete',
  'provision-errored',
  'provision-cancelled',
]

/**
 * The allowed actions that make sense for a change: people do not carry it out, and it cannot be reopened. It has to be
 * requested again, so that it is planned again.
 */
export function ofChanges(state: TaskState, allowed: ReadonlySet<ActionName>): Set<ActionName> {
  if (!state.isOpen) return new Set(['comment'])
  const isUnderWay = currentOf(state)?.step.kind === 'provision'
  const left = [...allowed].filter((name) => !ofAccess.includes(name))
  return new Set(isUnderWay ? left.filter((name) => name === 'comment') : left)
}
