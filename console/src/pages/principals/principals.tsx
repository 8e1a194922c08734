import { Anchor, Button } from '@mantine/core'
import { IconPlus, IconRobot } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { rolesList, servicePrincipalCreate, servicePrincipalList } from '#client/api/operations.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { Moment } from '../../parts/moment.tsx'
import { NameField } from '../../parts/name-fields.tsx'
import { useOpenedBy } from '../../parts/opened-by.ts'
import { Page } from '../../parts/page.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'

/** Identities for programs: all of them, or those that the caller owns. */
export function Principals(): ReactNode {
  const { may } = useSession()
  const [isCreating, setCreating] = useState(false)
  useOpenedBy('create', () => setCreating(may('principals.write')))
  const { data: roles } = useQuery({
    ...read(rolesList, { query: { page_size: 100 } }),
    enabled: may('roles.read'),
  })
  const nameOf = (id: string): string => roles?.list.find((role) => role.id === id)?.displayName ?? id
  const create = may('principals.write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      Create service principal
    </Button>
  )
  return (
    <Page
      about={
        may('principals.read')
          ? 'Identities for programs. They have roles and API credentials, and cannot sign in.'
          : 'Identities for programs that you own. You manage their API credentials.'
      }
      actions={
        <>
          <Button component={Link} to="/federation-providers" variant="default">
            Federation providers
          </Button>
          {create}
        </>
      }
    >
      <DataList
        caption="Service principals"
        operation={servicePrincipalList}
        input={({ pageSize, pageToken }) => ({ query: { page_size: pageSize, page_token: pageToken } })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        columns={[
          {
            header: 'Name',
            cell: ({ id, displayName }) => (
              <Anchor component={Link} to={`/principals/${id}`} size="sm" fw={600}>
                {displayName}
              </Anchor>
            ),
          },
          {
            header: 'Status',
            width: '8rem',
            cell: ({ user }) => <StatusBadge status={user?.status ?? 'UNKNOWN'} />,
          },
          {
            header: 'Roles',
            cell: ({ user }) => user?.roleIds.map(nameOf).join(', ') || 'None',
          },
          { header: 'Created', width: '8rem', cell: ({ createdAt }) => <Moment at={createdAt} show="day" /> },
        ]}
        empty={{
          icon: IconRobot,
          title: may('principals.read') ? 'No service principals' : 'You own no service principals',
          children: 'A service principal is an identity for a program that calls the API, independent of any person.',
          action: create,
        }}
      />
      {isCreating && <CreatePrincipal onClose={() => setCreating(false)} />}
    </Page>
  )
}

function CreatePrincipal({ onClose }: { onClose: () => void }): ReactNode {
  const [displayName, setDisplayName] = useState('')
  const navigate = useNavigate()
  const create = useChange(servicePrincipalCreate, {
    changes: [servicePrincipalList],
    onDone: ({ servicePrincipal }) => void navigate({ href: `/principals/${servicePrincipal?.id ?? ''}` }),
  })
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Create a service principal"
      verb="Create service principal"
      isIncomplete={displayName.trim() === ''}
      isPending={create.isPending}
      error={create.error}
      fields={['displayName']}
      onSubmit={() => create.mutate({ body: { displayName: displayName.trim() } })}
    >
      <NameField
        description="The program that will use it. It has no role until you grant it one."
        placeholder="nightly-export"
        value={displayName}
        onChange={setDisplayName}
        error={problemOf(create.error, 'displayName')}
      />
    </FormModal>
  )
}
