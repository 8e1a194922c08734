import { useQuery, useQueryClient } from '@tanstack/react-query'
import { appEntitlementsListAutomationValues } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { subjectNames } from '../../parts/cel-names.ts'
import type { FindValues } from '../../parts/completion.tsx'
import { profileName } from '../../parts/value-place.ts'
import { type Of, pathOf } from './reads.ts'
import { people } from './words.ts'

const knownMs = 60_000

/** Fields with a fixed set of values, which are not read from the data. */
const fixedValues: Readonly<Record<string, readonly string[]>> = {
  status: ['ENABLED', 'DISABLED'],
  directoryStatus: ['ENABLED', 'DISABLED'],
  type: ['USER_TYPE_HUMAN', 'USER_TYPE_SERVICE', 'USER_TYPE_SYSTEM'],
}

/** What is offered while the expression of a rule is typed: names with those of the profile, and values of the data. */
export function useValues(of: Of): { names: readonly string[]; values: FindValues } {
  const client = useQueryClient()
  const asked = (field: string, query: string, appId: string) => ({
    ...read(appEntitlementsListAutomationValues, {
      path: pathOf(of),
      query: { field, query: query.trim().toLowerCase(), app_id: appId },
    }),
    staleTime: knownMs,
  })
  const keys = useQuery(asked('profile', '', ''))
  return {
    names: [...subjectNames, ...(keys.data?.list ?? []).map(({ value }) => profileName(value))],
    async values({ field, typed, appId }) {
      const fixed = fixedValues[field]
      if (fixed)
        return fixed
          .filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()))
          .map((value) => ({ value, label: value, about: '' }))
      const { list } = await client.query(asked(field, typed, appId))
      return list.map(({ value, label, count }) => ({
        value,
        label: label || value,
        about: count > 0 ? people(count) : value === label ? '' : value,
      }))
    },
  }
}
