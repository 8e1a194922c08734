import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { signInWays } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { Page } from '../../parts/page.tsx'
import { useLacking } from '../../parts/pages.ts'
import { Tabs } from '../../parts/tabs.tsx'

type SettingsPageProps = { about: ReactNode; actions?: ReactNode; children: ReactNode }

/** The frame of all settings: their tabs, then one of them. */
export function SettingsPage({ about, actions, children }: SettingsPageProps): ReactNode {
  const lackingFor = useLacking()
  const ways = useQuery(read(signInWays, {}))
  return (
    <Page about={about} actions={actions}>
      <Tabs
        label="Settings"
        tabs={[
          { label: 'Notifications', to: '/settings/notifications' },
          { label: 'Delegate', to: '/settings/delegate' },
          { label: 'Passkeys', to: '/settings/passkeys' },
          // Where nobody signs in by a provider, there is nothing to link.
          ...(ways.data?.oidc ? [{ label: 'Single sign-on', to: '/settings/single-sign-on' }] : []),
          { label: 'Sessions', to: '/settings/sessions' },
          { label: 'API credentials', to: '/settings/credentials' },
          { label: 'Devices', to: '/settings/devices' },
          { label: "Everyone's credentials", to: '/settings/everyone' },
          { label: 'Sign-in', to: '/settings/sign-in' },
          { label: 'Requests', to: '/settings/requests' },
          { label: 'Email and chat', to: '/settings/organisation-notifications' },
          { label: 'Four eyes', to: '/settings/four-eyes' },
        ].filter(({ to }) => lackingFor(to) === null)}
      />
      {children}
    </Page>
  )
}
