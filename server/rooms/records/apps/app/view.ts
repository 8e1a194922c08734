import { seenAt } from '#authority/replies/index.ts'
import {
  described,
  fixed,
  flag,
  int32,
  int64,
  message,
  neverSet,
  oneOf,
  readOnly,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { type App, identityMatchings } from '../records.ts'
import { annotationsShape, descriptionLength, nameLength } from '../shapes.ts'

const urlLength = 2000

export const appTermShapes = {
  displayName: text({ maxLength: nameLength }),
  description: text({ maxLength: descriptionLength }),
  annotations: annotationsShape,
  instructions: text({ maxLength: descriptionLength }),
  monthlyCostUsd: int32(),
  identityMatching: oneOf(identityMatchings),
  strictAccessEntitlementProvisioning: neverSet(flag()),
  certifyPolicyId: described(text(), 'The policy for reviews, if an entitlement has none.'),
  grantPolicyId: described(text(), 'The policy for requests, if an entitlement has none.'),
  revokePolicyId: described(text(), 'The policy for revocations, if an entitlement has none.'),
}

export const AppMessage = seenAt(
  'app',
  message(
    'app.v1.App',
    {
      id: readOnly(text()),
      ...appTermShapes,
      iconUrl: text({ maxLength: urlLength, pattern: /^https?:\/\/[^\s]+$/, hint: 'must be an http or https URL' }),
      logoUri: readOnly(text()),
      isDirectory: readOnly(flag()),
      parentAppId: readOnly(text()),
      enableConnectorSourcedOwnership: neverSet(flag()),
      revokeGrantSources: neverSet(flag()),
      defaultRequestCatalogId: neverSet(text()),
      isManuallyManaged: fixed(flag()),
      userCount: readOnly(int64()),
      createdAt: readOnly(timestamp()),
      updatedAt: readOnly(timestamp()),
      deletedAt: readOnly(timestamp()),
    },
    'An app whose access is managed. userCount is the number of accounts with access.',
  ),
  {
    owned: 'all',
    held: { without: ['annotations', 'monthlyCostUsd', 'identityMatching', 'userCount'] },
    named: { only: ['id', 'displayName'] },
  },
)

/**
 * An app in the form of the API. Apps are not nested. Unsupported fields are returned empty: a client that sent them empty
 * compares (docs/decisions/0045).
 */
export const appOnWire = <A extends Pick<App, 'iconUrl'>>(app: A) => ({
  ...app,
  logoUri: app.iconUrl,
  parentAppId: '',
  strictAccessEntitlementProvisioning: false,
  enableConnectorSourcedOwnership: false,
  revokeGrantSources: false,
  defaultRequestCatalogId: '',
})

/** An app as a related object: without its count, which costs more than everything else. */
export function appAsNeighbour(app: Omit<App, 'userCount'>): object {
  const { userCount: _, ...rest } = AppMessage.write(appOnWire(app))
  return rest
}
