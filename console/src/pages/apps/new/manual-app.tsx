import { Alert, Button, CloseButton, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { appSearch, appSetupsCreate, appsList } from '#client/api/operations.ts'
import { problemOf } from '../../../client/problem.ts'
import { useChange } from '../../../client/queries.ts'
import { useSession } from '../../../client/session.ts'
import { ChoiceField } from '../../../parts/choice-field.tsx'
import { ErrorNote } from '../../../parts/error-note.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { UserListField } from '../../../parts/user-list-field.tsx'

type Draft = { key: number; displayName: string; memberIds: string[] }
const entitlementsMax = 50
let lastKey = 0
const empty = (): Draft => ({ key: ++lastKey, displayName: '', memberIds: [] })
const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

function created(name: string, owners: number, entitlements: readonly { members: number }[]): string {
  const members = entitlements.reduce((sum, each) => sum + each.members, 0)
  return `Created ${name} with ${counted(owners, 'owner')}, ${counted(entitlements.length, 'entitlement')} and ${counted(members, 'member')}`
}

const toSend = ({ displayName, memberIds }: Draft) => ({ displayName: displayName.trim(), memberIds })

/** An app with its owners, entitlements and members: created at once, or not at all. */
export function ManualApp(): ReactNode {
  const { may } = useSession()
  const navigate = useNavigate()
  const [displayName, setDisplayName] = useState('')
  const [ownerIds, setOwnerIds] = useState<string[]>([])
  const [asks, setAsks] = useState<'owners' | 'nobody'>('owners')
  const [drafts, setDrafts] = useState([empty()])
  const create = useChange(appSetupsCreate, {
    changes: [appSearch, appsList],
    done: ({ entitlements }) => created(displayName.trim(), ownerIds.length, entitlements),
    onDone: ({ appId }) => void navigate({ href: `/apps/${appId}` }),
  })
  const filled = drafts.filter((each) => each.displayName.trim() !== '' || each.memberIds.length > 0)
  const set = (at: number, changed: Partial<Draft>): void =>
    setDrafts(drafts.map((each, place) => (place === at ? { ...each, ...changed } : each)))
  const isIncomplete = displayName.trim() === '' || filled.some((each) => each.displayName.trim() === '')
  return (
    <Panel title="An app, entered here">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isIncomplete || create.isPending) return
          const entitlements = filled.map(toSend)
          create.mutate({
            body: { displayName: displayName.trim(), ownerIds, recordsOnly: asks === 'nobody', entitlements },
          })
        }}
      >
        <Stack>
          <TextInput
            label="Name of the app"
            value={displayName}
            onChange={({ currentTarget: { value } }) => setDisplayName(value)}
            error={problemOf(create.error, 'displayName')}
            maxLength={200}
            required
          />
          {may('owners.write') && (
            <UserListField label="Owners" ids={ownerIds} onChange={setOwnerIds} isReadOnly={false} />
          )}
          <Asks asks={asks} onChange={setAsks} hasOwners={ownerIds.length > 0} />
          {may('entitlements.write') &&
            drafts.map((draft, at) => (
              <EntitlementFields
                key={draft.key}
                draft={draft}
                place={at + 1}
                error={create.error}
                at={filled.indexOf(draft)}
                onChange={(changed) => set(at, changed)}
                onRemove={() => setDrafts(drafts.filter((each) => each !== draft))}
              />
            ))}
          {may('entitlements.write') && drafts.length < entitlementsMax && (
            <div>
              <Button
                variant="default"
                leftSection={<IconPlus size={16} aria-hidden />}
                onClick={() => setDrafts([...drafts, empty()])}
              >
                Add entitlement
              </Button>
            </div>
          )}
          <ErrorNote error={create.error} title="Nothing was created" />
          <Group>
            <Button type="submit" loading={create.isPending} disabled={isIncomplete}>
              Create app
            </Button>
            <Text size="sm" c="dimmed">
              All of it is created, or nothing.
            </Text>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}

type AsksProps = { asks: 'owners' | 'nobody'; onChange: (asks: 'owners' | 'nobody') => void; hasOwners: boolean }

/** What becomes of approved requests: said as it will be. */
const Asks = ({ asks, onChange, hasOwners }: AsksProps): ReactNode => (
  <Stack gap="xs">
    <ChoiceField
      label="When access is approved or revoked"
      value={asks}
      onChange={onChange}
      data={[
        { value: 'owners', label: 'Ask its owners' },
        { value: 'nobody', label: 'Only record it' },
      ]}
    />
    <Text size="sm" c="dimmed">
      {asks === 'owners'
        ? 'Its owners get a task to make the change in the app, and access is granted when they say that it is done.'
        : 'It is recorded here. Nobody is asked to change the app, and Bailiwick does not know whether anybody has.'}
    </Text>
    {asks === 'owners' && !hasOwners && (
      <Alert color="orange" variant="light" title="Nobody can be asked yet">
        Choose an owner: without one, there is nobody for these tasks.
      </Alert>
    )}
  </Stack>
)

type EntitlementFieldsProps = {
  draft: Draft
  place: number
  /** Its place among those that are sent; -1 if it is empty. */
  at: number
  error: unknown
  onChange: (changed: Partial<Draft>) => void
  onRemove: () => void
}

function EntitlementFields({ draft, place, at, error, onChange, onRemove }: EntitlementFieldsProps): ReactNode {
  const { may } = useSession()
  const problem = (field: string): string | undefined =>
    at < 0 ? undefined : problemOf(error, `entitlements[${at}].${field}`)
  return (
    <Fieldset legend={`Entitlement ${place}`}>
      <Stack gap="sm">
        <Group align="flex-end" wrap="nowrap">
          <TextInput
            label="Name"
            placeholder="Editor"
            value={draft.displayName}
            onChange={({ currentTarget: { value } }) => onChange({ displayName: value })}
            error={problem('displayName')}
            maxLength={200}
            flex={1}
          />
          <CloseButton size="lg" aria-label={`Remove entitlement ${place}`} onClick={onRemove} />
        </Group>
        {may('grants.write') && (
          <UserListField
            label="Members"
            ids={draft.memberIds}
            onChange={(memberIds) => onChange({ memberIds })}
            isReadOnly={false}
            error={problem('memberIds')}
          />
        )}
      </Stack>
    </Fieldset>
  )
}
