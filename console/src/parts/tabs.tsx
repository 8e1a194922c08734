import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './tabs.module.css'

type TabsProps = {
  /** What the tabs belong to, for screen readers. */
  label: string
  tabs: readonly { label: string; to: string; isExact?: boolean }[]
}

const peekPx = 32

/** The parts of a page that have separate addresses: links, so that they work with new tabs, sharing and the back button. */
export function Tabs({ label, tabs }: TabsProps): ReactNode {
  const nav = useRef<HTMLElement>(null)
  // In a narrow window the open tab may be beyond the edge; a part of the next one is shown too, if there is one.
  useEffect(() => {
    const tabsNow = nav.current
    const open = tabsNow?.querySelector<HTMLElement>('[data-status=active]')
    if (!tabsNow || !open) return
    const show = (): void => {
      tabsNow.scrollLeft = open.offsetLeft + open.offsetWidth + peekPx - tabsNow.clientWidth
    }
    const observer = new ResizeObserver(show)
    observer.observe(tabsNow)
    return () => observer.disconnect()
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
