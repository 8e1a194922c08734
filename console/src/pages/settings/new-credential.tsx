import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { CopyText } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Label } from '../../parts/label.tsx'
import { curlSnippet, dpopSnippet, typescriptSnippet } from './snippets.ts'

type NewCredentialProps = {
  name: string
  clientId: string
  clientSecret: string
  /** The user as whom it sends requests. */
  callsAs: string
  /** It gets no tokens without a proof, which curl cannot create. */
  requiresDpop?: boolean
  onClose: () => void
}

/** Shows the secret, once. It closes only by its button, so that a stray click does not discard the secret. */
export function NewCredential({
  name,
  clientId,
  clientSecret,
  callsAs,
  requiresDpop = false,
  onClose,
}: NewCredentialProps): ReactNode {
  const [language, setLanguage] = useState(requiresDpop ? 'typescript' : 'curl')
  const use = { origin: location.origin, clientId, clientSecret }
  const inTypescript = requiresDpop ? dpopSnippet : typescriptSnippet
  const snippet = language === 'curl' ? curlSnippet(use) : inTypescript(use)
  return (
    <Dialog opened onClose={onClose} isFirm size="xl" title={`Created ${name}`}>
      <Stack>
        <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />} title="Copy the secret now">
          It is shown only once and is not stored. Anyone who has it can call the API as {callsAs}; if it is lost,
          create another credential and delete this one.
        </Alert>
        <Label text="Client ID">{() => <CopyText value={use.clientId} label="client ID" />}</Label>
        <Label text="Client secret">{() => <CopyText value={clientSecret} label="client secret" />}</Label>
        <div>
          <Group justify="space-between" mb={6}>
            <Text size="sm" fw={500}>
              {' '}
              Example{' '}
            </Text>
            <SegmentedControl
              size="xs"
              aria-label="Language"
              data={[
                ...(requiresDpop ? [] : [{ value: 'curl', label: 'curl' }]),
                { value: 'typescript', label: 'TypeScript' },
              ]}
              value={language}
              onChange={setLanguage}
            />
          </Group>
          <CopyText value={snippet} label={`${language} snippet`} isBlock />
        </div>
        <Group justify="flex-end">
          <Button onClick={onClose}>I have copied the secret</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
