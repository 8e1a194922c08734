import { useQuery } from '@tanstack/react-query'
import { enforcementGetCoverage } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'

const freshMs = 300_000

/** What share of the access the apps confirm. It is counted for the whole organization, so it is not asked for often. */
export function useCoverage() {
  const { may } = useSession()
  return useQuery({ ...read(enforcementGetCoverage, {}), staleTime: freshMs, enabled: may('apps.read') })
}
