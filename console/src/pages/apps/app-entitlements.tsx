import { Button, NativeSelect } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { appEntitlementSearch, appEntitlementsList } from '#client/api/operations.ts'
import type { AppEntitlement, AppResource } from '#client/api/types.ts'
import { neighbourAt } from '../../client/neighbours.ts'
import { useSession } from '../../client/session.ts'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Named } from '../../parts/named.tsx'
import { EntitlementForm } from '../entitlements/entitlement-form.tsx'
import { RiskLevel, useRiskLevels } from '../entitlements/risk-level.tsx'
import { durationWords, purposeWords } from '../entitlements/terms.ts'
import { AppPage, useApp } from './app-page.tsx'

type Row = { entitlement: AppEntitlement; resource?: AppResource | undefined }

/** What can be held in an app. */
export function AppEntitlements(): ReactNode {
  const { appId, mayHere } = useApp()
  const { may } = useSession()
  const navigate = useNavigate()
  const [isMaking, setMaking] = useState(false)
  const make = mayHere('entitlements.write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      New entitlement
    </Button>
  )
  const list = {
    caption: 'Entitlements of the app',
    keyOf: ({ entitlement }: Row) => entitlement.id,
    columns: entitlementColumns,
    empty: {
      icon: IconKey,
      title: 'This app has no entitlements',
      children: 'An entitlement is something that can be granted in an app: a role, a group, or access to a resource.',
      action: make,
    },
  }
  return (
    <AppPage actions={make}>
      {may('entitlements.read') ? (
        <DataList
          {...list}
          operation={appEntitlementSearch}
          input={({ query, filter, pageSize, pageToken }) => ({
            body: {
              query,
              appIds: [appId],
              riskLevelIds: filter('risk') ? [filter('risk')] : [],
              expandMask: { paths: ['appResourceId'] },
              pageSize,
              pageToken,
            },
          })}
          rows={(reply) =>
            reply.list.flatMap(({ appEntitlement: entitlement, appResourcePath }): Row[] =>
              entitlement ? [{ entitlement, resource: neighbourAt(reply, appResourcePath, 'AppResource') }] : [],
            )
          }
          search="Search entitlements"
          filters={<Filters />}
        />
      ) : (
        // The search looks through all apps; who only owns this one has the list of it.
        <DataList
          {...list}
          operation={appEntitlementsList}
          input={({ pageSize, pageToken }) => ({
            path: { app_id: appId },
            query: { page_size: pageSize, page_token: pageToken },
          })}
          rows={(reply) =>
            reply.list.flatMap(({ appEntitlement: entitlement }): Row[] => (entitlement ? [{ entitlement }] : []))
          }
        />
      )}
      {isMaking && (
        <EntitlementForm
          appId={appId}
          onClose={() => setMaking(false)}
          onMade={(id) => void navigate({ href: `/apps/${appId}/entitlements/${id}` })}
        />
      )}
    </AppPage>
  )
}

/** What lists of entitlements show of each. */
export const entitlementColumns: readonly Column<Row>[] = [
  {
    header: 'Entitlement',
    cell: ({ entitlement: { id, appId, displayName, description } }) => (
      <Named label={displayName} to={`/apps/${appId}/entitlements/${id}`} about={description} />
    ),
  },
  {
    header: 'Resource',
    width: '20%',
    cell: ({ entitlement, resource }) =>
      resource ? (
        <Named
          isQuiet
          label={resource.displayName}
          to={`/apps/${resource.appId}/resources/${resource.appResourceTypeId}/${resource.id}`}
        />
      ) : entitlement.appResourceId ? (
        'Unknown'
      ) : (
        'Entire app'
      ),
  },
  { header: 'Kind', width: '8rem', cell: ({ entitlement }) => purposeWords[entitlement.purpose] ?? '–' },
  { header: 'Risk', width: '8rem', cell: ({ entitlement }) => <RiskLevel id={entitlement.riskLevelValueId} /> },
  { header: 'Duration', width: '7rem', cell: ({ entitlement }) => durationWords(entitlement.durationGrant) },
  {
    header: 'Members',
    width: '6.5rem',
    isNumber: true,
    cell: ({ entitlement }) => Number(entitlement.grantCount).toLocaleString(),
  },
]

function Filters(): ReactNode {
  const { filter, set } = useListState()
  const levels = useRiskLevels()
  if (levels.length === 0) return null
  return (
    <NativeSelect
      aria-label="Risk level"
      value={filter('risk')}
      onChange={({ currentTarget: { value } }) => set({ risk: value })}
      data={[{ value: '', label: 'Any risk' }, ...levels.map(({ id, value }) => ({ value: id, label: value }))]}
    />
  )
}
