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
import type { EnforcedBy } from '../../client/enforcement.ts'
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

/** What a request changes: its app, as far as it is known, and what makes changes of the entitlement there. */
export type Changed = { appName: string; by: EnforcedBy | undefined }

/** How access is provisioned without anybody acting. */
function provisionWords({ provisioner }: PlannedStep, changed: Changed | null): string {
  if (provisioner === 'delegated') return 'Recorded together with the entitlement that includes it'
  if (provisioner === 'connector') return 'Sent to the connector, which changes the app'
  if (!changed || changed.by === 'ENFORCED_BY_BAILIWICK') return 'Takes effect immediately'
  // Until it is known, or for callers who do not see it.
  if (changed.by === undefined) return 'Recorded immediately'
  return `Recorded immediately; nobody is asked to change ${changed.appName || 'the app'}`
}

/** Whether it ends with a record alone: nothing and nobody changes the app. */
export const isOnlyRecorded = (steps: readonly PlannedStep[], { by }: Pick<Changed, 'by'>): boolean =>
  by !== 'ENFORCED_BY_BAILIWICK' && steps.findLast(({ kind }) => kind === 'provision')?.provisioner === 'records'

function wordOf(planned: PlannedStep, verb: string, changed: Changed | null): string {
  const { happens, kind, approvedByUserId } = planned
  if (happens === 'PLANNED_STEP_STUCK') return 'Stuck'
  if (happens === 'PLANNED_STEP_PEOPLE') return verb
  if (happens === 'PLANNED_STEP_TIME') return 'Waits'
  if (happens === 'PLANNED_STEP_WEBHOOK') return 'Calls a webhook'
  if (approvedByUserId) return 'Approved by the request itself'
  if (kind === 'provision') return provisionWords(planned, changed)
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
  /** Null for what changes Bailiwick itself. */
  changed: Changed | null
}

/** A step that is still to come, with who would be asked. */
export function plannedStop(planned: PlannedStep, { step, note, changed }: More): Stop {
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
      planned.kind === 'approval' ? 'Decided by' : planned.kind === 'form' ? 'Answered by' : 'Changed in the app by',
      changed,
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
