import {
  appEntitlementSearch,
  appSearch,
  connectorOverviewList,
  taskSearch,
  userSearch,
} from '#client/api/operations.ts'
import { call } from '../client/call.ts'
import { neighbourAt } from '../client/neighbours.ts'

export type Found = { id: string; label: string; description: string; to: string }
type Finder = {
  group: string
  permission: string
  find(query: string, signal: AbortSignal): Promise<Found[]>
}

const pageSize = 10
const shownMax = 6

/** What Ctrl-K looks through, in the order shown. */
export const finders: readonly Finder[] = [
  {
    group: 'Users',
    permission: 'users.read',
    async find(query, signal) {
      const { list } = await call(userSearch, { body: { query, pageSize } }, signal)
      return list
        .slice(0, shownMax)
        .flatMap(({ user }) =>
          user ? [{ id: user.id, label: user.displayName, description: user.email, to: `/users/${user.id}` }] : [],
        )
    },
  },
  {
    group: 'Apps',
    permission: 'apps.read',
    async find(query, signal) {
      const { list } = await call(appSearch, { body: { query, pageSize } }, signal)
      return list
        .slice(0, shownMax)
        .map(({ id, displayName, description }) => ({ id, label: displayName, description, to: `/apps/${id}` }))
    },
  },
  {
    group: 'Entitlements',
    permission: 'entitlements.read',
    async find(query, signal) {
      // Entitlements of several apps are called the same: their apps tell them apart.
      const reply = await call(
        appEntitlementSearch,
        { body: { query, pageSize, expandMask: { paths: ['appId'] } } },
        signal,
      )
      return reply.list.slice(0, shownMax).flatMap(({ appEntitlement: each, appPath }) =>
        each
          ? [
              {
                id: each.id,
                label: each.displayName,
                description: neighbourAt(reply, appPath, 'App')?.displayName ?? '',
                to: `/apps/${each.appId}/entitlements/${each.id}`,
              },
            ]
          : [],
      )
    },
  },
  {
    group: 'Connectors',
    permission: 'apps.read',
    async find(query, signal) {
      const { list } = await call(connectorOverviewList, { query: { query, page_size: pageSize } }, signal)
      return list.slice(0, shownMax).map(({ id, appId, displayName, appName }) => ({
        id,
        label: displayName,
        description: appName,
        to: `/apps/${appId}/connectors/${id}`,
      }))
    },
  },
  {
    group: 'Tasks',
    permission: 'tasks.own',
    async find(query, signal) {
      const { list } = await call(taskSearch, { body: { query, pageSize } }, signal)
      return list.slice(0, shownMax).flatMap(({ task }) =>
        task
          ? [
              {
                id: task.id,
                label: task.displayName,
                description: `Task #${task.numericId}`,
                to: `/tasks/${task.numericId}`,
              },
            ]
          : [],
      )
    },
  },
]
