import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import type { InboxCount } from '#client/api/types.ts'
import type { Asked } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { listMask } from './seen-task.ts'

const kinds: Readonly<Record<string, object>> = {
  access: { taskTypes: [{ grant: {} }], currentStep: 'TASK_SEARCH_CURRENT_STEP_APPROVAL' },
  revocation: { taskTypes: [{ revoke: {} }], currentStep: 'TASK_SEARCH_CURRENT_STEP_APPROVAL' },
  provisioning: { currentStep: 'TASK_SEARCH_CURRENT_STEP_PROVISION' },
}
const daySeconds = 86_400
const ages = ['1', '3', '7', '30']

/** What the address asks for of what waits for somebody. */
export const inputFor =
  (userId: string) =>
  ({ query, pageSize, pageToken, filter }: Asked) => ({
    body: {
      myWorkUserIds: [userId],
      taskStates: ['TASK_STATE_OPEN' as const],
      query,
      applicationIds: filter('app') ? [filter('app')] : [],
      subjectIds: filter('person') ? [filter('person')] : [],
      ...kinds[filter('kind')],
      olderThanDuration: ages.includes(filter('days')) ? `${Number(filter('days')) * daySeconds}s` : null,
      sortBy:
        filter('order') === 'newest'
          ? ('TASK_SEARCH_SORT_BY_REVERSE_CREATED_AT' as const)
          : ('TASK_SEARCH_SORT_BY_CREATED_AT' as const),
      expandMask: listMask,
      pageSize,
      pageToken,
    },
  })

export function InboxFilters({
  apps,
  people,
}: {
  apps: readonly InboxCount[]
  people: readonly InboxCount[]
}): ReactNode {
  const { filter, set } = useListState()
  const counts = (all: readonly InboxCount[], chosen: string) => [
    ...all.map(({ id, displayName, count }) => ({ value: id, label: `${displayName} (${count})` })),
    ...(chosen && !all.some(({ id }) => id === chosen) ? [{ value: chosen, label: 'Selected before' }] : []),
  ]
  const select = (name: string, label: string, data: readonly { value: string; label: string }[]): ReactNode => (
    <NativeSelect
      label={label}
      value={filter(name)}
      onChange={({ currentTarget: { value } }) => set({ [name]: value })}
      data={[...data]}
    />
  )
  return (
    <>
      {select('app', 'App', [{ value: '', label: 'All apps' }, ...counts(apps, filter('app'))])}
      {select('person', 'For', [{ value: '', label: 'Everyone' }, ...counts(people, filter('person'))])}
      {select('kind', 'Kind', [
        { value: '', label: 'All' },
        { value: 'access', label: 'Access' },
        { value: 'revocation', label: 'Revocation' },
        { value: 'provisioning', label: 'To provision' },
      ])}
      {select('days', 'Requested', [
        { value: '', label: 'Any time' },
        ...ages.map((days) => ({ value: days, label: days === '1' ? 'Over a day ago' : `Over ${days} days ago` })),
      ])}
      {select('order', 'Order', [
        { value: '', label: 'Oldest first' },
        { value: 'newest', label: 'Newest first' },
      ])}
    </>
  )
}
