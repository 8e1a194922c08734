import { MultiSelect, Radio, SegmentedControl, Stack, TagsInput, TextInput } from '@mantine/core'
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
  { value: '', label: 'Never expires' },
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
        made={made}
        onClose={() => {
          setMade(null)
          onClose()
        }}
      />
    )
  return opened ? <CredentialForm onClose={onClose} onMade={setMade} roles={roles} /> : null
}

type CredentialFormProps = {
  onClose: () => void
  onMade: (made: PersonalClientServiceCreateResponse) => void
  roles: readonly Role[]
}

function CredentialForm({ onClose, onMade, roles }: CredentialFormProps): ReactNode {
  const [displayName, setDisplayName] = useState('')
  const [expires, setExpires] = useState('7776000s')
  const [addresses, setAddresses] = useState<string[]>([])
  const [typed, setTyped] = useState('')
  const [scope, setScope] = useState<'full' | 'roles'>('full')
  const [scopedRoles, setScopedRoles] = useState<string[]>([])
  const create = useChange(personalClientCreate, {
    changes: [personalClientList, personalClientSearch],
    onDone: onMade,
  })

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
      isPending={create.isPending}
      error={create.error}
      fields={['displayName', 'allowSourceCidr', 'scopedRoles', 'expires']}
      onSubmit={() =>
        create.mutate({
          body: {
            displayName: displayName.trim(),
            expires: expires || null,
            allowSourceCidr: allowed,
            scopedRoles: scope === 'full' ? [] : scopedRoles,
          },
        })
      }
    >
      <TextInput
        label="Name"
        description="What it is for, as others will read it."
        placeholder="nightly-export"
        required
        maxLength={200}
        data-autofocus
        value={displayName}
        onChange={({ currentTarget: { value } }) => setDisplayName(value)}
        error={problemOf(create.error, 'displayName')}
      />
      <Label text="Lifespan">
        {(id) => (
          <SegmentedControl aria-labelledby={id} fullWidth data={lifespans} value={expires} onChange={setExpires} />
        )}
      </Label>
      <TagsInput
        label="Allowed IPs"
        description="Addresses and CIDR blocks that it may be used from. Empty: from anywhere."
        placeholder={addresses.length === 0 ? '192.0.2.0/24, 2001:db8::/32' : ''}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        value={addresses}
        onChange={(values) => setAddresses([...new Set(values.flatMap(split))])}
        searchValue={typed}
        onSearchChange={setTyped}
        error={wrong ?? problemOf(create.error, 'allowSourceCidr')}
      />
      <Stack gap="xs">
        <Radio.Group
          label="Scope"
          value={scope}
          onChange={(value) => setScope(value)}
          error={problemOf(create.error, 'scopedRoles')}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="full" label="Full permissions" description="Everything that you may do, now and later." />
            <Radio value="roles" label="Only these roles" description="What both these roles and yours allow." />
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
    </FormModal>
  )
}
