import { channels, kinds } from '#rooms/governance/notifications/kinds.ts'
import { complianceFramework } from '#rooms/records/attributes/index.ts'
import type { Json } from '../fixture/access.ts'
import type { Ref, Scene } from '../grants/scene.ts'

/** What the walk over the published fields is made on. */
export type Stage = {
  app: string
  entitlement: Ref
  resource: { typeId: string; id: string }
  account: Ref
  user: string
  ids: Record<string, string>
}

/** What comes back of a field, wherever in the reply it is. */
export function seek(json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null) return undefined
  if (!Array.isArray(json) && Object.hasOwn(json, name)) return (json as Json)[name]
  for (const value of Object.values(json)) {
    const found = seek(value, name)
    if (found !== undefined) return found
  }
  return undefined
}

const terms = {
  displayName: 'Said',
  description: 'said',
  annotations: { said: 'so' },
}
const policyIds = {
  grantPolicyId: '0builtinGrantByManager00001',
  revokePolicyId: '0builtinRevokeAutomatic0001',
  certifyPolicyId: '0builtinCertifyByManager001',
}
const appTerms = {
  ...terms,
  instructions: 'said',
  monthlyCostUsd: 12,
  identityMatching: 'APP_USER_IDENTITY_MATCHING_DISPLAY_NAME',
  ...policyIds,
}
const notificationTerms = Object.fromEntries(
  channels.flatMap((channel) => [
    [`channelSettings.${channel}.enabled`, true],
    ...[...kinds, 'digest'].flatMap((kind) =>
      ['enabled', 'locked'].map((name) => [`channelSettings.${channel}.${kind}.${name}`, true]),
    ),
    [`channelSettings.${channel}.digest.frequency`, 'DIGEST_FREQUENCY_WEEKLY'],
    [`channelSettings.${channel}.digest.dayOfWeek`, 'WEEKDAY_SUNDAY'],
  ]),
) as Record<string, unknown>
const grantSteps = { grant: { steps: [{ accept: { acceptMessage: 'said' } }] } }
const under = (name: string, values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [`${name}.${field}`, value]))
const entitlementTerms = (value: { risk: string; framework: string }) => ({
  ...terms,
  ...policyIds,
  emergencyGrantPolicyId: policyIds.grantPolicyId,
  emergencyGrantEnabled: true,
  overrideAccessRequestsDefaults: true,
  alias: 'said',
  slug: 'said',
  purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP',
  durationGrant: '60s',
  durationUnset: {},
  riskLevelValueId: value.risk,
  'complianceFrameworkValueIds[]': value.framework,
})
const webhookTerms = {
  displayName: 'Said',
  description: 'said',
  url: 'https://said.example',
  callbackTimeout: '172800s',
}
const trustTerms = {
  displayName: 'Said',
  description: 'said',
  conditionExpression: 'claims.sub == "said"',
  'allowSourceCidrs[]': '10.0.0.0/8',
  'passthroughClaims[]': 'said',
}
const profileTerms = {
  ...terms,
  published: true,
  visibleToEveryone: true,
  requestBundle: true,
  enrollmentBehavior: 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_BYPASS_ENTITLEMENT_REQUEST_POLICY',
  unenrollmentBehavior: 'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_REVOKE_UNJUSTIFIED',
  unenrollmentEntitlementBehavior: 'REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_BYPASS',
}
export type Said = { with?: Json; fields: Record<string, unknown>; after?: () => Promise<unknown> }

