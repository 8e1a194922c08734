import type { ReactNode } from 'react'
import { type RowAction, RowActions } from '../../parts/row-actions.tsx'
import classes from './policy-page.module.css'

type NumberedItemProps = {
  place: number
  title: ReactNode
  /** What can be done with it; null if it is read-only. */
  actions: readonly RowAction[] | null
  children: ReactNode
}

/** One of several steps or rules whose order counts. */
export const NumberedItem = ({ place, title, actions, children }: NumberedItemProps): ReactNode => (
  <li className={classes.step}>
    <div className={classes.stepTop}>
      <span className={classes.number} aria-hidden>
        {place + 1}
      </span>
      <h3 className={classes.stepTitle}>{title}</h3>
      {actions && <RowActions actions={actions} />}
    </div>
    {children}
  </li>
)
