import { Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { appEntitlementsDeleteAutomation } from '#client/api/operations.ts'
import { useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { afterRule, type Of, pathOf } from './reads.ts'
import { RunNow } from './run-now.tsx'

type RuleActionsProps = {
  of: Of
  /** It is as it was saved, and no run is under way or held. */
  isIdle: boolean
}

/** What can be done with a rule beside changing it. */
export function RuleActions({ of, isIdle }: RuleActionsProps): ReactNode {
  const [isDeleting, setDeleting] = useState(false)
  const [reason, setReason] = useState('')
  const remove = useChange(appEntitlementsDeleteAutomation, {
    changes: afterRule,
    done: 'Deleted the rule',
    onDone: () => setDeleting(false),
  })
  return (
    <>
      <RunNow of={of} isDisabled={!isIdle} />
      <RowActions
        actions={[{ label: 'Delete rule', name: 'Delete the rule', icon: IconTrash, onClick: () => setDeleting(true) }]}
      />
      <Confirm
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        title="Delete the rule?"
        verb="Delete rule"
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ path: pathOf(of), body: { reason: reason.trim() } })}
      >
        <Stack gap="sm">
          <div>
            Nobody loses access: everyone who was granted the entitlement by the rule keeps it until it is removed. The
            exclusion list is kept, too. You can restore the rule from its versions.
          </div>
          <ReasonField value={reason} onChange={setReason} />
        </Stack>
      </Confirm>
    </>
  )
}
