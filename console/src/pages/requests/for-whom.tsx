import { NativeSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { taskInboxListReports } from '#client/api/operations.ts'
import type { User } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Chosen } from '../../parts/chosen.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'

export type Person = Pick<User, 'id' | 'displayName'>

/**
 * Callers request for themselves, unless they may request for others: the help desk for anyone, managers for their reports.
 */
export function ForWhom({
  chosen,
  onChoose,
}: {
  chosen: Person | null
  onChoose: (who: Person | null) => void
}): ReactNode {
  const { may } = useSession()
  const mayAll = may('tasks.others')
  const { data } = useQuery({ ...read(taskInboxListReports, {}), enabled: !mayAll })
  const reports = data?.list ?? []
  if (mayAll)
    return (
      <Stack gap="xs">
        <UserPicker
          label="For someone else"
          description={chosen ? undefined : 'Leave empty to request access for yourself.'}
          onPick={onChoose}
        />
        {chosen && (
          <Chosen
            items={[chosen]}
            keyOf={({ id }) => id}
            nameOf={({ displayName }) => displayName}
            onRemove={() => onChoose(null)}
          />
        )}
      </Stack>
    )
  if (reports.length === 0) return null
  return (
    <NativeSelect
      label="For whom"
      value={chosen?.id ?? ''}
      onChange={({ currentTarget: { value } }) => onChoose(reports.find(({ id }) => id === value) ?? null)}
      data={[
        { value: '', label: 'Myself' },
        ...reports.map(({ id, displayName }) => ({ value: id, label: displayName })),
      ]}
    />
  )
}
