import { Group, Pill } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './chosen.module.css'

type ChosenProps<Item> = {
  items: readonly Item[]
  keyOf: (item: Item) => string
  nameOf: (item: Item) => string
  /** Its content, if that is not just the name. */
  children?: (item: Item) => ReactNode
  /** None can be left out without it. */
  onRemove?: ((item: Item) => void) | undefined
}

/** What was picked so far; each can be left out again. */
export const Chosen = <Item,>({ items, keyOf, nameOf, children, onRemove }: ChosenProps<Item>): ReactNode =>
  items.length > 0 && (
    <Group gap="xs" role="list" aria-label="Selected" className={classes.chosen}>
      {items.map((item) => (
        <Pill
          key={keyOf(item)}
          role="listitem"
          size="md"
          className={classes.pill}
          withRemoveButton={onRemove !== undefined}
          removeButtonProps={{ 'aria-label': `Remove ${nameOf(item)}`, tabIndex: 0, 'aria-hidden': false }}
          onRemove={() => onRemove?.(item)}
        >
          {children ? children(item) : nameOf(item)}
        </Pill>
      ))}
    </Group>
  )
