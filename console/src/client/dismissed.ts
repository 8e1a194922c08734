import { useState } from 'react'

/**
 * Whether the caller has closed a notice, in this browser: it is a matter of the screen, not of the record. In another browser the
 * notice comes again, as long as there is reason for it.
 */
export function useDismissed(notice: string, userId: string): readonly [isDismissed: boolean, dismiss: () => void] {
  const key = `bailiwick-dismissed ${notice} ${userId}`
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(key) !== null)
  const dismiss = (): void => {
    localStorage.setItem(key, new Date().toISOString())
    setDismissed(true)
  }
  return [isDismissed, dismiss]
}
