import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { taskContextGet } from '#client/api/operations.ts'
import type { PeopleWithAccess, TaskContextResponse } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { Facts } from '../../parts/facts.tsx'
import type { SeenTask } from './seen-task.ts'
import { counted } from './words.ts'

/** `Optics. 3 of the 5 others have it.` */
function peopleWords(of: PeopleWithAccess | null, what: string): string {
  if (!of || of.value === '') return ''
  const { value, why, people, holding } = of
  if (why) return `${value}. Who else has it: ${why.charAt(0).toLowerCase()}${why.slice(1)}`
  if (people === 0) return `${value}. Nobody else has this ${what}.`
  const others = people === 1 ? 'the other person' : `the ${people.toLocaleString()} others`
  return holding === 0
    ? `${value}. None of ${others} has it.`
    : `${value}. ${holding.toLocaleString()} of ${others} ${holding === 1 ? 'has' : 'have'} it.`
}

const namedMax = 5

/** What its holders get and own with it. */
function leadsToWords({ leadsTo, hiddenCount, hasMore, owns }: TaskContextResponse): string {
  const named = leadsTo
    .slice(0, namedMax)
    .map(({ displayName, appDisplayName }) => `${displayName} (${appDisplayName})`)
  const others = leadsTo.length - named.length + hiddenCount
  return [
    ...named,
    ...(others > 0 || hasMore
      ? [`${hasMore ? 'more than ' : ''}${counted(others, named.length > 0 ? 'other' : 'other entitlement')}`]
      : []),
    ...owns.map(({ kind, count }) => `owner of ${counted(count, kind)}`),
  ].join(', ')
}

/** What stands beside a request for those who decide it: who the person is, who like them has it, and what it leads to. */
export function Beside({ seen }: { seen: SeenTask }): ReactNode {
  const { data } = useQuery(read(taskContextGet, { path: { id: seen.task.id } }))
  if (!data) return null
  return (
    <>
      <Facts
        facts={[
          ['Department', peopleWords(data.department, 'department')],
          ['Job title', peopleWords(data.jobTitle, 'job title')],
          ['Risk level', data.riskLevel],
          ['Leads to', leadsToWords(data) || 'Nothing else'],
        ]}
      />
      {data.department === null && data.jobTitle === null && (
        <Text size="sm" c="dimmed">
          The work of the person is shown to those who decide.
        </Text>
      )}
    </>
  )
}
