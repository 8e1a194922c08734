import { Alert, Text } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AutomationFailure, AutomationPlanItem } from '#client/api/types.ts'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Named } from '../../parts/named.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PlanGroups, PlanNote, PlanRows } from '../../parts/plan-groups.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { ExplainAction } from './explain.tsx'
import { Failures } from './failures.tsx'
import type { Plan } from './plan.ts'
import type { Of } from './reads.ts'
import { groups, type Outcome } from './words.ts'

type PlanPanelProps = {
  of: Of
  plan: Plan
  isDraft: boolean
  /** Why there is no plan yet. */
  lack: string | null
  group: Outcome
  onGroup: (group: Outcome) => void
}

/** What a rule would do now, before it does anything. */
export function PlanPanel({ of, plan, isDraft, lack, group, onGroup }: PlanPanelProps): ReactNode {
  return (
    <Panel
      title="Plan"
      about={
        isDraft
          ? 'What would change if you saved the rule now. Nothing has been changed yet.'
          : 'What a run of the saved rule would change now.'
      }
    >
      {lack ? (
        <EmptyNote icon={IconArrowsDiff} title="No plan yet">
          {lack}
        </EmptyNote>
      ) : plan.error ? (
        <PlanError plan={plan} />
      ) : (
        <>
          <Groups plan={plan} group={group} onGroup={onGroup} />
          {plan.bounded.length > 0 && (
            <PlanNote>Exact numbers of few people are hidden: you do not see these people.</PlanNote>
          )}
          <Failed count={plan.bounded.includes('failed') ? 0 : (plan.counts?.failed ?? 0)} failures={plan.failures} />
          <PlanPeople of={of} plan={plan} group={group} />
        </>
      )}
    </Panel>
  )
}

function PlanError({ plan }: { plan: Plan }): ReactNode {
  if (plan.isDraftWrong)
    return (
      <EmptyNote icon={IconArrowsDiff} title="No plan yet">
        The rule is not valid. Fix the highlighted field.
      </EmptyNote>
    )
  return <ErrorNote error={plan.error} title="The plan could not be created" retry={plan.retry} />
}

const tones = { gain: 'good', lose: 'bad', stay: undefined, excluded: 'other' } as const

type GroupsProps = { plan: Plan; group: Outcome; onGroup: (group: Outcome) => void }

const Groups = ({ plan: { counts, bounded, isStale }, group, onGroup }: GroupsProps): ReactNode => (
  <PlanGroups
    label="People to show"
    groups={groups.map(({ outcome, count, label }) => ({
      key: outcome,
      count: counts?.[count] ?? null,
      mark: bounded.includes(count) ? 'At most ' : '',
      label,
      ...(tones[count] && { tone: tones[count] }),
    }))}
    chosen={group}
    onChoose={onGroup}
    isBusy={isStale || counts === null}
  />
)

const Failed = ({ count, failures }: { count: number; failures: readonly AutomationFailure[] }): ReactNode =>
  count > 0 && (
    <Alert color="orange" mb="md" title={`The rule fails for ${count.toLocaleString()} people`}>
      <Text size="sm">They do not match. To handle missing fields, check them with has(…) first.</Text>
      <Failures failures={failures} />
    </Alert>
  )

type PlanPeopleProps = { of: Of; plan: Plan; group: Outcome }

/** The people of one group, a page at a time. */
function PlanPeople({ of, plan, group }: PlanPeopleProps): ReactNode {
  const shown = groups.find(({ outcome }) => outcome === group) ?? groups[0]
  if (plan.counts && plan.counts[shown.count] === 0) return <PlanNote>{shown.nobody}</PlanNote>
  return (
    <PlanRows
      {...plan}
      note={
        plan.hidden > 0 &&
        `${plan.hidden.toLocaleString()} people on this page are hidden, because you do not have permission to see them.`
      }
    >
      <Table
        caption={`People in the plan: ${shown.label}`}
        columns={columnsOf(of)}
        rows={plan.list}
        keyOf={({ userId }) => userId}
        isPending={plan.isPending}
        isStale={plan.isStale}
      />
    </PlanRows>
  )
}

const columnsOf = (of: Of): readonly Column<AutomationPlanItem>[] => [
  {
    header: 'Person',
    cell: ({ user, userId }) => (
      <Named label={user?.displayName || user?.email || userId} to={`/users/${userId}`} about={user?.email} />
    ),
  },
  {
    header: 'Department',
    width: '34%',
    cell: ({ user }) => [user?.department, user?.jobTitle].filter(Boolean).join(' · ') || '–',
  },
  {
    header: 'Explain',
    isHidden: true,
    width: '3.25rem',
    cell: ({ user, userId }) => <ExplainAction of={of} userId={userId} which={`of ${user?.displayName || userId}`} />,
  },
]
