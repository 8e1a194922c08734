import { Pill } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './filter-pill.module.css'

type FilterPillProps = {
  /** The label of its remove button, for screen readers. */
  removes: string
  onRemove: () => void
  children: ReactNode
}

/** A filter of a list that was chosen by a link or a search, and can be removed. */
export const FilterPill = ({ removes, onRemove, children }: FilterPillProps): ReactNode => (
  <div className={classes.place}>
    <Pill
      size="md"
      className={classes.pill}
      withRemoveButton
      removeButtonProps={{ 'aria-label': removes, tabIndex: 0, 'aria-hidden': false }}
      onRemove={onRemove}
    >
      {children}
    </Pill>
  </div>
)
