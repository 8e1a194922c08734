import { Alert, Button, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import type { SeenTask } from './seen-task.ts'
import { whoOf } from './task-events.ts'
import classes from './task-history.module.css'
import { useTold } from './task-told.ts'
import { targetName } from './words.ts'

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
