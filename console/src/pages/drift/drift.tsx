import { Badge, NativeSelect } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { driftCount, driftList } from '#client/api/operations.ts'
import type { Drift } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { Remedies } from './remedies.tsx'

const kinds = { unexplained: 'DRIFT_KIND_UNEXPLAINED', missing: 'DRIFT_KIND_MISSING' } as const
const kindIn = (text: string) => (Object.hasOwn(kinds, text) ? kinds[text as keyof typeof kinds] : undefined)

/** Where apps differ from the record. */
export function DriftPage(): ReactNode {
  const { may } = useSession()
  const actions: Column<Drift> = {
    header: 'Actions',
    isHidden: true,
    width: '5.5rem',
    cell: (each) => <Remedies of={each} />,
  }
  return (
    <Page
      title="Drift"
      about="Access that an app has and nothing here explains, and access that should be in an app and is not. Compared after every sync of a connector; what the first sync of an app finds is not listed."
    >
      <DataList
        caption="Differences between apps and the record"
        operation={driftList}
        input={({ pageSize, pageToken, filter }) => {
          const kind = kindIn(filter('kind'))
          return {
            query: {
              ...(filter('app') && { app_id: filter('app') }),
              ...(kind && { kind }),
              page_size: pageSize,
              page_token: pageToken,
            },
          }
        }}
        rows={({ list }) => list}
        keyOf={({ appEntitlementId, appUserId }) => `${appEntitlementId} ${appUserId}`}
        filters={<Filters />}
        columns={[
          {
            header: 'Access',
            cell: ({ appId, appDisplayName, appEntitlementId, entitlementDisplayName }) => (
              <Named
                label={entitlementDisplayName}
                to={`/apps/${appId}/entitlements/${appEntitlementId}`}
                about={appDisplayName}
              />
            ),
          },
          {
            header: 'Account',
            cell: ({ appId, appUserId, appUserDisplayName, userDisplayName }) => (
              <Named
                label={appUserDisplayName}
                to={`/apps/${appId}/accounts/${appUserId}`}
                about={userDisplayName || 'Belongs to nobody'}
              />
            ),
          },
          {
            header: 'Difference',
            width: '22%',
            cell: ({ kind, sources }) =>
              kind === kinds.missing ? (
                <>
                  <Badge color="orange">Missing</Badge> Given by {sources.join(', ')}
                </>
              ) : (
                <Badge color="red">Unexplained</Badge>
              ),
          },
          { header: 'Found', width: '13rem', cell: ({ foundAt }) => <Moment at={foundAt} /> },
          ...(may('grants.write') ? [actions] : []),
        ]}
        empty={{
          icon: IconArrowsDiff,
          title: 'No differences',
          children: 'What connectors found in apps is what is recorded here.',
        }}
      />
    </Page>
  )
}

function Filters(): ReactNode {
  const { filter, set } = useListState()
  const { data } = useQuery(read(driftCount, {}))
  return (
    <>
      <NativeSelect
        label="App"
        value={filter('app')}
        onChange={({ currentTarget: { value } }) => set({ app: value })}
        data={[
          { value: '', label: 'All' },
          ...(data?.apps ?? []).map(({ appId, appDisplayName, unexplained, missing }) => ({
            value: appId,
            label: `${appDisplayName} (${unexplained + missing})`,
          })),
        ]}
      />
      <NativeSelect
        label="Difference"
        value={filter('kind')}
        onChange={({ currentTarget: { value } }) => set({ kind: value })}
        data={[
          { value: '', label: 'All' },
          { value: 'unexplained', label: 'Unexplained' },
          { value: 'missing', label: 'Missing' },
        ]}
      />
    </>
  )
}
