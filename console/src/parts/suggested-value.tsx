import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listsListUserValues } from '#client/api/operations.ts'
import { read } from '../client/queries.ts'

const waitMs = 150
const knownMs = 60_000

type SuggestedValueProps = {
  label: string
  field: 'department' | 'jobTitle' | 'employmentStatus'
  typed: string
  onType: (typed: string) => void
  onPick: (value: string) => void
}

/** A value of people, with those that exist as suggestions. Another can be typed. */
export function SuggestedValue({ label, field, typed, onType, onPick }: SuggestedValueProps): ReactNode {
  const [query] = useDebouncedValue(typed.trim().toLowerCase(), waitMs)
  const { data } = useQuery({
    ...read(listsListUserValues, { query: { field, query } }),
    staleTime: knownMs,
    placeholderData: keepPreviousData,
  })
  const counts = new Map((data?.list ?? []).map(({ value, count }) => [value, count]))
  return (
    <Autocomplete
      label={label}
      description="Choose a value, or type one"
      data-autofocus
      value={typed}
      onChange={onType}
      onOptionSubmit={onPick}
      data={[...counts.keys()]}
      // The API has searched already.
      filter={({ options }) => options}
      renderOption={({ option: { value } }) => `${value} (${counts.get(value)?.toLocaleString() ?? ''})`}
      maxDropdownHeight={240}
      comboboxProps={{ withinPortal: false }}
    />
  )
}
