import { spotlight } from '@mantine/spotlight'

/** How long keys are kept: if the search cannot be loaded, the page gets its keys again. */
const keptMs = 10_000

type Ahead = { text: string; isEntered: boolean }
const nothing: Ahead = { text: '', isEntered: false }

let ahead = nothing
let stop: (() => void) | null = null

const isText = (event: KeyboardEvent): boolean =>
  event.key.length === 1 && (event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey || event.altKey))

/** The text after another key; null for keys that are not for the search. */
function withKey(before: Ahead, event: KeyboardEvent): Ahead | null {
  if (event.isComposing) return null
  if (before.isEntered) return before
  if (isText(event)) return { ...before, text: before.text + event.key }
  if (event.key === 'Backspace') return { ...before, text: before.text.slice(0, -1) }
  return event.key === 'Enter' ? { ...before, isEntered: true } : null
}

/** Opens the search of everything. Keys that are pressed before its field is shown are kept for it. */
export function openSearch(): void {
  spotlight.open()
  window.dispatchEvent(new Event('open-search'))
  if (stop) return
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      spotlight.close()
      takeTyped()
      return
    }
    const next = withKey(ahead, event)
    if (!next) return
    ahead = next
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const timer = setTimeout(takeTyped, keptMs)
  window.addEventListener('keydown', onKey, { capture: true })
  stop = () => {
    clearTimeout(timer)
    window.removeEventListener('keydown', onKey, { capture: true })
  }
}

/** Whether keys are kept for the search: they are not shortcuts. */
export const isTypingAhead = (): boolean => stop !== null

/** The text that was typed since the search was opened. From then on its field gets the keys. */
export function takeTyped(): Ahead {
  const taken = ahead
  stop?.()
  stop = null
  ahead = nothing
  return taken
}
