import { Button } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { rolesList, userSearch } from '#client/api/operations.ts'
import type { User } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { byPresence, bySome, daysOf, type FilterBy } from '../../parts/list-filters.tsx'
import { joinValues } from '../../parts/list-state.ts'
import { Named } from '../../parts/named.tsx'
import { useOpenedBy } from '../../parts/opened-by.ts'
import { Page } from '../../parts/page.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { AddPerson } from './add-person.tsx'
import { useBulkUsers } from './bulk-users.tsx'
import classes from './users.module.css'
import { addingPermissions, userTypes } from './words.ts'

/** Everyone. */
export function Users(): ReactNode {
  const { selection, dialog } = useBulkUsers()
  const { may } = useSession()
  const navigate = useNavigate()
  const [isAdding, setAdding] = useState(false)
  useOpenedBy('add', () => setAdding(may('users.write')))
  return (
    <>
      <UserList selection={selection} />
      {dialog}
      {isAdding && (
        <AddPerson onClose={() => setAdding(false)} onAdded={(id) => void navigate({ href: `/users/${id}` })} />
      )}
    </>
  )
}

/** For those who may add people in one of the ways. */
function AddPeople(): ReactNode {
  const { may } = useSession()
  return addingPermissions.some(may) && <AddPeopleButton />
}

const AddPeopleButton = (): ReactNode => (
  <Button component={Link} to="/users/add" leftSection={<IconPlus size={16} aria-hidden />}>
    Add people
  </Button>
)

const UserList = ({ selection }: Pick<ReturnType<typeof useBulkUsers>, 'selection'>): ReactNode => (
  <Page
    title="Users"
    about="People and services with access. They come from directories and imports, or are added manually."
    actions={<AddPeople />}
  >
    <DataList
      caption="Users"
      operation={userSearch}
      kind="users"
      input={({ query, filter, values, orderBy, pageSize, pageToken }) => {
        const created = daysOf(filter, 'created')
        return {
          body: {
            query,
            userStatuses: values<User['status']>('status'),
            types: values<User['type']>('type'),
            roleIds: values('role'),
            departments: values('department'),
            jobTitles: values('title'),
            managerIds: values('manager'),
            employmentStatuses: values('employment'),
            directoryIds: values('directory'),
            ...(filter('access') && { access: filter('access') as 'PRESENCE_SOME' }),
            createdAfter: created.from,
            createdBefore: created.until,
            orderBy,
            pageSize,
            pageToken,
          },
        }
      }}
      rows={({ list }) => list.flatMap(({ user }) => (user ? [user] : []))}
      keyOf={({ id }) => id}
      search="Search users"
      filterBy={useFilters()}
      columns={[
        {
          header: 'Name',
          sort: 'name',
          cell: ({ id, displayName, email }) => (
            <Named label={displayName || email || id} to={`/users/${id}`} about={displayName && email} />
          ),
        },
        {
          header: 'Job title',
          sort: 'jobTitle',
          width: '20%',
          cell: ({ jobTitle }) => <Narrow by="title" value={jobTitle} />,
        },
        {
          header: 'Department',
          sort: 'department',
          width: '18%',
          cell: ({ department }) => <Narrow by="department" value={department} />,
        },
        { header: 'Type', sort: 'type', width: '7rem', cell: ({ type }) => userTypes[type] ?? '–' },
        { header: 'Status', sort: 'status', width: '8rem', cell: ({ status }) => <StatusBadge status={status} /> },
      ]}
      {...selection}
      empty={{
        icon: IconUsers,
        title: 'No users yet',
        children: 'A directory sends people, or they come from an app or a file, or you add them one by one.',
        action: <AddPeople />,
      }}
    />
  </Page>
)

/** A value that narrows the list to those who have it too. */
const Narrow = ({ by, value }: { by: 'title' | 'department'; value: string }): ReactNode =>
  value ? (
    <Link
      to="/users"
      search={(before: Record<string, string | undefined>) => ({
        ...before,
        page: undefined,
        [by]: joinValues([value]),
      })}
      className={classes.narrow}
      title={`Only ${value}`}
    >
      {value}
    </Link>
  ) : (
    '–'
  )

function useFilters(): readonly FilterBy[] {
  const { may } = useSession()
  const { data: roles } = useQuery(read(rolesList, { query: { page_size: 100 } }))
  return [
    bySome('status', 'Status', { ENABLED: 'Enabled', DISABLED: 'Disabled' }),
    bySome('type', 'Type', userTypes),
    { name: 'department', label: 'Department', kind: 'text', suggests: 'department' },
    { name: 'title', label: 'Job title', kind: 'text', suggests: 'jobTitle' },
    { name: 'manager', label: 'Manager', kind: 'user' },
    { name: 'employment', label: 'Employment status', kind: 'text', suggests: 'employmentStatus' },
    bySome('role', 'Role', Object.fromEntries((roles?.list ?? []).map(({ id, displayName }) => [id, displayName]))),
    ...(may('accounts.read') ? [{ name: 'directory', label: 'Directory', kind: 'app' } as const] : []),
    ...(may('grants.read') ? [byPresence('access', 'Access', 'Has access', 'No access')] : []),
    { name: 'created', label: 'Created', kind: 'days' },
  ]
}
