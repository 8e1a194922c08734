import { Code, Group, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import type { User } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { CopyIcon } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Panel } from '../../parts/panel.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { MergeUser } from './merge-user.tsx'
import { UserPage, useUser } from './user-page.tsx'
import { UserSources } from './user-sources.tsx'
import { userOrigins, userTypes } from './words.ts'

/** What is known about a user: what rules and searches go by. */
export function UserProfile(): ReactNode {
  const { user } = useUser()
  const { may } = useSession()
  return (
    <UserPage actions={user && <MergeUser user={user} />}>
      {user ? (
        <>
          <Person user={user} />
          <OwnFields profile={user.profile ?? {}} />
          {may('users.read') && <UserSources userId={user.id} />}
        </>
      ) : (
        <Panel>
          <Skeleton height={280} />
        </Panel>
      )}
    </UserPage>
  )
}

const lines = (values: readonly string[]): ReactNode =>
  values.length > 0 && values.map((value) => <div key={value}>{value}</div>)

function Person({ user }: { user: User }): ReactNode {
  const { may } = useSession()
  return (
    <Panel title="Person">
      <Facts
        facts={[
          ['Email addresses', lines(user.emails.length > 0 ? user.emails : [user.email].filter(Boolean)) || null],
          ['Usernames', lines(user.usernames) || user.username],
          ['Employee IDs', lines(user.employeeIds) || null],
          ['Job title', user.jobTitle],
          ['Department', user.department],
          ['Employment', [user.employmentType, user.employmentStatus].filter(Boolean).join(', ')],
          [
            user.managerIds.length > 1 ? 'Managers' : 'Manager',
            user.managerIds.length > 0 &&
              user.managerIds.map((id) => (
                <div key={id}>
                  <UserName userId={id} />
                </div>
              )),
          ],
          [
            'Reports',
            may('users.read') && <Named key="reports" isQuiet label="Show reports" to={`/users?manager=${user.id}`} />,
          ],
          ['Status', <StatusBadge key="status" status={user.status} />],
          ['Status in the directory', <StatusBadge key="directory" status={user.directoryStatus} />],
          ['Type', userTypes[user.type]],
          ['Origin', userOrigins[user.origin]],
          ['Added', <Moment key="added" at={user.createdAt} />],
          ['Last changed', <Moment key="changed" at={user.updatedAt} />],
          [
            'ID',
            <Group key="id" gap={4} my={-4} wrap="nowrap" align="flex-start">
              <Code>{user.id}</Code>
              <CopyIcon value={user.id} label="Copy the ID" />
            </Group>,
          ],
        ]}
      />
    </Panel>
  )
}

/** Fields of the tenant's own, as they were imported. */
function OwnFields({ profile }: { profile: Record<string, unknown> }): ReactNode {
  const entries = Object.entries(profile)
  if (entries.length === 0) return null
  return (
    <Panel title="Other fields" about="As imported. Rules can read them as subject.profile.">
      <Facts
        facts={entries.map(
          ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
        )}
      />
    </Panel>
  )
}
