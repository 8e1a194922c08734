import { Skeleton, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import type { DirectoryState } from '#client/api/types.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { isOutdated } from '../../parts/plan-groups.tsx'
import { counted } from '../tasks/words.ts'
import { Breaker, disablingWords } from './apply-plan.tsx'
import { useDirectoryPlan } from './planning.ts'

type DeleteDirectoryProps = { directory: DirectoryState; opened: boolean; onClose: () => void }

/** Shows the consequences, and by a plan for how many users, before a directory is deleted. */
export function DeleteDirectory({ directory, opened, onClose }: DeleteDirectoryProps): ReactNode {
  const { appId, displayName, usesScim } = directory
  const navigate = useNavigate()
  const [isAccepted, setAccepted] = useState(false)
  const { plan, error, make, forget, apply } = useDirectoryPlan({
    done: `Deleted ${displayName}`,
    onApplied: () => void navigate({ to: '/directories' }),
  })
  const outdated = isOutdated(apply.error) ? apply.error : null
  useEffect(() => {
    if (opened) make({ appId, delete: true })
    // oxlint-disable-next-line react/exhaustive-deps -- planned once when it is opened, and again when the plan is outdated
  }, [opened, outdated])
  const { changed = 0, disabled = 0 } = plan?.counts ?? {}
  return (
    <Confirm
      opened={opened}
      onClose={() => {
        forget()
        setAccepted(false)
        onClose()
      }}
      title={`Delete ${displayName}?`}
      verb="Delete"
      isReady={plan !== null && (!plan.disablesTooMany || isAccepted)}
      isPending={apply.isPending}
      error={error ?? apply.error}
      onConfirm={() =>
        plan &&
        apply.mutate({
          path: { plan_id: plan.planId },
          body: { fingerprint: plan.fingerprint, disableMany: isAccepted },
        })
      }
    >
      <Stack gap="sm">
        <div>
          {usesScim
            ? 'Requests from the identity provider are refused from now on. The app, its users and its groups are kept.'
            : 'The app, its accounts and their access are kept. Its accounts no longer create, change or disable users.'}
        </div>
        <div>Users keep their attributes, except where another directory has a value.</div>
        {plan ? (
          <div>
            {changed === 0
              ? 'No user changes.'
              : `${counted(changed, 'user')} ${changed === 1 ? 'gets' : 'get'} values from another directory.`}{' '}
            {disabled > 0 && disablingWords(disabled)}
          </div>
        ) : (
          !error && <Skeleton height={20} />
        )}
        {plan?.disablesTooMany && <Breaker count={disabled} isAccepted={isAccepted} onAccept={setAccepted} />}
      </Stack>
    </Confirm>
  )
}
