import { Anchor, Loader, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { moveCreate, signInWays } from '#client/api/operations.ts'
import { call } from '../../client/call.ts'
import { read } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Page } from '../../parts/page.tsx'

/** At an old address: signs the person in at the current one, where neither their session nor their passkey works. */
export function Move(): ReactNode {
  const ways = useQuery(read(signInWays, {}))
  const current = ways.data?.tenantDomain
  const isElsewhere = current !== undefined && current !== location.host
  const move = useMutation({
    mutationFn: () => call(moveCreate, { body: { host: '' } }),
    onSuccess: ({ url }) => location.replace(url),
  })
  useEffect(() => {
    if (isElsewhere && move.isIdle) move.mutate()
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it is known
  }, [isElsewhere])
  const error = ways.error ?? move.error
  return (
    <Page about="For people whose passkey works only at an old address of the organization.">
      <Stack>
        {error && <ErrorNote error={error} title="You cannot continue" retry={() => move.mutate()} />}
        {isElsewhere && !error && (
          <Text role="status">
            <Loader size="xs" aria-hidden /> Signing you in at {current}. Add a passkey there.
          </Text>
        )}
        {current === location.host && (
          <Text>
            You have opened the current address.{' '}
            <Anchor component={Link} to="/settings/passkeys">
              Add a passkey here
            </Anchor>{' '}
            if you have none for it.
          </Text>
        )}
      </Stack>
    </Page>
  )
}
