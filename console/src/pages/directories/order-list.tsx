import { VisuallyHidden } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { moveActions, moved } from '../../parts/move.ts'
import { RowActions } from '../../parts/row-actions.tsx'
import classes from './order-list.module.css'

type OrderListProps = {
  label: string
  ids: readonly string[]
  nameOf: (id: string) => string
  /** Without it the order is only shown. */
  onChange?: ((ids: string[]) => void) | undefined
}

/** Things in order, each of which can be moved up and down. The focus follows the item. */
export function OrderList({ label, ids, nameOf, onChange }: OrderListProps): ReactNode {
  const list = useRef<HTMLOListElement>(null)
  const [last, setLast] = useState<{ id: string; by: number } | null>(null)
  useEffect(() => {
    if (!last) return
    const row = [...(list.current?.children ?? [])].find((each) => each.getAttribute('data-id') === last.id)
    const [up, down] = row?.querySelectorAll('button') ?? []
    const [wanted, other] = last.by < 0 ? [up, down] : [down, up]
    // At the end of the list there is no further on.
    ;(wanted?.disabled ? other : wanted)?.focus()
  }, [last])
  return (
    <>
      <ol className={classes.order} aria-label={label} ref={list}>
        {ids.map((id, place) => (
          <li key={id} data-id={id} className={classes.row}>
            <span className={classes.number} aria-hidden>
              {place + 1}
            </span>
            <span className={classes.name}>{nameOf(id)}</span>
            {onChange && ids.length > 1 && (
              <RowActions
                actions={moveActions({
                  name: `${nameOf(id)} (${label})`,
                  place,
                  count: ids.length,
                  move(by) {
                    onChange(moved(ids, place, by))
                    setLast({ id, by })
                  },
                })}
              />
            )}
          </li>
        ))}
      </ol>
      <VisuallyHidden aria-live="polite">
        {last && `${nameOf(last.id)} is now ${ids.indexOf(last.id) + 1} of ${ids.length}.`}
      </VisuallyHidden>
    </>
  )
}
