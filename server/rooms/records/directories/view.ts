import { described, flag, int32, message, readOnly, text, timestamp } from '#kernel/wire.ts'
import type { Counts, Directory, DirectoryToken } from './directory.ts'

export const DirectoryMessage = message(
  'directory.v1.ScimDirectory',
  {
    appId: described(readOnly(text()), 'The app whose accounts are its users.'),
    displayName: text(),
    baseUrl: described(readOnly(text()), 'The SCIM base URL (or tenant URL) to enter at the identity provider.'),
    linkExistingUsers: described(flag(), 'Existing users become its users, matched by email address.'),
    userCount: readOnly(int32()),
    activeUserCount: readOnly(int32()),
    groupCount: readOnly(int32()),
    heldCount: described(readOnly(int32()), 'Users whose deactivation is held.'),
    heldSince: readOnly(timestamp()),
    lastRequestAt: readOnly(timestamp()),
    lastErrorAt: readOnly(timestamp()),
    lastError: described(readOnly(text()), 'The message of the last refused request.'),
    createdAt: readOnly(timestamp()),
    updatedAt: readOnly(timestamp()),
  },
  'An identity provider that sends its users and groups by SCIM 2.0.',
)

export const viewDirectory = (base: string, directory: Directory, counts: Counts) => ({
  ...directory,
  baseUrl: `${base}/${directory.appId}`,
  linkExistingUsers: directory.linksExistingUsers,
  userCount: counts.users,
  activeUserCount: counts.activeUsers,
  groupCount: counts.groups,
  heldCount: counts.heldUsers,
})

export const TokenMessage = message('directory.v1.ScimToken', {
  id: text(),
  appId: text(),
  createdByUserId: text(),
  createdAt: timestamp(),
  expiresAt: timestamp(),
  lastUsedAt: timestamp(),
})

export const viewToken = (token: DirectoryToken) => ({ ...token, createdByUserId: token.createdBy })
