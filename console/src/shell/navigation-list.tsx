import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useAttention } from '../client/attention.ts'
import { useDestinations } from '../parts/pages.ts'
import { type Badge, badgeOf } from './badges.ts'
import classes from './shell.module.css'

/** The destinations that the caller may go to, by group, each with how much waits there. */
export function Navigation(): ReactNode {
  const destinations = useDestinations()
  const items = useAttention().data?.list ?? []
  return [...Map.groupBy(destinations, ({ group }) => group)].map(([group, own]) => (
    <Fragment key={group}>
      <h2 className={classes.group}>{group}</h2>
      <ul className={classes.list}>
        {own.map(({ label, to, icon: Icon, isExact, attention, isWork }) => (
          <li key={to}>
            <Link to={to} className={classes.place} activeOptions={{ exact: isExact ?? false, includeSearch: false }}>
              <Icon size={18} stroke={1.6} aria-hidden />
              {label}
              <Count badge={badgeOf(attention ?? [], items)} isWork={isWork ?? false} />
            </Link>
          </li>
        ))}
      </ul>
    </Fragment>
  ))
}

const Count = ({ badge, isWork }: { badge: Badge | null; isWork: boolean }): ReactNode =>
  badge && (
    <span className={isWork ? classes.waiting : classes.amiss} title={badge.title}>
      {badge.text}
      <span className={classes.unseen}>{badge.unseen}</span>
    </span>
  )
