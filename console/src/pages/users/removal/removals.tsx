import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { accessRemovalsList } from '#client/api/operations.ts'
import type { User } from '#client/api/types.ts'
import { read } from '../../../client/queries.ts'
import { useSession } from '../../../client/session.ts'
import { ErrorNote } from '../../../parts/error-note.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { Table } from '../../../parts/table.tsx'
import { UserName } from '../../../parts/user-name.tsx'
import { UndoRemoval } from './undo-removal.tsx'

/** When all access of a person was removed, by whom and why. Empty if it never was. */
export function Removals({ user }: { user: User }): ReactNode {
  const { may } = useSession()
  const { data, error } = useQuery(read(accessRemovalsList, { path: { user_id: user.id }, query: { page_size: 100 } }))
  if (error) return <ErrorNote error={error} title="Removals of access could not be loaded" />
  if (!data || data.list.length === 0) return null
  return (
    <Panel title="Removals of all access">
      <Table
        caption="Removals of all access, latest first"
        rows={data.list}
        keyOf={({ id }) => id}
        isPending={false}
        isStale={false}
        columns={[
          { header: 'When', width: '11rem', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { header: 'By', width: '18%', cell: ({ createdByUserId }) => <UserName userId={createdByUserId} /> },
          { header: 'Reason', cell: ({ reason }) => reason },
          {
            header: 'Grants ended',
            width: '8rem',
            isNumber: true,
            cell: ({ removedCount }) => removedCount.toLocaleString(),
          },
          {
            header: 'Undo',
            width: '12rem',
            cell: (removal) =>
              removal.undoneAt ? (
                <>
                  Undone <Moment at={removal.undoneAt} show="day" />
                </>
              ) : (
                may('grants.write') && <UndoRemoval removal={removal} user={user} />
              ),
          },
        ]}
      />
    </Panel>
  )
}
