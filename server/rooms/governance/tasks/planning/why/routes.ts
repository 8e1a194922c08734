import { route } from '#authority/route.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, flag, int32, list, listOf, message, text, timestamp } from '#kernel/wire.ts'
import { Facts } from '../../facts/facts.ts'
import { getTask } from '../../sight.ts'
import { stepWords, whyMe, whyTried } from '../decide.ts'
import { PlannedStepMessage, plannedOnWire } from '../planned-step.ts'
import { rehearseRest } from '../rehearse.ts'
import { namesFor, peopleFields } from '../view.ts'
import { explainTask } from './actions.ts'
import { listProgress } from './progress.ts'

const RoundMessage = message('bailiwick.v1.TaskWhyRound', {
  policyGenerationId: text(),
  policyId: text(),
  why: described(list(text()), 'How the policy and its steps were chosen.'),
})
const StepMessage = message('bailiwick.v1.TaskWhyStep', {
  policyStepId: text(),
  policyGenerationId: text(),
  place: described(int32(), 'The position of the step in its route, starting at 1.'),
  kind: text(),
  summary: described(text(), 'Why the task has this step.'),
  isOpen: flag(),
  ...peopleFields,
  triedBefore: described(list(text()), 'Who was tried before these people, and why they cannot decide.'),
  outcome: described(text(), 'approved, denied, skipped, reassigned and so on; empty while the step is open.'),
  endedByUserId: text(),
  endedAt: timestamp(),
  whyNotMe: described(text(), 'Why you can decide this step, or why you cannot.'),
})

const ConnectorMessage = message('bailiwick.v1.TaskWhyConnector', {
  connectorId: text(),
  connectorName: text(),
  state: described(text(), 'queued, with the connector, unknown, done, failed or cancelled.'),
  error: text(),
})

export const whyRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.TaskWhy.Get',
    at: 'GET /api/v1/tasks/{id}/why',
    summary:
      'Explain the steps of a task: why the task has each step, why it is assigned to these people, and why not to you.',
    rule: 'own-tasks.read',
    reply: message('bailiwick.v1.TaskWhyResponse', {
      taskId: text(),
      rounds: listOf(RoundMessage),
      steps: listOf(StepMessage),
      next: described(list(text()), 'The remaining steps.'),
      upcoming: described(
        listOf(PlannedStepMessage),
        'The same steps, as far as they are known in advance: who would be asked if everybody before them approves.',
      ),
      stuckWhy: text(),
      connectors: described(listOf(ConnectorMessage), 'The connectors that the current step waits for.'),
    }),
    handle: async (call, { path }) => {
      const task = await getTask(call.db, call, path.id)
      const me = call.actor.userId
      return transact(call.db, async (tx) => {
        const facts = new Facts(tx, call)
        const { state, rounds, steps } = await explainTask(facts, task, me)
        const named = steps.map(({ instance: { assignees }, explained }) => ({ assignees, explained }))
        const deciders = steps.map(({ instance }) => instance.end?.by ?? '')
        const upcoming = await rehearseRest(facts, { task, state })
        const others = [
          task.subjectUserId,
          task.createdBy,
          ...deciders,
          ...upcoming.map(({ approvedBy }) => approvedBy),
        ]
        const { show } = await namesFor(tx, call, [...named, ...upcoming], others)
        const begun = state.place + (state.stuckWhy === null && steps.some(({ instance }) => !instance.end) ? 1 : 0)
        return {
          taskId: task.id,
          rounds: rounds.map(({ generation, policyId, why }) => ({
            policyGenerationId: String(generation),
            policyId,
            why,
          })),
          steps: steps.map(({ instance, explained, isFallback }) => ({
            policyStepId: instance.id,
            policyGenerationId: String(instance.generation),
            place: instance.place + 1,
            kind: instance.step.kind,
            summary: stepWords(instance.step),
            isOpen: instance.end === null,
            ...show(instance.assignees, explained),
            triedBefore: explained.tried.map(whyTried),
            outcome: instance.end?.outcome ?? '',
            endedByUserId: instance.end?.by ?? '',
            endedAt: instance.end?.at ?? null,
            whyNotMe: whyMe(instance.step, {
              userId: me,
              assignees: instance.assignees,
              explained,
              isOver: instance.end !== null,
              isFallback,
            }),
          })),
          next: state.isOpen ? state.route.slice(begun).map(stepWords) : [],
          upcoming: upcoming.map((planned) => plannedOnWire(planned, show)),
          stuckWhy: state.stuckWhy ?? '',
          connectors: await listProgress(tx, call.tenant.id, task.id),
        }
      })
    },
  }),
]
