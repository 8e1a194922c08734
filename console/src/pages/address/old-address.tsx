import { Alert, Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { addressesFindOld } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'

/** For people who were sent here from an old address: their passkey works only there. The server confirms that it is one. */
export function OldAddress({ returnTo }: { returnTo: string }): ReactNode {
  const from =
    new URLSearchParams(location.search).get('moved_from') ??
    URL.parse(returnTo, location.origin)?.searchParams.get('moved_from') ??
    ''
  const { data } = useQuery({ ...read(addressesFindOld, { query: { host: from } }), enabled: from !== '' })
  if (!data?.address) return null
  return (
    <Alert color="blue" title="The address has changed">
      Passkeys that you added at {from} work only there.{' '}
      <Anchor href={`${data.address}/move`}>Sign in with one of them</Anchor>, and continue here.
    </Alert>
  )
}
