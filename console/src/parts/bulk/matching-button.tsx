import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ErrorNote } from '../error-note.tsx'
import { type AllMatching, itemsMax } from './all-matching.ts'

type MatchingButtonProps<Row, Value extends string> = {
  matching: AllMatching<Row>
  actions: readonly { label: string; value: Value }[]
  onRead: (value: Value, rows: readonly Row[], isMore: boolean) => void
}

/** The same for everything that the filters match, rather than for what is selected. */
export const MatchingButton = <Row, Value extends string>({
  matching,
  actions,
  onRead,
}: MatchingButtonProps<Row, Value>): ReactNode => (
  <>
    <Menu withinPortal>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          loading={matching.isPending}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          All results
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Up to {itemsMax.toLocaleString()} at once</Menu.Label>
        {actions.map(({ label, value }) => (
          <Menu.Item key={value} onClick={() => matching.read((rows, isMore) => onRead(value, rows, isMore))}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
    <ErrorNote error={matching.error} />
  </>
)
