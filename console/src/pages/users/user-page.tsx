import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { userGet } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Page } from '../../parts/page.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { Summary } from '../../parts/summary.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { ChangeUserStatus } from './change-user-status.tsx'
import { InviteUser } from './invite/invite-user.tsx'
import { RemoveAccess } from './removal/remove-access.tsx'
import { RequestFor } from './request-for.tsx'
import { MergedNote } from './user-merges.tsx'

type UserPageProps = { actions?: ReactNode; children: ReactNode }

/** The user of the address. */
export function useUser() {
  const { userId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(read(userGet, { path: { id: userId } }))
  return { userId, user: data?.userView?.user ?? undefined, error, retry: () => void refetch() }
}

/** The frame of a user's pages: who they are, their tabs, then one of them. */
export function UserPage({ actions, children }: UserPageProps): ReactNode {
  const { userId, user, error, retry } = useUser()
  const { may, user: self } = useSession()
  const isSelf = self?.id === userId
  const above = may('users.read') ? [{ label: 'Users', to: '/users' }] : []
  if (error)
    return (
      <Page title="User" above={above}>
        <ErrorNote error={error} title="This user cannot be shown" retry={retry} />
      </Page>
    )
  const base = `/users/${userId}`
  return (
    <Page
      title={user ? user.displayName || user.email : null}
      above={above}
      about={user && [user.jobTitle, user.email].filter(Boolean).join(' · ')}
      actions={
        <>
          {actions}
          {user && !isSelf && <InviteUser user={user} />}
          {user && !isSelf && <RequestFor user={user} />}
          {user && <RemoveAccess user={user} />}
          {user && <ChangeUserStatus user={user} />}
        </>
      }
    >
      {user && may('users.read') && <MergedNote user={user} />}
      <Summary
        facts={
          user
            ? [
                ['Status', <StatusBadge key="status" status={user.status} />],
                ['Department', user.department],
                ['Manager', user.managerIds[0] && <UserName key="manager" userId={user.managerIds[0]} />],
                ['Delegate', user.delegatedUserId && <UserName key="delegate" userId={user.delegatedUserId} />],
              ]
            : []
        }
      />
      <Tabs
        label="The user"
        tabs={[
          { label: 'Access', to: base, isExact: true },
          { label: 'Timeline', to: `${base}/timeline` },
          { label: 'Paths', to: `${base}/paths` },
          ...(may('grants.read') || isSelf ? [{ label: 'Compare', to: `${base}/changes` }] : []),
          ...(may('tasks.read') || isSelf ? [{ label: 'Requests', to: `${base}/requests` }] : []),
          { label: 'Roles', to: `${base}/roles` },
          ...(isSelf && !may('users.read') ? [{ label: 'Owns', to: `${base}/owned` }] : []),
          ...(may('users.read') ? [{ label: 'Owns and dependents', to: `${base}/leaving` }] : []),
          { label: 'Details', to: `${base}/profile` },
          ...(may('owners.read') ? [{ label: 'Owners', to: `${base}/owners` }] : []),
          ...(may('sessions.read') ? [{ label: 'Sessions', to: `${base}/sessions` }] : []),
          ...(may('credentials.read') ? [{ label: 'Devices', to: `${base}/devices` }] : []),
        ]}
      />
      {children}
    </Page>
  )
}
