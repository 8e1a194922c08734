import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import classes from '../../parts/list-selection.module.css'
import { keyOfItem, type Requestable } from './catalog.ts'

/** How many the API takes at once. */
const atOnceMax = 20

/** What the caller has chosen to request together. Searching for something else keeps it. */
export function useSeveral() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Requestable>>(new Map())
  const remove = (items: readonly Requestable[]): void =>
    setChosen((before) => {
      const gone = new Set(items.map(keyOfItem))
      return new Map([...before].filter(([key]) => !gone.has(key)))
    })
  return {
    items: [...chosen.values()],
    isFull: chosen.size >= atOnceMax,
    has: (item: Requestable): boolean => chosen.has(keyOfItem(item)),
    toggle: (item: Requestable): void =>
      chosen.has(keyOfItem(item)) ? remove([item]) : setChosen(new Map([...chosen, [keyOfItem(item), item]])),
    remove,
    clear: () => setChosen(new Map()),
  }
}
export type Several = ReturnType<typeof useSeveral>

export const SeveralBar = ({ several, onAsk }: { several: Several; onAsk: () => void }): ReactNode =>
  several.items.length > 0 && (
    <section className={classes.bar} aria-label="Chosen entitlements">
      <span className={classes.count} aria-live="polite">
        {several.items.length.toLocaleString()} chosen{several.isFull && `, which is the maximum`}
      </span>
      <div className={classes.actions}>
        <Button size="xs" onClick={onAsk}>
          Request them
        </Button>
      </div>
      <Button size="xs" variant="subtle" onClick={several.clear}>
        Clear
      </Button>
    </section>
  )
