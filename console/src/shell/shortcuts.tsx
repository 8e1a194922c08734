import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { openSearch } from '../parts/open-search.ts'
import { useDestinations, usePageData } from '../parts/pages.ts'
import { isShortcut, openShortcuts, useShortcutsOn } from '../parts/shortcuts.ts'

const Help = lazy(() => import('./shortcuts-help.tsx').then(({ ShortcutsHelp }) => ({ default: ShortcutsHelp })))

/** How long the second key of two may take. */
const waitMs = 1_500

/** The search field of the list on the page, else the search of everything. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main [role=search] input[type=search]')
  if (field) field.focus()
  else openSearch()
}

/** The rows of the list on the page; a page with its own keys handles its own rows. */
const rowsHere = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main [data-list] tbody > tr')]

function moveBy(step: 1 | -1): boolean {
  const rows = rowsHere()
  if (rows.length === 0) return false
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + step, 0), rows.length - 1)]
  const target = next?.querySelector<HTMLElement>('th a') ?? next?.querySelector<HTMLElement>('th')
  target?.focus()
  return target !== undefined && target !== null
}

function toggleRow(): boolean {
  const row = rowsHere().find((each) => each.contains(document.activeElement))
  const box = row?.querySelector<HTMLInputElement>('input[type=checkbox]')
  box?.click()
  return box !== undefined && box !== null
}

/** Single-key shortcuts for all pages. They are listed in keys.ts; those that open a page, with its route. */
export function Shortcuts(): ReactNode {
  const [isOn] = useShortcutsOn()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const navigate = useNavigate()
  const destinations = useDestinations()
  const { hasOwnKeys } = usePageData()
  const latest = useRef({ navigate, destinations, hasOwnKeys })
  latest.current = { navigate, destinations, hasOwnKeys }
  useEffect(() => {
    const open = (): void => setHelpOpen(true)
    window.addEventListener('open-shortcuts', open)
    return () => window.removeEventListener('open-shortcuts', open)
  }, [])
  useEffect(() => {
    if (!isOn) return undefined
    let isGoing = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const go = (key: string): boolean => {
      const to = latest.current.destinations.find((each) => each.key === key)?.to
      if (!to) return false
      void latest.current.navigate({ to })
      return true
    }
    const handle = (key: string): boolean => {
      if (isGoing) {
        isGoing = false
        return go(key)
      }
      if (key === 'g') {
        isGoing = true
        clearTimeout(timer)
        timer = setTimeout(() => {
          isGoing = false
        }, waitMs)
        return true
      }
      if (key === '/') focusSearch()
      else if (key === '?') openShortcuts()
      else if (latest.current.hasOwnKeys) return false
      else if (key === 'j') return moveBy(1)
      else if (key === 'k') return moveBy(-1)
      else if (key === 'x') return toggleRow()
      else return false
      return true
    }
    const onKey = (event: KeyboardEvent): void => {
      if (!isShortcut(event) || event.key === 'Shift') return
      const wasGoing = isGoing
      // The second of two keys belongs to these shortcuts, also if a page uses it as a single key.
      if (handle(event.key) || wasGoing) {
        event.preventDefault()
        event.stopImmediatePropagation()
      }
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('keydown', onKey, { capture: true })
    }
  }, [isOn])
  return <Suspense>{isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}</Suspense>
}