/** What is kept: what is sent with it, and the values that come back in the reply under the same name. */
export async function keptWrites(
  scene: Scene,
  { app, entitlement, resource, user, ids }: Stage,
): Promise<Record<string, Said>> {
  const value = async (kind: string) =>
    seek((await scene.post(`/api/v1/attributes/${kind}`, { value: kind })).json, 'id')
  const values = { risk: await value('risk_levels'), framework: await value('compliance_frameworks') } as never
  const rule = {
    'basic.expression': 'false',
    'cel.expression': 'true',
    none: {},
    displayName: 'Said',
    description: 'x',
  }
  const refs = { 'entitlements.entitlementRefs[]': { appId: app, id: (await scene.entitlement(app)).id } }
  const removeRule = () => scene.remove(`/api/v1/apps/${app}/entitlements/${entitlement.id}/automation`, {})
  const roleId = seek((await scene.get('/api/v1/iam/roles')).json, 'id')
  const ofRule = (prefix: string) =>
    Object.entries({ ...rule, ...refs }).map(([field, said]) => [`${prefix}${field}`, said] as const)
  const automation: Said = {
    with: { cel: { expression: 'false' } },
    fields: {
      'cel.expression': 'true',
      enabled: true,
      createTasks: true,
      disableCircuitBreaker: true,
      removedMembersThresholdPercent: '7',
      enforceOnSmallProfiles: true,
      ...refs,
    },
  }
  await removeRule()
  const requestTerms = {
    requestPolicyId: policyIds.grantPolicyId,
    requestSchemaId: ids['request_schemas'],
    emergencyGrantEnabled: true,
    emergencyGrantPolicyId: policyIds.grantPolicyId,
  }
  const routingTerms = {
    condition: 'entitlement.alias == "said"',
    description: 'said',
    displayName: 'Said',
    enabled: true,
    ...under('settings', { ...requestTerms, maxGrantDuration: '60s' }),
  }
  return {
    'app.v1.AppAccessRequestsDefaultsService.CreateAppAccessRequestsDefaults': {
      fields: {
        ...requestTerms,
        defaultsEnabled: true,
        durationGrant: '60s',
        durationUnset: {},
        'resourceTypeIds[]': resource.typeId,
      },
    },
    'app.v1.AppEntitlementRoutingRuleService.CreateAppEntitlementRoutingRule': {
      with: { displayName: 'Base' },
      fields: { ...routingTerms, priority: 1 },
    },
    'app.v1.AppEntitlementRoutingRuleService.UpdateAppEntitlementRoutingRule': {
      with: { displayName: 'Base' },
      fields: routingTerms,
    },
    'settings.v1.RequestSettingsService.Update': { fields: { 'requestSettings.skipJustification': true } },
    'settings.v1.OrgNotificationSettingsService.Update': { fields: notificationTerms },
    'settings.v1.TenantEmailProviderService.Update': {
      fields: under('emailProvider', { c1Builtin: {}, fromName: 'said', replyToAddress: 'said@example.com' }),
    },
    'app.v1.Apps.Create': { with: { displayName: 'Base' }, fields: appTerms },
    'app.v1.Apps.Update': { fields: under('app', { ...appTerms, iconUrl: 'https://icons.example/a.png' }) },
    'app.v1.AppEntitlements.Create': {
      with: { displayName: 'Base' },
      fields: entitlementTerms(values),
    },
    'app.v1.AppEntitlements.Update': {
      fields: { ...under('entitlement', entitlementTerms(values)), overrideAccessRequestsDefaults: true },
    },
    'app.v1.ConnectorService.CreateDelegated': {
      with: { displayName: 'Base' },
      fields: { displayName: 'Said', description: 'said', catalogId: 'baton-ldap' },
    },
    'app.v1.ConnectorService.Create': { fields: { description: 'said', catalogId: 'baton-ldap' } },
    'app.v1.ConnectorService.Update': {
      fields: under('connector', { displayName: 'Said', description: 'said', 'userIds[]': user }),
    },
    'app.v1.ConnectorService.UpdateDelegated': {
      fields: under('connector', { displayName: 'Said', description: 'said', 'userIds[]': user }),
    },
    'app.v1.AppResourceService.CreateManuallyManagedAppResource': { with: { displayName: 'Base' }, fields: terms },
    'app.v1.AppResourceService.Update': { fields: under('appResource', { ...terms, customDescription: 'said' }) },
    'app.v1.AppResourceTypeService.CreateManuallyManagedResourceType': { fields: { displayName: 'Said' } },
    'app.v1.AppResourceTypeService.UpdateManuallyManagedResourceType': {
      fields: under('appResourceType', { displayName: 'Said', 'traitIds[]': 'SAID' }),
    },
    'app.v1.AppUsageControlsService.Update': {
      fields: under('appUsageControls', { notify: true, notifyAfterDays: 3, revoke: true, revokeAfterDays: 4 }),
    },
    'app.v1.AppUserService.Update': {
      fields: under('appUser', { appUserType: 'APP_USER_TYPE_SYSTEM_ACCOUNT', status: { status: 'STATUS_DISABLED' } }),
    },
    'app.v1.AppEntitlements.CreateAutomation': {
      with: { automation: { none: {} } },
      fields: Object.fromEntries(ofRule('automation.')),
      after: removeRule,
    },
    'iam.v1.PersonalClientService.Create': {
      with: { displayName: 'Base' },
      fields: { displayName: 'Said', 'allowSourceCidr[]': '10.0.0.0/8', 'scopedRoles[]': roleId },
    },
    'iam.v1.PersonalClientService.Update': {
      fields: under('client', { displayName: 'Said', 'allowSourceCidr[]': '10.0.0.0/8', 'scopedRoles[]': roleId }),
    },
    'webhooks.v1.WebhooksService.Create': {
      with: { displayName: 'Base', url: 'https://base.example' },
      fields: webhookTerms,
    },
    'webhooks.v1.WebhooksService.Update': { fields: under('webhook', webhookTerms) },
    'service_principal.v1.ServicePrincipalService.Create': { fields: { displayName: 'Said' } },
    'service_principal.v1.ServicePrincipalService.Update': {
      fields: under('servicePrincipal', { displayName: 'Said' }),
    },
    'service_principal.v1.ServicePrincipalService.CreateCredential': {
      with: { displayName: 'Base' },
      fields: { displayName: 'Said', 'allowSourceCidrs[]': '10.0.0.0/8', requireDpop: true },
    },
    'service_principal.v1.ServicePrincipalService.UpdateCredential': {
      fields: under('credential', { displayName: 'Said' }),
    },
    'workload_federation.v1.WorkloadFederationService.CreateProvider': {
      with: { displayName: 'Base', issuerUrl: 'https://base.example.com' },
      fields: {
        ...{ displayName: 'Said', description: 'said', issuerUrl: 'https://said.example.com', oidc: {} },
        wellKnownProvider: 'WELL_KNOWN_WORKLOAD_PROVIDER_GITLAB_CI',
      },
    },
    'workload_federation.v1.WorkloadFederationService.UpdateProvider': {
      fields: under('provider', { displayName: 'Said', description: 'said', disabled: true, oidc: {} }),
    },
    'workload_federation.v1.WorkloadFederationService.CreateTrust': {
      with: { displayName: 'Base', conditionExpression: 'claims.sub == "base"', providerId: ids['providers'] },
      fields: { ...trustTerms, 'scopedRoleIds[]': roleId, providerId: ids['providers'] },
    },
    'workload_federation.v1.WorkloadFederationService.UpdateTrust': {
      fields: under('trust', { ...trustTerms, 'scopedRoleIds[]': roleId, disabled: true }),
    },
    'policy.v1.Policies.Create': {
      with: { displayName: 'Base', policyType: 'POLICY_TYPE_GRANT', policySteps: grantSteps },
      fields: terms,
    },
    'policy.v1.Policies.Update': {
      with: { policy: { displayName: 'Base', policySteps: grantSteps } },
      fields: under('policy', terms),
    },
    'requestcatalog.v1.RequestCatalogManagementService.Create': { with: { displayName: 'Base' }, fields: profileTerms },
    'requestcatalog.v1.RequestCatalogManagementService.Update': {
      with: { catalog: { displayName: 'Base' } },
      fields: under('catalog', profileTerms),
    },
    'requestcatalog.v1.RequestCatalogManagementService.CreateBundleAutomation': {
      ...automation,
      after: () => scene.remove(`/api/v1/catalogs/${ids['request_catalog_id']}/bundle_automation`, {}),
    },
    'requestcatalog.v1.RequestCatalogManagementService.SetBundleAutomation': automation,
    'iam.v1.Roles.Update': { fields: { 'role.displayName': 'Said' } },
    'user.v1.UserService.SetExpiringUserDelegationBindingByAdmin': {
      fields: { delegatedUserId: scene.admin.userId },
    },
  }
}

