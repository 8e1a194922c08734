import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconRefresh, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { connectorOverviewGet, connectorRevokeCredential, connectorRotateCredential } from '#client/api/operations.ts'
import type {
  ConnectorCatalogEntry,
  ConnectorCredential,
  ConnectorCredentialSummary,
  ConnectorOverview,
} from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ConfirmChange } from '../../parts/confirm-change.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { actionsColumn } from '../../parts/row-actions.tsx'
import { Table } from '../../parts/table.tsx'
import { RunIt } from './run-it.tsx'

type CredentialsProps = {
  connector: ConnectorOverview
  certificate: string
  entry: ConnectorCatalogEntry | null
}

/** What the connector authenticates with. */
export function Credentials({ connector, certificate, entry }: CredentialsProps): ReactNode {
  const { may } = useSession()
  const [isAsked, setAsked] = useState(false)
  const [made, setMade] = useState<ConnectorCredential | null>(null)
  const [toRevoke, setToRevoke] = useState<ConnectorCredentialSummary | null>(null)
  const { credentials } = connector
  const rotate = useChange(connectorRotateCredential, {
    changes: [connectorOverviewGet],
    onDone({ credential }) {
      setAsked(false)
      setMade(credential)
    },
  })
  return (
    <Panel
      title="Credentials"
      about="The connector authenticates with a credential. Only one is valid at a time."
      actions={
        may('imports.write') && (
          <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => setAsked(true)}>
            {credentials.length > 0 ? 'Rotate credential' : 'Create credential'}
          </Button>
        )
      }
    >
      {credentials.length === 0 ? (
        <Text size="sm">None yet. The connector cannot connect until it has one.</Text>
      ) : (
        <CredentialTable credentials={credentials} onRevoke={may('imports.write') ? setToRevoke : null} />
      )}
      <ConfirmChange
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={`Create a new credential for ${connector.displayName}?`}
        verb="Create credential"
        change={rotate}
        input={{ body: { appId: connector.appId, connectorId: connector.id } }}
      >
        The previous credential is revoked immediately. The connector does not work until it is started with the new
        one.
      </ConfirmChange>
      {made && (
        <Dialog opened onClose={() => setMade(null)} isFirm size="xl" title="New credential">
          <Stack>
            <RunIt
              clientId={made.clientId}
              clientSecret={made.clientSecret}
              command={entry?.command ?? (connector.catalogId || 'baton-connector')}
              entry={entry}
              certificate={certificate}
            />
            <Group justify="flex-end">
              <Button onClick={() => setMade(null)}>I have copied the secret</Button>
            </Group>
          </Stack>
        </Dialog>
      )}
      <RevokeCredential connector={connector} credential={toRevoke} onClose={() => setToRevoke(null)} />
    </Panel>
  )
}

type CredentialTableProps = {
  credentials: readonly ConnectorCredentialSummary[]
  onRevoke: ((credential: ConnectorCredentialSummary) => void) | null
}

const CredentialTable = ({ credentials, onRevoke }: CredentialTableProps): ReactNode => (
  <Table
    caption="Credentials of the connector"
    rows={credentials}
    keyOf={({ id }) => id}
    isPending={false}
    isStale={false}
    columns={[
      { header: 'Client ID', cell: ({ clientId }) => <code>{clientId}</code> },
      {
        header: 'State',
        width: '8rem',
        cell: ({ revokedAt }) => (revokedAt ? <Badge component="span">Revoked</Badge> : 'Valid'),
      },
      { header: 'Created', width: '12rem', cell: ({ createdAt }) => <Moment at={createdAt} /> },
      { header: 'Last used', width: '12rem', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} none="Never" /> },
      ...(onRevoke
        ? [
            actionsColumn<ConnectorCredentialSummary>('3.5rem', (credential) =>
              credential.revokedAt
                ? []
                : [
                    {
                      label: 'Revoke',
                      name: `Revoke ${credential.clientId}`,
                      icon: IconTrash,
                      onClick: () => onRevoke(credential),
                    },
                  ],
            ),
          ]
        : []),
    ]}
  />
)

type RevokeProps = {
  connector: ConnectorOverview
  credential: ConnectorCredentialSummary | null
  onClose: () => void
}

function RevokeCredential({ connector, credential, onClose }: RevokeProps): ReactNode {
  // The words stay while the dialog closes.
  const last = useRef(credential)
  if (credential) last.current = credential
  const revoke = useChange(connectorRevokeCredential, {
    changes: [connectorOverviewGet],
    done: 'Revoked the credential',
    onDone: onClose,
  })
  return (
    <ConfirmChange
      opened={credential !== null}
      onClose={onClose}
      title="Revoke this credential?"
      verb="Revoke"
      change={revoke}
      input={credential && { path: { app_id: connector.appId, connector_id: connector.id, id: credential.id } }}
    >
      Calls with <code>{last.current?.clientId}</code> are refused from now on. The connector stops until it is started
      with a new credential.
    </ConfirmChange>
  )
}
