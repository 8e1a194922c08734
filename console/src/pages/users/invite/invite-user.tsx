import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { userInvitationGet } from '#client/api/operations.ts'
import { read } from '../../../client/queries.ts'
import { useSession } from '../../../client/session.ts'
import { Moment } from '../../../parts/moment.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { invitationStates } from '../../settings/invitation-states.ts'
import { InvitePeople, type Person } from './invite-people.tsx'

/** Invites a user who can be invited: not one who has signed in before. */
export function InviteUser({ user }: { user: Person }): ReactNode {
  const mayInvite = useSession().may('sign-in.write')
  const [isAsking, setAsking] = useState(false)
  const { data } = useQuery({ ...read(userInvitationGet, { path: { user_id: user.id } }), enabled: mayInvite })
  if (!mayInvite || (data?.refusal !== '' && !isAsking)) return null
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Invite
      </Button>
      {isAsking && <InvitePeople people={[user]} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Whether a user can be invited, otherwise why not, and what became of the latest invitation. */
export function InvitationOf({ userId }: { userId: string }): ReactNode {
  const mayRead = useSession().may('sign-in.read')
  const { data } = useQuery({ ...read(userInvitationGet, { path: { user_id: userId } }), enabled: mayRead })
  if (!mayRead || !data) return null
  const { latest, refusal, reason } = data
  return (
    <Panel title="Invitation">
      <Text size="sm">
        {refusal === '' ? 'Has not signed in yet, and can be invited.' : reason}
        {latest && (
          <>
            {' '}
            Latest invitation: {invitationStates[latest.state].toLowerCase()}, created <Moment at={latest.createdAt} />.
          </>
        )}
      </Text>
    </Panel>
  )
}
