import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import { Moment } from './moment.tsx'
import { RelativeTime } from './relative-time.tsx'

const soonMs = 7 * 86_400_000

/** Until when something is held; an end within a week is highlighted. */
export function Until({ at }: { at: string | null }): ReactNode {
  if (!at) return <Moment at={null} none="Never" />
  const leftMs = new Date(at).getTime() - Date.now()
  if (leftMs > soonMs || leftMs < 0) return <Moment at={at} show="day" />
  return (
    <Badge color="orange">
      <RelativeTime at={at} />
    </Badge>
  )
}
