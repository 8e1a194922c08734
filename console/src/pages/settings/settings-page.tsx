import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { signInWays } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'

type SettingsPageProps = { title: string; about: ReactNode; actions?: ReactNode; children: ReactNode }

/** The frame of all settings: their tabs, then one of them. */
export function SettingsPage({ title, about, actions, children }: SettingsPageProps): ReactNode {
  const { may } = useSession()
  const ways = useQuery(read(signInWays, {}))
  return (
    <Page title={title} about={about} actions={actions}>
      <Tabs
        label="Settings"
        tabs={[
          ...(may('notifications.own') ? [{ label: 'Notifications', to: '/settings/notifications' }] : []),
          ...(may('users.own.read') ? [{ label: 'Delegate', to: '/settings/delegate' }] : []),
          { label: 'Passkeys', to: '/settings/passkeys' },
          // Where nobody signs in by a provider, there is nothing to link.
          ...(ways.data?.oidc ? [{ label: 'Single sign-on', to: '/settings/single-sign-on' }] : []),
          { label: 'Sessions', to: '/settings/sessions' },
          ...(may('credentials.own.read') ? [{ label: 'API credentials', to: '/settings/credentials' }] : []),
          ...(may('credentials.own.read') ? [{ label: 'Devices', to: '/settings/devices' }] : []),
          ...(may('credentials.read') ? [{ label: "Everyone's credentials", to: '/settings/everyone' }] : []),
          ...(may('sign-in.read') ? [{ label: 'Sign-in', to: '/settings/sign-in' }] : []),
          ...(may('terms.read') ? [{ label: 'Requests', to: '/settings/requests' }] : []),
          ...(may('notifications.read')
            ? [{ label: 'Email and chat', to: '/settings/organisation-notifications' }]
            : []),
          ...(may('four-eyes.read') ? [{ label: 'Four eyes', to: '/settings/four-eyes' }] : []),
        ]}
      />
      {children}
    </Page>
  )
}
