import { Button } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { appEntitlementsRunAutomation } from '#client/api/operations.ts'
import { useChange } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { afterRule, type Of, pathOf } from './reads.ts'

type RunNowProps = { of: Of; isDisabled: boolean }

/** Starts a run over everyone. */
export function RunNow({ of, isDisabled }: RunNowProps): ReactNode {
  const run = useChange(appEntitlementsRunAutomation, { changes: afterRule, done: 'Started a run' })
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        disabled={isDisabled}
        loading={run.isPending}
        onClick={() => run.mutate({ path: pathOf(of) })}
      >
        Run now
      </Button>
      <ErrorNote error={run.error} title="The rule was not started" />
    </>
  )
}
