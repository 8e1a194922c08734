import type { May } from '#authority/proof.ts'
import { route } from '#authority/route.ts'
import { ExpandMask, expandedField } from '#kernel/expand.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { message, nested, required, text } from '#kernel/wire.ts'
import { countWriting } from '../busy.ts'
import { Facts } from '../facts/facts.ts'
import { nextNumber } from '../numbers.ts'
import { presentTask } from '../present.ts'
import { TaskView } from '../shapes.ts'
import { getTask } from '../sight.ts'
import { type Asked, createOffboarding, openPrepared, prepareTask } from './actions.ts'
import { grantAsked, grantFields, planFingerprint, refuseUnnamed, target } from './asked.ts'
import { resumeTask } from './resume.ts'

const descriptionLength = 10_000
const viewReply = (name: string) => message(name, { taskView: nested(TaskView), expanded: expandedField })

async function create(call: May<'tasks.act'>, asked: Asked, mask: { paths: readonly string[] } | null) {
  refuseUnnamed(asked)
  countWriting(call)
  const number = await nextNumber(call, call.tenant.id)
  const { task, state, isEmergencyEnabled } = await transact(call.db, async (tx) => {
    const prepared = await prepareTask(new Facts(tx, call), call, asked)
    return (await resumeTask(call, asked, prepared)) ?? openPrepared(call, number, asked, prepared)
  })
  return presentTask(call, task, mask, { state, isEmergencyEnabled })
}

export const creatingRoutes: Route[] = [
  route({
    id: 'task.v1.TaskService.CreateGrantTask',
    at: 'POST /api/v1/task/grant',
    summary: 'Request access, for yourself or for someone else.',
    rule: 'tasks.act',
    body: message('task.v1.TaskServiceCreateGrantRequest', { ...grantFields, planFingerprint }),
    reply: viewReply('task.v1.TaskServiceCreateGrantResponse'),
    handle: (call, { body }) =>
      create(call, { ...grantAsked(body), planFingerprint: body.planFingerprint }, body.expandMask),
  }),
  route({
    id: 'task.v1.TaskService.CreateRevokeTask',
    at: 'POST /api/v1/task/revoke',
    summary: 'Request that access is revoked, for yourself or for someone else.',
    rule: 'tasks.act',
    body: message('task.v1.TaskServiceCreateRevokeRequest', target),
    reply: viewReply('task.v1.TaskServiceCreateRevokeResponse'),
    handle: (call, { body }) => {
      const { appId, appEntitlementId: entitlementId, identityUserId, appUserId, description } = body
      const asked: Asked = {
        kind: 'revoke',
        appId,
        entitlementId,
        identityUserId,
        appUserId,
        description,
        source: {},
        durationSeconds: null,
        isEmergency: false,
        answers: null,
      }
      return create(call, asked, body.expandMask)
    },
  }),
  route({
    id: 'task.v1.TaskService.CreateOffboardingTask',
    at: 'POST /api/v1/task/offboarding',
    summary: 'Revoke all requested and manual grants of a user.',
    rule: 'tasks.offboard',
    body: message('task.v1.TaskServiceCreateOffboardingRequest', {
      subjectUserId: required(text(), 'must be given'),
      description: text({ maxLength: descriptionLength }),
      expandMask: nested(ExpandMask),
    }),
    reply: viewReply('task.v1.TaskServiceCreateOffboardingResponse'),
    async handle(call, { body }) {
      const { subjectUserId, description, expandMask } = body
      const number = await nextNumber(call, call.tenant.id)
      const { task, state } = await transact(call.db, (tx) =>
        createOffboarding(tx, call, number, { subjectUserId, description }),
      )
      return presentTask(call, task, expandMask, { state })
    },
  }),
  route({
    id: 'task.v1.TaskService.Get',
    at: 'GET /api/v1/tasks/{id}',
    summary: 'Get a task by its id or its number.',
    rule: 'own-tasks.read',
    reply: viewReply('task.v1.TaskServiceGetResponse'),
    handle: async (call, { path }) => presentTask(call, await getTask(call.db, call, path.id), { paths: ['*'] }),
  }),
]
