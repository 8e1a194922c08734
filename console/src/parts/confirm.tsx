import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { ErrorNote } from './error-note.tsx'

type ConfirmProps = {
  opened: boolean
  onClose: () => void
  /** The question. */
  title: string
  /** What follows from it. */
  children: ReactNode
  /** The verb on the button. */
  verb: string
  onConfirm: () => void
  isPending: boolean
  error: unknown
}

/** Asks before something is done that cannot be undone. */
export const Confirm = ({
  opened,
  onClose,
  title,
  children,
  verb,
  onConfirm,
  isPending,
  error,
}: ConfirmProps): ReactNode => (
  <Dialog opened={opened} onClose={onClose} title={title} size="md">
    <Stack>
      <Text size="sm" component="div">
        {children}
      </Text>
      <ErrorNote error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red.8" onClick={onConfirm} loading={isPending}>
          {verb}
        </Button>
      </Group>
    </Stack>
  </Dialog>
)
