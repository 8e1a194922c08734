import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { taskInboxGet, taskSearch } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { Page } from '../../parts/page.tsx'
import { useDestinations } from '../../parts/pages.ts'
import { Panel } from '../../parts/panel.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { listMask, type SeenTask, seenTasks } from '../tasks/seen-task.ts'
import { StandingBadge } from '../tasks/standing-badge.tsx'
import { TaskName } from '../tasks/task-columns.tsx'
import { Attention } from './attention.tsx'
import { Coverage } from './coverage.tsx'
import { EndsSoon } from './ends-soon.tsx'
import classes from './home.module.css'
import { Numbers } from './numbers.tsx'
import { PasskeyNudge } from './passkey-nudge.tsx'
import { Requestables } from './requestables.tsx'
import { Section } from './section.tsx'
import { Setup } from './setup.tsx'

/** What the caller can do now: for everybody. */
export function Home(): ReactNode {
  const { may, user } = useSession()
  const name = user?.displayName.split(' ')[0]
  const mayAsk = may('tasks.own')
  // Callers with something to decide see that first, others what they can request. The number beside the page uses the same
  // data.
  const { data: inbox } = useQuery({ ...read(taskInboxGet, {}), enabled: mayAsk })
  // It stays so while the page is open: what moves loses what was typed into it.
  const [hasWork, setHasWork] = useState<boolean | null>(null)
  if (inbox && hasWork === null) setHasWork(inbox.total > 0)
  // Callers who manage records always see its state; others only if there is something.
  const seesRecords = may('grants.read') || may('users.read')
  const isFirst = !hasWork && !seesRecords
  const requestables = mayAsk && may('profiles.own.read') && <Requestables />
  return (
    <Page
      title={name ? `Hello, ${name}` : 'Home'}
      about={seesRecords ? 'What needs attention, and your own requests.' : 'Your requests, approvals and access.'}
    >
      <PasskeyNudge />
      <Setup />
      <Attention isAlways={seesRecords} />
      <Coverage />
      <Numbers isAlways={seesRecords} />
      {isFirst && requestables}
      <div className={classes.columns}>
        {mayAsk && <ToDecide />}
        {mayAsk && <MyRequests />}
      </div>
      {!isFirst && requestables}
      {may('grants.own.read') && <EndsSoon />}
      {!mayAsk && <OtherPages />}
    </Page>
  )
}

const shownMax = 5

function ToDecide(): ReactNode {
  const { user } = useSession()
  const inbox = useQuery(read(taskInboxGet, {}))
  const tasks = useQuery(
    read(taskSearch, {
      body: {
        myWorkUserIds: [user?.id ?? ''],
        taskStates: ['TASK_STATE_OPEN' as const],
        sortBy: 'TASK_SEARCH_SORT_BY_CREATED_AT' as const,
        expandMask: listMask,
        pageSize: 10,
      },
    }),
  )
  const total = inbox.data?.total ?? 0
  return (
    <Panel
      title={total > 0 ? `Inbox: ${total.toLocaleString()}${inbox.data?.isMore ? '+' : ''}` : 'Inbox'}
      actions={
        total > 0 && (
          <Button component={Link} to="/decide" size="xs">
            {' '}
            Open inbox{' '}
          </Button>
        )
      }
    >
      <Section query={tasks} nothing="Nothing is waiting for you.">
        {(reply) =>
          seenTasks(reply)
            .slice(0, shownMax)
            .map((seen) => <Item key={seen.task.id} seen={seen} of={seen.nameOf(seen.task.userId)} />)
        }
      </Section>
    </Panel>
  )
}

function MyRequests(): ReactNode {
  const { user } = useSession()
  const tasks = useQuery(
    read(taskSearch, { body: { openerOrSubjectUserId: user?.id ?? '', expandMask: listMask, pageSize: 10 } }),
  )
  const hasSome = (tasks.data?.list.length ?? 0) > 0
  return (
    <Panel
      title="My requests"
      actions={
        hasSome && (
          <Anchor component={Link} to="/requests" size="sm">
            All my requests
          </Anchor>
        )
      }
    >
      <Section query={tasks} nothing="You have not requested anything yet.">
        {(reply) =>
          // What is open first: the rest is for looking up.
          seenTasks(reply)
            .toSorted((a, b) => Number(b.task.state === 'TASK_STATE_OPEN') - Number(a.task.state === 'TASK_STATE_OPEN'))
            .slice(0, shownMax)
            .map((seen) => <Item key={seen.task.id} seen={seen} />)
        }
      </Section>
    </Panel>
  )
}

const Item = ({ seen, of }: { seen: SeenTask; of?: string }): ReactNode => (
  <li className={classes.item}>
    <TaskName seen={seen} />
    <span className={classes.side}>
      {of ?? <StandingBadge seen={seen} />}
      {seen.task.createdAt && <RelativeTime at={seen.task.createdAt} />}
    </span>
  </li>
)

/** For those who have no access requests: a way on. */
function OtherPages(): ReactNode {
  const pages = useDestinations().filter(({ to }) => to !== '/')
  return (
    <Panel>
      <EmptyNote title="Your roles do not include access requests">
        You can go to{' '}
        {pages.map(({ label, to }, place) => (
          <span key={to}>
            {place > 0 && ', '}
            <Anchor component={Link} to={to} size="sm">
              {label}
            </Anchor>
          </span>
        ))}
        .
      </EmptyNote>
    </Panel>
  )
}