/**
 * Kept, and read back by another operation: which test shows it. Refs count with their parts.
 */
export const shownElsewhere: [RegExp, string][] = [
  [/^app\.v[12]\.\w*Owners(V2)?\./, 'tests/owners/set, tests/spec/owners'],
  [/^user\.v2\.UserOwnersV2\./, 'tests/owners/set'],
  [/^app\.v1\.Apps\.Create (owners|appEntitlementOwnerRefs)/, 'tests/owners/creation'],
  [/^app\.v1\.AppEntitlements\.Create appEntitlementOwnerIds/, 'tests/owners/creation'],
  [/^app\.v1\.AppResourceService\.CreateManuallyManagedAppResource resourceOwnerUserIds/, 'tests/owners/creation'],
  [/^app\.v1\.AppEntitlements\.Create appResource(Type)?Id/, 'tests/apps/entitlements: named together'],
  [/CreateManuallyManagedResourceType resourceType/, 'tests/apps/resources: it becomes the trait'],
  [/Attributes\.Create\w*AttributeValue/, 'tests/attributes'],
  [/AddAutomationExclusion|RemoveAutomationExclusion/, 'tests/spec/automation, tests/automation/rules'],
  [/AddManuallyManagedMembers|RemoveEntitlementMembership|UpdateGrantDuration/, 'tests/grants/members, expiry'],
  [/UpdateAutomation/, 'tests/automation/rules'],
  [/ConnectorService\.RotateCredential/, 'tests/connectors/api'],
  [/ConnectorService\.Create(Delegated)? (userIds|appEntitlementOwnerRefs)/, 'tests/connectors/managing'],
  [/ConnectorService\.(UpdateConnectorSchedule|ValidateHTTPConnectorConfig)/, 'tests/connectors/managing'],
  [/ConnectorCatalogService\.ConfigurationSchema/, 'tests/connectors/managing'],
  [/^directory\.v1\.DirectoryService\.(Create|Update) /, 'tests/directories/apps'],
  [/PersonalClientService\.Create expires/, 'tests/spec/authentication'],
  [/ServicePrincipalService\.CreateCredential (expires|scopedRoles)/, 'tests/principals/principals'],
  [/WorkloadFederationService\.\w+Provider (provider\.)?spiffe/, 'tests/federation/operations'],
  [/WorkloadFederationService\.Test/, 'tests/federation/testing'],
  [/SetExpiringUserDelegationBindingByAdmin delegation(Start|Expire)At/, 'tests/users'],
  [/SystemLogService\.ListEvents/, 'tests/systemlog'],
  [/^systemlog\.v1\.Exports?(Search)?Service\./, 'tests/exports/api'],
  [/OrgNotificationSettingsService\.Update .*\.isConfigured$/, 'tests/notifications/settings: told by the service'],
  [/UserNotificationSettingsService\.Update/, 'tests/notifications/settings: locked ones are refused'],
  [/AppSearch\.SearchUserOwnership/, 'tests/owners/owned'],
  [
    /^app\.v1\.AppEntitlements\.(Create|Update) .*[pP]rovision(er)?Policy\.(manual|delegated|unconfigured|webhook|connector\.defaultBehavior)/,
    'tests/apps/policies',
  ],
  [/^policy\.v1\.Policies\.\w+ (policy\.)?(policySteps|rules|scope)/, 'tests/policies/policies'],
  [/^request_schema\.v1\./, 'tests/forms'],
  [/PolicyValidate\.ValidateCEL/, 'tests/policies/expressions'],
  [/ReorderAppEntitlementRoutingRules/, 'tests/terms/routing'],
  [/PolicyValidate\.ValidateCEL/, 'tests/policies/expressions: what is wrong comes back as markers'],
  [/SearchGraph max/, 'tests/grants/graph'],
  [/^task\.v1\.TaskActionsService\./, 'tests/tasks/deciding, meanwhile, forms, provisioning'],
  [/^task\.v1\.TaskService\.Create/, 'tests/tasks/requests, forms, provisioning'],
  [/^task\.v1\.(TaskSearchService\.Search|TaskAudit\.List) /, 'tests/tasks/filters'],
  [/RequestCatalogManagementService\.(Add|Remove|Update)(App|Access)Entitlements/, 'tests/profiles/catalogs'],
  [/RequestCatalogManagementService\.CreateRequestableEntry/, 'tests/profiles/catalogs, enrolling'],
  [
    /RequestCatalogManagementService\.Update catalog\.accessEntitlements/,
    'tests/profiles/catalogs: named by their ids; the rest of them is not for a profile to change',
  ],
]

