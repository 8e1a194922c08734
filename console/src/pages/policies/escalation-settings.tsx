import { NativeSelect, Stack, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { DurationField } from '../../parts/duration-field.tsx'
import { UserListField } from '../../parts/user-list-field.tsx'
import type { DraftApproval } from './draft.ts'
import { PolicyField } from './policy-field.tsx'
import classes from './policy-page.module.css'

const escalations = [
  ['reassignToApprovers', 'Ask other people'],
  ['replacePolicy', 'Follow another policy'],
  ['skipStep', 'Skip the step'],
  ['cancelTicket', 'Cancel the request'],
] as const

type EscalationSettingsProps = {
  approval: DraftApproval
  set: (changes: Partial<DraftApproval>) => void
  isReadOnly: boolean
  policyType: string
  problem: (field: string) => string | undefined
}

export function EscalationSettings({
  approval,
  set,
  isReadOnly,
  policyType,
  problem,
}: EscalationSettingsProps): ReactNode {
  const escalation = approval.escalation ?? {}
  const kind = escalations.find(([each]) => escalation[each])?.[0] ?? 'skipStep'
  const change = (changes: object): void => set({ escalation: { ...escalation, ...changes } })
  return (
    <Stack gap="sm" className={classes.inner}>
      <DurationField
        label="After"
        value={`${escalation.expiration ?? '259200'}s`}
        max={`${366 * 86_400}s`}
        description="Starts when they are asked."
        isReadOnly={isReadOnly}
        onChange={(value) => change({ expiration: String(Number.parseInt(value ?? '0', 10)) })}
        error={problem('escalation.expiration')}
      />
      <NativeSelect
        label="Then"
        value={kind}
        disabled={isReadOnly}
        onChange={({ currentTarget: { value } }) =>
          change({ ...Object.fromEntries(escalations.map(([each]) => [each, null])), [value]: {} })
        }
        data={escalations.map(([value, label]) => ({ value, label }))}
        error={problem('escalation')}
      />
      {kind === 'reassignToApprovers' && (
        <UserListField
          label="People"
          ids={escalation.reassignToApprovers?.approverIds ?? []}
          onChange={(approverIds) => change({ reassignToApprovers: { approverIds } })}
          isReadOnly={isReadOnly}
          error={problem('escalation.reassignToApprovers')}
        />
      )}
      {kind === 'replacePolicy' && (
        <PolicyField
          label="Policy"
          policyId={escalation.replacePolicy?.policyId ?? ''}
          policyType={policyType}
          onChange={(policyId) => change({ replacePolicy: { policyId } })}
          isReadOnly={isReadOnly}
          error={problem('escalation.replacePolicy')}
        />
      )}
      <Textarea
        label="Comment on the task"
        autosize
        minRows={1}
        readOnly={isReadOnly}
        value={escalation.escalationComment ?? ''}
        onChange={({ currentTarget }) => change({ escalationComment: currentTarget.value })}
      />
    </Stack>
  )
}
