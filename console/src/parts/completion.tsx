import { VisuallyHidden } from '@mantine/core'
import { type ChangeEvent, type KeyboardEvent, type ReactNode, type RefObject, useId, useState } from 'react'
import classes from './completion.module.css'

type Completing = {
  input: RefObject<HTMLTextAreaElement | null>
  /** What can be written, such as `subject.email`, and `.startsWith(` behind it. */
  names: readonly string[]
  value: string
  onChange: (value: string) => void
}

type Offer = { from: number; to: number; names: readonly string[]; at: number }

const offeredMax = 8

/** The name that is being typed before the caret, and what it can become. */
function offerAt(text: string, caret: number, names: readonly string[]): Offer | null {
  const typed = /[A-Za-z_][A-Za-z0-9_.]*$/.exec(text.slice(0, caret))?.[0] ?? ''
  // In the middle of a name nothing is offered: it would be written into it.
  if (typed === '' || /^[A-Za-z0-9_]/.test(text.slice(caret))) return null
  const of = (begun: string): Offer | null => {
    const found = names.filter((name) => name.toLowerCase().startsWith(begun.toLowerCase()) && name !== begun)
    return found.length > 0 ? { from: caret - begun.length, to: caret, names: found.slice(0, offeredMax), at: 0 } : null
  }
  // A field of what is asked about, or else a function behind a dot.
  const dot = typed.lastIndexOf('.')
  return of(typed) ?? (dot > 0 && dot < typed.length - 1 ? of(typed.slice(dot)) : null)
}

/** Offers names while they are typed: by the arrows and Tab or Enter, or by a click. Escape puts the list away. */
export function useCompletion({ input, names, value, onChange }: Completing) {
  const id = useId()
  const [offer, setOffer] = useState<Offer | null>(null)
  const take = (name: string): void => {
    if (!offer) return
    onChange(`${value.slice(0, offer.from)}${name}${value.slice(offer.to)}`)
    setOffer(null)
    const caret = offer.from + name.length
    // After React has written it: else the caret goes to the end.
    requestAnimationFrame(() => {
      input.current?.focus()
      input.current?.setSelectionRange(caret, caret)
    })
  }
  const move = (by: number): void => {
    if (offer) setOffer({ ...offer, at: (offer.at + by + offer.names.length) % offer.names.length })
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => take(offer?.names[offer.at] ?? ''),
    Tab: () => take(offer?.names[offer.at] ?? ''),
    Escape: () => setOffer(null),
  }
  const of = {
    onChange({ currentTarget, nativeEvent }: ChangeEvent<HTMLTextAreaElement>): void {
      onChange(currentTarget.value)
      // What is pasted is whole.
      const isTyped = ['insertText', 'deleteContentBackward'].includes((nativeEvent as InputEvent).inputType)
      setOffer(isTyped ? offerAt(currentTarget.value, currentTarget.selectionStart, names) : null)
    },
    onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
      const act = offer && !event.shiftKey && !event.nativeEvent.isComposing ? keys[event.key] : undefined
      if (!act) return
      event.preventDefault()
      // Escape would close the window that it is in as well.
      event.stopPropagation()
      act()
    },
    onBlur: () => setOffer(null),
    'aria-autocomplete': 'list' as const,
    ...(offer && { 'aria-controls': id, 'aria-activedescendant': `${id}-${offer.at}` }),
  }
  const list: ReactNode = (
    <>
      {offer && (
        <ul id={id} role="listbox" aria-label="Names" className={classes.list}>
          {offer.names.map((name, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
            <li
              key={name}
              id={`${id}-${place}`}
              role="option"
              aria-selected={place === offer.at}
              className={classes.name}
              // Before the field loses the focus, with which the list goes.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(name)}
            >
              {name}
            </li>
          ))}
        </ul>
      )}
      <VisuallyHidden aria-live="polite">
        {offer && `${offer.names.length} names: ${offer.names[offer.at]}`}
      </VisuallyHidden>
    </>
  )
  return { of, list }
}
