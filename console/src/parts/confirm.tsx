import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isSentForApproval } from '../client/problem.ts'
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
  /** What is asked about is known; the button is off until then. */
  isReady?: boolean
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
  isReady = true,
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
          {isSentForApproval(error) ? 'Close' : 'Cancel'}
        </Button>
        {!isSentForApproval(error) && (
          <Button color="red.8" onClick={onConfirm} loading={isPending} disabled={!isReady}>
            {verb}
          </Button>
        )}
      </Group>
    </Stack>
  </Dialog>
)
