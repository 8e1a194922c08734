import { Button, Checkbox, Group } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { scimConnectorGet, scimConnectorTestConnection, scimConnectorUpdate } from '#client/api/operations.ts'
import type { ConnectorOverview, ScimConnection } from '#client/api/types.ts'
import { call } from '../../client/call.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { connectorReads } from './changed.ts'
import { ScimFields, TestResult } from './scim-fields.tsx'

type ScimSettingsProps = { connector: ConnectorOverview; mayOperate: boolean }

/** How this server reaches the app, in place of what other connectors authenticate with. */
export function ScimSettings({ connector, mayOperate }: ScimSettingsProps): ReactNode {
  const { may } = useSession()
  const [isChanging, setChanging] = useState(false)
  const path = { app_id: connector.appId, connector_id: connector.id }
  const { data, error, refetch } = useQuery(read(scimConnectorGet, { path }))
  const connection = data?.connection
  const test = useMutation({ mutationFn: () => call(scimConnectorTestConnection, { path }) })
  return (
    <Panel
      title="SCIM app"
      about="This server calls the app directly. You do not need to run a program."
      actions={
        <Group gap="sm">
          {mayOperate && (
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              Test connection
            </Button>
          )}
          {may('imports.write') && connection && (
            <Button variant="default" onClick={() => setChanging(true)}>
              Edit
            </Button>
          )}
        </Group>
      }
    >
      <ErrorNote error={error} title="The settings cannot be shown" retry={() => void refetch()} />
      <ErrorNote error={test.error} title="The test could not be run" />
      <TestResult check={test.data?.check} />
      {connection && (
        <Facts
          facts={[
            ['Base URL', <code key="url">{connection.baseUrl}</code>],
            [
              'Token',
              <span key="token">
                Stored encrypted, set <Moment at={connection.tokenUpdatedAt} />
              </span>,
            ],
            ['When accounts are removed', connection.deletesUsers ? 'Deleted in the app' : 'Disabled in the app'],
            [
              'The app requested to wait until',
              connection.waitUntil && <Moment key="wait" at={connection.waitUntil} show="exact" />,
            ],
          ]}
        />
      )}
      {isChanging && connection && (
        <ChangeScim
          connector={connector}
          connection={connection}
          onClose={() => {
            test.reset()
            setChanging(false)
          }}
        />
      )}
    </Panel>
  )
}

type ChangeScimProps = { connector: ConnectorOverview; connection: ScimConnection; onClose: () => void }

function ChangeScim({ connector, connection, onClose }: ChangeScimProps): ReactNode {
  const [values, setValues] = useState({ baseUrl: connection.baseUrl, token: '' })
  const [deletesUsers, setDeletesUsers] = useState(connection.deletesUsers)
  const update = useChange(scimConnectorUpdate, {
    changes: [scimConnectorGet, ...connectorReads],
    done: 'Saved',
    onDone: onClose,
  })
  const baseUrl = values.baseUrl.trim()
  const isMoved = baseUrl !== connection.baseUrl
  const token = values.token.trim()
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`Edit ${connector.displayName}`}
      verb="Save"
      isIncomplete={baseUrl === '' || (isMoved && token === '')}
      isPending={update.isPending}
      error={update.error}
      fields={['baseUrl', 'token']}
      onSubmit={() =>
        update.mutate({
          path: { app_id: connector.appId, connector_id: connector.id },
          body: { ...(isMoved && { baseUrl }), ...(token !== '' && { token }), deletesUsers },
        })
      }
    >
      <ScimFields
        values={values}
        onChange={setValues}
        error={update.error}
        isTokenRequired={isMoved}
        tokenNote="The token cannot be shown. Leave this empty to keep it. If you change the base URL, enter it again."
      />
      <Checkbox
        label="Delete accounts in the app instead of disabling them"
        description="For accounts of people who are offboarded, if the connector is set to remove them."
        checked={deletesUsers}
        onChange={({ currentTarget: { checked } }) => setDeletesUsers(checked)}
      />
    </FormModal>
  )
}
