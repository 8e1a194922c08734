import {
  type Icon,
  IconApps,
  IconArrowsDiff,
  IconBolt,
  IconChecklist,
  IconChecks,
  IconFileImport,
  IconForms,
  IconGitCompare,
  IconHome,
  IconId,
  IconKey,
  IconListDetails,
  IconLockAccess,
  IconPackage,
  IconPlugConnected,
  IconPlus,
  IconRobot,
  IconRoute,
  IconSend,
  IconSettings,
  IconStack2,
  IconSubtask,
  IconUserCheck,
  IconUserStar,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react'

export type Destination = {
  label: string
  to: string
  icon: Icon
  /** Shown to those who hold one of these; to everyone without. */
  permissions?: readonly string[]
  /** Also to those who hold one of them for what they own: a list of that. */
  isForOwners?: true
  group: 'Requests' | 'Access' | 'Records' | 'You'
  /** Marked as open only at this very address. */
  isExact?: boolean
}

/** The pages that the navigation leads to, from the top. A new area of the console is put in its place here. */
const destinations: readonly Destination[] = [
  { label: 'Home', to: '/', icon: IconHome, group: 'Requests', isExact: true },
  { label: 'Request access', to: '/request', icon: IconPlus, permissions: ['tasks.own'], group: 'Requests' },
  {
    label: 'Inbox',
    to: '/decide',
    icon: IconChecks,
    permissions: ['tasks.own'],
    group: 'Requests',
  },
  { label: 'My requests', to: '/requests', icon: IconSend, permissions: ['tasks.own'], group: 'Requests' },
  { label: 'All tasks', to: '/tasks', icon: IconSubtask, permissions: ['tasks.read'], group: 'Requests' },
  { label: 'Access profiles', to: '/profiles', icon: IconPackage, permissions: ['profiles.read'], group: 'Requests' },
  {
    label: 'Policies',
    to: '/policies',
    icon: IconRoute,
    permissions: ['policies.read'],
    group: 'Requests',
  },
  { label: 'Webhooks', to: '/webhooks', icon: IconWebhook, permissions: ['webhooks.read'], group: 'Requests' },
  { label: 'Forms', to: '/forms', icon: IconForms, permissions: ['forms.read'], group: 'Requests' },
  { label: 'Apps', to: '/apps', icon: IconApps, permissions: ['apps.read'], group: 'Access' },
  {
    label: 'Entitlements',
    to: '/entitlements',
    icon: IconLockAccess,
    permissions: ['entitlements.read'],
    isForOwners: true,
    group: 'Access',
  },
  { label: 'Users', to: '/users', icon: IconUsers, permissions: ['users.read'], group: 'Access' },
  {
    label: 'Accounts',
    to: '/accounts',
    icon: IconId,
    permissions: ['accounts.read'],
    isForOwners: true,
    group: 'Access',
  },
  {
    label: 'Grants',
    to: '/grants',
    icon: IconUserCheck,
    permissions: ['grants.read'],
    isForOwners: true,
    group: 'Access',
  },
  {
    label: 'Rules',
    to: '/rules',
    icon: IconBolt,
    permissions: ['automations.read'],
    isForOwners: true,
    group: 'Access',
  },
  {
    label: 'Service principals',
    to: '/principals',
    icon: IconRobot,
    permissions: ['principals.read'],
    group: 'Access',
  },
  {
    label: 'Drift',
    to: '/drift',
    icon: IconArrowsDiff,
    permissions: ['grants.read'],
    group: 'Access',
  },
  { label: 'Bulk changes', to: '/bulk-changes', icon: IconStack2, permissions: ['grants.read'], group: 'Access' },
  { label: 'Changes', to: '/changes', icon: IconGitCompare, permissions: ['grants.read'], group: 'Access' },
  {
    label: 'Directories',
    to: '/directories',
    icon: IconUsersGroup,
    permissions: ['directories.read'],
    group: 'Records',
  },
  {
    label: 'Connectors',
    to: '/connectors',
    icon: IconPlugConnected,
    permissions: ['apps.read'],
    group: 'Records',
  },
  {
    label: 'Imports',
    to: '/imports',
    icon: IconFileImport,
    permissions: ['imports.read', 'imports.write'],
    group: 'Records',
  },
  { label: 'System log', to: '/log', icon: IconListDetails, permissions: ['systemlog.read'], group: 'Records' },
  {
    label: 'Subscriptions',
    to: '/subscriptions',
    icon: IconWebhook,
    permissions: ['subscriptions.read'],
    group: 'Records',
  },
  { label: 'Jobs', to: '/jobs', icon: IconChecklist, permissions: ['jobs.read'], group: 'Records' },
  { label: 'Your access', to: '/me', icon: IconKey, permissions: ['grants.own.read'], group: 'You' },
  { label: 'What you own', to: '/owned', icon: IconUserStar, permissions: ['owners.own.read'], group: 'You' },
  { label: 'Settings', to: '/settings', icon: IconSettings, group: 'You' },
]

type Caller = Record<'may' | 'mayOnOwned', (permission: string) => boolean>

export const openTo = ({ may, mayOnOwned }: Caller): Destination[] =>
  destinations.filter(
    ({ permissions, isForOwners }) =>
      !permissions || permissions.some((each) => may(each) || (isForOwners && mayOnOwned(each))),
  )
