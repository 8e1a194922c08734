import { Button } from '@mantine/core'
import { IconApps, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { appSearch } from '#client/api/operations.ts'
import type { App } from '#client/api/types.ts'
import { useAppEnforcements } from '../../client/enforcement.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { type Asked, DataList } from '../../parts/data-list.tsx'
import { AppEnforcementLine } from '../../parts/enforcement.tsx'
import { byOne, type FilterBy } from '../../parts/list-filters.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { useOpenedBy } from '../../parts/opened-by.ts'
import { Page } from '../../parts/page.tsx'
import { AppForm } from './app-form.tsx'

/** Every app. */
export function Apps(): ReactNode {
  const { may } = useSession()
  const navigate = useNavigate()
  const [isMaking, setMaking] = useState(false)
  const state = useListState()
  const enforcements = usePageEnforcements(state)
  useOpenedBy('create', () => setMaking(may('apps.write')))
  const make = may('apps.write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      Create app
    </Button>
  )
  return (
    <Page about="The apps whose access is managed here." actions={make}>
      <DataList
        caption="Apps"
        operation={appSearch}
        kind="apps"
        input={inputOf}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        search="Search apps"
        {...(may('apps.read') && { filterBy })}
        columns={[
          {
            header: 'App',
            sort: 'name',
            cell: ({ id, displayName, description }) => (
              <Named label={displayName} to={`/apps/${id}`} about={description} />
            ),
          },
          {
            header: 'Enforcement',
            width: '30%',
            cell: ({ id }) => {
              const found = enforcements.get(id)
              return found ? <AppEnforcementLine {...found} /> : null
            },
          },
          { header: 'Source', sort: 'source', width: '7rem', cell: keptWords },
          {
            header: 'Accounts',
            ...(may('apps.read') && { sort: 'members' }),
            width: '7rem',
            isNumber: true,
            cell: ({ userCount }) => Number(userCount).toLocaleString(),
          },
          {
            header: 'Created',
            sort: 'created',
            width: '9rem',
            cell: ({ createdAt }) => <Moment at={createdAt} show="day" />,
          },
        ]}
        empty={{
          icon: IconApps,
          title: 'No apps yet',
          children: 'Create one here, or import them with their entitlements and accounts from a file.',
          action: make,
        }}
      />
      {isMaking && <AppForm onClose={() => setMaking(false)} onMade={(id) => void navigate({ href: `/apps/${id}` })} />}
    </Page>
  )
}

const inputOf = ({ query, filter, values, orderBy, pageSize, pageToken }: Asked) => ({
  body: {
    query,
    ...(filter('source') && { source: filter('source') as 'APP_SOURCE_MANUAL' }),
    ...(filter('owner') && {
      owner: filter('owner') === 'none' ? ('PRESENCE_NONE' as const) : ('PRESENCE_SOME' as const),
    }),
    ownerIds: values('owned_by'),
    onlyDirectories: filter('directory') !== '',
    orderBy,
    pageSize,
    pageToken,
  },
})

/** Whether changes reach the apps of the page that the list shows: it reads the same. */
function usePageEnforcements(state: Asked) {
  const { data } = useQuery({ ...read(appSearch, inputOf(state)), placeholderData: keepPreviousData })
  return useAppEnforcements(data?.list.map(({ id }) => id) ?? [])
}

const filterBy: readonly FilterBy[] = [
  byOne('source', 'Source', { APP_SOURCE_MANUAL: 'Manual', APP_SOURCE_IMPORT: 'Import' }),
  byOne('owner', 'Owner', { some: 'Has an owner', none: 'No owner' }),
  { name: 'owned_by', label: 'Owned by', kind: 'user' },
  byOne('directory', 'Directory', { only: 'Only directories' }),
]

/** Whether people keep it up to date here, or imports do. */
export const keptWords = ({ isManuallyManaged }: App): string => (isManuallyManaged ? 'Manual' : 'Import')
