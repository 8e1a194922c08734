import { MultiSelect, Radio, Stack, Switch, TagsInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Role } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { NameField } from '../../parts/name-fields.tsx'
import { addressProblem } from './addresses.ts'

/** Several may be typed or pasted at once. */
const split = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '')

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
  /** The form has a field for binding its tokens to a key. */
  hasDpop?: boolean
  isPending: boolean
  error: Error | null
  onSubmit: (wanted: WantedCredential) => void
}

/** The settings of a new credential, of a user or of a service principal. */
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
  const { allowed, wrong, ...addresses } = useAddresses()
  const [scopedRoles, setScopedRoles] = useState<readonly string[] | null>(null)
  const [requireDpop, setRequireDpop] = useState(false)

  const isIncomplete = displayName.trim() === '' || Boolean(wrong) || scopedRoles?.length === 0

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
          scopedRoles: [...(scopedRoles ?? [])],
          requireDpop,
        })
      }
    >
      <NameField
        description="What the credential is used for."
        placeholder="nightly-export"
        value={displayName}
        onChange={setDisplayName}
        error={problemOf(error, 'displayName')}
      />
      <ChoiceField label="Expires" fullWidth data={choices} value={expires} onChange={setExpires} />
      <AddressesField {...addresses} error={wrong ?? problemOf(error, cidrsField)} />
      <ScopeField
        roles={roles}
        chosen={scopedRoles}
        onChange={setScopedRoles}
        full={full}
        some={some}
        error={problemOf(error, 'scopedRoles')}
      />
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

type ScopeFieldProps = {
  roles: readonly Role[]
  /** Null for all permissions. */
  chosen: readonly string[] | null
  onChange: (chosen: readonly string[] | null) => void
  full: string
  some: string
  error: string | undefined
}

function ScopeField({ roles, chosen, onChange, full, some, error }: ScopeFieldProps): ReactNode {
  // Those that were chosen are there again after a look at the other choice.
  const [last, setLast] = useState<readonly string[]>([])
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Scope"
        value={chosen ? 'roles' : 'full'}
        onChange={(value) => onChange(value === 'roles' ? last : null)}
        error={error}
      >
        <Stack gap="xs" mt={6}>
          <Radio value="full" label="Full permissions" description={full} />
          <Radio value="roles" label="Only these roles" description={some} />
        </Stack>
      </Radio.Group>
      {chosen && (
        <MultiSelect
          aria-label="Roles"
          placeholder={chosen.length === 0 ? 'Choose roles' : ''}
          data={roles.map(({ id, displayName: label }) => ({ value: id, label }))}
          value={[...chosen]}
          onChange={(ids) => {
            setLast(ids)
            onChange(ids)
          }}
        />
      )}
    </Stack>
  )
}

function useAddresses() {
  const [addresses, onChange] = useState<string[]>([])
  const [typed, onType] = useState('')
  const allowed = [...new Set([...addresses, ...split(typed)])]
  return { addresses, onChange, typed, onType, allowed, wrong: allowed.map(addressProblem).find(Boolean) }
}

type AddressesFieldProps = Omit<ReturnType<typeof useAddresses>, 'allowed' | 'wrong'> & { error: string | undefined }

const AddressesField = ({ addresses, onChange, typed, onType, error }: AddressesFieldProps): ReactNode => (
  <TagsInput
    label="Allowed IPs"
    description="IP addresses and CIDR blocks that it can be used from. If empty, any address."
    placeholder={addresses.length === 0 ? '192.0.2.0/24, 2001:db8::/32' : ''}
    splitChars={[',', ' ']}
    acceptValueOnBlur
    value={addresses}
    onChange={(values) => onChange([...new Set(values.flatMap(split))])}
    searchValue={typed}
    onSearchChange={onType}
    error={error}
  />
)
