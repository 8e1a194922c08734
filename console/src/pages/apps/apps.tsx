import { Button, NativeSelect } from '@mantine/core'
import { IconApps, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { appSearch } from '#client/api/operations.ts'
import type { App } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
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
  useOpenedBy('create', () => setMaking(may('apps.write')))
  const make = may('apps.write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      New app
    </Button>
  )
  return (
    <Page title="Apps" about="The apps whose access is managed here." actions={make}>
      <DataList
        caption="Apps"
        operation={appSearch}
        input={({ query, filter, pageSize, pageToken }) => ({
          body: {
            query,
            owner: filter('owner') === 'none' ? ('PRESENCE_NONE' as const) : ('PRESENCE_UNSPECIFIED' as const),
            pageSize,
            pageToken,
          },
        })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        search="Search apps"
        filters={may('apps.read') && <OwnerFilter />}
        columns={[
          {
            header: 'App',
            cell: ({ id, displayName, description }) => (
              <Named label={displayName} to={`/apps/${id}`} about={description} />
            ),
          },
          { header: 'Source', width: '10rem', cell: keptWords },
          {
            header: 'Accounts',
            width: '8rem',
            isNumber: true,
            cell: ({ userCount }) => Number(userCount).toLocaleString(),
          },
          { header: 'Created', width: '9rem', cell: ({ createdAt }) => <Moment at={createdAt} show="day" /> },
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

function OwnerFilter(): ReactNode {
  const { filter, set } = useListState()
  return (
    <NativeSelect
      aria-label="Owner"
      value={filter('owner')}
      onChange={({ currentTarget: { value } }) => set({ owner: value })}
      data={[
        { value: '', label: 'Any owner' },
        { value: 'none', label: 'No owner' },
      ]}
    />
  )
}

/** Whether people keep it up to date here, or imports do. */
export const keptWords = ({ isManuallyManaged }: App): string => (isManuallyManaged ? 'Manual' : 'Import')