/**
 * The service says these of its own, though they are published as something to be set; they change while one looks. What
 * is sent back of them is not read.
 */
export const derived = new Set([
  'entitlement.userEditedMask',
  'appResource.grantCount',
  'automation.lastRunStatus',
  // Of the defaults of an app.
  'state',
])

export const nobody = '0'.repeat(27)
/** Filters: with these values, what was found without them is not. */
export const filters = (
  scene: Scene,
  { app, entitlement, resource, account, user, ids }: Stage,
): Record<string, { with?: Json; fields: Record<string, unknown>; finds?: Record<string, unknown> }> => ({
  'app.v1.AppSearch.Search': {
    with: { query: 'published' },
    fields: {
      'appIds[]': nobody,
      displayName: 'no such name',
      'excludeAppIds[]': app,
      onlyDirectories: true,
      query: 'nosuchword',
    },
  },
  'app.v1.AppEntitlementSearchService.Search': {
    with: { refs: [entitlement] },
    fields: {
      alias: 'nosuch',
      'appIds[]': nobody,
      'appUserIds[]': nobody,
      'complianceFrameworkIds[]': nobody,
      displayName: 'no such name',
      'excludeAppIds[]': app,
      'excludeAppUserIds[]': account.id,
      'excludeResourceTypeIds[]': resource.typeId,
      'excludedEntitlementRefs[]': entitlement,
      'membershipType[]': 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_EXCLUSION',
      isAutomated: true,
      onlyGetExpiring: true,
      'policyRefs[]': { id: nobody },
      query: 'nosuchword',
      'refs[]': { appId: app, id: nobody },
      'requestSchemaIds[]': nobody,
      sourceConnectorId: nobody,
      'resourceIds[]': nobody,
      'resourceTraitIds[]': 'nosuch',
      'resourceTypeIds[]': nobody,
      'riskLevelIds[]': nobody,
    },
    finds: { includeDeleted: true },
  },
  'requestcatalog.v1.RequestCatalogSearchService.SearchEntitlements': {
    with: { query: 'published' },
    fields: {
      appDisplayName: 'no such name',
      entitlementAlias: 'nosuch',
      grantedStatus: 'GRANTED',
      query: 'nosuchword',
    },
    finds: { includeDeleted: true },
  },
  'policy.v1.PolicySearch.Search': {
    with: { refs: [{ id: ids['policies'] }], scopeView: 'POLICY_SCOPE_VIEW_SCOPED' },
    fields: {
      displayName: 'no such name',
      'excludePolicyIds[]': ids['policies'],
      'policyTypes[]': 'POLICY_TYPE_PROVISION',
      query: 'nosuchword',
      'refs[]': { id: nobody },
      scopeAppEntitlementId: nobody,
      scopeAppId: nobody,
      scopeObjectType: 'POLICY_SCOPE_OBJECT_TYPE_ENTITLEMENT',
      scopeView: 'POLICY_SCOPE_VIEW_GLOBAL_AND_OBJECT',
    },
    finds: { includeDeleted: true, scopeSlot: 'POLICY_SCOPE_SLOT_EMERGENCY' },
  },
  'webhooks.v1.WebhooksSearch.Search': {
    fields: { query: 'nosuchword', 'refs[]': { id: nobody } },
    finds: { 'refs[].id': ids['webhooks'] },
  },
  'app.v1.AppResourceSearch.SearchAppResources': {
    with: { query: 'published' },
    fields: {
      appId: nobody,
      'appIds[]': nobody,
      'appUserIds[]': nobody,
      'excludeResourceIds[]': resource.id,
      'excludeResourceTypeTraitIds[]': 'FILTERED',
      'ownerUserIds[]': nobody,
      query: 'nosuchword',
      'refs[]': { appId: app, appResourceTypeId: resource.typeId, id: nobody },
      'resourceIds[]': nobody,
      'resourceTypeIds[]': nobody,
      'resourceTypeTraitIds[]': 'nosuch',
      unownedOnly: true,
    },
    // What was deleted, or lay in what was, is never found.
    finds: { excludeDeletedApps: true, excludeDeletedResourceBindings: true },
  },
  'app.v1.AppResourceSearch.SearchAppResourceTypes': {
    with: { appIds: [app], resourceTypeIds: [resource.typeId] },
    fields: {
      'appIds[]': nobody,
      'appUserIds[]': nobody,
      displayName: 'no such name',
      'excludeResourceTypeIds[]': resource.typeId,
      'excludeResourceTypeTraitIds[]': 'FILTERED',
      query: 'nosuchword',
      'resourceTypeIds[]': nobody,
      'resourceTypeTraitIds[]': 'nosuch',
    },
  },
  'app.v1.AppUserService.Search': {
    with: { appIds: [app], appUserIds: [account.id] },
    fields: {
      'appIds[]': nobody,
      'appUserDomains[]': 'APP_USER_DOMAIN_EXTERNAL',
      'appUserIds[]': nobody,
      'appUserStatuses[]': 'STATUS_DELETED',
      'appUserTypes[]': 'APP_USER_TYPE_SERVICE_ACCOUNT',
      'excludeAppUserIds[]': account.id,
      query: 'nosuchword',
      'refs[]': { appId: app, id: nobody },
      'userIds[]': nobody,
      withoutResponsibleParty: true,
    },
    finds: { appId: app, excludeDeletedApps: true, sortBy: 'APP_USER_SEARCH_SORT_BY_APP' },
  },
  'app.v1.AppEntitlementSearchService.SearchGrants': {
    with: { appIds: [app], entitlementRefs: [entitlement] },
    fields: {
      'appIds[]': nobody,
      'appUserIds[]': nobody,
      'entitlementRefs[]': { appId: app, id: nobody },
      'entitlementSlugs[]': 'nosuch',
      'purpose[]': 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION',
      'resourceIds[]': nobody,
      'resourceTypeIds[]': nobody,
      userId: scene.viewer.userId,
    },
  },
  'app.v1.AppEntitlementUserBindingService.SearchGrantFeed': {
    with: { appRefs: [{ id: app }] },
    fields: {
      after: '2099-01-01T00:00:00Z',
      before: '2001-01-01T00:00:00Z',
      'appEntitlementRefs[]': { appId: app, id: nobody },
      'appRefs[]': { id: nobody },
      'appUserRefs[]': { appId: app, id: nobody },
      'userRefs[]': { id: nobody },
    },
  },
  'app.v1.AppEntitlementUserBindingService.SearchPastGrants': {
    with: { appIds: [app] },
    fields: {
      'appIds[]': nobody,
      'appEntitlementRefs[]': { appId: app, id: nobody },
      'appUserRefs[]': { appId: app, id: nobody },
    },
  },
  'app.v1.AppEntitlementSearchService.SearchGraph': {
    with: { userId: user },
    fields: {
      'appIds[]': nobody,
      'entitlementIds[]': nobody,
      entitlementNameQuery: 'nosuchword',
      resourceId: nobody,
      'resourceIds[]': nobody,
      resourceNameQuery: 'nosuchword',
      'resourceTypeIds[]': nobody,
    },
    finds: { appId: app, userId: user },
  },
  'app.v1.AppEntitlementSearchService.CountGrantsForUserByApp': {
    with: { userId: user },
    fields: { 'appIds[]': nobody, userId: scene.viewer.userId },
  },
  'app.v1.AppEntitlementSearchService.SearchReachableResourcesForUser': {
    with: { userId: user },
    fields: { 'appIds[]': nobody, query: 'nosuchword', userId: scene.viewer.userId },
  },
  'attribute.v1.AttributeSearch.SearchAttributeValues': {
    with: { query: 'filtered' },
    fields: {
      'attributeTypeIds[]': complianceFramework.id,
      'excludeIds[]': ids['attribute'],
      'ids[]': nobody,
      query: 'nosuchword',
      value: 'nosuch',
    },
  },
  'workload_federation.v1.WorkloadFederationService.SearchTrusts': {
    fields: { query: 'nosuchword', providerId: nobody, servicePrincipalId: nobody },
  },
  'iam.v1.PersonalClientSearchService.Search': {
    fields: { query: 'nosuchword', 'users[]': { id: nobody } },
  },
  'user.v1.UserSearch.Search': {
    with: { query: 'published' },
    fields: {
      delegateStatus: 'DELEGATE_STATUS_HAS_DELEGATE',
      'delegatedUserIds[]': nobody,
      'departments[]': 'nosuch',
      email: 'nosuch@example.com',
      'excludeIds[]': user,
      'excludeOrigins[]': 'USER_ORIGIN_LOCAL',
      'excludeTypes[]': 'USER_TYPE_HUMAN',
      'ids[]': nobody,
      isDelegate: true,
      'jobTitles[]': 'nosuch',
      'managerIds[]': nobody,
      'origins[]': 'USER_ORIGIN_SYSTEM',
      query: 'nosuchword',
      'refs[]': { id: nobody },
      'roleIds[]': nobody,
      'types[]': 'USER_TYPE_AGENT',
      'userStatuses[]': 'DELETED',
    },
  },
})
