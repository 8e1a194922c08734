import { Alert, Button, Skeleton, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { addressGet } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Page } from '../../parts/page.tsx'
import { AddAddress } from './add-address.tsx'
import { AddressPanel } from './address-panel.tsx'
import { CertificatePanel } from './certificate-panel.tsx'
import { RequestPanel } from './request-panel.tsx'

const checkEveryMs = 3_000

/** At which addresses the console and the API are served, how they get there, and by which certificate. */
export function AddressPage(): ReactNode {
  const mayChange = useSession().may('address.write')
  const [isAdding, setAdding] = useState(false)
  const { data, error, refetch } = useQuery({
    ...read(addressGet, {}),
    // The one-time page is opened in another window.
    refetchInterval: ({ state }) =>
      state.data?.list.some((each) => each.state === 'NEW' && !each.reachedAt) ? checkEveryMs : false,
  })
  const current = data?.list.find(({ state }) => state === 'CURRENT')
  return (
    <Page
      about="The address of the console and the API. To change it, add another one: both work until you end the old one."
      actions={
        mayChange && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            Add address
          </Button>
        )
      }
    >
      <Stack gap="xs">
        {error && <ErrorNote error={error} title="The addresses cannot be shown" retry={() => void refetch()} />}
        {!data && !error && <Skeleton height={280} />}
        {current?.host === 'localhost' && (
          <Alert color="yellow" title="Only this machine reaches localhost">
            Add the address at which other people will open the console before you invite them: passkeys, links and
            client IDs contain it.
          </Alert>
        )}
        {current &&
          data?.list.map((address) => (
            <AddressPanel
              key={address.host}
              address={address}
              current={current}
              isAlone={data.list.length === 1}
              mayChange={mayChange}
            />
          ))}
        {data && (
          <CertificatePanel
            addresses={data.list.filter(({ state }) => state !== 'ENDED')}
            certificates={data.certificates}
            servesHttps={data.servesHttps}
            mayChange={mayChange}
          />
        )}
        <RequestPanel />
      </Stack>
      <AddAddress opened={isAdding} onClose={() => setAdding(false)} />
    </Page>
  )
}
