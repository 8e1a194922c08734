import { Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { download } from '../client/download.ts'
import { exportPathOf, filtersIn, type ListKind } from './list-kinds.ts'

type ListExportProps = { kind: ListKind; input: unknown }

/** Everything that the list finds, as a file. */
export function ListExport({ kind, input }: ListExportProps): ReactNode {
  const exporting = useMutation({
    mutationFn: (format: 'csv' | 'json') => {
      const { path, body } = filtersIn(input)
      return download(exportPathOf(kind), { ...(path && { path }), body: { ...body, format } })
    },
    onError: (error) =>
      notifications.show({ title: 'Export failed', message: error.message, color: 'red', autoClose: false }),
  })
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          loading={exporting.isPending}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>All results, all pages</Menu.Label>
        <Menu.Item onClick={() => exporting.mutate('csv')}>CSV</Menu.Item>
        <Menu.Item onClick={() => exporting.mutate('json')}>JSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
