import { Button, Group, Progress, Text } from '@mantine/core'
import type { ReactNode } from 'react'

type RunningProps = { sent: number; isDryRun: boolean; onCancel: () => void }

/** How far an import is. */
export function Running({ sent, isDryRun, onCancel }: RunningProps): ReactNode {
  const isSending = sent < 1
  const percent = Math.round(sent * 100)
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <Text size="sm" role="status">
          {isSending ? `Sending the file: ${percent}%` : isDryRun ? 'Dry run…' : 'Importing…'}
        </Text>
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
      <Progress value={isSending ? percent : 100} animated={!isSending} aria-label="Progress of the import" />
    </div>
  )
}
