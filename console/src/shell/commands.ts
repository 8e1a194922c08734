import {
  type Icon,
  IconApps,
  IconBolt,
  IconFileImport,
  IconFingerprint,
  IconForms,
  IconKey,
  IconKeyboard,
  IconPackage,
  IconPlugConnected,
  IconPlus,
  IconRobot,
  IconRoute,
  IconUserCheck,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react'
import { openShortcuts } from '../parts/shortcuts.ts'

/** Something that Ctrl-K does or begins, by its name. */
export type Command = {
  label: string
  icon: Icon
  /** Other words that find it. */
  words?: string
  /** Offered to those who hold it; to everyone without. */
  permission?: string
} & ({ to: string } | { run: () => void })

const commands: readonly Command[] = [
  { label: 'Request access', icon: IconPlus, to: '/request', permission: 'profiles.own.read' },
  { label: 'Create app', icon: IconApps, words: 'add new', to: '/apps#create', permission: 'apps.write' },
  {
    label: 'Grant access',
    icon: IconUserCheck,
    words: 'add member give',
    to: '/grants#create',
    permission: 'grants.write',
  },
  {
    label: 'Create rule',
    icon: IconBolt,
    words: 'add new automation',
    to: '/rules#create',
    permission: 'automations.write',
  },
  { label: 'Import file', icon: IconFileImport, words: 'upload', to: '/imports', permission: 'imports.write' },
  {
    label: 'Add connector',
    icon: IconPlugConnected,
    words: 'create new',
    to: '/connectors/new',
    permission: 'apps.write',
  },
  {
    label: 'Add directory',
    icon: IconUsersGroup,
    words: 'create new scim',
    to: '/directories/new',
    permission: 'directories.write',
  },
  { label: 'Create policy', icon: IconRoute, words: 'add new', to: '/policies/new', permission: 'policies.write' },
  { label: 'Create form', icon: IconForms, words: 'add new', to: '/forms/new', permission: 'forms.write' },
  {
    label: 'Create access profile',
    icon: IconPackage,
    words: 'add new catalog',
    to: '/profiles#create',
    permission: 'profiles.write',
  },
  {
    label: 'Create service principal',
    icon: IconRobot,
    words: 'add new program',
    to: '/principals#create',
    permission: 'principals.write',
  },
  {
    label: 'Create subscription',
    icon: IconWebhook,
    words: 'add new events',
    to: '/subscriptions#create',
    permission: 'subscriptions.write',
  },
  {
    label: 'Create webhook',
    icon: IconWebhook,
    words: 'add new',
    to: '/webhooks#create',
    permission: 'webhooks.write',
  },
  { label: 'Create API credential', icon: IconKey, words: 'add new token', to: '/settings/credentials' },
  { label: 'Add passkey', icon: IconFingerprint, words: 'create new', to: '/settings/passkeys' },
  { label: 'Keyboard shortcuts', icon: IconKeyboard, words: 'help keys', run: openShortcuts },
]

export const commandsFor = (may: (permission: string) => boolean): Command[] =>
  commands.filter(({ permission }) => !permission || may(permission))
