import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { userSearch } from '#client/api/operations.ts'
import { read } from '../client/queries.ts'
import { Chosen } from './chosen.tsx'
import { UserPicker } from './user-picker.tsx'

type UserListFieldProps = {
  label: string
  description?: string
  ids: readonly string[]
  onChange: (ids: string[]) => void
  isReadOnly: boolean
  isRequired?: boolean
  error?: string | undefined
}

const knownMs = 300_000

/** Several users, by id. */
export function UserListField({
  label,
  description,
  ids,
  onChange,
  isReadOnly,
  isRequired = false,
  error,
}: UserListFieldProps): ReactNode {
  const { data } = useQuery({
    ...read(userSearch, { body: { ids: [...ids], pageSize: 100 } }),
    enabled: ids.length > 0,
    staleTime: knownMs,
    placeholderData: (before) => before,
  })
  const names = new Map(data?.list.flatMap(({ user }) => (user ? [[user.id, user.displayName] as const] : [])))
  const nameOf = (id: string): string => names.get(id) ?? id
  return (
    <div>
      {!isReadOnly && (
        <UserPicker
          label={label}
          {...(description && { description })}
          without={ids}
          isRequired={isRequired}
          onPick={({ id }) => onChange([...ids, id])}
          error={error}
        />
      )}
      <div style={{ marginTop: '0.375rem' }}>
        <Chosen
          items={ids}
          keyOf={(id) => id}
          nameOf={nameOf}
          onRemove={isReadOnly ? undefined : (id) => onChange(ids.filter((each) => each !== id))}
        />
      </div>
    </div>
  )
}
