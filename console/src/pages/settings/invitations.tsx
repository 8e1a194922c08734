import { Badge, Button } from '@mantine/core'
import { IconMailForward } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { invitationList, invitationRevoke, userInvitationGet } from '#client/api/operations.ts'
import type { Invitation } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ConfirmChange } from '../../parts/confirm-change.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { byOne } from '../../parts/list-filters.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { invitationStates } from './invitation-states.ts'

const colors: Readonly<Record<Invitation['state'], string>> = {
  '': 'gray',
  WAITING: 'blue',
  USED: 'teal',
  EXPIRED: 'gray',
  REVOKED: 'gray',
}
const { '': _any, ...states } = invitationStates

/** Who was invited to sign in for the first time, by whom, and what became of it. */
export function Invitations(): ReactNode {
  const mayRevoke = useSession().may('sign-in.write')
  const [toRevoke, setToRevoke] = useState<Invitation | null>(null)
  const revoke = useChange(invitationRevoke, {
    changes: [invitationList, userInvitationGet],
    done: 'Revoked the invitation',
    onDone: () => setToRevoke(null),
  })
  return (
    <Panel title="Invitations">
      <DataList
        caption="Invitations"
        operation={invitationList}
        input={({ filter, pageSize, pageToken }) => ({
          query: { state: filter('state') as Invitation['state'], page_size: pageSize, page_token: pageToken },
        })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        filterBy={[byOne('state', 'State', states)]}
        columns={[
          { header: 'Person', cell: ({ userId }) => <UserName userId={userId} /> },
          { header: 'Invited by', width: '20%', cell: ({ createdBy }) => <UserName userId={createdBy} /> },
          { header: 'Created', width: '17%', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { header: 'Expires', width: '17%', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
          {
            header: 'State',
            width: '8rem',
            cell: ({ state }) => (
              <Badge component="span" color={colors[state]}>
                {invitationStates[state]}
              </Badge>
            ),
          },
          {
            header: 'Actions',
            isHidden: true,
            width: '7rem',
            cell: (invitation) =>
              mayRevoke &&
              invitation.state === 'WAITING' && (
                <Button size="compact-sm" variant="subtle" onClick={() => setToRevoke(invitation)}>
                  Revoke
                </Button>
              ),
          },
        ]}
        empty={{
          icon: IconMailForward,
          title: 'No invitations',
          children: 'Invite people on their pages, or select several in the list of users.',
        }}
      />
      <ConfirmChange
        opened={toRevoke !== null}
        onClose={() => setToRevoke(null)}
        title="Revoke this invitation?"
        verb="Revoke"
        change={revoke}
        input={toRevoke && { path: { id: toRevoke.id } }}
      >
        The link of <UserName userId={toRevoke?.userId ?? ''} /> stops working immediately. You can invite them again.
      </ConfirmChange>
    </Panel>
  )
}
