import { Alert, Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { addressCheck, addressUse, moveCreate } from '#client/api/operations.ts'
import type { Address } from '#client/api/types.ts'
import { call } from '../../client/call.ts'
import { useChange } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EndAddress } from './end-address.tsx'
import { isOpenAt, stateWords } from './words.ts'

type AddressPanelProps = {
  address: Address
  current: Address
  /** Whether the organization has no other address. */
  isAlone: boolean
  mayChange: boolean
}

/** One address: what is known about it, and the next step with it. */
export function AddressPanel({ address, current, isAlone, mayChange }: AddressPanelProps): ReactNode {
  const [isEnding, setEnding] = useState(false)
  const [label, color] = stateWords[address.state]
  const mayEnd = mayChange && (address.state === 'NEW' || address.state === 'OLD')
  return (
    <Panel
      title={address.address}
      actions={
        <Badge component="span" color={color}>
          {label}
        </Badge>
      }
    >
      <Stack>
        <Facts
          facts={[
            ['Added', <Moment key="added" at={address.createdAt} />],
            ['Reached by a browser', address.reachedAt && <Moment key="reached" at={address.reachedAt} />],
            [
              'Super Administrator signed in',
              address.state === 'CURRENT' &&
                !isAlone &&
                (address.signedInAt ? (
                  <Moment key="in" at={address.signedInAt} />
                ) : (
                  'Not yet with a passkey or single sign-on'
                )),
            ],
            ['Replaced', address.replacedAt && <Moment key="replaced" at={address.replacedAt} />],
            [
              address.state === 'NEW' ? 'Removed, if it is not used' : 'Ends',
              address.endsAt && !address.endedAt && <Moment key="ends" at={address.endsAt} />,
            ],
            ['Ended', address.endedAt && <Moment key="ended" at={address.endedAt} />],
          ]}
        />
        {address.shortcoming && address.state !== 'ENDED' && <Alert color="yellow">{address.shortcoming}</Alert>}
        {address.reachProblem && address.state === 'NEW' && (
          <Alert color="red" role="alert" title="This address does not work yet">
            {address.reachProblem}
          </Alert>
        )}
        {address.state === 'NEW' && mayChange && <NextStep address={address} />}
        {address.state === 'OLD' && <StillUsed address={address} current={current} />}
        {mayEnd && (
          <Group>
            <Button variant="default" onClick={() => setEnding(true)}>
              {address.state === 'NEW' ? 'Remove address' : 'End address'}
            </Button>
          </Group>
        )}
      </Stack>
      {isEnding && <EndAddress address={address} onClose={() => setEnding(false)} />}
    </Panel>
  )
}

/** Check it, sign in there, use it. */
function NextStep({ address }: { address: Address }): ReactNode {
  const path = { host: address.host }
  // What the page was loaded with names the old address.
  const use = useChange(addressUse, { changes: [], onDone: () => location.reload() })
  const check = useMutation({ mutationFn: () => call(addressCheck, { path, body: {} }) })
  const move = useMutation({
    mutationFn: () => call(moveCreate, { body: { host: address.host } }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const isReached = address.reachedAt !== null && address.reachProblem === ''
  const error = use.error ?? check.error ?? move.error
  return (
    <Stack>
      {isOpenAt(address) ? (
        <Text size="sm">
          You have opened the console at this address, so it works. Links lead here once you use it.
        </Text>
      ) : isReached ? (
        <Text size="sm">
          A browser has reached this server by this address. Sign in there to use it: you open the console at the new
          address, and are signed in.
        </Text>
      ) : (
        <Text size="sm">
          Check that it leads to this server: open a one-time page at the new address in this browser.
        </Text>
      )}
      {check.data && !isReached && (
        <Text size="sm">
          <Anchor href={check.data.url} target="_blank" rel="noreferrer">
            Open the one-time page
          </Anchor>
          . It must say that the address leads to Bailiwick; this page then shows it within seconds.
        </Text>
      )}
      <ErrorNote error={error} />
      <Group>
        {isOpenAt(address) ? (
          <Button loading={use.isPending} onClick={() => use.mutate({ path, body: {} })}>
            Use this address
          </Button>
        ) : (
          <>
            <Button {...(isReached && { variant: 'default' })} loading={check.isPending} onClick={() => check.mutate()}>
              {isReached ? 'Check again' : 'Check address'}
            </Button>
            {isReached && (
              <Button loading={move.isPending || move.isSuccess} onClick={() => move.mutate()}>
                Sign in at the new address
              </Button>
            )}
          </>
        )}
      </Group>
    </Stack>
  )
}

function StillUsed({ address, current }: { address: Address; current: Address }): ReactNode {
  return (
    <Stack>
      <Text size="sm">
        Browsers that open it are sent to {current.address}. People whose passkey works only here open {address.address}
        /move.
      </Text>
      <Text size="sm">
        <Anchor component={Link} to={`/settings/address/${encodeURIComponent(address.host)}`}>
          What still depends on it
        </Anchor>
      </Text>
    </Stack>
  )
}
