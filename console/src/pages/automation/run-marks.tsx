import { Badge, Group, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AutomationRun } from '#client/api/types.ts'
import classes from './run-marks.module.css'
import { statusWords } from './words.ts'

/** The outcome of a run, or its current state. */
export function RunStatus({ run }: { run: AutomationRun }): ReactNode {
  const [label, color] = statusWords[run.status]
  return (
    <Badge component="span" color={color}>
      {label}
    </Badge>
  )
}

/** How many people were added and removed: `+12 −3`. */
export const RunChange = ({ run: { gainedCount, lostCount } }: { run: AutomationRun }): ReactNode =>
  gainedCount + lostCount === 0 ? (
    <span className={classes.quiet}>None</span>
  ) : (
    <Group component="span" gap={8} display="inline-flex">
      {gainedCount > 0 && (
        <span className={classes.gained}>
          +{gainedCount.toLocaleString()}
          <VisuallyHidden> added</VisuallyHidden>
        </span>
      )}
      {lostCount > 0 && (
        <span className={classes.lost}>
          −{lostCount.toLocaleString()}
          <VisuallyHidden> removed</VisuallyHidden>
        </span>
      )}
    </Group>
  )
