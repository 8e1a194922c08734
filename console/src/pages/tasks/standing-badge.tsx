import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SeenTask } from './seen-task.ts'
import { standing } from './words.ts'

/** The state of a task. */
export function StandingBadge({ seen }: { seen: Pick<SeenTask, 'task'> }): ReactNode {
  const [label, color] = standing(seen)
  return (
    <Badge component="span" color={color}>
      {label}
    </Badge>
  )
}
