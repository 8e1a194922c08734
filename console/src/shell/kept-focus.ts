import { useEffect } from 'react'

/** Where the focus last was on the page, windows over it aside. */
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

/** The row that has taken the place of one that is gone; the page's title where there is none. */
function nextTo({ list, row }: Place): HTMLElement | null {
  const names = list?.isConnected ? list.querySelectorAll<HTMLElement>('tbody > tr > th') : []
  return names[Math.min(row, names.length - 1)] ?? document.querySelector('main h1')
}

/**
 * When what had the focus goes away with what was done (a row that was deleted, a filter that was taken off), the browser
 * lets the focus fall to the top of the window. Here it stays where one was.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let place: Place | null = null
    const remember = ({ target }: Event): void => {
      if (!(target instanceof Element) || target.closest('[role=dialog]')) return
      place = target.closest('main') ? placeOf(target) : null
    }
    // Who presses on what takes no focus has left the place; where it takes one, it is remembered next. What has the focus already is not
    // told of it again.
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
    // Whatever takes it away, the row or the window that asked about it, is a change of the page.
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
