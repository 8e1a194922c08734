import { VisuallyHidden } from '@mantine/core'
import { type ChangeEvent, type KeyboardEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import classes from './completion.module.css'
import { isInText, type ValuePlace, valuePlaceAt, written } from './value-place.ts'

/** A value of the data, by the name that people know it by. */
export type KnownValue = { value: string; label: string; about: string }
export type FindValues = (place: ValuePlace) => Promise<readonly KnownValue[]>

type Completing = {
  input: RefObject<HTMLTextAreaElement | null>
  /** What can be written, such as `subject.email`, and `.startsWith(` behind it. */
  names: readonly string[]
  /** Finds the possible values of a text, such as the existing departments. */
  values?: FindValues | undefined
  value: string
  onChange: (value: string) => void
}

type Item = { text: string; label: string; about: string }
type Offer = { from: number; to: number; items: readonly Item[]; at: number }

const offeredMax = 8
const pauseMs = 120

/** The name that is being typed before the caret, and what it can become. */
function namesAt(text: string, caret: number, names: readonly string[]): Offer | null {
  const typed = /[A-Za-z_][A-Za-z0-9_.]*$/.exec(text.slice(0, caret))?.[0] ?? ''
  // In the middle of a name nothing is offered: it would be written into it. In a text, it is no name.
  if (typed === '' || /^[A-Za-z0-9_]/.test(text.slice(caret)) || isInText(text, caret)) return null
  const of = (begun: string): Offer | null => {
    const found = names.filter((name) => name.toLowerCase().startsWith(begun.toLowerCase()) && name !== begun)
    const items = found.slice(0, offeredMax).map((name) => ({ text: name, label: name, about: '' }))
    return items.length > 0 ? { from: caret - begun.length, to: caret, items, at: 0 } : null
  }
  // A field of what is asked about, or else a function behind a dot.
  const dot = typed.lastIndexOf('.')
  return of(typed) ?? (dot > 0 && dot < typed.length - 1 ? of(typed.slice(dot)) : null)
}

/** What was found for a text, as it is written there; the quote behind it is written too, where there is none. */
function valuesAt(text: string, caret: number, place: ValuePlace, found: readonly KnownValue[]): Offer | null {
  const end = text.startsWith(place.quote, caret) ? '' : place.quote
  const items = found
    .slice(0, offeredMax)
    .map(({ value, label, about }) => ({ text: `${written(value, place.quote)}${end}`, label, about }))
  return items.length > 0 ? { from: place.from, to: caret, items, at: 0 } : null
}

/** Offers names and values while they are typed: by the arrows and Tab or Enter, or by a click. Escape hides the list. */
export function useCompletion({ input, names, values, value, onChange }: Completing) {
  const id = useId()
  const [offer, setOffer] = useState<Offer | null>(null)
  const asking = useRef(0)
  const hide = (): void => {
    asking.current += 1
    setOffer(null)
  }
  /** What is found is offered only while nothing else was typed. */
  const offerValues = (text: string, caret: number, place: ValuePlace): void => {
    const mine = ++asking.current
    const isLatest = (): boolean => mine === asking.current
    setTimeout(() => {
      if (!values || !isLatest()) return
      void values(place).then(
        (found) => isLatest() && setOffer(valuesAt(text, caret, place, found)),
        // A failure to load suggestions should not interrupt typing.
        () => isLatest() && setOffer(null),
      )
    }, pauseMs)
  }
  const offerAt = (text: string, caret: number): void => {
    hide()
    const place = values ? valuePlaceAt(text, caret) : null
    if (place) offerValues(text, caret, place)
    else setOffer(namesAt(text, caret, names))
  }
  const take = (item: Item | undefined): void => {
    if (!offer || !item) return
    onChange(`${value.slice(0, offer.from)}${item.text}${value.slice(offer.to)}`)
    hide()
    const caret = offer.from + item.text.length
    // After React has written it: otherwise the caret moves to the end.
    requestAnimationFrame(() => {
      input.current?.focus()
      input.current?.setSelectionRange(caret, caret)
    })
  }
  const move = (by: number): void => {
    if (offer) setOffer({ ...offer, at: (offer.at + by + offer.items.length) % offer.items.length })
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => take(offer?.items[offer.at]),
    Tab: () => take(offer?.items[offer.at]),
    Escape: hide,
  }
  const of = {
    onChange({ currentTarget, nativeEvent }: ChangeEvent<HTMLTextAreaElement>): void {
      onChange(currentTarget.value)
      // What is pasted is whole.
      const isTyped = ['insertText', 'deleteContentBackward'].includes((nativeEvent as InputEvent).inputType)
      if (isTyped) offerAt(currentTarget.value, currentTarget.selectionStart)
      else hide()
    },
    onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
      const act = offer && !event.shiftKey && !event.nativeEvent.isComposing ? keys[event.key] : undefined
      if (!act) return
      event.preventDefault()
      // Escape would close the window that it is in as well.
      event.stopPropagation()
      act()
    },
    onBlur: hide,
    'aria-autocomplete': 'list' as const,
    ...(offer && { 'aria-controls': id, 'aria-activedescendant': `${id}-${offer.at}` }),
  }
  const list = <Offered id={id} offer={offer} onTake={take} />
  return { of, list }
}

type OfferedProps = { id: string; offer: Offer | null; onTake: (item: Item) => void }

/** The list below the field. */
const Offered = ({ id, offer, onTake }: OfferedProps): ReactNode => (
  <>
    {offer && (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- the list of a combobox
      <ul id={id} role="listbox" aria-label="Names" className={classes.list}>
        {offer.items.map((item, place) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are those of the field, which keeps the focus
          <li
            key={item.text}
            id={`${id}-${place}`}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- an option of a combobox
            role="option"
            aria-selected={place === offer.at}
            className={classes.name}
            // Before the field loses the focus, which closes the list.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onTake(item)}
          >
            {item.label}
            {item.about && <span className={classes.about}> {item.about}</span>}
          </li>
        ))}
      </ul>
    )}
    <VisuallyHidden aria-live="polite">
      {offer && `${offer.items.length} names: ${offer.items[offer.at]?.label ?? ''}`}
    </VisuallyHidden>
  </>
)
