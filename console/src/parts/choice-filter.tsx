import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useListState } from './list-state.ts'

type ChoiceFilterProps = {
  /** The name under which the address holds what is chosen. */
  name: string
  label: string
  /** The text while nothing is chosen. */
  any: string
  /** What each value is called. */
  words: Readonly<Record<string, string>>
}

/** Narrows a list to one of a few values. */
export function ChoiceFilter({ name, label, any, words }: ChoiceFilterProps): ReactNode {
  const { filter, set } = useListState()
  return (
    <NativeSelect
      aria-label={label}
      value={filter(name)}
      onChange={({ currentTarget: { value } }) => set({ [name]: value })}
      data={[{ value: '', label: any }, ...Object.entries(words).map(([value, word]) => ({ value, label: word }))]}
    />
  )
}
