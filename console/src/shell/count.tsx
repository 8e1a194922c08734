import type { ReactNode } from 'react'
import { useAttention } from '../client/attention.ts'
import type { Destination } from '../page-data.ts'
import { badgeOf } from './badges.ts'
import classes from './shell.module.css'

/** How much waits at some pages: nothing, if that is zero. */
export function Count({ of }: { of: readonly Destination[] }): ReactNode {
  const items = useAttention().data?.list ?? []
  const badge = badgeOf(
    of.flatMap(({ attention = [] }) => attention),
    items,
  )
  return (
    badge && (
      <span className={of.every(({ isWork }) => isWork) ? classes.waiting : classes.amiss} title={badge.title}>
        {badge.text}
        <span className={classes.unseen}>{badge.unseen}</span>
      </span>
    )
  )
}
