import { ExpandMask } from '#kernel/expand.ts'
import { invalid } from '#kernel/refusals.ts'
import { described, duration, flag, type MessageOf, nested, required, struct, text } from '#kernel/wire.ts'
import { GrantSource } from '../shapes.ts'
import type { Asked } from './actions.ts'

const descriptionLength = 10_000

export const target = {
  appId: required(text(), 'must be given'),
  appEntitlementId: required(text(), 'must be given'),
  identityUserId: text(),
  appUserId: text(),
  description: text({ maxLength: descriptionLength }),
  expandMask: nested(ExpandMask),
}

/** The fields of a request for access: to create it, and to plan it. */
export const grantFields = {
  ...target,
  grantDuration: duration(),
  emergencyAccess: flag(),
  requestData: struct(),
  source: nested(GrantSource),
}

export const planFingerprint = described(
  text({ maxLength: 100 }),
  'The fingerprint of a plan of this request. If the request would now take other steps or go to other people, it fails with PLAN_CHANGED.',
)

export function grantAsked(body: MessageOf<typeof grantFields>): Asked {
  const { isExtension: _, ...source } = body.source ?? { isExtension: false }
  const { appId, appEntitlementId: entitlementId, identityUserId, appUserId, description } = body
  return {
    kind: 'grant',
    appId,
    entitlementId,
    identityUserId,
    appUserId,
    description,
    source,
    durationSeconds: body.grantDuration,
    isEmergency: body.emergencyAccess,
    answers: body.requestData,
  }
}

export function refuseUnnamed({ appId, entitlementId }: Pick<Asked, 'appId' | 'entitlementId'>): void {
  for (const [field, value] of [
    ['appId', appId],
    ['appEntitlementId', entitlementId],
  ] as const)
    if (value === '') throw invalid({ field, description: 'must be given' })
}
