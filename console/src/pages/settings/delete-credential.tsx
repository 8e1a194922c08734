import { type ReactNode, useRef } from 'react'
import { personalClientDelete, personalClientList, personalClientSearch } from '#client/api/operations.ts'
import type { PersonalClient } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'

type DeleteCredentialProps = { credential: PersonalClient | null; onClose: () => void }

export function DeleteCredential({ credential, onClose }: DeleteCredentialProps): ReactNode {
  // The words stay while the dialog closes.
  const last = useRef(credential)
  if (credential) last.current = credential
  const remove = useChange(personalClientDelete, {
    changes: [personalClientList, personalClientSearch],
    done: `Deleted ${last.current?.displayName ?? ''}`,
    onDone: onClose,
  })
  return (
    <Confirm
      opened={credential !== null}
      onClose={() => {
        remove.reset()
        onClose()
      }}
      title={`Delete ${last.current?.displayName || 'this credential'}?`}
      verb="Delete"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => credential && remove.mutate({ path: { id: credential.id } })}
    >
      Programs that use <code>{last.current?.clientId}</code> lose access immediately. This cannot be undone.
    </Confirm>
  )
}
