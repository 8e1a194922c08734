import { useQuery } from '@tanstack/react-query'
import { workloadFederationListProviders } from '#client/api/operations.ts'
import type { WorkloadFederationProvider } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'

/** Null until they are read. */
export const useProviders = (): readonly WorkloadFederationProvider[] | null =>
  useQuery(read(workloadFederationListProviders, { query: { page_size: 100 } })).data?.list ?? null

export const trustAddress = (principalId: string, clientId: string): string =>
  `/principals/${principalId}/trusts/${encodeURIComponent(clientId)}`
