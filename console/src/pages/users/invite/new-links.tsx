import { Alert, Button, CopyButton, Group, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Invited } from '#client/api/types.ts'
import { counted } from '../../../parts/bulk/bulk-dialog.tsx'
import { CopyText } from '../../../parts/copy.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { nameOf, type Person } from './invite-people.tsx'

type NewLinksProps = { people: readonly Person[]; invited: readonly Invited[]; onClose: () => void }

/** Shows the links, once. It closes only by its button, so that a stray click does not discard them. */
export function NewLinks({ people, invited, onClose }: NewLinksProps): ReactNode {
  const known = new Map(people.map((person) => [person.id, person]))
  const personOf = ({ userId }: Invited): Person => known.get(userId) ?? { id: userId, displayName: '', email: '' }
  const made = invited.filter(({ url }) => url !== '')
  const refused = invited.filter(({ url }) => url === '')
  const [first] = made
  const title =
    made.length === 1 && first ? `Invited ${nameOf(personOf(first))}` : `Invited ${counted(made.length, 'user')}`
  return (
    <Dialog opened onClose={onClose} isFirm size="xl" title={made.length === 0 ? 'Nobody was invited' : title}>
      <Stack>
        {made.length > 0 && (
          <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />} title="Copy the links now">
            They are shown only once. Each works once, within 7 days, and whoever has it signs in as that person: send
            it to them only.
          </Alert>
        )}
        {made.map((each) => {
          const person = personOf(each)
          return (
            <div key={each.userId}>
              <Text size="sm" fw={500}>
                {nameOf(person)}
              </Text>
              <Text size="sm" c="dimmed" mb={4}>
                {person.email}
              </Text>
              <CopyText value={each.url} label={`link of ${nameOf(person)}`} />
            </div>
          )
        })}
        {refused.length > 0 && (
          <div>
            <Text size="sm" fw={500}>
              Not invited
            </Text>
            <List size="sm">
              {refused.map((each) => (
                <List.Item key={each.userId}>
                  <strong>{nameOf(personOf(each))}</strong>: {each.reason}
                </List.Item>
              ))}
            </List>
          </div>
        )}
        <Group justify="flex-end">
          {made.length > 1 && <CopyAll lines={made.map((each) => `${personOf(each).email}\t${each.url}`)} />}
          <Button onClick={onClose}>
            {made.length === 0 ? 'Close' : made.length === 1 ? 'I have copied the link' : 'I have copied the links'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** A line for each: email address, tab, link. */
const CopyAll = ({ lines }: { lines: readonly string[] }): ReactNode => (
  <CopyButton value={lines.join('\n')}>
    {({ copied, copy }) => (
      <Button
        variant="default"
        onClick={copy}
        leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      >
        {copied ? 'Copied' : 'Copy all, with email addresses'}
      </Button>
    )}
  </CopyButton>
)
