import { Badge, Button, Group } from '@mantine/core'
import { IconDevices } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { sessionList, sessionRevoke, sessionRevokeOthers } from '#client/api/operations.ts'
import type { ReplyOf } from '#client/operation.ts'
import { useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { signInMethods } from './methods.ts'
import { SettingsPage } from './settings-page.tsx'
import { browserIn } from './user-agent.ts'

type Session = ReplyOf<typeof sessionList>['list'][number]

/** Where the caller is signed in to the console. */
export function Sessions(): ReactNode {
  const [isEndingOthers, setEndingOthers] = useState(false)
  const end = useChange(sessionRevoke, { changes: [sessionList], done: 'Ended the session' })
  const endOthers = useChange(sessionRevokeOthers, {
    changes: [sessionList],
    done: ({ revoked }) => (revoked === 1 ? 'Ended 1 other session' : `Ended ${revoked} other sessions`),
    onDone: () => setEndingOthers(false),
  })
  return (
    <SettingsPage
      about="Where you are signed in. Sessions end after a time of inactivity, and after some days in any case."
      actions={
        <Button variant="default" onClick={() => setEndingOthers(true)}>
          Sign out everywhere else
        </Button>
      }
    >
      {end.error && <ErrorNote error={end.error} />}
      <DataList
        caption="Your sessions"
        operation={sessionList}
        input={({ pageSize, pageToken }) => ({ query: { page_size: pageSize, page_token: pageToken } })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        columns={[
          {
            header: 'Browser',
            cell: (session) => (
              <Group gap="xs">
                <span title={session.userAgent}>{browserIn(session.userAgent)}</span>
                {session.isCurrent && <Badge color="teal">This session</Badge>}
              </Group>
            ),
          },
          { header: 'From', width: '16%', cell: ({ sourceAddress }) => sourceAddress },
          { header: 'Method', width: '14%', cell: ({ method }) => signInMethods[method] ?? method },
          { header: 'Signed in', width: '17%', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { header: 'Last seen', width: '17%', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
          {
            header: 'Actions',
            isHidden: true,
            width: '6rem',
            cell: (session: Session) =>
              session.isCurrent ? null : (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={`End the session in ${browserIn(session.userAgent)} from ${session.sourceAddress}`}
                  loading={end.isPending && end.variables.path.id === session.id}
                  onClick={() => end.mutate({ path: { id: session.id } })}
                >
                  End
                </Button>
              ),
          },
        ]}
        empty={{ icon: IconDevices, title: 'No sessions', children: 'Sign in to start one.' }}
      />
      <Confirm
        opened={isEndingOthers}
        onClose={() => {
          endOthers.reset()
          setEndingOthers(false)
        }}
        title="Sign out everywhere else?"
        verb="Sign out elsewhere"
        isPending={endOthers.isPending}
        error={endOthers.error}
        onConfirm={() => endOthers.mutate({})}
      >
        All your other sessions end immediately. API credentials are not affected.
      </Confirm>
    </SettingsPage>
  )
}
