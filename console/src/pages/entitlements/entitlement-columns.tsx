import type { AppEntitlement, AppResource } from '#client/api/types.ts'
import { durationWords } from '../../parts/durations.ts'
import { Named } from '../../parts/named.tsx'
import type { Column } from '../../parts/table.tsx'
import { purposeWords } from './purpose-words.ts'
import { RiskLevel } from './risk-level.tsx'

type Row = { entitlement: AppEntitlement }

export const nameColumn: Column<Row> = {
  header: 'Entitlement',
  sort: 'name',
  cell: ({ entitlement: { id, appId, displayName, description } }) => (
    <Named label={displayName} to={`/apps/${appId}/entitlements/${id}`} about={description} />
  ),
}

export const resourceColumn: Column<Row & { resource?: AppResource | undefined }> = {
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
}

/** What lists of entitlements show of each, after its name and its place. */
export const propertyColumns: readonly Column<Row>[] = [
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
