import { Alert, Button, Group, Text } from '@mantine/core'
import { IconHandStop, IconZzz } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  appEntitlementsCancelAutomationRun,
  appEntitlementsGetAutomationRun,
  appEntitlementsReleaseAutomationRun,
} from '#client/api/operations.ts'
import type { AutomationRun, AutomationState } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { afterRule, type Of, pathOf } from './reads.ts'
import { people } from './words.ts'

type HeldProps = { of: Of; runId: string; mayChange: boolean }

/** The circuit breaker holds a run: what it would revoke or grant, and what can be done about it. */
export function Held({ of, runId, mayChange }: HeldProps): ReactNode {
  const { data, error } = useQuery({
    ...read(appEntitlementsGetAutomationRun, { path: { ...pathOf(of), run_id: runId } }),
    enabled: runId !== '',
  })
  if (runId === '') return null
  if (error) return <ErrorNote error={error} title="The held run could not be loaded" />
  const run = data?.run
  if (run?.status !== 'AUTOMATION_RUN_STATUS_HELD') return null
  return <HeldRun of={of} run={run} mayChange={mayChange} />
}

const percent = (part: number, whole: number): string => `${Math.round((part * 100) / Math.max(whole, 1))}%`

function HeldRun({ of, run, mayChange }: { of: Of; run: AutomationRun; mayChange: boolean }): ReactNode {
  const [isReleasing, setReleasing] = useState(false)
  const path = { ...pathOf(of), run_id: run.id }
  const release = useChange(appEntitlementsReleaseAutomationRun, {
    changes: afterRule,
    done: 'Run released',
    onDone: () => setReleasing(false),
  })
  const cancel = useChange(appEntitlementsCancelAutomationRun, {
    changes: afterRule,
    done: 'Run cancelled, rule paused',
  })
  const { toLoseCount: lose, toGainCount: gain, memberCount: members } = run
  const isLoss = members >= 20 && lose * 5 > members
  return (
    <Alert
      color="orange"
      role="alert"
      mb="lg"
      title={
        isLoss
          ? `A run is held: it would revoke this entitlement from ${people(lose)}`
          : `A run is held: it would grant this entitlement to ${people(gain)}`
      }
      icon={<IconHandStop size={20} aria-hidden />}
    >
      <Text size="sm">
        {isLoss
          ? `That is ${percent(lose, members)} of the ${members.toLocaleString()} who have it by the rule. Runs that revoke more than 20% must be confirmed.`
          : 'Runs that grant it to more than 20 people must be confirmed if these are more than 20% of all people, or more than twice the current number.'}{' '}
        Nothing has been changed. The run stopped
        {run.startedAt && (
          <>
            {' '}
            <RelativeTime at={run.startedAt} />
          </>
        )}
        . The plan lists the people.
      </Text>
      {mayChange && (
        <Group gap="sm" mt="sm">
          <Button size="xs" color="red.8" onClick={() => setReleasing(true)}>
            Release run
          </Button>
          <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ path })}>
            Cancel run
          </Button>
        </Group>
      )}
      <ErrorNote error={cancel.error} />
      <Confirm
        opened={isReleasing}
        onClose={() => setReleasing(false)}
        title={isLoss ? `Revoke from ${people(lose)}?` : `Grant to ${people(gain)}?`}
        verb="Release run"
        isPending={release.isPending}
        error={release.error}
        onConfirm={() => release.mutate({ path })}
      >
        The rule is evaluated again for everyone. This time the run is not held, however much it changes. You can undo
        it afterwards.
      </Confirm>
    </Alert>
  )
}

const pauseWords: Readonly<Partial<Record<AutomationState['paused'], string>>> = {
  AUTOMATION_PAUSE_CANCELLED: 'A held run was cancelled',
  AUTOMATION_PAUSE_UNDONE: 'The last run was undone',
}

/** Why a rule does not run automatically. */
export function Resting({ state }: { state: AutomationState }): ReactNode {
  const why = pauseWords[state.paused]
  if (!why) return null
  return (
    <Alert color="ink" mb="lg" title="Rule paused" icon={<IconZzz size={20} aria-hidden />}>
      <Text size="sm">{why}. The rule changes nothing until you edit it or select “Run now”.</Text>
    </Alert>
  )
}
