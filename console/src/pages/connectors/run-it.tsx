import { Alert, Anchor, Checkbox, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { ConnectorCatalogEntry, ConnectorSetting } from '#client/api/types.ts'
import { CopyText } from '../../parts/copy.tsx'
import { Label } from '../../parts/label.tsx'
import { Table } from '../../parts/table.tsx'
import { commandOf, type System, type Way } from './commands.ts'

type RunItProps = {
  clientId: string
  clientSecret: string
  /** The connector's program. */
  command: string
  /** What the catalog knows of it; null for one that is not in it. */
  entry: ConnectorCatalogEntry | null
  certificate: string
}

const systems = [
  { value: 'linux', label: 'Linux' },
  { value: 'macos', label: 'macOS' },
  { value: 'windows', label: 'Windows' },
]
const ways = [
  { value: 'program', label: 'Program' },
  { value: 'docker', label: 'Docker' },
]

/** The settings of one way to sign in to the app, and those that belong to none. */
function settingsFor({ settings, groups }: ConnectorCatalogEntry, group: string): ConnectorSetting[] {
  const others = new Set(groups.filter(({ name }) => name !== group).flatMap((each) => each.settings))
  const own = new Set(groups.find(({ name }) => name === group)?.settings)
  return settings.filter(({ name }) => own.has(name) || !others.has(name))
}

const named = (names: readonly string[]): string => new Intl.ListFormat('en').format(names)

/** The credential, the one time that it is shown, and the command that runs the connector with it. */
export function RunIt({ clientId, clientSecret, command, entry, certificate }: RunItProps): ReactNode {
  const [system, setSystem] = useState<System>('linux')
  const [way, setWay] = useState<Way>('program')
  const mayProvision = entry ? entry.provisions.length > 0 : true
  const [isProvisioning, setProvisioning] = useState(false)
  const groups = entry?.groups ?? []
  const [group, setGroup] = useState(groups.find(({ isDefault }) => isDefault)?.name ?? groups[0]?.name ?? '')
  const settings = entry ? settingsFor(entry, group) : []
  const required = settings.filter(({ isRequired }) => isRequired)
  const run = { system, way, clientId, clientSecret, command, certificate, settings, isProvisioning }
  return (
    <Stack>
      <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />} title="Copy the secret now">
        It is shown once and is not stored. Anyone who has it can send data for this app. If it is lost, rotate the
        credential on the connector page.
      </Alert>
      {location.protocol !== 'https:' && <NeedsHttps />}
      <Label text="Client ID">{() => <CopyText value={clientId} label="client ID" />}</Label>
      <Label text="Client secret">{() => <CopyText value={clientSecret} label="client secret" />}</Label>
      <div>
        <Group justify="space-between" mb={6}>
          <Text size="sm" fw={500}>
            {system === 'windows' ? 'Run in PowerShell' : 'Run in a shell'}
          </Text>
          <Group gap="xs">
            <SegmentedControl
              size="xs"
              aria-label="Operating system"
              data={systems}
              value={system}
              onChange={(value) => setSystem(value as System)}
            />
            <SegmentedControl
              size="xs"
              aria-label="Run as"
              data={ways}
              value={way}
              onChange={(value) => setWay(value as Way)}
            />
          </Group>
        </Group>
        <CopyText value={commandOf({ ...run, host: location.host })} label="command" isBlock />
      </div>
      <Stack gap={4}>
        <Where command={command} entry={entry} way={way} />
        {required.length > 0 && (
          <Text size="sm">
            Replace the value{required.length > 1 && 's'} of{' '}
            <strong>{named(required.map(({ environment }) => environment))}</strong> with your own.
          </Text>
        )}
        {certificate && (
          <Text size="sm">
            {system === 'linux' || way === 'docker'
              ? 'The certificate of this server is self-signed. SSL_CERT_FILE makes the connector trust it.'
              : 'The certificate of this server is self-signed. The command adds it to the certificates that you trust.'}
          </Text>
        )}
      </Stack>
      {groups.length > 1 && (
        <NativeSelect
          label="How the connector signs in to the app"
          data={groups.map(({ name, displayName }) => ({ value: name, label: displayName }))}
          value={group}
          onChange={({ currentTarget: { value } }) => setGroup(value)}
        />
      )}
      {mayProvision && (
        <Checkbox
          label="Allow the connector to change the app"
          description="Adds BATON_PROVISIONING to the command. Without it the connector only reads."
          checked={isProvisioning}
          onChange={({ currentTarget: { checked } }) => setProvisioning(checked)}
        />
      )}
      <Settings command={command} settings={settings} />
    </Stack>
  )
}

const NeedsHttps = (): ReactNode => (
  <Alert color="red" icon={<IconAlertTriangle size={18} aria-hidden />} title="Connectors need HTTPS">
    This server was opened without it. Start the server with <code>--tls-self-signed</code>, or with{' '}
    <code>--tls-cert</code> and <code>--tls-key</code>.
  </Alert>
)

function Where({ command, entry, way }: { command: string; entry: ConnectorCatalogEntry | null; way: Way }): ReactNode {
  if (way === 'docker')
    return <Text size="sm">Docker downloads the image. Settings are passed as environment variables.</Text>
  return (
    <Text size="sm">
      Download{' '}
      {entry?.repository ? (
        <Anchor
          size="sm"
          underline="always"
          href={`https://github.com/${entry.repository}/releases`}
          target="_blank"
          rel="noreferrer"
        >
          {command}
        </Anchor>
      ) : (
        <code>{command}</code>
      )}{' '}
      into the folder where you run this.
    </Text>
  )
}

function Settings({ command, settings }: { command: string; settings: readonly ConnectorSetting[] }): ReactNode {
  const others = settings.filter(({ isRequired }) => !isRequired)
  if (others.length === 0)
    return settings.length > 0 ? null : (
      <Text size="sm">
        Run <code>{command} --help</code> to see the settings of the connector. Each flag can be set by an environment
        variable: <code>--some-flag</code> is <code>BATON_SOME_FLAG</code>.
      </Text>
    )
  return (
    <details>
      <summary>Other settings</summary>
      <Table
        caption="Other settings of the connector"
        rows={others}
        keyOf={({ name }) => name}
        isPending={false}
        isStale={false}
        columns={[
          { header: 'Variable', width: '40%', cell: ({ environment }) => <code>{environment}</code> },
          { header: 'Description', cell: ({ description }) => description },
        ]}
      />
    </details>
  )
}
