import { Button } from '@mantine/core'
import { IconApps, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { appSearch } from '#client/api/operations.ts'
import type { App } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { AppForm } from './app-form.tsx'

/** Every app. */
export function Apps(): ReactNode {
  const { may } = useSession()
  const navigate = useNavigate()
  const [isMaking, setMaking] = useState(false)
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
        input={({ query, pageSize, pageToken }) => ({ body: { query, pageSize, pageToken } })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        search="Search apps"
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

/** Whether people keep it up to date here, or imports do. */
export const keptWords = ({ isManuallyManaged }: App): string => (isManuallyManaged ? 'Manual' : 'Import')
