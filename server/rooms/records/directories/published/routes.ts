import { route } from '#authority/route.ts'
import { expandedField } from '#kernel/expand.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { empty, listOf, message, nested } from '#kernel/wire.ts'
import { getDirectory, removeDirectory } from '../actions.ts'
import { listDirectories } from '../store.ts'
import { DirectoryView, viewOf } from './view.ts'

/** The published operations on directories of any kind. Their creation and changes are in rooms/rules/people. */
export const publishedRoutes: readonly Route[] = [
  route({
    id: 'directory.v1.DirectoryService.List',
    at: 'GET /api/v1/directories',
    summary: 'List the apps that are directories: those whose accounts become users.',
    rule: 'directories.read',
    paged: true,
    reply: message('directory.v1.DirectoryServiceListResponse', {
      list: listOf(DirectoryView),
      expanded: expandedField,
      nextPageToken,
    }),
    async handle(call, { page }) {
      const rows = await listDirectories(call.db, call.tenant.id, page)
      return { ...page.cut(rows, ({ appId }) => [appId], viewOf), expanded: [] }
    },
  }),
  route({
    id: 'directory.v1.DirectoryService.Get',
    at: 'GET /api/v1/directories/{app_id}',
    summary: 'Get a directory, by its app.',
    rule: 'directories.read',
    reply: message('directory.v1.DirectoryServiceGetResponse', {
      directoryView: nested(DirectoryView),
      expanded: expandedField,
    }),
    async handle(call, { path }) {
      return { directoryView: viewOf(await getDirectory(call, path.app_id)), expanded: [] }
    },
  }),
  route({
    id: 'directory.v1.DirectoryService.Delete',
    at: 'DELETE /api/v1/directories/{app_id}',
    summary:
      'Delete a directory with its tokens. Its app, accounts and groups stay; users stay as they are, except where another directory has a value for an attribute.',
    rule: 'directories.change',
    body: message('directory.v1.DirectoryServiceDeleteRequest', {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => removeDirectory(tx, call, path.app_id))
      return {}
    },
  }),
]
