import { MultiSelect, Radio, SegmentedControl, Stack, Switch, TagsInput, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { personalClientCreate, personalClientList, personalClientSearch } from '#client/api/operations.ts'
import type { PersonalClientServiceCreateResponse, Role } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { FormModal } from '../../parts/form-modal.tsx'
import { Label } from '../../parts/label.tsx'
import { addressProblem } from './addresses.ts'
import { NewCredential } from './new-credential.tsx'

const lifespans = [
  { value: '2592000s', label: '30 days' },
  { value: '7776000s', label: '90 days' },
  { value: '', label: 'Never' },
]

/** Several may be typed or pasted at once. */
const split = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '')

type CreateCredentialProps = { opened: boolean; onClose: () => void; roles: readonly Role[] }

/** The form, and then what it made. Each opening begins anew. */
export function CreateCredential({ opened, onClose, roles }: CreateCredentialProps): ReactNode {
  const [made, setMade] = useState<PersonalClientServiceCreateResponse | null>(null)
  if (made)
    return (
      <NewCredential
        name={made.client?.displayName ?? ''}
        clientId={made.client?.clientId ?? ''}
        clientSecret={made.clientSecret}
        callsAs="you"
        onClose={() => {
          setMade(null)
          onClose()
        }}
      />
    )
  return opened ? <PersonalForm onClose={onClose} onMade={setMade} roles={roles} /> : null
}

type PersonalFormProps = {
  onClose: () => void
  onMade: (made: PersonalClientServiceCreateResponse) => void
  roles: readonly Role[]
}

function PersonalForm({ onClose, onMade, roles }: PersonalFormProps): ReactNode {
  const create = useChange(personalClientCreate, {
    changes: [personalClientList, personalClientSearch],
    onDone: onMade,
  })
  return (
    <CredentialForm
      onClose={onClose}
      roles={roles}
      lifespans={lifespans}
      cidrsField="allowSourceCidr"
      full="All your permissions, now and in the future."
      some="Permissions in both these roles and your own."
      isPending={create.isPending}
      error={create.error}
      onSubmit={({ displayName, expires, scopedRoles, allowed }) =>
        create.mutate({ body: { displayName, expires, scopedRoles, allowSourceCidr: allowed } })
      }
    />
  )
}

type WantedCredential = {
  displayName: string
  expires: string | null
  allowed: string[]
  scopedRoles: string[]
  requireDpop: boolean
}

type CredentialFormProps = {
  onClose: () => void
  roles: readonly Role[]
  lifespans: { value: string; label: string }[]
  /** What the operation calls the allowed addresses. */
  cidrsField: 'allowSourceCidr' | 'allowSourceCidrs'
  /** What full permissions, and what only some roles mean. */
  full: string
  some: string
  /** It can be said that its tokens are bound to a key. */
  hasDpop?: boolean
  isPending: boolean
  error: Error | null
  onSubmit: (wanted: WantedCredential) => void
}

/** What a credential is to be: of a user, or of a service principal. */
export function CredentialForm({
  onClose,
  roles,
  lifespans: choices,
  cidrsField,
  full,
  some,
  hasDpop = false,
  isPending,
  error,
  onSubmit,
}: CredentialFormProps): ReactNode {
  const [displayName, setDisplayName] = useState('')
  const [expires, setExpires] = useState('7776000s')
  const [addresses, setAddresses] = useState<string[]>([])
  const [typed, setTyped] = useState('')
  const [scope, setScope] = useState<'full' | 'roles'>('full')
  const [scopedRoles, setScopedRoles] = useState<string[]>([])
  const [requireDpop, setRequireDpop] = useState(false)

  const allowed = [...new Set([...addresses, ...split(typed)])]
  const wrong = allowed.map(addressProblem).find(Boolean)
  const isIncomplete = displayName.trim() === '' || Boolean(wrong) || (scope === 'roles' && scopedRoles.length === 0)

  return (
    <FormModal
      opened
      onClose={onClose}
      title="Create an API credential"
      verb="Create credential"
      isIncomplete={isIncomplete}
      isPending={isPending}
      error={error}
      fields={['displayName', cidrsField, 'scopedRoles', 'expires']}
      onSubmit={() =>
        onSubmit({
          displayName: displayName.trim(),
          expires: expires || null,
          allowed,
          scopedRoles: scope === 'full' ? [] : scopedRoles,
          requireDpop,
        })
      }
    >
      <TextInput
        label="Name"
        description="What the credential is used for."
        placeholder="nightly-export"
        required
        maxLength={200}
        data-autofocus
        value={displayName}
        onChange={({ currentTarget: { value } }) => setDisplayName(value)}
        error={problemOf(error, 'displayName')}
      />
      <Label text="Expires">
        {(id) => (
          <SegmentedControl aria-labelledby={id} fullWidth data={choices} value={expires} onChange={setExpires} />
        )}
      </Label>
      <TagsInput
        label="Allowed IPs"
        description="IP addresses and CIDR blocks that it can be used from. If empty, any address."
        placeholder={addresses.length === 0 ? '192.0.2.0/24, 2001:db8::/32' : ''}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        value={addresses}
        onChange={(values) => setAddresses([...new Set(values.flatMap(split))])}
        searchValue={typed}
        onSearchChange={setTyped}
        error={wrong ?? problemOf(error, cidrsField)}
      />
      <Stack gap="xs">
        <Radio.Group
          label="Scope"
          value={scope}
          onChange={(value) => setScope(value)}
          error={problemOf(error, 'scopedRoles')}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="full" label="Full permissions" description={full} />
            <Radio value="roles" label="Only these roles" description={some} />
          </Stack>
        </Radio.Group>
        {scope === 'roles' && (
          <MultiSelect
            aria-label="Roles"
            placeholder={scopedRoles.length === 0 ? 'Choose roles' : ''}
            data={roles.map(({ id, displayName: label }) => ({ value: id, label }))}
            value={scopedRoles}
            onChange={setScopedRoles}
          />
        )}
      </Stack>
      {hasDpop && (
        <Switch
          label="Require DPoP"
          description="Access tokens are bound to a key of the program (RFC 9449), so that a copied token cannot be used. The program must support DPoP."
          checked={requireDpop}
          onChange={({ currentTarget: { checked } }) => setRequireDpop(checked)}
        />
      )}
    </FormModal>
  )
}
