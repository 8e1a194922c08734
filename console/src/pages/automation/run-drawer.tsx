import { Code, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import type { AutomationRun } from '#client/api/types.ts'
import { SidePanel } from '../../parts/dialog.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { Failures } from './failures.tsx'
import type { Of } from './reads.ts'
import { RunChanges } from './run-changes.tsx'
import { RunChange, RunStatus } from './run-marks.tsx'
import { causeWords } from './words.ts'

type RunDrawerProps = { of: Of; run: AutomationRun | null; onClose: () => void }

/** All that is known about one run. */
export function RunDrawer({ of, run, onClose }: RunDrawerProps): ReactNode {
  // The words stay while the drawer closes.
  const last = useRef(run)
  if (run) last.current = run
  const shown = last.current
  return (
    <SidePanel opened={run !== null} onClose={onClose} title="A run of the rule">
      {shown && (
        <Stack gap="lg">
          <Facts facts={factsOf(shown)} />
          {shown.errorMessage && <Text size="sm">{shown.errorMessage}</Text>}
          {shown.gainedCount + shown.lostCount > 0 && <RunChanges key={shown.id} of={of} run={shown} />}
          {shown.failedCount > 0 && (
            <section>
              <Title order={3}>For whom it failed</Title>
              <Text size="sm" c="dimmed">
                {shown.failures.length < shown.failedCount
                  ? `${shown.failures.length} of ${shown.failedCount.toLocaleString()}.`
                  : 'All of them.'}{' '}
                The rule does not match them.
              </Text>
              <Failures failures={shown.failures} />
            </section>
          )}
        </Stack>
      )}
    </SidePanel>
  )
}

const factsOf = (run: AutomationRun): readonly (readonly [string, ReactNode])[] => [
  ['Outcome', <RunStatus key="outcome" run={run} />],
  ['Why', causeWords[run.cause]],
  ['Started by', run.startedByUserId && <UserName key="by" userId={run.startedByUserId} />],
  ['Rule', `version ${run.ruleVersion}`],
  ['Started', <Moment key="started" at={run.startedAt} show="seconds" />],
  ['Finished', <Moment key="finished" at={run.finishedAt} show="seconds" />],
  ['Changed', <RunChange key="changed" run={run} />],
  ['Found to gain it', run.toGainCount.toLocaleString()],
  ['Found to lose it', run.toLoseCount.toLocaleString()],
  ['Matched', run.matchedCount.toLocaleString()],
  ['Left alone, as excluded', run.excludedCount.toLocaleString()],
  ['Failed for', run.failedCount.toLocaleString()],
  ['Had it by the rule before', run.memberCount.toLocaleString()],
  ['Left, as changed since', run.undoesRunId && run.leftAloneCount.toLocaleString()],
  ['Undoes the run', run.undoesRunId && <Code key="undoes">{run.undoesRunId}</Code>],
  ['Undone by the run', run.undoneByRunId && <Code key="undone">{run.undoneByRunId}</Code>],
  ['Run', <Code key="run">{run.id}</Code>],
]
