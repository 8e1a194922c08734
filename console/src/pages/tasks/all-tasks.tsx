import { NativeSelect, Text } from '@mantine/core'
import { IconSubtask } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { appSearch, taskSearch } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { AppPicker } from '../../parts/app-picker.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { FilterPill } from '../../parts/filter-pill.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Page } from '../../parts/page.tsx'
import { StateFilter, stateFilter } from './my-requests.tsx'
import { listMask, type SeenTask, seenTasks, stuckWhy } from './seen-task.ts'
import { StandingBadge } from './standing-badge.tsx'
import { ageColumn, nameColumn, personColumn, waitsForColumn } from './task-columns.tsx'

const outcomes = ['GRANTED', 'REVOKED', 'DENIED', 'ERROR', 'CANCELLED', 'WAIT_TIMED_OUT'] as const
const steps: Readonly<Record<string, 'TASK_SEARCH_CURRENT_STEP_APPROVAL' | 'TASK_SEARCH_CURRENT_STEP_PROVISION'>> = {
  approval: 'TASK_SEARCH_CURRENT_STEP_APPROVAL',
  provisioning: 'TASK_SEARCH_CURRENT_STEP_PROVISION',
}

const kinds = ['grant', 'revoke', 'offboarding']

const grantOutcome = (name: string) => (name === 'REVOKED' ? [] : [`GRANT_OUTCOME_${name}` as never])
const revokeOutcome = (name: string) => (name === 'GRANTED' ? [] : [`REVOKE_OUTCOME_${name}` as never])

/** Everyone's tasks; those that nobody can go on with stand out. */
export function AllTasks(): ReactNode {
  const { may } = useSession()
  return (
    <Page title="All tasks" about="Everyone’s requests and revocations. A task is stuck when nobody can decide it.">
      <DataList
        caption="All tasks"
        operation={taskSearch}
        input={({ query, pageSize, pageToken, filter }) => ({
          body: {
            query,
            taskStates: stateFilter(filter('state')),
            stuckOnly: filter('state') === 'stuck',
            taskTypes: kinds.includes(filter('kind')) ? [{ [filter('kind')]: {} }] : [],
            currentStep: steps[filter('step')] ?? ('TASK_SEARCH_CURRENT_STEP_UNSPECIFIED' as const),
            grantOutcomes: outcomes.includes(filter('outcome') as never) ? grantOutcome(filter('outcome')) : [],
            revokeOutcomes: outcomes.includes(filter('outcome') as never) ? revokeOutcome(filter('outcome')) : [],
            applicationIds: filter('app') ? [filter('app')] : [],
            subjectIds: filter('person') ? [filter('person')] : [],
            emergencyStatus: filter('emergency') ? ('EMERGENCY' as const) : ('UNSPECIFIED' as const),
            sortBy:
              filter('order') === 'oldest'
                ? ('TASK_SEARCH_SORT_BY_CREATED_AT' as const)
                : ('TASK_SEARCH_SORT_BY_REVERSE_CREATED_AT' as const),
            expandMask: listMask,
            pageSize,
            pageToken,
          },
        })}
        rows={seenTasks}
        keyOf={({ task }) => task.id}
        search="Search by name or number"
        filters={<Filters mayPickApp={may('apps.read')} />}
        columns={[nameColumn, personColumn, stateColumn, waitsForColumn, ageColumn]}
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

function Filters({ mayPickApp }: { mayPickApp: boolean }): ReactNode {
  const { filter, set } = useListState()
  const appId = filter('app')
  const app = useQuery({
    ...read(appSearch, { body: { appIds: [appId], pageSize: 10 } }),
    enabled: appId !== '' && mayPickApp,
  }).data?.list[0]
  const select = (name: string, label: string, data: { value: string; label: string }[]): ReactNode => (
    <NativeSelect
      label={label}
      value={filter(name)}
      onChange={({ currentTarget: { value } }) => set({ [name]: value })}
      data={data}
    />
  )
  return (
    <>
      <StateFilter hasStuck />
      {select('kind', 'Kind', [
        { value: '', label: 'All' },
        { value: 'grant', label: 'Access' },
        { value: 'revoke', label: 'Revocation' },
        { value: 'offboarding', label: 'Offboarding' },
      ])}
      {select('step', 'Step', [
        { value: '', label: 'Any' },
        { value: 'approval', label: 'Approval' },
        { value: 'provisioning', label: 'Provisioning' },
      ])}
      {select('outcome', 'Outcome', [
        { value: '', label: 'Any' },
        { value: 'GRANTED', label: 'Granted' },
        { value: 'REVOKED', label: 'Revoked' },
        { value: 'DENIED', label: 'Denied' },
        { value: 'ERROR', label: 'Failed' },
        { value: 'CANCELLED', label: 'Cancelled' },
        { value: 'WAIT_TIMED_OUT', label: 'Timed out' },
      ])}
      {select('order', 'Order', [
        { value: '', label: 'Newest first' },
        { value: 'oldest', label: 'Oldest first' },
      ])}
      {mayPickApp && appId === '' && <AppPicker placeholder="Any app" onPick={({ id }) => set({ app: id })} />}
      {appId !== '' && (
        <FilterPill removes="Show all apps" onRemove={() => set({ app: '' })}>
          App: {app?.displayName ?? appId}
        </FilterPill>
      )}
      {filter('person') && (
        <FilterPill removes="Show everyone" onRemove={() => set({ person: '' })}>
          For one person
        </FilterPill>
      )}
    </>
  )
}
