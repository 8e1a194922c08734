import { may } from '#authority/may.ts'
import { seenAt } from '#authority/replies/index.ts'
import { ObjectPermissions } from '#kernel/expand.ts'
import type { Actor } from '#kernel/routes.ts'
import {
  described,
  duration,
  fixed,
  flag,
  int64,
  list,
  message,
  nested,
  neverSet,
  oneOf,
  readOnly,
  struct,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import { type Entitlement, purposes } from '../records.ts'
import { annotationsShape, descriptionLength, nameLength } from '../shapes.ts'
import { ProvisionPolicyMessage } from './provision.ts'

const frameworksMax = 100

export const entitlementTermShapes = {
  displayName: text({ maxLength: nameLength }),
  description: text({ maxLength: descriptionLength }),
  slug: text({ maxLength: nameLength }),
  alias: text({ maxLength: nameLength }),
  purpose: oneOf(purposes),
  annotations: annotationsShape,
  riskLevelValueId: text(),
  complianceFrameworkValueIds: list(text(), frameworksMax),
  durationGrant: described(duration(), 'The default duration of a grant, in seconds, as in "3600s".'),
  durationUnset: described(struct(), 'Set to {} if grants do not expire; null if neither is set.'),
  emergencyGrantEnabled: described(
    flag(),
    'Whether it can be requested in an emergency, under emergencyGrantPolicyId.',
  ),
  overrideAccessRequestsDefaults: described(
    flag(),
    'Whether its request settings override the routing rules and defaults of its app.',
  ),
  certifyPolicyId: text(),
  grantPolicyId: text(),
  revokePolicyId: text(),
  emergencyGrantPolicyId: text(),
  matchBatonId: neverSet(text()),
}

/** What owners of an entitlement see of it, what its holders see, and what former holders see. */
export const entitlementParts = {
  owned: 'all',
  held: { without: ['annotations', 'externalId'] },
  named: { only: ['id', 'appId', 'displayName'] },
} as const

export const EntitlementMessage = seenAt(
  'entitlement',
  message(
    'app.v1.AppEntitlement',
    {
      id: readOnly(text()),
      appId: fixed(text()),
      externalId: readOnly(text()),
      appResourceTypeId: fixed(text()),
      appResourceId: fixed(text()),
      ...entitlementTermShapes,
      provisionerPolicy: described(nested(ProvisionPolicyMessage), 'How access is provisioned once it is approved.'),
      deprovisionerPolicy: described(nested(ProvisionPolicyMessage), 'How access is deprovisioned.'),
      requestSchemaId: described(
        fixed(text()),
        'The request schema that is bound to it. It is set by a binding, and ignored in an update of the whole entitlement.',
      ),
      defaultValuesApplied: described(fixed(flag()), 'Whether enabled defaults of its app apply to it.'),
      sourceConnectorIds: described(
        fixed(annotationsShape),
        'The id that it has in each connector that reports it, by the id of the connector.',
      ),
      systemBuiltin: readOnly(flag()),
      isManuallyManaged: fixed(flag()),
      isAutomationEnabled: described(readOnly(flag()), 'Whether an automation rule grants it.'),
      userEditedMask: described(readOnly(text()), 'The fields that people have changed since it was created.'),
      grantCount: readOnly(int64()),
      createdAt: readOnly(timestamp()),
      updatedAt: readOnly(timestamp()),
      deletedAt: readOnly(timestamp()),
    },
    'Something that can be granted in an app. grantCount is the number of accounts that have it.',
  ),
  entitlementParts,
)

export const EntitlementView = message('app.v1.AppEntitlementView', {
  appEntitlement: nested(EntitlementMessage),
  appPath: readOnly(text()),
  appResourceTypePath: readOnly(text()),
  appResourcePath: readOnly(text()),
  objectPermissions: nested(ObjectPermissions),
})

/** An entitlement in the form of the API: with a duration, or that it is unset, or neither if none was set. */
export const entitlementOnWire = <
  E extends Pick<Entitlement, 'appId' | 'externalId' | 'isDurationUnset' | 'userEdited' | 'connectorIds'>,
>(
  entitlement: E,
) => ({
  ...entitlement,
  durationUnset: entitlement.isDurationUnset ? {} : null,
  matchBatonId: '',
  sourceConnectorIds: Object.fromEntries(entitlement.connectorIds.map((id) => [id, entitlement.externalId])),
  systemBuiltin: entitlement.appId === profilesAppId,
  userEditedMask: entitlement.userEdited.join(','),
})

export type EntitlementPaths = { appPath: string; appResourceTypePath: string; appResourcePath: string }

export const entitlementView = (
  { permissions }: Pick<Actor, 'permissions'>,
  entitlement: Entitlement,
  paths: EntitlementPaths = { appPath: '', appResourceTypePath: '', appResourcePath: '' },
) => ({
  appEntitlement: entitlementOnWire(entitlement),
  ...paths,
  objectPermissions: {
    read: may({ permissions }, 'entitlements.read'),
    edit: may({ permissions }, 'entitlements.edit'),
    delete: may({ permissions }, 'entitlements.edit'),
  },
})

/** An entitlement as a related object: without its count. */
export function entitlementAsNeighbour(entitlement: Omit<Entitlement, 'grantCount'>): object {
  const { grantCount: _, ...rest } = EntitlementMessage.write(entitlementOnWire(entitlement))
  return rest
}
