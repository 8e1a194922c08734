import { Checkbox } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { scimDirectoriesCreate } from '#client/api/operations.ts'
import type { ScimDirectoriesCreateResponse } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { NameField } from '../../parts/name-fields.tsx'
import { NewToken } from './new-token.tsx'
import { directoryReads } from './reads.ts'

export const lifespans = [
  { value: '7776000s', label: '90 days' },
  { value: '31536000s', label: '1 year' },
  { value: '', label: 'Never expires' },
]

type AddDirectoryProps = { opened: boolean; onClose: () => void }

/** The form, and then the values for the identity provider. It is empty again each time it opens. */
export function AddDirectory({ opened, onClose }: AddDirectoryProps): ReactNode {
  const [made, setMade] = useState<ScimDirectoriesCreateResponse | null>(null)
  if (made)
    return (
      <NewToken
        title={`Added ${made.directory?.displayName ?? ''}`}
        baseUrl={made.directory?.baseUrl ?? ''}
        token={made.token}
        onClose={() => {
          setMade(null)
          onClose()
        }}
      />
    )
  return opened ? <DirectoryForm onClose={onClose} onMade={setMade} /> : null
}

type DirectoryFormProps = { onClose: () => void; onMade: (made: ScimDirectoriesCreateResponse) => void }

function DirectoryForm({ onClose, onMade }: DirectoryFormProps): ReactNode {
  const [displayName, setDisplayName] = useState('')
  const [isLinking, setLinking] = useState(true)
  const [expires, setExpires] = useState('31536000s')
  const create = useChange(scimDirectoriesCreate, { changes: directoryReads, onDone: onMade })
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Add a directory"
      verb="Add directory"
      isIncomplete={displayName.trim() === ''}
      isPending={create.isPending}
      error={create.error}
      fields={['displayName', 'expires']}
      onSubmit={() =>
        create.mutate({
          body: { displayName: displayName.trim(), doNotLinkExistingUsers: !isLinking, expires: expires || null },
        })
      }
    >
      <NameField
        description="An app with this name is created. Its accounts are the users of the directory, and its entitlements are the groups."
        placeholder="Okta"
        value={displayName}
        onChange={setDisplayName}
        error={problemOf(create.error, 'displayName')}
      />
      <Checkbox
        label="Link existing users"
        description="Users are matched by email address. The directory then controls their name, addresses, department and status."
        checked={isLinking}
        onChange={({ currentTarget: { checked } }) => setLinking(checked)}
      />
      <ChoiceField label="Token expires after" fullWidth data={lifespans} value={expires} onChange={setExpires} />
    </FormModal>
  )
}
