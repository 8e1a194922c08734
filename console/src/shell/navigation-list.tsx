import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useSession } from '../client/session.ts'
import { openTo } from './navigation.ts'
import classes from './shell.module.css'

/** The destinations that the caller may go to, by group. */
export function Navigation(): ReactNode {
  const { may } = useSession()
  return [...Map.groupBy(openTo(may), ({ group }) => group)].map(([group, own]) => (
    <Fragment key={group}>
      <h2 className={classes.group}>{group}</h2>
      <ul className={classes.list}>
        {own.map(({ label, to, icon: Icon }) => (
          <li key={to}>
            <Link to={to} className={classes.place}>
              <Icon size={18} stroke={1.6} aria-hidden />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </Fragment>
  ))
}
