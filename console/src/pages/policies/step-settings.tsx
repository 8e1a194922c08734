import { Checkbox, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Field } from '#client/api/types.ts'
import { DurationField } from '../../parts/duration-field.tsx'
import { zoneHere } from '../../parts/moment.tsx'
import { followName } from '../../parts/question-kinds.ts'
import { QuestionsEditor } from '../../parts/questions-editor.tsx'
import { fieldsOfForm } from '../tasks/task-form.ts'
import { ApprovalSettings } from './approval-settings.tsx'
import { CelField } from './cel-field.tsx'
import type { DraftStep } from './draft.ts'
import { ProvisionFields } from './provision-fields.tsx'

type StepSettingsProps = {
  step: DraftStep
  onChange: (step: DraftStep) => void
  isReadOnly: boolean
  policyType: string
  problem: (field: string) => string | undefined
}

/** What can be said about a step, by its kind. */
export function StepSettings({ step, onChange, isReadOnly, policyType, problem }: StepSettingsProps): ReactNode {
  const of = (kind: string) => (field: string) => problem(`${kind}.${field}`)
  if (step.approval)
    return (
      <ApprovalSettings
        approval={step.approval}
        onChange={(approval) => onChange({ approval })}
        isReadOnly={isReadOnly}
        policyType={policyType}
        problem={of('approval')}
      />
    )
  if (step.accept || step.reject)
    return (
      <TextInput
        label="Message"
        description="Visible to everyone who can see the task."
        readOnly={isReadOnly}
        value={step.accept?.acceptMessage ?? step.reject?.rejectMessage ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange(step.accept ? { accept: { acceptMessage: value } } : { reject: { rejectMessage: value } })
        }
      />
    )
  if (step.provision)
    return (
      <ProvisionFields
        policy={step.provision.provisionPolicy ?? null}
        onChange={(provisionPolicy) => onChange({ provision: provisionPolicy ? { provisionPolicy } : {} })}
        label="How access is provisioned"
        standard="As set for the entitlement"
        isReadOnly={isReadOnly}
        problem={(field) => problem(`provision.provisionPolicy.${field}`)}
      />
    )
  if (step.wait)
    return (
      <WaitSettings
        step={step}
        onChange={onChange}
        isReadOnly={isReadOnly}
        policyType={policyType}
        problem={of('wait')}
      />
    )
  return (
    <QuestionsEditor
      fields={fieldsOfForm(step.form?.form ?? null)}
      onChange={(fields: readonly Field[], renamed) => {
        const form = { ...step.form?.form, fields: [...fields] }
        onChange({ form: { ...step.form, form: renamed ? followName(form, renamed.from, renamed.to) : form } })
      }}
      isReadOnly={isReadOnly}
    />
  )
}

const month = `${31 * 86_400}s`

function WaitSettings({ step, onChange, isReadOnly, problem }: StepSettingsProps): ReactNode {
  const wait = step.wait ?? {}
  const set = (changes: object): void => onChange({ wait: { ...wait, ...changes } })
  const kind = wait.condition ? 'condition' : wait.untilTime ? 'untilTime' : 'duration'
  return (
    <Stack gap="sm">
      <TextInput
        label="Name"
        readOnly={isReadOnly}
        value={wait.name ?? ''}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <NativeSelect
        label="Wait"
        value={kind}
        disabled={isReadOnly}
        onChange={({ currentTarget: { value } }) =>
          set({
            duration: value === 'duration' ? { duration: '86400s' } : null,
            condition: value === 'condition' ? { condition: '' } : null,
            untilTime: value === 'untilTime' ? { hours: 9, minutes: 0, timezone: zoneHere() } : null,
            timeoutDuration: wait.timeoutDuration ?? (value === 'condition' ? '604800s' : null),
          })
        }
        data={[
          { value: 'duration', label: 'For a time' },
          { value: 'untilTime', label: 'Until a time of day' },
          { value: 'condition', label: 'Until a condition is true' },
        ]}
      />
      {wait.duration && (
        <DurationField
          label="For how long"
          value={wait.duration.duration ?? '86400s'}
          max={month}
          isReadOnly={isReadOnly}
          onChange={(duration) => set({ duration: { duration } })}
          error={problem('duration')}
        />
      )}
      {wait.untilTime && (
        <>
          <TextInput
            label="Time"
            type="time"
            readOnly={isReadOnly}
            value={`${pad(wait.untilTime.hours ?? 0)}:${pad(wait.untilTime.minutes ?? 0)}`}
            onChange={({ currentTarget: { value } }) => {
              const [hours = 0, minutes = 0] = value.split(':').map(Number)
              set({ untilTime: { ...wait.untilTime, hours, minutes } })
            }}
            error={problem('untilTime.hours')}
          />
          <TextInput
            label="Time zone"
            readOnly={isReadOnly}
            value={wait.untilTime.timezone ?? ''}
            onChange={({ currentTarget }) => set({ untilTime: { ...wait.untilTime, timezone: currentTarget.value } })}
            error={problem('untilTime.timezone')}
          />
        </>
      )}
      {wait.condition && (
        <>
          <CelField
            label="Condition"
            description="A CEL expression. It is evaluated repeatedly until it is true."
            placeholder={'subject.status == "ENABLED"'}
            value={wait.condition.condition ?? ''}
            onChange={(condition) => set({ condition: { condition } })}
            isReadOnly={isReadOnly}
            error={problem('condition')}
          />
        </>
      )}
      {!wait.condition && (
        <Checkbox
          label="Set a timeout"
          disabled={isReadOnly}
          checked={Boolean(wait.timeoutDuration)}
          onChange={({ currentTarget: { checked } }) => set({ timeoutDuration: checked ? '604800s' : null })}
        />
      )}
      {(wait.condition || wait.timeoutDuration) && (
        <>
          <DurationField
            label="Give up after"
            value={wait.timeoutDuration ?? '604800s'}
            max={month}
            isReadOnly={isReadOnly}
            onChange={(timeoutDuration) => set({ timeoutDuration })}
            error={problem('timeoutDuration')}
          />
          <Textarea
            label="Comment on the task when the wait times out"
            autosize
            minRows={1}
            readOnly={isReadOnly}
            value={wait.commentOnTimeout ?? ''}
            onChange={({ currentTarget }) => set({ commentOnTimeout: currentTarget.value })}
            error={problem('commentOnTimeout')}
          />
        </>
      )}
      <Textarea
        label="Comment on the task when the wait starts"
        autosize
        minRows={1}
        readOnly={isReadOnly}
        value={wait.commentOnFirstWait ?? ''}
        onChange={({ currentTarget }) => set({ commentOnFirstWait: currentTarget.value })}
        error={problem('commentOnFirstWait')}
      />
    </Stack>
  )
}

const pad = (number: number): string => String(number).padStart(2, '0')
