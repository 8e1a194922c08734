import { may } from '#authority/may.ts'
import type { Place } from '#authority/sight/index.ts'
import type { Call } from '#kernel/routes.ts'
import { described, int64, listOf, message, nested, text } from '#kernel/wire.ts'
import { findAppsUncounted } from '../../app/store.ts'
import { findResourceTypes } from '../../resource-types/store.ts'
import type { EntitlementFilter } from './conditions.ts'
import { countFacets, type FacetParam, facetedMax, findValueNames } from './store.ts'

const FacetValue = message('search.v1.FacetValue', {
  value: text(),
  displayName: text(),
  iconUrl: text(),
  count: int64(),
})
const FacetRange = message('search.v1.FacetRange', {
  from: int64(),
  to: int64(),
  displayName: text(),
  iconUrl: text(),
  count: int64(),
})
const FacetCategory = message('search.v1.FacetCategory', {
  param: described(text(), 'The filter of the request that takes these values.'),
  displayName: text(),
  iconUrl: text(),
  value: nested(message('search.v1.FacetValueItem', { values: listOf(FacetValue) })),
  range: described(
    nested(message('search.v1.FacetRangeItem', { ranges: listOf(FacetRange) })),
    'Always null: no filter is a range.',
  ),
})
export const Facets = message(
  'search.v1.Facets',
  {
    count: described(int64(), `How many were found; ${facetedMax} means that many or more.`),
    facets: listOf(FacetCategory),
  },
  `Values by which the results can be narrowed, with how many of the first ${facetedMax} results have each: the most frequent 50 of each filter.`,
)

const titles: Readonly<Record<FacetParam, string>> = {
  appIds: 'App',
  resourceTypeIds: 'Resource type',
  riskLevelIds: 'Risk level',
  complianceFrameworkIds: 'Compliance framework',
  purposes: 'Purpose',
}
const purposeNames: { readonly [purpose: string]: string } = {
  APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT: 'Assignment',
  APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION: 'Permission',
  APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP: 'Ownership',
}

/** The values by which a search can be narrowed, as far as the caller sees its results. */
export async function presentFacets(call: Call, filter: EntitlementFilter, places: readonly Place[] | null) {
  const { db, tenant, actor } = call
  const rows = await countFacets(db, tenant.id, filter, places)
  const idsOf = (...params: FacetParam[]): string[] =>
    rows.filter(({ param }) => params.some((each) => each === param)).map(({ value }) => value)
  const [apps, types, values] = await Promise.all([
    findAppsUncounted(db, tenant.id, idsOf('appIds')),
    findResourceTypes(db, tenant.id, idsOf('resourceTypeIds')),
    may(actor, 'attributes.read') ? findValueNames(db, tenant.id, idsOf('riskLevelIds', 'complianceFrameworkIds')) : [],
  ])
  const names = new Map([
    ...[...apps, ...types].map(({ id, displayName }) => [id, displayName] as const),
    ...values.map(({ id, name }) => [id, name] as const),
  ])
  const nameOf = (value: string): string => purposeNames[value] ?? names.get(value) ?? value
  return {
    count: rows.find(({ param }) => param === 'all')?.count ?? 0,
    facets: (Object.keys(titles) as FacetParam[]).map((param) => ({
      param,
      displayName: titles[param],
      iconUrl: '',
      value: {
        values: rows
          .filter((row) => row.param === param)
          .map(({ value, count }) => ({ value, count, displayName: nameOf(value), iconUrl: '' })),
      },
      range: null,
    })),
  }
}
