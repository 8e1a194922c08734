import { NativeSelect } from '@mantine/core'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../client/session.ts'
import type { View } from '../page-data.ts'
import { itemsOf, nearest, viewLabels } from '../views.ts'
import { useView } from './chosen-view.ts'
import { Count } from './count.tsx'
import classes from './shell.module.css'

/** The items of the chosen view, each with how much waits there, below the switch between views. */
export function Navigation(): ReactNode {
  const { view } = useView()
  const session = useSession()
  const items = itemsOf(view, useRouter(), session)
  const { pathname } = useLocation()
  // The caller's own page has the address of a user's page.
  const own = `/users/${session.user?.id}`
  const path = pathname === own || pathname.startsWith(`${own}/`) ? '/me' : pathname
  const here = nearest(
    items.flatMap((item) => item.pages.map((page) => ({ ...page, item }))),
    path,
  )
  return (
    <>
      <ViewSwitch />
      <ul className={classes.list}>
        {items.map((item) => {
          const { label, to, icon: Icon, pages } = item
          return (
            <li key={to}>
              <Link
                to={to}
                className={classes.place}
                activeOptions={{ exact: true, includeSearch: false }}
                {...(here?.item === item && { 'data-open': true, 'aria-current': 'true' as const })}
              >
                <Icon size={18} stroke={1.6} aria-hidden />
                {label}
                <Count of={pages} />
              </Link>
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** Only for those who have more than one view. */
function ViewSwitch(): ReactNode {
  const { view, views, choose } = useView()
  if (views.length < 2) return null
  return (
    <NativeSelect
      className={classes.view}
      aria-label="View"
      size="sm"
      data={views.map((value) => ({ value, label: viewLabels[value] }))}
      value={view}
      onChange={({ currentTarget: { value } }) => choose(value as View)}
    />
  )
}
