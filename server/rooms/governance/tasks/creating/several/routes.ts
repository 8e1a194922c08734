import { route } from '#authority/route.ts'
import { ExpandMask, expandedField } from '#kernel/expand.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Route } from '#kernel/routes.ts'
import { described, duration, flag, list, listOf, message, nested, required, struct, text } from '#kernel/wire.ts'
import { countWriting } from '../../busy.ts'
import { presentTasks } from '../../present.ts'
import { TaskView } from '../../shapes.ts'
import type { Asked } from '../actions.ts'
import { descriptionLength, refuseUnnamed } from '../asked.ts'
import { createSeveral, type Result } from './actions.ts'

const atOnceMax = 20

const OneMessage = message('bailiwick.v1.RequestOfSeveral', {
  appId: required(text(), 'must be given'),
  appEntitlementId: required(text(), 'must be given'),
  grantDuration: duration(),
  emergencyAccess: flag(),
  requestData: described(struct(), 'The answers to its form.'),
})

const ResultMessage = message('bailiwick.v1.ResultOfSeveral', {
  appId: text(),
  appEntitlementId: text(),
  taskView: described(nested(TaskView), 'The task that was created; null if the request was refused.'),
  reason: described(text(), 'Why it was refused, as in TASK_EXISTS; empty if it was created.'),
  message: described(text(), 'The same as a sentence.'),
  fields: described(list(text()), 'What is wrong with single fields, each as "field: description".'),
  openTaskId: described(text(), 'The open task for the same access, if there is one and the caller sees it.'),
})

export const severalRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.Requests.Create',
    at: 'POST /api/v1/task/grants',
    summary:
      'Request several entitlements at once, for yourself or for someone else: in one transaction, with a result for each.',
    rule: 'tasks.act',
    body: message('bailiwick.v1.CreateRequestsRequest', {
      requests: required(listOf(OneMessage, atOnceMax), 'must be given'),
      identityUserId: described(text(), 'For whom; the caller by default.'),
      description: described(text({ maxLength: descriptionLength }), 'The reason, the same for all of them.'),
      expandMask: nested(ExpandMask),
    }),
    reply: message('bailiwick.v1.CreateRequestsResponse', {
      results: described(listOf(ResultMessage), 'In the order of the requests.'),
      expanded: expandedField,
    }),
    async handle(call, { body }) {
      const { requests, identityUserId, description, expandMask } = body
      if (requests.length === 0) throw invalid({ field: 'requests', description: 'must not be empty' })
      const all = requests.map(
        ({ appId, appEntitlementId: entitlementId, grantDuration, emergencyAccess, requestData }): Asked => ({
          kind: 'grant',
          ...{ appId, entitlementId, identityUserId, appUserId: '', description, source: {} },
          durationSeconds: grantDuration,
          isEmergency: emergencyAccess,
          answers: requestData,
        }),
      )
      for (const asked of all) refuseUnnamed(asked)
      for (const _ of all) countWriting(call)
      const results = await createSeveral(call, all)
      const tasks = results.flatMap((result) => ('ran' in result ? [result.ran.task] : []))
      const { views, expanded } = await presentTasks(call, tasks, expandMask)
      const viewOf = new Map(views.map((view) => [view.task.id, view]))
      return { results: results.map((result) => onWire(result, viewOf)), expanded }
    },
  }),
]

type Views = ReadonlyMap<string, Awaited<ReturnType<typeof presentTasks>>['views'][number]>

function onWire(result: Result, viewOf: Views) {
  const { appId, entitlementId: appEntitlementId } = result.asked
  const of = { appId, appEntitlementId, taskView: null, reason: '', message: '', fields: [], openTaskId: '' }
  if ('ran' in result) return { ...of, taskView: viewOf.get(result.ran.task.id) ?? null }
  const { reason, message: words, detail } = result.refusal
  return {
    ...of,
    reason,
    message: words,
    fields: (detail.violations ?? []).map(({ field, description }) => `${field}: ${description}`),
    openTaskId: detail.existingId ?? '',
  }
}
