import { Alert, Button, Group, Text, TextInput } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  homeGetSetup,
  notificationChannelsConfirm,
  notificationChannelsList,
  notificationChannelsTest,
} from '#client/api/operations.ts'
import type { NotificationChannel } from '#client/api/types.ts'
import { call } from '../../client/call.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { UserName } from '../../parts/user-name.tsx'

type Name = NotificationChannel['channel']

/** Sends a test message by a channel, and takes the code in it: only then is it known that messages arrive. */
export function ChannelTest({ channel, where }: { channel: Name; where: string }): ReactNode {
  const { may } = useSession()
  const client = useQueryClient()
  const { data } = useQuery(read(notificationChannelsList, {}))
  const state = data?.list.find((each) => each.channel === channel)
  const path = { channel }
  const test = useMutation({
    mutationFn: () => call(notificationChannelsTest, { path }),
    onSettled: () => client.invalidateQueries({ queryKey: [notificationChannelsList.id] }),
  })
  if (!state || state.source === '') return null
  const mayTest = may('notifications.write')
  return (
    <>
      {state.isConfirmed && (
        <Alert color="teal" variant="light" icon={<IconCircleCheck size={18} aria-hidden />} title="Messages arrive">
          <Text size="sm">
            Confirmed by <UserName userId={state.confirmedByUserId} /> on <Moment at={state.confirmedAt} />, with the
            current settings.
          </Text>
        </Alert>
      )}
      {mayTest && (
        <Group>
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            Send a test message
          </Button>
          <Text size="sm" c="dimmed" style={{ flex: 1, minWidth: '12rem' }}>
            {where}
          </Text>
        </Group>
      )}
      <ErrorNote error={test.error} />
      {state.testedAt && (
        <Alert
          color={state.isAccepted ? 'blue' : 'red'}
          variant="light"
          role="status"
          title={state.isAccepted ? 'The test message was accepted' : 'The test message was not accepted'}
          style={{ overflowWrap: 'anywhere' }}
        >
          <Text size="sm">{state.reply}</Text>
        </Alert>
      )}
      {mayTest && state.isCodeExpected && <CodeForm channel={channel} />}
    </>
  )
}

function CodeForm({ channel }: { channel: Name }): ReactNode {
  const [code, setCode] = useState('')
  const confirm = useChange(notificationChannelsConfirm, {
    changes: [notificationChannelsList, homeGetSetup],
    done: 'Confirmed that messages arrive',
  })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (code.trim() !== '') confirm.mutate({ path: { channel }, body: { code } })
      }}
    >
      <Group align="end">
        <TextInput
          label="Code in the message"
          description="Enter it when the message has arrived. If it does not, read what was answered above."
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="123 456"
          maxLength={20}
          style={{ flex: 1 }}
          value={code}
          onChange={({ currentTarget: { value } }) => setCode(value)}
          error={problemOf(confirm.error, 'code')}
        />
        <Button type="submit" disabled={code.trim() === ''} loading={confirm.isPending}>
          Confirm
        </Button>
      </Group>
      <ErrorNote error={confirm.error} shownElsewhere={['code']} />
    </form>
  )
}
