import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useListState } from '../../parts/list-state.ts'
import { askedOf } from './filters.tsx'

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The address of the file with the filtered events: the browser saves it while it is received. */
function addressOf(asked: Record<string, string | null>, format: 'csv' | 'json'): string {
  const query = new URLSearchParams({ format })
  for (const [name, value] of Object.entries(asked)) if (value) query.set(snake(name), value)
  return `/api/v1/systemlog/download?${query.toString()}`
}

export function ExportMenu(): ReactNode {
  const state = useListState()
  const asked = askedOf(state)
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Events that match the filters, up to 100,000</Menu.Label>
        <Menu.Item component="a" href={addressOf(asked, 'csv')} download>
          CSV
        </Menu.Item>
        <Menu.Item component="a" href={addressOf(asked, 'json')} download>
          JSON
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
