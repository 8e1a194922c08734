import type { ProvisionPolicy } from '#rooms/records/apps/index.ts'
import type { DefaultTerms } from './defaults/defaults.ts'
import type { RoutingRule } from './routing/rule.ts'
import type { Applied, Source, Terms } from './terms.ts'

/** The settings of the entitlement and its app themselves. */
export type Said = Pick<
  Terms,
  'appId' | 'appName' | 'entitlementId' | 'entitlementName' | 'resourceTypeId' | 'resourceId'
> & {
  overrides: boolean
  own: {
    grantPolicyId: string
    revokePolicyId: string
    isEmergencyEnabled: boolean
    emergencyPolicyId: string
    formId: string
    maxSeconds: number | null
    isDurationUnset: boolean
    provisioner: ProvisionPolicy | null
    deprovisioner: ProvisionPolicy | null
  }
  app: { grantPolicyId: string; revokePolicyId: string }
  /** Those of the app, if they are enabled and apply to entitlements of this type. */
  defaults: Omit<DefaultTerms, 'defaultsEnabled' | 'resourceTypeIds'> | null
}
export type TriedRule = Pick<RoutingRule, 'id' | 'appId' | 'priority' | 'displayName' | 'condition' | 'settings'>

/** The value of a setting from one source; undefined if the source does not set it. */
type Word<T> = { value: T | undefined; source: Source; by: string; verb?: string; routingRuleId?: string }

const prefix = 'APPLIED_SETTINGS_SOURCE_' as const
const named = (id: string): string | undefined => (id === '' ? undefined : id)

/** The request defaults that apply: those of the app, unless the entitlement overrides them. */
const defaultsOf = ({ overrides, defaults }: Said): Said['defaults'] => (overrides ? null : defaults)

/** The possible sources of a setting, each with the value that it sets. */
function sourcesOf(said: Said, rule: TriedRule | null) {
  const { overrides } = said
  const hasDefaults = defaultsOf(said) !== null
  return {
    byOverride: <T>(value: T | undefined): Word<T> => ({
      value: overrides ? value : undefined,
      source: `${prefix}ENTITLEMENT_OVERRIDE`,
      by: 'The entitlement, which overrides the settings of its app,',
    }),
    byEntitlement: <T>(value: T | undefined): Word<T> => ({
      value: overrides ? undefined : value,
      source: `${prefix}ENTITLEMENT_DEFAULT`,
      by: 'The entitlement',
    }),
    byRule: <T>(value: T | undefined): Word<T> => ({
      value: rule ? value : undefined,
      source: `${prefix}ROUTING_RULE`,
      by: rule ? `Routing rule ${rule.priority} of the app ${said.appName} (${rule.displayName})` : '',
      routingRuleId: rule?.id ?? '',
    }),
    byDefaults: <T>(value: T | undefined): Word<T> => ({
      value: hasDefaults ? value : undefined,
      source: `${prefix}APP_DEFAULT`,
      by: `The request defaults of the app ${said.appName}`,
      verb: 'set',
    }),
    byApp: <T>(value: T | undefined): Word<T> => ({
      value,
      source: `${prefix}APP_DEFAULT`,
      by: `The app ${said.appName}`,
    }),
  }
}

const duration = (seconds: number | null, isUnset: boolean): { seconds: number | null } | undefined =>
  seconds === null && !isUnset ? undefined : { seconds }

