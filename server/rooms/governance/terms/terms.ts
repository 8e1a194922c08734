import type { ProvisionPolicy } from '#rooms/records/apps/index.ts'

/** In order of precedence. The last is that of access profiles, which no published field sets yet. */
export const sources = [
  'APPLIED_SETTINGS_SOURCE_UNSPECIFIED',
  'APPLIED_SETTINGS_SOURCE_ENTITLEMENT_OVERRIDE',
  'APPLIED_SETTINGS_SOURCE_ROUTING_RULE',
  'APPLIED_SETTINGS_SOURCE_ENTITLEMENT_DEFAULT',
  'APPLIED_SETTINGS_SOURCE_APP_DEFAULT',
  'APPLIED_SETTINGS_SOURCE_ACCESS_PROFILE_DEFAULT',
] as const
export type Source = (typeof sources)[number]

/** Where a setting comes from: for programs, and as a sentence. Unspecified if nothing sets it. */
export type Applied = { source: Source; routingRuleId: string; why: string }

export const settingNames = [
  'grantPolicy',
  'revokePolicy',
  'emergency',
  'form',
  'maxDuration',
  'provisioner',
  'deprovisioner',
] as const
export type SettingName = (typeof settingNames)[number]

/** What applies to an entitlement when it is requested. '' and null if nothing sets it. */
export type Terms = {
  appId: string
  appName: string
  entitlementId: string
  entitlementName: string
  resourceTypeId: string
  resourceId: string
  grantPolicyId: string
  revokePolicyId: string
  /** Whether it can be requested in an emergency: this also requires a policy for it. */
  isEmergencyEnabled: boolean
  emergencyPolicyId: string
  formId: string
  maxSeconds: number | null
  provisioner: ProvisionPolicy | null
  deprovisioner: ProvisionPolicy | null
  applied: { readonly [name in SettingName]: Applied }
}
