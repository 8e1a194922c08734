import { IconSend } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { taskSearch } from '#client/api/operations.ts'
import { DataList } from '../../parts/data-list.tsx'
import { StateFilter, stateFilter } from '../tasks/my-requests.tsx'
import { listMask, seenTasks } from '../tasks/seen-task.ts'
import { ageColumn, nameColumn, personColumn, stateColumn, waitsForColumn } from '../tasks/task-columns.tsx'
import { UserPage, useUser } from './user-page.tsx'

/** What a person requested, and what was requested for them. */
export function UserRequests(): ReactNode {
  const { userId, user } = useUser()
  const name = user?.displayName || user?.email || 'this person'
  return (
    <UserPage>
      <DataList
        caption={`Requests of ${name}, newest first`}
        operation={taskSearch}
        kind="tasks"
        input={({ query, pageSize, pageToken, filter, orderBy }) => ({
          body: {
            query,
            openerOrSubjectUserId: userId,
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
          title: 'No requests',
          children: `Nothing was requested by or for ${name}.`,
        }}
      />
    </UserPage>
  )
}
