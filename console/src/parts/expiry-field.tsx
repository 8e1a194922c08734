import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { localOf, momentOf } from './as-of.tsx'
import { ChoiceField } from './choice-field.tsx'
import { zoneHere } from './moment.tsx'

const dayMs = 86_400_000
const daysAhead = 30

/** When access expires, as the reader chooses it. */
export type Expiry = {
  /** Whether a time is chosen, rather than the default. */
  isSet: boolean
  /** The value of a `datetime-local` field. */
  local: string
}

/** The initial choice: the current expiry, or a month from now once a time is chosen. */
const expiryOf = (at: string | null): Expiry => ({
  isSet: at !== null,
  local: localOf(at === null ? new Date(Date.now() + daysAhead * dayMs) : new Date(at)),
})

export const useExpiry = (at: string | null) => useState<Expiry>(() => expiryOf(at))

/** The value for the API: a time, or null for the default. Undefined while the time is incomplete. */
export const expiryAsked = ({ isSet, local }: Expiry): string | null | undefined =>
  isSet ? momentOf(local) || undefined : null

type ExpiryFieldProps = {
  value: Expiry
  onChange: (value: Expiry) => void
  /** The label of the default. */
  otherwise?: string
  error?: string | undefined
}

export const ExpiryField = ({ value, onChange, otherwise = 'Never', error }: ExpiryFieldProps): ReactNode => (
  <>
    <ChoiceField
      label="Expires"
      fullWidth
      value={value.isSet ? 'time' : 'otherwise'}
      onChange={(chosen) => onChange({ ...value, isSet: chosen === 'time' })}
      data={[
        { value: 'otherwise', label: otherwise },
        { value: 'time', label: 'At a set time' },
      ]}
    />
    {value.isSet && (
      <TextInput
        label="Expires at"
        description={`Your time zone: ${zoneHere()}.`}
        type="datetime-local"
        required
        min={localOf(new Date())}
        value={value.local}
        onChange={({ currentTarget: { value: local } }) => onChange({ ...value, local })}
        error={error}
      />
    )}
  </>
)
