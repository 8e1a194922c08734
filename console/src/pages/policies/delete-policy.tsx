import type { ReactNode } from 'react'
import { policiesDelete, policiesGet, policiesList, policySearch } from '#client/api/operations.ts'
import type { Policy } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'

export const policyReads = [policySearch, policiesList, policiesGet]

type DeletePolicyProps = { policy: Policy; onClose: () => void; onDeleted?: () => void }

/** Deletes a policy; shows what other than entitlements uses it. */
export function DeletePolicy({ policy, onClose, onDeleted }: DeletePolicyProps): ReactNode {
  const remove = useChange(policiesDelete, {
    changes: onDeleted ? [policySearch, policiesList] : policyReads,
    done: `Deleted ${policy.displayName}`,
    onDone() {
      onClose()
      onDeleted?.()
    },
  })
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Delete ${policy.displayName}?`}
      verb="Delete policy"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ path: { id: policy.id } })}
    >
      Open requests keep the steps that they started with. Entitlements that use this policy will use the policy of
      their app. A policy that an app, a routing rule or another policy uses cannot be deleted.
    </Confirm>
  )
}
