import { Button, Group, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import {
  appSearch,
  appsCreate,
  appsGet,
  appsList,
  connectorCatalogList,
  connectorCreateDelegated,
  connectorOverviewList,
  connectorOverviewListOfApp,
  connectorRotateCredential,
  scimConnectorCreate,
} from '#client/api/operations.ts'
import type { App, ConnectorCatalogEntry } from '#client/api/types.ts'
import { call } from '../../client/call.ts'
import { problemOf } from '../../client/problem.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { AppPicker } from '../../parts/app-picker.tsx'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Label } from '../../parts/label.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { connectorAddress } from './connector-list.tsx'
import { useConnector } from './reads.ts'
import { RunIt } from './run-it.tsx'
import { ScimFields, type ScimValues } from './scim-fields.tsx'
import { Waiting } from './waiting.tsx'

/** In place of an id of the catalog. */
const other = 'other'
const scim = 'scim'

type Made = {
  appId: string
  connectorId: string
  displayName: string
  clientId: string
  clientSecret: string
  command: string
  entry: ConnectorCatalogEntry | null
  /** Whether this server runs it. */
  isBuiltIn: boolean
}

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

function ConnectorForm({ onMade }: { onMade: (made: Made) => void }): ReactNode {
  const { may } = useSession()
  const client = useQueryClient()
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const given = useQuery({
    ...read(appsGet, { path: { id: search['app'] ?? '' } }),
    enabled: Boolean(search['app']),
  }).data?.app
  const [isNewApp, setNewApp] = useState(false)
  const [picked, setPicked] = useState<App | null>(null)
  const [appName, setAppName] = useState('')
  const catalog = useQuery(read(connectorCatalogList, { query: { page_size: 100 } }))
  const entries = catalog.data?.list ?? []
  const [catalogId, setCatalogId] = useState<string | null>(null)
  const [program, setProgram] = useState('baton-')
  const [typedName, setTypedName] = useState<string | null>(null)
  const [access, setAccess] = useState<ScimValues>({ baseUrl: '', token: '' })

  const app = picked ?? given ?? null
  const entry = entries.find(({ id }) => id === catalogId) ?? null
  const command = entry ? entry.command : program.trim()
  const isCommand = /^[\w.-]+$/.test(command) && command !== 'baton-'
  const isScim = catalogId === scim
  const suggested = isScim ? 'SCIM' : catalogId === other && isCommand ? command : ''
  const displayName = typedName ?? entry?.displayName ?? suggested
  const isRunnable = isScim ? access.baseUrl.trim() !== '' && access.token.trim() !== '' : isCommand
  const isIncomplete =
    (isNewApp ? appName.trim() === '' : app === null) || catalogId === null || !isRunnable || displayName.trim() === ''

  // What was created before something failed is not created again.
  const so = useRef<{ appId?: string; appName?: string; connectorId?: string; of?: string }>({})
  const create = useMutation({
    async mutationFn(): Promise<Made> {
      const { current: done } = so
      const name = appName.trim()
      if (isNewApp && (!done.appId || done.appName !== name)) {
        const { app: created } = await call(appsCreate, { body: { displayName: name } })
        done.appId = created?.id ?? ''
        done.appName = name
      }
      const appId = (isNewApp ? done.appId : app?.id) ?? ''
      const label = displayName.trim()
      if (isScim) {
        const body = { displayName: label, baseUrl: access.baseUrl.trim(), token: access.token.trim() }
        const { connectorView } = await call(scimConnectorCreate, { path: { app_id: appId }, body })
        const connectorId = connectorView?.connector?.id ?? ''
        const none = { clientId: '', clientSecret: '', command: '', entry: null }
        return { ...none, appId, connectorId, displayName: label, isBuiltIn: true }
      }
      const wanted = { displayName: label, catalogId: entry?.id ?? '' }
      const of = JSON.stringify([appId, wanted])
      if (!done.connectorId || done.of !== of) {
        const { connectorView } = await call(connectorCreateDelegated, { path: { app_id: appId }, body: wanted })
        done.connectorId = connectorView?.connector?.id ?? ''
        done.of = of
      }
      const { connectorId } = done
      const { credential } = await call(connectorRotateCredential, { body: { appId, connectorId } })
      const { clientId = '', clientSecret = '' } = credential ?? {}
      return {
        appId,
        connectorId,
        displayName: wanted.displayName,
        clientId,
        clientSecret,
        command,
        entry,
        isBuiltIn: false,
      }
    },
    async onSuccess(made) {
      onMade(made)
      const changed = [appSearch, appsList, connectorOverviewList, connectorOverviewListOfApp]
      await Promise.all(changed.map(({ id }) => client.invalidateQueries({ queryKey: [id] })))
    },
  })

  return (
    <Panel>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isIncomplete && !create.isPending) create.mutate()
        }}
      >
        <Stack maw="40rem">
          {may('apps.write') && (
            <Label text="App">
              {(id) => (
                <SegmentedControl
                  aria-labelledby={id}
                  data={[
                    { value: 'existing', label: 'An existing app' },
                    { value: 'new', label: 'A new app' },
                  ]}
                  value={isNewApp ? 'new' : 'existing'}
                  onChange={(value) => setNewApp(value === 'new')}
                />
              )}
            </Label>
          )}
          {isNewApp ? (
            <TextInput
              label="Name of the app"
              required
              maxLength={200}
              value={appName}
              onChange={({ currentTarget: { value } }) => setAppName(value)}
            />
          ) : (
            <AppPicker
              isRequired
              chosen={app}
              onPick={setPicked}
              description="Records of this app that were imported before and are not in the app are removed."
            />
          )}
          <Select
            label="Connector"
            required
            searchable
            placeholder="Type the name of a connector"
            description={
              isScim
                ? 'This server reads users and groups, adds and removes members, and creates and disables users.'
                : entry && `Reads ${new Intl.ListFormat('en').format(entry.reads)}.`
            }
            error={catalog.error?.message}
            nothingFoundMessage="No results. Choose “Other Baton connector”."
            data={[
              { value: scim, label: 'SCIM 2.0 app (no program needed)' },
              ...entries.map(({ id, displayName: label }) => ({ value: id, label })),
              { value: other, label: 'Other Baton connector' },
            ]}
            value={catalogId}
            onChange={setCatalogId}
            maxDropdownHeight={280}
          />
          {catalogId === other && (
            <TextInput
              label="Program"
              description="The name of the connector's program."
              placeholder="baton-example"
              required
              maxLength={100}
              value={program}
              onChange={({ currentTarget: { value } }) => setProgram(value)}
              error={
                program.trim() && !/^[\w.-]+$/.test(program.trim()) ? 'Letters, digits, dots and dashes only.' : null
              }
            />
          )}
          {isScim && (
            <ScimFields
              values={access}
              onChange={setAccess}
              error={create.error}
              tokenNote="A bearer token that the app issues for SCIM. It is stored encrypted and never shown again."
            />
          )}
          <TextInput
            label="Name"
            description="The name shown in this console."
            required
            maxLength={200}
            value={displayName}
            onChange={({ currentTarget: { value } }) => setTypedName(value)}
            error={problemOf(create.error, 'displayName')}
          />
          <ErrorNote
            error={create.error}
            title="The connector was not added"
            shownElsewhere={['displayName', 'baseUrl', 'token']}
          />
          <Group justify="flex-end">
            <Button component={Link} to="/connectors" variant="default">
              Cancel
            </Button>
            <Button type="submit" disabled={isIncomplete} loading={create.isPending}>
              Add connector
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
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
