import { isDeepStrictEqual } from 'node:util'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { ApprovalStep } from '#rooms/governance/policies/index.ts'
import { type Terms, termsOf } from '#rooms/governance/terms/index.ts'
import { checkAll, formsIn, isFirstAnswer, missingIn } from '../facts/answers.ts'
import { findApprovers } from '../facts/approvers.ts'
import { carrying } from '../facts/carriers.ts'
import { whenAsked } from '../facts/conditions.ts'
import type { Facts } from '../facts/facts.ts'
import type { ActionName } from '../machine/action.ts'
import { changed, decided, type Refused } from '../machine/decide.ts'
import { type Effect, recordAccess } from '../machine/effect.ts'
import type { TaskEvent } from '../machine/event.ts'
import { isLastProvision } from '../machine/fold.ts'
import type { Snapshot, Task } from '../machine/record.ts'
import type { Assignee, Instance } from '../machine/task.ts'
import { stepNotCurrent } from '../refuse.ts'
import { durationOf, policyOf, type Routed, routeBy, settingsOf } from '../route.ts'
import { personOf } from '../sight.ts'
import { recalculated } from './people.ts'

/** What a caller wants to do with a task. */
export type Wanted = {
  action: ActionName
  /** The step that they saw; empty if the operation does not require it. */
  stepId?: string
  comment?: string
  newUserIds?: readonly string[]
  durationSeconds?: number | null
  answers?: { readonly [name: string]: unknown } | null
  /** The field of the request that contains the answers; `data` by default. */
  answersIn?: string
  /** The revision of the request that they saw; empty if not given. */
  revision?: string
}

/** An action on a task, and the task as it is. */
export type AskedAction = Snapshot & { facts: Facts; call: Call; now: Instance | null; wanted: Wanted }

/** The result of an action. */
export type Outcome = { events: readonly TaskEvent[]; effects?: readonly Effect[]; refusal?: Refusal }

type Rule = (asked: AskedAction) => Promise<readonly TaskEvent[] | Outcome> | readonly TaskEvent[]

/** The events that each action causes. */
export const actionRules: Readonly<Record<ActionName, Rule>> = {
  approve: (asked) => decide(asked, true),
  deny: (asked) => decide(asked, false),
  comment({ wanted: { comment = '' } }) {
    if (comment.trim() === '') throw invalid({ field: 'comment', description: 'must not be empty' })
    return [{ is: 'commented', comment }]
  },
  close: ({ wanted: { comment = '' } }) => [{ is: 'closed', outcome: 'cancelled', comment }],
  reassign,
  restart: ({ wanted: { comment = '' } }) => [{ is: 'restarted', comment }],
  async reset(asked) {
    const { kind } = asked.task
    if (kind !== 'grant' && kind !== 'revoke') throw invalid({ field: 'task_id', description: 'cannot be reset' })
    return [...commented(asked), ...(await routed(asked, { kind, isEmergency: asked.state.isEmergency }))]
  },
  'skip-step': ({ now, wanted: { comment = '' } }) =>
    now ? [{ is: 'ended', stepId: now.id, outcome: 'skipped', comment }] : [],
  async escalate(asked) {
    const route = await routed(asked, { kind: 'grant', isEmergency: true })
    const { durationSeconds, answers } = asked.state
    return [...commented(asked), { is: 'created', durationSeconds, answers, isEmergency: true }, ...route]
  },
  async process({ facts, task, state, now }) {
    if (now?.step.kind === 'wait') return whenAsked(facts, { task, state })
    const events = await recalculated(facts, { task, state: { ...state, stuckWhy: null } })
    return task.kind === 'offboarding' ? { events, effects: [{ do: 'continue offboarding', taskId: task.id }] } : events
  },
  async 'update-grant-duration'(asked) {
    const { wanted, state, call } = asked
    if (wanted.durationSeconds === null || wanted.durationSeconds === undefined)
      throw invalid({ field: 'duration', description: 'must be given' })
    const terms = await termsNow(asked)
    const durationSeconds = durationOf(wanted.durationSeconds, terms, 'duration')
    if (durationSeconds === state.durationSeconds) return []
    const change = { is: 'duration changed', durationSeconds } as const
    const other = await routedOtherwise(asked, terms, durationSeconds)
    return other ? [change, other] : changed(state, change, { by: call.actor.userId, newId: call.newId })
  },
  'update-request-data': answer,
  // Approvals remain valid: only what failed is done again.
  'retry-provisioning': ({ wanted: { comment = '' } }) => [{ is: 'retried', comment }],
  async 'provision-complete'({ task, state, now, wanted: { comment = '' } }) {
    if (!now) return []
    const effects = isLastProvision(state, now.place) ? [recordAccess({ task, state }, true)] : []
    return { events: [{ is: 'ended', stepId: now.id, outcome: 'provisioned', comment }], effects }
  },
  'provision-errored': ({ now, wanted: { comment = '' } }) =>
    now
      ? [
          { is: 'ended', stepId: now.id, outcome: 'failed', comment },
          { is: 'closed', outcome: 'failed', comment: '' },
        ]
      : [],
  'provision-cancelled': ({ now, wanted: { comment = '' } }) =>
    now
      ? [
          { is: 'ended', stepId: now.id, outcome: 'not done', comment },
          { is: 'closed', outcome: 'cancelled', comment: '' },
        ]
      : [],
}

const commented = ({ wanted: { comment = '' } }: AskedAction): TaskEvent[] =>
  comment.trim() === '' ? [] : [{ is: 'commented', comment }]

