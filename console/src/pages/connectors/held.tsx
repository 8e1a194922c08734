import { Button, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { connectorConfirmSyncValid } from '#client/api/operations.ts'
import type { ConnectorOverview } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ConfirmChange } from '../../parts/confirm-change.tsx'
import { HeldNote } from '../../parts/held-note.tsx'
import { connectorReads } from './changed.ts'

/** A sync that would remove so much that it waits for a person. */
export function Held({ connector }: { connector: ConnectorOverview }): ReactNode {
  const { may } = useSession()
  const [isAsked, setAsked] = useState(false)
  const { lastSync: sync } = connector
  const confirm = useChange(connectorConfirmSyncValid, {
    changes: connectorReads,
    done: 'Sync confirmed. It is being imported.',
    onDone: () => setAsked(false),
  })
  if (sync?.state !== 'CONNECTOR_SYNC_STATE_HELD') return null
  return (
    <HeldNote
      title="A sync is held. Nothing was changed"
      actions={
        may('imports.write') && (
          <Button size="xs" color="red.8" onClick={() => setAsked(true)}>
            Confirm the sync
          </Button>
        )
      }
    >
      <Text size="sm">{sync.heldReason || sync.error}</Text>
      <Text size="sm" mt="xs">
        {sync.advice} No other sync starts until you decide.
      </Text>
      <ConfirmChange
        opened={isAsked}
        onClose={() => setAsked(false)}
        title="Import this sync?"
        verb="Confirm and import"
        change={confirm}
        input={{ path: { app_id: connector.appId, connector_id: connector.id, sync_lifecycle_id: sync.id } }}
      >
        {sync.heldReason || sync.error} All access to the removed records is removed, too.
      </ConfirmChange>
    </HeldNote>
  )
}
