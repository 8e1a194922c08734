import { Anchor, Code, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
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

/** The details of one run. */
export function RunDrawer({ of, run, onClose }: RunDrawerProps): ReactNode {
  // The words stay while the drawer closes.
  const last = useRef(run)
  if (run) last.current = run
  const shown = last.current
  return (
    <SidePanel opened={run !== null} onClose={onClose} title="Run of the rule">
      {shown && (
        <Stack gap="lg">
          <Facts facts={factsOf(shown)} />
          {shown.errorMessage && <Text size="sm">{shown.errorMessage}</Text>}
          {shown.gainedCount + shown.lostCount > 0 && <RunChanges key={shown.id} of={of} run={shown} />}
          {shown.failedCount > 0 && (
            <section>
              <Title order={3}>Failed for</Title>
              <Text size="sm" c="dimmed">
                {shown.failures.length < shown.failedCount
                  ? `${shown.failures.length} of ${shown.failedCount.toLocaleString()}.`
                  : 'All of them.'}{' '}
                They do not match the rule.
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
  ['Cause', causeWords[run.cause]],
  ['Started by', run.startedByUserId && <UserName key="by" userId={run.startedByUserId} />],
  [
    'Rule',
    <Anchor
      key="version"
      component={Link}
      to={`/apps/${run.appId}/entitlements/${run.appEntitlementId}/versions`}
      size="sm"
    >
      version {run.ruleVersion}
    </Anchor>,
  ],
  ['Started', <Moment key="started" at={run.startedAt} show="exact" />],
  ['Finished', <Moment key="finished" at={run.finishedAt} show="exact" />],
  ['Changed', <RunChange key="changed" run={run} />],
  ['To be added', run.toGainCount.toLocaleString()],
  ['To be removed', run.toLoseCount.toLocaleString()],
  ['Matched', run.matchedCount.toLocaleString()],
  ['Excluded', run.excludedCount.toLocaleString()],
  ['Failed for', run.failedCount.toLocaleString()],
  ['Members before the run', run.memberCount.toLocaleString()],
  ['Not undone (changed since)', run.undoesRunId && run.leftAloneCount.toLocaleString()],
  ['Undoes run', run.undoesRunId && <Code key="undoes">{run.undoesRunId}</Code>],
  ['Undone by run', run.undoneByRunId && <Code key="undone">{run.undoneByRunId}</Code>],
  ['Run ID', <Code key="run">{run.id}</Code>],
]
