import { NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { finderFind } from '#client/api/operations.ts'
import type { FindHit } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { localOf, momentOf } from '../../parts/as-of.tsx'
import { FilterPill } from '../../parts/filter-pill.tsx'
import { type ListState, useListState } from '../../parts/list-state.ts'
import { Picker } from '../../parts/picker.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'
import { filteredTypes, type Names, typeName } from './things.ts'

const kinds = {
  create: ['Created', 'EVENT_KIND_CREATE'],
  update: ['Changed', 'EVENT_KIND_UPDATE'],
  delete: ['Deleted', 'EVENT_KIND_DELETE'],
  read: ['Read', 'EVENT_KIND_READ'],
  'sign-in': ['Sign-in', 'EVENT_KIND_SIGN_IN'],
  'sign-out': ['Sign-out', 'EVENT_KIND_SIGN_OUT'],
  token: ['Access token', 'EVENT_KIND_TOKEN'],
  denial: ['Denied request', 'EVENT_KIND_DENIAL'],
  alert: ['Alert', 'EVENT_KIND_ALERT'],
} as const
const outcomes = {
  success: ['Success', 'EVENT_OUTCOME_SUCCESS'],
  failure: ['Failure', 'EVENT_OUTCOME_FAILURE'],
} as const

const chosen = <T extends Record<string, readonly [string, string]>>(all: T, name: string): T[keyof T][1] | null =>
  all[name]?.[1] ?? null

/** What the address asks for, as the API takes it. */
export const askedOf = ({ query, filter }: Pick<ListState, 'query' | 'filter'>) => ({
  query,
  actorId: filter('actor'),
  objectId: filter('object'),
  objectType: filter('type'),
  kind: chosen(kinds, filter('kind')),
  outcome: chosen(outcomes, filter('outcome')),
  since: momentOf(filter('since')) || null,
  until: momentOf(filter('until')) || null,
  sortDirection: filter('order') === 'oldest' ? ('SORT_DIRECTION_ASC' as const) : ('SORT_DIRECTION_DESC' as const),
})

const options = (all: Readonly<Record<string, readonly [string, string]>>) => [
  { value: '', label: 'Any' },
  ...Object.entries(all).map(([value, [label]]) => ({ value, label })),
]

export function Filters({ names }: { names: Names }): ReactNode {
  const { filter, set } = useListState()
  const { may } = useSession()
  const actor = filter('actor')
  const object = filter('object')
  // For its name: the events that were found need not mention it.
  const [picked, setPicked] = useState<FindHit | null>(null)
  const choose = (label: string, name: string, data: { value: string; label: string }[]): ReactNode => (
    <NativeSelect
      label={label}
      value={filter(name)}
      onChange={({ currentTarget: { value } }) => set({ [name]: value })}
      data={data}
    />
  )
  return (
    <>
      {actor ? (
        <FilterPill removes="Remove the actor filter" onRemove={() => set({ actor: '' })}>
          Actor: {names.get(actor)?.displayName ?? <UserName userId={actor} />}
        </FilterPill>
      ) : (
        may('users.read') && <UserPicker label="Actor" onPick={({ id }) => set({ actor: id })} />
      )}
      {object ? (
        <FilterPill removes="Remove the object filter" onRemove={() => set({ object: '' })}>
          Object: {names.get(object)?.displayName || (picked?.id === object && picked.displayName) || object}
        </FilterPill>
      ) : (
        <ObjectPicker
          onPick={(hit) => {
            setPicked(hit)
            set({ object: hit.id })
          }}
        />
      )}
      {choose('Kind', 'kind', options(kinds))}
      {choose('Object type', 'type', [
        { value: '', label: 'Any' },
        ...filteredTypes.map((value) => ({ value, label: capital(typeName(value)) })),
      ])}
      {choose('Outcome', 'outcome', options(outcomes))}
      <TextInput
        label="From"
        type="datetime-local"
        value={localOf(new Date(filter('since')))}
        onChange={({ currentTarget: { value } }) => set({ since: momentOf(value) }, true)}
      />
      <TextInput
        label="Until"
        type="datetime-local"
        value={localOf(new Date(filter('until')))}
        onChange={({ currentTarget: { value } }) => set({ until: momentOf(value) }, true)}
      />
      <NativeSelect
        label="Order"
        value={filter('order') || 'newest'}
        onChange={({ currentTarget: { value } }) => set({ order: value === 'newest' ? '' : value })}
        data={[
          { value: 'newest', label: 'Newest first' },
          { value: 'oldest', label: 'Oldest first' },
        ]}
      />
    </>
  )
}

/** What events are about, by its name: an app, an entitlement and its rule, a person, a policy and so on. */
const ObjectPicker = ({ onPick }: { onPick: (hit: FindHit) => void }): ReactNode => (
  <Picker
    label="Object"
    placeholder="Type a name"
    operation={finderFind}
    input={(query) => ({ query: { query } })}
    needsQuery
    items={({ list }) => list}
    keyOf={({ kind, id }) => `${kind} ${id}`}
    nameOf={({ kind, displayName, description }) =>
      `${displayName} (${[typeName(kind), description].filter(Boolean).join(', ')})`
    }
    onPick={onPick}
  />
)

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
