import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ScimDirectory } from '../../api/types.ts'

/** Whether deactivations wait, or the last request was refused; what is usual is not marked. */
export function DirectoryState({ directory }: { directory: ScimDirectory }): ReactNode {
  const { heldSince, heldCount, lastRequestAt, lastErrorAt } = directory
  if (heldSince || heldCount > 0)
    return (
      <Badge component="span" color="red">
        {heldCount.toLocaleString()} held
      </Badge>
    )
  if (!lastRequestAt) return 'Not connected yet'
  if (lastErrorAt)
    return (
      <Badge component="span" color="orange">
        Refusals
      </Badge>
    )
  return 'Connected'
}
