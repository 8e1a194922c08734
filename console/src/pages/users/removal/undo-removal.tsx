import { Button, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { accessRemovalsUndo } from '#client/api/operations.ts'
import type { AccessRemoval, User } from '#client/api/types.ts'
import { useChange } from '../../../client/queries.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { removalReads } from './removal-reads.ts'

type UndoRemovalProps = { removal: AccessRemoval; user: User; onDone?: () => void }

/** Grants again what a removal ended, as far as that is still possible; asks first. */
export function UndoRemoval({ removal, user, onDone }: UndoRemovalProps): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const undo = useChange(accessRemovalsUndo, {
    changes: removalReads,
    done: (reply) => `Restored ${(reply.removal?.restoredCount ?? 0).toLocaleString()} grants`,
    onDone: () => {
      setAsking(false)
      onDone?.()
    },
  })
  if (user.status !== 'ENABLED')
    return (
      <Text size="sm" c="dimmed">
        To undo this, enable the person first.
      </Text>
    )
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
        Undo
      </Button>
      <Confirm
        opened={isAsking}
        onClose={() => {
          undo.reset()
          setAsking(false)
        }}
        title="Restore this access?"
        verb="Restore"
        isPending={undo.isPending}
        error={undo.error}
        onConfirm={() => undo.mutate({ path: { user_id: removal.userId, removal_id: removal.id } })}
      >
        Grants that were removed are restored, unless they have expired or were granted again. Rules from which the
        person was excluded apply again. Tasks that are still open are cancelled.
      </Confirm>
    </>
  )
}
