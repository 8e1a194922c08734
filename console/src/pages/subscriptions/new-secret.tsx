import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyText } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Label } from '../../parts/label.tsx'

type NewSecretProps = { title: string; secret: string; onClose: () => void }

/** Shows the secret, once. It closes only by its button, so that a stray click does not discard the secret. */
export const NewSecret = ({ title, secret, onClose }: NewSecretProps): ReactNode => (
  <Dialog opened onClose={onClose} isFirm title={title}>
    <Stack>
      <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />} title="Copy the secret now">
        It is shown only once. The receiver uses it to verify that messages come from this server. If it is lost, rotate
        the secret.
      </Alert>
      <Label text="Signing secret">{() => <CopyText value={secret} label="signing secret" />}</Label>
      <Group justify="flex-end">
        <Button onClick={onClose}>I have copied the secret</Button>
      </Group>
    </Stack>
  </Dialog>
)
