import type { Approval, Escalation, PolicyStep, PolicyStepInstance, Task, WaitUntilTime } from '#client/api/types.ts'
import { durationWords } from '../../parts/durations.ts'
import { type SeenTask, stuckWhy } from './seen-task.ts'

type Look = readonly [label: string, color: string]

const ends: Readonly<Record<string, Look>> = {
  GRANTED: ['Granted', 'teal'],
  REVOKED: ['Revoked', 'teal'],
  DENIED: ['Denied', 'orange'],
  ERROR: ['Failed', 'red'],
  CANCELLED: ['Cancelled', 'gray'],
  WAIT_TIMED_OUT: ['Timed out', 'orange'],
  DONE: ['Done', 'teal'],
}

/** The last part of how a task ended, as in `GRANTED`. */
export const outcomeOf = ({ type, policy }: Pick<Task, 'type' | 'policy'>): string => {
  const outcome = type?.grant?.outcome ?? type?.revoke?.outcome ?? type?.offboarding?.outcome
  return outcome === undefined ? outcomeOfChange(policy) : outcome.replace(/^[A-Z]+_OUTCOME_/, '')
}

/** The published API has no outcome for a change: it is that of its last step. */
function outcomeOfChange(policy: Task['policy']): string {
  const last = policy?.history.at(-1)
  if (last?.approval?.denied || last?.reject) return 'DENIED'
  if (last?.provision?.completed) return 'DONE'
  return last?.provision?.errored ? 'ERROR' : 'CANCELLED'
}

/** The state of a task, in a word or two, and its colour. */
export function standing(seen: Pick<SeenTask, 'task'>): Look {
  const { task } = seen
  if (task.state === 'TASK_STATE_CLOSED') return ends[outcomeOf(task)] ?? ['Closed', 'gray']
  if (stuckWhy(seen)) return ['Stuck', 'red']
  const now = task.policy?.current
  if (now?.approval) return ['Waiting for approval', 'ink']
  if (now?.provision?.provision?.assigned) return ['Waiting for a person', 'grape']
  if (now?.provision) return [now.provision.webhookId ? 'Waiting for a webhook' : 'Sent to the connector', 'grape']
  if (now?.form) return ['Needs answers', 'ink']
  if (now?.wait) return ['Waiting', 'gray']
  return ['In progress', 'gray']
}

const kinds = { grant: 'Access', revoke: 'Revocation', offboarding: 'Offboarding', change: 'Change' } as const

export const kindWords = ({ kind, task }: Pick<SeenTask, 'kind' | 'task'>): string =>
  task.type?.grant?.source?.isExtension ? 'Extension' : kinds[kind]

/** What a task is about: the entitlement's name, or the task's own if the entitlement was deleted. */
export const targetName = ({ entitlement, task }: Pick<SeenTask, 'entitlement' | 'task'>): string =>
  entitlement?.displayName || task.displayName

/** `Editor for Ann Lee`. */
export const titleOf = (seen: Pick<SeenTask, 'entitlement' | 'task' | 'nameOf'>): string =>
  seen.entitlement ? `${seen.entitlement.displayName} for ${seen.nameOf(seen.task.userId)}` : seen.task.displayName

/** For how long access is asked: `8 hours`, or that there is no end. */
export const lengthWords = (duration: string | null | undefined): string =>
  duration ? durationWords(duration) : 'No expiry'

const approvers: readonly (readonly [keyof Approval, string])[] = [
  ['users', 'named people'],
  ['manager', 'the manager'],
  ['appOwners', 'an app owner'],
  ['group', 'a member of an entitlement'],
  ['self', 'the person who gets the access'],
  ['entitlementOwners', 'an entitlement owner'],
  ['resourceOwners', 'a resource owner'],
  ['expression', 'people returned by an expression'],
  ['webhook', 'a webhook'],
]

const approverWords = (approval: Approval | null): string =>
  approvers.find(([kind]) => approval?.[kind])?.[1] ?? 'someone'

/** What a step does: future ones by the policy, and others as they were carried out. */
export function stepTitle(step: PolicyStep | PolicyStepInstance): string {
  if (step.approval) {
    const approval = 'approval' in step.approval ? step.approval.approval : step.approval
    return `Approval by ${approverWords(approval)}`
  }
  if (step.provision) {
    const provision = 'provision' in step.provision ? step.provision.provision : step.provision
    if (provision?.provisionPolicy?.webhook) return 'Provisioning by a webhook'
    return provision?.provisionPolicy?.manual ? 'Manual provisioning' : 'Provisioning'
  }
  if (step.accept) return 'Automatic approval'
  if (step.reject) return 'Automatic denial'
  if (step.form) return 'Questions to the requester'
  if (step.wait) return step.wait.name ? `Wait: ${step.wait.name}` : 'Wait'
  return 'Step'
}

const yes = (...lines: readonly (string | false | null | undefined)[]): string[] =>
  lines.filter((line) => !!line) as string[]

const escalations: readonly (readonly [keyof Escalation, string])[] = [
  ['replacePolicy', 'another policy takes over'],
  ['reassignToApprovers', 'others are asked'],
  ['cancelTicket', 'the request is cancelled'],
  ['skipStep', 'the step is skipped'],
]

/** The other settings of a step: what is required, and what happens if nobody acts. */
export function conditionsOf({ approval, wait, provision }: PolicyStep): string[] {
  if (approval) {
    const of = approval.manager ?? approval.appOwners ?? approval.entitlementOwners ?? approval.resourceOwners
    const who = of ?? approval.users ?? approval.group ?? approval.expression
    const { escalation, escalationEnabled: isOn } = approval
    const then = escalations.find(([kind]) => escalation?.[kind])?.[1]
    return yes(
      approval.requireApprovalReason && 'Approval requires a reason.',
      approval.requireDenialReason && 'Denial requires a reason.',
      who?.requireDistinctApprovers && 'Whoever approved an earlier step cannot decide this one.',
      who?.allowSelfApproval && 'People can approve their own requests.',
      isOn && escalation && then && `If nobody decides within ${durationWords(escalation.expiration)}, ${then}.`,
    )
  }
  if (wait)
    return yes(
      wait.condition && `Until this is true: ${wait.condition.condition}`,
      wait.duration?.duration && `For ${durationWords(wait.duration.duration)}.`,
      wait.untilTime && `Until ${clock(wait.untilTime)}.`,
      wait.timeoutDuration && `The request times out after ${durationWords(wait.timeoutDuration)}.`,
    )
  return yes(provision?.provisionPolicy?.manual?.instructions)
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')
const clock = ({ hours, minutes, timezone }: WaitUntilTime): string =>
  `${twoDigits(hours)}:${twoDigits(minutes)}${timezone ? ` (${timezone})` : ''}`

/** A number of things, in words: `1 request`, `3 requests`. */
export const counted = (count: number, word: string): string =>
  `${count.toLocaleString()} ${word}${count === 1 ? '' : 's'}`
