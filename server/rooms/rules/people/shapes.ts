import { described, flag, int32, list, listOf, message, nested, oneOf, text, timestamp } from '#kernel/wire.ts'
import { FilterAll, FilterCel, MergeConfig } from '#rooms/records/directories/index.ts'
import { outcomes } from './decide.ts'

export const terms = {
  all: described(nested(FilterAll), 'All accounts become users. This is the default.'),
  celExpression: described(
    nested(FilterCel),
    'Only the accounts that match become users: a CEL expression about account.',
  ),
  mergeConfig: nested(MergeConfig),
}

export const StateMessage = message('directory.v1.DirectoryState', {
  appId: text(),
  displayName: text(),
  usesScim: flag(),
  followedAt: described(
    timestamp(),
    'When the accounts of its app last became users. Absent while a change waits for that, and for one that uses SCIM.',
  ),
  lastRequestAt: described(timestamp(), 'When the identity provider last sent something by SCIM.'),
  userCount: int32(),
  activeUserCount: int32(),
  groupCount: described(int32(), 'Groups that the identity provider sent by SCIM.'),
  conflictCount: described(int32(), 'Accounts that do not become users, or whose email address another user has.'),
  heldCount: described(int32(), 'Users whose deactivation is held.'),
  heldSince: timestamp(),
  lastError: text(),
  lastErrorAt: timestamp(),
  createdAt: timestamp(),
})

const AttributeOrder = message('directory.v1.AttributePrecedence', {
  attribute: described(
    text(),
    'displayName, email, username, employeeIds, department, jobTitle, employmentType, employmentStatus, manager, status, profile or profile.NAME.',
  ),
  appIds: described(
    list(text(), 1000),
    'Directories whose values come first for this attribute. Others follow in the general order.',
  ),
})
export const orderFields = {
  order: described(
    list(text(), 1000),
    'Directories in order of precedence, by app. Those that are not listed come last, oldest first.',
  ),
  attributes: described(listOf(AttributeOrder, 100), 'Attributes with their own order.'),
}
export const OrderMessage = message('directory.v1.DirectoryPrecedence', orderFields)

const outcomeNames = [
  'DIRECTORY_OUTCOME_UNSPECIFIED',
  ...outcomes.map((each) => `DIRECTORY_OUTCOME_${each.toUpperCase()}`),
]
export const Item = message('directory.v1.DirectoryPlanItem', {
  appUserId: described(text(), 'The account; empty if it is about a user only.'),
  displayName: text(),
  outcome: oneOf(outcomeNames as [string, ...string[]]),
  userId: described(text(), 'The user; empty for a user who would be created.'),
  matchedBy: described(text(), 'The key that matched, such as "key 1".'),
  fields: described(list(text()), 'The attributes that would change.'),
  isDisabled: described(flag(), 'The user would be disabled.'),
  isEnabled: described(flag(), 'The user would be enabled.'),
  reason: described(text(), 'Why it is a conflict.'),
  conflictingUserIds: list(text()),
})
export const Counts = message('directory.v1.DirectoryPlanCounts', {
  created: int32(),
  matched: int32(),
  changed: int32(),
  left: described(int32(), 'Accounts that are no longer part of the directory.'),
  disabled: int32(),
  enabled: int32(),
  conflicts: int32(),
})

export const Conflict = message('directory.v1.DirectoryConflict', {
  appUserId: text(),
  displayName: text(),
  email: text(),
  username: text(),
  reason: described(text(), 'NO_KEY, SEVERAL_USERS, SEVERAL_ACCOUNTS, EMAIL_TAKEN or FILTER_FAILED.'),
  key: text(),
  userIds: list(text()),
  since: timestamp(),
})

export const changeFields = {
  appId: described(text(), 'The app. Empty for a change of precedence.'),
  ...terms,
  delete: described(flag(), 'The directory would be deleted.'),
  precedence: described(nested(OrderMessage), 'The precedence would be changed to this.'),
}
