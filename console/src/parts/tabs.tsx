import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './tabs.module.css'

type TabsProps = {
  /** What the tabs are of, for those who hear the page. */
  label: string
  tabs: readonly { label: string; to: string; isExact?: boolean }[]
}

/** The parts of a page that have addresses of their own: links, so that they can be opened, shared and gone back to. */
export function Tabs({ label, tabs }: TabsProps): ReactNode {
  const nav = useRef<HTMLElement>(null)
  // In a narrow window the one that is open may lie beyond the edge.
  useEffect(() => {
    const open = nav.current?.querySelector<HTMLElement>('[data-status=active]')
    if (nav.current && open) nav.current.scrollLeft = open.offsetLeft + open.offsetWidth - nav.current.clientWidth
  }, [])
  return (
    <nav ref={nav} aria-label={label} className={classes.tabs}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          activeOptions={{ exact: tab.isExact ?? false, includeSearch: false }}
          className={classes.tab}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
