import { Anchor, Skeleton, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  chatWebhooksList,
  notificationsGetStatus,
  orgNotificationSettingsGet,
  orgNotificationSettingsUpdate,
} from '#client/api/operations.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Troubles } from '../../parts/troubles.tsx'
import { SettingsPage } from '../settings/settings-page.tsx'
import { ChatWebhook } from './chat-webhook.tsx'
import { Sender } from './sender.tsx'
import { type Change, type Channel, Digest, Switches } from './switches.tsx'
import { troublesOf } from './troubles-of.tsx'

/** Which notifications the organization sends, by email and in its chats. */
export function OrganisationNotifications(): ReactNode {
  const { data, error, refetch } = useQuery(read(orgNotificationSettingsGet, {}))
  const { data: webhooks } = useQuery(read(chatWebhooksList, {}))
  const channels = data?.orgNotificationSettings?.channelSettings
  return (
    <SettingsPage
      about={
        <>
          Which notifications are sent by email and posted to chat.{' '}
          <Anchor component={Link} to="/settings/notification-previews" size="sm" underline="always">
            Preview emails
          </Anchor>
        </>
      }
    >
      {error && <ErrorNote error={error} title="The settings cannot be shown" retry={() => void refetch()} />}
      <Status />
      <Sender />
      {channels?.email ? (
        <ChannelPanel name="email" title="Email" channel={channels.email} />
      ) : (
        !error && <Skeleton height={320} />
      )}
      {webhooks?.list.map((webhook) => {
        const name = webhook.channel as 'slack' | 'teams'
        const channel = channels?.[name]
        return (
          <ChatWebhook key={name} webhook={webhook}>
            {webhook.isConfigured && channel && <ChannelSwitches name={name} channel={channel} />}
          </ChatWebhook>
        )
      })}
    </SettingsPage>
  )
}

function Status(): ReactNode {
  const { data } = useQuery(read(notificationsGetStatus, {}))
  const status = data?.status
  if (!status) return null
  return (
    <>
      <Troubles troubles={troublesOf(status)} />
      <Panel title="Status">
        <Facts
          facts={[
            ['Waiting', status.waiting.toLocaleString()],
            ['Failed in 7 days', status.failed.toLocaleString()],
            ['Last sent', <Moment key="sent" at={status.lastSentAt} none="Nothing in 7 days" />],
          ]}
        />
      </Panel>
    </>
  )
}

type ChannelProps = { name: 'email' | 'slack' | 'teams'; channel: Channel }

const ChannelPanel = ({ title, ...props }: ChannelProps & { title: string }): ReactNode => (
  <Panel title={title} about="With “Same for everyone”, people cannot change the setting for themselves.">
    <ChannelSwitches {...props} />
  </Panel>
)

const labels = { email: 'Email', slack: 'Slack', teams: 'Microsoft Teams' }

function ChannelSwitches({ name, channel }: ChannelProps): ReactNode {
  const { may } = useSession()
  const save = useChange(orgNotificationSettingsUpdate, {
    changes: [orgNotificationSettingsGet, notificationsGetStatus],
  })
  const change = (of: Change): void => save.mutate({ body: { channelSettings: { [name]: of } } })
  const shared = {
    label: labels[name],
    channel,
    hasLocks: name === 'email',
    isFixed: !may('notifications.write') || save.isPending,
    onChange: change,
  }
  return (
    <>
      <ErrorNote error={save.error} />
      <Switch
        label={name === 'email' ? 'Send email' : 'Post to this channel'}
        {...(name === 'email' && { description: 'Security notices are always sent.' })}
        mb="md"
        checked={channel.enabled}
        disabled={shared.isFixed}
        onChange={({ currentTarget: { checked } }) => change({ enabled: checked })}
      />
      <Switches {...shared} />
      <Digest {...shared} />
    </>
  )
}
