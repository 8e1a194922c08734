import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { bulkUsersDisable, bulkUsersEnable, bulkUsersPlan, userSearch } from '#client/api/operations.ts'
import type { User } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { BulkDialog } from '../../parts/bulk/bulk-dialog.tsx'
import type { Selection } from '../../parts/list-selection.tsx'
import { InvitePeople } from './invite/invite-people.tsx'

type Doing = { what: 'disable' | 'enable' | 'invite'; users: readonly User[]; clear: () => void } | null

const nameOf = ({ displayName, email, id }: User): string => displayName || email || id

/** What can be done with several users: the selection of a list of them, and the window that it opens. */
export function useBulkUsers(): { selection: { selection?: Selection<User> }; dialog: ReactNode } {
  const { may } = useSession()
  const [doing, setDoing] = useState<Doing>(null)
  const [mayWrite, mayInvite] = [may('users.write'), may('sign-in.write')]
  if (!mayWrite && !mayInvite) return { selection: {}, dialog: null }
  const selection: Selection<User> = {
    labelOf: nameOf,
    actions: (users, clear) => (
      <>
        {mayInvite && (
          <Button size="xs" variant="default" onClick={() => setDoing({ what: 'invite', users, clear })}>
            {users.length === 1 ? 'Invite 1 person…' : `Invite ${users.length.toLocaleString()} people…`}
          </Button>
        )}
        {mayWrite && (
          <>
            <Button size="xs" variant="default" onClick={() => setDoing({ what: 'enable', users, clear })}>
              Enable…
            </Button>
            <Button size="xs" color="red.8" onClick={() => setDoing({ what: 'disable', users, clear })}>
              Disable…
            </Button>
          </>
        )}
      </>
    ),
  }
  return { selection: { selection }, dialog: doing && <Window doing={doing} onClose={() => setDoing(null)} /> }
}

type WindowProps = { doing: NonNullable<Doing>; onClose: () => void }

const Window = ({ doing, onClose }: WindowProps): ReactNode =>
  doing.what === 'invite' ? (
    <InvitePeople people={doing.users} onClose={onClose} onDone={doing.clear} />
  ) : (
    <Switching doing={doing} onClose={onClose} />
  )

function Switching({ doing, onClose }: WindowProps): ReactNode {
  const { what, users, clear } = doing
  const names = new Map(users.map((user) => [user.id, nameOf(user)]))
  const userIds = [...names.keys()]
  const disables = what === 'disable'
  return (
    <BulkDialog
      title={disables ? 'Disable users' : 'Enable users'}
      about={
        disables
          ? 'Disabled users cannot sign in, their sessions end, and their API credentials are refused. Their access is kept until it is revoked.'
          : 'Enabled users can sign in again, with their previous roles.'
      }
      verb={disables ? 'Disable' : 'Enable'}
      noun="user"
      plan={bulkUsersPlan}
      apply={disables ? bulkUsersDisable : bulkUsersEnable}
      body={{
        action: disables ? ('BULK_USER_ACTION_DISABLE' as const) : ('BULK_USER_ACTION_ENABLE' as const),
        userIds,
      }}
      applied={() => ({ userIds })}
      nameOf={({ id }) => names.get(id) ?? id}
      changes={[userSearch]}
      onClose={onClose}
      onDone={() => {
        clear()
        onClose()
      }}
    />
  )
}
