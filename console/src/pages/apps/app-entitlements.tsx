import { Button } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { appEntitlementSearch, appEntitlementsList, appResourceTypeList } from '#client/api/operations.ts'
import type { AppEntitlement, AppResource } from '#client/api/types.ts'
import { neighbourAt } from '../../client/neighbours.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { byPresence, bySome, type FilterBy } from '../../parts/list-filters.tsx'
import { type Column, unsorted } from '../../parts/table.tsx'
import { nameColumn, propertyColumns, resourceColumn } from '../entitlements/entitlement-columns.tsx'
import { EntitlementForm } from '../entitlements/entitlement-form.tsx'
import { purposeWords } from '../entitlements/purpose-words.ts'
import { useRiskLevels } from '../entitlements/risk-level.tsx'
import { AppPage, useApp } from './app-page.tsx'

type Row = { entitlement: AppEntitlement; resource?: AppResource | undefined }

/** What can be held in an app. */
export function AppEntitlements(): ReactNode {
  const { appId, mayHere } = useApp()
  const { may } = useSession()
  const navigate = useNavigate()
  const filterBy = useFilters(appId)
  const [isMaking, setMaking] = useState(false)
  const make = mayHere('entitlements.write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      Create entitlement
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
      {may('entitlements.own.read') ? (
        <DataList
          {...list}
          operation={appEntitlementSearch}
          kind="entitlements"
          input={({ query, filter, values, orderBy, pageSize, pageToken }) => ({
            body: {
              query,
              appIds: [appId],
              riskLevelIds: values('risk'),
              resourceTypeIds: values('resource_type'),
              purposes: values<AppEntitlement['purpose']>('purpose'),
              ownerIds: values('owned_by'),
              ...(filter('owner') && { owner: filter('owner') as 'PRESENCE_SOME' }),
              ...(filter('rule') && { rule: filter('rule') as 'PRESENCE_SOME' }),
              ...(filter('requestable') && { requestable: filter('requestable') as 'PRESENCE_SOME' }),
              orderBy,
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
          // Who sees only some entitlements may not read what most filters choose from.
          {...(may('entitlements.read') && { filterBy })}
        />
      ) : (
        // Owners of the app alone may not search, and get its list.
        <DataList
          {...list}
          columns={unsorted(entitlementColumns)}
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

const entitlementColumns: readonly Column<Row>[] = [nameColumn, resourceColumn, ...propertyColumns]

function useFilters(appId: string): readonly FilterBy[] {
  const levels = useRiskLevels()
  const { may } = useSession()
  const { data: types } = useQuery({
    ...read(appResourceTypeList, { path: { app_id: appId }, query: { page_size: 100 } }),
    enabled: may('apps.read'),
  })
  return [
    bySome('risk', 'Risk level', Object.fromEntries(levels.map(({ id, value }) => [id, value]))),
    bySome(
      'resource_type',
      'Resource type',
      Object.fromEntries(
        (types?.list ?? []).flatMap(({ appResourceType: type }) => (type ? [[type.id, type.displayName]] : [])),
      ),
    ),
    bySome('purpose', 'Kind', purposeWords),
    byPresence('owner', 'Owner', 'Has an owner', 'No owner'),
    { name: 'owned_by', label: 'Owned by', kind: 'user' },
    byPresence('rule', 'Rule', 'Has a rule', 'No rule'),
    byPresence('requestable', 'Requestable', 'Requestable', 'Not requestable'),
  ]
}
