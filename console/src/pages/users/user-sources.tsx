import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { userAttributesListSources } from '#client/api/operations.ts'
import type { UserAttributeSources } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { attributeName } from '../directories/words.ts'

/** The directory of each attribute, since when, and the values of others. Empty if no directory has the user. */
export function UserSources({ userId }: { userId: string }): ReactNode {
  const { data, error, refetch } = useQuery(read(userAttributesListSources, { path: { user_id: userId } }))
  if (error) return <ErrorNote error={error} title="Sources could not be loaded" retry={() => void refetch()} />
  const known = data?.list.filter(({ source }) => source) ?? []
  if (known.length === 0) return null
  return (
    <Panel
      title="Sources of attributes"
      about="Each attribute comes from the first directory, in order of precedence, that has a value for it."
    >
      <Facts
        facts={known.map((each) => [attributeName(each.attribute), <Source key={each.attribute} of={each} />] as const)}
      />
    </Panel>
  )
}

function Source({
  of: { attribute, value, source, since, isOverwritten, others },
}: {
  of: UserAttributeSources
}): ReactNode {
  const shown = (text: string): ReactNode =>
    attribute === 'manager' && text !== '' ? <UserName userId={text} /> : text
  return (
    <>
      <div>{shown(value)}</div>
      <Text size="sm" c="dimmed" component="div">
        {isOverwritten ? 'Edited since it came from ' : 'From '}
        {source?.directoryName || 'a deleted directory'} since <Moment at={since} />
      </Text>
      {others.map((other) => (
        <Text key={other.appUserId} size="sm" c="dimmed" component="div">
          Not used: {shown(other.value)} from {other.directoryName || 'a deleted directory'}
        </Text>
      ))}
    </>
  )
}
