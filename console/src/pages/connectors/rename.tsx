import { Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { connectorUpdate } from '#client/api/operations.ts'
import type { ConnectorOverview } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { FormModal } from '../../parts/form-modal.tsx'
import { connectorReads } from './changed.ts'

/** How a connector is called, and what is said of it. */
export function RenameConnector({
  connector,
  onClose,
}: {
  connector: ConnectorOverview
  onClose: () => void
}): ReactNode {
  const [displayName, setDisplayName] = useState(connector.displayName)
  const [description, setDescription] = useState(connector.description)
  const update = useChange(connectorUpdate, { changes: connectorReads, done: 'Saved', onDone: onClose })
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`Edit ${connector.displayName}`}
      verb="Save"
      isIncomplete={displayName.trim() === ''}
      isPending={update.isPending}
      error={update.error}
      fields={['connector.displayName', 'connector.description']}
      onSubmit={() =>
        update.mutate({
          path: { app_id: connector.appId, id: connector.id },
          body: {
            connector: { displayName: displayName.trim(), description: description.trim() },
            updateMask: 'displayName,description',
          },
        })
      }
    >
      <TextInput
        label="Name"
        required
        maxLength={200}
        data-autofocus
        value={displayName}
        onChange={({ currentTarget: { value } }) => setDisplayName(value)}
        error={problemOf(update.error, 'connector.displayName')}
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={10_000}
        value={description}
        onChange={({ currentTarget: { value } }) => setDescription(value)}
        error={problemOf(update.error, 'connector.description')}
      />
    </FormModal>
  )
}
