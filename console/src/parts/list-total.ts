import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { read } from '../client/queries.ts'
import { countOf, filtersIn, type ListKind } from './list-kinds.ts'

const knownMs = 30_000

/**
 * `1,234` or `200,000+`; empty while it is not known. Requested once the list itself is loaded, so that nothing waits for
 * it.
 */
export function useTotal(kind: ListKind | undefined, input: unknown, isListed: boolean): string {
  const { body, ...rest } = filtersIn(input)
  const { orderBy: _, sortBy: __, ...filters } = body
  const { data } = useQuery({
    ...read(countOf(kind ?? 'users'), { ...rest, body: filters }),
    placeholderData: keepPreviousData,
    staleTime: knownMs,
    enabled: kind !== undefined && isListed,
  })
  if (kind === undefined || !data) return ''
  return `${data.count.toLocaleString()}${data.isMore ? '+' : ''}`
}
