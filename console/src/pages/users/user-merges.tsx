import { Alert, Button, Group, Text } from '@mantine/core'
import { IconArrowMerge } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { userMergesSplit } from '#client/api/operations.ts'
import type { User, UserMerge } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ConfirmChange } from '../../parts/confirm-change.tsx'
import { Moment } from '../../parts/moment.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { mergeReads, useMerges } from './merges.ts'
import classes from './user-merges.module.css'

/** Shown on every page of a user who is merged into another, or into whom others are merged. */
export function MergedNote({ user }: { user: User }): ReactNode {
  const { into, others } = useMerges(user.id)
  if (into)
    return (
      <Alert
        color="blue"
        variant="light"
        mb="md"
        icon={<IconArrowMerge size={18} aria-hidden />}
        title="This user was merged into another"
      >
        <Text size="sm" component="div" className={classes.words}>
          Merged into <UserName userId={into.intoUserId} /> <Moment at={into.mergedAt} />. Accounts, reports and
          ownerships were moved there. This user stays disabled and keeps its history.
        </Text>
        <Split merge={into} name={user.displayName || user.email} />
      </Alert>
    )
  if (others.length === 0) return null
  return (
    <Alert
      color="gray"
      variant="light"
      mb="md"
      icon={<IconArrowMerge size={18} aria-hidden />}
      title={others.length === 1 ? 'Another user is merged into this one' : 'Other users are merged into this one'}
    >
      {others.map(({ id, userId, mergedAt }) => (
        <Text key={id} size="sm" component="div" className={classes.words}>
          <UserName userId={userId} /> <Moment at={mergedAt} />
        </Text>
      ))}
    </Alert>
  )
}

function Split({ merge, name }: { merge: UserMerge; name: string }): ReactNode {
  const { may, user: self } = useSession()
  const [isAsked, setAsked] = useState(false)
  const split = useChange(userMergesSplit, {
    changes: mergeReads,
    done: `Split ${name}`,
    onDone: () => setAsked(false),
  })
  // Nobody splits themselves.
  if (!may('users.write') || self?.id === merge.intoUserId) return null
  return (
    <Group mt="sm">
      <Button size="xs" variant="default" onClick={() => setAsked(true)}>
        Split
      </Button>
      <ConfirmChange
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={`Split ${name}?`}
        verb="Split"
        change={split}
        input={{ path: { user_id: merge.userId }, body: {} }}
      >
        Everything that was moved and is still there is moved back: accounts with their access, reports and ownerships.
        The user gets the status from before the merge, unless a directory sets it. Sessions are not restored.
      </ConfirmChange>
    </Group>
  )
}
