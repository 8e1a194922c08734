import { route } from '#authority/route.ts'
import { showNames } from '#authority/sight/index.ts'
import { ExpandMask, expandedField } from '#kernel/expand.ts'
import type { Route } from '#kernel/routes.ts'
import { described, flag, int32, list, listOf, message, nested, text, timestamp } from '#kernel/wire.ts'
import { presentTask } from '../../present.ts'
import { TaskView } from '../../shapes.ts'
import { stepWords } from '../step-kinds.ts'
import { lookAtUndo, undoDecision } from './actions.ts'
import type { EndedRow } from './decide.ts'
import type { GivenRow } from './store.ts'

const commentLength = 10_000
const policyStepId = described(text(), 'The step whose decision is undone; the last decision by default.')

const holding = {
  appId: text(),
  appEntitlementId: text(),
  appDisplayName: text(),
  entitlementDisplayName: text(),
  appUserId: text(),
  expiresAt: timestamp(),
}
const EndsMessage = message('bailiwick.v1.UndoneGrant', {
  ...holding,
  staysHeldBy: described(
    list(text()),
    'Other sources because of which the access is kept: manual, import, rule or profile.',
  ),
})
const BackMessage = message('bailiwick.v1.GrantGivenBack', { ...holding, source: text() })
const CannotMessage = message('bailiwick.v1.GrantNotGivenBack', { ...holding, source: text(), why: text() })
const ByHandMessage = message('bailiwick.v1.UndoByHand', { userId: text(), completedAt: timestamp() })

const holdingOf = (row: GivenRow | EndedRow) => ({
  appId: row.appId,
  appEntitlementId: row.entitlementId,
  appDisplayName: row.appName,
  entitlementDisplayName: row.entitlementName,
  appUserId: row.accountId,
  expiresAt: row.expiresAt,
})

export const undoRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.TaskUndo.Plan',
    at: 'GET /api/v1/tasks/{id}/undo_plan',
    summary: 'Plan to undo the last decision of a task: what would change, and what cannot be undone.',
    rule: 'tasks.act',
    query: message('bailiwick.v1.PlanUndoRequest', { policyStepId }),
    reply: message('bailiwick.v1.PlanUndoResponse', {
      possible: flag(),
      whyNot: text(),
      policyStepId: text(),
      step: text(),
      decision: described(text(), 'approved, denied or skipped.'),
      decidedByUserId: text(),
      decidedAt: timestamp(),
      possibleUntil: described(timestamp(), 'Until when you can undo it; unset if there is no limit.'),
      laterDecisions: described(int32(), 'How many later decisions are undone with it.'),
      ends: described(listOf(EndsMessage), 'Access that the task granted and that ends.'),
      givesBack: described(listOf(BackMessage), 'Access that the task revoked and that is granted again.'),
      cannotGiveBack: listOf(CannotMessage),
      byHand: described(
        listOf(ByHandMessage),
        'People who provisioned something manually: it must be undone manually in the app.',
      ),
      closes: described(text(), 'Why the task is closed instead of decided again; empty if it is decided again.'),
    }),
    async handle(call, { path, query }) {
      const { plan } = await lookAtUndo(call, path.id, query.policyStepId)
      if ('whyNot' in plan) return { possible: false, whyNot: plan.whyNot }
      const { decision, later, until, ends, givesBack, cannot, byHand, gone } = plan
      showNames(call, [decision.by, ...byHand.map(({ userId }) => userId)])
      return {
        possible: true,
        policyStepId: decision.instance.id,
        step: stepWords(decision.instance.step),
        decision: decision.outcome,
        decidedByUserId: decision.by,
        decidedAt: decision.at,
        possibleUntil: until,
        laterDecisions: later.length,
        ends: ends.map((row) => ({ ...holdingOf(row), staysHeldBy: row.staysBy })),
        givesBack: givesBack.map((row) => ({ ...holdingOf(row), source: row.source })),
        cannotGiveBack: cannot.map(({ row, why }) => ({ ...holdingOf(row), source: row.source, why })),
        byHand: byHand.map(({ userId, at }) => ({ userId, completedAt: at })),
        closes: gone ?? '',
      }
    },
  }),
  route({
    id: 'bailiwick.v1.TaskActions.Undo',
    at: 'POST /api/v1/tasks/{task_id}/action/undo',
    summary:
      'Undo a decision: access that the task granted ends, access that it revoked is granted again if possible, and the step must be decided again.',
    rule: 'tasks.act',
    body: message('bailiwick.v1.UndoDecisionRequest', {
      policyStepId,
      comment: text({ maxLength: commentLength }),
      expandMask: nested(ExpandMask),
    }),
    reply: message('bailiwick.v1.UndoDecisionResponse', {
      taskView: nested(TaskView),
      expanded: expandedField,
      ticketActionId: text(),
    }),
    async handle(call, { path, body }) {
      const { policyStepId: stepId, comment } = body
      const ran = await undoDecision(call, path.task_id, { stepId, comment })
      const view = await presentTask(call, ran.task, body.expandMask)
      return { ...view, ticketActionId: ran.events[0]?.id ?? '' }
    },
  }),
]
