import { Alert, Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  chatWebhooksDelete,
  chatWebhooksList,
  chatWebhooksSet,
  chatWebhooksTest,
  notificationsGetStatus,
  orgNotificationSettingsGet,
} from '#client/api/operations.ts'
import type { ChatWebhook as Webhook } from '#client/api/types.ts'
import { call } from '../../client/call.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'

const names: Record<string, string> = { slack: 'Slack', teams: 'Microsoft Teams' }
const changes = [chatWebhooksList, orgNotificationSettingsGet, notificationsGetStatus]

/** The incoming webhook of a chat. Its address is a secret: it is set, and never shown. */
export function ChatWebhook({ webhook, children }: { webhook: Webhook; children: ReactNode }): ReactNode {
  const { may } = useSession()
  const { channel, isConfigured, host } = webhook
  const path = { channel }
  const [url, setUrl] = useState('')
  const [isAsking, setIsAsking] = useState(false)
  const set = useChange(chatWebhooksSet, { changes, done: 'Saved', onDone: () => setUrl('') })
  const remove = useChange(chatWebhooksDelete, { changes, done: 'Removed', onDone: () => setIsAsking(false) })
  const test = useMutation({ mutationFn: () => call(chatWebhooksTest, { path }) })
  const name = names[channel] ?? channel
  const isWriter = may('notifications.write')
  return (
    <Panel
      title={name}
      about={
        isConfigured
          ? `Posts to a channel at ${host}. Everyone in the channel can see names of people and apps.`
          : `Not set up: nothing is posted to ${name}.`
      }
    >
      <Stack maw={560} mb={isConfigured ? 'md' : 0}>
        {isWriter && (
          <>
            <Group align="end">
              <PasswordInput
                label={isConfigured ? 'Another incoming webhook' : 'Incoming webhook'}
                placeholder="https://"
                autoComplete="off"
                style={{ flex: 1 }}
                value={url}
                onChange={({ currentTarget: { value } }) => setUrl(value)}
                error={problemOf(set.error, 'url')}
              />
              <Button disabled={url === ''} loading={set.isPending} onClick={() => set.mutate({ path, body: { url } })}>
                Set webhook
              </Button>
            </Group>
            <ErrorNote error={set.error} shownElsewhere={['url']} />
          </>
        )}
        {isWriter && isConfigured && (
          <Group>
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              Post a test message
            </Button>
            <Button variant="default" onClick={() => setIsAsking(true)}>
              Remove
            </Button>
          </Group>
        )}
        <ErrorNote error={test.error} />
        {test.data && (
          <Alert color={test.data.success ? 'teal' : 'red'} role="status">
            {test.data.message}
          </Alert>
        )}
      </Stack>
      {children}
      <Confirm
        opened={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Remove the webhook of ${name}?`}
        verb="Remove"
        onConfirm={() => remove.mutate({ path })}
        isPending={remove.isPending}
        error={remove.error}
      >
        <Text size="sm">Nothing is posted to the channel any more. To undo this, set the webhook again.</Text>
      </Confirm>
    </Panel>
  )
}
