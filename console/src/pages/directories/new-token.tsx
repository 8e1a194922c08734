import { Alert, Button, Group, List, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { CopyText } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Label } from '../../parts/label.tsx'

type NewTokenProps = { title: string; baseUrl: string; token: string; onClose: () => void }

const steps = {
  okta: [
    'In the Okta app, open Provisioning, Integration, and choose Configure API integration.',
    'SCIM connector base URL: the base URL. Unique identifier field: userName. Authentication mode: HTTP Header, with the token.',
    'Test the connection, save, and turn on Create Users, Update User Attributes and Deactivate Users.',
  ],
  entra: [
    'In the enterprise application, open Provisioning and choose the mode Automatic.',
    'Tenant URL: the base URL. Secret token: the token.',
    'Test the connection, save, assign users and groups, and start provisioning.',
  ],
} as const

/** Shows the token, once. It closes only by its button, so that a stray click does not discard the token. */
export function NewToken({ title, baseUrl, token, onClose }: NewTokenProps): ReactNode {
  const [provider, setProvider] = useState<keyof typeof steps>('okta')
  return (
    <Dialog opened onClose={onClose} isFirm size="xl" title={title}>
      <Stack>
        <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />} title="Copy the token now">
          It is shown once and is not stored. Anyone who has it can create, change and disable users of this directory.
        </Alert>
        <Label text="Base URL">{() => <CopyText value={baseUrl} label="base URL" />}</Label>
        <Label text="Token">{() => <CopyText value={token} label="token" />}</Label>
        <div>
          <Group justify="space-between" mb={6}>
            <Text size="sm" fw={500}>
              Set up the identity provider
            </Text>
            <SegmentedControl
              size="xs"
              aria-label="Identity provider"
              data={[
                { value: 'okta', label: 'Okta' },
                { value: 'entra', label: 'Entra' },
              ]}
              value={provider}
              onChange={(value) => setProvider(value)}
            />
          </Group>
          <List type="ordered" size="sm">
            {steps[provider].map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        </div>
        <Group justify="flex-end">
          <Button onClick={onClose}>I have copied the token</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
