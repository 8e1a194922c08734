import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  connectorCatalogGetProgram,
  connectorProgramGet,
  connectorProgramGetLog,
  connectorProgramUpdate,
} from '#client/api/operations.ts'
import type { ConnectorOverview, ConnectorRun } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { connectorReads } from './changed.ts'
import { isLacking, ProgramFields, type ProgramValues, sentSettings } from './program-fields.tsx'

const shownIn = ({ settings }: ConnectorRun): Record<string, string> =>
  Object.fromEntries(settings.filter(({ isSecret }) => !isSecret).map(({ name, value }) => [name, value]))

type ChangeProgramProps = { connector: ConnectorOverview; run: ConnectorRun; onClose: () => void }

/** Changes what a program is run with. Its secrets have to be entered again, unless no setting changes. */
export function ChangeProgram({ connector, run, onClose }: ChangeProgramProps): ReactNode {
  const { data, error } = useQuery(read(connectorCatalogGetProgram, { path: { program: run.program } }))
  const entry = data?.entry
  const [values, setValues] = useState<ProgramValues>({
    group: null,
    settings: shownIn(run),
    isProvisioning: run.isProvisioning,
  })
  const update = useChange(connectorProgramUpdate, {
    changes: [connectorProgramGet, connectorProgramGetLog, ...connectorReads],
    done: 'Saved. The program is started again.',
    onDone: onClose,
  })
  const sent = entry ? sentSettings(entry, values) : []
  const before = Object.entries(shownIn(run)).map(([name, value]) => ({ name, value }))
  const byName = (list: typeof sent): string => JSON.stringify(list.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
  const keepsSettings = byName(sent) === byName(before)
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`Edit ${connector.displayName}`}
      verb="Save"
      isIncomplete={!entry || (!keepsSettings && isLacking(entry, values))}
      isPending={update.isPending}
      error={update.error}
      fields={[]}
      onSubmit={() =>
        update.mutate({
          path: { app_id: connector.appId, connector_id: connector.id },
          body: { keepsSettings, settings: keepsSettings ? [] : sent, isProvisioning: values.isProvisioning },
        })
      }
    >
      <ErrorNote error={error} title="The settings of the program cannot be shown" />
      <Text size="sm">If you change a setting, enter the secrets again: those that are stored are replaced.</Text>
      {entry && <ProgramFields entry={entry} values={values} onChange={setValues} />}
    </FormModal>
  )
}
