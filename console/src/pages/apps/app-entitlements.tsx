import { Button } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { appEntitlementSearch, appResourceTypeList } from '#client/api/operations.ts'
import type { AppEntitlement, AppResource } from '#client/api/types.ts'
import { neighbourAt } from '../../client/neighbours.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { type Column, DataList } from '../../parts/data-list.tsx'
import type { FilterBy } from '../../parts/list-filters.tsx'
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
  const filterBy = useFilters(appId)
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
    sort: 'name',
    cell: ({ entitlement: { id, appId, displayName, description } }) => (
      <Named label={displayName} to={`/apps/${appId}/entitlements/${id}`} about={description} />
    ),
  },
  {
    header: 'Resource',
    sort: 'resource',
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
  {
    header: 'Kind',
    sort: 'purpose',
    width: '8rem',
    cell: ({ entitlement }) => purposeWords[entitlement.purpose] ?? '–',
  },
  {
    header: 'Risk',
    sort: 'risk',
    width: '8rem',
    cell: ({ entitlement }) => <RiskLevel id={entitlement.riskLevelValueId} />,
  },
  {
    header: 'Duration',
    sort: 'duration',
    width: '7rem',
    cell: ({ entitlement }) => durationWords(entitlement.durationGrant),
  },
  {
    header: 'Members',
    sort: 'members',
    width: '6.5rem',
    isNumber: true,
    cell: ({ entitlement }) => Number(entitlement.grantCount).toLocaleString(),
  },
]

const someOrNone = (some: string, none: string) =>
  [
    { value: 'PRESENCE_SOME', label: some },
    { value: 'PRESENCE_NONE', label: none },
  ] as const

function useFilters(appId: string): readonly FilterBy[] {
  const levels = useRiskLevels()
  const { may } = useSession()
  const { data: types } = useQuery({
    ...read(appResourceTypeList, { path: { app_id: appId }, query: { page_size: 100 } }),
    enabled: may('apps.read'),
  })
  return [
    {
      name: 'risk',
      label: 'Risk level',
      kind: 'choice',
      choices: levels.map(({ id, value }) => ({ value: id, label: value })),
    },
    {
      name: 'resource_type',
      label: 'Resource type',
      kind: 'choice',
      choices: (types?.list ?? []).flatMap(({ appResourceType: type }) =>
        type ? [{ value: type.id, label: type.displayName }] : [],
      ),
    },
    {
      name: 'purpose',
      label: 'Kind',
      kind: 'choice',
      choices: Object.entries(purposeWords).map(([value, label]) => ({ value, label })),
    },
    { name: 'owner', label: 'Owner', kind: 'choice', isSingle: true, choices: someOrNone('Has an owner', 'No owner') },
    { name: 'owned_by', label: 'Owned by', kind: 'user' },
    { name: 'rule', label: 'Rule', kind: 'choice', isSingle: true, choices: someOrNone('Has a rule', 'No rule') },
    {
      name: 'requestable',
      label: 'Requestable',
      kind: 'choice',
      isSingle: true,
      choices: someOrNone('Requestable', 'Not requestable'),
    },
  ]
}
