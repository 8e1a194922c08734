import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { appsGet, connectorCatalogList } from '#client/api/operations.ts'
import type { App, ConnectorCatalogEntry } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { AppPicker } from '../../parts/app-picker.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'
import { type Made, useCreateConnector, type WantedConnector } from './create-connector.ts'
import { ScimFields, type ScimValues } from './scim-fields.tsx'

/** In place of an id of the catalog. */
const other = 'other'
const scim = 'scim'

const commandRule = /^[\w.-]+$/

/** The choices and texts, the props of their fields, and what is created from them. */
function useConnectorDraft() {
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
  const isCommand = commandRule.test(command) && command !== 'baton-'
  const isScim = catalogId === scim
  const suggested = isScim ? 'SCIM' : catalogId === other && isCommand ? command : ''
  const displayName = typedName ?? entry?.displayName ?? suggested
  const isRunnable = isScim ? access.baseUrl.trim() !== '' && access.token.trim() !== '' : isCommand
  const isIncomplete =
    (isNewApp ? appName.trim() === '' : app === null) || catalogId === null || !isRunnable || displayName.trim() === ''

  const wanted: WantedConnector = {
    app: isNewApp ? { newName: appName.trim() } : { id: app?.id ?? '' },
    displayName: displayName.trim(),
    access: isScim ? access : null,
    entry,
    command,
  }
  return {
    app: { isNew: isNewApp, onNew: setNewApp, name: appName, onName: setAppName, app, onPick: setPicked },
    kind: { entries, chosen: catalogId, onChange: setCatalogId, error: catalog.error?.message },
    program: catalogId === other ? { value: program, onChange: setProgram } : null,
    access: isScim ? { values: access, onChange: setAccess } : null,
    name: { value: displayName, onChange: setTypedName },
    wanted,
    isIncomplete,
  }
}

export function ConnectorForm({ onMade }: { onMade: (made: Made) => void }): ReactNode {
  const { app, kind, program, name, access, wanted, isIncomplete } = useConnectorDraft()
  const create = useCreateConnector(wanted, onMade)
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
          <AppField {...app} />
          <CatalogField {...kind} />
          {program && <ProgramField {...program} />}
          {access && (
            <ScimFields
              {...access}
              error={create.error}
              tokenNote="A bearer token that the app issues for SCIM. It is stored encrypted and never shown again."
            />
          )}
          <TextInput
            label="Name"
            description="The name shown in this console."
            required
            maxLength={200}
            value={name.value}
            onChange={({ currentTarget: { value } }) => name.onChange(value)}
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

type AppFieldProps = {
  isNew: boolean
  onNew: (isNew: boolean) => void
  name: string
  onName: (name: string) => void
  app: App | null
  onPick: (app: App) => void
}

/** The app that the connector reads: one that there is, or a new one. */
function AppField({ isNew, onNew, name, onName, app, onPick }: AppFieldProps): ReactNode {
  const { may } = useSession()
  return (
    <>
      {may('apps.write') && (
        <ChoiceField
          label="App"
          data={[
            { value: 'existing', label: 'An existing app' },
            { value: 'new', label: 'A new app' },
          ]}
          value={isNew ? 'new' : 'existing'}
          onChange={(value) => onNew(value === 'new')}
        />
      )}
      {isNew ? (
        <TextInput
          label="Name of the app"
          required
          maxLength={200}
          value={name}
          onChange={({ currentTarget: { value } }) => onName(value)}
        />
      ) : (
        <AppPicker
          isRequired
          chosen={app}
          onPick={onPick}
          description="Records of this app that were imported before and are not in the app are removed."
        />
      )}
    </>
  )
}

type CatalogFieldProps = {
  entries: readonly ConnectorCatalogEntry[]
  chosen: string | null
  onChange: (id: string | null) => void
  error: string | undefined
}

function CatalogField({ entries, chosen, onChange, error }: CatalogFieldProps): ReactNode {
  const entry = entries.find(({ id }) => id === chosen)
  return (
    <Select
      label="Connector"
      required
      searchable
      placeholder="Type the name of a connector"
      description={
        chosen === scim
          ? 'This server reads users and groups, adds and removes members, and creates and disables users.'
          : entry && `Reads ${new Intl.ListFormat('en').format(entry.reads)}.`
      }
      error={error}
      nothingFoundMessage="No results. Choose “Other Baton connector”."
      data={[
        { value: scim, label: 'SCIM 2.0 app (no program needed)' },
        ...entries.map(({ id, displayName: label }) => ({ value: id, label })),
        { value: other, label: 'Other Baton connector' },
      ]}
      value={chosen}
      onChange={onChange}
      maxDropdownHeight={280}
    />
  )
}

const ProgramField = ({ value, onChange }: { value: string; onChange: (program: string) => void }): ReactNode => (
  <TextInput
    label="Program"
    description="The name of the connector's program."
    placeholder="baton-example"
    required
    maxLength={100}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    error={value.trim() && !commandRule.test(value.trim()) ? 'Letters, digits, dots and dashes only.' : null}
  />
)
