import { useInfiniteQuery } from '@tanstack/react-query'
import { taskAuditList } from '#client/api/operations.ts'
import { call } from '../../client/call.ts'
import { useEnforcedBy } from '../../client/enforcement.ts'
import { provisionComments } from './provisioned.ts'
import type { SeenTask } from './seen-task.ts'
import { describeEvent, saidIn } from './task-events.ts'

const pageSize = 50
const pageSizeMax = 100

/** What happened to a task, newest first: each event that is shown, with its text. */
export function useTold(seen: SeenTask) {
  const taskId = seen.task.id
  const { data, ...query } = useInfiniteQuery({
    queryKey: [taskAuditList.id, { taskId }],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const page = await call(
        taskAuditList,
        { body: { taskId, newestFirst: true, pageSize, pageToken: pageParam } },
        signal,
      )
      // The API returns the comments of decisions only if comments alone are requested.
      const refs = page.list.map(({ id }) => ({ id }))
      const body = { taskId, refs, commentsOnly: true, pageSize: pageSizeMax }
      const { list } = refs.length > 0 ? await call(taskAuditList, { body }, signal) : { list: [] }
      return { ...page, said: list.map(({ id, comment }) => [id, comment?.comment ?? ''] as const) }
    },
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
  })
  const comments = new Map(data?.pages.flatMap(({ said }) => said))
  const events = data?.pages.flatMap(({ list }) => list) ?? []
  const provisioned = {
    comments: provisionComments(events),
    by: useEnforcedBy({ appId: seen.appId, id: seen.entitlementId }, seen.kind),
  }
  const told = events.flatMap((event) => {
    const what = describeEvent(event, seen, provisioned)
    return what === null ? [] : [{ event, what, comment: saidIn(event, comments, seen) }]
  })
  return { ...query, told, provisioned }
}
