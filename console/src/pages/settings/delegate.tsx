import { Button, Group, Skeleton, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { userDelegationGet, userDelegationSet, userGet, userIntrospect } from '#client/api/operations.ts'
import { ApiError } from '#client/api-error.ts'
import type { ReplyOf } from '#client/operation.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { localOf, momentOf } from '../../parts/as-of.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment, zoneHere } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SettingsPage } from './settings-page.tsx'

const dayMs = 86_400_000
const daysAhead = 14

/** Who decides requests in the caller's place, and for how long. */
export function DelegatePage(): ReactNode {
  const { data, error, refetch } = useQuery(read(userDelegationGet, {}))
  return (
    <SettingsPage about="Someone who decides for you while you are away. New requests go to them if the policy allows delegation; requests that already wait for you stay with you.">
      {error && <ErrorNote error={error} title="Your delegate cannot be shown" retry={() => void refetch()} />}
      {data ? (
        data.item ? (
          <Current {...data} item={data.item} />
        ) : (
          <NameDelegate />
        )
      ) : (
        !error && <Skeleton height={200} />
      )}
    </SettingsPage>
  )
}

const changes = [userDelegationGet, userGet, userIntrospect]
type Delegation = ReplyOf<typeof userDelegationGet>

function Current({ item, delegatedUserName }: Delegation & { item: NonNullable<Delegation['item']> }): ReactNode {
  const end = useChange(userDelegationSet, { changes, done: 'Removed your delegate' })
  return (
    <Panel
      title={delegatedUserName || 'Someone you cannot see'}
      about="Decides for you."
      actions={
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate({ body: {} })}>
          Remove
        </Button>
      }
    >
      <Facts
        facts={[
          ['From', <Moment key="from" at={item.startAt ?? item.createdAt} />],
          ['Expires', <Moment key="until" at={item.expirationAt} none="Never" />],
        ]}
      />
      <ErrorNote error={end.error} />
    </Panel>
  )
}

function NameDelegate(): ReactNode {
  const [email, setEmail] = useState('')
  const [from, setFrom] = useState('')
  const [until, setUntil] = useState(localOf(new Date(Date.now() + daysAhead * dayMs)))
  const save = useChange(userDelegationSet, { changes, done: 'Saved your delegate' })
  const isUnknown = save.error instanceof ApiError && save.error.status === 404
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({
          body: {
            delegatedUserEmail: email.trim(),
            delegationStartAt: momentOf(from) || null,
            delegationExpireAt: momentOf(until) || null,
          },
        })
      }}
    >
      <Stack maw={560}>
        <TextInput
          label="Email address"
          description="The person who decides for you."
          type="email"
          required
          value={email}
          onChange={({ currentTarget: { value } }) => setEmail(value)}
          error={isUnknown ? 'Nobody has this email address.' : problemOf(save.error, 'delegatedUserId')}
        />
        <TextInput
          label="From"
          description={`If empty, immediately. Your time zone: ${zoneHere()}.`}
          type="datetime-local"
          value={from}
          onChange={({ currentTarget: { value } }) => setFrom(value)}
        />
        <TextInput
          label="Until"
          description={`If empty, until you remove the delegate. Your time zone: ${zoneHere()}.`}
          type="datetime-local"
          value={until}
          onChange={({ currentTarget: { value } }) => setUntil(value)}
          error={problemOf(save.error, 'delegationExpireAt')}
        />
        <ErrorNote
          error={isUnknown ? null : save.error}
          title="Not saved"
          shownElsewhere={['delegatedUserId', 'delegationExpireAt']}
        />
        <Group>
          <Button type="submit" loading={save.isPending} disabled={email.trim() === ''}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
