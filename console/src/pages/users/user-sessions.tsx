import { Button } from '@mantine/core'
import { IconDevices } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  userIdentityList,
  userIdentityUnlink,
  userSessionList,
  userSessionRevoke,
  userSessionRevokeAll,
} from '#client/api/operations.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { signInMethods } from '../settings/methods.ts'
import { browserIn } from '../settings/user-agent.ts'
import { InvitationOf } from './invite/invite-user.tsx'
import { UserPage, useUser } from './user-page.tsx'

/** Where a user is signed in to the console, and who they are at the provider: for administrators. */
export function UserSessions(): ReactNode {
  const { userId, user } = useUser()
  const mayEnd = useSession().may('sessions.write')
  const [isEndingAll, setEndingAll] = useState(false)
  const end = useChange(userSessionRevoke, { changes: [userSessionList], done: 'Ended the session' })
  const endAll = useChange(userSessionRevokeAll, {
    changes: [userSessionList],
    done: ({ revoked }) => (revoked === 1 ? 'Ended 1 session' : `Ended ${revoked} sessions`),
    onDone: () => setEndingAll(false),
  })
  const name = user?.displayName ?? 'the user'
  return (
    <UserPage
      actions={
        mayEnd && (
          <Button variant="default" onClick={() => setEndingAll(true)}>
            End all sessions
          </Button>
        )
      }
    >
      {end.error && <ErrorNote error={end.error} />}
      <DataList
        caption={`Sessions of ${name}`}
        operation={userSessionList}
        input={({ pageSize, pageToken }) => ({
          path: { user_id: userId },
          query: { page_size: pageSize, page_token: pageToken },
        })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        columns={[
          { header: 'Browser', cell: ({ userAgent }) => <span title={userAgent}>{browserIn(userAgent)}</span> },
          { header: 'From', width: '16%', cell: ({ sourceAddress }) => sourceAddress },
          { header: 'Method', width: '14%', cell: ({ method }) => signInMethods[method] ?? method },
          { header: 'Signed in', width: '17%', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { header: 'Last seen', width: '17%', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
          {
            header: 'Actions',
            isHidden: true,
            width: '6rem',
            cell: (session) =>
              mayEnd && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={`End the session in ${browserIn(session.userAgent)} from ${session.sourceAddress}`}
                  loading={end.isPending && end.variables.path.id === session.id}
                  onClick={() => end.mutate({ path: { user_id: userId, id: session.id } })}
                >
                  End
                </Button>
              ),
          },
        ]}
        empty={{
          icon: IconDevices,
          title: `${user?.displayName ?? 'This user'} is not signed in`,
          children: 'Active console sessions are listed here.',
        }}
      />
      <InvitationOf userId={userId} />
      <Identities userId={userId} mayEnd={mayEnd} />
      <Confirm
        opened={isEndingAll}
        onClose={() => {
          endAll.reset()
          setEndingAll(false)
        }}
        title={`End all sessions of ${name}?`}
        verb="End all sessions"
        isPending={endAll.isPending}
        error={endAll.error}
        onConfirm={() => endAll.mutate({ path: { user_id: userId } })}
      >
        They are signed out everywhere immediately and can sign in again. API credentials are not affected.
      </Confirm>
    </UserPage>
  )
}

function Identities({ userId, mayEnd }: { userId: string; mayEnd: boolean }): ReactNode {
  const { data } = useQuery(read(userIdentityList, { path: { user_id: userId } }))
  const unlink = useChange(userIdentityUnlink, { changes: [userIdentityList], done: 'Unlinked the identity' })
  if (!data || data.list.length === 0) return null
  return (
    <Panel title="Single sign-on">
      <ErrorNote error={unlink.error} />
      {data.list.map(({ id, issuer, subject, linkedAt }) => (
        <Facts
          key={id}
          facts={[
            ['Provider', issuer],
            ['Subject', <code key="subject">{subject}</code>],
            ['Linked', <Moment key="linked" at={linkedAt} />],
            [
              'Actions',
              mayEnd && (
                <Button
                  key="unlink"
                  size="compact-sm"
                  variant="default"
                  aria-label={`Unlink from ${issuer}`}
                  loading={unlink.isPending}
                  onClick={() => unlink.mutate({ path: { user_id: userId, id } })}
                >
                  Unlink
                </Button>
              ),
            ],
          ]}
        />
      ))}
    </Panel>
  )
}