/** Each setting, from the first source that sets it. */
function choose(said: Said, rule: TriedRule | null) {
  const { own, app } = said
  const { byOverride, byRule, byEntitlement, byDefaults, byApp } = sourcesOf(said, rule)
  const defaults = defaultsOf(said)
  const ruled = rule?.settings
  const grant = pick('the policy', [
    byOverride(named(own.grantPolicyId)),
    byRule(named(ruled?.requestPolicyId ?? '')),
    byEntitlement(named(own.grantPolicyId)),
    byDefaults(named(defaults?.requestPolicyId ?? '')),
    byApp(named(app.grantPolicyId)),
  ])
  const revoke = pick('the revoke policy', [
    byOverride(named(own.revokePolicyId)),
    byEntitlement(named(own.revokePolicyId)),
    byApp(named(app.revokePolicyId)),
  ])
  // A flag is always set. In a rule or an override, which an administrator wrote, false means no; in an entitlement that
  // nobody configured it means "not set", or defaults could never apply.
  const emergency = pick('whether there is emergency access', [
    byOverride({ is: own.isEmergencyEnabled, policyId: own.emergencyPolicyId }),
    byRule({ is: ruled?.emergencyGrantEnabled ?? false, policyId: ruled?.emergencyGrantPolicyId ?? '' }),
    byEntitlement(own.isEmergencyEnabled ? { is: true, policyId: own.emergencyPolicyId } : undefined),
    byDefaults({ is: defaults?.emergencyGrantEnabled ?? false, policyId: defaults?.emergencyGrantPolicyId ?? '' }),
  ])
  const form = pick('the form', [
    byOverride(named(own.formId)),
    byRule(named(ruled?.requestSchemaId ?? '')),
    byEntitlement(named(own.formId)),
    byDefaults(named(defaults?.requestSchemaId ?? '')),
  ])
  const longest = pick('the maximum duration', [
    byOverride(duration(own.maxSeconds, own.isDurationUnset)),
    byRule(duration(ruled?.maxGrantDuration ?? null, false)),
    byEntitlement(duration(own.maxSeconds, own.isDurationUnset)),
    byDefaults(duration(defaults?.durationGrant ?? null, defaults?.isDurationUnset ?? false)),
  ])
  const ofOwn = (what: string, value: ProvisionPolicy | null) =>
    pick(what, [byOverride(value ?? undefined), byEntitlement(value ?? undefined)])
  return {
    grant,
    revoke,
    emergency,
    form,
    longest,
    provisioner: ofOwn('how access is granted', own.provisioner),
    deprovisioner: ofOwn('how access is revoked', own.deprovisioner),
  }
}

/**
 * The settings that apply: for each one, the first source that sets it counts. `rule` is the routing rule that applies; none
 * is looked up if the entitlement overrides them.
 */
export function settle(said: Said, rule: TriedRule | null): Terms {
  const { grant, revoke, emergency, form, longest, provisioner, deprovisioner } = choose(said, rule)
  const { appId, appName, entitlementId, entitlementName, resourceTypeId, resourceId } = said
  return {
    appId,
    appName,
    entitlementId,
    entitlementName,
    resourceTypeId,
    resourceId,
    grantPolicyId: grant.value ?? '',
    revokePolicyId: revoke.value ?? '',
    isEmergencyEnabled: emergency.value?.is === true && emergency.value.policyId !== '',
    emergencyPolicyId: emergency.value?.is === true ? emergency.value.policyId : '',
    formId: form.value ?? '',
    maxSeconds: longest.value?.seconds ?? null,
    provisioner: provisioner.value ?? null,
    deprovisioner: deprovisioner.value ?? null,
    applied: {
      grantPolicy: grant.applied,
      revokePolicy: revoke.applied,
      emergency: emergency.applied,
      form: form.applied,
      maxDuration: longest.applied,
      provisioner: provisioner.applied,
      deprovisioner: deprovisioner.applied,
    },
  }
}

function pick<T>(what: string, words: readonly Word<T>[]): { value: T | undefined; applied: Applied } {
  const word = words.find(({ value }) => value !== undefined)
  if (!word)
    return {
      value: undefined,
      applied: { source: `${prefix}UNSPECIFIED`, routingRuleId: '', why: `Nothing sets ${what}.` },
    }
  const { value, source, by, verb = 'sets', routingRuleId = '' } = word
  return { value, applied: { source, routingRuleId, why: `${by} ${verb} ${what}.` } }
}
