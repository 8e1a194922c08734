import { described, listOf, message, nested, oneOf, readOnly, text, timestamp } from '#kernel/wire.ts'
import { UserMessage } from '#rooms/identity/users/index.ts'
import { AppUser, AppUserView } from '#rooms/records/accounts/index.ts'
import { EntitlementView } from '#rooms/records/apps/index.ts'
import { giverField } from './givers/view.ts'
import type { EntitlementRef, Holding, HoldingRef, Reason } from './grant.ts'

const refFields = { appId: text(), appEntitlementId: text(), appUserId: text() }
export const onWire = ({ appId, entitlementId, accountId }: HoldingRef) => ({
  appId,
  appEntitlementId: entitlementId,
  appUserId: accountId,
})

const strengths = [
  'GRANT_REASON_REFERENCE_STRENGTH_UNSPECIFIED',
  'GRANT_REASON_REFERENCE_STRENGTH_WEAK',
  'GRANT_REASON_REFERENCE_STRENGTH_STRONG',
] as const

const GrantReason = message(
  'app.v1.GrantReason',
  {
    ...refFields,
    derivedIdType: described(text(), 'Where it comes from: manual, import, rule, request or profile.'),
    derivedIdData: described(
      text(),
      'Who or what granted it: the id of a user, an import, a run, a task or an access profile.',
    ),
    referenceStrength: oneOf(strengths),
    reasonExpiresAt: timestamp(),
    reason: described(text(), 'The reason or ticket number of the grant; empty if there is none.'),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    deletedAt: timestamp(),
  },
  'One source of access.',
)

/** One reason for what `ref` identifies; `endedAt` is null while it holds. */
export const viewReason = (ref: ReturnType<typeof onWire>, reason: Omit<Reason, 'accountId'>) => ({
  ...ref,
  derivedIdType: reason.source,
  derivedIdData: reason.grantedBy,
  referenceStrength: 'GRANT_REASON_REFERENCE_STRENGTH_STRONG' as const,
  reasonExpiresAt: reason.expiresAt,
  reason: reason.reason,
  createdAt: reason.grantedAt,
  updatedAt: reason.endedAt ?? reason.beganAt,
  deletedAt: reason.endedAt,
})

const id = () => text({ maxLength: 64 })
export const AppEntitlementRef = message('app.v1.AppEntitlementRef', { appId: id(), id: id() })
const grantSources = described(
  readOnly(listOf(AppEntitlementRef)),
  'The other access through which an automation rule or the app itself grants this, such as membership in a group; for ' +
    'current grants only.',
)

/** Who holds something, with their account, and for which reasons: not in the published schema, like `asOf`. */
export const AppEntitlementUserView = message('app.v1.AppEntitlementUserView', {
  ...refFields,
  appUser: nested(AppUserView),
  appEntitlementUserBindingCreatedAt: readOnly(timestamp()),
  appEntitlementUserBindingDeprovisionAt: readOnly(timestamp()),
  grantReasons: described(listOf(GrantReason), 'The sources of the access at that time.'),
  grantSources,
  originatingTicketId: described(
    readOnly(text()),
    'The task by which it was requested; empty if it was not requested.',
  ),
})

export const AppEntitlementUserBinding = message('app.v1.AppEntitlementUserBinding', {
  ...refFields,
  createdAt: readOnly(timestamp()),
  deprovisionAt: readOnly(timestamp()),
  deletedAt: readOnly(timestamp()),
  grantSources,
})
export const viewBinding = (holding: Holding, sources: readonly EntitlementRef[]) => ({
  ...onWire(holding),
  createdAt: holding.grantedAt,
  deprovisionAt: holding.expiresAt,
  deletedAt: null,
  grantSources: sources,
})

export const AppEntitlementWithUserBinding = message('app.v1.AppEntitlementWithUserBinding', {
  appEntitlementUserBinding: nested(AppEntitlementUserView),
  entitlement: nested(EntitlementView),
})

export const AppEntitlementWithExpired = message(
  'app.v1.AppEntitlementWithExpired',
  {
    ...refFields,
    appUser: nested(AppUser),
    user: nested(UserMessage),
    discovered: described(timestamp(), 'Since when the current or the last access exists.'),
    expired: described(timestamp(), 'When the access ended; null if it has not ended.'),
    grantReasons: listOf(GrantReason),
    grantSources,
  },
  'Who has or had an entitlement.',
)

export const FeedView = message('app.v1.AppEntitlementUserBindingFeedView', {
  feed: nested(
    message('app.v1.AppEntitlementUserBindingFeed', {
      ...refFields,
      date: timestamp(),
      ticketId: described(text(), 'The task by which it was granted or ended; empty if it was none.'),
      eventType: oneOf(['GRANT_EVENT_TYPE_UNSPECIFIED', 'GRANT_EVENT_TYPE_ADDED', 'GRANT_EVENT_TYPE_REMOVED']),
    }),
  ),
  appPath: text(),
  appUserPath: text(),
  entitlementPath: text(),
  // Not in the published schema: what caused it.
  source: described(text(), 'Why it is or was held: manual, import, rule, request, profile or directory.'),
  causedBy: giverField('Who or what granted or ended it.'),
  endedWhy: described(text(), 'Of what was removed: revoked or expired.'),
  reason: described(text(), 'Of what was granted manually: the reason or ticket.'),
})

export const HistoryView = message('app.v1.AppEntitlementUserBindingHistoryView', {
  history: nested(
    message('app.v1.AppEntitlementUserBindingHistory', {
      id: readOnly(text()),
      ...refFields,
      grantedAt: readOnly(timestamp()),
      revokedAt: readOnly(timestamp()),
    }),
  ),
  appPath: text(),
  appUserPath: text(),
  entitlementPath: text(),
})

/** The most objects that a filter may name. */
export const refsMax = 1000
export const AppUserRef = message('app.v1.AppUserRef', { appId: id(), id: id() })
export const AppRef = message('app.v1.AppRef', { id: id() })
export const UserRef = message('user.v1.UserRef', { id: id() })
