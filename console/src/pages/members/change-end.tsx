import type { ReactNode } from 'react'
import {
  appEntitlementUserBindingRemoveGrantDuration,
  appEntitlementUserBindingUpdateGrantDuration,
} from '#client/api/operations.ts'
import type { AppEntitlementUserView } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { ExpiryField, expiryAsked, useExpiry } from '../../parts/expiry-field.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { memberName, memberReads } from './take-away.tsx'

/** Sets until when a member holds it. */
export function ChangeEnd({ member, onClose }: { member: AppEntitlementUserView; onClose: () => void }): ReactNode {
  const [expiry, setExpiry] = useExpiry(member.appEntitlementUserBindingDeprovisionAt)
  const asked = expiryAsked(expiry)
  const done = { changes: memberReads, done: 'Saved', onDone: onClose }
  const update = useChange(appEntitlementUserBindingUpdateGrantDuration, done)
  const remove = useChange(appEntitlementUserBindingRemoveGrantDuration, done)
  const { error, isPending } = expiry.isSet ? update : remove
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
      isIncomplete={asked === undefined}
      isPending={isPending}
      error={error}
      fields={['newDeprovisionAt']}
      onSubmit={() => (asked ? update.mutate({ path, body: { newDeprovisionAt: asked } }) : remove.mutate({ path }))}
    >
      <ExpiryField value={expiry} onChange={setExpiry} error={problemOf(error, 'newDeprovisionAt')} />
    </FormModal>
  )
}
