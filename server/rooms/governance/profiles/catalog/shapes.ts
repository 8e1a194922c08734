import { seenAt } from '#authority/replies/index.ts'
import { expandedField } from '#kernel/expand.ts'
import {
  described,
  type Fields,
  fixed,
  flag,
  int64,
  listOf,
  message,
  nested,
  oneOf,
  readOnly,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { annotationsShape, EntitlementMessage, entitlementParts } from '#rooms/records/apps/index.ts'
import { enrollments, unenrollmentEntitlements, unenrollments } from '../profile.ts'

/** How many entitlements may determine who sees a profile. */
export const bindingsMax = 200

export const termShapes = {
  displayName: text({ maxLength: 200 }),
  description: text({ maxLength: 10_000 }),
  published: described(flag(), 'Whether its entitlements can be requested.'),
  visibleToEveryone: described(
    flag(),
    'Whether everyone can see it, instead of only users who have one of accessEntitlements.',
  ),
  requestBundle: described(flag(), 'Whether it can be requested as a whole.'),
  enrollmentBehavior: described(
    oneOf(enrollments),
    'Whether members are granted its entitlements, or each is requested under its own policy (the default).',
  ),
  unenrollmentBehavior: described(
    oneOf(unenrollments),
    'What happens to the access of members who leave: nothing by default. Unjustified access is access that none of their other profiles contains.',
  ),
  unenrollmentEntitlementBehavior: described(
    oneOf(unenrollmentEntitlements),
    'Whether that access ends immediately, or by a task under the revoke policy of each entitlement (the default).',
  ),
  annotations: annotationsShape,
}

// Shown completely, and named by its ids: a profile cannot change the other fields.
type EntitlementFields = (typeof EntitlementMessage)['fields']
const AccessEntitlement = seenAt(
  'entitlement',
  message('requestcatalog.v1.AccessEntitlement', {
    ...(Object.fromEntries(
      Object.entries(EntitlementMessage.fields as Fields).map(([name, shape]) => [name, readOnly(shape)]),
    ) as unknown as EntitlementFields),
    appId: text(),
    id: text(),
  }),
  entitlementParts,
)

export const ProfileMessage = message(
  'requestcatalog.v1.RequestCatalog',
  {
    id: fixed(text()),
    ...termShapes,
    accessEntitlements: described(
      listOf(AccessEntitlement, bindingsMax),
      'Users who have one of these can see it. In an update, each is identified by appId and id; an empty list changes nothing, unless updateMask contains it.',
    ),
    createdByUserId: fixed(text()),
    createdAt: readOnly(timestamp()),
    updatedAt: readOnly(timestamp()),
    deletedAt: readOnly(timestamp()),
  },
  'An access profile: what can be requested, who can see it, and what is requested together.',
)

const ProfileView = message('requestcatalog.v1.RequestCatalogView', {
  requestCatalog: nested(ProfileMessage),
  memberCount: described(int64(), 'How many are enrolled; 0 for callers without the permission profiles.read.'),
  createdByUserPath: text(),
  accessEntitlementsPath: text(),
})
export const viewReply = (name: string) =>
  message(name, { requestCatalogView: nested(ProfileView), expanded: expandedField })
export const viewList = listOf(ProfileView)
