import { useQuery } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { signInWays } from '#client/api/operations.ts'
import { read } from '../client/queries.ts'
import { useSession } from '../client/session.ts'
import { useDestinations } from '../parts/pages.ts'
import { Tabs } from '../parts/tabs.tsx'
import { itemsOf, tabsOf } from '../views.ts'
import { useView } from './chosen-view.ts'
import { Count } from './count.tsx'
import classes from './shell.module.css'

/** Above a page of a section: the other pages of the section. Pages of single things have their own tabs. */
export function SectionTabs(): ReactNode {
  const { pathname } = useLocation()
  const { view } = useView()
  const router = useRouter()
  const session = useSession()
  const destinations = useDestinations()
  const at = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  const section = destinations.find(({ to }) => to === at)?.section
  const ways = useQuery({ ...read(signInWays, {}), enabled: section === 'Settings' })
  if (!section) return null
  const tabs = tabsOf(section, destinations).filter((tab) => !tab.isForSingleSignOn || ways.data?.oidc)
  // Where the view has each of the pages as an item, tabs would say the same again.
  const items = new Set(itemsOf(view, router, session).map(({ to, pages }) => (pages.length > 1 ? '' : to)))
  if (tabs.length < 2 || tabs.every(({ to }) => items.has(to))) return null
  return (
    <div className={`${classes.inner} ${classes.section}`}>
      <Tabs
        label={section}
        tabs={tabs.map((tab) => ({
          label: tab.label,
          to: tab.to,
          isExact: true,
          aside: <Count of={[tab, ...tab.parts]} />,
          ...(tab.parts.length > 0 && {
            parts: [{ label: tab.ownPart ?? 'General', to: tab.to, isExact: true }, ...tab.parts],
          }),
        }))}
      />
    </div>
  )
}
