import { type ReactNode, useState } from 'react'
import { connectorUpdate } from '#client/api/operations.ts'
import type { ConnectorOverview } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { FormModal } from '../../parts/form-modal.tsx'
import { DescriptionField, NameField } from '../../parts/name-fields.tsx'
import { connectorReads } from './changed.ts'

/** Edits the name and the description of a connector. */
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
      <NameField
        value={displayName}
        onChange={setDisplayName}
        error={problemOf(update.error, 'connector.displayName')}
      />
      <DescriptionField
        value={description}
        onChange={setDescription}
        error={problemOf(update.error, 'connector.description')}
      />
    </FormModal>
  )
}
