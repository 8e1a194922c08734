import type { ReactNode } from 'react'
import { useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import type { Owned } from './kinds.ts'
import type { Row } from './owner-rows.tsx'
import { ownerReads } from './owners-form.tsx'

type RemoveOwnerProps<Path> = {
  owned: Owned<Path>
  row: Row
  /** They are the only one in their role. */
  isLast: boolean
  onClose: () => void
}

/** Asks, then lets someone be an owner no longer. */
export function RemoveOwner<Path>({ owned, row, isLast, onClose }: RemoveOwnerProps<Path>): ReactNode {
  const { operations, path } = owned
  const after = { changes: ownerReads(operations), done: `Removed ${row.name}`, onDone: onClose }
  const removeUser = useChange(operations.removeUser, after)
  const removeEntitlement = useChange(operations.removeEntitlement, after)
  const { isPending, error } = 'user' in row ? removeUser : removeEntitlement
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Remove ${row.name} from ${row.slug}?`}
      verb="Remove"
      isPending={isPending}
      error={error}
      onConfirm={() => {
        if ('user' in row)
          removeUser.mutate({ path: { ...path, role_slug: row.slug, user_ref_id: row.user.user?.id ?? '' } })
        else
          removeEntitlement.mutate({
            path: {
              ...path,
              role_slug: row.slug,
              app_entitlement_ref_app_id: row.entitlement.appEntitlement?.appId ?? '',
              app_entitlement_ref_id: row.entitlement.appEntitlement?.id ?? '',
            },
          })
      }}
    >
      {isLast ? 'The role will have no owners.' : 'They lose their permissions as owners immediately.'} The history is
      kept.
    </Confirm>
  )
}
