import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { appsGet } from '#client/api/operations.ts'
import { read } from '../client/queries.ts'
import { AppPicker } from './app-picker.tsx'
import { FilterPill } from './filter-pill.tsx'
import { useListState } from './list-state.ts'

/** Narrows a list across apps to one app, by `app` in the address. */
export function AppFilter(): ReactNode {
  const { filter, set } = useListState()
  const appId = filter('app')
  const { data } = useQuery({ ...read(appsGet, { path: { id: appId } }), enabled: appId !== '' })
  return appId ? (
    <FilterPill removes="Show all apps" onRemove={() => set({ app: '' })}>
      App: {data?.app?.displayName ?? appId}
    </FilterPill>
  ) : (
    <AppPicker isLabelHidden placeholder="Any app" onPick={({ id }) => set({ app: id })} />
  )
}
