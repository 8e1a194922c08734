import { type ReactNode, useState } from 'react'
import { appEntitlementsAddAutomationExclusion } from '#client/api/operations.ts'
import type { User } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { Chosen } from '../../parts/chosen.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'
import { afterExclusion, type Of, pathOf } from './reads.ts'
import { people } from './words.ts'

/** Puts users on the exclusion list, as many as are picked. */
export function AddExclusions({ of, onClose }: { of: Of; onClose: () => void }): ReactNode {
  const [users, setUsers] = useState<readonly User[]>([])
  const [reason, setReason] = useState('')
  const add = useChange(appEntitlementsAddAutomationExclusion, {
    changes: afterExclusion,
    done: `Excluded ${people(users.length)}`,
    onDone: onClose,
  })
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Exclude people from the rule"
      verb={users.length === 0 ? 'Exclude' : `Exclude ${people(users.length)}`}
      isIncomplete={users.length === 0}
      isPending={add.isPending}
      error={add.error}
      fields={['userIds']}
      onSubmit={() =>
        add.mutate({ path: pathOf(of), body: { userIds: users.map(({ id }) => id), reason: reason.trim() } })
      }
    >
      <UserPicker
        label="Users"
        description="They keep their current access. The rule no longer grants or revokes access for them."
        isAutoFocused
        without={users.map(({ id }) => id)}
        onPick={(user) => setUsers([...users, user])}
        error={problemOf(add.error, 'userIds')}
      />
      <Chosen
        items={users}
        keyOf={({ id }) => id}
        nameOf={({ displayName, email }) => displayName || email}
        onRemove={(gone) => setUsers(users.filter(({ id }) => id !== gone.id))}
      />
      <ReasonField value={reason} onChange={setReason} error={problemOf(add.error, 'reason')} />
    </FormModal>
  )
}
