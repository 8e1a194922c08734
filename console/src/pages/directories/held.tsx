import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { scimHeldConfirm, scimHeldDismiss, scimHeldList } from '#client/api/operations.ts'
import type { DirectoryState } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ConfirmChange } from '../../parts/confirm-change.tsx'
import { HeldNote } from '../../parts/held-note.tsx'
import { directoryReads } from './reads.ts'

const shown = 10

/** So many users were deactivated within a day that the others wait for confirmation. */
export function Held({ directory }: { directory: DirectoryState }): ReactNode {
  const { appId, heldCount, heldSince } = directory
  const { may } = useSession()
  const [asked, setAsked] = useState<'confirm' | 'dismiss' | null>(null)
  const { data } = useQuery({
    ...read(scimHeldList, { path: { app_id: appId }, query: { page_size: shown } }),
    enabled: heldCount > 0,
  })
  const change = { changes: directoryReads, onDone: () => setAsked(null) }
  const confirm = useChange(scimHeldConfirm, { ...change, done: 'Disabled the users' })
  const dismiss = useChange(scimHeldDismiss, { ...change, done: 'Kept the users enabled' })
  if (!heldSince && heldCount === 0) return null
  const count = heldCount.toLocaleString()
  const names = (data?.list ?? []).slice(0, shown).map(({ displayName }) => displayName)
  return (
    <HeldNote
      title={`${count} deactivations are held`}
      actions={
        may('directories.write') && (
          <>
            <Button size="xs" onClick={() => setAsked('confirm')}>
              Disable users
            </Button>
            <Button variant="default" size="xs" onClick={() => setAsked('dismiss')}>
              Keep enabled
            </Button>
          </>
        )
      }
    >
      <Text size="sm">
        More than 20% of the users of this directory were deactivated or removed within 24 hours. These users stay
        enabled until {may('directories.write') ? 'you decide' : 'a Super Administrator decides'}.
      </Text>
      {names.length > 0 && (
        <Text size="sm" mt="xs">
          {names.join(', ')}
          {heldCount > names.length && ` and ${(heldCount - names.length).toLocaleString()} more`}
        </Text>
      )}
      <ConfirmChange
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={asked === 'dismiss' ? `Keep ${count} users enabled?` : `Disable ${count} users?`}
        verb={asked === 'dismiss' ? 'Keep enabled' : 'Disable'}
        change={asked === 'dismiss' ? dismiss : confirm}
        input={{ path: { app_id: appId }, body: {} }}
      >
        {asked === 'dismiss'
          ? 'They are still inactive in the directory. They are disabled if it deactivates them again.'
          : 'Their sessions and tokens end immediately, and rules revoke their access.'}
      </ConfirmChange>
    </HeldNote>
  )
}
