import { TextInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useListState } from './list-state.ts'

const minuteMs = 60_000

/** A moment as a field of date and time has it, which is the reader's own zone. */
export const localOf = (moment: Date): string =>
  Number.isNaN(moment.getTime())
    ? ''
    : new Date(moment.getTime() - moment.getTimezoneOffset() * minuteMs)
        .toISOString()
        .slice(0, 'YYYY-MM-DDTHH:mm'.length)

/**
 * The value of such a field in the form of the API; empty if it has none. In an address, it is the same moment in every time
 * zone.
 */
export const momentOf = (local: string): string => {
  const at = new Date(local)
  return local === '' || Number.isNaN(at.getTime()) ? '' : at.toISOString()
}

/**
 * The moment that the whole console is asked about, as the API takes it; empty is now. It is in the address, and stays there
 * over tabs and links (roots.ts) until the reader returns to now.
 */
export const useAsOf = (): string => {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const asOf = search['as_of'] ?? ''
  return Number.isNaN(new Date(asOf).getTime()) ? '' : asOf
}

/** Asks about an earlier moment. For `filters` of a `DataList`, whose `input` gives `filter('as_of')` on. */
export function AsOfField(): ReactNode {
  const { set } = useListState()
  const asOf = useAsOf()
  return (
    <TextInput
      label="As it was at"
      type="datetime-local"
      max={localOf(new Date())}
      value={asOf === '' ? '' : localOf(new Date(asOf))}
      onChange={({ currentTarget: { value } }) => set({ as_of: momentOf(value) }, true)}
    />
  )
}
