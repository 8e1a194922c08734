import { Stack } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import {
  appEntitlementSearchAppEntitlementsWithExpired,
  appEntitlementSearchGrants,
  appEntitlementsGet,
  appEntitlementsListUsers,
  appEntitlementsRemoveEntitlementMembership,
  appEntitlementUserBindingSearchGrantFeed,
} from '#client/api/operations.ts'
import type { AppEntitlementUserView } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { DirectReach } from '../../parts/reach-items.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { accountName } from '../accounts/account-columns.tsx'

/** The operations that answer who holds what. */
export const memberReads = [
  appEntitlementsListUsers,
  appEntitlementSearchGrants,
  appEntitlementSearchAppEntitlementsWithExpired,
  appEntitlementUserBindingSearchGrantFeed,
  appEntitlementsGet,
]

export const memberName = ({ appUser, appUserId }: AppEntitlementUserView): string =>
  appUser?.appUser ? accountName(appUser.appUser) : appUserId

type TakeAwayProps = { member: AppEntitlementUserView | null; onClose: () => void }

/** Asks, then takes the entitlement from a member. */
export function TakeAway({ member, onClose }: TakeAwayProps): ReactNode {
  // The words stay while the dialog closes.
  const last = useRef(member)
  if (member) last.current = member
  const shown = last.current
  const [reason, setReason] = useState('')
  const close = (): void => {
    setReason('')
    onClose()
  }
  const name = shown ? memberName(shown) : ''
  const isByRule = shown?.grantReasons.some(({ derivedIdType }) => derivedIdType === 'rule') ?? false
  const isByImport = shown?.grantReasons.some(({ derivedIdType }) => derivedIdType === 'import') ?? false
  const take = useChange(appEntitlementsRemoveEntitlementMembership, {
    changes: memberReads,
    done: `Removed ${name}`,
    onDone: close,
  })
  return (
    <Confirm
      opened={member !== null}
      onClose={() => {
        take.reset()
        close()
      }}
      title={`Remove ${name}?`}
      verb="Remove"
      isPending={take.isPending}
      error={take.error}
      onConfirm={() =>
        member &&
        take.mutate({
          path: { app_id: member.appId, app_entitlement_id: member.appEntitlementId },
          body: { appUserId: member.appUserId, reason: reason.trim() },
        })
      }
    >
      <Stack gap="sm">
        <div>
          The grant ends immediately, regardless of its source.{' '}
          {shown && <DirectReach of={{ appId: shown.appId, id: shown.appEntitlementId }} doing="revoke" />}
          {isByRule && ' The rule grants it again on its next run unless they are excluded.'}
          {isByImport && ' An import that still lists it grants it again.'} The history is kept.
        </div>
        <ReasonField value={reason} onChange={setReason} />
      </Stack>
    </Confirm>
  )
}
