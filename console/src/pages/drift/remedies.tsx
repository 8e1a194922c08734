import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { driftCount, driftList, driftResolve, driftRunsUndo } from '#client/api/operations.ts'
import type { Drift } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { RowActions } from '../../parts/row-actions.tsx'
import { remediesInOrder, words } from './words.ts'

/** What can be done about a difference, by one click each, and undone by another. None of it changes the app without a task. */
export function Remedies({ of }: { of: Drift }): ReactNode {
  const { appId, appEntitlementId, appUserId } = of
  const changes = [driftList, driftCount]
  const undo = useChange(driftRunsUndo, { changes, done: 'Undoing the change' })
  const resolve = useChange(driftResolve, {
    changes,
    onDone({ list: [outcome], runId }, { body: asked }) {
      const { done = '' } = (asked?.remedy && words[asked.remedy]) ?? {}
      const id = notifications.show({
        message: outcome?.error || (
          <Group gap="xs" justify="space-between">
            {`${done}: ${of.entitlementDisplayName}`}
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() => {
                notifications.hide(id)
                undo.mutate({ path: { run_id: runId } })
              }}
            >
              Undo
            </Button>
          </Group>
        ),
        color: outcome?.error ? 'red' : 'teal',
        closeButtonProps: { 'aria-label': 'Close' },
      })
    },
  })
  return (
    <RowActions
      actions={remediesInOrder.flatMap((remedy) => {
        const { label, icon } = words[remedy] ?? {}
        return label && icon && of.remedies.includes(remedy)
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
