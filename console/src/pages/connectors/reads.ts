import { useQuery } from '@tanstack/react-query'
import { connectorOverviewGet } from '#client/api/operations.ts'
import type { ConnectorOverview } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { isUnderWay } from './state.tsx'

const soonMs = 3000
const usualMs = 20_000

/** Often while a change is expected, otherwise as often as a connector calls; not at all while the page is hidden. */
export const againMs = (connector: ConnectorOverview | null | undefined): number =>
  connector && (connector.state === 'CONNECTOR_LIVE_STATE_NEVER_SEEN' || isUnderWay(connector.lastSync))
    ? soonMs
    : usualMs

/** A connector, read again while it is shown. */
export function useConnector(appId: string, connectorId: string) {
  const { data, error, refetch } = useQuery({
    ...read(connectorOverviewGet, { path: { app_id: appId, connector_id: connectorId } }),
    enabled: connectorId !== '',
    refetchInterval: ({ state }) => (state.error ? usualMs : againMs(state.data?.connector)),
  })
  return {
    connector: data?.connector ?? undefined,
    certificate: data?.selfSignedCertificate ?? '',
    error,
    retry: () => void refetch(),
  }
}
