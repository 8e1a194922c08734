import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { rolesList, userSearch } from '#client/api/operations.ts'
import type { User } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { byPresence, bySome, daysOf, type FilterBy } from '../../parts/list-filters.tsx'
import { joinValues } from '../../parts/list-state.ts'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { useBulkUsers } from './bulk-users.tsx'
import classes from './users.module.css'
import { userTypes } from './words.ts'

/** Everyone. */
export function Users(): ReactNode {
  const { selection, dialog } = useBulkUsers()
  return (
    <>
      <UserList selection={selection} />
      {dialog}
    </>
  )
}

const UserList = ({ selection }: Pick<ReturnType<typeof useBulkUsers>, 'selection'>): ReactNode => (
  <Page title="Users" about="People and services with access. They come from directories and imports.">
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
        children: 'Add a directory that sends people by SCIM, use an app as a directory, or import people from a file.',
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
