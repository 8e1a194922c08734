import { Button } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { DirectoryPlanCounts, DirectoryPlansCreateResponse } from '#client/api/types.ts'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PlanGroups } from '../../parts/plan-groups.tsx'
import { ApplyPlan } from './apply-plan.tsx'
import { PlanItems } from './plan-items.tsx'
import { type Change, type Count, groups, type Planning } from './planning.ts'

type PlanPanelProps = {
  planning: Planning
  change: Change
  /** The app of the directory, for links to accounts; empty where the plan is about several. */
  appId: string
  /** Why there cannot be a plan yet. */
  lack: string | null
  /** The fields that show what is wrong with them themselves. */
  fields: readonly string[]
  /** On the button that applies it. */
  verb: string
}

/** What a change would do to users; then the button that does exactly that. */
export function PlanPanel({ planning, change, appId, lack, fields, verb }: PlanPanelProps): ReactNode {
  const { plan, error, isPending } = planning
  const make = (
    <Button onClick={() => planning.make(change)} loading={isPending} disabled={lack !== null}>
      Create plan
    </Button>
  )
  return (
    <Panel title="Plan" about="What this would do to users. Nothing is changed until you apply the plan.">
      {error && <ErrorNote error={error} title="The plan could not be created" shownElsewhere={fields} />}
      {plan ? (
        <PlanOf key={plan.planId} planning={planning} plan={plan} change={change} appId={appId} verb={verb} />
      ) : (
        <EmptyNote icon={IconArrowsDiff} title={isPending ? 'Creating the plan…' : 'No plan yet'} action={make}>
          {lack ?? 'Create a plan to see who would be created, linked, changed and disabled.'}
        </EmptyNote>
      )}
    </Panel>
  )
}

type PlanOfProps = Omit<PlanPanelProps, 'lack' | 'fields'> & { plan: DirectoryPlansCreateResponse }

function PlanOf({ planning, plan, change, appId, verb }: PlanOfProps): ReactNode {
  const counts = plan.counts as DirectoryPlanCounts
  const first = groups.find(({ count }) => counts[count] > 0)?.count ?? 'created'
  const [group, setGroup] = useState<Count>(counts.disabled > 0 ? 'disabled' : first)
  return (
    <>
      <PlanGroups
        label="What to show"
        groups={groups.map(({ count, label, tone }) => ({
          key: count,
          count: counts[count],
          label,
          ...(tone && { tone }),
        }))}
        chosen={group}
        onChoose={setGroup}
        isBusy={false}
      />
      <PlanItems key={group} planId={plan.planId} appId={appId} group={group} count={counts[group]} />
      <ApplyPlan planning={planning} plan={plan} change={change} verb={verb} />
    </>
  )
}
