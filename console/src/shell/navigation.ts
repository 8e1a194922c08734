import {
  type Icon,
  IconApps,
  IconChecklist,
  IconFileImport,
  IconKey,
  IconListDetails,
  IconSettings,
  IconUserStar,
  IconUsers,
} from '@tabler/icons-react'

export type Destination = {
  label: string
  to: string
  icon: Icon
  /** Shown to those who hold one of these; to everyone without. */
  permissions?: readonly string[]
  group: 'Access' | 'Records' | 'You'
}

/** The pages that the navigation leads to, from the top. A new area of the console is put in its place here. */
const destinations: readonly Destination[] = [
  { label: 'Apps', to: '/apps', icon: IconApps, permissions: ['apps.read'], group: 'Access' },
  { label: 'Users', to: '/users', icon: IconUsers, permissions: ['users.read'], group: 'Access' },
  {
    label: 'Imports',
    to: '/imports',
    icon: IconFileImport,
    permissions: ['imports.read', 'imports.write'],
    group: 'Records',
  },
  { label: 'System log', to: '/log', icon: IconListDetails, permissions: ['systemlog.read'], group: 'Records' },
  { label: 'Jobs', to: '/jobs', icon: IconChecklist, permissions: ['jobs.read'], group: 'Records' },
  { label: 'Your access', to: '/me', icon: IconKey, permissions: ['grants.own.read'], group: 'You' },
  { label: 'What you own', to: '/owned', icon: IconUserStar, permissions: ['owners.own.read'], group: 'You' },
  { label: 'Settings', to: '/settings', icon: IconSettings, group: 'You' },
]

export const openTo = (may: (permission: string) => boolean): Destination[] =>
  destinations.filter(({ permissions }) => !permissions || permissions.some(may))
