import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

type ReasonFieldProps = {
  value: string
  onChange: (value: string) => void
  label?: string
  error?: ReactNode
}

/** Why something is done: kept with it, and in the system log. */
export const ReasonField = ({ value, onChange, label = 'Reason', error }: ReasonFieldProps): ReactNode => (
  <TextInput
    label={label}
    placeholder="Optional: why, or a ticket number"
    maxLength={500}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    error={error}
  />
)
