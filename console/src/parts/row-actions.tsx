import { ActionIcon, Group, Tooltip } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useAsOf } from './as-of.tsx'
import classes from './row-actions.module.css'
import type { Column } from './table.tsx'

export type RowAction = {
  /** The verb. */
  label: string
  /** The verb and its object, for screen readers. */
  name: string
  icon: Icon
  onClick: () => void
  isDisabled?: boolean
}

/** What can be done with one row, or with one thing, as icons. Nothing in the past. */
export function RowActions({ actions, size = 28 }: { actions: readonly RowAction[]; size?: number }): ReactNode {
  const asOf = useAsOf()
  if (asOf) return null
  return (
    <Group gap={4} wrap="nowrap" className={classes.actions}>
      {actions.map(({ label, name, icon: Icon, onClick, isDisabled = false }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={size}
            aria-label={name}
            disabled={isDisabled}
            onClick={onClick}
          >
            <Icon size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  )
}

/** Them as the last column of a table. */
export const actionsColumn = <Row,>(width: string, actionsOf: (row: Row) => readonly RowAction[]): Column<Row> => ({
  header: 'Actions',
  isHidden: true,
  width,
  cell: (row) => <RowActions actions={actionsOf(row)} />,
})
