import { Button, NativeSelect } from '@mantine/core'
import { IconPlus, IconSend } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { taskSearch } from '#client/api/operations.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Page } from '../../parts/page.tsx'
import { listMask, seenTasks } from './seen-task.ts'
import { ageColumn, nameColumn, personColumn, stateColumn, waitsForColumn } from './task-columns.tsx'

/** What the caller requested, and what was requested for them. */
export function MyRequests(): ReactNode {
  const { user } = useSession()
  const ask = (
    <Button component={Link} to="/request" leftSection={<IconPlus size={16} aria-hidden />}>
      Request access
    </Button>
  )
  return (
    <Page about="Requests by you and for you." actions={ask}>
      <DataList
        caption="Your requests, newest first"
        operation={taskSearch}
        kind="tasks"
        input={({ query, pageSize, pageToken, filter, orderBy }) => ({
          body: {
            query,
            openerOrSubjectUserId: user?.id ?? '',
            taskStates: stateFilter(filter('state')),
            orderBy,
            expandMask: listMask,
            pageSize,
            pageToken,
          },
        })}
        rows={seenTasks}
        keyOf={({ task }) => task.id}
        search="Search requests"
        filters={<StateFilter />}
        columns={[
          { ...nameColumn, sort: 'name' },
          { ...personColumn, sort: 'person' },
          { ...stateColumn, sort: 'state' },
          waitsForColumn,
          { ...ageColumn, sort: 'created' },
        ]}
        empty={{
          icon: IconSend,
          title: 'No requests yet',
          children: 'Request the access that you need, and follow its progress here.',
          action: ask,
        }}
      />
    </Page>
  )
}

export const stateFilter = (state: string): ('TASK_STATE_OPEN' | 'TASK_STATE_CLOSED')[] =>
  state === 'open' ? ['TASK_STATE_OPEN'] : state === 'closed' ? ['TASK_STATE_CLOSED'] : []

/** Whether it is open or closed. */
export function StateFilter(): ReactNode {
  const { filter, set } = useListState()
  return (
    <NativeSelect
      label="State"
      value={filter('state')}
      onChange={({ currentTarget: { value } }) => set({ state: value })}
      data={[
        { value: '', label: 'All' },
        { value: 'open', label: 'Open' },
        { value: 'closed', label: 'Closed' },
      ]}
    />
  )
}
