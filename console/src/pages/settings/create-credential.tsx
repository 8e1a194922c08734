import { type ReactNode, useState } from 'react'
import { personalClientCreate, personalClientList, personalClientSearch } from '#client/api/operations.ts'
import type { PersonalClientServiceCreateResponse, Role } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { CredentialForm } from './credential-form.tsx'
import { NewCredential } from './new-credential.tsx'

const lifespans = [
  { value: '2592000s', label: '30 days' },
  { value: '7776000s', label: '90 days' },
  { value: '', label: 'Never' },
]

type CreateCredentialProps = { opened: boolean; onClose: () => void; roles: readonly Role[] }

/** The form, and then the credential that it created. It is empty again each time it opens. */
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
