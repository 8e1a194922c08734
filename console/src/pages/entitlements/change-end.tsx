import { SegmentedControl, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import {
  appEntitlementUserBindingRemoveGrantDuration,
  appEntitlementUserBindingUpdateGrantDuration,
} from '#client/api/operations.ts'
import type { AppEntitlementUserView } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { localOf, momentOf } from '../../parts/as-of.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { Label } from '../../parts/label.tsx'
import { memberName, memberReads } from './take-away.tsx'

const dayMs = 86_400_000
const daysAhead = 30

/** Says until when a member holds it. */
export function ChangeEnd({ member, onClose }: { member: AppEntitlementUserView; onClose: () => void }): ReactNode {
  const before = member.appEntitlementUserBindingDeprovisionAt
  const [isForGood, setForGood] = useState(before === null)
  const [until, setUntil] = useState(localOf(before ? new Date(before) : new Date(Date.now() + daysAhead * dayMs)))
  const done = { changes: memberReads, done: 'Saved', onDone: onClose }
  const update = useChange(appEntitlementUserBindingUpdateGrantDuration, done)
  const remove = useChange(appEntitlementUserBindingRemoveGrantDuration, done)
  const { error, isPending } = isForGood ? remove : update
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
      isIncomplete={!isForGood && momentOf(until) === ''}
      isPending={isPending}
      error={error}
      fields={['newDeprovisionAt']}
      onSubmit={() =>
        isForGood ? remove.mutate({ path }) : update.mutate({ path, body: { newDeprovisionAt: momentOf(until) } })
      }
    >
      <Label text="Expires">
        {(id) => (
          <SegmentedControl
            aria-labelledby={id}
            fullWidth
            value={isForGood ? 'good' : 'time'}
            onChange={(value) => setForGood(value === 'good')}
            data={[
              { value: 'good', label: 'Never' },
              { value: 'time', label: 'At a set time' },
            ]}
          />
        )}
      </Label>
      {!isForGood && (
        <TextInput
          label="Expires at"
          type="datetime-local"
          required
          value={until}
          onChange={({ currentTarget: { value } }) => setUntil(value)}
          error={problemOf(error, 'newDeprovisionAt')}
        />
      )}
    </FormModal>
  )
}
