import { Alert, Group } from '@mantine/core'
import { IconHandStop } from '@tabler/icons-react'
import type { ReactNode } from 'react'

type HeldNoteProps = { title: string; children: ReactNode; actions?: ReactNode }

/** Something that would do so much that it waits for a person. */
export const HeldNote = ({ title, children, actions }: HeldNoteProps): ReactNode => (
  <Alert color="red" variant="light" mb="md" icon={<IconHandStop size={18} aria-hidden />} title={title}>
    {children}
    {actions && (
      <Group mt="sm" gap="sm">
        {actions}
      </Group>
    )}
  </Alert>
)
