import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { invitationCreate, invitationList, userInvitationGet } from '#client/api/operations.ts'
import type { Invited, User } from '#client/api/types.ts'
import { call } from '../../../client/call.ts'
import { counted } from '../../../parts/bulk/bulk-dialog.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { ErrorNote } from '../../../parts/error-note.tsx'
import { NewLinks } from './new-links.tsx'

export type Person = Pick<User, 'id' | 'displayName' | 'email'>
export const nameOf = ({ displayName, email, id }: Person): string => displayName || email || id

const perRequest = 50
const shownMax = 10

const notInvited = (error: unknown) => ({
  id: '',
  url: '',
  expiresAt: null,
  refusal: '' as const,
  reason: (error as Error).message,
})

/**
 * The links of all of them: what one request may ask for is less than a list may select. If a later request fails, the links
 * that were created are shown all the same: they cannot be shown again.
 */
async function invite(people: readonly Person[]): Promise<Invited[]> {
  const invited: Invited[] = []
  for (let from = 0; from < people.length; from += perRequest) {
    const userIds = people.slice(from, from + perRequest).map(({ id }) => id)
    try {
      invited.push(...(await call(invitationCreate, { body: { userIds } })).list)
    } catch (error) {
      if (invited.length === 0) throw error
      return [...invited, ...people.slice(from).map(({ id }) => ({ userId: id, ...notInvited(error) }))]
    }
  }
  return invited
}

type InvitePeopleProps = { people: readonly Person[]; onClose: () => void; onDone?: () => void }

/** Asks before links for the first sign-in of some people are created, and then shows them, once. */
export function InvitePeople({ people, onClose, onDone }: InvitePeopleProps): ReactNode {
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: () => invite(people),
    onSuccess: () =>
      Promise.all([invitationList, userInvitationGet].map(({ id }) => client.invalidateQueries({ queryKey: [id] }))),
  })
  const close = (): void => {
    if (change.data) onDone?.()
    onClose()
  }
  if (change.data) return <NewLinks people={people} invited={change.data} onClose={close} />
  return <Question people={people} change={change} onClose={close} />
}

type QuestionProps = {
  people: readonly Person[]
  change: UseMutationResult<Invited[], Error, void>
  onClose: () => void
}

const Question = ({ people, change, onClose }: QuestionProps): ReactNode => (
  <Dialog
    opened
    onClose={onClose}
    title={
      people.length === 1 && people[0] ? `Invite ${nameOf(people[0])}?` : `Invite ${counted(people.length, 'user')}?`
    }
  >
    <Stack>
      <Text size="sm">
        An invitation is a link for the first sign-in. It works once, within 7 days. People who have signed in before
        are not invited, and an earlier invitation of the same person stops working.
      </Text>
      {people.length > 1 && (
        <List size="sm">
          {people.slice(0, shownMax).map((person) => (
            <List.Item key={person.id}>{nameOf(person)}</List.Item>
          ))}
          {people.length > shownMax && <List.Item>and {counted(people.length - shownMax, 'other')}</List.Item>}
        </List>
      )}
      <Alert
        color="yellow"
        variant="light"
        icon={<IconAlertTriangle size={18} aria-hidden />}
        title="Send each link to one person"
      >
        Whoever has the link signs in as that person. The links are shown once, and Bailiwick does not send them.
      </Alert>
      <ErrorNote error={change.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={() => change.mutate()} loading={change.isPending}>
          {people.length === 1 ? 'Create link' : 'Create links'}
        </Button>
      </Group>
    </Stack>
  </Dialog>
)
