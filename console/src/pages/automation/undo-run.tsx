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
        ? `Undone, but for ${done.leftAloneCount.toLocaleString()} that had been changed since`
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
      title="Undo the last run?"
      verb="Undo the run"
      isPending={undo.isPending}
      error={undo.error}
      onConfirm={() => undo.mutate({ path: { ...pathOf(of), run_id: run.id } })}
    >
      The run of <Moment at={run.startedAt} show="seconds" />:{' '}
      {[
        gained > 0 && `${people(gained)} who gained it lose it again`,
        lost > 0 && `${people(lost)} who lost it get it back`,
      ]
        .filter(Boolean)
        .join(', ')}
      . What was changed since then stays as it is. The rule then rests until it is changed or started.
    </Confirm>
  )
}
