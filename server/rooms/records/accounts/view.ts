import { seenAt } from '#authority/replies/index.ts'
import { described, flag, list, message, nested, oneOf, readOnly, struct, text, timestamp } from '#kernel/wire.ts'
import { type Account, accountStatuses, accountTypes } from './account.ts'

const AppUserStatus = message('app.v1.AppUserStatus', { status: oneOf(accountStatuses) })

/**
 * The fields of an account that this server created were copied from its user: only callers who see those of the user see
 * them.
 */
export const AppUser = seenAt(
  'account',
  message(
    'app.v1.AppUser',
    {
      id: readOnly(text()),
      appId: readOnly(text()),
      identityUserId: readOnly(text()),
      appUserType: oneOf(accountTypes),
      status: nested(AppUserStatus),
      displayName: readOnly(text()),
      email: readOnly(text()),
      emails: readOnly(list(text())),
      username: readOnly(text()),
      usernames: readOnly(list(text())),
      employeeIds: readOnly(list(text())),
      isExternal: described(
        readOnly(flag()),
        "A person's account whose email address has none of the organization's domains; without domains or an address, one that belongs to no user.",
      ),
      profile: readOnly(struct()),
      createdAt: readOnly(timestamp()),
      updatedAt: readOnly(timestamp()),
      deletedAt: readOnly(timestamp()),
    },
    'An account in one app. identityUserId is the user that it belongs to; empty if there is none.',
  ),
  { whole: 'all', 'not copied': { without: ['email', 'emails', 'username', 'usernames', 'employeeIds', 'profile'] } },
)

export const AppUserView = message('app.v1.AppUserView', {
  appUser: nested(AppUser),
  appPath: text(),
  identityUserPath: text(),
})

export const viewAccount = (account: Account) => ({
  ...account,
  status: { status: account.status },
})
