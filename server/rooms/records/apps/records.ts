import type { ProvisionPolicy } from './entitlements/provision.ts'

/** What the store reads and the views show. `deletedAt` is null unless deleted ones were asked for. */
type Times = { createdAt: Date; updatedAt: Date; deletedAt: Date | null }

export type Annotations = { readonly [name: string]: string }

export const identityMatchings = [
  'APP_USER_IDENTITY_MATCHING_UNSPECIFIED',
  'APP_USER_IDENTITY_MATCHING_STRICT',
  'APP_USER_IDENTITY_MATCHING_DISPLAY_NAME',
] as const
export const purposes = [
  'APP_ENTITLEMENT_PURPOSE_VALUE_UNSPECIFIED',
  'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT',
  'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION',
  'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP',
] as const

/** What happens to a change that no connector carries out because there is none: it is recorded, or people are asked. */
export const withoutConnectorKinds = ['records only', 'manual'] as const
export type WithoutConnector = (typeof withoutConnectorKinds)[number]

/** The policies that are named: '' where none is. */
export type PolicyIds = { grantPolicyId: string; revokePolicyId: string; certifyPolicyId: string }

export type App = Times &
  PolicyIds & {
    id: string
    displayName: string
    description: string
    annotations: Annotations
    instructions: string
    monthlyCostUsd: number
    identityMatching: (typeof identityMatchings)[number]
    iconUrl: string
    isManuallyManaged: boolean
    /** Its accounts become users. */
    isDirectory: boolean
    /** Accounts with an open grant. */
    userCount: number
  }
/** The fields of an app that its creator sets. */
export type AppTerms = Pick<
  App,
  | 'displayName'
  | 'description'
  | 'annotations'
  | 'instructions'
  | 'monthlyCostUsd'
  | 'identityMatching'
  | 'iconUrl'
  | keyof PolicyIds
>

export type ResourceType = Times & {
  id: string
  appId: string
  displayName: string
  traitIds: readonly string[]
}
export type ResourceTypeTerms = Pick<ResourceType, 'displayName' | 'traitIds'>

export type Resource = Times & {
  id: string
  appId: string
  appResourceTypeId: string
  externalId: string
  displayName: string
  description: string
  customDescription: string
  annotations: Annotations
  profile: { readonly [name: string]: unknown }
  parentAppResourceTypeId: string
  parentAppResourceId: string
  /** Accounts with an open grant of one of its entitlements. */
  grantCount: number
}
export type ResourceTerms = Pick<Resource, 'displayName' | 'description' | 'customDescription' | 'annotations'>

export type Entitlement = Times &
  PolicyIds & {
    id: string
    appId: string
    externalId: string
    /** Both empty, or both ids. */
    appResourceTypeId: string
    appResourceId: string
    displayName: string
    description: string
    slug: string
    alias: string
    purpose: (typeof purposes)[number]
    annotations: Annotations
    riskLevelValueId: string
    complianceFrameworkValueIds: readonly string[]
    /** In seconds; null if it does not expire. */
    durationGrant: number | null
    /** Whether "no expiry" was set explicitly. */
    isDurationUnset: boolean
    /** The policy of requests in an emergency; '' where there is none. */
    emergencyGrantPolicyId: string
    emergencyGrantEnabled: boolean
    /** Whether its own request settings count before the routing rules and defaults of its app, and instead of them. */
    overrideAccessRequestsDefaults: boolean
    /** How access is provisioned once it is approved, and how it is removed; null if not set. */
    provisionerPolicy: ProvisionPolicy | null
    deprovisionerPolicy: ProvisionPolicy | null
    /** The form that is bound to it; '' where none is. */
    requestSchemaId: string
    /** Whether enabled defaults of its app apply to it. */
    defaultValuesApplied: boolean
    isManuallyManaged: boolean
    /** Whether a rule grants it. */
    isAutomationEnabled: boolean
    /** The fields that people have changed since it was created. */
    userEdited: readonly string[]
    /** Accounts with an open grant. */
    grantCount: number
    /** The connectors that report it. */
    connectorIds: readonly string[]
  }
export type EntitlementTerms = Pick<
  Entitlement,
  | 'displayName'
  | 'description'
  | 'slug'
  | 'alias'
  | 'purpose'
  | 'annotations'
  | 'riskLevelValueId'
  | 'complianceFrameworkValueIds'
  | 'durationGrant'
  | 'isDurationUnset'
  | keyof PolicyIds
  | 'emergencyGrantPolicyId'
  | 'emergencyGrantEnabled'
  | 'overrideAccessRequestsDefaults'
  | 'provisionerPolicy'
  | 'deprovisionerPolicy'
>

export type Proxy = {
  srcAppId: string
  srcAppEntitlementId: string
  dstAppId: string
  dstAppEntitlementId: string
  createdAt: Date
  updatedAt: Date
}
export type ProxyKey = Omit<Proxy, 'createdAt' | 'updatedAt'>

export type UsageControls = {
  appId: string
  notify: boolean
  notifyAfterDays: number
  revoke: boolean
  revokeAfterDays: number
}
