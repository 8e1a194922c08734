import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { rolesList, servicePrincipalDelete, servicePrincipalGet, servicePrincipalList } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { Summary } from '../../parts/summary.tsx'
import { userOwners } from '../owners/kinds.ts'
import { OwnersEditor } from '../owners/owners-editor.tsx'
import { ChangeUserStatus } from '../users/change-user-status.tsx'
import { UserRoles } from '../users/user-roles.tsx'
import { PrincipalCredentials } from './principal-credentials.tsx'
import { PrincipalTrusts } from './principal-trusts.tsx'

const above = [{ label: 'Service principals', to: '/principals' }]

/** One service principal: its credentials, roles and owners. */
export function Principal(): ReactNode {
  const { principalId = '' } = useParams({ strict: false })
  const { may } = useSession()
  const { data, error, refetch } = useQuery(read(servicePrincipalGet, { path: { id: principalId } }))
  const principal = data?.servicePrincipal
  const user = principal?.user
  if (error)
    return (
      <Page title="Service principal" above={above}>
        <ErrorNote error={error} title="This service principal cannot be shown" retry={() => void refetch()} />
      </Page>
    )
  return (
    <Page
      title={principal?.displayName ?? null}
      above={above}
      about="A program that calls the API with one of these credentials has the permissions of its roles."
      actions={
        principal &&
        user && (
          <>
            <ChangeUserStatus user={user} />
            {principal.objectPermissions?.delete && (
              <DeleteButton
                name={principal.displayName}
                operation={servicePrincipalDelete}
                input={{ path: { id: principal.id } }}
                changes={[servicePrincipalList]}
                href="/principals"
              >
                All its credentials are revoked immediately. Its activity is kept in the system log. This cannot be
                undone.
              </DeleteButton>
            )}
          </>
        )
      }
    >
      <Summary
        facts={
          principal && user
            ? [
                ['Status', <StatusBadge key="status" status={user.status} />],
                ['Created', <Moment key="created" at={principal.createdAt} show="day" />],
              ]
            : []
        }
      />
      {principal && user && (
        <>
          <PrincipalCredentials principal={principal} />
          <PrincipalTrusts principal={principal} />
          {may('roles.assign') ? <UserRoles user={user} /> : <RoleNames ids={user.roleIds} />}
          {may('owners.read') && (
            <OwnersEditor
              owned={{ of: 'principal', operations: userOwners, path: { user_id: principal.id } }}
              name={principal.displayName}
              mayChange={may('owners.write')}
            />
          )}
        </>
      )}
    </Page>
  )
}

function RoleNames({ ids }: { ids: readonly string[] }): ReactNode {
  const { may } = useSession()
  const { data } = useQuery({ ...read(rolesList, { query: { page_size: 100 } }), enabled: may('roles.read') })
  const nameOf = (id: string): string => data?.list.find((role) => role.id === id)?.displayName ?? id
  return (
    <Panel
      title="Roles"
      about="What the service principal can do in Bailiwick. Only administrators can change its roles."
    >
      <Text size="sm">{ids.map(nameOf).join(', ') || 'None'}</Text>
    </Panel>
  )
}
