import { Alert, Anchor, Skeleton, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  tenantEmailProviderGetEmailCapabilities,
  userNotificationSettingsGet,
  userNotificationSettingsUpdate,
} from '#client/api/operations.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SettingsPage } from '../settings/settings-page.tsx'
import { type Change, Digest, Switches } from './switches.tsx'

/** Which mails the caller gets. */
export function OwnNotifications(): ReactNode {
  const { user } = useSession()
  const { data, error, refetch } = useQuery(read(userNotificationSettingsGet, {}))
  const { data: capabilities } = useQuery(read(tenantEmailProviderGetEmailCapabilities, {}))
  const save = useChange(userNotificationSettingsUpdate, { changes: [userNotificationSettingsGet] })
  const email = data?.userNotificationSettings?.channelSettings?.email
  const change = (of: Change): void => save.mutate({ body: { channelSettings: { email: of } } })
  const shared = {
    label: 'Email',
    hasLocks: false,
    isFixed: save.isPending,
    onChange: change,
  }
  return (
    <SettingsPage
      about={
        <>
          Choose which emails you receive.{' '}
          <Anchor component={Link} to="/settings/notification-previews" size="sm" underline="always">
            Preview emails
          </Anchor>
        </>
      }
    >
      {capabilities && !capabilities.externalEmailSupported && (
        <Alert color="yellow" mb="md" title="No email is sent">
          No mail server is configured yet. Your settings apply once there is one.
        </Alert>
      )}
      {error && <ErrorNote error={error} title="Your settings cannot be shown" retry={() => void refetch()} />}
      <ErrorNote error={save.error} />
      {email ? (
        <Panel
          title="Email"
          about={
            <span style={{ overflowWrap: 'anywhere' }}>
              {user?.email ? `Sent to ${user.email}` : 'You have no email address'}
            </span>
          }
        >
          <Switch
            label="Send me email"
            mb="md"
            checked={email.enabled}
            disabled={save.isPending}
            onChange={({ currentTarget: { checked } }) => change({ enabled: checked })}
          />
          <Switches channel={email} {...shared} />
          <Digest channel={email} {...shared} />
        </Panel>
      ) : (
        !error && <Skeleton height={320} />
      )}
    </SettingsPage>
  )
}
