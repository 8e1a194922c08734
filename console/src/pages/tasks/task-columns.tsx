import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { Named } from '../../parts/named.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import type { Column } from '../../parts/table.tsx'
import type { SeenTask } from './seen-task.ts'
import { StandingBadge } from './standing-badge.tsx'
import { kindWords, lengthWords, targetName } from './words.ts'

/** The requester's reason. A change has its plan instead, which lists do not show. */
export const reasonOf = ({ kind, task }: SeenTask): string => (kind === 'change' ? '' : task.description)

/** `Access in Payroll, for 8 hours`. */
export function aboutWords(seen: SeenTask): string {
  const { app, kind, task } = seen
  const length = kind === 'grant' ? lengthWords(task.type?.grant?.grantDuration).toLowerCase() : ''
  return [
    `${kindWords(seen)}${app ? ` in ${app.displayName}` : ''}`,
    length && (task.type?.grant?.grantDuration ? `for ${length}` : length),
    task.emergencyAccess && 'emergency',
  ]
    .filter(Boolean)
    .join(', ')
}

export const TaskName = ({ seen, select }: { seen: SeenTask; select?: ReactNode }): ReactNode => (
  <Group gap="sm" wrap="nowrap" align="flex-start">
    {select}
    <Named label={targetName(seen)} to={`/tasks/${seen.task.numericId}`} about={aboutWords(seen)} />
  </Group>
)

export const nameColumn: Column<SeenTask> = { header: 'Request', cell: (seen) => <TaskName seen={seen} /> }

export const personColumn: Column<SeenTask> = {
  header: 'For',
  width: '18%',
  cell: ({ task, nameOf }) => (
    <Named
      isQuiet
      label={task.userId === '' ? '–' : nameOf(task.userId)}
      about={task.createdByUserId !== task.userId && `requested by ${nameOf(task.createdByUserId)}`}
    />
  ),
}

export const stateColumn: Column<SeenTask> = {
  header: 'State',
  width: '11rem',
  cell: (seen) => <StandingBadge seen={seen} />,
}

export const waitsForColumn: Column<SeenTask> = {
  header: 'Waits for',
  width: '18%',
  cell: ({ task: { stepApproverIds }, nameOf }) => peopleWords(stepApproverIds.map(nameOf)) || '–',
}

export const ageColumn: Column<SeenTask> = {
  header: 'Requested',
  width: '8rem',
  cell: ({ task: { createdAt } }) => createdAt && <RelativeTime at={createdAt} />,
}

const namedMax = 3

/** Names, the first few of them. */
export const peopleWords = (names: readonly string[]): string =>
  names.length > namedMax
    ? `${names.slice(0, namedMax - 1).join(', ')} and ${names.length - namedMax + 1} others`
    : names.join(', ')
