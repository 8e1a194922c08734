import { useQuery } from '@tanstack/react-query'
import { taskInboxListReports, taskSearch } from '#client/api/operations.ts'
import type { AppEntitlement } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'

/** The open request of the caller for an entitlement, by its number; of the newest hundred. */
export function useOpenRequests(): (entitlement: AppEntitlement) => string | undefined {
  const { user, may } = useSession()
  const userId = user?.id ?? ''
  const { data } = useQuery({
    ...read(taskSearch, {
      body: {
        subjectIds: [userId],
        openerOrSubjectUserId: userId,
        taskStates: ['TASK_STATE_OPEN' as const],
        taskTypes: [{ grant: {} }],
        pageSize: 100,
      },
    }),
    enabled: may('tasks.own') && userId !== '',
  })
  const open = new Map(
    data?.list.flatMap(({ task }) => {
      const about = task?.type?.grant
      return task && about ? [[`${about.appId} ${about.appEntitlementId}`, task.numericId] as const] : []
    }),
  )
  return ({ appId, id }) => open.get(`${appId} ${id}`)
}

/** Whether the caller requests for others, too: for anyone, or for those whom they manage. */
export function useAsksForOthers(): boolean {
  const { may } = useSession()
  const mayAll = may('tasks.others')
  const { data } = useQuery({ ...read(taskInboxListReports, {}), enabled: !mayAll && may('tasks.own') })
  return mayAll || (data?.list.length ?? 0) > 0
}
