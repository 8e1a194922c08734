import { Alert, Text } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AutomationFailure, AutomationPlanItem } from '#client/api/types.ts'
import { type Column, Table } from '../../parts/data-list.tsx'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Named } from '../../parts/named.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PlanGroups, PlanNote, PlanRows } from '../../parts/plan-groups.tsx'
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
          ? 'What would happen if you saved this now. Nothing is changed yet.'
          : 'What a run of the saved rule would do now.'
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
        The rule cannot be read as it stands. What is wrong is said at the field.
      </EmptyNote>
    )
  return <ErrorNote error={plan.error} title="The plan could not be made" retry={plan.retry} />
}

const tones = { gain: 'good', lose: 'bad', stay: undefined, excluded: 'other' } as const

type GroupsProps = { plan: Plan; group: Outcome; onGroup: (group: Outcome) => void }

const Groups = ({ plan: { counts, bounded, isStale }, group, onGroup }: GroupsProps): ReactNode => (
  <PlanGroups
    label="Whom to show"
    groups={groups.map(({ outcome, count, label }) => ({
      key: outcome,
      count: counts?.[count] ?? null,
      mark: bounded.includes(count) ? '≤' : '',
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
    <Alert color="orange" mb="md" title={`The rule fails for ${count.toLocaleString()} of those it asks about`}>
      <Text size="sm">It does not match them. Often has(…) before what it reads is all that is missing.</Text>
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
        `${plan.hidden.toLocaleString()} on this page are people whom you may not see: they are only counted.`
      }
    >
      <Table
        caption={`Those of the plan who would be: ${shown.label}`}
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
