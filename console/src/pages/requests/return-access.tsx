import { Text, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import {
  appEntitlementSearchCountGrantsForUserByApp,
  requestCatalogSearchEntitlements,
  taskCreateRevokeTask,
} from '#client/api/operations.ts'
import type { AppEntitlement } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { useEnforcedBy } from '../../client/enforcement.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { FormModal } from '../../parts/form-modal.tsx'
import { taskReads } from '../tasks/reads.ts'
import { seenTask } from '../tasks/seen-task.ts'
import { standing } from '../tasks/words.ts'

export type Returned = {
  entitlement: AppEntitlement
  appName: string
  /** Of whom the caller has several accounts with it: the one that is returned. */
  accountId: string
}

/** What returning it leads to, by what changes the app. */
function reachWords(by: ReturnType<typeof useEnforcedBy>, appName: string): string {
  if (by === 'ENFORCED_BY_CONNECTOR') return `The connector of ${appName} is asked to remove it.`
  if (by === 'ENFORCED_BY_WEBHOOK') return 'A webhook is asked to remove it.'
  if (by === 'ENFORCED_BY_PEOPLE')
    return `People are asked to remove it in ${appName}. You keep it until they say that it is done.`
  if (by === 'ENFORCED_BY_NOBODY')
    return `It is recorded that you no longer have it. Nobody is asked to change ${appName}.`
  return 'It ends once the policy for revocations allows it.'
}

/** Asks to end the caller's own access. */
export function ReturnAccess({ of, onClose }: { of: Returned; onClose: () => void }): ReactNode {
  const { entitlement, appName, accountId } = of
  const [reason, setReason] = useState('')
  const by = useEnforcedBy(entitlement, 'revoke')
  const create = useChange(taskCreateRevokeTask, {
    changes: [...taskReads, requestCatalogSearchEntitlements, appEntitlementSearchCountGrantsForUserByApp],
    done(reply) {
      const seen = seenTask(reply.taskView, reply)
      const word = seen ? standing(seen)[0] : ''
      return word === 'Revoked'
        ? `${entitlement.displayName} was returned`
        : `Task #${seen?.task.numericId ?? ''}: ${word.toLowerCase()}`
    },
    onDone: onClose,
  })
  const open = create.error instanceof ApiError && create.error.reason === 'TASK_EXISTS' ? create.error.metadata : null
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`Return ${entitlement.displayName}?`}
      verb="Return access"
      isPending={create.isPending}
      isIncomplete={open !== null}
      error={open ? null : create.error}
      fields={['description']}
      onSubmit={() =>
        create.mutate({
          body: {
            appId: entitlement.appId,
            appEntitlementId: entitlement.id,
            appUserId: accountId,
            description: reason.trim(),
            expandMask: { paths: ['*'] },
          },
        })
      }
    >
      <Text size="sm">{reachWords(by, appName || 'the app')}</Text>
      {open && (
        <Text size="sm" role="alert">
          Its return was requested already: task #{open['numericId']}.
        </Text>
      )}
      <Textarea
        label="Reason"
        description="Visible to everyone who can see the request."
        data-autofocus
        autosize
        minRows={2}
        maxRows={8}
        maxLength={10_000}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        error={problemOf(create.error, 'description')}
      />
    </FormModal>
  )
}
