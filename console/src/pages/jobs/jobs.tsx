import { NativeSelect, UnstyledButton } from '@mantine/core'
import { IconChecklist, IconRefresh, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { jobList } from '#client/api/operations.ts'
import type { Job } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { actionsColumn } from '../../parts/row-actions.tsx'
import type { Column } from '../../parts/table.tsx'
import { ChangeJob, type JobChange } from './change-job.tsx'
import { JobDrawer } from './job-drawer.tsx'
import { JobState, nameOf } from './words.tsx'

const states = { waiting: 'JOB_STATE_WAITING', running: 'JOB_STATE_RUNNING', stuck: 'JOB_STATE_STUCK' } as const
const stateIn = (text: string) => (Object.hasOwn(states, text) ? states[text as keyof typeof states] : undefined)

/** Work that happens later: what waits, what runs, what is stuck. */
export function Jobs(): ReactNode {
  const { may } = useSession()
  const [shown, setShown] = useState<Job | null>(null)
  const [change, setChange] = useState<JobChange | null>(null)
  const actions: Column<Job> = actionsColumn('5.5rem', (job) => [
    {
      label: 'Retry now',
      name: `Retry ${nameOf(job)}`,
      icon: IconRefresh,
      isDisabled: job.state === states.running,
      onClick: () => setChange({ job, verb: 'Retry' }),
    },
    {
      label: 'Delete',
      name: `Delete ${nameOf(job)}`,
      icon: IconTrash,
      isDisabled: job.state === states.running,
      onClick: () => setChange({ job, verb: 'Delete' }),
    },
  ])
  return (
    <Page about="Background jobs that are waiting, running or stuck. Completed jobs are removed from this list.">
      <DataList
        caption="Jobs, newest first"
        operation={jobList}
        input={({ pageSize, pageToken, filter }) => {
          const state = stateIn(filter('state'))
          return {
            query: {
              ...(filter('kind') && { kind: filter('kind') }),
              ...(state && { state }),
              page_size: pageSize,
              page_token: pageToken,
            },
          }
        }}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        filters={<StateFilter />}
        columns={[
          {
            header: 'Job',
            cell: (job) => (
              <UnstyledButton data-opens className="link" fz="sm" fw={600} onClick={() => setShown(job)}>
                {nameOf(job)}
              </UnstyledButton>
            ),
          },
          { header: 'State', width: '7rem', cell: ({ state }) => <JobState state={state} /> },
          { header: 'Attempts', width: '7rem', isNumber: true, cell: ({ attempts }) => attempts },
          { header: 'Next attempt', width: '13rem', cell: ({ runAt }) => <Moment at={runAt} /> },
          { header: 'Last error', width: '30%', cell: ({ lastError }) => lastError },
          ...(may('jobs.manage') ? [actions] : []),
        ]}
        empty={{
          icon: IconChecklist,
          title: 'No jobs',
          children: 'All background jobs are done.',
        }}
      />
      <JobDrawer job={shown} onClose={() => setShown(null)} />
      <ChangeJob change={change} onClose={() => setChange(null)} />
    </Page>
  )
}

function StateFilter(): ReactNode {
  const { filter, set } = useListState()
  return (
    <NativeSelect
      label="State"
      value={filter('state')}
      onChange={({ currentTarget: { value } }) => set({ state: value })}
      data={[
        { value: '', label: 'All' },
        { value: 'stuck', label: 'Stuck' },
        { value: 'waiting', label: 'Waiting' },
        { value: 'running', label: 'Running' },
      ]}
    />
  )
}
