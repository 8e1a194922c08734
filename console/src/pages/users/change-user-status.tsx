import { Anchor, Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  leaverPlansGet,
  servicePrincipalGet,
  servicePrincipalList,
  userGet,
  userList,
  userSearch,
  userStatusDisable,
  userStatusEnable,
} from '#client/api/operations.ts'
import type { User } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { useMerges } from './merges.ts'
import { Verdict } from './verdict.tsx'

/** Disables a user who is enabled, or enables one who is not; asks first. */
export function ChangeUserStatus({ user }: { user: User }): ReactNode {
  const { may, user: self } = useSession()
  const [isAsking, setAsking] = useState(false)
  const [disables, setDisables] = useState(false)
  const [reason, setReason] = useState('')
  const done = {
    changes: [userGet, userList, userSearch, leaverPlansGet, servicePrincipalGet, servicePrincipalList],
    onDone: () => {
      setReason('')
      setAsking(false)
    },
  }
  const disable = useChange(userStatusDisable, { ...done, done: 'Disabled the user' })
  const enable = useChange(userStatusEnable, { ...done, done: 'Enabled the user' })
  const change = disables ? disable : enable
  const isEnabled = user.status === 'ENABLED'
  const { into } = useMerges(user.id)
  // A merged user is enabled by undoing the merge.
  if (into || !may('users.write') || self?.id === user.id) return null
  const name = user.displayName || user.email
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          setDisables(isEnabled)
          setAsking(true)
        }}
      >
        {isEnabled ? 'Disable' : 'Enable'}
      </Button>
      <Confirm
        opened={isAsking}
        onClose={() => {
          change.reset()
          setReason('')
          setAsking(false)
        }}
        title={disables ? `Disable ${name}?` : `Enable ${name}?`}
        verb={disables ? 'Disable' : 'Enable'}
        isPending={change.isPending}
        error={change.error}
        onConfirm={() => change.mutate({ path: { user_id: user.id }, body: { reason } })}
      >
        {disables ? (
          <>
            <p>
              Their sessions end immediately, and their API credentials are refused. Their access in apps is not
              changed.
            </p>
            {may('users.read') && <WhatDepends userId={user.id} onLeave={() => setAsking(false)} />}
          </>
        ) : (
          'Sign-ins and API credentials are accepted again.'
        )}
        <ReasonField value={reason} onChange={setReason} />
      </Confirm>
    </>
  )
}

/** What depends on them, in a few lines, and the way to all of it. */
function WhatDepends({ userId, onLeave }: { userId: string; onLeave: () => void }): ReactNode {
  const { data, error } = useQuery(read(leaverPlansGet, { path: { id: userId } }))
  if (error) return <ErrorNote error={error} title="What depends on them could not be loaded" />
  if (!data?.plan) return <Skeleton height={64} />
  return (
    <>
      <Verdict plan={data.plan} isDisabled={false} />
      <Anchor component={Link} to={`/users/${userId}/leaving`} size="sm" onClick={onLeave}>
        Show everything that depends on them
      </Anchor>
    </>
  )
}
