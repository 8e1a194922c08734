import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Operation } from '#client/operation.ts'
import { read } from '../client/queries.ts'

export type PickerOptions = {
  label: string
  description?: string
  error?: string | undefined
  isRequired?: boolean
  /** Without a label that is seen: for filters. */
  isLabelHidden?: boolean
  isAutoFocused?: boolean
  /** Its options are shown within its popover: a click on an option outside would close the popover. */
  isInPopover?: boolean
}

type PickerProps<Input, Reply, Item> = PickerOptions & {
  placeholder: string
  /** The text if nothing is found. */
  nothing?: string
  operation: Operation<Input, Reply>
  input: (query: string) => Input
  /** The operation finds nothing without a text to search for. */
  needsQuery?: boolean
  items: (reply: Reply) => readonly Item[]
  keyOf: (item: Item) => string
  nameOf: (item: Item) => string
  /** What is chosen, for a field that stays so; a field without it is empty again after each pick. */
  chosen?: Item | null
  onPick: (item: Item) => void
  onClear?: () => void
}

const waitMs = 150

/** Finds one thing by a search of the API. */
export function Picker<Input, Reply, Item>({
  label,
  isLabelHidden = false,
  keyOf,
  nameOf,
  chosen,
  ...props
}: PickerProps<Input, Reply, Item>): ReactNode {
  const [typed, setTyped] = useState('')
  const isChosenShown = chosen ? typed === nameOf(chosen) : false
  const wanted = isChosenShown ? '' : typed.trim()
  const [query] = useDebouncedValue(wanted, waitMs)
  const isAsked = query !== '' || !props.needsQuery
  const found = useQuery({ ...read(props.operation, props.input(query)), enabled: isAsked })
  // Only results for the current text: typing a name and pressing Enter must not pick a result of the previous text.
  const reply = query === wanted ? found.data : undefined
  const items = reply ? props.items(reply) : []
  const all = chosen && !items.some((item) => keyOf(item) === keyOf(chosen)) ? [chosen, ...items] : items
  return (
    <Select
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      description={props.description}
      error={props.error ?? found.error?.message}
      required={props.isRequired ?? false}
      {...(props.isAutoFocused && { 'data-autofocus': true })}
      placeholder={props.placeholder}
      searchable
      clearable={props.onClear !== undefined}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      searchValue={typed}
      onSearchChange={setTyped}
      value={chosen ? keyOf(chosen) : null}
      onChange={(key) => {
        const item = all.find((each) => keyOf(each) === key)
        if (item) props.onPick(item)
        else props.onClear?.()
        if (chosen === undefined) setTyped('')
      }}
      // The API has searched already.
      filter={({ options }) => options}
      data={all.map((item) => ({ value: keyOf(item), label: nameOf(item) }))}
      nothingFoundMessage={
        reply ? (props.nothing ?? 'No results.') : wanted === '' && props.needsQuery ? props.placeholder : 'Searching…'
      }
      maxDropdownHeight={280}
      {...(props.isInPopover && { comboboxProps: { withinPortal: false } })}
    />
  )
}
