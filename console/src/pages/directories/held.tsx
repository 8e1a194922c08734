import { Alert, Button, Group, Text } from '@mantine/core'
import { IconHandStop } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  scimDirectoriesGet,
  scimDirectoriesList,
  scimHeldConfirm,
  scimHeldDismiss,
  scimHeldList,
} from '#client/api/operations.ts'
import type { ScimDirectory } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Confirm } from '../../parts/confirm.tsx'

const shown = 10

/** So many users were deactivated within a day that the others wait for a person. */
export function Held({ directory }: { directory: ScimDirectory }): ReactNode {
  const { appId, heldCount, heldSince } = directory
  const { may } = useSession()
  const [asked, setAsked] = useState<'confirm' | 'dismiss' | null>(null)
  const { data } = useQuery({
    ...read(scimHeldList, { path: { app_id: appId }, query: { page_size: shown } }),
    enabled: heldCount > 0,
  })
  const change = {
    changes: [scimDirectoriesGet, scimDirectoriesList, scimHeldList],
    onDone: () => setAsked(null),
  }
  const confirm = useChange(scimHeldConfirm, { ...change, done: 'Disabled them' })
  const dismiss = useChange(scimHeldDismiss, { ...change, done: 'They stay enabled' })
  if (!heldSince && heldCount === 0) return null
  const chosen = asked === 'dismiss' ? dismiss : confirm
  const count = heldCount.toLocaleString()
  const names = (data?.list ?? []).slice(0, shown).map(({ displayName }) => displayName)
  return (
    <Alert
      color="red"
      variant="light"
      mb="md"
      icon={<IconHandStop size={18} aria-hidden />}
      title={`${count} deactivations are held`}
    >
      <Text size="sm">
        The identity provider deactivated or deleted more than 20% of its users within 24 hours. These users stay
        enabled until you decide.
      </Text>
      {names.length > 0 && (
        <Text size="sm" mt="xs">
          {names.join(', ')}
          {heldCount > names.length && ` and ${(heldCount - names.length).toLocaleString()} more`}
        </Text>
      )}
      {may('directories.write') && (
        <Group mt="sm" gap="sm">
          <Button size="xs" onClick={() => setAsked('confirm')}>
            Disable them
          </Button>
          <Button variant="default" size="xs" onClick={() => setAsked('dismiss')}>
            Keep them enabled
          </Button>
        </Group>
      )}
      <Confirm
        opened={asked !== null}
        onClose={() => {
          chosen.reset()
          setAsked(null)
        }}
        title={asked === 'dismiss' ? `Leave ${count} users enabled?` : `Disable ${count} users?`}
        verb={asked === 'dismiss' ? 'Leave enabled' : 'Disable'}
        isPending={chosen.isPending}
        error={chosen.error}
        onConfirm={() => chosen.mutate({ path: { app_id: appId }, body: {} })}
      >
        {asked === 'dismiss'
          ? 'They are still inactive in the directory. They are disabled if it deactivates them again.'
          : 'Their sessions and tokens end at once, and rules remove their access.'}
      </Confirm>
    </Alert>
  )
}
