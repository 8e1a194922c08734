import { route } from '#authority/route.ts'
import { showNames } from '#authority/sight/index.ts'
import type { Route } from '#kernel/routes.ts'
import { described, flag, int32, listOf, message, text } from '#kernel/wire.ts'
import { findUsers } from '#rooms/identity/users/index.ts'
import { countWaiting, listReports, type Waiting } from './store.ts'

const countedMax = 1000
const namedMax = 200
/** Callers who may see everyone can find more by searching. */
const reportsMax = 500
const Counted = message('bailiwick.v1.InboxCount', { id: text(), displayName: text(), count: int32() })

/** Counts of what waits, by a key; largest first. */
function countBy(all: readonly Waiting[], keyOf: (each: Waiting) => string): [id: string, count: number][] {
  const counts = new Map<string, number>()
  for (const each of all) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + each.count)
  return [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, namedMax)
}
const sum = (all: readonly Waiting[]): number => all.reduce((total, { count }) => total + count, 0)

export const inboxRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.TaskInbox.Get',
    at: 'GET /api/v1/inbox',
    summary: 'Count the tasks that wait for the caller, by app, person and kind of step.',
    rule: 'tasks.act',
    reply: message('bailiwick.v1.TaskInboxGetResponse', {
      total: described(int32(), `At most ${countedMax}: see isMore.`),
      isMore: described(flag(), 'Whether there are more tasks than were counted.'),
      approvals: int32(),
      provisions: int32(),
      forms: int32(),
      apps: listOf(Counted),
      people: listOf(Counted),
    }),
    async handle(call) {
      const all = await countWaiting(call.db, call.tenant.id, call.actor.userId, countedMax + 1)
      const people = countBy(all, ({ subjectId }) => subjectId).filter(([id]) => id !== '')
      const ids = people.map(([id]) => id)
      showNames(call, ids)
      const users = await findUsers(call.db, call.tenant.id, ids, call.now())
      const nameOf = new Map(users.map(({ id, displayName }) => [id, displayName]))
      const appNames = new Map(all.map(({ appId, appName }) => [appId, appName]))
      const ofKind = (kind: string): number => sum(all.filter(({ stepKind }) => stepKind === kind))
      const total = sum(all)
      return {
        total: Math.min(total, countedMax),
        isMore: total > countedMax,
        approvals: ofKind('approval'),
        provisions: ofKind('provision'),
        forms: ofKind('form'),
        apps: countBy(all, ({ appId }) => appId)
          .filter(([id]) => id !== '')
          .map(([id, count]) => ({ id, displayName: appNames.get(id) || id, count })),
        people: people.map(([id, count]) => ({ id, displayName: nameOf.get(id) ?? id, count })),
      }
    },
  }),
  route({
    id: 'bailiwick.v1.TaskInbox.ListReports',
    at: 'GET /api/v1/inbox/reports',
    summary: 'List the people whom the caller manages, by name: they can request access for them.',
    rule: 'tasks.act',
    reply: message('bailiwick.v1.TaskInboxListReportsResponse', {
      list: listOf(message('bailiwick.v1.Report', { id: text(), displayName: text() })),
    }),
    async handle(call) {
      const list = await listReports(call.db, call.tenant.id, call.actor.userId, reportsMax)
      showNames(
        call,
        list.map(({ id }) => id),
      )
      return { list }
    },
  }),
]
