import { denied, may } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, flag, int32, int64, list, listOf, message, nested, oneOf, required, text } from '#kernel/wire.ts'
import { checkDraft, PolicyMessage } from '#rooms/governance/policies/index.ts'
import { findUsers, showNames } from '#rooms/identity/users/index.ts'
import { daysMax, type PolicyPlan, planPolicy, tasksMax } from './actions.ts'

const peopleMax = 100
const daysDefault = 30

const kinds = [
  'POLICY_PLAN_CHANGE_UNSPECIFIED',
  'POLICY_PLAN_CHANGE_ADDED',
  'POLICY_PLAN_CHANGE_REMOVED',
  'POLICY_PLAN_CHANGE_CHANGED',
] as const
const ChangeMessage = message('bailiwick.v1.PolicyPlanChange', {
  kind: oneOf(kinds),
  place: described(
    int32(),
    'The position of the step, starting at 1: in the new route, or in the old one for a removed step.',
  ),
  step: text(),
  otherPeople: described(flag(), 'Whether other people would decide.'),
})
const TaskMessage = message('bailiwick.v1.PolicyPlanTask', {
  taskId: text(),
  numericId: int64(),
  displayName: text(),
  changes: listOf(ChangeMessage),
  end: described(text(), 'done, denied, stuck or refused: the result if everybody had approved.'),
  why: described(text(), 'Why it would have been stuck or refused.'),
})
const PersonMessage = message('bailiwick.v1.PolicyPlanPerson', {
  userId: text(),
  displayName: text(),
  decisionsBefore: int32(),
  decisions: described(int32(), 'Steps that this person would have been asked to decide, alone or with others.'),
  weeks: described(list(int32()), 'The same by week, latest first.'),
})
const WeekMessage = message('bailiwick.v1.PolicyPlanWeek', { decisionsBefore: int32(), decisions: int32() })

const reply = message('bailiwick.v1.PlanPolicyResponse', {
  tasksReplayed: described(int32(), `At most ${tasksMax}.`),
  complete: described(flag(), 'Whether all tasks of the period were replayed.'),
  tasksSame: int32(),
  tasksDifferent: int32(),
  tasksStuck: described(int32(), 'Tasks that would have been stuck: nobody could have decided.'),
  tasksRefused: described(int32(), 'Tasks that could not have been created.'),
  tasks: described(listOf(TaskMessage), 'The latest 100 tasks that would have had other steps.'),
  people: described(listOf(PersonMessage), `The ${peopleMax} with the most decisions.`),
  peopleCount: int32(),
  weeks: described(listOf(WeekMessage), 'The latest first.'),
})

async function present(call: Call, plan: PolicyPlan) {
  const people = [...plan.load.people]
    .toSorted(([, a], [, b]) => b.after - a.after || b.before - a.before)
    .slice(0, peopleMax)
  const ids = people.map(([id]) => id)
  showNames(call, ids)
  const users = await findUsers(call.db, call.tenant.id, ids, call.now())
  const nameOf = new Map(users.map(({ id, displayName }) => [id, displayName]))
  return {
    tasksReplayed: plan.replayed,
    complete: plan.isComplete,
    tasksSame: plan.same,
    tasksDifferent: plan.differsCount,
    tasksStuck: plan.stuckCount,
    tasksRefused: plan.refusedCount,
    tasks: plan.differs.map(({ task, changes, end, why }) => ({
      taskId: task.id,
      numericId: task.number,
      displayName: task.displayName,
      changes: changes.map(({ kind, isOtherPeople, place, step }) => ({
        kind: `POLICY_PLAN_CHANGE_${kind.toUpperCase()}` as (typeof kinds)[number],
        place,
        step,
        otherPeople: isOtherPeople,
      })),
      end,
      why,
    })),
    people: people.map(([userId, { before, after, weeks }]) => ({
      userId,
      displayName: nameOf.get(userId) ?? userId,
      decisionsBefore: before,
      decisions: after,
      weeks,
    })),
    peopleCount: plan.load.people.size,
    weeks: plan.load.weeks.map(({ before, after }) => ({ decisionsBefore: before, decisions: after })),
  }
}

export const policyPlanRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.PolicyPlans.Plan',
    at: 'POST /api/v1/policies/plan',
    summary:
      'Replay recent tasks under a draft policy without saving it: which would have had other steps, and how many decisions each person would have had to make.',
    rule: 'policies.change',
    body: message('bailiwick.v1.PlanPolicyRequest', {
      policyId: described(
        text(),
        'The policy that the draft would replace: its tasks are replayed. If absent, all tasks of the type of the draft.',
      ),
      policy: required(described(nested(PolicyMessage), 'The draft.')),
      days: described(
        int32({ least: 1, most: daysMax }),
        `How many days back; ${daysDefault} where it is not given, at most ${daysMax}.`,
      ),
    }),
    reply,
    async handle(call, { body }) {
      const { policy, policyId } = body
      const days = body.days === 0 ? daysDefault : body.days
      if (!may(call.actor, 'tasks.read')) throw denied('tasks.read')
      const draft = await transact(call.db, (tx) => checkDraft(tx, call, policyId, policy))
      return present(call, await planPolicy(call, draft, { replaces: policyId, days }))
    },
  }),
]
