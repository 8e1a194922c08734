import { useQuery } from '@tanstack/react-query'
import { unanswerableList } from '#client/api/operations.ts'
import { read } from './queries.ts'

/** As far as the API counts. */
const countMax = 1000

const words = (count: number): string => (count === 0 ? '' : `${count.toLocaleString()}${count >= countMax ? '+' : ''}`)

/** How many requestable entitlements have a step that nobody can decide, in words; empty where there is none. */
export function useNoApprover(againMs: number): string {
  const { data } = useQuery({
    ...read(unanswerableList, { query: { page_size: 10 } }),
    staleTime: againMs,
    refetchInterval: againMs,
  })
  return words(data?.total ?? 0)
}
