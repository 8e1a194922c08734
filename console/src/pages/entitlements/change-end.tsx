import { type ReactNode, useState } from 'react'
import {
  appEntitlementUserBindingRemoveGrantDuration,
  appEntitlementUserBindingUpdateGrantDuration,
} from '#client/api/operations.ts'
import type { AppEntitlementUserView } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { momentOf } from '../../parts/as-of.tsx'
import { ExpiryField, localExpiry } from '../../parts/expiry-field.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { memberName, memberReads } from './take-away.tsx'

/** Says until when a member holds it. */
export function ChangeEnd({ member, onClose }: { member: AppEntitlementUserView; onClose: () => void }): ReactNode {
  const before = member.appEntitlementUserBindingDeprovisionAt
  const [until, setUntil] = useState(before === null ? null : localExpiry(before))
  const done = { changes: memberReads, done: 'Saved', onDone: onClose }
  const update = useChange(appEntitlementUserBindingUpdateGrantDuration, done)
  const remove = useChange(appEntitlementUserBindingRemoveGrantDuration, done)
  const { error, isPending } = until === null ? remove : update
  const path = {
    app_id: member.appId,
    app_entitlement_id: member.appEntitlementId,
    app_user_id: member.appUserId,
  }
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`Edit expiry of ${memberName(member)}`}
      verb="Save"
      isIncomplete={until !== null && momentOf(until) === ''}
      isPending={isPending}
      error={error}
      fields={['newDeprovisionAt']}
      onSubmit={() =>
        until === null ? remove.mutate({ path }) : update.mutate({ path, body: { newDeprovisionAt: momentOf(until) } })
      }
    >
      <ExpiryField without="Never" value={until} onChange={setUntil} error={problemOf(error, 'newDeprovisionAt')} />
    </FormModal>
  )
}
