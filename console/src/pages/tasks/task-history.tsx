import { Alert, Button, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { taskAuditList } from '#client/api/operations.ts'
import { call } from '../../client/call.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import type { SeenTask } from './seen-task.ts'
import { describeEvent, saidIn, whoOf } from './task-events.ts'
import classes from './task-history.module.css'
import { targetName } from './words.ts'

const pageSize = 50
const pageSizeMax = 100

/** What happened to a task, newest first: each event that is shown, with its text. */
function useTold(seen: SeenTask) {
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
  const told = (data?.pages.flatMap(({ list }) => list) ?? []).flatMap((event) => {
    const what = describeEvent(event, seen, whoOf(event, seen))
    return what === null ? [] : [{ event, what, comment: saidIn(event, comments, seen) }]
  })
  return { ...query, told }
}

/** Who denied a request and why, and, for the requester, how to request it again. */
export function DenialNote({ seen }: { seen: SeenTask }): ReactNode {
  const { user } = useSession()
  const { told, isPending } = useTold(seen)
  if (isPending) return null
  const denied = told.find(({ event }) => event.approvalInstanceChange?.instance?.denied)
  const isMine = seen.task.userId === user?.id || seen.task.createdByUserId === user?.id
  return (
    <Alert
      color="orange"
      variant="light"
      mb="md"
      icon={<IconX size={18} aria-hidden />}
      title={denied ? `Denied by ${whoOf(denied.event, seen)}` : 'Denied by the policy'}
    >
      <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        {denied ? denied.comment || 'No reason was given.' : 'Its steps below tell why.'}
      </Text>
      {isMine && seen.kind === 'grant' && (
        <Button
          component={Link}
          to={`/request?q=${encodeURIComponent(targetName(seen))}`}
          size="xs"
          variant="default"
          mt="xs"
        >
          Request again
        </Button>
      )}
    </Alert>
  )
}

/** Everything that happened to a task. */
export function TaskHistory({ seen }: { seen: SeenTask }): ReactNode {
  const { told, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useTold(seen)
  if (error) return <ErrorNote error={error} title="The history could not be loaded" retry={() => void refetch()} />
  return (
    <div aria-busy={isPending}>
      <ol className={classes.list} aria-label="Events, newest first">
        {told.map(({ event, what, comment }) => (
          <li key={event.id} className={classes.event} data-error={event.eventType === 'TASK_AUDIT_EVENT_TYPE_ERROR'}>
            <span className={classes.what}>{what}</span>
            <span className={classes.when}>
              <Moment at={event.created} />
            </span>
            {comment && <p className={classes.comment}>{comment}</p>}
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button size="xs" variant="default" mt="sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show earlier events
        </Button>
      )}
    </div>
  )
}
