import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'

// Most are enabled: the usual status has no badge.
const looks: Readonly<Record<string, readonly [label: string, color: string]>> = {
  DISABLED: ['Disabled', 'orange'],
  DELETED: ['Deleted', 'red'],
}

/** Whether a user or an account is enabled, by its status in the API. */
export function StatusBadge({ status }: { status: string | undefined }): ReactNode {
  if (status?.endsWith('ENABLED')) return 'Enabled'
  const [label, color] = looks[status?.replace(/^STATUS_/, '') ?? ''] ?? ['Unknown', 'gray']
  return (
    <Badge component="span" color={color}>
      {label}
    </Badge>
  )
}
