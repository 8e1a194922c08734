import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useSession } from '../../client/session.ts'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ConnectorForm } from './connector-form.tsx'
import { connectorAddress } from './connector-list.tsx'
import type { Made } from './create-connector.ts'
import { useConnector } from './reads.ts'
import { RunIt } from './run-it.tsx'
import { Waiting } from './waiting.tsx'

/** Three steps: what it reads, how it is run, and whether it has come. */
export function AddConnector(): ReactNode {
  const { may } = useSession()
  const [made, setMade] = useState<Made | null>(null)
  const above = [{ label: 'Connectors', to: '/connectors' }]
  if (made?.isBuiltIn) return <WaitForApp made={made} above={above} />
  if (made) return <RunAndWait made={made} above={above} />
  return (
    <Page
      above={above}
      about="Choose the app and the connector. For apps that support SCIM, no program is needed. For other apps, you get the command that runs the connector."
    >
      {may('imports.write') && may('apps.read') ? (
        <ConnectorForm onMade={setMade} />
      ) : (
        <EmptyNote title="You cannot add connectors">
          This requires the permission to import records. Ask an administrator.
        </EmptyNote>
      )}
    </Page>
  )
}

/** Of a connector that this server runs there is nothing to run: the first sync is shown. */
function WaitForApp({ made, above }: RunAndWaitProps): ReactNode {
  const { appId, connectorId, displayName } = made
  const { connector, error, retry } = useConnector(appId, connectorId)
  return (
    <Page
      title={displayName}
      above={above}
      about="This server syncs the app now, and then every hour unless you set another schedule."
      actions={
        <Button component={Link} to={connectorAddress({ appId, id: connectorId })} variant="default">
          Go to the connector
        </Button>
      }
    >
      {connector && <Waiting connector={connector} />}
      <ErrorNote error={error} title="The state of the connector could not be loaded" retry={retry} />
    </Page>
  )
}

type RunAndWaitProps = { made: Made; above: readonly { label: string; to: string }[] }

function RunAndWait({ made, above }: RunAndWaitProps): ReactNode {
  const { appId, connectorId, displayName } = made
  const { connector, certificate, error, retry } = useConnector(appId, connectorId)
  return (
    <Page
      title={`Run ${displayName}`}
      above={above}
      about="Run the connector where it can reach the app. It calls this server; the server never calls it."
      actions={
        <Button component={Link} to={connectorAddress({ appId, id: connectorId })} variant="default">
          Go to the connector
        </Button>
      }
    >
      {connector && <Waiting connector={connector} />}
      <ErrorNote error={error} title="The state of the connector could not be loaded" retry={retry} />
      {/* Also where that failed: the secret is in it. */}
      {(connector || error) && (
        <Panel title="Run the connector">
          <RunIt {...made} certificate={certificate} />
        </Panel>
      )}
    </Page>
  )
}
