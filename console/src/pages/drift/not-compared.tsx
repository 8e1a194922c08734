import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { appSearch, connectorOverviewList } from '#client/api/operations.ts'
import { useAppEnforcements } from '../../client/enforcement.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { isNotSynced, type Uncompared, uncomparedWords } from './uncompared.ts'

const atOnceMax = 100

/** What the comparison leaves out, of the first apps and connectors; null until it is known, or for callers who may not read apps. */
function useUncompared(): Uncompared | null {
  const mayRead = useSession().may('apps.read')
  const apps = useQuery({ ...read(appSearch, { body: { pageSize: atOnceMax } }), enabled: mayRead }).data
  const connectors = useQuery({
    ...read(connectorOverviewList, { query: { page_size: atOnceMax } }),
    enabled: mayRead,
  }).data
  const states = useAppEnforcements(apps?.list.map(({ id }) => id) ?? [])
  if (!apps || !connectors || states.size === 0) return null
  const unconnected = [...states.values()].filter(
    ({ state }) => state === 'ENFORCEMENT_STATE_MANUAL' || state === 'ENFORCEMENT_STATE_RECORDS_ONLY',
  )
  return {
    notSynced: connectors.list.filter(isNotSynced).map(({ appId }) => states.get(appId)?.lastSyncedAt ?? null),
    unconnected: { count: unconnected.length, isMore: apps.nextPageToken !== '' },
  }
}

/** What is not compared, in a sentence that leads to what to do about it. */
export function NotCompared({ otherwise = null }: { otherwise?: ReactNode }): ReactNode {
  const uncompared = useUncompared()
  const words = uncompared ? uncomparedWords(uncompared) : ''
  if (words === '') return uncompared && otherwise
  return (
    <>
      {words}{' '}
      <Anchor component={Link} to="/connectors" inherit underline="always" style={{ whiteSpace: 'nowrap' }}>
        Review connectors
      </Anchor>
    </>
  )
}
