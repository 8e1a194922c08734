import { SegmentedControl, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { localOf } from './as-of.tsx'
import { Label } from './label.tsx'
import { zoneWords } from './zone.ts'

const dayMs = 86_400_000
const daysAhead = 30

/** What an expiry is set to at first: the one before, or a month from now. */
export const localExpiry = (before: string | null): string =>
  localOf(before ? new Date(before) : new Date(Date.now() + daysAhead * dayMs))

type ExpiryFieldProps = {
  /** What it means that no time is chosen. */
  without: string
  /** A local time as a field of date and time has it; null where none is chosen. */
  value: string | null
  onChange: (value: string | null) => void
  error?: string | undefined
}

/** When access expires: as usual, or at a time that is chosen. */
export const ExpiryField = ({ without, value, onChange, error }: ExpiryFieldProps): ReactNode => (
  <>
    <Label text="Expires">
      {(id) => (
        <SegmentedControl
          aria-labelledby={id}
          fullWidth
          value={value === null ? 'usual' : 'time'}
          onChange={(chosen) => onChange(chosen === 'usual' ? null : localExpiry(null))}
          data={[
            { value: 'usual', label: without },
            { value: 'time', label: 'At a set time' },
          ]}
        />
      )}
    </Label>
    {value !== null && (
      <TextInput
        label="Expires at"
        description={zoneWords()}
        type="datetime-local"
        required
        min={localOf(new Date())}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={error}
      />
    )}
  </>
)
