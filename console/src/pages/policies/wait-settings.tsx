import { Checkbox, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { DurationField } from '../../parts/duration-field.tsx'
import { zoneHere } from '../../parts/moment.tsx'
import { CelField } from './cel-field.tsx'
import type { DraftStep } from './draft.ts'

const month = `${31 * 86_400}s`

type Wait = NonNullable<DraftStep['wait']>

type WaitSettingsProps = {
  wait: Wait
  onChange: (wait: Wait) => void
  isReadOnly: boolean
  problem: (field: string) => string | undefined
}

export function WaitSettings({ wait, onChange, isReadOnly, problem }: WaitSettingsProps): ReactNode {
  const set = (changes: object): void => onChange({ ...wait, ...changes })
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
        <TimeOfDayFields
          time={wait.untilTime}
          onChange={(untilTime) => set({ untilTime })}
          isReadOnly={isReadOnly}
          problem={problem}
        />
      )}
      {wait.condition && (
        <CelField
          label="Condition"
          description="A CEL expression. It is evaluated repeatedly until it is true."
          placeholder={'subject.status == "ENABLED"'}
          value={wait.condition.condition ?? ''}
          onChange={(condition) => set({ condition: { condition } })}
          isReadOnly={isReadOnly}
          error={problem('condition')}
        />
      )}
      <TimeoutFields wait={wait} onChange={set} isReadOnly={isReadOnly} problem={problem} />
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

type TimeOfDayFieldsProps = Omit<WaitSettingsProps, 'wait' | 'onChange'> & {
  time: NonNullable<Wait['untilTime']>
  onChange: (time: NonNullable<Wait['untilTime']>) => void
}

const TimeOfDayFields = ({ time, onChange, isReadOnly, problem }: TimeOfDayFieldsProps): ReactNode => (
  <>
    <TextInput
      label="Time"
      type="time"
      readOnly={isReadOnly}
      value={`${pad(time.hours ?? 0)}:${pad(time.minutes ?? 0)}`}
      onChange={({ currentTarget: { value } }) => {
        const [hours = 0, minutes = 0] = value.split(':').map(Number)
        onChange({ ...time, hours, minutes })
      }}
      error={problem('untilTime.hours')}
    />
    <TextInput
      label="Time zone"
      readOnly={isReadOnly}
      value={time.timezone ?? ''}
      onChange={({ currentTarget }) => onChange({ ...time, timezone: currentTarget.value })}
      error={problem('untilTime.timezone')}
    />
  </>
)

/** When it is given up. A condition may never be true: there it is not a choice. */
const TimeoutFields = ({ wait, onChange, isReadOnly, problem }: WaitSettingsProps): ReactNode => (
  <>
    {!wait.condition && (
      <Checkbox
        label="Set a timeout"
        disabled={isReadOnly}
        checked={Boolean(wait.timeoutDuration)}
        onChange={({ currentTarget: { checked } }) => onChange({ timeoutDuration: checked ? '604800s' : null })}
      />
    )}
    {(wait.condition || wait.timeoutDuration) && (
      <>
        <DurationField
          label="Give up after"
          value={wait.timeoutDuration ?? '604800s'}
          max={month}
          isReadOnly={isReadOnly}
          onChange={(timeoutDuration) => onChange({ timeoutDuration })}
          error={problem('timeoutDuration')}
        />
        <Textarea
          label="Comment on the task when the wait times out"
          autosize
          minRows={1}
          readOnly={isReadOnly}
          value={wait.commentOnTimeout ?? ''}
          onChange={({ currentTarget }) => onChange({ commentOnTimeout: currentTarget.value })}
          error={problem('commentOnTimeout')}
        />
      </>
    )}
  </>
)

const pad = (number: number): string => String(number).padStart(2, '0')
