import { route } from '#authority/route.ts'
import { showNames } from '#authority/sight/index.ts'
import { fieldsToChange, updatable } from '#kernel/masks.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, empty, listOf, message, nested, required, text } from '#kernel/wire.ts'
import { callerOf, changeView, createView, removeView } from './actions.ts'
import { mayChange } from './decide.ts'
import { listViews } from './store.ts'
import { pageLength, type SavedView, ViewMessage, viewTerms } from './view.ts'

const at = '/api/v1/lists/views'
const service = 'lists.v1.SavedViewService'
const viewReply = (name: string) => message(`${service}${name}Response`, { view: nested(ViewMessage) })

function onWire(call: Call, view: SavedView) {
  // People with whom a view is shared may see who shares it.
  showNames(call, [view.userId])
  return { ...view, mayChange: mayChange(view, callerOf(call)) }
}

export const viewRoutes: readonly Route[] = [
  route({
    id: `${service}.List`,
    at: `GET ${at}`,
    summary: 'List the saved views of lists: your own, and those that are shared with everyone.',
    rule: 'views.use',
    paged: true,
    query: message(`${service}ListRequest`, {
      page: described(text({ maxLength: pageLength }), 'Only views of this page. For example /users.'),
    }),
    reply: message(`${service}ListResponse`, { list: listOf(ViewMessage), nextPageToken }),
    async handle(call, { query, page }) {
      const of = { userId: call.actor.userId, page: query.page }
      return page.cut(
        await listViews(call.db, call.tenant.id, of, page),
        ({ id }) => [id],
        (view) => onWire(call, view),
      )
    },
  }),
  route({
    id: `${service}.Create`,
    at: `POST ${at}`,
    summary: 'Save a view of a list.',
    rule: 'views.use',
    body: message(`${service}CreateRequest`, {
      page: required(
        described(text({ maxLength: pageLength }), 'The path of the page in the console. For example /users.'),
        'must be the path of a page, such as /users',
      ),
      ...viewTerms,
      name: required(viewTerms.name),
    }),
    reply: viewReply('Create'),
    handle: async (call, { body }) => ({
      view: onWire(call, await transact(call.db, (tx) => createView(tx, call, body))),
    }),
  }),
  route({
    id: `${service}.Update`,
    at: `POST ${at}/{view_id}`,
    summary: 'Change the name, the query or the sharing of a saved view.',
    rule: 'views.use',
    body: message(`${service}UpdateRequest`, { view: required(updatable(ViewMessage)), updateMask: text() }),
    reply: viewReply('Update'),
    async handle(call, { path, body }) {
      const { view, updateMask } = body
      const all = ['name', 'query', 'isShared'] as const
      const names = updateMask.trim() === '' ? new Set<string>(all) : fieldsToChange(view, updateMask, all)
      const changes = Object.fromEntries(all.filter((name) => names.has(name)).map((name) => [name, view[name]]))
      return { view: onWire(call, await transact(call.db, (tx) => changeView(tx, call, path.view_id, changes))) }
    },
  }),
  route({
    id: `${service}.Delete`,
    at: `DELETE ${at}/{view_id}`,
    summary: 'Delete a saved view.',
    rule: 'views.use',
    body: message(`${service}DeleteRequest`, {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => removeView(tx, call, path.view_id))
      return {}
    },
  }),
]
