import { Group, NativeSelect, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { appEntitlementsListAutomationRunChanges } from '#client/api/operations.ts'
import type { AutomationRun, AutomationRunChange } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Named } from '../../parts/named.tsx'
import { PlanNote, PlanRows } from '../../parts/plan-groups.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { type Of, pathOf } from './reads.ts'

const typingMs = 250
const pageSize = 10

const outcomes = [
  { value: 'AUTOMATION_OUTCOME_UNSPECIFIED', label: 'Added and removed' },
  { value: 'AUTOMATION_OUTCOME_GAIN', label: 'Added' },
  { value: 'AUTOMATION_OUTCOME_LOSE', label: 'Removed' },
] as const
type Outcome = (typeof outcomes)[number]['value']

/** The people to whom a run granted the entitlement, and those from whom it was revoked. */
export function RunChanges({ of, run }: { of: Of; run: AutomationRun }): ReactNode {
  const [outcome, setOutcome] = useState<Outcome>('AUTOMATION_OUTCOME_UNSPECIFIED')
  const [typed, setTyped] = useState('')
  const [query] = useDebouncedValue(typed.trim(), typingMs)
  const about = `${run.id} ${outcome} ${query}`
  const [pages, setPages] = useState<{ about: string; tokens: readonly string[] }>({ about, tokens: [] })
  const tokens = pages.about === about ? pages.tokens : []
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    ...read(appEntitlementsListAutomationRunChanges, {
      path: { ...pathOf(of), run_id: run.id },
      query: { outcome, query, page_size: pageSize, page_token: tokens.at(-1) ?? '' },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <section>
      <Title order={3} mb="xs">
        Who was added and removed
      </Title>
      <Group gap="sm" mb="sm">
        <TextInput
          type="search"
          aria-label="Search people of the run"
          placeholder="Search people"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          style={{ flex: '1 1 12rem' }}
        />
        <NativeSelect
          aria-label="Added or removed"
          data={outcomes.map(({ value, label }) => ({ value, label }))}
          value={outcome}
          onChange={({ currentTarget }) => setOutcome(currentTarget.value as Outcome)}
        />
      </Group>
      {error ? (
        <ErrorNote error={error} title="The people of this run could not be loaded" retry={() => void refetch()} />
      ) : data && data.list.length === 0 ? (
        <PlanNote>{query === '' ? 'Nobody.' : 'No results. Change the search.'}</PlanNote>
      ) : (
        <PlanRows
          isLater={tokens.length > 0}
          next={!isPlaceholderData && (data?.nextPageToken ?? '') !== ''}
          back={() => setPages({ about, tokens: tokens.slice(0, -1) })}
          forth={() => setPages({ about, tokens: [...tokens, data?.nextPageToken ?? ''] })}
        >
          <Table
            caption="People to whom the run granted the entitlement, or from whom it revoked it"
            columns={columns}
            rows={data?.list ?? []}
            keyOf={({ outcome: which, appUserId }) => `${which} ${appUserId}`}
            isPending={isPending}
            isStale={isPlaceholderData}
          />
        </PlanRows>
      )}
    </section>
  )
}

const columns: readonly Column<AutomationRunChange>[] = [
  {
    header: 'Person',
    cell: ({ user, userId }) =>
      userId === '' ? (
        <Text size="sm">An account without an owner</Text>
      ) : (
        <Named label={user?.displayName || user?.email || userId} to={`/users/${userId}`} about={user?.email} />
      ),
  },
  {
    header: 'Change',
    width: '7rem',
    cell: ({ outcome }) => (outcome === 'AUTOMATION_OUTCOME_GAIN' ? 'Added' : 'Removed'),
  },
]
