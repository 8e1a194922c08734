import { Code } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import type { Job } from '#client/api/types.ts'
import { SidePanel } from '../../parts/dialog.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { JobState, nameOf } from './words.tsx'

/** One job: everything that operators may know of it. */
export function JobDrawer({ job, onClose }: { job: Job | null; onClose: () => void }): ReactNode {
  // The words stay while the drawer closes.
  const last = useRef(job)
  if (job) last.current = job
  const shown = last.current
  return (
    <SidePanel opened={job !== null} onClose={onClose} title={shown ? nameOf(shown) : 'Job'}>
      {shown && (
        <Facts
          facts={[
            ['State', <JobState key="state" state={shown.state} />],
            ['Last error', shown.lastError],
            ['Attempts', String(shown.attempts)],
            ['Created', <Moment key="created" at={shown.createdAt} show="exact" />],
            ['Last attempt', shown.startedAt && <Moment key="started" at={shown.startedAt} show="exact" />],
            ['Next attempt', shown.runAt && <Moment key="run" at={shown.runAt} show="exact" />],
            ['Deadline', shown.deadlineAt && <Moment key="deadline" at={shown.deadlineAt} show="exact" />],
            ['Subject', shown.subjectId && `${shown.subjectType} ${shown.subjectId}`],
            ['Lane', shown.lane],
            ['Requested by', shown.causeUserId && <UserName key="by" userId={shown.causeUserId} />],
            ['Operation', shown.causeOperation && <Code key="operation">{shown.causeOperation}</Code>],
            ['Request', shown.causeRequestId && <Code key="request">{shown.causeRequestId}</Code>],
            ['Kind', <Code key="kind">{shown.kind}</Code>],
            ['Job', <Code key="job">{shown.id}</Code>],
          ]}
        />
      )}
    </SidePanel>
  )
}
