import { notifications } from '@mantine/notifications'
import { IconBookmark, IconTrash, IconUserMinus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { driftCount, driftList, driftResolve } from '#client/api/operations.ts'
import type { Drift } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { RowActions } from '../../parts/row-actions.tsx'

type Remedy = Drift['remedies'][number]

const words: Readonly<Partial<Record<Remedy, { label: string; done: string; icon: typeof IconTrash }>>> = {
  DRIFT_REMEDY_KEEP: { label: 'Keep', done: 'Recorded as given by hand', icon: IconBookmark },
  DRIFT_REMEDY_REVOKE: { label: 'Revoke', done: 'Created a task to revoke it', icon: IconUserMinus },
  DRIFT_REMEDY_REMOVE: { label: 'Remove the record', done: 'Removed the record', icon: IconTrash },
}

/** What can be done about a difference, by one click each. None of it changes the app without a task. */
export function Remedies({ of }: { of: Drift }): ReactNode {
  const { appId, appEntitlementId, appUserId } = of
  const resolve = useChange(driftResolve, {
    changes: [driftList, driftCount],
    onDone({ list: [outcome] }, { body: asked }) {
      const { done = '' } = words[asked?.remedy ?? 'DRIFT_REMEDY_UNSPECIFIED'] ?? {}
      notifications.show({
        message: outcome?.error || `${done}: ${of.entitlementDisplayName}`,
        color: outcome?.error ? 'red' : 'teal',
        closeButtonProps: { 'aria-label': 'Close' },
      })
    },
  })
  return (
    <RowActions
      actions={of.remedies.flatMap((remedy) => {
        const { label, icon } = words[remedy] ?? {}
        return label && icon
          ? [
              {
                label,
                name: `${label}: ${of.entitlementDisplayName} of ${of.userDisplayName || of.appUserDisplayName}`,
                icon,
                isDisabled: resolve.isPending,
                onClick: () => resolve.mutate({ body: { remedy, items: [{ appId, appEntitlementId, appUserId }] } }),
              },
            ]
          : []
      })}
    />
  )
}
