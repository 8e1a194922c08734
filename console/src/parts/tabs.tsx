import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { nearest } from '../views.ts'
import classes from './tabs.module.css'

type Part = { label: string; to: string; isExact?: boolean }
type Tab = Part & {
  /** What stands beside its label, such as a number. */
  aside?: ReactNode
  /** If it has several pages: all of them, with the first at the address of the tab. */
  parts?: readonly Part[]
}

/** One tab of several pages, if there are several; none of none. */
export function grouped(label: string, parts: readonly Part[]): Tab[] {
  const [first, second] = parts
  if (!first) return []
  return [second ? { label, to: first.to, parts } : first]
}

type TabsProps = {
  /** What the tabs belong to, for screen readers. */
  label: string
  tabs: readonly Tab[]
}

const peekPx = 32

/**
 * The parts of a page that have separate addresses: links, so that they work with new tabs, sharing and the back button. A tab with
 * several pages shows them in a second line.
 */
export function Tabs({ label, tabs }: TabsProps): ReactNode {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const pages = tabs.flatMap((tab) => (tab.parts ?? [tab]).map((page) => ({ ...page, tab })))
  const here = nearest(pages, pathname)
  const parts = here?.tab.parts ?? []
  // In a narrow window the open tab may be beyond the edge; a part of the next one is shown too, if there is one.
  useEffect(() => {
    const own = nav.current
    if (!own) return
    const show = (): void => {
      for (const row of own.querySelectorAll<HTMLElement>(':scope > div')) {
        const open = row.querySelector<HTMLElement>('[data-open]')
        if (open) row.scrollLeft = open.offsetLeft + open.offsetWidth + peekPx - row.clientWidth
      }
    }
    const observer = new ResizeObserver(show)
    observer.observe(own)
    return () => observer.disconnect()
  }, [])
  return (
    <nav ref={nav} aria-label={label} className={classes.both}>
      <div className={classes.tabs} data-tabs>
        {tabs.map((tab) => (
          <TabLink key={tab.to} page={tab} className={classes.tab} isOpen={tab === here?.tab}>
            {tab.aside}
          </TabLink>
        ))}
      </div>
      {parts.length > 1 && (
        <div className={classes.parts} data-tabs>
          {parts.map((part) => (
            <TabLink key={part.to} page={part} className={classes.part} isOpen={part.to === here?.to} />
          ))}
        </div>
      )}
    </nav>
  )
}

type TabLinkProps = { page: Part; className: string | undefined; isOpen: boolean; children?: ReactNode }

const TabLink = ({ page: { to, label }, className, isOpen, children }: TabLinkProps): ReactNode => (
  <Link
    to={to}
    className={className}
    activeOptions={{ exact: true, includeSearch: false }}
    {...(isOpen && { 'data-open': true, 'aria-current': 'true' as const })}
  >
    {label}
    {children}
  </Link>
)
