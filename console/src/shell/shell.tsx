import { Burger, Kbd } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { Link, Outlet, useLocation, useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useSession } from '../client/session.ts'
import { SidePanel } from '../parts/dialog.tsx'
import { openSearch } from '../parts/open-search.ts'
import { useLacking } from '../parts/pages.ts'
import { FreshSignIn } from './fresh-sign-in.tsx'
import { HelpMenu } from './help-menu.tsx'
import { useKeptFocus } from './kept-focus.ts'
import { Navigation } from './navigation-list.tsx'
import { NotForYou } from './not-for-you.tsx'
import { PastBar } from './past-bar.tsx'
import { useRecents } from './recents.ts'
import { SchemeToggle } from './scheme-toggle.tsx'
import classes from './shell.module.css'
import { Shortcuts } from './shortcuts.tsx'
import { UserMenu } from './user-menu.tsx'

// Needed once someone searches: it stays out of the way of the first page.
const Search = lazy(() => import('./search.tsx').then(({ Search: component }) => ({ default: component })))

/** After so long it is loaded, idle or not. */
const idleMs = 2_000

const isMac = /Mac|iP(?:hone|ad)/.test(navigator.userAgent)

/** Header, navigation, and the page in the middle. */
export function Shell(): ReactNode {
  const { tenantDomain } = useSession()
  const [isOpen, drawer] = useDisclosure(false)
  const { pathname } = useLocation()
  const settledAt = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname ?? pathname })
  // Also during navigation: neither the page that is left nor the one that is opened may be read without permission.
  const lackingFor = useLacking()
  const lacks = lackingFor(pathname) ?? lackingFor(settledAt)
  // Here, and not with the search itself: the keys may be pressed before that is loaded.
  useHotkeys([['mod+K', openSearch]], [])
  // oxlint-disable-next-line react/exhaustive-deps -- closed by each page that is opened
  useEffect(drawer.close, [pathname])
  useKeptFocus()
  useRecents()

  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <header className={classes.header}>
        <Burger
          className={classes.burger}
          size="sm"
          opened={isOpen}
          onClick={drawer.toggle}
          aria-label="Navigation"
          aria-expanded={isOpen}
        />
        <Link to="/" className={classes.brand}>
          <img src="/favicon.svg" alt="" />
          <span>Bailiwick</span>
        </Link>
        <div className={classes.tenant} title={tenantDomain}>
          {tenantDomain}
        </div>
        <button type="button" className={classes.search} onClick={openSearch}>
          <IconSearch size={16} aria-hidden />
          <span>Search</span>
          <Kbd size="xs" aria-hidden>
            {isMac ? '⌘ K' : 'Ctrl K'}
          </Kbd>
        </button>
        <HelpMenu />
        <SchemeToggle />
        <UserMenu />
      </header>
      <nav className={classes.side} aria-label="Main">
        <Navigation />
      </nav>
      <SidePanel opened={isOpen} onClose={drawer.close} side="left" size="17rem" title="Bailiwick">
        <nav aria-label="Main">
          <Navigation />
        </nav>
      </SidePanel>
      <main className={classes.main} id="main" tabIndex={-1}>
        <div className={classes.inner}>
          <PastBar />
          {lacks ? <NotForYou permission={lacks} /> : <Outlet />}
        </div>
      </main>
      <FreshSignIn />
      <Shortcuts />
      <SearchWhenIdle />
    </div>
  )
}

/** The search, loaded when the browser has nothing else to do, or when someone opens it before. */
function SearchWhenIdle(): ReactNode {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    const want = (): void => setWanted(true)
    window.addEventListener('open-search', want)
    return () => window.removeEventListener('open-search', want)
  }, [])
  useEffect(() => {
    // Safari has no such call.
    if (typeof requestIdleCallback === 'undefined') {
      const timer = setTimeout(() => setWanted(true), idleMs)
      return () => clearTimeout(timer)
    }
    const idle = requestIdleCallback(() => setWanted(true), { timeout: idleMs })
    return () => cancelIdleCallback(idle)
  }, [])
  return <Suspense>{isWanted && <Search />}</Suspense>
}
