import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import classes from './list-selection.module.css'

/** What can be done with the selected rows of a list. */
export type Selection<Row> = {
  /** The buttons of the bar that is shown while rows are selected. `clear` clears the selection. */
  actions: (chosen: readonly Row[], clear: () => void) => ReactNode
  /** The name of a row, for its checkbox. */
  labelOf: (row: Row) => string
}

export type Chosen<Row> = {
  rows: readonly Row[]
  has: (row: Row) => boolean
  toggle: (rows: readonly Row[], isChosen: boolean) => void
  clear: () => void
}

type Kept<Row> = { scope: string; rows: ReadonlyMap<string, Row> }

/**
 * The selected rows, over all pages of one search: another filter clears the selection, so that only rows in the list are
 * selected.
 */
export function useChosen<Row>(keyOf: (row: Row) => string, scope: string): Chosen<Row> {
  const [kept, setKept] = useState<Kept<Row>>({ scope, rows: new Map() })
  const rows: ReadonlyMap<string, Row> = kept.scope === scope ? kept.rows : new Map()
  return {
    rows: [...rows.values()],
    has: (row) => rows.has(keyOf(row)),
    toggle(which, isChosen) {
      const next = new Map(rows)
      for (const row of which)
        if (isChosen) next.set(keyOf(row), row)
        else next.delete(keyOf(row))
      setKept({ scope, rows: next })
    },
    clear: () => setKept({ scope, rows: new Map() }),
  }
}

type SelectionBarProps<Row> = { chosen: Chosen<Row>; actions: Selection<Row>['actions'] }

/** Stays in sight at the end of the list while rows are selected. */
export const SelectionBar = <Row,>({ chosen: { rows, clear }, actions }: SelectionBarProps<Row>): ReactNode =>
  rows.length > 0 && (
    <section className={classes.bar} aria-label="Selection">
      <span className={classes.count} aria-live="polite">
        {rows.length.toLocaleString()} selected
      </span>
      <div className={classes.actions}>{actions(rows, clear)}</div>
      <Button size="xs" variant="subtle" onClick={clear}>
        Clear selection
      </Button>
    </section>
  )
