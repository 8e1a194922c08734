import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Subscription } from '#client/api/types.ts'

const looks: Readonly<Record<string, readonly [label: string, color: string]>> = {
  SUBSCRIPTION_STATE_PAUSED: ['Paused', 'orange'],
  SUBSCRIPTION_STATE_ENDED: ['Ended', 'red'],
}

/** What is usual is not marked. */
export function SubscriptionState({ of }: { of: Pick<Subscription, 'state' | 'failedAttempts'> }): ReactNode {
  const isFailing = of.state === 'SUBSCRIPTION_STATE_ACTIVE' && of.failedAttempts > 0
  const look = isFailing ? (['Failing', 'red'] as const) : looks[of.state]
  if (!look) return 'Active'
  return (
    <Badge component="span" color={look[1]}>
      {look[0]}
    </Badge>
  )
}

const behindMax = 10_000

export const behindText = (count: number): string =>
  count >= behindMax ? `${behindMax.toLocaleString()} or more` : count.toLocaleString()
