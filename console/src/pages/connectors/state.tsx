import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ConnectorOverview, ConnectorSync } from '#client/api/types.ts'
import { countWords } from '../imports/counts.tsx'

type LiveState = ConnectorOverview['state']
type SyncState = ConnectorSync['state']

const live: Readonly<Record<LiveState, readonly [label: string, color?: string]>> = {
  CONNECTOR_LIVE_STATE_UNSPECIFIED: ['Unknown'],
  CONNECTOR_LIVE_STATE_NEVER_SEEN: ['Never seen', 'gray'],
  CONNECTOR_LIVE_STATE_CONNECTED: ['Connected'],
  CONNECTOR_LIVE_STATE_SILENT: ['Silent', 'orange'],
  CONNECTOR_LIVE_STATE_PAUSED: ['Paused', 'gray'],
}

const syncs: Readonly<Record<SyncState, readonly [label: string, color?: string]>> = {
  CONNECTOR_SYNC_STATE_UNSPECIFIED: ['Unknown'],
  CONNECTOR_SYNC_STATE_QUEUED: ['Waiting for the connector', 'gray'],
  CONNECTOR_SYNC_STATE_RUNNING: ['Running', 'blue'],
  CONNECTOR_SYNC_STATE_IMPORTING: ['Importing', 'blue'],
  CONNECTOR_SYNC_STATE_HELD: ['Held', 'red'],
  CONNECTOR_SYNC_STATE_DONE: ['Done'],
  CONNECTOR_SYNC_STATE_FAILED: ['Failed', 'red'],
  CONNECTOR_SYNC_STATE_CANCELLED: ['Cancelled', 'gray'],
}

/** What is usual is not marked. */
export const Mark = ({
  look: [label, color],
}: {
  look: readonly [label: string, color?: string | undefined]
}): ReactNode =>
  color ? (
    <Badge component="span" color={color}>
      {label}
    </Badge>
  ) : (
    label
  )

/** Whether a connector calls. */
export const LiveBadge = ({ state }: { state: LiveState }): ReactNode => <Mark look={live[state]} />

export const SyncBadge = ({ state }: { state: SyncState }): ReactNode => <Mark look={syncs[state]} />

const underWay: readonly SyncState[] = [
  'CONNECTOR_SYNC_STATE_QUEUED',
  'CONNECTOR_SYNC_STATE_RUNNING',
  'CONNECTOR_SYNC_STATE_IMPORTING',
]
export const isUnderWay = (sync: ConnectorSync | null | undefined): boolean =>
  sync ? underWay.includes(sync.state) : false

/** What came of a sync, in words: what changed, or why nothing did. */
export function outcomeOf(sync: ConnectorSync): string {
  if (sync.state === 'CONNECTOR_SYNC_STATE_DONE') return countWords(sync.counts)
  return sync.heldReason || sync.error
}

/** A sync that is due begins when the connector next calls. */
export const isDue = (nextSyncAt: string | null): boolean => nextSyncAt !== null && Date.parse(nextSyncAt) <= Date.now()
