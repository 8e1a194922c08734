import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'

/** The list with one of its items so many places further on. */
export function moved<Item>(list: readonly Item[], place: number, by: number): Item[] {
  const all = [...list]
  const [item] = all.splice(place, 1)
  if (item !== undefined) all.splice(place + by, 0, item)
  return all
}

type Moving = { name: string; place: number; count: number; move: (by: number) => void }

/** Up and down, for `RowActions`. */
export const moveActions = ({ name, place, count, move }: Moving) => [
  {
    label: 'Move up',
    name: `Move ${name} up`,
    icon: IconArrowUp,
    isDisabled: place === 0,
    onClick: () => move(-1),
  },
  {
    label: 'Move down',
    name: `Move ${name} down`,
    icon: IconArrowDown,
    isDisabled: place === count - 1,
    onClick: () => move(1),
  },
]
