import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ScimDirectory } from '#client/api/types.ts'

const dayMs = 86_400_000

/** Whether deactivations wait, or a request was refused within a day; what is usual is not marked. */
export function DirectoryState({ directory }: { directory: ScimDirectory }): ReactNode {
  const { heldSince, heldCount, lastRequestAt, lastErrorAt } = directory
  if (heldSince || heldCount > 0)
    return (
      <Badge component="span" color="red">
        {heldCount.toLocaleString()} held
      </Badge>
    )
  if (!lastRequestAt) return 'Not connected yet'
  if (lastErrorAt && Date.now() - Date.parse(lastErrorAt) < dayMs)
    return (
      <Badge component="span" color="orange">
        Refusals
      </Badge>
    )
  return 'Connected'
}
