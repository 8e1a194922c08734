import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { DirectoryState as State } from '#client/api/types.ts'
import { Moment } from '../../parts/moment.tsx'
import type { Trouble } from '../../parts/troubles.tsx'

const dayMs = 86_400_000

/** A refused SCIM request counts for a day; a failure of an app's accounts counts until it is corrected. */
const hasFailed = ({ usesScim, lastError, lastErrorAt }: State): boolean =>
  lastError !== '' && lastErrorAt !== null && (!usesScim || Date.now() - Date.parse(lastErrorAt) < dayMs)

/** What is not as usual, the weightiest first; what is usual is not marked. */
export function DirectoryBadge({ directory }: { directory: State }): ReactNode {
  const { heldSince, heldCount, usesScim, lastRequestAt, followedAt, conflictCount } = directory
  if (heldSince || heldCount > 0)
    return (
      <Badge component="span" color="red">
        {heldCount.toLocaleString()} held
      </Badge>
    )
  if (hasFailed(directory))
    return (
      <Badge component="span" color="orange">
        {usesScim ? 'Refusals' : 'Failed'}
      </Badge>
    )
  if (usesScim && !lastRequestAt) return 'Not connected yet'
  if (!usesScim && !followedAt) return 'Waiting'
  if (conflictCount > 0)
    return (
      <Badge component="span" color="yellow">
        {conflictCount.toLocaleString()} {conflictCount === 1 ? 'conflict' : 'conflicts'}
      </Badge>
    )
  return usesScim ? 'Connected' : 'Up to date'
}

/** When something last came from it. */
export const lastChangeOf = ({ usesScim, lastRequestAt, followedAt }: State): string | null =>
  usesScim ? lastRequestAt : followedAt

/** What is wrong with a directory, and what to do about it. */
export function troublesOf(directory: State): Trouble[] {
  const { usesScim, lastError, lastErrorAt, lastRequestAt, followedAt, createdAt } = directory
  const said: Trouble[] = []
  if (hasFailed(directory))
    said.push(
      usesScim
        ? {
            title: 'A request of the identity provider was refused',
            words: (
              <>
                {lastError} (<Moment at={lastErrorAt} show="exact" />)
              </>
            ),
            advice:
              'The identity provider shows the same message for the user or group concerned. Correct it there, and retry the provisioning.',
          }
        : {
            title: 'The accounts could not be processed. Nothing was changed',
            words: (
              <>
                {lastError} (<Moment at={lastErrorAt} show="exact" />)
              </>
            ),
            advice: 'Edit the condition and the keys, then apply the plan.',
          },
    )
  if (usesScim && !lastRequestAt)
    said.push({
      title: 'The identity provider has not sent anything yet',
      words: 'No users or groups arrive until it does.',
      advice:
        'Enter the base URL and a token in the identity provider, and start provisioning there. If the token was lost, rotate it.',
    })
  // A moment is usual; longer is the job, which waits or fails.
  if (!usesScim && !followedAt && lastError === '' && createdAt && Date.now() - Date.parse(createdAt) > waitMs)
    said.push({
      title: 'The accounts have not become users yet',
      words: 'A job does this in the background.',
      advice: 'Under Jobs, see whether “Create users from directory accounts” is waiting or failing, and why.',
    })
  return said
}

const waitMs = 60_000
