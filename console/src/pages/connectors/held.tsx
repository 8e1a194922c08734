import { Alert, Button, Group, Text } from '@mantine/core'
import { IconHandStop } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { connectorConfirmSyncValid } from '#client/api/operations.ts'
import type { ConnectorOverview } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { connectorReads } from './changed.ts'

/** A sync that would remove so much that it waits for a person. */
export function Held({ connector }: { connector: ConnectorOverview }): ReactNode {
  const { may } = useSession()
  const [isAsked, setAsked] = useState(false)
  const { lastSync: sync } = connector
  const confirm = useChange(connectorConfirmSyncValid, {
    changes: connectorReads,
    done: 'Confirmed the sync. It is imported now.',
    onDone: () => setAsked(false),
  })
  if (sync?.state !== 'CONNECTOR_SYNC_STATE_HELD') return null
  return (
    <Alert
      color="red"
      variant="light"
      mb="md"
      icon={<IconHandStop size={18} aria-hidden />}
      title="A sync is held, and nothing was changed"
    >
      <Text size="sm">{sync.heldReason || sync.error}</Text>
      <Text size="sm" mt="xs">
        {sync.advice} No other sync begins until you decide.
      </Text>
      {may('imports.write') && (
        <Group mt="sm" gap="sm">
          <Button size="xs" color="red.8" onClick={() => setAsked(true)}>
            Confirm the sync
          </Button>
        </Group>
      )}
      <Confirm
        opened={isAsked}
        onClose={() => {
          confirm.reset()
          setAsked(false)
        }}
        title="Import this sync?"
        verb="Confirm and import"
        isPending={confirm.isPending}
        error={confirm.error}
        onConfirm={() =>
          confirm.mutate({
            path: { app_id: connector.appId, connector_id: connector.id, sync_lifecycle_id: sync.id },
          })
        }
      >
        {sync.heldReason || sync.error} What is removed is also no longer held by anyone.
      </Confirm>
    </Alert>
  )
}
