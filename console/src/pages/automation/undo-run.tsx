import { Checkbox, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { appEntitlementsListAutomationVersions, appEntitlementsUndoAutomationRun } from '#client/api/operations.ts'
import type { AutomationRun, AutomationState } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Moment } from '../../parts/moment.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { afterRule, type Of, pathOf } from './reads.ts'
import { people } from './words.ts'

type UndoRunProps = {
  of: Of
  run: AutomationRun
  state: AutomationState
  opened: boolean
  onClose: () => void
}

/** Runs that the rule itself was the reason for: without another rule, the next one would do the same. */
const causedByRule: readonly AutomationRun['cause'][] = [
  'AUTOMATION_RUN_CAUSE_SAVED',
  'AUTOMATION_RUN_CAUSE_APPLY',
  'AUTOMATION_RUN_CAUSE_RELEASE',
]

/** The version that the rule can be restored to when a run is undone; null where there is none. */
function useVersionBefore(of: Of, run: AutomationRun, state: AutomationState): number | null {
  const { data } = useQuery(read(appEntitlementsListAutomationVersions, { path: pathOf(of), query: { page_size: 10 } }))
  if (state.ruleVersion !== run.ruleVersion) return null
  return data?.list.find(({ version }) => version < run.ruleVersion)?.version ?? null
}

/** Asks before the last run is undone. */
export function UndoRun({ of, run, state, opened, onClose }: UndoRunProps): ReactNode {
  const earlier = useVersionBefore(of, run, state)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const [reason, setReason] = useState('')
  const restoreRule = earlier !== null && (chosen ?? causedByRule.includes(run.cause))
  const undo = useChange(appEntitlementsUndoAutomationRun, {
    changes: afterRule,
    done: ({ run: done }) =>
      done?.leftAloneCount
        ? `Undone, except ${done.leftAloneCount.toLocaleString()} that have changed since`
        : 'Undone',
    onDone: onClose,
  })
  const { gainedCount: gained, lostCount: lost } = run
  return (
    <Confirm
      opened={opened}
      onClose={() => {
        undo.reset()
        onClose()
      }}
      title="Undo last run?"
      verb="Undo run"
      isPending={undo.isPending}
      error={undo.error}
      onConfirm={() =>
        undo.mutate({ path: { ...pathOf(of), run_id: run.id }, body: { restoreRule, reason: reason.trim() } })
      }
    >
      <Stack gap="sm">
        <div>
          Run of <Moment at={run.startedAt} show="exact" />:{' '}
          {[
            gained > 0 && `${people(gained)} added by the run will be removed`,
            lost > 0 && `${people(lost)} removed by the run will be added again`,
          ]
            .filter(Boolean)
            .join(', ')}
          . Later changes are kept.
          {!restoreRule && ' The rule is then paused until you edit it or start a run.'}
        </div>
        {earlier !== null && (
          <Checkbox
            label={`Also restore the rule to version ${earlier}`}
            description={`The run used version ${run.ruleVersion}. If you keep that version, the next run makes the same changes again.`}
            checked={restoreRule}
            onChange={({ currentTarget }) => setChosen(currentTarget.checked)}
          />
        )}
        <ReasonField value={reason} onChange={setReason} />
      </Stack>
    </Confirm>
  )
}
