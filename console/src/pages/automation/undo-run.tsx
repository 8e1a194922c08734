import type { ReactNode } from 'react'
import { appEntitlementsUndoAutomationRun } from '#client/api/operations.ts'
import type { AutomationRun } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Moment } from '../../parts/moment.tsx'
import { afterRule, type Of, pathOf } from './reads.ts'
import { people } from './words.ts'

type UndoRunProps = { of: Of; run: AutomationRun; opened: boolean; onClose: () => void }

/** Asks before the last run is undone. */
export function UndoRun({ of, run, opened, onClose }: UndoRunProps): ReactNode {
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
      onConfirm={() => undo.mutate({ path: { ...pathOf(of), run_id: run.id } })}
    >
      Run of <Moment at={run.startedAt} show="seconds" />:{' '}
      {[
        gained > 0 && `${people(gained)} added by the run will be removed`,
        lost > 0 && `${people(lost)} removed by the run will be added again`,
      ]
        .filter(Boolean)
        .join(', ')}
      . Later changes are kept. The rule is then paused until you edit it or start a run.
    </Confirm>
  )
}
