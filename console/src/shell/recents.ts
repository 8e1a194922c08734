import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../client/session.ts'
import { usePageData } from '../parts/pages.ts'

/** A page that was opened lately, by this person in this browser. */
export type Recent = { label: string; to: string }

const keptMax = 8
const keyOf = (userId: string): string => `bailiwick-recents-${userId}`

const isRecent = (each: unknown): each is Recent =>
  typeof (each as Recent | null)?.label === 'string' && typeof (each as Recent).to === 'string'

export function recentsOf(userId: string): Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, keptMax) : []
  } catch {
    return []
  }
}

function remember(userId: string, recent: Recent): void {
  const others = recentsOf(userId).filter(({ to }) => to !== recent.to)
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify([recent, ...others].slice(0, keptMax)))
  } catch {
    // A browser that keeps nothing has no recents.
  }
}

// A page has its title once its data was read; a page that is left sooner does not count as opened.
const settledMs = 1_200

/** Remembers which pages of single things were opened, for Ctrl-K. */
export function useRecents(): void {
  const { pathname } = useLocation()
  const userId = useSession().user?.id ?? ''
  const { isOfOneThing = false } = usePageData()
  useEffect(() => {
    if (userId === '' || !isOfOneThing) return undefined
    const timer = setTimeout(() => {
      const label = document.title.replace(/ · Bailiwick$/, '')
      if (label !== '' && label !== 'Not found') remember(userId, { label, to: pathname })
    }, settledMs)
    return () => clearTimeout(timer)
  }, [pathname, userId, isOfOneThing])
}
