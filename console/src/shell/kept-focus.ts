import { useEffect } from 'react'

/** Where the focus last was on the page, except in windows over it. */
type Place = {
  element: Element
  /** The list that it was in, and the row. */
  list: Element | null
  row: number
  path: string
}

const listOf = (element: Element): Element | null => element.closest('[data-list]')

function placeOf(element: Element): Place {
  const row = element.closest('tbody > tr')
  const rows = row?.parentElement ? [...row.parentElement.children] : []
  return { element, list: row && listOf(row), row: row ? rows.indexOf(row) : -1, path: location.pathname }
}

/** The row that has taken the place of a removed one; the page's title if there is none. */
function nextTo({ list, row }: Place): HTMLElement | null {
  const names = list?.isConnected ? list.querySelectorAll<HTMLElement>('tbody > tr > th') : []
  return names[Math.min(row, names.length - 1)] ?? document.querySelector('main h1')
}

/**
 * When the focused element is removed by an action (a deleted row, a removed filter), the browser moves the focus to the top
 * of the window. This keeps it at the same place on the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let place: Place | null = null
    const remember = ({ target }: Event): void => {
      if (!(target instanceof Element) || target.closest('[role=dialog]')) return
      place = target.closest('main') ? placeOf(target) : null
    }
    // A press on an element that takes no focus leaves the place; if it takes the focus, it is remembered next. An element
    // that already has the focus gets no second event.
    const forget = ({ target }: Event): void => {
      if (!(target instanceof Element) || target.closest('[role=dialog]')) return
      const isFocused = place?.element === document.activeElement && place?.element.contains(target)
      if (!isFocused) place = null
    }
    const keep = (): void => {
      const isLost = document.activeElement === null || document.activeElement === document.body
      if (!place || !isLost || place.element.isConnected) return
      const target = place.path === location.pathname ? nextTo(place) : null
      place = null
      target?.focus({ preventScroll: target.tagName === 'H1' })
    }
    // Removing the row, or the window that asked about it, is a change of the page.
    const observer = new MutationObserver(keep)
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', remember)
    document.addEventListener('pointerdown', forget)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', remember)
      document.removeEventListener('pointerdown', forget)
    }
  }, [])
}
