import {
  IconAlertTriangle,
  IconBolt,
  IconCheck,
  IconClock,
  IconForms,
  IconTool,
  IconUser,
  IconX,
} from '@tabler/icons-react'
import type { PlannedStep, PolicyStep } from '#client/api/types.ts'
import { Moment } from '../../parts/moment.tsx'
import { Line, Said, type Stop } from './rail.tsx'
import { StepWhy } from './step-why.tsx'
import { conditionsOf, stepTitle } from './words.ts'

const icons = {
  approval: IconUser,
  accept: IconCheck,
  reject: IconX,
  wait: IconClock,
  form: IconForms,
  provision: IconTool,
} as const

const provisioners: Readonly<Record<string, string>> = {
  records: 'Happens immediately',
  delegated: 'Provisioned together with the other entitlement',
}

function wordOf({ happens, kind, provisioner, approvedByUserId }: PlannedStep, verb: string): string {
  if (happens === 'PLANNED_STEP_STUCK') return 'Stuck'
  if (happens === 'PLANNED_STEP_PEOPLE') return verb
  if (happens === 'PLANNED_STEP_TIME') return 'Waits'
  if (happens === 'PLANNED_STEP_WEBHOOK') return 'Calls a webhook'
  if (approvedByUserId) return 'Approved by the request itself'
  if (kind === 'provision') return provisioners[provisioner] ?? 'Happens immediately'
  return kind === 'form' ? 'Answered with the request' : 'Automatic'
}

/** `Ann Lee, Bo Lind and 3 others`. */
export const namesOf = ({ people, peopleCount }: PlannedStep): string => {
  const shown = peopleCount > 3 ? people.slice(0, 2) : people
  const names = shown.map(({ displayName }) => displayName).join(', ')
  return peopleCount > shown.length ? `${names} and ${(peopleCount - shown.length).toLocaleString()} others` : names
}

type More = {
  /** The step as the policy has it, where it is known. */
  step?: PolicyStep | undefined
  /** An additional note. */
  note?: string
}

/** A step that is still to come, with who would be asked. */
export function plannedStop(planned: PlannedStep, { step, note }: More = {}): Stop {
  const isStuck = planned.happens === 'PLANNED_STEP_STUCK'
  const isOfPeople = planned.happens === 'PLANNED_STEP_PEOPLE'
  return {
    key: `step ${planned.place}`,
    is: isStuck ? 'bad' : 'future',
    icon: isStuck
      ? IconAlertTriangle
      : planned.approvedByUserId
        ? IconBolt
        : (icons[planned.kind as 'wait'] ?? IconCheck),
    title: step ? stepTitle(step) : planned.kind === 'provision' ? 'Provisioning' : planned.summary.replace(/\.$/, ''),
    word: wordOf(
      planned,
      planned.kind === 'approval' ? 'Decided by' : planned.kind === 'form' ? 'Answered by' : 'Provisioned by',
    ),
    ...(isOfPeople && { people: namesOf(planned) }),
    more: (
      <>
        {note && <Line>{note}</Line>}
        <Said>{planned.stuckWhy || undefined}</Said>
        {planned.waitsUntil && (
          <Line>
            Until <Moment at={planned.waitsUntil} />
          </Line>
        )}
        {step && conditionsOf(step).map((each) => <Line key={each}>{each}</Line>)}
        {!step && planned.withoutEarlierApprovers && (
          <Line>Whoever approves an earlier step cannot decide this one.</Line>
        )}
        {planned.kind === 'approval' && <StepWhy step={planned} />}
      </>
    ),
  }
}
