import { route } from '#authority/route.ts'
import { showNames } from '#authority/sight/index.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Route } from '#kernel/routes.ts'
import { flag, listOf, message, required, text } from '#kernel/wire.ts'
import { findUsers } from '#rooms/identity/users/index.ts'
import { getTask } from '../sight.ts'
import { listTaskEvents } from '../store.ts'
import { AuditView } from './shapes.ts'
import { listAudits } from './store.ts'
import { auditOnWire, namedIn, type Told, withStates } from './view.ts'

export const historyRoutes: Route[] = [
  route({
    id: 'task.v1.TaskAudit.List',
    at: 'POST /api/v1/task/audits',
    summary: 'List what happened to a task.',
    rule: 'own-tasks.read',
    paged: true,
    body: message('task.v1.TaskAuditListRequest', {
      taskId: required(text(), 'must be given'),
      refs: listOf(message('task.v1.TaskAuditViewRef', { id: text() }), 1000),
      commentsOnly: flag(),
      newestFirst: flag(),
    }),
    reply: message('task.v1.TaskAuditListResponse', { list: listOf(AuditView), nextPageToken }),
    async handle(call, { body, page }) {
      const task = await getTask(call.db, call, body.taskId)
      const { commentsOnly, newestFirst } = body
      const asked = { taskId: task.id, ids: body.refs.map(({ id }) => id), commentsOnly, newestFirst }
      const rows = await listAudits(call.db, call.tenant.id, asked, page)
      const all = await listTaskEvents(call.db, call.tenant.id, task.id)
      const ids = [...new Set(rows.flatMap(namedIn))]
      showNames(call, ids)
      const users = await findUsers(call.db, call.tenant.id, ids, call.now())
      const people = new Map(users.map((user) => [user.id, user]))
      const told = withStates(all, rows)
      return page.cut(
        rows,
        ({ number }) => [number],
        ({ id }) => auditOnWire(task, told.get(id) as Told, people, commentsOnly) as never,
      )
    },
  }),
]
