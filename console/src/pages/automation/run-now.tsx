import { Button } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { appEntitlementsRunAutomation } from '../../api/operations.ts'
import { useChange } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { afterRule, type Of, pathOf } from './reads.ts'

type RunNowProps = { of: Of; isDisabled?: boolean; size?: 'xs' | 'sm' }

/** Starts a run over everyone. */
export function RunNow({ of, isDisabled = false, size = 'sm' }: RunNowProps): ReactNode {
  const run = useChange(appEntitlementsRunAutomation, { changes: afterRule, done: 'Started a run' })
  return (
    <>
      <Button
        size={size}
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