/** What applies to the request now, including routing rules. */
async function termsNow({ facts, call, task }: Pick<AskedAction, 'facts' | 'call' | 'task'>): Promise<Terms> {
  const terms = await (task.kind === 'grant' ? termsOf(facts.tx, call, task) : facts.terms(task))
  if (!terms) throw new Refusal('ENTITLEMENT_NOT_FOUND', 'The entitlement of this task was deleted.')
  return terms
}

async function routed(
  asked: AskedAction,
  of: { kind: 'grant' | 'revoke'; isEmergency: boolean },
): Promise<TaskEvent[]> {
  const { facts, task, state } = asked
  const { durationSeconds } = state
  const terms = await termsNow(asked)
  return [settingsOf(of, terms), await routeBy(facts, task, { policyId: policyOf(of, terms), terms, durationSeconds })]
}

/**
 * The steps that the policy requires for another duration; null if they are the same. Otherwise a request for one hour,
 * which one person approves, could be extended to a year by that one person.
 */
async function routedOtherwise(
  { facts, task, state: { durationSeconds: before, policyId } }: AskedAction,
  terms: Terms,
  durationSeconds: number | null,
): Promise<Routed | null> {
  const routeFor = (seconds: number | null) => routeBy(facts, task, { policyId, terms, durationSeconds: seconds })
  // Both by the present policy: a change of the policy is no reason to abandon the steps that the task began with.
  const [old, other] = [await routeFor(before), await routeFor(durationSeconds)]
  return isDeepStrictEqual(old.wire, other.wire) ? null : other
}

/** Changes answers: checked by the rules of all forms of the route, together with the previous answers. */
async function answer(asked: AskedAction): Promise<readonly TaskEvent[]> {
  const { facts, call, now, state, wanted } = asked
  const { answers: sent, answersIn = 'data' } = wanted
  if (!sent) throw invalid({ field: answersIn, description: 'must be given' })
  const form = now?.step.kind === 'form' ? now.step.form : null
  const all = { ...state.answers, ...sent }
  const { answers, problems } = await checkAll(facts.tx, facts.tenantId, formsIn(state.route), all, call.now())
  const missing = (form ? missingIn(form, answers, call.now()) : []).map((field) => ({
    field,
    description: 'must be answered',
  }))
  const [first, ...others] = [...problems, ...missing].map(({ field, description }) => ({
    field: `${answersIn}.${field}`,
    description,
  }))
  if (first) throw invalid(first, ...others)
  const change = { is: 'answers changed', answers } as const
  if (form && isFirstAnswer(form, state.answers, answers))
    return [...commented(asked), change, { is: 'ended', stepId: now?.id ?? '', outcome: 'answered', comment: '' }]
  const events = [...commented(asked), ...changed(state, change, { by: call.actor.userId, newId: call.newId })]
  return form && events.at(-1) === change
    ? [...events, { is: 'ended', stepId: now?.id ?? '', outcome: 'answered', comment: '' }]
    : events
}

function decide({ task, state, now, wanted }: AskedAction, isApproval: boolean): readonly TaskEvent[] {
  const stepId = wanted.stepId || (now?.id ?? '')
  const { comment = '', revision = '' } = wanted
  const seen = revision === '' ? null : Number(revision)
  const events = decided(state, { stepId, isApproval, comment, revision: seen })
  if ('why' in events) throw refusalOf(task, stepId, events)
  return events
}

export function refusalOf(task: Task, stepId: string, { why }: Refused): Refusal {
  if (why === 'REASON_MISSING')
    return new Refusal('TASK_REASON_REQUIRED', 'The policy requires a reason for this decision.', {
      violations: [{ field: 'comment', description: 'must not be empty' }],
    })
  if (why === 'NOT_SEEN')
    return new Refusal('TASK_CHANGED', 'The duration or the answers of this request changed since. Review it again.', {
      metadata: { taskId: task.id },
    })
  return stepNotCurrent(task, stepId)
}

/** Assigns the same step to named people: by the rules of the step, and only to those whom the policy allows. */
async function reassign({ facts, call, task, state, now, wanted }: AskedAction): Promise<readonly TaskEvent[]> {
  const { newUserIds = [], comment = '' } = wanted
  if (!now || (now.step.kind !== 'approval' && now.step.kind !== 'provision')) return []
  if (newUserIds.length === 0) throw invalid({ field: 'newStepUserIds', description: 'must not be empty' })
  const step = now.step.kind === 'approval' ? now.step : null
  const allowed = step?.reassignment.to ?? []
  const others = newUserIds.filter((id) => allowed.length > 0 && !allowed.includes(id))
  if (others.length > 0 && (task.kind === 'change' || !personOf(call, task).isAdministrator))
    throw invalid({ field: 'newStepUserIds', description: `the policy does not allow ${others.join(', ')}` })
  if (step?.reassignment.needsReason && comment.trim() === '')
    throw new Refusal('TASK_REASON_REQUIRED', 'The policy requires a reason for this reassignment.', {
      violations: [{ field: 'comment', description: 'must not be empty' }],
    })
  const asStep: ApprovalStep = {
    ...(step ?? carrying({ by: 'appOwners' })),
    approvers: { by: 'users', userIds: newUserIds },
    fallback: null,
  }
  const found = await findApprovers(facts, { task, state }, asStep)
  if (found.tried.length > 0)
    throw invalid({
      field: 'newStepUserIds',
      description: `none of them can decide this step: ${found.leftOut.map(({ userId, why }) => `${userId} (${why})`).join(', ') || 'unknown users'}`,
    })
  const assignees: Assignee[] = found.assignees.map((each) => ({ ...each, why: 'reassigned' }))
  const newStepId = call.newId()
  return [{ is: 'reassigned', stepId: now.id, newStepId, assignees, comment, expiresAt: now.expiresAt }]
}
