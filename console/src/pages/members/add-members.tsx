import { Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { appEntitlementsAddManuallyManagedMembers, appSearch, appsGet, appUserSearch } from '#client/api/operations.ts'
import type { AppEntitlement, User } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { Chosen } from '../../parts/chosen.tsx'
import { durationWords } from '../../parts/durations.ts'
import { ExpiryField, expiryAsked, useExpiry } from '../../parts/expiry-field.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { DirectReach } from '../../parts/reach-items.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'
import { memberReads } from './take-away.tsx'

/** Grants an entitlement manually to users. */
export function AddMembers({ entitlement, onClose }: { entitlement: AppEntitlement; onClose: () => void }): ReactNode {
  const [users, setUsers] = useState<readonly User[]>([])
  const [reason, setReason] = useState('')
  const [expiry, setExpiry] = useExpiry(null)
  const expiresAt = expiryAsked(expiry)
  const membersOf = (number: number): string => (number === 1 ? '1 member' : `${number} members`)
  const count = membersOf(users.length)
  const give = useChange(appEntitlementsAddManuallyManagedMembers, {
    changes: [...memberReads, appUserSearch, appsGet, appSearch],
    // Users who were deleted meanwhile are not added; all others are.
    done: ({ failedUsersErrorMap }, { body }) => {
      const failed = Object.values(failedUsersErrorMap ?? {})
      const added = `Added ${membersOf((body?.userIds?.length ?? 0) - failed.length)}`
      return failed.length === 0 ? added : `${added}. ${failed.join(' ')}`
    },
    onDone: onClose,
  })
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`Add members to ${entitlement.displayName}`}
      verb={users.length === 0 ? 'Add members' : `Add ${count}`}
      isIncomplete={users.length === 0 || expiresAt === undefined}
      isPending={give.isPending}
      error={give.error}
      fields={['expiresAt']}
      onSubmit={() =>
        give.mutate({
          path: { app_id: entitlement.appId, app_entitlement_id: entitlement.id },
          body: { userIds: users.map(({ id }) => id), reason: reason.trim(), ...(expiresAt && { expiresAt }) },
        })
      }
    >
      <UserPicker
        label="Users"
        description="Users without an account in the app get one."
        isAutoFocused
        without={users.map(({ id }) => id)}
        onPick={(user) => setUsers([...users, user])}
      />
      <Chosen
        items={users}
        keyOf={({ id }) => id}
        nameOf={({ displayName, email }) => displayName || email}
        onRemove={({ id: left }) => setUsers(users.filter(({ id }) => id !== left))}
      />
      <ExpiryField
        value={expiry}
        onChange={setExpiry}
        otherwise={entitlement.durationGrant ? `After ${durationWords(entitlement.durationGrant)}` : 'Never'}
        error={problemOf(give.error, 'expiresAt')}
      />
      <ReasonField value={reason} onChange={setReason} />
      <Text size="sm" c="dimmed">
        The access is recorded immediately. <DirectReach of={entitlement} doing="grant" />
      </Text>
    </FormModal>
  )
}
