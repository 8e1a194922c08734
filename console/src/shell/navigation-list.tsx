import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { driftCount, taskInboxGet } from '#client/api/operations.ts'
import { useNoApprover } from '../client/no-approver.ts'
import { read } from '../client/queries.ts'
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
        {own.map(({ label, to, icon: Icon, isExact, counts }) => (
          <li key={to}>
            <Link to={to} className={classes.place} activeOptions={{ exact: isExact ?? false, includeSearch: false }}>
              <Icon size={18} stroke={1.6} aria-hidden />
              {label}
              {counts === 'inbox' && <Count />}
              {counts === 'no approver' && <NoApprover />}
              {counts === 'drift' && <Differences />}
            </Link>
          </li>
        ))}
      </ul>
    </Fragment>
  ))
}

const againMs = 60_000

/** How much waits for the caller. */
function Count(): ReactNode {
  const { data } = useQuery({ ...read(taskInboxGet, {}), staleTime: againMs, refetchInterval: againMs })
  if (!data || data.total === 0) return null
  return (
    <span className={classes.waiting}>
      {data.total.toLocaleString()}
      {data.isMore && '+'}
    </span>
  )
}

/** How much can be requested that nobody can decide. People without a manager do not count: somebody is at the top. */
function NoApprover(): ReactNode {
  const { forEveryone: count } = useNoApprover(againMs)
  if (!count) return null
  return (
    <span className={classes.amiss} title={`${count} entitlements have no approver`}>
      {count}
      <span className={classes.unseen}> without an approver</span>
    </span>
  )
}

/** How much apps differ from the record. */
function Differences(): ReactNode {
  const { data } = useQuery({ ...read(driftCount, {}), staleTime: againMs, refetchInterval: againMs })
  if (!data?.total) return null
  return (
    <span className={classes.amiss} title={`${data.total.toLocaleString()} differences between apps and grants`}>
      {data.total.toLocaleString()}
      <span className={classes.unseen}> differences</span>
    </span>
  )
}
