import { Text } from '@mantine/core'
import { IconSubtask } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { taskSearch } from '#client/api/operations.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { byOne, bySome, daysOf, type FilterBy } from '../../parts/list-filters.tsx'
import { Page } from '../../parts/page.tsx'
import type { Column } from '../../parts/table.tsx'
import { stateFilter } from './my-requests.tsx'
import { listMask, type SeenTask, seenTasks, stuckWhy } from './seen-task.ts'
import { StandingBadge } from './standing-badge.tsx'
import { ageColumn, nameColumn, personColumn, waitsForColumn } from './task-columns.tsx'

const outcomes = ['GRANTED', 'REVOKED', 'DENIED', 'ERROR', 'CANCELLED', 'WAIT_TIMED_OUT'] as const
const steps: Readonly<Record<string, 'TASK_SEARCH_CURRENT_STEP_APPROVAL' | 'TASK_SEARCH_CURRENT_STEP_PROVISION'>> = {
  approval: 'TASK_SEARCH_CURRENT_STEP_APPROVAL',
  provisioning: 'TASK_SEARCH_CURRENT_STEP_PROVISION',
}

const kinds = ['grant', 'revoke', 'offboarding']

const outcomesIn = (names: readonly string[]) => outcomes.filter((outcome) => names.includes(outcome))
const grantOutcome = (name: string) => (name === 'REVOKED' ? [] : [`GRANT_OUTCOME_${name}` as never])
const revokeOutcome = (name: string) => (name === 'GRANTED' ? [] : [`REVOKE_OUTCOME_${name}` as never])

/** Everyone's tasks; those that nobody can continue are highlighted. */
export function AllTasks(): ReactNode {
  const { may } = useSession()
  return (
    <Page about="Everyone’s requests and revocations. A task is stuck when nobody can decide it.">
      <DataList
        caption="All tasks"
        operation={taskSearch}
        kind="tasks"
        input={({ query, pageSize, pageToken, filter, values, orderBy }) => ({
          body: {
            query,
            taskStates: stateFilter(filter('state')),
            stuckOnly: filter('state') === 'stuck',
            taskTypes: values('kind').flatMap((kind) => (kinds.includes(kind) ? [{ [kind]: {} }] : [])),
            currentStep: steps[filter('step')] ?? ('TASK_SEARCH_CURRENT_STEP_UNSPECIFIED' as const),
            grantOutcomes: outcomesIn(values('outcome')).flatMap(grantOutcome),
            revokeOutcomes: outcomesIn(values('outcome')).flatMap(revokeOutcome),
            applicationIds: values('app'),
            subjectIds: values('person'),
            openerIds: values('opener'),
            createdAfter: daysOf(filter, 'created').from,
            createdBefore: daysOf(filter, 'created').until,
            emergencyStatus: filter('emergency') ? ('EMERGENCY' as const) : ('UNSPECIFIED' as const),
            orderBy,
            expandMask: listMask,
            pageSize,
            pageToken,
          },
        })}
        rows={seenTasks}
        keyOf={({ task }) => task.id}
        search="Search by name or number"
        filterBy={filtersFor(may)}
        columns={[
          { ...nameColumn, sort: 'name' },
          { ...personColumn, sort: 'person' },
          { ...stateColumn, sort: 'state' },
          waitsForColumn,
          { ...ageColumn, sort: 'created' },
        ]}
        empty={{
          icon: IconSubtask,
          title: 'No tasks yet',
          children: 'A task is created when someone requests access, or when access must be revoked.',
        }}
      />
    </Page>
  )
}

const stateColumn: Column<SeenTask> = {
  header: 'State',
  width: '14rem',
  cell: (seen) => (
    <div>
      <StandingBadge seen={seen} />
      {stuckWhy(seen) && (
        <Text size="xs" c="var(--mantine-color-error)">
          {stuckWhy(seen)}
        </Text>
      )}
    </div>
  ),
}

const filtersFor = (may: (permission: string) => boolean): readonly FilterBy[] => [
  byOne('state', 'State', { open: 'Open', stuck: 'Stuck', closed: 'Closed' }),
  bySome('kind', 'Kind', { grant: 'Access', revoke: 'Revocation', offboarding: 'Offboarding' }),
  byOne('step', 'Step', { approval: 'Approval', provisioning: 'Provisioning' }),
  bySome('outcome', 'Outcome', {
    GRANTED: 'Granted',
    REVOKED: 'Revoked',
    DENIED: 'Denied',
    ERROR: 'Failed',
    CANCELLED: 'Cancelled',
    WAIT_TIMED_OUT: 'Timed out',
  }),
  ...(may('apps.read') ? [{ name: 'app', label: 'App', kind: 'app' } as const] : []),
  ...(may('users.read')
    ? [
        { name: 'person', label: 'For', kind: 'user' } as const,
        { name: 'opener', label: 'Requested by', kind: 'user' } as const,
      ]
    : []),
  byOne('emergency', 'Emergency', { only: 'Only emergency access' }),
  { name: 'created', label: 'Created', kind: 'days' },
]
