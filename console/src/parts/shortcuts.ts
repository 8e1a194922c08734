import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { isTypingAhead } from './open-search.ts'

/** Whether single-key shortcuts are on: WCAG 2.2, 2.1.4, requires that they can be turned off. */
export const useShortcutsOn = () =>
  useLocalStorage({ key: 'bailiwick-shortcuts', defaultValue: true, getInitialValueInEffect: false })

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, input:not([type=checkbox]):not([type=radio])') ||
    target.closest('[role=dialog], [role=listbox]') !== null)

/** A single key without modifiers, pressed while nobody types and no window is open. */
export const isShortcut = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !(event.ctrlKey || event.metaKey || event.altKey) &&
  !event.isComposing &&
  !isTyping(event.target) &&
  !isTypingAhead() &&
  document.querySelector('[role=dialog], [role=menu]') === null

/**
 * Handles single keys, while nobody types and no window is open. A handler that returns false leaves the key to the browser.
 */
export function useShortcuts(handlers: Readonly<Record<string, () => unknown>>): void {
  const [isOn] = useShortcutsOn()
  const latest = useRef(handlers)
  latest.current = handlers
  useEffect(() => {
    if (!isOn) return undefined
    const onKey = (event: KeyboardEvent): void => {
      if (!isShortcut(event)) return
      const handler = latest.current[event.key]
      if (handler && handler() !== false) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isOn])
}

/** Shows the list of shortcuts: callers need not know which component shows it. */
export const openShortcuts = (): void => {
  window.dispatchEvent(new Event('open-shortcuts'))
}
