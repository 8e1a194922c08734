import { NativeSelect } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { rolesList, userSearch } from '#client/api/operations.ts'
import type { User } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { DataList } from '../../parts/data-list.tsx'
import { FilterPill } from '../../parts/filter-pill.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { UserName } from '../../parts/user-name.tsx'
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
      input={({ query, filter, pageSize, pageToken }) => {
        const listed = <T extends string>(name: string): T[] => (filter(name) ? [filter(name) as T] : [])
        return {
          body: {
            query,
            userStatuses: listed<User['status']>('status'),
            types: listed<User['type']>('type'),
            roleIds: listed('role'),
            departments: listed('department'),
            jobTitles: listed('title'),
            managerIds: listed('manager'),
            pageSize,
            pageToken,
          },
        }
      }}
      rows={({ list }) => list.flatMap(({ user }) => (user ? [user] : []))}
      keyOf={({ id }) => id}
      search="Search users"
      filters={<Filters />}
      columns={[
        {
          header: 'Name',
          cell: ({ id, displayName, email }) => (
            <Named label={displayName || email || id} to={`/users/${id}`} about={displayName && email} />
          ),
        },
        { header: 'Job title', width: '20%', cell: ({ jobTitle }) => <Narrow by="title" value={jobTitle} /> },
        { header: 'Department', width: '18%', cell: ({ department }) => <Narrow by="department" value={department} /> },
        { header: 'Type', width: '7rem', cell: ({ type }) => userTypes[type] ?? '–' },
        { header: 'Status', width: '8rem', cell: ({ status }) => <StatusBadge status={status} /> },
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
      search={(before: Record<string, string | undefined>) => ({ ...before, page: undefined, [by]: value })}
      className={classes.narrow}
      title={`Only ${value}`}
    >
      {value}
    </Link>
  ) : (
    '–'
  )

function Filters(): ReactNode {
  const { filter, set } = useListState()
  const { data: roles } = useQuery(read(rolesList, { query: { page_size: 100 } }))
  const chosen = [
    ['department', filter('department')],
    ['title', filter('title')],
    ['manager', filter('manager') && <UserName userId={filter('manager')} />],
  ] as const
  return (
    <>
      <NativeSelect
        aria-label="Status"
        value={filter('status')}
        onChange={({ currentTarget: { value } }) => set({ status: value })}
        data={[
          { value: '', label: 'Any status' },
          { value: 'ENABLED', label: 'Enabled' },
          { value: 'DISABLED', label: 'Disabled' },
        ]}
      />
      <NativeSelect
        aria-label="Type"
        value={filter('type')}
        onChange={({ currentTarget: { value } }) => set({ type: value })}
        data={[
          { value: '', label: 'Any type' },
          ...Object.entries(userTypes).map(([value, label]) => ({ value, label })),
        ]}
      />
      <NativeSelect
        aria-label="Role"
        value={filter('role')}
        onChange={({ currentTarget: { value } }) => set({ role: value })}
        data={[
          { value: '', label: 'Any role' },
          ...(roles?.list ?? []).map(({ id, displayName }) => ({ value: id, label: displayName })),
        ]}
      />
      {chosen.map(
        ([name, value]) =>
          value && (
            <FilterPill key={name} removes={`Show every ${name}`} onRemove={() => set({ [name]: '' })}>
              {name === 'manager' ? <>Reports to {value}</> : value}
            </FilterPill>
          ),
      )}
    </>
  )
}
