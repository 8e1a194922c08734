import { invalid } from '#kernel/refusals.ts'
import { described, flag, list, type MessageOf, message, oneOf, text, timestamp } from '#kernel/wire.ts'
import type { HoldingRef } from '#rooms/records/grants/index.ts'
import { remediesFor } from './decide.ts'
import { type Drift, type DriftKind, driftKinds, type Remedy, remedies } from './drift.ts'

const id = () => text({ maxLength: 64 })
export const appIdField = id
export const refFields = { appId: id(), appEntitlementId: id(), appUserId: id() }
export const DriftRef = message('bailiwick.v1.DriftRef', refFields)
export const refOf = (each: MessageOf<typeof refFields>): HoldingRef => ({
  appId: each.appId,
  entitlementId: each.appEntitlementId,
  accountId: each.appUserId,
})

export const kinds = ['DRIFT_KIND_UNSPECIFIED', 'DRIFT_KIND_UNEXPLAINED', 'DRIFT_KIND_MISSING'] as const
export const kindOf = (name: (typeof kinds)[number]): DriftKind | null => driftKinds[kinds.indexOf(name) - 1] ?? null
const kindText = 'UNEXPLAINED: access in the app without a grant. MISSING: a grant that is missing in the app.'

const remedyNames = [
  'DRIFT_REMEDY_UNSPECIFIED',
  'DRIFT_REMEDY_KEEP',
  'DRIFT_REMEDY_REVOKE',
  'DRIFT_REMEDY_REMOVE',
  'DRIFT_REMEDY_PROVISION',
] as const
export const remedyField = () => oneOf(remedyNames)
export const remedyName = (remedy: Remedy): (typeof remedyNames)[number] =>
  remedyNames[remedies.indexOf(remedy) + 1] ?? remedyNames[0]
export function remedyOf(name: (typeof remedyNames)[number]): Remedy {
  const remedy = remedies[remedyNames.indexOf(name) - 1]
  if (!remedy) throw invalid({ field: 'remedy', description: 'must be given' })
  return remedy
}

export const DriftMessage = message(
  'bailiwick.v1.Drift',
  {
    ...refFields,
    kind: described(oneOf(kinds), kindText),
    foundAt: timestamp(),
    sources: described(
      list(text()),
      'Why it is recorded: manual, import, rule, request, profile or directory. Of unexplained access: only import.',
    ),
    remedies: described(
      list(oneOf(remedyNames)),
      'KEEP: record it as a manual grant. REVOKE: create a task that revokes it. REMOVE: remove the grant. PROVISION: create a task that provisions it in the app again.',
    ),
    isUnderWay: described(flag(), 'Whether a task or a connector is processing it.'),
    appDisplayName: text(),
    entitlementDisplayName: text(),
    appUserDisplayName: text(),
    identityUserId: text(),
    userDisplayName: text(),
  },
  'An account and an entitlement for which an app and the grants differ.',
)

export const driftOnWire = (each: Drift) => ({
  appId: each.appId,
  appEntitlementId: each.entitlementId,
  appUserId: each.accountId,
  kind: kinds[driftKinds.indexOf(each.kind) + 1] ?? kinds[0],
  foundAt: each.foundAt,
  sources: each.sources,
  remedies: remediesFor(each).map(remedyName),
  isUnderWay: each.isUnderWay,
  appDisplayName: each.appName,
  entitlementDisplayName: each.entitlementName,
  appUserDisplayName: each.accountName,
  identityUserId: each.userId,
  userDisplayName: each.userName,
})
