import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'

/** The list with one of its items moved by `by` places. */
export function moved<Item>(list: readonly Item[], place: number, by: number): Item[] {
  const all = [...list]
  const [item] = all.splice(place, 1)
  if (item !== undefined) all.splice(place + by, 0, item)
  return all
}

type Moving = { name: string; place: number; count: number; move: (by: number) => void; isDisabled?: boolean }

/** Up and down, for `RowActions`. */
export const moveActions = ({ name, place, count, move, isDisabled = false }: Moving) => [
  {
    label: 'Move up',
    name: `Move ${name} up`,
    icon: IconArrowUp,
    isDisabled: isDisabled || place === 0,
    onClick: () => move(-1),
  },
  {
    label: 'Move down',
    name: `Move ${name} down`,
    icon: IconArrowDown,
    isDisabled: isDisabled || place === count - 1,
    onClick: () => move(1),
  },
]

type Listed<Item> = {
  list: readonly Item[]
  place: number
  name: string
  onChange: (list: Item[]) => void
  min?: number
}

/** Up, down and removed, for `RowActions` of an item of a list that is edited. */
export const listActions = <Item>({ list, place, name, onChange, min = 0 }: Listed<Item>) => [
  ...moveActions({ name, place, count: list.length, move: (by) => onChange(moved(list, place, by)) }),
  {
    label: 'Remove',
    name: `Remove ${name}`,
    icon: IconTrash,
    isDisabled: list.length <= min,
    onClick: () => onChange(list.filter((_, at) => at !== place)),
  },
]
