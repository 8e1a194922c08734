import { Button, Checkbox, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { provisioningGet, provisioningUpdate } from '#client/api/operations.ts'
import type { AppProvisioning, ConnectorOverview } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { Panel } from '../../parts/panel.tsx'
import classes from './provisioning.module.css'

/**
 * Whether access is granted and revoked in the app through this connector, and the data that it gets for accounts that it
 * creates.
 */
export function Provisioning({ connector }: { connector: ConnectorOverview }): ReactNode {
  const { may } = useSession()
  const [isChanging, setChanging] = useState(false)
  const { data, error, refetch } = useQuery(read(provisioningGet, { path: { app_id: connector.appId } }))
  const found = data?.provisioning
  // Only one of an app's connectors provisions.
  const isThis = found?.connectorId === connector.id
  return (
    <Panel
      title="Provisioning"
      actions={
        isThis &&
        (found.isSupported || !found.isEnabled) &&
        may('imports.write') && (
          <Button variant="default" onClick={() => setChanging(true)}>
            Edit provisioning
          </Button>
        )
      }
    >
      <ErrorNote error={error} title="The settings cannot be shown" retry={() => void refetch()} />
      {found && !isThis && (
        <Text size="sm">
          {found.connectorId
            ? `Access to this app is granted and revoked through ${found.connectorName}.`
            : found.reason || 'This connector only reads.'}
        </Text>
      )}
      {found && isThis && <Settings found={found} />}
      {isChanging && found && <Change connector={connector} found={found} onClose={() => setChanging(false)} />}
    </Panel>
  )
}

function Settings({ found }: { found: AppProvisioning }): ReactNode {
  const told = Object.keys(found.accountProfile ?? {})
  const missing = found.requiredAccountFields.filter((field) => !told.includes(field))
  return (
    <Facts
      facts={[
        ['Grant and revoke access', found.isEnabled ? found.reason || 'Through this connector' : 'Off'],
        [
          'Create accounts',
          found.canCreateAccounts ? 'When access is granted to a person without one' : 'Not supported',
        ],
        [
          'Accounts of people who leave',
          found.canDeleteAccounts && (found.deletesAccounts ? 'Deleted in the app' : 'Kept in the app'),
        ],
        ['Account profile', told.length > 0 && told.join(', ')],
        [
          'Required account fields without a value',
          missing.length > 0 &&
            `${missing.join(', ')}. Set them in the account profile, or accounts cannot be created.`,
        ],
      ]}
    />
  )
}

type ChangeProps = { connector: ConnectorOverview; found: AppProvisioning; onClose: () => void }

function Change({ connector, found, onClose }: ChangeProps): ReactNode {
  const [isEnabled, setEnabled] = useState(found.isEnabled)
  const [deletesAccounts, setDeletes] = useState(found.deletesAccounts)
  const [typed, setTyped] = useState(JSON.stringify(found.accountProfile ?? {}, null, 2))
  const profile = objectIn(typed)
  const update = useChange(provisioningUpdate, { changes: [provisioningGet], done: 'Saved', onDone: onClose })
  const required = found.requiredAccountFields
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Edit provisioning"
      verb="Save"
      isIncomplete={profile === null}
      isPending={update.isPending}
      error={update.error}
      fields={['accountProfile']}
      onSubmit={() =>
        update.mutate({
          path: { app_id: connector.appId, connector_id: connector.id },
          body: { isDisabled: !isEnabled, deletesAccounts, accountProfile: profile ?? {} },
        })
      }
    >
      <Checkbox
        label="Grant and revoke access through this connector"
        data-autofocus
        checked={isEnabled}
        onChange={({ currentTarget: { checked } }) => setEnabled(checked)}
      />
      {found.canDeleteAccounts && (
        <Checkbox
          label="Delete accounts of people who leave"
          checked={deletesAccounts}
          onChange={({ currentTarget: { checked } }) => setDeletes(checked)}
        />
      )}
      {found.canCreateAccounts && (
        <Textarea
          label="Account profile"
          description={
            'A JSON object with further fields for accounts that the connector creates. Strings can contain attributes of the person, as in {username}.' +
            (required.length > 0 ? ` Required by this connector: ${required.join(', ')}.` : '')
          }
          autosize
          minRows={4}
          maxRows={16}
          classNames={{ input: classes.json }}
          spellCheck={false}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
          error={problemOf(update.error, 'accountProfile') ?? (profile === null && 'Not a JSON object.')}
        />
      )}
    </FormModal>
  )
}

/** Parses a text as a JSON object; null if it is not one. */
function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
