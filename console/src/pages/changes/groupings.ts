import type { heatMapGet } from '#client/api/operations.ts'
import type { Operation } from '#client/operation.ts'

type InputOf<O> = O extends Operation<infer Input, infer _Reply> ? Input : never
type GroupBy = NonNullable<NonNullable<InputOf<typeof heatMapGet>['query']>['group_by']>

/** How the people of a heat map are grouped: the value in the address, and the field of the request. */
export const groupings = [
  { key: 'department', label: 'Department', groupBy: 'HEAT_MAP_GROUPING_DEPARTMENT' },
  { key: 'job-title', label: 'Job title', groupBy: 'HEAT_MAP_GROUPING_JOB_TITLE' },
  { key: 'manager', label: 'Manager', groupBy: 'HEAT_MAP_GROUPING_MANAGER' },
  { key: 'cost-centre', label: 'Cost centre', groupBy: 'HEAT_MAP_GROUPING_ATTRIBUTE' },
  { key: 'attribute', label: 'Other attribute', groupBy: 'HEAT_MAP_GROUPING_ATTRIBUTE' },
] as const satisfies readonly { key: string; label: string; groupBy: GroupBy }[]

export type Grouping = (typeof groupings)[number] & { attribute: string }

export function groupingOf(filter: (name: string) => string): Grouping {
  const found = groupings.find(({ key }) => key === filter('group_by')) ?? groupings[0]
  const attribute = { 'cost-centre': 'costCentre', attribute: filter('attribute') }[found.key as string] ?? ''
  return { ...found, attribute }
}

/** The group that a list of members is asked about; null where it is asked about all. People without a group are `-`. */
export const groupAsked = (filter: (name: string) => string): { grouping: Grouping; value: string } | null => {
  const group = filter('group')
  return group === '' ? null : { grouping: groupingOf(filter), value: group === '-' ? '' : group }
}
