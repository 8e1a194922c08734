import { Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { directoriesListConflicts } from '#client/api/operations.ts'
import { DataList } from '../../parts/data-list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Panel } from '../../parts/panel.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { conflictWords } from './words.ts'

/** The accounts that do not become users, and what to do about each. */
export const Conflicts = ({ appId }: { appId: string }): ReactNode => (
  <Panel
    title="Conflicts"
    about="Accounts that could not become users, or only in part. They are checked again when they or the keys change."
  >
    <DataList
      caption="Conflicts of the directory"
      operation={directoriesListConflicts}
      input={({ pageSize, pageToken }) => ({
        path: { app_id: appId },
        query: { page_size: pageSize, page_token: pageToken },
      })}
      rows={({ list }) => list}
      keyOf={({ appUserId }) => appUserId}
      columns={[
        {
          header: 'Account',
          width: '28%',
          cell: ({ appUserId, displayName, email, username }) => (
            <Named
              label={displayName || username || appUserId}
              to={`/apps/${appId}/accounts/${appUserId}`}
              about={email || username}
            />
          ),
        },
        {
          header: 'Reason and solution',
          cell: (conflict) => {
            const [why, advice] = conflictWords(conflict)
            return (
              <>
                {why}
                <Text size="sm" c="dimmed">
                  {advice}
                </Text>
                {conflict.userIds.map((userId) => (
                  <div key={userId}>
                    <UserName userId={userId} />
                  </div>
                ))}
              </>
            )
          },
        },
        { header: 'Since', width: '11rem', cell: ({ since }) => <Moment at={since} /> },
      ]}
      empty={{
        icon: IconCircleCheck,
        title: 'No conflicts',
        children: 'Every account that meets the condition is a user.',
      }}
    />
  </Panel>
)
