import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { taskWhyGet } from '#client/api/operations.ts'
import type { PlannedStep } from '#client/api/types.ts'
import { type EnforcedBy, useEnforcedBy } from '../../client/enforcement.ts'
import { read } from '../../client/queries.ts'
import { isOnlyRecorded, namesOf } from './planned-stop.tsx'
import type { SeenTask } from './seen-task.ts'
import { lengthWords, stepTitle, targetName } from './words.ts'

const closed: Readonly<Record<SeenTask['kind'], string>> = {
  grant: 'The request is closed, and nothing is granted.',
  revoke: 'The request is closed, and the access stays.',
  offboarding: 'The request is closed, and nothing is changed.',
  change: 'The request is closed, and nothing is changed.',
}

/** `Ann Lee gets Editor in Wiki, for 14 days.` */
function endWords({ kind, task, app, ...seen }: SeenTask, isRecorded: boolean): string {
  if (kind === 'change') return 'The change is applied.'
  const target = `${targetName({ task, ...seen })}${app ? ` in ${app.displayName}` : ''}`
  const person = seen.nameOf(task.userId)
  const nobody = isRecorded ? ` Nobody is asked to change ${app?.displayName || 'the app'}.` : ''
  if (kind === 'offboarding') return 'The offboarding is done.'
  if (kind === 'revoke')
    return isRecorded ? `It is recorded that ${person} loses ${target}.${nobody}` : `${person} loses ${target}.`
  const duration = task.type?.grant?.grantDuration
  const length = duration ? `for ${lengthWords(duration)}` : 'without expiry'
  return isRecorded
    ? `It is recorded that ${person} has ${target}, ${length}.${nobody}`
    : `${person} gets ${target}, ${length}.`
}

const isPassed = ({ happens }: PlannedStep): boolean => happens === 'PLANNED_STEP_AUTOMATIC'

/** What approving does: who is asked next, or what is granted. */
function approvedWords(seen: SeenTask, upcoming: readonly PlannedStep[], by: EnforcedBy | undefined): string {
  const end = endWords(seen, isOnlyRecorded(upcoming, { by }))
  const place = upcoming.findIndex((step) => !isPassed(step))
  const waits = upcoming[place]
  if (!waits) return end
  const step = seen.task.policy?.next[place]
  const title = step ? stepTitle(step) : waits.summary.replace(/\.$/, '')
  const people = waits.happens === 'PLANNED_STEP_PEOPLE' ? namesOf(waits) : ''
  const stuck = waits.happens === 'PLANNED_STEP_STUCK' ? ` It would get stuck: ${waits.stuckWhy}` : ''
  return `The next step is: ${title}${people && ` (${people})`}.${stuck} After all steps, ${end.replace(/^(The|It) /, (word) => word.toLowerCase())}`
}

/** What a decision leads to, before it is made. */
export function Consequence({ seen, decision }: { seen: SeenTask; decision: 'approve' | 'deny' }): ReactNode {
  const isAsked = decision === 'approve'
  const by = useEnforcedBy({ appId: seen.appId, id: seen.entitlementId }, seen.kind)
  const why = useQuery({ ...read(taskWhyGet, { path: { id: seen.task.id } }), enabled: isAsked })
  const words = !isAsked
    ? closed[seen.kind]
    : why.data
      ? approvedWords(seen, why.data.upcoming, by)
      : 'The next step starts, or the access is granted.'
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {words}
    </Text>
  )
}
