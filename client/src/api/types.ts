// Made from the API document by `npm run generate`. Not to be edited.

/** Why a request was refused. */
export type ApiErrorBody = {
  /** A gRPC status code. */
  code: number
  /** A sentence that names the field or id. */
  message: string
  /** google.rpc.ErrorInfo, and google.rpc.BadRequest for bad input. */
  details: ({
  '@type': string
  /** Of google.rpc.ErrorInfo. */
  reason: ErrorReason
})[]
}

/** Why a request was refused, for programs. */
export type ErrorReason = 'ACCESS_NOT_HELD' | 'ACCESS_REMOVAL_NOT_FOUND' | 'ACCOUNT_AMBIGUOUS' | 'ACCOUNT_NOT_FOUND' | 'APP_BUILT_IN' | 'APP_NOT_FOUND' | 'ATTRIBUTE_TYPE_NOT_FOUND' | 'ATTRIBUTE_VALUE_EXISTS' | 'ATTRIBUTE_VALUE_NOT_FOUND' | 'AUTOMATION_CIRCLE' | 'AUTOMATION_DISABLED' | 'AUTOMATION_EXISTS' | 'AUTOMATION_NOT_FOUND' | 'AUTOMATION_NOT_PAUSED' | 'BODY_MALFORMED' | 'BODY_TOO_LARGE' | 'BULK_ACTION_NOT_FOUND' | 'BULK_UNCONFIRMED' | 'CANNOT_DISABLE_SELF' | 'CANNOT_MERGE_SELF' | 'CHANGE_KIND_NOT_FOUND' | 'CHANGE_NEEDS_APPROVAL' | 'CHANGE_NOT_FOUND' | 'CHAT_NOT_FOUND' | 'CLIENT_GONE' | 'CLIENT_REFUSED' | 'CONNECTOR_BUILT_IN' | 'CONNECTOR_CATALOG_NOT_FOUND' | 'CONNECTOR_FILE_NOT_KEPT' | 'CONNECTOR_HOSTED' | 'CONNECTOR_NOT_FOUND' | 'CONNECTOR_NOT_SCIM' | 'CONNECTOR_PAUSED' | 'CONNECTOR_TASK_NOT_FOUND' | 'CONNECTOR_TASK_STATE' | 'CONTENT_TYPE_UNSUPPORTED' | 'CREDENTIALS_TOO_MANY' | 'CREDENTIAL_NOT_FOUND' | 'CREDENTIAL_REVOKED' | 'CROSS_SITE_REFUSED' | 'DATABASE_AWAY' | 'DECISION_NOT_UNDOABLE' | 'DELEGATION_ENDED' | 'DELIVERY_NOT_FOUND' | 'DEVICE_CODE_EXPIRED' | 'DEVICE_CODE_INVALID' | 'DEVICE_DENIED' | 'DEVICE_NOT_FOUND' | 'DEVICE_PENDING' | 'DEVICE_POLLED_TOO_SOON' | 'DEVICE_REQUEST_NOT_FOUND' | 'DIRECTORY_DISABLES_TOO_MANY' | 'DIRECTORY_EXISTS' | 'DIRECTORY_NOT_FOUND' | 'DIRECTORY_PLAN_NOT_FOUND' | 'DIRECTORY_TOKENS_TOO_MANY' | 'DIRECTORY_TOKEN_NOT_FOUND' | 'DPOP_NONCE_REQUIRED' | 'DPOP_PROOF_INVALID' | 'DRIFT_NOT_FOUND' | 'DRIFT_RUN_NOT_FOUND' | 'DURATION_TOO_LONG' | 'EMERGENCY_UNAVAILABLE' | 'ENTITLEMENT_NOT_FOUND' | 'ENTITLEMENT_PROXY_EXISTS' | 'ENTITLEMENT_PROXY_NOT_FOUND' | 'EVENT_NOT_FOUND' | 'EXAMPLE_FAILED' | 'EXPORTS_TOO_MANY' | 'EXPORT_NOT_FOUND' | 'EXPRESSION_INVALID' | 'EXPRESSION_TOO_COSTLY' | 'FEDERATION_PROVIDERS_TOO_MANY' | 'FEDERATION_PROVIDER_IN_USE' | 'FEDERATION_PROVIDER_NOT_FOUND' | 'FEDERATION_TRUST_NOT_FOUND' | 'FIELD_NOT_SUPPORTED' | 'FRESH_SIGN_IN_REQUIRED' | 'FUNCTIONS_UNAVAILABLE' | 'GAIN_TOO_LARGE' | 'GRANT_BEYOND_REACH' | 'GRANT_NOT_FOUND' | 'GRANT_TYPE_UNSUPPORTED' | 'HEADERS_TOO_LARGE' | 'HELD_BEING_DECIDED' | 'HOST_INVALID' | 'IDEMPOTENCY_KEYS_TOO_MANY' | 'IDEMPOTENCY_KEY_IN_USE' | 'IDEMPOTENCY_KEY_REUSED' | 'IDENTITY_NOT_FOUND' | 'IMPORT_FILE_REFUSED' | 'IMPORT_NOT_FOUND' | 'IMPORT_REFUSED' | 'IMPORT_REMOVES_TOO_MUCH' | 'IMPORT_UNDER_WAY' | 'INPUT_INVALID' | 'INTERNAL' | 'INVITATION_NOT_FOUND' | 'ISSUER_UNAVAILABLE' | 'JOB_NOT_FOUND' | 'JOB_RUNNING' | 'JUSTIFICATION_REQUIRED' | 'LAST_OWNER' | 'LOST_RACE' | 'METHOD_NOT_ALLOWED' | 'NOT_A_PERSON' | 'NOT_IMPLEMENTED' | 'NOT_MERGEABLE' | 'NOT_MERGED' | 'NOT_REQUESTABLE' | 'OUTCOME_UNKNOWN' | 'OWNER_NOT_FOUND' | 'PAGE_TOKEN_INVALID' | 'PASSKEYS_TOO_MANY' | 'PASSKEYS_UNAVAILABLE' | 'PASSKEY_EXISTS' | 'PASSKEY_NOT_FOUND' | 'PASSKEY_REFUSED' | 'PERMISSION_DENIED' | 'PLAN_CHANGED' | 'PLAN_OUTDATED' | 'POLICY_BUILT_IN' | 'POLICY_CONDITION_FAILED' | 'POLICY_IN_USE' | 'POLICY_LOCKS_OUT' | 'POLICY_NOT_FOUND' | 'PREVIEW_NOT_FOUND' | 'PROFILE_ENTRIES_TOO_MANY' | 'REMEDY_UNAVAILABLE' | 'REMEDY_UNCONFIRMED' | 'REPLAY_SKIPS_EVENTS' | 'REQUESTABLE_ENTRY_NOT_FOUND' | 'REQUEST_CATALOG_NOT_FOUND' | 'REQUEST_DEFAULTS_NOT_FOUND' | 'REQUEST_MALFORMED' | 'REQUEST_SCHEMA_BINDING_NOT_FOUND' | 'REQUEST_SCHEMA_IN_USE' | 'REQUEST_SCHEMA_NOT_FOUND' | 'REQUEST_TIMEOUT' | 'RESOURCE_NOT_FOUND' | 'RESOURCE_TYPE_NOT_FOUND' | 'ROLE_BUILT_IN' | 'ROLE_NOT_FOUND' | 'ROUTE_NOT_FOUND' | 'ROUTING_CONDITION_FAILED' | 'ROUTING_RULES_TOO_MANY' | 'ROUTING_RULE_NOT_FOUND' | 'RULE_VERSION_NOT_FOUND' | 'RUN_NOT_FOUND' | 'RUN_NOT_HELD' | 'RUN_NOT_UNDOABLE' | 'RUN_UNDER_WAY' | 'SAVED_VIEWS_TOO_MANY' | 'SAVED_VIEW_EXISTS' | 'SAVED_VIEW_NOT_FOUND' | 'SCIM_REFUSED' | 'SCIM_RESOURCE_NOT_FOUND' | 'SCIM_UNIQUENESS' | 'SCOPE_INVALID' | 'SECRET_ALREADY_SENT' | 'SERVER_BUSY' | 'SERVICE_PRINCIPAL_DISABLED' | 'SERVICE_PRINCIPAL_NOT_FOUND' | 'SESSION_ENDED' | 'SESSION_NOT_FOUND' | 'SESSION_REQUIRED' | 'SIGN_IN_REFUSED' | 'SOURCE_ADDRESS_DENIED' | 'SUBJECT_DISABLED' | 'SUBJECT_TOKEN_REFUSED' | 'SUBSCRIPTIONS_TOO_MANY' | 'SUBSCRIPTION_NOT_FOUND' | 'SUBSCRIPTION_STATE' | 'TARGET_INVALID' | 'TASK_ACTION_NOT_ALLOWED' | 'TASK_CHANGED' | 'TASK_EXISTS' | 'TASK_HISTORY_FULL' | 'TASK_NOT_FOUND' | 'TASK_REASON_REQUIRED' | 'TASK_STEP_NOT_CURRENT' | 'TENANT_NOT_FOUND' | 'TOKEN_EXPIRED' | 'TOKEN_INVALID' | 'TOKEN_MISSING' | 'TOKEN_OF_ANOTHER_CLIENT' | 'TOO_MANY_AT_ONCE' | 'TOO_MANY_FAILURES' | 'TOO_MANY_REQUESTS' | 'URL_MALFORMED' | 'USER_DISABLED' | 'USER_MERGED' | 'USER_NOT_FOUND' | 'VERSION_MISMATCH' | 'WEBHOOK_CALLBACK_NOT_FOUND' | 'WEBHOOK_CALLBACK_OVER' | 'WEBHOOK_DELIVERY_NOT_FOUND' | 'WEBHOOK_NOT_FOUND'

/** Nothing. */
export type Empty = Record<never, never>

export type ExpandMask = {
  paths: string[]
}

export type AddAutomationExclusionRequestInput = {
  userIds: string[]
  /** The reason, or a ticket number; kept with the change. */
  reason: string
}

export type AddManuallyManagedUsersRequest = {
  userIds: string[]
  /** The reason, or a ticket number; kept with the grants and in the system log. */
  reason: string
  /** When the grants expire. Without it they last for the `durationGrant` of the entitlement, or do not expire. */
  expiresAt: string | null
}

/** An app whose access is managed. userCount is the number of accounts with access. */
export type App = {
  id: string
  displayName: string
  description: string
  annotations: Record<string, unknown>
  instructions: string
  monthlyCostUsd: number
  identityMatching: 'APP_USER_IDENTITY_MATCHING_UNSPECIFIED' | 'APP_USER_IDENTITY_MATCHING_STRICT' | 'APP_USER_IDENTITY_MATCHING_DISPLAY_NAME'
  /** Not supported: setting it is refused. */
  strictAccessEntitlementProvisioning: boolean
  /** The policy for reviews, if an entitlement has none. */
  certifyPolicyId: string
  /** The policy for requests, if an entitlement has none. */
  grantPolicyId: string
  /** The policy for revocations, if an entitlement has none. */
  revokePolicyId: string
  /** must be an http or https URL */
  iconUrl: string
  logoUri: string
  isDirectory: boolean
  parentAppId: string
  /** Not supported: setting it is refused. */
  enableConnectorSourcedOwnership: boolean
  /** Not supported: setting it is refused. */
  revokeGrantSources: boolean
  /** Not supported: setting it is refused. */
  defaultRequestCatalogId: string
  isManuallyManaged: boolean
  userCount: string
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

/** The settings for requests of entitlements of an app that do not have their own settings. */
export type AppAccessRequestDefaults = {
  appId: string
  /** The policy that decides requests. */
  requestPolicyId: string
  /** The form that requesters fill in. */
  requestSchemaId: string
  /** Whether access can be requested in an emergency. */
  emergencyGrantEnabled: boolean
  /** The policy that decides such requests; without one, they are not possible. */
  emergencyGrantPolicyId: string
  defaultsEnabled: boolean
  /** The resource types whose entitlements use the defaults; empty for all entitlements of the app. */
  resourceTypeIds: string[]
  /** The maximum duration that can be requested, as in "3600s". */
  durationGrant: string | null
  /** Set to {} if there is no maximum duration. */
  durationUnset: Record<string, unknown> | null
  /** Not supported: setting it is refused. Add the entitlements to access profiles with requestable_entries. */
  catalogIds: string[]
  /** SUCCESS if they are enabled: each request looks them up, so there is nothing to apply. Otherwise unspecified. */
  state: 'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_UNSPECIFIED' | 'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_RUNNING' | 'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_SUCCESS' | 'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_FAILED' | 'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_CANCELING' | 'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_CANCEL_SUCCESS' | 'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_CANCEL_ERROR'
}

export type AppAccessRequestDefaultsInput = {
  /** The policy that decides requests. */
  requestPolicyId: string
  /** The form that requesters fill in. */
  requestSchemaId: string
  /** Whether access can be requested in an emergency. */
  emergencyGrantEnabled: boolean
  /** The policy that decides such requests; without one, they are not possible. */
  emergencyGrantPolicyId: string
  defaultsEnabled: boolean
  /** The resource types whose entitlements use the defaults; empty for all entitlements of the app. */
  resourceTypeIds: string[]
  /** The maximum duration that can be requested, as in "3600s". */
  durationGrant: string | null
  /** Set to {} if there is no maximum duration. */
  durationUnset: Record<string, unknown> | null
  /** Not supported: setting it is refused. Add the entitlements to access profiles with requestable_entries. */
  catalogIds: string[]
  /** SUCCESS if they are enabled: each request looks them up, so there is nothing to apply. Otherwise unspecified. */
  state: 'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_UNSPECIFIED' | 'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_RUNNING' | 'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_SUCCESS' | 'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_FAILED' | 'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_CANCELING' | 'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_CANCEL_SUCCESS' | 'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_CANCEL_ERROR'
}

/** Something that can be granted in an app. grantCount is the number of accounts that have it. */
export type AppEntitlement = {
  id: string
  appId: string
  externalId: string
  appResourceTypeId: string
  appResourceId: string
  displayName: string
  description: string
  slug: string
  alias: string
  purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_UNSPECIFIED' | 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT' | 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION' | 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP'
  annotations: Record<string, unknown>
  riskLevelValueId: string
  complianceFrameworkValueIds: string[]
  /** The default duration of a grant, in seconds, as in "3600s". */
  durationGrant: string | null
  /** Set to {} if grants do not expire; null if neither is set. */
  durationUnset: Record<string, unknown> | null
  /** Whether it can be requested in an emergency, under emergencyGrantPolicyId. */
  emergencyGrantEnabled: boolean
  /** Whether its request settings override the routing rules and defaults of its app. */
  overrideAccessRequestsDefaults: boolean
  certifyPolicyId: string
  grantPolicyId: string
  revokePolicyId: string
  emergencyGrantPolicyId: string
  /** Not supported: setting it is refused. */
  matchBatonId: string
  /** How access is provisioned once it is approved. */
  provisionerPolicy: ProvisionPolicy | null
  /** How access is deprovisioned. */
  deprovisionerPolicy: ProvisionPolicy | null
  /** The request schema that is bound to it. It is set by a binding, and ignored in an update of the whole entitlement. */
  requestSchemaId: string
  /** Whether enabled defaults of its app apply to it. */
  defaultValuesApplied: boolean
  /** The id that it has in each connector that reports it, by the id of the connector. */
  sourceConnectorIds: Record<string, unknown>
  systemBuiltin: boolean
  isManuallyManaged: boolean
  /** Whether an automation rule grants it. */
  isAutomationEnabled: boolean
  /** The fields that people have changed since it was created. */
  userEditedMask: string
  grantCount: string
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

/** The automation rule of an entitlement: who is granted it. One of none, basic, cel and entitlements is set. */
export type AppEntitlementAutomation = {
  appId: string
  appEntitlementId: string
  displayName: string
  description: string
  none: AppEntitlementAutomationRuleNone | null
  basic: AppEntitlementAutomationRuleBasic | null
  cel: AppEntitlementAutomationRuleCEL | null
  entitlements: AppEntitlementAutomationRuleEntitlement | null
  /** Examples of the rule. If absent, they are not changed; an empty object removes them. */
  examples: AutomationExamples | null
  lastRunStatus: AppEntitlementAutomationLastRunStatus | null
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type AppEntitlementAutomationLastRunStatus = {
  status: 'APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_UNSPECIFIED' | 'APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_SUCCESS' | 'APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_FAILED' | 'APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_IN_PROGRESS'
  lastCompletedAt: string | null
  errorMessage: string
}

/** Users who match a CEL expression. */
export type AppEntitlementAutomationRuleBasic = {
  expression: string
}

/** Users who match a CEL expression. */
export type AppEntitlementAutomationRuleCEL = {
  expression: string
}

/** Users who have any of these. */
export type AppEntitlementAutomationRuleEntitlement = {
  entitlementRefs: AppEntitlementRef[]
}

/** Nobody. */
export type AppEntitlementAutomationRuleNone = Record<never, never>

export type AppEntitlementItem = {
  appEntitlement: AppEntitlement | null
  appPath?: string
  appResourceTypePath?: string
  appResourcePath?: string
}

export type AppEntitlementOwnersAddRequest = {
  userId: string
}

export type AppEntitlementOwnersDeleteRequest = Record<never, never>

export type AppEntitlementOwnersListOwnerIDsResponse = {
  userIds: string[]
}

export type AppEntitlementOwnersListResponse = {
  list: User[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppEntitlementOwnersRemoveRequest = Record<never, never>

export type AppEntitlementOwnersSetRequest = {
  userIds: string[]
}

/** Everyone with the source entitlement is granted the destination. */
export type AppEntitlementProxy = {
  srcAppId: string
  srcAppEntitlementId: string
  dstAppId: string
  dstAppEntitlementId: string
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type AppEntitlementProxyView = {
  appProxyEntitlement: AppEntitlementProxy | null
  srcAppPath: string
  srcAppEntitlementPath: string
  dstAppPath: string
  dstAppEntitlementPath: string
}

export type AppEntitlementRef = {
  appId: string
  id: string
}

/** The settings for requests of entitlements of an app that match a condition. */
export type AppEntitlementRoutingRule = {
  id: string
  appId: string
  displayName: string
  description: string
  condition: string
  enabled: boolean
  settings: AppEntitlementRoutingRuleSettings | null
  priority: number
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type AppEntitlementRoutingRuleSettings = {
  /** The policy that decides requests. */
  requestPolicyId: string
  /** The form that requesters fill in. */
  requestSchemaId: string
  /** Whether access can be requested in an emergency. */
  emergencyGrantEnabled: boolean
  /** The policy that decides such requests; without one, they are not possible. */
  emergencyGrantPolicyId: string
  /** The maximum duration that can be requested, as in "3600s". */
  maxGrantDuration: string | null
}

export type AppEntitlementSearchServiceCountGrantsForUserByAppRequest = {
  userId: string
  appIds: string[]
}

export type AppEntitlementSearchServiceCountGrantsForUserByAppResponse = {
  appCount: number
  appGrantCounts: GraphAppGrantCount[]
  appUsers: AppUserRef[]
  band: 'GRAPH_SIZE_BAND_UNSPECIFIED' | 'GRAPH_SIZE_BAND_NORMAL' | 'GRAPH_SIZE_BAND_SUMMARIZED' | 'GRAPH_SIZE_BAND_TOO_LARGE'
  totalGrants: string
}

export type AppEntitlementSearchServiceSearchGrantsRequest = {
  userId: string
  appIds: string[]
  appUserIds: string[]
  entitlementRefs: AppEntitlementRef[]
  entitlementSlugs: string[]
  purpose: ('APP_ENTITLEMENT_PURPOSE_VALUE_UNSPECIFIED' | 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT' | 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION' | 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP')[]
  resourceIds: string[]
  resourceTypeIds: string[]
  /** Access at this time; the current access by default. */
  asOf: string | null
  expandMask: ExpandMask | null
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type AppEntitlementSearchServiceSearchGrantsResponse = {
  list: AppEntitlementWithUserBinding[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppEntitlementSearchServiceSearchGraphRequest = {
  userId: string
  resourceId: string
  appId: string
  appIds: string[]
  entitlementIds: string[]
  entitlementNameQuery: string
  resourceIds: string[]
  resourceNameQuery: string
  resourceTypeIds: string[]
  maxDepth: number
  maxFanOut: number
  maxNodes: number
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type AppEntitlementSearchServiceSearchGraphResponse = {
  nodes: GraphNode[]
  edges: GraphEdge[]
  truncatedNodeIds: string[]
  nodeCeilingHit: boolean
  pathsReturned: number
  hasMore: boolean
  pageToken: string
}

export type AppEntitlementSearchServiceSearchReachableResourcesForUserRequest = {
  userId: string
  appIds: string[]
  query: string
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type AppEntitlementSearchServiceSearchReachableResourcesForUserResponse = {
  list: GraphNode[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppEntitlementSearchServiceSearchRequest = {
  query: string
  displayName: string
  alias: string
  appIds: string[]
  excludeAppIds: string[]
  refs: AppEntitlementRef[]
  excludedEntitlementRefs: AppEntitlementRef[]
  resourceIds: string[]
  resourceTypeIds: string[]
  excludeResourceTypeIds: string[]
  resourceTraitIds: string[]
  riskLevelIds: string[]
  complianceFrameworkIds: string[]
  /** Only entitlements that any of these accounts has. */
  appUserIds: string[]
  /** Only entitlements that none of these accounts has. */
  excludeAppUserIds: string[]
  /** Only entitlements with a grant that expires. */
  onlyGetExpiring: boolean
  /** Include deleted ones. */
  includeDeleted: boolean
  /** Granted by an automation rule. */
  isAutomated: boolean
  /** Only entitlements with any of these policies. */
  policyRefs: PolicyRef[]
  /** Only entitlements with any of these request schemas. */
  requestSchemaIds: string[]
  /** Only entitlements that this connector reports. */
  sourceConnectorId: string
  /** Only entitlements of one of these purposes. */
  purposes: ('APP_ENTITLEMENT_PURPOSE_VALUE_UNSPECIFIED' | 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT' | 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION' | 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP')[]
  /** Only entitlements of one of these kinds of membership: by their slug (member, owner, exclusion, admin); otherwise, those with the purpose assignment are of members, and those with the purpose ownership of owners. */
  membershipType: ('APP_ENTITLEMENT_MEMBERSHIP_TYPE_UNSPECIFIED' | 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_MEMBER' | 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_OWNER' | 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_EXCLUSION' | 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_ADMIN')[]
  /** Only entitlements that one of these users owns. The owners of an app own its entitlements that have no owners. */
  ownerIds: string[]
  /** Only entitlements with an owner, or only those without. The owners of an app own its entitlements that have no owners. */
  owner: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Only entitlements with an automation rule, or only those without. */
  rule: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Only entitlements in a published access profile, or only those in none. */
  requestable: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Sort by one of: name, app, resource, resourceType, purpose, risk, duration, members, created. Add " desc" for descending order. The default order applies if unset. */
  orderBy: string
  expandMask: ExpandMask | null
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type AppEntitlementSearchServiceSearchResponse = {
  list: AppEntitlementView[]
  expanded: (Record<string, unknown> | null)[]
  /** With the first page only. */
  facets: Facets | null
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppEntitlementUserBinding = {
  appId: string
  appEntitlementId: string
  appUserId: string
  createdAt: string | null
  deprovisionAt: string | null
  deletedAt: string | null
  /** The other access through which an automation rule or the app itself grants this, such as membership in a group; for current grants only. */
  grantSources: AppEntitlementRef[]
}

export type AppEntitlementUserBindingFeed = {
  appId: string
  appEntitlementId: string
  appUserId: string
  date: string | null
  /** The task by which it was granted or ended; empty if it was none. */
  ticketId: string
  eventType: 'GRANT_EVENT_TYPE_UNSPECIFIED' | 'GRANT_EVENT_TYPE_ADDED' | 'GRANT_EVENT_TYPE_REMOVED'
}

export type AppEntitlementUserBindingFeedView = {
  feed: AppEntitlementUserBindingFeed | null
  appPath: string
  appUserPath: string
  entitlementPath: string
  /** Why it is or was held: manual, import, rule, request, profile or directory. */
  source: string
  /** Who or what granted or ended it. */
  causedBy: AccessGiver | null
  /** Of what was removed: revoked or expired. */
  endedWhy: string
  /** Of what was granted manually: the reason or ticket. */
  reason: string
}

export type AppEntitlementUserBindingHistory = {
  id: string
  appId: string
  appEntitlementId: string
  appUserId: string
  grantedAt: string | null
  revokedAt: string | null
}

export type AppEntitlementUserBindingHistoryView = {
  history: AppEntitlementUserBindingHistory | null
  appPath: string
  appUserPath: string
  entitlementPath: string
}

export type AppEntitlementUserView = {
  appId: string
  appEntitlementId: string
  appUserId: string
  appUser: AppUserView | null
  appEntitlementUserBindingCreatedAt: string | null
  appEntitlementUserBindingDeprovisionAt: string | null
  /** The sources of the access at that time. */
  grantReasons: GrantReason[]
  /** The other access through which an automation rule or the app itself grants this, such as membership in a group; for current grants only. */
  grantSources: AppEntitlementRef[]
  /** The task by which it was requested; empty if it was not requested. */
  originatingTicketId: string
}

export type AppEntitlementView = {
  appEntitlement: AppEntitlement | null
  appPath: string
  appResourceTypePath: string
  appResourcePath: string
  objectPermissions: ObjectPermissions | null
}

/** Who has or had an entitlement. */
export type AppEntitlementWithExpired = {
  appId: string
  appEntitlementId: string
  appUserId: string
  appUser: AppUser | null
  user: User | null
  /** Since when the current or the last access exists. */
  discovered: string | null
  /** When the access ended; null if it has not ended. */
  expired: string | null
  grantReasons: GrantReason[]
  /** The other access through which an automation rule or the app itself grants this, such as membership in a group; for current grants only. */
  grantSources: AppEntitlementRef[]
}

export type AppEntitlementWithUserBinding = {
  appEntitlementUserBinding: AppEntitlementUserView | null
  entitlement: AppEntitlementView | null
}

export type AppEntitlementWithUserBindings = {
  entitlement: AppEntitlementView | null
  /** The accounts of the caller that have it. */
  appEntitlementUserBindings: AppEntitlementUserBinding[]
}

export type AppOwnersAddRequest = Record<never, never>

export type AppOwnersDeleteRequest = {
  userIds: string[]
}

export type AppOwnersListOwnerIDsResponse = {
  userIds: string[]
}

export type AppOwnersListResponse = {
  list: User[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppOwnersRemoveRequest = Record<never, never>

export type AppOwnersSetRequest = {
  userIds: string[]
}

export type AppRef = {
  id: string
}

/** A resource in an app that access can be granted to. grantCount is the number of accounts that have one of its entitlements. */
export type AppResource = {
  id: string
  appId: string
  appResourceTypeId: string
  externalId: string
  displayName: string
  description: string
  customDescription: string
  annotations: Record<string, unknown>
  /** Not supported: setting it is refused. */
  matchBatonId: string
  /** Not supported: setting it is refused. */
  accessConfigId: string
  profile: Record<string, unknown> | null
  parentAppResourceTypeId: string
  parentAppResourceId: string
  grantCount: string
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type AppResourceOwnersAddRequest = {
  userId: string
}

export type AppResourceOwnersDeleteRequest = Record<never, never>

export type AppResourceOwnersListOwnerIDsResponse = {
  userIds: string[]
}

export type AppResourceOwnersListResponse = {
  list: User[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppResourceOwnersRemoveRequest = {
  userId: string
}

export type AppResourceOwnersSetRequest = {
  userIds: string[]
}

export type AppResourceRef = {
  appId: string
  appResourceTypeId: string
  id: string
}

export type AppResourceServiceGetResponse = {
  appResourceView: AppResourceView | null
  expanded: (Record<string, unknown> | null)[]
}

export type AppResourceServiceListResponse = {
  list: AppResourceView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppResourceServiceUpdateRequestInput = {
  appResource: AppResource | null
  updateMask: string
  expandMask: ExpandMask | null
}

export type AppResourceServiceUpdateResponse = {
  appResourceView: AppResourceView | null
  expanded: (Record<string, unknown> | null)[]
}

/** A kind of resource in an app. */
export type AppResourceType = {
  id: string
  appId: string
  displayName: string
  traitIds: string[]
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type AppResourceTypeServiceGetResponse = {
  appResourceTypeView: AppResourceTypeView | null
  expanded: (Record<string, unknown> | null)[]
}

export type AppResourceTypeServiceListResponse = {
  list: AppResourceTypeView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppResourceTypeView = {
  appResourceType: AppResourceType | null
  appPath: string
}

export type AppResourceView = {
  appResource: AppResource | null
  appPath: string
  resourceTypePath: string
  parentResourceTypePath: string
  parentResourcePath: string
  objectPermissions: ObjectPermissions | null
}

export type AppUsageControls = {
  appId: string
  notify: boolean
  notifyAfterDays: number
  revoke: boolean
  revokeAfterDays: number
}

/** An account in one app. identityUserId is the user that it belongs to; empty if there is none. */
export type AppUser = {
  id: string
  appId: string
  identityUserId: string
  appUserType: 'APP_USER_TYPE_UNSPECIFIED' | 'APP_USER_TYPE_USER' | 'APP_USER_TYPE_SERVICE_ACCOUNT' | 'APP_USER_TYPE_SYSTEM_ACCOUNT'
  status: AppUserStatus | null
  displayName: string
  email: string
  emails: string[]
  username: string
  usernames: string[]
  employeeIds: string[]
  /** A person's account whose email address has none of the organization's domains; without domains or an address, one that belongs to no user. */
  isExternal: boolean
  profile: Record<string, unknown> | null
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type AppUserCredential = {
  id: string
  appId: string
  appUserId: string
  encryptedData: EncryptedData | null
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
  expiresAt: string | null
}

export type AppUserRef = {
  appId: string
  id: string
}

export type AppUserServiceListCredentialsResponse = {
  list: AppUserCredential[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppUserServiceListResponse = {
  list: AppUserView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppUserServiceSearchRequest = {
  query: string
  appId: string
  appIds: string[]
  appUserIds: string[]
  refs: AppUserRef[]
  excludeAppUserIds: string[]
  userIds: string[]
  appUserTypes: ('APP_USER_TYPE_UNSPECIFIED' | 'APP_USER_TYPE_USER' | 'APP_USER_TYPE_SERVICE_ACCOUNT' | 'APP_USER_TYPE_SYSTEM_ACCOUNT')[]
  appUserStatuses: ('STATUS_UNSPECIFIED' | 'STATUS_ENABLED' | 'STATUS_DISABLED' | 'STATUS_DELETED')[]
  /** EXTERNAL: a person's account that belongs to no user. */
  appUserDomains: ('APP_USER_DOMAIN_UNSPECIFIED' | 'APP_USER_DOMAIN_EXTERNAL' | 'APP_USER_DOMAIN_TRUSTED')[]
  /** Belongs to no user, and has no owner in any role. */
  withoutResponsibleParty: boolean
  excludeDeletedApps: boolean
  sortBy: 'APP_USER_SEARCH_SORT_BY_UNSPECIFIED' | 'APP_USER_SEARCH_SORT_BY_APP'
  /** Only accounts that belong to a user, or only accounts without a user. */
  owner: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Only accounts with an email address in one of these domains. */
  emailDomains: string[]
  /** Only accounts created at or after this time. */
  createdAfter: string | null
  /** Only accounts created before this time. */
  createdBefore: string | null
  /** Sort by one of: name, username, email, owner, type, status, created. Add " desc" for descending order. The default order applies if unset. */
  orderBy: string
  expandMask: ExpandMask | null
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type AppUserServiceSearchResponse = {
  list: AppUserView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppUserServiceUpdateRequest = {
  appUser: AppUser | null
  updateMask: string
  expandMask: ExpandMask | null
}

export type AppUserServiceUpdateResponse = {
  appUserView: AppUserView | null
  expanded: (Record<string, unknown> | null)[]
}

export type AppUserStatus = {
  status: 'STATUS_UNSPECIFIED' | 'STATUS_ENABLED' | 'STATUS_DISABLED' | 'STATUS_DELETED'
}

export type AppUserView = {
  appUser: AppUser | null
  appPath: string
  identityUserPath: string
}

export type AppUsersForUserServiceListResponse = {
  list: AppUserView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ApplyAutomationPlanRequestInput = {
  fingerprint: string
  /** A proposed rule; the saved one by default. */
  automation: AppEntitlementAutomation | null
  /** The reason, or a ticket number; kept with the version if the rule was proposed. */
  reason: string
}

export type ApplyAutomationPlanResponse = {
  run: AutomationRun | null
}

export type AutomationExample = {
  userId: string
  /** Null if the user was deleted, or the caller may not see them. */
  user: User | null
  /** Whether the rule must match them, or must not. */
  mustMatch: boolean
  /** If one fails, the save is refused. Users who are not enabled are not checked. */
  status: 'AUTOMATION_EXAMPLE_STATUS_UNSPECIFIED' | 'AUTOMATION_EXAMPLE_STATUS_HOLDS' | 'AUTOMATION_EXAMPLE_STATUS_FAILS' | 'AUTOMATION_EXAMPLE_STATUS_UNCHECKED'
  /** Why the rule fails for them, if it does. */
  error: string
}

/** Example users. They are checked whenever the rule is saved; if one fails, the save is refused (EXAMPLE_FAILED). Users who were deleted or disabled since are not checked. */
export type AutomationExamples = {
  /** Users whom the rule must match. */
  mustMatchUserIds: string[]
  /** Users whom the rule must not match. */
  mustNotMatchUserIds: string[]
}

export type AutomationExclusionView = {
  appId: string
  appEntitlementId: string
  /** The user's account in the app; empty if there is none. */
  appUserId: string
  user: User | null
  addedAt: string | null
  /** Who excluded them; empty if that is not known. */
  addedByUserId: string
  /** The reason of the exclusion. */
  reason: string
}

export type AutomationExplainedGrant = {
  id: string
  appUserId: string
  /** manual, import, rule or request. */
  source: string
  /** The id of a user, an import or a run. */
  grantedBy: string
  grantedAt: string | null
  expiresAt: string | null
  /** The reason of the grant. */
  reason: string
}

export type AutomationFailure = {
  userId: string
  error: string
}

export type AutomationLookedAt = {
  /** As written in the expression. */
  path: string
  /** The value as JSON; empty if it is missing. */
  value: string
  isMissing: boolean
}

export type AutomationPlanCounts = {
  /** Users whom the rule matches, excluded or not. */
  matched: number
  gain: number
  lose: number
  /** They match, and already have it. */
  stay: number
  /** Excluded: they match, or have a grant from the rule. */
  excluded: number
  /** Users for whom the rule fails: it does not match them. */
  failed: number
}

export type AutomationPlanItem = {
  userId: string
  outcome: 'AUTOMATION_OUTCOME_UNSPECIFIED' | 'AUTOMATION_OUTCOME_GAIN' | 'AUTOMATION_OUTCOME_LOSE' | 'AUTOMATION_OUTCOME_STAY' | 'AUTOMATION_OUTCOME_EXCLUDED'
  /** The record for callers who may see everyone, otherwise the name. */
  user: User | null
}

/** A run of an automation rule. */
export type AutomationRun = {
  id: string
  appId: string
  appEntitlementId: string
  /** The version of the rule, which increases with every save. */
  ruleVersion: number
  cause: 'AUTOMATION_RUN_CAUSE_UNSPECIFIED' | 'AUTOMATION_RUN_CAUSE_SAVED' | 'AUTOMATION_RUN_CAUSE_CHANGE' | 'AUTOMATION_RUN_CAUSE_EXCLUSION' | 'AUTOMATION_RUN_CAUSE_SCHEDULE' | 'AUTOMATION_RUN_CAUSE_HAND' | 'AUTOMATION_RUN_CAUSE_APPLY' | 'AUTOMATION_RUN_CAUSE_RELEASE' | 'AUTOMATION_RUN_CAUSE_UNDO'
  /** Who caused it; empty if nobody did. */
  startedByUserId: string
  status: 'AUTOMATION_RUN_STATUS_UNSPECIFIED' | 'AUTOMATION_RUN_STATUS_RUNNING' | 'AUTOMATION_RUN_STATUS_HELD' | 'AUTOMATION_RUN_STATUS_DONE' | 'AUTOMATION_RUN_STATUS_FAILED' | 'AUTOMATION_RUN_STATUS_CANCELLED' | 'AUTOMATION_RUN_STATUS_SUPERSEDED'
  matchedCount: number
  /** Excluded: they match, or have a grant from the rule. */
  excludedCount: number
  /** How many had it by the rule when the run began. */
  memberCount: number
  /** How many people it found to be added. */
  toGainCount: number
  /** How many people it found to be removed. */
  toLoseCount: number
  gainedCount: number
  lostCount: number
  failedCount: number
  /** The counts that are upper bounds: for callers who may not see everyone, counts below 5 are shown as 4. */
  boundedCounts: string[]
  /** Some of those for whom the rule failed, and why. */
  failures: AutomationFailure[]
  /** For an undo: the run that it undid. */
  undoesRunId: string
  undoneByRunId: string
  /** For an undo: how many were not undone because they had been changed since. */
  leftAloneCount: number
  errorMessage: string
  startedAt: string | null
  finishedAt: string | null
}

export type AutomationRunChange = {
  /** Empty if the account has no user. */
  userId: string
  user: User | null
  /** The account to which the entitlement was granted, or from which it was removed. */
  appUserId: string
  outcome: 'AUTOMATION_OUTCOME_UNSPECIFIED' | 'AUTOMATION_OUTCOME_GAIN' | 'AUTOMATION_OUTCOME_LOSE'
  at: string | null
}

/** The state of an automation rule. */
export type AutomationState = {
  ruleVersion: number
  /** Its runs are never held, regardless of how much they change. */
  breakerOff: boolean
  /** Why it is paused. It stays paused until it is changed, started or released. */
  paused: 'AUTOMATION_PAUSE_UNSPECIFIED' | 'AUTOMATION_PAUSE_HELD' | 'AUTOMATION_PAUSE_CANCELLED' | 'AUTOMATION_PAUSE_UNDONE' | 'AUTOMATION_PAUSE_COSTLY'
  /** The run that is held. */
  heldRunId: string
  lastRunId: string
  /** When it is next evaluated for everyone; null while it is running or paused. */
  nextRunAt: string | null
}

export type AutomationValue = {
  /** As it is written in an expression. */
  value: string
  /** The display name, such as the name of an app. */
  label: string
  /** How many people have it; 0 if that is not counted. */
  count: number
}

/** An automation rule as one save wrote it. */
export type AutomationVersion = {
  appId: string
  appEntitlementId: string
  version: number
  displayName: string
  description: string
  none: AppEntitlementAutomationRuleNone | null
  basic: AppEntitlementAutomationRuleBasic | null
  cel: AppEntitlementAutomationRuleCEL | null
  entitlements: AppEntitlementAutomationRuleEntitlement | null
  examples: AutomationExamples | null
  /** The reason that its author gave. */
  reason: string
  /** The version that it restored; 0 if it did not restore one. */
  restoresVersion: number
  /** Who saved it; empty if that is not known. */
  savedByUserId: string
  savedAt: string | null
}

export type AutomationVersionDifference = {
  /** kind, expression, entitlementRefs, displayName, description, examples.mustMatchUserIds or examples.mustNotMatchUserIds. */
  field: string
  /** The value in the compared version; lists have one item per line. */
  before: string
  /** The value in the other version. */
  after: string
}

export type AutomationVersionDiffering = {
  userId: string
  user: User | null
  /** Whether the compared version matches them, or the other one. */
  isFrom: boolean
}

export type AutomationVersionMatches = {
  /** Enabled users whom both versions match. */
  both: number
  /** Users whom only the compared version matches. */
  onlyFrom: number
  /** Users whom only the other version matches. */
  onlyTo: number
}

export type CancelAccessRequestDefaultsRequestInput = Record<never, never>

export type CancelAutomationRunRequestInput = Record<never, never>

export type CancelAutomationRunResponse = {
  run: AutomationRun | null
}

export type CompareAutomationVersionsRequestInput = {
  /** The other version; the latest one by default. */
  toVersion: number
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type CompareAutomationVersionsResponse = {
  from: AutomationVersion | null
  to: AutomationVersion | null
  differences: AutomationVersionDifference[]
  /** Null if it cannot be determined; see matchesError. */
  matches: AutomationVersionMatches | null
  /** The counts that are upper bounds: for callers who may not see everyone, counts below 5 are shown as 4. */
  boundedCounts: string[]
  /** Why it cannot be determined whom they match, such as a version that no longer compiles. */
  matchesError: string
  /** Users whom only one of them matches, for callers who may see everyone. */
  list: AutomationVersionDiffering[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

/** A program that runs next to an app, and reads it. */
export type Connector = {
  id: string
  appId: string
  displayName: string
  description: string
  catalogId: string
  /** Its settings, except secrets. Only for connectors of the catalog. */
  config: Record<string, unknown> | null
  configUpdatedAt?: string
  canResumeSync: boolean
  status: ConnectorStatus | null
  /** When it syncs; every hour by default. It is set by UpdateConnectorSchedule. */
  connectorSyncCronSchedule?: ConnectorSyncCronSchedule
  /** When the next sync is due. */
  nextSyncAt: string | null
  syncDisabledAt: string | null
  syncDisabledReason: string
  /** The users who own it, in the role primary. */
  userIds: string[]
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
  /** When the connector last called. */
  lastSeenAt: string | null
  /** The name and version that the connector reports. */
  agent: string
  /** The sync that is held until someone confirms what it would remove. */
  heldSyncId: string
}

export type ConnectorCredential = {
  id: string
  appId: string
  connectorId: string
  clientId: string
  /** Only in the response that creates it. */
  clientSecret: string
  displayName: string
  createdAt: string | null
  updatedAt: string | null
  expiresTime: string | null
  lastUsedAt: string | null
  deletedAt: string | null
}

export type ConnectorScheduleCron = {
  /** Minute, hour, day of the month, month and day of the week; or @hourly, @daily, @weekly, @monthly. */
  cronSpec: string
  /** For example Europe/Berlin; UTC by default. */
  timezone: string
}

export type ConnectorServiceCreateDelegatedRequestInput = {
  displayName: string
  description: string
  /** The connector of the catalog; empty for any other. */
  catalogId: string
  /** Users who own it, in the role primary. */
  userIds: string[]
  expandMask: ExpandMask | null
  /** Everyone with one of these owns it, too. */
  appEntitlementOwnerRefs: AppEntitlementRef[]
}

export type ConnectorServiceCreateRequestInput = {
  description: string
  /** The connector of the catalog; empty for any other. */
  catalogId: string
  /** Users who own it, in the role primary. */
  userIds: string[]
  expandMask: ExpandMask | null
  /** Its settings, as {"@type": "type.googleapis.com/c1.api.app.v1.EnvConfig", "configuration": {"NAME": "VALUE"}}. Secrets are refused: set them where the connector runs. */
  config: Record<string, unknown> | null
}

export type ConnectorServiceCreateResponse = {
  connectorView: ConnectorView | null
  expanded: (Record<string, unknown> | null)[]
}

export type ConnectorServiceGetConnectorSyncDownloadURLResponse = {
  downloadUrl: string
}

export type ConnectorServiceGetCredentialsResponse = {
  credential: ConnectorCredential | null
}

export type ConnectorServiceGetResponse = {
  connectorView: ConnectorView | null
  expanded: (Record<string, unknown> | null)[]
}

export type ConnectorServiceListResponse = {
  list: ConnectorView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ConnectorServiceRotateCredentialRequest = {
  appId: string
  connectorId: string
}

export type ConnectorServiceRotateCredentialResponse = {
  credential: ConnectorCredential | null
}

export type ConnectorServiceUpdateConnectorScheduleRequestInput = {
  cron: ConnectorScheduleCron | null
}

export type ConnectorServiceUpdateDelegatedRequestInput = {
  connector: Connector | null
  updateMask: string
  expandMask: ExpandMask | null
}

export type ConnectorServiceUpdateRequestInput = {
  connector: Connector | null
  updateMask: string
  expandMask: ExpandMask | null
}

export type ConnectorServiceUpdateResponse = {
  connectorView: ConnectorView | null
  expanded: (Record<string, unknown> | null)[]
}

export type ConnectorStatus = {
  status: 'SYNC_STATUS_UNSPECIFIED' | 'SYNC_STATUS_RUNNING' | 'SYNC_STATUS_DONE' | 'SYNC_STATUS_ERROR' | 'SYNC_STATUS_DISABLED'
  startedAt: string | null
  completedAt: string | null
  updatedAt: string | null
  lastError: string
}

export type ConnectorSyncCronSchedule = {
  cronSpec: string
  timezone: string
  /** Since when. */
  start?: string
}

export type ConnectorView = {
  connector: Connector | null
  appPath: string
  usersPath: string
  capabilitiesPath: string
}

export type CreateAppEntitlementProxyRequestInput = {
  expandMask: ExpandMask | null
}

export type CreateAppEntitlementProxyResponse = {
  appProxyEntitlementView: AppEntitlementProxyView | null
  expanded: (Record<string, unknown> | null)[]
}

export type CreateAppEntitlementRequestInput = {
  displayName: string
  description: string
  slug: string
  alias: string
  purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_UNSPECIFIED' | 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT' | 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION' | 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP'
  annotations: Record<string, unknown>
  riskLevelValueId: string
  complianceFrameworkValueIds: string[]
  /** The default duration of a grant, in seconds, as in "3600s". */
  durationGrant: string | null
  /** Set to {} if grants do not expire; null if neither is set. */
  durationUnset: Record<string, unknown> | null
  /** Whether it can be requested in an emergency, under emergencyGrantPolicyId. */
  emergencyGrantEnabled: boolean
  /** Whether its request settings override the routing rules and defaults of its app. */
  overrideAccessRequestsDefaults: boolean
  certifyPolicyId: string
  grantPolicyId: string
  revokePolicyId: string
  emergencyGrantPolicyId: string
  /** Not supported: setting it is refused. */
  matchBatonId: string
  /** How access is provisioned once it is approved. */
  provisionPolicy: ProvisionPolicy | null
  appResourceTypeId: string
  appResourceId: string
  /** Users who own it, in the role primary. */
  appEntitlementOwnerIds: string[]
  expandMask: ExpandMask | null
}

export type CreateAppEntitlementResponse = {
  appEntitlementView: AppEntitlementView | null
  expanded: (Record<string, unknown> | null)[]
}

export type CreateAppEntitlementRoutingRuleRequestInput = {
  displayName: string
  description: string
  condition: string
  enabled: boolean
  settings: AppEntitlementRoutingRuleSettings | null
  priority: number
}

export type CreateAppEntitlementRoutingRuleResponse = {
  routingRule: AppEntitlementRoutingRule | null
}

export type CreateAppRequest = {
  displayName: string
  description: string
  annotations: Record<string, unknown>
  instructions: string
  monthlyCostUsd: number
  identityMatching: 'APP_USER_IDENTITY_MATCHING_UNSPECIFIED' | 'APP_USER_IDENTITY_MATCHING_STRICT' | 'APP_USER_IDENTITY_MATCHING_DISPLAY_NAME'
  /** Not supported: setting it is refused. */
  strictAccessEntitlementProvisioning: boolean
  /** The policy for reviews, if an entitlement has none. */
  certifyPolicyId: string
  /** The policy for requests, if an entitlement has none. */
  grantPolicyId: string
  /** The policy for revocations, if an entitlement has none. */
  revokePolicyId: string
  /** Users who own it, in the role primary. */
  owners: string[]
  /** Everyone with one of these owns it, too. */
  appEntitlementOwnerRefs: AppEntitlementRef[]
}

export type CreateAppResponse = {
  app: App | null
}

export type CreateAutomationRequestInput = {
  automation: AppEntitlementAutomation | null
  /** The reason, or a ticket number; kept with the change. */
  reason: string
}

export type CreateAutomationResponse = {
  automation: AppEntitlementAutomation | null
}

export type CreateManuallyManagedAppResourceRequestInput = {
  displayName: string
  description: string
  annotations: Record<string, unknown>
  /** Not supported: setting it is refused. */
  matchBatonId: string
  /** Users who own it, in the role primary. */
  resourceOwnerUserIds: string[]
}

export type CreateManuallyManagedAppResourceResponse = {
  appResource: AppResource | null
}

export type CreateManuallyManagedResourceTypeRequestInput = {
  displayName: string
  resourceType: 'ROLE' | 'GROUP' | 'LICENSE' | 'PROJECT' | 'CATALOG' | 'CUSTOM' | 'VAULT' | 'PROFILE_TYPE' | 'SESSION_POLICY' | 'CLAW_AGENT'
}

export type CreateManuallyManagedResourceTypeResponse = {
  appResourceType: AppResourceType | null
  expanded: (Record<string, unknown> | null)[]
}

export type DeleteAppEntitlementProxyRequestInput = Record<never, never>

export type DeleteAppEntitlementRequestInput = Record<never, never>

export type DeleteAppEntitlementRoutingRuleRequestInput = Record<never, never>

export type DeleteAppRequestInput = Record<never, never>

export type DeleteAutomationRequestInput = {
  /** The reason, or a ticket number; kept with the change. */
  reason: string
}

export type DeleteManuallyManagedAppResourceRequestInput = Record<never, never>

export type DeleteManuallyManagedResourceTypeRequestInput = Record<never, never>

export type AppEditorValidateRequest = {
  text: string
}

export type AppEditorValidateResponse = Record<never, never>

export type EncryptedData = {
  /** How it is encrypted: baton/jwk/v1. */
  provider: string
  /** The SHA-256 thumbprint (RFC 7638) of the key of the API credential, in hexadecimal digits. */
  keyId: string
  name: string
  description: string
  schema: string
  /** In base64. Only the private key of the API credential decrypts it. */
  encryptedBytes: string
}

export type ExplainAutomationResponse = {
  userId: string
  appId: string
  appEntitlementId: string
  holds: boolean
  heldSince: string | null
  grants: AutomationExplainedGrant[]
  /** When their last grant ended, if they do not have it. */
  lastEndedAt: string | null
  /** The id of the user, import or run that ended it. */
  lastEndedBy: string
  isExcluded: boolean
  excludedAt: string | null
  excludedByUserId: string
  /** The reason of the exclusion. */
  excludedReason: string
  hasRule: boolean
  ruleVersion: number
  verdict: 'AUTOMATION_VERDICT_UNSPECIFIED' | 'AUTOMATION_VERDICT_MATCHES' | 'AUTOMATION_VERDICT_DOES_NOT_MATCH' | 'AUTOMATION_VERDICT_FAILED'
  /** Why the rule fails for them, if it does. */
  error: string
  /** The fields that the rule reads, with their values for this user. */
  lookedAt: AutomationLookedAt[]
  /** What a run would do for them now; unspecified means nothing. */
  outcome: 'AUTOMATION_OUTCOME_UNSPECIFIED' | 'AUTOMATION_OUTCOME_GAIN' | 'AUTOMATION_OUTCOME_LOSE' | 'AUTOMATION_OUTCOME_STAY' | 'AUTOMATION_OUTCOME_EXCLUDED'
}

export type GetAppEntitlementProxyResponse = {
  appProxyEntitlementView: AppEntitlementProxyView | null
  expanded: (Record<string, unknown> | null)[]
}

export type GetAppEntitlementResponse = {
  appEntitlementView: AppEntitlementView | null
  expanded: (Record<string, unknown> | null)[]
}

export type GetAppEntitlementRoutingRuleResponse = {
  routingRule: AppEntitlementRoutingRule | null
}

export type GetAppResponse = {
  app: App | null
}

export type GetAppUsageControlsResponse = {
  appUsageControls: AppUsageControls | null
  /** Whether the last use of accounts of the app is known. */
  hasUsageData: boolean
}

export type GetAutomationResponse = {
  AppEntitlementAutomation: AppEntitlementAutomation | null
}

export type GetAutomationRunResponse = {
  run: AutomationRun | null
}

export type GetAutomationStateResponse = {
  state: AutomationState | null
}

export type GetAutomationVersionResponse = {
  version: AutomationVersion | null
}

/** One source of access. */
export type GrantReason = {
  appId: string
  appEntitlementId: string
  appUserId: string
  /** Where it comes from: manual, import, rule, request or profile. */
  derivedIdType: string
  /** Who or what granted it: the id of a user, an import, a run, a task or an access profile. */
  derivedIdData: string
  referenceStrength: 'GRANT_REASON_REFERENCE_STRENGTH_UNSPECIFIED' | 'GRANT_REASON_REFERENCE_STRENGTH_WEAK' | 'GRANT_REASON_REFERENCE_STRENGTH_STRONG'
  reasonExpiresAt: string | null
  /** The reason or ticket number of the grant; empty if there is none. */
  reason: string
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type GraphAppGrantCount = {
  appId: string
  grantCount: string
}

export type GraphEdge = {
  sourceId: string
  targetId: string
  type: 'GRAPH_EDGE_TYPE_UNSPECIFIED' | 'GRAPH_EDGE_TYPE_IDENTITY_LINK' | 'GRAPH_EDGE_TYPE_DIRECT_GRANT' | 'GRAPH_EDGE_TYPE_APP_HIERARCHY' | 'GRAPH_EDGE_TYPE_RESOURCE_HIERARCHY' | 'GRAPH_EDGE_TYPE_PROXY_BINDING'
  isTruncated: boolean
  hiddenChildren: number
}

export type GraphNode = {
  id: string
  type: 'GRAPH_NODE_TYPE_UNSPECIFIED' | 'GRAPH_NODE_TYPE_USER' | 'GRAPH_NODE_TYPE_APP_USER' | 'GRAPH_NODE_TYPE_APP' | 'GRAPH_NODE_TYPE_RESOURCE_TYPE' | 'GRAPH_NODE_TYPE_RESOURCE' | 'GRAPH_NODE_TYPE_ENTITLEMENT' | 'GRAPH_NODE_TYPE_GRANT'
  displayName: string
  secondaryText: string
  appId: string
  resourceTypeId: string
}

export type ListAppEntitlementRoutingRulesResponse = {
  list: AppEntitlementRoutingRule[]
  nextPageToken: string
}

export type ListAppEntitlementUsersResponse = {
  list: AppEntitlementUserView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListAppEntitlementViewsResponse = {
  list: AppEntitlementView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListAppEntitlementsOfAppUserResponse = {
  list: AppEntitlementView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListAppEntitlementsResponse = {
  list: AppEntitlementItem[]
  expanded?: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListAppUsersForIdentityWithGrantResponse = {
  bindings: AppEntitlementUserBinding[]
}

export type ListAppsResponse = {
  list: App[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListAutomationExclusionsResponse = {
  list: AutomationExclusionView[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListAutomationRunChangesResponse = {
  list: AutomationRunChange[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListAutomationRunsResponse = {
  list: AutomationRun[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListAutomationValuesResponse = {
  /** At most 50, most frequent first, or by name. */
  list: AutomationValue[]
}

export type ListAutomationVersionsResponse = {
  list: AutomationVersion[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListOwnedServiceAccountsRequest = {
  expandMask: ExpandMask | null
  /** Ownership at this time; the current time by default. */
  asOf: string | null
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type ListOwnedServiceAccountsResponse = {
  list: AppUserView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ManuallyManagedUsersResponse = {
  bulkActionId: string
  /** Users to whom it was not granted, by user id, and why. It was granted to all others. */
  failedUsersErrorMap: Record<string, unknown> | null
}

export type ObjectPermissions = {
  read: boolean
  edit: boolean
  delete: boolean
}

export type PlanAutomationRequestInput = {
  /** A proposed rule; the saved one by default. */
  automation: AppEntitlementAutomation | null
  /** Only users with these outcomes; all by default. */
  outcomes: ('AUTOMATION_OUTCOME_UNSPECIFIED' | 'AUTOMATION_OUTCOME_GAIN' | 'AUTOMATION_OUTCOME_LOSE' | 'AUTOMATION_OUTCOME_STAY' | 'AUTOMATION_OUTCOME_EXCLUDED')[]
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type PlanAutomationResponse = {
  list: AutomationPlanItem[]
  counts: AutomationPlanCounts | null
  /** Some of those for whom the rule failed, and why. */
  failures: AutomationFailure[]
  /** The counts that are upper bounds: for callers who may not see everyone, counts below 5 are shown as 4. */
  boundedCounts: string[]
  /** How many were omitted from this page because the caller may not see them. */
  hiddenCount: number
  /** Identifies the rule and everything that it would do: for ApplyAutomationPlan. */
  fingerprint: string
  /** A run would add so many people that the circuit breaker would hold it. Show this before you apply the plan. */
  isMassGain: boolean
  /** A run would remove so many people that the circuit breaker would hold it. Show this before you apply the plan. */
  isMassLoss: boolean
  /** The examples of the rule, proposed or saved, and whether it fails them; on the first page only. */
  examples: AutomationExample[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ReleaseAutomationRunRequestInput = Record<never, never>

export type ReleaseAutomationRunResponse = {
  run: AutomationRun | null
}

export type RemoveAutomationExclusionRequestInput = {
  userIds: string[]
  /** The reason, or a ticket number; kept with the change. */
  reason: string
}

export type RemoveEntitlementMembershipRequest = {
  appUserId: string
  /** The reason, or a ticket number; kept in the system log. */
  reason: string
}

export type RemoveEntitlementMembershipResponse = {
  /** The open task that was to revoke it, if there is one that you can see. Access is revoked immediately in any case. */
  revokeTaskId: string
}

export type RemoveGrantDurationRequest = Record<never, never>

export type RemoveGrantDurationResponse = {
  binding: AppEntitlementUserBinding | null
}

export type ReorderAppEntitlementRoutingRulesRequestInput = {
  ruleIds: string[]
}

export type ReorderAppEntitlementRoutingRulesResponse = {
  list: AppEntitlementRoutingRule[]
}

export type RestoreAutomationVersionRequestInput = {
  /** The fingerprint of a plan of the version: exactly that plan is applied, or the request is refused. Without it, the rule runs, and the circuit breaker may hold the run. */
  fingerprint: string
  /** The reason, or a ticket number; kept with the change. */
  reason: string
}

export type RestoreAutomationVersionResponse = {
  automation: AppEntitlementAutomation | null
  /** The result, if a plan was applied; otherwise null. */
  run: AutomationRun | null
}

export type RunAutomationRequestInput = Record<never, never>

export type RunAutomationResponse = {
  state: AutomationState | null
}

export type SearchAppEntitlementsWithExpiredResponse = {
  list: AppEntitlementWithExpired[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SearchAppResourceTypesRequest = {
  query: string
  displayName: string
  appIds: string[]
  resourceTypeIds: string[]
  excludeResourceTypeIds: string[]
  resourceTypeTraitIds: string[]
  excludeResourceTypeTraitIds: string[]
  appUserIds: string[]
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type SearchAppResourceTypesResponse = {
  list: AppResourceType[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SearchAppResourcesRequest = {
  query: string
  appId: string
  appIds: string[]
  refs: AppResourceRef[]
  resourceIds: string[]
  excludeResourceIds: string[]
  resourceTypeIds: string[]
  resourceTypeTraitIds: string[]
  excludeResourceTypeTraitIds: string[]
  appUserIds: string[]
  ownerUserIds: string[]
  /** Without an owner in any role. */
  unownedOnly: boolean
  /** Always true: the resources of a deleted app are deleted. */
  excludeDeletedApps: boolean
  /** Always true: deleted resources are not found. */
  excludeDeletedResourceBindings: boolean
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type SearchAppResourcesResponse = {
  list: AppResourceView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SearchAppsRequest = {
  query: string
  displayName: string
  appIds: string[]
  excludeAppIds: string[]
  onlyDirectories: boolean
  /** Only apps that are managed manually, or only apps that imports maintain. */
  source: 'APP_SOURCE_UNSPECIFIED' | 'APP_SOURCE_MANUAL' | 'APP_SOURCE_IMPORT'
  /** Only apps that one of these users owns. */
  ownerIds: string[]
  /** Only apps with an owner, or only those without. */
  owner: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Sort by one of: name, source, members, created. Add " desc" for descending order. The default order applies if unset. */
  orderBy: string
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type SearchAppsResponse = {
  list: App[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SearchGrantFeedRequest = {
  after: string | null
  before: string | null
  appRefs: AppRef[]
  appEntitlementRefs: AppEntitlementRef[]
  appUserRefs: AppUserRef[]
  userRefs: UserRef[]
  expandMask: ExpandMask | null
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type SearchGrantFeedResponse = {
  list: AppEntitlementUserBindingFeedView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SearchPastGrantsRequest = {
  appIds: string[]
  appEntitlementRefs: AppEntitlementRef[]
  appUserRefs: AppUserRef[]
  expandMask: ExpandMask | null
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type SearchPastGrantsResponse = {
  list: AppEntitlementUserBindingHistoryView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SearchUserOwnershipRequest = {
  /** The user; the caller by default. */
  userId: string
  ownershipTypes: ('USER_OWNERSHIP_TYPE_UNSPECIFIED' | 'USER_OWNERSHIP_TYPE_APP' | 'USER_OWNERSHIP_TYPE_RESOURCE' | 'USER_OWNERSHIP_TYPE_ENTITLEMENT')[]
  /** Ownership at this time; the current time by default. */
  asOf: string | null
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type SearchUserOwnershipResponse = {
  list: UserOwnership[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SetAutomationBreakerRequestInput = {
  breakerOff: boolean
  /** The reason, or a ticket number; kept with the change. */
  reason: string
}

export type SetAutomationBreakerResponse = {
  state: AutomationState | null
}

export type UndoAutomationRunRequestInput = {
  /** Also restores the version of the rule before the one that ran, so that the next run does not make the same changes. */
  restoreRule: boolean
  /** The reason, or a ticket number; kept with the change. */
  reason: string
}

export type UndoAutomationRunResponse = {
  run: AutomationRun | null
}

export type UpdateAppEntitlementRequestInput = {
  entitlement: AppEntitlement | null
  /** Set to true to set it on the entitlement, regardless of the mask. */
  overrideAccessRequestsDefaults: boolean
  updateMask: string
  expandMask: ExpandMask | null
}

export type UpdateAppEntitlementResponse = {
  appEntitlementView: AppEntitlementView | null
  expanded: (Record<string, unknown> | null)[]
}

export type UpdateAppEntitlementRoutingRuleRequestInput = {
  displayName: string
  description: string
  condition: string
  enabled: boolean
  settings: AppEntitlementRoutingRuleSettings | null
}

export type UpdateAppEntitlementRoutingRuleResponse = {
  routingRule: AppEntitlementRoutingRule | null
}

export type UpdateAppRequestInput = {
  app: App | null
  updateMask: string
}

export type UpdateAppResponse = {
  app: App | null
}

export type UpdateAppUsageControlsRequestInput = {
  appUsageControls: AppUsageControls | null
  updateMask: string
}

export type UpdateAppUsageControlsResponse = {
  appUsageControls: AppUsageControls | null
}

export type UpdateAutomationRequestInput = {
  displayName: string
  description: string
  none: AppEntitlementAutomationRuleNone | null
  basic: AppEntitlementAutomationRuleBasic | null
  cel: AppEntitlementAutomationRuleCEL | null
  entitlements: AppEntitlementAutomationRuleEntitlement | null
  /** Examples of the rule. If absent, they are not changed; an empty object removes them. */
  examples: AutomationExamples | null
  /** The reason, or a ticket number; kept with the change. */
  reason: string
  updateMask: string
}

export type UpdateAutomationResponse = {
  AppEntitlementAutomation: AppEntitlementAutomation | null
}

export type UpdateGrantDurationRequest = {
  newDeprovisionAt: string
}

export type UpdateGrantDurationResponse = {
  binding: AppEntitlementUserBinding | null
}

export type UpdateManuallyManagedResourceTypeRequestInput = {
  appResourceType: AppResourceType | null
  updateMask: string
}

export type UpdateManuallyManagedResourceTypeResponse = {
  appResourceType: AppResourceType | null
  expanded: (Record<string, unknown> | null)[]
}

/** An object that a user owns, in one or several roles, directly or through an entitlement. */
export type UserOwnership = {
  ownershipType: 'USER_OWNERSHIP_TYPE_UNSPECIFIED' | 'USER_OWNERSHIP_TYPE_APP' | 'USER_OWNERSHIP_TYPE_RESOURCE' | 'USER_OWNERSHIP_TYPE_ENTITLEMENT'
  appId: string
  appDisplayName: string
  resourceTypeId: string
  resourceId: string
  resourceDisplayName: string
  entitlementId: string
  entitlementDisplayName: string
}

export type AppEntitlementOwnerEntitlementV2 = {
  appId: string
  entitlementId: string
  roleSlug: string
  createdAt: string | null
  appEntitlement: AppEntitlement | null
}

export type AppEntitlementOwnerEntitlementCreateRequestV2 = {
  appEntitlementRef: AppEntitlementRef | null
}

export type AppEntitlementOwnerEntitlementCreateResponseV2 = {
  appEntitlementOwnerEntitlement: AppEntitlementOwnerEntitlementV2 | null
}

export type AppEntitlementOwnerEntitlementDeleteRequestV2 = {
  appEntitlementRef: AppEntitlementRef | null
}

export type AppEntitlementOwnerEntitlementGetResponseV2 = {
  appEntitlementOwnerEntitlement: AppEntitlementOwnerEntitlementV2 | null
}

export type AppEntitlementOwnerEntitlementsResponseV2 = {
  list: AppEntitlementOwnerEntitlementV2[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppEntitlementOwnerSetRequestV2 = {
  /** The role: 1 to 64 characters of a-z, 0-9, _ and -, such as primary. */
  roleSlug: string
  userRefs: UserRef[]
  appEntitlementRefs: AppEntitlementRef[]
}

export type AppEntitlementOwnerUserV2 = {
  appId: string
  entitlementId: string
  roleSlug: string
  createdAt: string | null
  user: User | null
}

export type AppEntitlementOwnerUserCreateRequestV2 = {
  userRef: UserRef | null
}

export type AppEntitlementOwnerUserCreateResponseV2 = {
  appEntitlementOwnerUser: AppEntitlementOwnerUserV2 | null
}

export type AppEntitlementOwnerUserDeleteRequestV2 = {
  userRef: UserRef | null
}

export type AppEntitlementOwnerUserGetResponseV2 = {
  appEntitlementOwnerUser: AppEntitlementOwnerUserV2 | null
}

export type AppEntitlementOwnerUsersResponseV2 = {
  list: AppEntitlementOwnerUserV2[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppOwnerEntitlementV2 = {
  appId: string
  roleSlug: string
  createdAt: string | null
  appEntitlement: AppEntitlement | null
}

export type AppOwnerEntitlementCreateRequestV2 = {
  appEntitlementRef: AppEntitlementRef | null
}

export type AppOwnerEntitlementCreateResponseV2 = {
  appOwnerEntitlement: AppOwnerEntitlementV2 | null
}

export type AppOwnerEntitlementDeleteRequestV2 = {
  appEntitlementRef: AppEntitlementRef | null
}

export type AppOwnerEntitlementGetResponseV2 = {
  appOwnerEntitlement: AppOwnerEntitlementV2 | null
}

export type AppOwnerEntitlementsResponseV2 = {
  list: AppOwnerEntitlementV2[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppOwnerSetRequestV2 = {
  /** The role: 1 to 64 characters of a-z, 0-9, _ and -, such as primary. */
  roleSlug: string
  userRefs: UserRef[]
  appEntitlementRefs: AppEntitlementRef[]
}

export type AppOwnerUserV2 = {
  appId: string
  roleSlug: string
  createdAt: string | null
  user: User | null
}

export type AppOwnerUserCreateRequestV2 = {
  userRef: UserRef | null
}

export type AppOwnerUserCreateResponseV2 = {
  appOwnerUser: AppOwnerUserV2 | null
}

export type AppOwnerUserDeleteRequestV2 = {
  userRef: UserRef | null
}

export type AppOwnerUserGetResponseV2 = {
  appOwnerUser: AppOwnerUserV2 | null
}

export type AppOwnerUsersResponseV2 = {
  list: AppOwnerUserV2[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppResourceOwnerEntitlementV2 = {
  appId: string
  resourceTypeId: string
  resourceId: string
  roleSlug: string
  createdAt: string | null
  appEntitlement: AppEntitlement | null
}

export type AppResourceOwnerEntitlementCreateRequestV2 = {
  appEntitlementRef: AppEntitlementRef | null
}

export type AppResourceOwnerEntitlementCreateResponseV2 = {
  appResourceOwnerEntitlement: AppResourceOwnerEntitlementV2 | null
}

export type AppResourceOwnerEntitlementDeleteRequestV2 = {
  appEntitlementRef: AppEntitlementRef | null
}

export type AppResourceOwnerEntitlementGetResponseV2 = {
  appResourceOwnerEntitlement: AppResourceOwnerEntitlementV2 | null
}

export type AppResourceOwnerEntitlementsResponseV2 = {
  list: AppResourceOwnerEntitlementV2[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppResourceOwnerSetRequestV2 = {
  /** The role: 1 to 64 characters of a-z, 0-9, _ and -, such as primary. */
  roleSlug: string
  userRefs: UserRef[]
  appEntitlementRefs: AppEntitlementRef[]
}

export type AppResourceOwnerUserV2 = {
  appId: string
  resourceTypeId: string
  resourceId: string
  roleSlug: string
  createdAt: string | null
  user: User | null
}

export type AppResourceOwnerUserCreateRequestV2 = {
  userRef: UserRef | null
}

export type AppResourceOwnerUserCreateResponseV2 = {
  appResourceOwnerUser: AppResourceOwnerUserV2 | null
}

export type AppResourceOwnerUserDeleteRequestV2 = {
  userRef: UserRef | null
}

export type AppResourceOwnerUserGetResponseV2 = {
  appResourceOwnerUser: AppResourceOwnerUserV2 | null
}

export type AppResourceOwnerUsersResponseV2 = {
  list: AppResourceOwnerUserV2[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppUserOwnerEntitlementV2 = {
  appId: string
  userId: string
  roleSlug: string
  createdAt: string | null
  appEntitlement: AppEntitlement | null
}

export type AppUserOwnerEntitlementCreateRequestV2 = {
  appEntitlementRef: AppEntitlementRef | null
}

export type AppUserOwnerEntitlementCreateResponseV2 = {
  appUserOwnerEntitlement: AppUserOwnerEntitlementV2 | null
}

export type AppUserOwnerEntitlementDeleteRequestV2 = {
  appEntitlementRef: AppEntitlementRef | null
}

export type AppUserOwnerEntitlementsResponseV2 = {
  list: AppUserOwnerEntitlementV2[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AppUserOwnerSetRequestV2 = {
  /** The role: 1 to 64 characters of a-z, 0-9, _ and -, such as primary. */
  roleSlug: string
  userRefs: UserRef[]
  appEntitlementRefs: AppEntitlementRef[]
}

export type AppUserOwnerUserV2 = {
  appId: string
  userId: string
  roleSlug: string
  createdAt: string | null
  user: User | null
}

export type AppUserOwnerUserCreateRequestV2 = {
  userRef: UserRef | null
}

export type AppUserOwnerUserCreateResponseV2 = {
  appUserOwnerUser: AppUserOwnerUserV2 | null
}

export type AppUserOwnerUserDeleteRequestV2 = {
  userRef: UserRef | null
}

export type AppUserOwnerUsersResponseV2 = {
  list: AppUserOwnerUserV2[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ConnectorOwnerEntitlementV2 = {
  appId: string
  connectorId: string
  roleSlug: string
  createdAt: string | null
  appEntitlement: AppEntitlement | null
}

export type ConnectorOwnerEntitlementCreateRequestV2 = {
  appEntitlementRef: AppEntitlementRef | null
}

export type ConnectorOwnerEntitlementCreateResponseV2 = {
  connectorOwnerEntitlement: ConnectorOwnerEntitlementV2 | null
}

export type ConnectorOwnerEntitlementDeleteRequestV2 = {
  appEntitlementRef: AppEntitlementRef | null
}

export type ConnectorOwnerEntitlementGetResponseV2 = {
  connectorOwnerEntitlement: ConnectorOwnerEntitlementV2 | null
}

export type ConnectorOwnerEntitlementsResponseV2 = {
  list: ConnectorOwnerEntitlementV2[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ConnectorOwnerSetRequestV2 = {
  /** The role: 1 to 64 characters of a-z, 0-9, _ and -, such as primary. */
  roleSlug: string
  userRefs: UserRef[]
  appEntitlementRefs: AppEntitlementRef[]
}

export type ConnectorOwnerUserV2 = {
  appId: string
  connectorId: string
  roleSlug: string
  createdAt: string | null
  user: User | null
}

export type ConnectorOwnerUserCreateRequestV2 = {
  userRef: UserRef | null
}

export type ConnectorOwnerUserCreateResponseV2 = {
  connectorOwnerUser: ConnectorOwnerUserV2 | null
}

export type ConnectorOwnerUserDeleteRequestV2 = {
  userRef: UserRef | null
}

export type ConnectorOwnerUserGetResponseV2 = {
  connectorOwnerUser: ConnectorOwnerUserV2 | null
}

export type ConnectorOwnerUsersResponseV2 = {
  list: ConnectorOwnerUserV2[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type AttributeType = {
  id: string
  name: string
}

export type AttributeValue = {
  id: string
  attributeTypeId: string
  value: string
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type CreateAttributeValueRequest = {
  attributeTypeId: string
  value: string
}

export type CreateAttributeValueResponse = {
  value: AttributeValue | null
}

export type CreateComplianceFrameworkAttributeValueRequest = {
  value: string
}

export type CreateComplianceFrameworkAttributeValueResponse = {
  value: AttributeValue | null
}

export type CreateRiskLevelAttributeValueRequest = {
  value: string
}

export type CreateRiskLevelAttributeValueResponse = {
  value: AttributeValue | null
}

export type DeleteAttributeValueRequestInput = Record<never, never>

export type DeleteComplianceFrameworkAttributeValueRequestInput = Record<never, never>

export type DeleteRiskLevelAttributeValueRequestInput = Record<never, never>

export type GetAttributeValueResponse = {
  value: AttributeValue | null
}

export type GetComplianceFrameworkAttributeValueResponse = {
  value: AttributeValue | null
}

export type GetRiskLevelAttributeValueResponse = {
  value: AttributeValue | null
}

export type ListAttributeTypesResponse = {
  list: AttributeType[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListAttributeValuesResponse = {
  list: AttributeValue[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListComplianceFrameworksResponse = {
  list: AttributeValue[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListRiskLevelsResponse = {
  list: AttributeValue[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SearchAttributeValuesRequest = {
  query: string
  value: string
  ids: string[]
  excludeIds: string[]
  attributeTypeIds: string[]
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type SearchAttributeValuesResponse = {
  list: AttributeValue[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type CallingUser = {
  id: string
  displayName: string
  email: string
}

export type CurrentSessionResponse = {
  user: CallingUser | null
  tenantId: string
  tenantDomain: string
  serverVersion: string
  /** The ids of the roles. */
  roles: string[]
  permissions: string[]
  /** Further permissions on objects that they own. */
  permissionsOnOwned: string[]
  session: Session | null
}

/** A program that a user authorized in the console (RFC 8628). API credentials that it created end with it. */
export type Device = {
  id: string
  userId: string
  displayName: string
  /** The name that the program reports. It is not verified. */
  clientId: string
  /** The ids of the roles that it is limited to; empty for full permissions. */
  scopedRoles: string[]
  /** The address that the request came from. */
  sourceAddress: string
  userAgent: string
  createdAt: string | null
  expiresAt: string | null
  lastUsedAt: string | null
}

export type DeviceAuthorizationRequest = {
  /** The name that the program reports; shown to the user. */
  client_id: string
  /** Ids of roles to limit the token to, separated by spaces. */
  scope: string
  /** The tenant's domain, or absent: tokens are for this tenant only. */
  audience: string[]
  /** Addresses of this tenant, or absent (RFC 8707). */
  resource: string[]
}

export type DeviceAuthorizationResponse = {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  /** Seconds until the codes expire. */
  expires_in: number
  /** Seconds between two requests for the token. */
  interval: number
}

export type DeviceListResponse = {
  list: Device[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

/** A program that asks to be authorized as the user who approves it (RFC 8628). */
export type DeviceRequest = {
  userCode: string
  /** The name that the program reports. It is not verified. */
  clientId: string
  /** The name of a known client id; otherwise the client id. */
  clientName: string
  /** The ids of the roles that it asks to be limited to; empty for full permissions. */
  scopedRoles: string[]
  /** The address that the request came from. */
  sourceAddress: string
  /** Whether that is also the address of the caller. */
  isFromYourNetwork: boolean
  userAgent: string
  createdAt: string | null
  expiresAt: string | null
}

export type DeviceRequestApproveRequest = {
  /** The code that the device shows; case, spaces and dashes are ignored. */
  userCode: string
}

export type DeviceRequestDenyRequest = {
  /** The code that the device shows; case, spaces and dashes are ignored. */
  userCode: string
}

export type DeviceRequestFindRequest = {
  /** The code that the device shows; case, spaces and dashes are ignored. */
  userCode: string
}

export type DeviceRequestFindResponse = {
  request: DeviceRequest | null
}

export type DeviceRevokeRequest = Record<never, never>

/** The identity of a user at an OpenID Connect provider. They are identified by issuer and subject; email is the address that the provider had verified when it was linked. */
export type Identity = {
  id: string
  issuer: string
  subject: string
  email: string
  linkedAt: string | null
}

export type IdentityListResponse = {
  list: Identity[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type IdentityStartLinkRequest = {
  /** The path to return to; / by default. */
  returnTo: string
}

export type IdentityStartLinkResponse = {
  url: string
}

export type IdentityUnlinkRequest = Record<never, never>

export type IntrospectResponse = {
  userId: string
  tenantId: string
  /** The client id of the API credential; in the console, the id of the session. */
  principleId: string
  /** The ids of the roles, and the service roles of the built-in ones. */
  roles: string[]
  permissions: string[]
  features: string[]
}

/** A link for the first sign-in of one person. It works once, for 7 days. Its URL is only in the response that creates it. */
export type Invitation = {
  id: string
  /** Who is invited. */
  userId: string
  /** Whether it waits for its use, was used, has expired, or was revoked: by an administrator, by a newer invitation, or because the user was disabled. */
  state: '' | 'WAITING' | 'USED' | 'EXPIRED' | 'REVOKED'
  /** The user who created it. */
  createdBy: string
  createdAt: string | null
  expiresAt: string | null
  usedAt: string | null
  revokedAt: string | null
}

export type InvitationCreateRequest = {
  userIds: string[]
}

export type InvitationCreateResponse = {
  list: Invited[]
}

export type InvitationListResponse = {
  list: Invitation[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type InvitationRevokeRequest = Record<never, never>

export type InvitationRevokeResponse = {
  invitation: Invitation | null
}

/** What became of one user who was to be invited. */
export type Invited = {
  userId: string
  /** The invitation; empty if the user cannot be invited. */
  id: string
  /** The link. Whoever has it signs in as this user: send it to nobody else. It is in no other response. */
  url: string
  expiresAt: string | null
  /** Why the user cannot be invited; empty if they can. */
  refusal: '' | 'USER_NOT_FOUND' | 'NOT_A_PERSON' | 'USER_DISABLED' | 'EMAIL_MISSING' | 'LINKS_NOT_ALLOWED' | 'SIGNED_IN_BEFORE'
  /** The same, as a sentence. */
  reason: string
}

export type Jwk = {
  kty: string
  crv: string
  x: string
  kid: string
  alg: string
  use: string
}

export type JwkSet = {
  keys: Jwk[]
}

export type NewPasskeyOptions = {
  /** The options for the browser: PublicKeyCredentialCreationOptionsJSON of WebAuthn. */
  options: Record<string, unknown> | null
}

/** Why there is no token: RFC 6749 section 5.2. */
export type OauthError = {
  /** invalid_request, invalid_client, invalid_grant, invalid_scope, invalid_target, unsupported_grant_type, authorization_pending, slow_down, access_denied, expired_token, invalid_dpop_proof, use_dpop_nonce, temporarily_unavailable or server_error */
  error: string
  error_description: string
}

/** A passkey. One that is backed up is synced to several devices. */
export type Passkey = {
  id: string
  displayName: string
  createdAt: string | null
  lastUsedAt: string | null
  isBackedUp: boolean
}

export type PasskeyCreateRequest = {
  displayName: string
  /** RegistrationResponseJSON of WebAuthn. */
  response: Record<string, unknown> | null
}

export type PasskeyCreateResponse = {
  passkey: Passkey | null
}

export type PasskeyDeleteRequest = Record<never, never>

export type PasskeyListResponse = {
  list: Passkey[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type PasskeyOptions = {
  /** The options for the browser: PublicKeyCredentialRequestOptionsJSON of WebAuthn. */
  options: Record<string, unknown> | null
}

export type PasskeyOptionsRequest = Record<never, never>

export type PasskeyRenameRequest = {
  displayName: string
}

export type PasskeyRenameResponse = {
  passkey: Passkey | null
}

export type RevokeRequest = {
  /** The access token. */
  token: string
  /** Ignored: there are only access tokens. */
  token_type_hint: string
  client_id: string
  client_secret: string
  client_assertion_type: string
  client_assertion: string
}

export type ServerMetadata = {
  /** The URL of the tenant, without a path. */
  issuer: string
  token_endpoint: string
  jwks_uri: string
  revocation_endpoint: string
  introspection_endpoint: string
  device_authorization_endpoint: string
  grant_types_supported: string[]
  /** None: there is no authorization endpoint. */
  response_types_supported: string[]
  token_endpoint_auth_methods_supported: string[]
  token_endpoint_auth_signing_alg_values_supported: string[]
  revocation_endpoint_auth_methods_supported: string[]
  revocation_endpoint_auth_signing_alg_values_supported: string[]
  introspection_endpoint_auth_methods_supported: string[]
  introspection_endpoint_auth_signing_alg_values_supported: string[]
  dpop_signing_alg_values_supported: string[]
  service_documentation: string
}

/** A browser in which someone is signed in to the console, how, and since when. It ends after idleTime of inactivity, and at expiresAt at the latest. */
export type Session = {
  id: string
  method: '' | 'link' | 'passkey' | 'oidc'
  sourceAddress: string
  userAgent: string
  createdAt: string | null
  lastSeenAt: string | null
  expiresAt: string | null
  isCurrent: boolean
  /** It ends after this time of inactivity. */
  idleTime: string | null
  /** Until then, its user may call operations that require a recent sign-in. */
  freshUntil: string | null
}

export type SessionListResponse = {
  list: Session[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SessionRevokeOthersRequest = Record<never, never>

export type SessionRevokeOthersResponse = {
  revoked: number
}

export type SessionRevokeRequest = Record<never, never>

export type SignInByInvitationRequest = {
  token: string
}

export type SignInByLinkRequest = {
  token: string
}

export type SignInByPasskeyRequest = {
  /** AuthenticationResponseJSON of WebAuthn. */
  response: Record<string, unknown> | null
  /** The user who must sign in; empty for any user. */
  userId: string
}

export type SignInPasskeyOptionsRequest = Record<never, never>

/** How people sign in to the console. The times apply to new sessions. */
export type SignInPolicy = {
  /** How people may sign in. */
  methods: ('link' | 'passkey' | 'oidc')[]
  /** A session ends after this time of inactivity. */
  idleTime: string | null
  /** A session ends after this time at the latest. */
  sessionTime: string | null
  /** How long after a sign-in users may call operations that require a recent sign-in. */
  freshTime: string | null
}

export type SignInPolicyGetResponse = {
  policy: SignInPolicy | null
}

export type SignInPolicyUpdateRequest = {
  policy: SignInPolicy | null
}

export type SignInPolicyUpdateResponse = {
  policy: SignInPolicy | null
}

export type SignInStartOidcRequest = {
  /** The path to return to; / by default. */
  returnTo: string
}

export type SignInStartOidcResponse = {
  url: string
}

export type SignInWays = {
  tenantDomain: string
  /** Whether the policy allows one-time links. */
  link: boolean
  /** Whether browsers use passkeys at this address, and the policy allows them. */
  passkey: boolean
  /** Whether an OpenID Connect provider is set up, and the policy allows it. */
  oidc: boolean
  oidcIssuer: string
}

export type SignOutRequest = Record<never, never>

export type SignedIn = {
  userId: string
  session: Session | null
}

export type TokenConfirmation = {
  jkt: string
}

export type TokenIntrospectRequest = {
  /** The access token. */
  token: string
  /** Ignored: there are only access tokens. */
  token_type_hint: string
  client_id: string
  client_secret: string
  client_assertion_type: string
  client_assertion: string
}

export type TokenIntrospection = {
  /** Whether the token is valid now. If not, nothing else is returned. */
  active: boolean
  /** The ids of the roles of the token, separated by spaces. */
  scope?: string
  client_id?: string
  /** The email address of the user. */
  username?: string
  token_type?: string
  exp?: number
  iat?: number
  nbf?: number
  /** The id of the user, or of the connector. */
  sub?: string
  aud?: string
  iss?: string
  jti?: string
  /** The key that the token is bound to (RFC 9449); absent if it is not. */
  cnf?: TokenConfirmation
}

export type TokenRequest = {
  /** client_credentials, urn:ietf:params:oauth:grant-type:device_code or urn:ietf:params:oauth:grant-type:token-exchange */
  grant_type: string
  /** Of the device authorization endpoint. */
  device_code: string
  client_id: string
  client_secret: string
  client_assertion_type: string
  client_assertion: string
  /** Token exchange: the JWT of the other issuer. */
  subject_token: string
  /** urn:ietf:params:oauth:token-type:jwt or …:id_token */
  subject_token_type: string
  /** urn:ietf:params:oauth:token-type:access_token, or absent. */
  requested_token_type: string
  /** Not supported: refused. */
  actor_token: string
  /** Ids of roles to limit the token to, separated by spaces. They must not permit more than the client may do. Omit it for all permissions of the client. */
  scope: string
  /** The tenant's domain, or absent: tokens are for this tenant only. */
  audience: string[]
  /** Addresses of this tenant, or absent (RFC 8707). */
  resource: string[]
}

export type TokenResponse = {
  access_token: string
  /** Only after a token exchange: urn:ietf:params:oauth:token-type:access_token. */
  issued_token_type?: string
  token_type: string
  /** Seconds until the access token expires. */
  expires_in: number
  /** The ids of the roles that the token is limited to, separated by spaces; absent if it is not limited. */
  scope?: string
}

export type UserDeviceListResponse = {
  list: Device[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type UserDeviceRevokeRequest = Record<never, never>

export type UserIdentityListResponse = {
  list: Identity[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type UserIdentityUnlinkRequest = Record<never, never>

export type UserInvitationGetResponse = {
  /** Why the user cannot be invited; empty if they can. */
  refusal: '' | 'USER_NOT_FOUND' | 'NOT_A_PERSON' | 'USER_DISABLED' | 'EMAIL_MISSING' | 'LINKS_NOT_ALLOWED' | 'SIGNED_IN_BEFORE'
  /** The same, as a sentence. */
  reason: string
  /** The latest invitation, if there is one. */
  latest: Invitation | null
}

export type UserSessionListResponse = {
  list: Session[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type UserSessionRevokeAllRequest = Record<never, never>

export type UserSessionRevokeAllResponse = {
  revoked: number
}

export type UserSessionRevokeRequest = Record<never, never>

/** Who or what granted access or ended it. */
export type AccessGiver = {
  /** user, import, rule_run, request, profile, removal; empty if it is not known or you may not know it. */
  kind: string
  id: string
  /** For a removal of all access: its reason. */
  displayName: string
  /** For a request: its number. */
  numericId: string
  /** For a run: the app of the entitlement whose rule ran. */
  appId: string
  appEntitlementId: string
  /** For a removal of all access: the person whose access was removed. */
  userId: string
}

export type AccessPath = {
  keys: string[]
}

export type AccessPathEdge = {
  from: string
  to: string
  /** account: the person has the account. grant: the account has the entitlement. nested: the app grants it to those who have the other, such as members of a group. rule: an automation rule does. binding: the one grants the other. resource: the entitlement is of the resource. */
  kind: string
  reasons: AccessPathReason[]
}

export type AccessPathNode = {
  /** Identifies the node in edges and paths of this response. */
  key: string
  /** user, account, entitlement or resource. */
  kind: string
  id: string
  appId: string
  appResourceTypeId: string
  displayName: string
  about: string
  /** Its column in a graph from left to right: after everything that leads to it. */
  layer: number
}

export type AccessPathReason = {
  /** manual, import, rule, request, profile or directory. */
  source: string
  since: string | null
  expiresAt: string | null
  /** Who or what granted it. */
  grantedBy: AccessGiver | null
}

/** A removal of all access of a person. */
export type AccessRemoval = {
  id: string
  /** Whose access it was. */
  userId: string
  reason: string
  createdByUserId: string
  createdAt: string | null
  removedCount: number
  /** From how many rules the person was excluded. */
  excludedCount: number
  /** How many tasks ask people to remove access in an app. */
  manualCount: number
  /** How many of these were opened so far. */
  manualOpenedCount: number
  /** Why one of these could not be opened. */
  manualError: string
  /** Whether the person was disabled too. */
  isDisabled: boolean
  undoneByUserId: string
  undoneAt: string | null
  /** How many grants undoing it restored. */
  restoredCount: number
  /** How many it did not restore: deleted, expired, granted again, or controlled by rules and profiles. */
  leftCount: number
}

export type AccessRemovalOfApp = {
  appId: string
  appDisplayName: string
  /** How many grants end here. */
  removedCount: number
  /** Of these, how many a connector is sent: it confirms each when it has removed it. */
  connectorCount: number
  /** Of these, how many end in the records only: nobody is asked to change the app. */
  nobodyCount: number
  /** How many people are asked to remove in the app; the grants are kept until they have. */
  manualCount: number
  keptCount: number
}

export type AccessRemovalRule = {
  appId: string
  appEntitlementId: string
  entitlementDisplayName: string
  displayName: string
  /** Whether the rule currently matches the person. */
  matches: boolean
  isPaused: boolean
  /** Whether the person is already excluded from it. */
  isExcluded: boolean
  /** Whether the removal excludes the person from it. */
  willExclude: boolean
  /** Whether it would grant the access again, so that the access is kept. */
  grantsAgain: boolean
  /** Why the rule could not be evaluated. */
  error: string
}

/** A period during which an account had an entitlement from one source. If only the expiry changed, it is the same period. */
export type AccessSpan = {
  /** The source: manual, import, rule, request, profile or directory. */
  source: string
  from: string | null
  /** When it ended; null if it has not ended. */
  to: string | null
  /** Since when the access exists according to the app; otherwise the same as from. */
  grantedAt: string | null
  expiresAt: string | null
  /** Who or what granted it. */
  grantedBy: AccessGiver | null
  /** revoked or expired; empty if it has not ended. */
  endedWhy: string
  /** Who or what ended it. */
  endedBy: AccessGiver | null
}

export type AccessTrack = {
  appId: string
  appDisplayName: string
  appEntitlementId: string
  entitlementDisplayName: string
  appResourceTypeId: string
  appResourceId: string
  resourceDisplayName: string
  appUserId: string
  appUserDisplayName: string
  /** In order of time. */
  spans: AccessSpan[]
  /** Whether there were more than 200 changes; only the latest are shown. */
  isCut: boolean
}

export type AddBulkOwnersRequest = {
  entitlements: BulkObjectRef[]
  appUsers: BulkObjectRef[]
  /** At most 1000. */
  appIds: string[]
  /** The new owner. */
  userId: string
  /** The role; primary by default. */
  roleSlug: string
  /** The fingerprint of the plan: nothing is done if an outcome has changed. */
  fingerprint: string
  /** The reason, or a ticket number. It is recorded in the system log. */
  reason: string
  /** Set to true to confirm the removal of more than 20% of all items. */
  isConfirmed: boolean
}

/** Whether decisions about an app are carried out in it, and by whom. It is judged from the facts each time it is read. */
export type AppEnforcement = {
  appId: string
  /** Connected: it has a connector. Manual: people or a webhook are asked. Records only: changes are recorded, and for at least one entitlement nobody is asked. Built in: Bailiwick itself is the app. */
  state: 'ENFORCEMENT_STATE_UNSPECIFIED' | 'ENFORCEMENT_STATE_CONNECTED' | 'ENFORCEMENT_STATE_MANUAL' | 'ENFORCEMENT_STATE_RECORDS_ONLY' | 'ENFORCEMENT_STATE_BUILT_IN'
  /** What happens to a change that no connector carries out because there is none: the owners of the app are asked, or it is only recorded. */
  withoutConnector: 'WITHOUT_CONNECTOR_UNSPECIFIED' | 'WITHOUT_CONNECTOR_MANUAL' | 'WITHOUT_CONNECTOR_RECORDS_ONLY'
  /** Only for callers who may read the settings of the app. */
  connectors: EnforcingConnector[]
  /** Only for callers who may read the settings of the app. */
  entitlementCounts: EnforcementCounts | null
}

export type AppEnforcementState = {
  appId: string
  /** Connected: it has a connector. Manual: people or a webhook are asked. Records only: changes are recorded, and for at least one entitlement nobody is asked. Built in: Bailiwick itself is the app. */
  state: 'ENFORCEMENT_STATE_UNSPECIFIED' | 'ENFORCEMENT_STATE_CONNECTED' | 'ENFORCEMENT_STATE_MANUAL' | 'ENFORCEMENT_STATE_RECORDS_ONLY' | 'ENFORCEMENT_STATE_BUILT_IN'
  /** The connector that synced last, if it has one. */
  connectorDisplayName: string
  /** When its last successful sync was imported. */
  lastSyncedAt: string | null
}

export type AppProvisioning = {
  appId: string
  /** The connector that grants and revokes access in the app; empty if there is none. */
  connectorId: string
  connectorName: string
  isSupported: boolean
  /** Why access is not provisioned in the app. */
  reason: string
  canCreateAccounts: boolean
  canDeleteAccounts: boolean
  /** Whether provisioning is turned on. */
  isEnabled: boolean
  /** Whether accounts of people who are offboarded are deleted in the app. */
  deletesAccounts: boolean
  /** Further fields for accounts that the connector creates. */
  accountProfile: Record<string, unknown> | null
  /** Fields that the connector requires for accounts that it creates and that have no default. */
  requiredAccountFields: string[]
  /** Whether the connector is paused: tasks wait until it is resumed. */
  isPaused: boolean
}

/** Where a setting comes from. */
export type AppliedSetting = {
  source: 'APPLIED_SETTINGS_SOURCE_UNSPECIFIED' | 'APPLIED_SETTINGS_SOURCE_ENTITLEMENT_OVERRIDE' | 'APPLIED_SETTINGS_SOURCE_ROUTING_RULE' | 'APPLIED_SETTINGS_SOURCE_ENTITLEMENT_DEFAULT' | 'APPLIED_SETTINGS_SOURCE_APP_DEFAULT' | 'APPLIED_SETTINGS_SOURCE_ACCESS_PROFILE_DEFAULT'
  routingRuleId: string
  /** The same as a sentence. */
  why: string
}

export type ApplyBulkEntitlementsRequest = {
  entitlements: BulkObjectRef[]
  /** The risk level; empty removes it. */
  riskLevelValueId: string
  /** The fingerprint of the plan: nothing is done if an outcome has changed. */
  fingerprint: string
  /** The reason, or a ticket number. It is recorded in the system log. */
  reason: string
  /** Set to true to confirm the removal of more than 20% of all items. */
  isConfirmed: boolean
}

export type ApplyBulkGrantsRequest = {
  action: 'BULK_GRANT_ACTION_REVOKE' | 'BULK_GRANT_ACTION_SET_EXPIRY'
  /** At most 1000. */
  grants: BulkGrantRef[]
  /** For SET_EXPIRY: when they expire. Absent means never. */
  expiresAt: string | null
  /** The fingerprint of the plan: nothing is done if an outcome has changed. */
  fingerprint: string
  /** The reason, or a ticket number. It is recorded in the system log. */
  reason: string
  /** Set to true to confirm the removal of more than 20% of all items. */
  isConfirmed: boolean
}

export type AskedToProvision = {
  kind: 'ASKED_UNSPECIFIED' | 'ASKED_USERS' | 'ASKED_GROUP' | 'ASKED_EXPRESSION' | 'ASKED_MANAGER' | 'ASKED_APP_OWNERS' | 'ASKED_ENTITLEMENT_OWNERS'
  /** The same in words: "the owners of the app". */
  words: string
  userIds: string[]
  /** Everyone who has this entitlement is asked. */
  group: AppEntitlementRef | null
  expressions: string[]
  /** Who is asked if there is nobody else. */
  fallbackUserIds: string[]
}

export type AttentionExample = {
  displayName: string
  /** Its app, its user, or its error. */
  about: string
  /** What it is: one of account, app, clock, connector, credential, directory, entitlement, export, job, notification, principal, subscription, task, user, webhook. */
  type: string
  /** Empty if the caller cannot open it. */
  id: string
  /** The app that it belongs to, if it belongs to one. */
  appId: string
}

export type AttentionItem = {
  kind: 'ATTENTION_KIND_UNSPECIFIED' | 'ATTENTION_KIND_DECISIONS_WAITING' | 'ATTENTION_KIND_RUNS_HELD' | 'ATTENTION_KIND_SYNCS_HELD' | 'ATTENTION_KIND_DIRECTORIES_HELD' | 'ATTENTION_KIND_LEAVERS_WITH_ACCESS' | 'ATTENTION_KIND_RULES_FAILING' | 'ATTENTION_KIND_SYNCS_FAILING' | 'ATTENTION_KIND_DIRECTORIES_FAILING' | 'ATTENTION_KIND_TASKS_STUCK' | 'ATTENTION_KIND_JOBS_STUCK' | 'ATTENTION_KIND_EXPORTS_FAILING' | 'ATTENTION_KIND_SUBSCRIPTIONS_FAILING' | 'ATTENTION_KIND_WEBHOOKS_FAILING' | 'ATTENTION_KIND_NOTIFICATIONS_NOT_SENT' | 'ATTENTION_KIND_CLOCK_NOT_TRUSTED' | 'ATTENTION_KIND_CONNECTOR_CREDENTIALS_EXPIRING' | 'ATTENTION_KIND_DIRECTORY_TOKENS_EXPIRING' | 'ATTENTION_KIND_CREDENTIALS_EXPIRING' | 'ATTENTION_KIND_CHANGES_WAITING' | 'ATTENTION_KIND_REQUESTS_WAITING' | 'ATTENTION_KIND_ENTITLEMENTS_WITHOUT_APPROVER' | 'ATTENTION_KIND_DRIFT' | 'ATTENTION_KIND_ACCOUNTS_WITHOUT_OWNER' | 'ATTENTION_KIND_DIRECTORY_CONFLICTS' | 'ATTENTION_KIND_RULES_PAUSED' | 'ATTENTION_KIND_MAIL_NOT_CONFIGURED' | 'ATTENTION_KIND_APPS_RECORDS_ONLY' | 'ATTENTION_KIND_APPS_WITHOUT_OWNER' | 'ATTENTION_KIND_ENTITLEMENTS_WITHOUT_OWNER' | 'ATTENTION_KIND_ACCESS_ENDING'
  weight: 'ATTENTION_WEIGHT_UNSPECIFIED' | 'ATTENTION_WEIGHT_HIGH' | 'ATTENTION_WEIGHT_MEDIUM' | 'ATTENTION_WEIGHT_LOW'
  /** At most 1000: see isMore. */
  count: number
  /** Whether there are more than were counted. */
  isMore: boolean
  /** The first few. */
  examples: AttentionExample[]
}

export type BulkAction = {
  id: string
  kind: 'BULK_KIND_UNSPECIFIED' | 'BULK_KIND_REVOKE' | 'BULK_KIND_EXPIRY' | 'BULK_KIND_STATUS' | 'BULK_KIND_OWNER' | 'BULK_KIND_RISK'
  /** What was done, as in "Revoked 12 grants". */
  title: string
  reason: string
  createdByUserId: string
  createdAt: string | null
  changedCount: number
  undoneByUserId: string
  undoneAt: string | null
  /** How many items undoing it restored. */
  restoredCount: number
  /** How many it left as they were: changed since, deleted, or expired. */
  leftCount: number
}

export type BulkGrantRef = {
  appId: string
  appEntitlementId: string
  appUserId: string
}

/** One of several items that are changed together. */
export type BulkItem = {
  appId: string
  /** The user, account, app or entitlement. */
  id: string
  /** Of a grant. */
  appEntitlementId: string
  /** Of a grant. */
  appUserId: string
  /** What it is called; empty where the caller may not read all names. */
  displayName: string
  outcome: 'BULK_OUTCOME_UNSPECIFIED' | 'BULK_OUTCOME_CHANGED' | 'BULK_OUTCOME_UNCHANGED' | 'BULK_OUTCOME_REFUSED'
  /** Why it is refused. */
  error: string
  /** A note about the effect. */
  note: string
}

export type BulkItemsOfApp = {
  appId: string
  appDisplayName: string
  changedCount: number
  unchangedCount: number
  refusedCount: number
}

export type BulkObjectRef = {
  appId: string
  id: string
}

export type BulkPlan = {
  changedCount: number
  /** Already as requested. */
  unchangedCount: number
  refusedCount: number
  items: BulkItem[]
  apps: BulkItemsOfApp[]
  /** Required to apply the plan. */
  fingerprint: string
  /** More than 20% of all items would be removed: isConfirmed is required. */
  needsConfirmation: boolean
  /** How much of an app, or of all users, would be removed or disabled. */
  removals: BulkRemoval[]
}

export type BulkRemoval = {
  /** Empty for users. */
  appId: string
  displayName: string
  count: number
  /** How many there are, counted as far as needed here. */
  heldCount: number
  needsConfirmation: boolean
}

export type BulkResult = {
  changedCount: number
  /** Already as requested. */
  unchangedCount: number
  refusedCount: number
  items: BulkItem[]
  apps: BulkItemsOfApp[]
  /** Identifies all changes of the request in the system log. */
  bulkActionId: string
}

/** Who or what caused a change. */
export type ChangeCause = {
  kind: 'CHANGE_CAUSE_UNSPECIFIED' | 'CHANGE_CAUSE_USER' | 'CHANGE_CAUSE_IMPORT' | 'CHANGE_CAUSE_RULE' | 'CHANGE_CAUSE_TASK' | 'CHANGE_CAUSE_PROFILE' | 'CHANGE_CAUSE_CONNECTOR' | 'CHANGE_CAUSE_DIRECTORY' | 'CHANGE_CAUSE_EXPIRY'
  /** Empty if it is not known. */
  id: string
  /** The app of a rule, a connector or a directory. */
  appId: string
  /** The entitlement whose rule it is. */
  appEntitlementId: string
  connectorId: string
  /** Empty if the caller may not see it. */
  displayName: string
  isDeleted: boolean
  ruleVersion: number
  /** The expression of the version of the rule that applied, if it is known. */
  ruleExpression: string
}

export type ChangeCount = {
  subject: 'CHANGE_SUBJECT_UNSPECIFIED' | 'CHANGE_SUBJECT_GRANT' | 'CHANGE_SUBJECT_USER' | 'CHANGE_SUBJECT_APP' | 'CHANGE_SUBJECT_ACCOUNT' | 'CHANGE_SUBJECT_ENTITLEMENT' | 'CHANGE_SUBJECT_OWNER' | 'CHANGE_SUBJECT_RULE'
  kind: 'CHANGE_KIND_UNSPECIFIED' | 'CHANGE_KIND_ADDED' | 'CHANGE_KIND_REMOVED' | 'CHANGE_KIND_CHANGED'
  count: number
  /** There are more: only this many are counted. */
  isMore: boolean
}

export type ChangePeriod = {
  beginsAt: string | null
  added: number
  removed: number
  changed: number
}

/** A source because of which an account had an entitlement. */
export type ChangeReason = {
  /** manual, import, rule, request, profile or directory. */
  source: string
  /** The id of the user, import, run, task or access profile that granted it. */
  grantedBy: string
  grantedAt: string | null
  /** Null if it does not expire. */
  expiresAt: string | null
}

export type CheckFederationConditionRequest = {
  conditionExpression: string
  providerId: string
}

export type CheckFederationConditionResponse = {
  warnings: FederationWarning[]
  /** The claims that it reads. */
  readsClaims: string[]
  readsAnyClaim: boolean
}

export type CountDriftResponse = {
  /** At most 10000 are counted. */
  total: number
  apps: DriftOfApp[]
  /** Connectors whose last sync was not imported: what their apps have now is not known. */
  unread: UnreadConnector[]
  /** How many apps with entitlements no connector reads. Nothing is known of them. */
  appsWithoutConnector: number
}

export type CoverageNext = {
  appId: string
  appDisplayName: string
  /** Connected: it has a connector. Manual: people or a webhook are asked. Records only: changes are recorded, and for at least one entitlement nobody is asked. Built in: Bailiwick itself is the app. */
  state: 'ENFORCEMENT_STATE_UNSPECIFIED' | 'ENFORCEMENT_STATE_CONNECTED' | 'ENFORCEMENT_STATE_MANUAL' | 'ENFORCEMENT_STATE_RECORDS_ONLY' | 'ENFORCEMENT_STATE_BUILT_IN'
  /** Those that are not confirmed. */
  grants: number
  whatToDo: ('COVERAGE_REMEDY_UNSPECIFIED' | 'COVERAGE_REMEDY_CONNECT_APP' | 'COVERAGE_REMEDY_REPAIR_CONNECTOR' | 'COVERAGE_REMEDY_TURN_ON_PROVISIONING' | 'COVERAGE_REMEDY_NAME_PEOPLE')[]
}

export type CreateAccessRemovalRequest = {
  /** The fingerprint of a plan with the same options. */
  fingerprint: string
  /** The reason: kept with the removal and in the system log. */
  reason: string
  /** Only access in these apps; in all apps by default. */
  appIds: string[]
  /** Also disable the person. Rules match nobody who is disabled. */
  disableUser: boolean
}

export type CreateAccessRemovalResponse = {
  removal: AccessRemoval | null
}

export type CreateDriftRunRequest = {
  remedy: 'DRIFT_REMEDY_KEEP' | 'DRIFT_REMEDY_REVOKE' | 'DRIFT_REMEDY_REMOVE' | 'DRIFT_REMEDY_PROVISION'
  /** These differences. Without any: all that match appId and kind. */
  items: DriftRef[]
  appId: string
  kind: 'DRIFT_KIND_UNSPECIFIED' | 'DRIFT_KIND_UNEXPLAINED' | 'DRIFT_KIND_MISSING'
  /** Of the plan. */
  fingerprint: string
  /** Set to true to revoke or remove more than 20% of the grants of an app. */
  isConfirmed: boolean
}

export type CreateDriftRunResponse = {
  run: DriftRun | null
}

export type CreateExcludingAccessRemovalRequest = {
  /** The fingerprint of a plan with the same options. */
  fingerprint: string
  /** The reason: kept with the removal and in the system log. */
  reason: string
  /** Only access in these apps; in all apps by default. */
  appIds: string[]
  /** Also disable the person. Rules match nobody who is disabled. */
  disableUser: boolean
}

export type CreateExcludingAccessRemovalResponse = {
  removal: AccessRemoval | null
}

export type CreatedProfile = {
  id: string
  displayName: string
}

export type Datasource = {
  id: string
  kind: string
  everySeconds: string
}

/** An attempt to deliver a message. */
export type Delivery = {
  id: string
  subscriptionId: string
  /** The id of the event. It is the same in every attempt and every replay. */
  messageId: string
  eventKind: string
  isTest: boolean
  attempt: number
  outcome: 'DELIVERY_OUTCOME_UNSPECIFIED' | 'DELIVERY_OUTCOME_DELIVERED' | 'DELIVERY_OUTCOME_FAILED'
  startedAt: string | null
  durationMs: number
  /** The HTTP status of the response; 0 if there was none. */
  status: number
  error: string
}

export type DeliveryHeader = {
  name: string
  value: string
}

export type DeliveryReply = {
  status: number
  headers: DeliveryHeader[]
  /** The first 4,096 characters. Signatures and tokens are removed. */
  body: string
}

export type DeliveryRequest = {
  method: string
  url: string
  /** Signatures and tokens are removed. */
  headers: DeliveryHeader[]
  /** Empty if the event is no longer in the database. */
  body: string
}

export type DependentDelegation = {
  userId: string
  delegatedUserId: string
  startAt: string | null
  expirationAt: string | null
}

export type DescribeSourcesRequest = {
  refs: GrantSourceRef[]
}

export type DescribeSourcesResponse = {
  list: ChangeCause[]
}

/** One difference between two moments. */
export type Difference = {
  id: string
  subject: 'CHANGE_SUBJECT_UNSPECIFIED' | 'CHANGE_SUBJECT_GRANT' | 'CHANGE_SUBJECT_USER' | 'CHANGE_SUBJECT_APP' | 'CHANGE_SUBJECT_ACCOUNT' | 'CHANGE_SUBJECT_ENTITLEMENT' | 'CHANGE_SUBJECT_OWNER' | 'CHANGE_SUBJECT_RULE'
  kind: 'CHANGE_KIND_UNSPECIFIED' | 'CHANGE_KIND_ADDED' | 'CHANGE_KIND_REMOVED' | 'CHANGE_KIND_CHANGED'
  /** The last time it changed between the two moments. */
  changedAt: string | null
  appId: string
  appEntitlementId: string
  appUserId: string
  userId: string
  /** For an owner, the type of the owned object: app, entitlement, resource, account, user or connector. */
  objectKind: string
  objectAppId: string
  objectTypeId: string
  objectId: string
  /** For an owned resource. */
  objectDisplayName: string
  /** The role of an owner. */
  roleSlug: string
  /** The name of a rule. */
  displayName: string
  /** Why the account had the entitlement at the first moment. */
  before: ChangeReason[]
  /** Why it had the entitlement at the second moment. */
  after: ChangeReason[]
  cause: ChangeCause | null
}

export type DisableBulkUsersRequest = {
  /** At most 1000. */
  userIds: string[]
  /** The fingerprint of the plan: nothing is done if an outcome has changed. */
  fingerprint: string
  /** The reason, or a ticket number. It is recorded in the system log. */
  reason: string
  /** Set to true to confirm the removal of more than 20% of all items. */
  isConfirmed: boolean
}

/** An account and an entitlement for which an app and the grants differ. */
export type Drift = {
  appId: string
  appEntitlementId: string
  appUserId: string
  /** UNEXPLAINED: access in the app without a grant. MISSING: a grant that is missing in the app. */
  kind: 'DRIFT_KIND_UNSPECIFIED' | 'DRIFT_KIND_UNEXPLAINED' | 'DRIFT_KIND_MISSING'
  foundAt: string | null
  /** Why it is recorded: manual, import, rule, request, profile or directory. Of unexplained access: only import. */
  sources: string[]
  /** KEEP: record it as a manual grant. REVOKE: create a task that revokes it. REMOVE: remove the grant. PROVISION: create a task that provisions it in the app again. */
  remedies: ('DRIFT_REMEDY_UNSPECIFIED' | 'DRIFT_REMEDY_KEEP' | 'DRIFT_REMEDY_REVOKE' | 'DRIFT_REMEDY_REMOVE' | 'DRIFT_REMEDY_PROVISION')[]
  /** Whether a task or a connector is processing it. */
  isUnderWay: boolean
  appDisplayName: string
  entitlementDisplayName: string
  appUserDisplayName: string
  identityUserId: string
  userDisplayName: string
}

export type DriftOfApp = {
  appId: string
  appDisplayName: string
  unexplained: number
  missing: number
  checkedAt: string | null
}

export type DriftRef = {
  appId: string
  appEntitlementId: string
  appUserId: string
}

/** A remedy that was applied to several differences. */
export type DriftRun = {
  id: string
  remedy: 'DRIFT_REMEDY_UNSPECIFIED' | 'DRIFT_REMEDY_KEEP' | 'DRIFT_REMEDY_REVOKE' | 'DRIFT_REMEDY_REMOVE' | 'DRIFT_REMEDY_PROVISION'
  /** running, done, stopped, undoing or undone. */
  state: string
  /** Why it was stopped. */
  error: string
  itemCount: number
  waitingCount: number
  doneCount: number
  refusedCount: number
  undoneCount: number
  /** How many could not be undone. */
  leftCount: number
  /** Who started it. */
  userId: string
  createdAt: string | null
  endedAt: string | null
  undoneByUserId: string
  undoneAt: string | null
}

export type DriftRunItem = {
  appId: string
  appEntitlementId: string
  appUserId: string
  state: 'DRIFT_ITEM_UNSPECIFIED' | 'DRIFT_ITEM_WAITING' | 'DRIFT_ITEM_DONE' | 'DRIFT_ITEM_REFUSED' | 'DRIFT_ITEM_UNDONE' | 'DRIFT_ITEM_LEFT'
  /** Why nothing was done, or why it could not be undone. */
  error: string
  /** The task that was created. */
  taskId: string
  appDisplayName: string
  entitlementDisplayName: string
  appUserDisplayName: string
}

export type EnableBulkUsersRequest = {
  /** At most 1000. */
  userIds: string[]
  /** The fingerprint of the plan: nothing is done if an outcome has changed. */
  fingerprint: string
  /** The reason, or a ticket number. It is recorded in the system log. */
  reason: string
  /** Set to true to confirm the removal of more than 20% of all items. */
  isConfirmed: boolean
}

/** How many entitlements are granted by whom. Those that Bailiwick itself enforces are not counted. */
export type EnforcementCounts = {
  connector: number
  webhook: number
  people: number
  anotherEntitlement: number
  nobody: number
}

/** A connector of an app, and what it can do there. */
export type EnforcingConnector = {
  id: string
  displayName: string
  /** Synced: its last sync was imported. Failing: its last sync failed. Held: its last sync waits for someone to confirm it. Silent: it no longer calls, and has not synced for a day. Disabled: it is paused. */
  health: 'CONNECTOR_HEALTH_UNSPECIFIED' | 'CONNECTOR_HEALTH_SYNCED' | 'CONNECTOR_HEALTH_FAILING' | 'CONNECTOR_HEALTH_HELD' | 'CONNECTOR_HEALTH_SILENT' | 'CONNECTOR_HEALTH_NEVER_SYNCED' | 'CONNECTOR_HEALTH_DISABLED'
  /** When its last successful sync was imported. */
  lastSyncedAt: string | null
  /** When its last sync failed or was held; null if it was imported. */
  lastFailureAt: string | null
  /** Why. */
  lastFailure: string
  /** Whether it reads accounts and access. */
  reads: boolean
  /** Whether it grants access in the app. */
  grants: boolean
  /** Whether it revokes access in the app. */
  revokes: boolean
  createsAccounts: boolean
  /** Why it does not grant and revoke; empty if it does. */
  whyNot: string
}

/** Who carries out grants and revocations of an entitlement in its app. */
export type EntitlementEnforcement = {
  appId: string
  id: string
  /** Who carries it out. By another entitlement: that one includes it. By Bailiwick: membership in an access profile. By nobody: it is recorded, and nobody is asked to change the app. */
  by: 'ENFORCED_BY_UNSPECIFIED' | 'ENFORCED_BY_CONNECTOR' | 'ENFORCED_BY_WEBHOOK' | 'ENFORCED_BY_PEOPLE' | 'ENFORCED_BY_ANOTHER_ENTITLEMENT' | 'ENFORCED_BY_BAILIWICK' | 'ENFORCED_BY_NOBODY'
  connectorId: string
  connectorDisplayName: string
  /** When the last successful sync of that connector was imported. */
  lastSyncedAt: string | null
  webhookId: string
  /** The people who are asked; the names are for those who may read its settings. */
  asked: AskedToProvision | null
  /** The entitlement that includes it, if the caller may see that. */
  entitlement: AppEntitlementRef | null
  /** Why people are asked if nobody chose them: the reason that no connector does it. */
  why: string
  /** Who revokes it, if that is not who grants it. */
  revocation: RevocationEnforcement | null
}

export type EventsFile = {
  /** As they were recorded. */
  events: (Record<string, unknown> | null)[]
  /** Whether there are more than the 100000 events that a file contains. */
  truncated: boolean
}

export type ExcludingRule = {
  appId: string
  appDisplayName: string
  appEntitlementId: string
  entitlementDisplayName: string
}

/** A file, or a request to a collector, of an export. Without doneAt it is being written. */
export type ExportFile = {
  name: string
  datasourceId: string
  events: string
  bytes: string
  contentBytes: string
  firstLink: string
  lastLink: string
  lastEventId: string
  note: string
  createdAt: string | null
  doneAt: string | null
}

/** The state of an export: the last error, the number of failures, and when it runs next. */
export type ExportStatus = {
  exporter: Exporter | null
  error: string
  failures: string
  nextRunAt: string | null
  watermarkLink: string
}

/** Tokens that a trust received: one token, or several similar ones. Kept for two weeks, 500 of each outcome; never a token. */
export type FederationAttempt = {
  id: string
  /** ADMITTED or REFUSED */
  outcome: string
  /** The step that refused it, as in the response of a test; empty if it was accepted. */
  failedStep: string
  /** As in the system log: cel_condition_not_met, token_too_old and so on. */
  reason: string
  detail: string
  /** The claims, if the issuer signed the token; without claims about people and claims that differ in every token. */
  claims: Record<string, unknown> | null
  /** Claims of the token that are not stored. */
  omittedClaims: string[]
  /** The IP address of the last one. */
  sourceAddress: string
  /** How many similar tokens there were. */
  times: number
  firstAt: string | null
  lastAt: string | null
}

export type FederationReplayed = {
  attempt: FederationAttempt | null
  /** ADMITTED or REFUSED */
  was: string
  /** ADMITTED, REFUSED, or UNKNOWN if the condition reads a claim that is not stored. */
  becomes: string
  detail: string
}

/** A risk in a valid condition. */
export type FederationWarning = {
  /** SUBJECT_NOT_PINNED, NAME_CAN_BE_TAKEN or PREFIX_IS_OPEN */
  code: string
  message: string
}

export type FindAccessPathsResponse = {
  nodes: AccessPathNode[]
  edges: AccessPathEdge[]
  /** Each path from the person to the target, as the keys of its nodes; the shortest first. */
  paths: AccessPath[]
  /** Whether there are more paths than the 200 that are shown, or longer ones. */
  isCut: boolean
  /** For the past, only direct grants and bindings are known. */
  isDirectOnly: boolean
}

export type FindHit = {
  /** One of user, app, entitlement, account, resource, policy, connector, task, profile. */
  kind: string
  id: string
  appId: string
  displayName: string
  /** What distinguishes it from others: an email address, the name of the app, a number. */
  description: string
  /** Of a resource. */
  appResourceTypeId: string
}

export type FindResponse = {
  list: FindHit[]
}

export type GetAppEnforcementResponse = {
  enforcement: AppEnforcement | null
}

export type GetCoverageResponse = {
  /** The share of `grants` that is confirmed, rounded down: 100 only if it is all of them. */
  percent: number
  /** Accounts with an entitlement, each counted once. Membership in access profiles is not counted. */
  grants: number
  /** Granted and revoked by a connector whose last sync was imported, or by a webhook. */
  confirmed: number
  /** The same by a connector that fails, is paused, or has not synced. */
  unreliable: number
  /** Granted or revoked by people who are asked. */
  people: number
  /** Granted or revoked in the records only: nobody is asked to change the app. */
  nobody: number
  /** The apps with the most grants that are not confirmed. */
  next: CoverageNext[]
}

export type GetDependentsResponse = {
  /** What names this person as an owner. The first 100. */
  owned: OwnedObject[]
  /** Automation rules whose expressions contain the id, an address or a username of this person. The first 100. */
  rules: NamingRule[]
  /** Rules from which this person is excluded. The first 100. */
  exclusions: ExcludingRule[]
  /** Policies that name this person. The first 100. */
  policies: NamingPolicy[]
  /** Entitlements that name this person to carry out requests. The first 100. */
  provisioners: NamingEntitlement[]
  /** The delegate of this person, and the people whose delegate this person is. */
  delegations: DependentDelegation[]
  /** Enabled people whom this person manages. The first 100. */
  managed: ManagedPerson[]
  /** Access profiles that this person created. The first 100. */
  profiles: CreatedProfile[]
  /** Steps of requests that wait for this person; counted up to 10000. */
  openStepsCount: number
  /** API credentials that work; counted up to 10000. */
  credentialsCount: number
  /** Parts of which there are more than the 100 that are listed. */
  cutParts: string[]
  /** Permissions that you do not have: the parts that need them are omitted. */
  hiddenParts: string[]
}

export type GetDriftRunResponse = {
  run: DriftRun | null
}

export type GetEventResponse = {
  event: Record<string, unknown> | null
  /** The link of the chain that contains it; 0 until it is sealed. */
  link: string
  names: NamedInEvents[]
}

export type GetHeatMapResponse = {
  /** The 30 entitlements that most people have. */
  rows: HeatMapRow[]
  /** The 30 groups with the most people who have any access in the app. */
  groups: HeatMapGroup[]
  /** Whether the caller may know how large groups are. */
  hasSizes: boolean
  entitlementTotal: number
  groupTotal: number
}

export type GetLeaverPlanResponse = {
  plan: LeaverPlan | null
}

export type GetNumbersResponse = {
  /** The beginning of the first day. */
  since: string | null
  /** Whether accounts and grants are only those of what the caller owns. */
  isOwned: boolean
  /** At the end of each day; the last is now. */
  people: number[]
  accounts: number[]
  /** One for each account, entitlement and source of a grant. */
  grants: number[]
  /** Grants that were added on each day. */
  added: number[]
  /** Grants that were removed or expired on each day. */
  removed: number[]
}

export type GetRequestTermsResponse = {
  appId: string
  appEntitlementId: string
  /** The maximum duration that can be requested; null if there is none. */
  maxGrantDuration: string | null
  /** Whether it can be requested in an emergency. */
  emergencyAvailable: boolean
  /** Whether a request needs a description. */
  justificationRequired: boolean
  /** The form that requesters fill in; null if there is none. */
  requestSchema: RequestSchema | null
  grantPolicyId: string
  revokePolicyId: string
  emergencyGrantPolicyId: string
  grantPolicySource: AppliedSetting | null
  revokePolicySource: AppliedSetting | null
  emergencySource: AppliedSetting | null
  requestSchemaSource: AppliedSetting | null
  maxGrantDurationSource: AppliedSetting | null
}

export type GetSetupResponse = {
  list: SetupStep[]
}

export type GetWebhookDeliveryResponse = {
  delivery: WebhookDeliveryDetails | null
}

export type GrantGivenBack = {
  appId: string
  appEntitlementId: string
  appDisplayName: string
  entitlementDisplayName: string
  appUserId: string
  expiresAt: string | null
  source: string
}

export type GrantNotGivenBack = {
  appId: string
  appEntitlementId: string
  appDisplayName: string
  entitlementDisplayName: string
  appUserId: string
  expiresAt: string | null
  source: string
  why: string
}

export type GrantSourceRef = {
  kind: 'CHANGE_CAUSE_UNSPECIFIED' | 'CHANGE_CAUSE_USER' | 'CHANGE_CAUSE_IMPORT' | 'CHANGE_CAUSE_RULE' | 'CHANGE_CAUSE_TASK' | 'CHANGE_CAUSE_PROFILE' | 'CHANGE_CAUSE_CONNECTOR' | 'CHANGE_CAUSE_DIRECTORY' | 'CHANGE_CAUSE_EXPIRY'
  id: string
  appId: string
}

export type HeatMapCell = {
  group: string
  count: number
}

export type HeatMapGroup = {
  /** The department, job title, id of the manager, or value; empty for people without one. */
  value: string
  displayName: string
  /** How many of them have any access in the app. */
  holders: number
  /** How many people are in the group; 0 if hasSizes is false. */
  size: number
}

export type HeatMapRow = {
  appEntitlementId: string
  displayName: string
  /** How many people have it. */
  holders: number
  cells: HeatMapCell[]
  /** How many people of all groups that are not listed have it. */
  others: number
}

export type InboxCount = {
  id: string
  displayName: string
  count: number
}

export type LeaverConnectorTask = {
  taskId: string
  appId: string
  appDisplayName: string
  /** grant, revoke, create_account or delete_account. */
  kind: string
  /** queued, with the connector or unknown. */
  state: string
  appEntitlementId: string
  displayName: string
  afterwards: string
}

export type LeaverCredential = {
  id: string
  displayName: string
  lastUsedAt: string | null
  expiresAt: string | null
}

export type LeaverDelegation = {
  userId: string
  delegatedUserId: string
  startAt: string | null
  expirationAt: string | null
  afterwards: string
}

export type LeaverOpenStep = {
  taskId: string
  numericId: string
  displayName: string
  policyStepId: string
  /** How many other people can decide the step. */
  others: number
  /** If nobody else can: who decides it afterwards; the first 20. */
  afterwardsUserIds: string[]
  afterwards: string
}

export type LeaverOwnership = {
  /** app, entitlement, resource, account or connector. */
  kind: string
  appId: string
  appResourceTypeId: string
  id: string
  roleSlug: string
  displayName: string
  afterwards: string
}

export type LeaverPlan = {
  userId: string
  /** Steps that wait for this person; those that nobody else can decide come first. The first 100. */
  openSteps: LeaverOpenStep[]
  openStepsCount: number
  openStepsOnlyTheirs: number
  /** Open requests for this person, and changes that they requested. The first 100. */
  requests: LeaverRequest[]
  /** Where policies name this person. Of the first 100 policies. */
  policies: LeaverPolicyUse[]
  /** Kinds of change that wait for approval under one of these policies. */
  fourEyesKinds: string[]
  delegations: LeaverDelegation[]
  /** Objects that nobody else owns. The first 100. */
  lastOwnerOf: LeaverOwnership[]
  ownershipsCount: number
  /** Entitlements that name this person to carry out requests. The first 100. */
  provisioners: LeaverProvisioner[]
  /** Pending tasks of connectors for accounts of this person. The first 100. */
  connectorTasks: LeaverConnectorTask[]
  /** API credentials, which stop working. The first 100. */
  credentials: LeaverCredential[]
  peopleManaged: number
  /** Manager steps of these people go to fallbacks or Super Administrators. */
  peopleManagedOnlyByThem: number
  /** Whether they are the only Super Administrator: then they cannot be disabled. */
  lastSuperAdministrator: boolean
  /** Parts that are omitted because you do not have the listed permissions. */
  hiddenParts: string[]
}

export type LeaverPolicyUse = {
  policyId: string
  policyName: string
  stepKey: string
  /** The position of the step in its list, starting at 1. */
  place: number
  /** approver, fallback, reassignee, escalation or provisioner. */
  use: string
  othersAble: number
  afterwards: string
}

export type LeaverProvisioner = {
  appId: string
  appEntitlementId: string
  displayName: string
  othersAble: number
  afterwards: string
}

export type LeaverRequest = {
  taskId: string
  numericId: string
  displayName: string
  afterwards: string
}

export type ListAccessHistoryResponse = {
  list: AccessTrack[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListAccessRemovalsResponse = {
  list: AccessRemoval[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListAppEnforcementRequest = {
  appIds: string[]
}

export type ListAppEnforcementResponse = {
  list: AppEnforcementState[]
}

export type ListAttentionResponse = {
  list: AttentionItem[]
}

export type ListBulkActionsResponse = {
  list: BulkAction[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListChangesOfAppResponse = {
  list: Difference[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListChangesOfEntitlementResponse = {
  list: Difference[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListChangesOfUserResponse = {
  list: Difference[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListChangesResponse = {
  list: Difference[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListDatasourcesResponse = {
  list: Datasource[]
}

export type ListDriftResponse = {
  list: Drift[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListDriftRunItemsResponse = {
  list: DriftRunItem[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListDriftRunsResponse = {
  list: DriftRun[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListEntitlementEnforcementRequest = {
  refs: AppEntitlementRef[]
}

export type ListEntitlementEnforcementResponse = {
  list: EntitlementEnforcement[]
}

export type ListExportFilesResponse = {
  list: ExportFile[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListFederationAttemptsResponse = {
  list: FederationAttempt[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListGrantsResponse = {
  list: ListedGrant[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListHeatMapMembersResponse = {
  list: AppEntitlementUserView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListOwnersOfEntitlementsRequest = {
  refs: OwnedEntitlementRef[]
}

export type ListOwnersOfEntitlementsResponse = {
  list: OwnerOfEntitlement[]
}

export type ListRulesResponse = {
  list: ListedRule[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListUnanswerableResponse = {
  list: UnanswerableEntitlement[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
  /** When the last complete check began; unset until the first one has finished. */
  checkedAt: string | null
  /** Whether a check is in progress. */
  checking: boolean
  entitlementsChecked: number
  /** How many entitlements are listed on all pages; at most 1000 are counted. */
  total: number
  /** How many of them have the problem for every requester. The others have it only for people without a manager. */
  totalForEveryone: number
}

export type ListUserValuesResponse = {
  /** At most 50, the most frequent first. */
  list: UserValue[]
}

export type ListWebhookDeliveriesResponse = {
  list: WebhookDelivery[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

/** An entitlement that an account currently has, from one source. */
export type ListedGrant = {
  id: string
  appId: string
  appDisplayName: string
  appEntitlementId: string
  appEntitlementDisplayName: string
  appUserId: string
  appUserDisplayName: string
  /** The user of the account; empty for an account without a user. */
  userId: string
  userDisplayName: string
  /** ENABLED, DISABLED or DELETED; empty for an account without a user. */
  userStatus: string
  source: 'GRANT_SOURCE_UNSPECIFIED' | 'GRANT_SOURCE_MANUAL' | 'GRANT_SOURCE_IMPORT' | 'GRANT_SOURCE_RULE' | 'GRANT_SOURCE_REQUEST' | 'GRANT_SOURCE_PROFILE' | 'GRANT_SOURCE_DIRECTORY'
  /** The user, import, task or run that granted it. */
  grantedBy: string
  grantedAt: string | null
  /** Absent if it does not expire. */
  expiresAt: string | null
}

/** The rule of an entitlement. */
export type ListedRule = {
  appId: string
  appDisplayName: string
  appEntitlementId: string
  appEntitlementDisplayName: string
  /** The name of the rule; empty if it has none. */
  displayName: string
  /** basic, cel or entitlements. */
  kind: string
  /** The expression; empty for a rule about the members of other entitlements. */
  expression: string
  state: 'RULE_STATE_UNSPECIFIED' | 'RULE_STATE_ACTIVE' | 'RULE_STATE_PAUSED' | 'RULE_STATE_FAILING'
  /** held, cancelled, undone or costly; empty if it is not paused. */
  pausedReason: string
  /** Whether a run that would remove many people waits for confirmation. */
  hasBreaker: boolean
  lastRunId: string
  /** running, held, done, failed, cancelled or superseded. */
  lastRunStatus: string
  lastRunAt: string | null
  lastGainedCount: number
  lastLostCount: number
  nextRunAt: string | null
  updatedAt: string | null
}

export type ManagedPerson = {
  id: string
  displayName: string
  jobTitle: string
  hasOtherManager: boolean
}

/** The current display name of an object that events mention. Callers who may read the system log see the names of all these objects. */
export type NamedInEvents = {
  id: string
  type: string
  displayName: string
  appId: string
  appName: string
  parentId: string
  isDeleted: boolean
}

export type NamingEntitlement = {
  appId: string
  appDisplayName: string
  appEntitlementId: string
  entitlementDisplayName: string
}

export type NamingPolicy = {
  id: string
  displayName: string
}

export type NamingRule = {
  appId: string
  appDisplayName: string
  appEntitlementId: string
  entitlementDisplayName: string
  displayName: string
  expression: string
}

export type OwnedEntitlementRef = {
  appId: string
  id: string
}

export type OwnedObject = {
  /** app, entitlement, resource, account, connector or user (a service principal). */
  kind: string
  appId: string
  appDisplayName: string
  appResourceTypeId: string
  id: string
  displayName: string
  roleSlug: string
  /** No other enabled user owns it in this role. */
  isOnlyOwner: boolean
}

export type OwnerOfEntitlement = {
  appId: string
  appEntitlementId: string
  /** Whether it is an owner of the app, because the entitlement has no owner. */
  isOfApp: boolean
  /** The user who owns it; empty if the owner is everyone with another entitlement. */
  userId: string
  ownerAppId: string
  /** The entitlement whose members own it. */
  ownerEntitlementId: string
  displayName: string
}

export type PlanAccessRemovalRequest = {
  /** Only access in these apps; in all apps by default. */
  appIds: string[]
  /** Also exclude the person from rules that would grant access again. */
  excludeFromRules: boolean
  /** Also disable the person. Rules match nobody who is disabled. */
  disableUser: boolean
}

export type PlanAccessRemovalResponse = {
  /** Identifies everything that the plan would do. Required to apply it. */
  fingerprint: string
  /** How many grants end here. */
  removedCount: number
  /** Of these, how many a connector is sent: it confirms each when it has removed it. */
  connectorCount: number
  /** Of these, how many end in the records only: nobody is asked to change the app. */
  nobodyCount: number
  /** How many people are asked to remove in the app; the grants are kept until they have. */
  manualCount: number
  keptCount: number
  apps: AccessRemovalOfApp[]
  /** By app, account and entitlement. The first 1000; plan by app to see more. */
  items: PlannedAccessRemoval[]
  /** Rules of entitlements that the person holds. */
  rules: AccessRemovalRule[]
  /** The person has more than 10000 grants: remove these first, then plan again. */
  isMore: boolean
}

export type PlanBulkEntitlementsRequest = {
  entitlements: BulkObjectRef[]
  /** The risk level; empty removes it. */
  riskLevelValueId: string
}

export type PlanBulkGrantsRequest = {
  action: 'BULK_GRANT_ACTION_REVOKE' | 'BULK_GRANT_ACTION_SET_EXPIRY'
  /** At most 1000. */
  grants: BulkGrantRef[]
  /** For SET_EXPIRY: when they expire. Absent means never. */
  expiresAt: string | null
}

export type PlanBulkOwnersRequest = {
  entitlements: BulkObjectRef[]
  appUsers: BulkObjectRef[]
  /** At most 1000. */
  appIds: string[]
  /** The new owner. */
  userId: string
  /** The role; primary by default. */
  roleSlug: string
}

export type PlanBulkUsersRequest = {
  action: 'BULK_USER_ACTION_DISABLE' | 'BULK_USER_ACTION_ENABLE'
  /** At most 1000. */
  userIds: string[]
}

export type PlanDriftRequest = {
  remedy: 'DRIFT_REMEDY_KEEP' | 'DRIFT_REMEDY_REVOKE' | 'DRIFT_REMEDY_REMOVE' | 'DRIFT_REMEDY_PROVISION'
  /** These differences. Without any: all that match appId and kind. */
  items: DriftRef[]
  appId: string
  kind: 'DRIFT_KIND_UNSPECIFIED' | 'DRIFT_KIND_UNEXPLAINED' | 'DRIFT_KIND_MISSING'
}

export type PlanDriftResponse = {
  /** Identifies everything that the plan would do. Required to apply it. */
  fingerprint: string
  /** To how many differences it would be applied. */
  count: number
  outcomes: PlannedDriftOutcome[]
  /** The differences to which it cannot be applied, and why. */
  refused: RefusedDrift[]
  apps: PlannedDriftOfApp[]
  needsConfirmation: boolean
  /** More match than the 10000 that can be processed at the same time. */
  isMore: boolean
  /** The first 20. */
  sample: Drift[]
}

export type PlanFederationTrustRequest = {
  conditionExpression: string
  /** How many days back: 1 to 14, which is the default. */
  days: number
}

export type PlanFederationTrustResponse = {
  warnings: FederationWarning[]
  /** How many different sets of claims were replayed. */
  replayedCount: number
  unchangedCount: number
  /** Accepted before, refused with the new condition. */
  refusedCount: number
  /** Refused before, accepted with the new condition. */
  admittedCount: number
  /** Unknown, because the condition reads claims that are not stored. */
  unknownCount: number
  changes: FederationReplayed[]
}

export type PlanPolicyRequest = {
  /** The policy that the draft would replace: its tasks are replayed. If absent, all tasks of the type of the draft. */
  policyId: string
  /** The draft. */
  policy: Policy
  /** How many days back; 30 where it is not given, at most 90. */
  days: number
}

export type PlanPolicyResponse = {
  /** At most 10000. */
  tasksReplayed: number
  /** Whether all tasks of the period were replayed. */
  complete: boolean
  tasksSame: number
  tasksDifferent: number
  /** Tasks that would have been stuck: nobody could have decided. */
  tasksStuck: number
  /** Tasks that could not have been created. */
  tasksRefused: number
  /** The latest 100 tasks that would have had other steps. */
  tasks: PolicyPlanTask[]
  /** The 100 with the most decisions. */
  people: PolicyPlanPerson[]
  peopleCount: number
  /** The latest first. */
  weeks: PolicyPlanWeek[]
}

export type PlanRequestRequest = {
  appId: string
  appEntitlementId: string
  identityUserId: string
  appUserId: string
  description: string
  expandMask: ExpandMask | null
  /** Seconds. */
  grantDuration: string | null
  emergencyAccess: boolean
  requestData: Record<string, unknown> | null
  source: TaskGrantSource | null
}

export type PlanRequestResponse = {
  plan: RequestPlan | null
}

export type PlanUndoBulkEntitlementsRequest = {
  /** The bulk change that is undone. */
  bulkActionId: string
}

export type PlanUndoBulkGrantsRequest = {
  /** The bulk change that is undone. */
  bulkActionId: string
}

export type PlanUndoBulkOwnersRequest = {
  /** The bulk change that is undone. */
  bulkActionId: string
}

export type PlanUndoBulkUsersRequest = {
  /** The bulk change that is undone. */
  bulkActionId: string
}

export type PlanUndoResponse = {
  possible: boolean
  whyNot: string
  policyStepId: string
  step: string
  /** approved, denied or skipped. */
  decision: string
  decidedByUserId: string
  decidedAt: string | null
  /** Until when you can undo it; unset if there is no limit. */
  possibleUntil: string | null
  /** How many later decisions are undone with it. */
  laterDecisions: number
  /** Access that the task granted and that ends. */
  ends: UndoneGrant[]
  /** Access that the task revoked and that is granted again. */
  givesBack: GrantGivenBack[]
  cannotGiveBack: GrantNotGivenBack[]
  /** People who provisioned something manually: it must be undone manually in the app. */
  byHand: UndoByHand[]
  /** Why the task is closed instead of decided again; empty if it is decided again. */
  closes: string
}

export type PlannedAccessRemoval = {
  appId: string
  appDisplayName: string
  appEntitlementId: string
  entitlementDisplayName: string
  appUserId: string
  appUserDisplayName: string
  /** The source of the grant: manual, import, rule, request, profile or directory. */
  sources: string[]
  /** removed: the grant ends; the explanation says who changes the app. manual: a task asks people to remove it in the app. kept_by_rule, kept_by_profile, kept_by_directory, kept_by_nesting: what grants it must be changed first. */
  outcome: string
  explanation: string
}

export type PlannedDriftOfApp = {
  appId: string
  appDisplayName: string
  count: number
  /** How many grants the app has, counted as far as needed here. */
  grantCount: number
  /** More than 20% of the grants of the app would be revoked or removed. */
  needsConfirmation: boolean
}

export type PlannedDriftOutcome = {
  happens: string
  count: number
}

export type PlannedHeldReason = {
  /** manual, import, rule, request or profile. */
  source: string
  /** Unset if it does not expire. */
  expiresAt: string | null
}

export type PlannedStep = {
  /** The position of the step in its route, starting at 1. */
  place: number
  /** approval, accept, reject, wait, form or provision. */
  kind: string
  summary: string
  /** How the step is completed: automatically, by people, by time, by the answer of a webhook, or not at all. */
  happens: 'PLANNED_STEP_UNSPECIFIED' | 'PLANNED_STEP_AUTOMATIC' | 'PLANNED_STEP_PEOPLE' | 'PLANNED_STEP_TIME' | 'PLANNED_STEP_WEBHOOK' | 'PLANNED_STEP_STUCK'
  /** Who can decide or provision it; the first 20. */
  people: StepPerson[]
  peopleCount: number
  /** People whom the policy names but who cannot decide; the first 20. Callers who may not see all tasks see only themselves here. */
  leftOut: StepPersonLeftOut[]
  leftOutCount: number
  /** Who was tried before, and why they cannot decide. */
  triedBefore: string[]
  /** Who approves the step by creating the request. */
  approvedByUserId: string
  waitsUntil: string | null
  stuckWhy: string
  /** For a provision step: records, delegated, connector, webhook, manual or none. */
  provisioner: string
  /** Whether people who approve an earlier step cannot decide this one. */
  withoutEarlierApprovers: boolean
}

export type PolicyPlanChange = {
  kind: 'POLICY_PLAN_CHANGE_UNSPECIFIED' | 'POLICY_PLAN_CHANGE_ADDED' | 'POLICY_PLAN_CHANGE_REMOVED' | 'POLICY_PLAN_CHANGE_CHANGED'
  /** The position of the step, starting at 1: in the new route, or in the old one for a removed step. */
  place: number
  step: string
  /** Whether other people would decide. */
  otherPeople: boolean
}

export type PolicyPlanPerson = {
  userId: string
  displayName: string
  decisionsBefore: number
  /** Steps that this person would have been asked to decide, alone or with others. */
  decisions: number
  /** The same by week, latest first. */
  weeks: number[]
}

export type PolicyPlanTask = {
  taskId: string
  numericId: string
  displayName: string
  changes: PolicyPlanChange[]
  /** done, denied, stuck or refused: the result if everybody had approved. */
  end: string
  /** Why it would have been stuck or refused. */
  why: string
}

export type PolicyPlanWeek = {
  decisionsBefore: number
  decisions: number
}

export type ProvisioningGetResponse = {
  provisioning: AppProvisioning | null
}

/** Something that a connector does in its app. */
export type ProvisioningTask = {
  id: string
  connectorId: string
  appId: string
  /** grant, revoke, create_account or delete_account. */
  kind: string
  /** queued, with the connector, done, failed, unknown or cancelled. */
  state: string
  appEntitlementId: string
  appEntitlementName: string
  appUserId: string
  appUserName: string
  /** Why it failed or is unknown, as reported by the connector. */
  error: string
  /** What to do if the connector does not fetch it. */
  advice: string
  /** Whether a request waits for it. */
  isAwaited: boolean
  /** The task that it repeats. */
  retryOf: string
  /** The sync that showed its outcome. */
  settledBySyncId: string
  hostId: string
  createdAt: string | null
  startedAt: string | null
  endedAt: string | null
}

export type ProvisioningTasksCancelResponse = Record<never, never>

export type ProvisioningTasksListResponse = {
  list: ProvisioningTask[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ProvisioningTasksRetryRequest = {
  /** Repeat a task whose outcome is unknown: it may be done twice. */
  acceptUnknown: boolean
}

export type ProvisioningTasksRetryResponse = {
  task: ProvisioningTask | null
}

export type ProvisioningUpdateRequest = {
  /** Access is no longer provisioned in the app. */
  isDisabled: boolean
  /** Accounts of people who are offboarded are deleted in the app. */
  deletesAccounts: boolean
  /** Further fields for accounts that the connector creates. Strings can contain attributes of the person, as in {username}. */
  accountProfile: Record<string, unknown> | null
}

export type ProvisioningUpdateResponse = {
  provisioning: AppProvisioning | null
}

export type RefusedDrift = {
  reason: string
  count: number
}

export type Report = {
  id: string
  displayName: string
}

export type RequestPlan = {
  /** Send it with the request as planFingerprint: the request is then created as planned, or refused. */
  fingerprint: string
  appId: string
  appEntitlementId: string
  identityUserId: string
  appUserId: string
  /** This and the sources of settings are shown to callers who may see the request settings. */
  policyId: string
  /** How the policy and its steps were chosen. */
  policyWhy: string[]
  grantPolicySource: AppliedSetting | null
  maxDurationSource: AppliedSetting | null
  formSource: AppliedSetting | null
  emergencySource: AppliedSetting | null
  provisionerSource: AppliedSetting | null
  /** The maximum duration that can be requested; unset if there is no limit. */
  maxDuration: string | null
  /** The requested duration; unset if access would not expire. */
  grantDuration: string | null
  steps: PlannedStep[]
  /** The result of the request if everybody who is asked approves. */
  end: 'REQUEST_PLAN_END_UNSPECIFIED' | 'REQUEST_PLAN_END_DONE' | 'REQUEST_PLAN_END_DENIED' | 'REQUEST_PLAN_END_STUCK'
  /** How many steps wait for people. */
  decisionsNeeded: number
  alreadyHeld: PlannedHeldReason[]
  /** Whether the person already has the access, so that the request extends it. */
  isExtension: boolean
  /** How automation rules affect this access. */
  conflicts: string[]
  /** An open task for the same access: the request would be refused. */
  openTaskId: string
}

export type ResolveDriftRequest = {
  remedy: 'DRIFT_REMEDY_KEEP' | 'DRIFT_REMEDY_REVOKE' | 'DRIFT_REMEDY_REMOVE' | 'DRIFT_REMEDY_PROVISION'
  items: DriftRef[]
  /** Set to true to revoke or remove more than 20% of the grants of an app. */
  isConfirmed: boolean
}

export type ResolveDriftResponse = {
  list: ResolvedDrift[]
  /** The run, with which all of it can be undone. */
  runId: string
}

export type ResolvedDrift = {
  appId: string
  appEntitlementId: string
  appUserId: string
  /** Why nothing was done; empty if it was done. */
  error: string
  /** The task that revokes or provisions it. */
  taskId: string
}

export type RevocationEnforcement = {
  /** Who carries it out. By another entitlement: that one includes it. By Bailiwick: membership in an access profile. By nobody: it is recorded, and nobody is asked to change the app. */
  by: 'ENFORCED_BY_UNSPECIFIED' | 'ENFORCED_BY_CONNECTOR' | 'ENFORCED_BY_WEBHOOK' | 'ENFORCED_BY_PEOPLE' | 'ENFORCED_BY_ANOTHER_ENTITLEMENT' | 'ENFORCED_BY_BAILIWICK' | 'ENFORCED_BY_NOBODY'
  connectorId: string
  connectorDisplayName: string
  /** When the last successful sync of that connector was imported. */
  lastSyncedAt: string | null
  webhookId: string
  /** The people who are asked; the names are for those who may read its settings. */
  asked: AskedToProvision | null
  /** The entitlement that includes it, if the caller may see that. */
  entitlement: AppEntitlementRef | null
  /** Why people are asked if nobody chose them: the reason that no connector does it. */
  why: string
}

export type RunExportRequest = Record<never, never>

export type SearchEventsRequest = {
  /** Words that must all be in the message, the names, the reason, the operation, the address or the request id. */
  query: string
  /** The user who did it, or who signed in. */
  actorId: string
  /** An object of the event, or an object that its data mentions. */
  objectId: string
  /** The type of an object of the event, such as "user". */
  objectType: string
  kind: 'EVENT_KIND_UNSPECIFIED' | 'EVENT_KIND_CREATE' | 'EVENT_KIND_UPDATE' | 'EVENT_KIND_DELETE' | 'EVENT_KIND_READ' | 'EVENT_KIND_SIGN_IN' | 'EVENT_KIND_SIGN_OUT' | 'EVENT_KIND_TOKEN' | 'EVENT_KIND_DENIAL' | 'EVENT_KIND_ALERT'
  outcome: 'EVENT_OUTCOME_UNSPECIFIED' | 'EVENT_OUTCOME_SUCCESS' | 'EVENT_OUTCOME_FAILURE'
  since: string | null
  until: string | null
  sortDirection: 'SORT_DIRECTION_UNSPECIFIED' | 'SORT_DIRECTION_ASC' | 'SORT_DIRECTION_DESC'
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type SearchEventsResponse = {
  list: (Record<string, unknown> | null)[]
  names: NamedInEvents[]
  /** Where the search stopped before the page was full; null if it did not stop. */
  searchedUntil: string | null
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SearchRequestSchemasRequest = {
  /** A part of the name, in any case. */
  query: string
  requestSchemaIds: string[]
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type SearchRequestSchemasResponse = {
  list: RequestSchema[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SetAppEnforcementRequest = {
  withoutConnector: 'WITHOUT_CONNECTOR_MANUAL' | 'WITHOUT_CONNECTOR_RECORDS_ONLY'
}

export type SetAppEnforcementResponse = {
  enforcement: AppEnforcement | null
}

export type SetupStep = {
  step: 'SETUP_STEP_UNSPECIFIED' | 'SETUP_STEP_PASSKEY' | 'SETUP_STEP_PEOPLE' | 'SETUP_STEP_APPS' | 'SETUP_STEP_ACCESS' | 'SETUP_STEP_RULE' | 'SETUP_STEP_REQUESTS' | 'SETUP_STEP_ADMINISTRATORS' | 'SETUP_STEP_MAIL'
  isDone: boolean
}

export type StepPerson = {
  userId: string
  displayName: string
  /** For programs: manager, appOwners, fallback, delegate and so on. */
  reason: string
  /** The same as a sentence. */
  why: string
  /** For a delegate: the person they represent. */
  forUserId: string
}

export type StepPersonLeftOut = {
  userId: string
  displayName: string
  why: string
}

/** A subscription sends events of the system log to a URL, in the order of the log, each at least once. */
export type Subscription = {
  id: string
  displayName: string
  description: string
  /** The URL that events are sent to. Callers who cannot change it see it without the values of its query. */
  url: string
  /** Event kinds, each with at most one * for any characters, such as app.v1.*, denied.* or *.Delete. Empty: all. */
  eventKinds: string[]
  /** A CEL expression about event (the event as the system log has it) and kind, such as event.severity_id >= 3. Empty: all events of the kinds. */
  filter: string
  state: 'SUBSCRIPTION_STATE_UNSPECIFIED' | 'SUBSCRIPTION_STATE_ACTIVE' | 'SUBSCRIPTION_STATE_PAUSED' | 'SUBSCRIPTION_STATE_ENDED'
  /** Why it is paused or ended. */
  reason: 'SUBSCRIPTION_REASON_UNSPECIFIED' | 'SUBSCRIPTION_REASON_USER' | 'SUBSCRIPTION_REASON_DELIVERY_FAILED' | 'SUBSCRIPTION_REASON_RECEIVER_GONE' | 'SUBSCRIPTION_REASON_FILTER_TOO_COSTLY' | 'SUBSCRIPTION_REASON_FILTER_INVALID' | 'SUBSCRIPTION_REASON_NOT_PERMITTED' | 'SUBSCRIPTION_REASON_CHANGED_OUTSIDE' | 'SUBSCRIPTION_REASON_EVENTS_MISSING' | 'SUBSCRIPTION_REASON_LOG_TAMPERED'
  /** Why it is paused or ended, or why the last attempt failed. */
  detail: string
  stateChangedAt: string | null
  /** Events of the system log after the last one that was acknowledged or not selected; 10000 for that many or more. */
  eventsBehind: number
  /** Failed attempts at the next event. */
  failedAttempts: number
  failingSince: string | null
  nextAttemptAt: string | null
  lastDeliveredAt: string | null
  deliveredCount: string
  /** Events on which the filter failed. They were sent, with the header Bailiwick-Filter-Error. */
  filterErrorCount: string
  /** The last of these events, and the error. */
  filterError: string
  /** Until when messages are also signed with the previous secret. */
  oldSecretUntil: string | null
  /** The user who created it, or last changed or resumed it. It is paused if they may no longer read the system log. */
  responsibleUserId: string
  createdBy: string
  createdAt: string | null
  updatedAt: string | null
}

export type SubscriptionsCreateRequest = {
  displayName: string
  description: string
  /** The URL that events are sent to. Callers who cannot change it see it without the values of its query. */
  url: string
  /** Event kinds, each with at most one * for any characters, such as app.v1.*, denied.* or *.Delete. Empty: all. */
  eventKinds: string[]
  /** A CEL expression about event (the event as the system log has it) and kind, such as event.severity_id >= 3. Empty: all events of the kinds. */
  filter: string
}

export type SubscriptionsCreateResponse = {
  subscription: Subscription | null
  /** Verifies the Standard Webhooks signature of messages: whsec_ and 32 bytes in base64. It is only in this response. */
  secret: string
}

export type SubscriptionsGetDeliveryResponse = {
  delivery: Delivery | null
  request: DeliveryRequest | null
  reply: DeliveryReply | null
}

export type SubscriptionsGetResponse = {
  subscription: Subscription | null
}

export type SubscriptionsListDeliveriesResponse = {
  list: Delivery[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SubscriptionsListResponse = {
  list: Subscription[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SubscriptionsPauseResponse = {
  subscription: Subscription | null
}

export type SubscriptionsPlanReplayRequest = {
  /** The first event to send. Set either this or fromTime. */
  fromEventId: string
  /** A time: sending starts with the first event in the log at or after it. */
  fromTime: string | null
}

export type SubscriptionsPlanReplayResponse = {
  /** The number of events from there on; 100000 means that many or more. */
  eventCount: number
  /** How many of them, starting with the first, were compared with the kinds and the filter. */
  lookedCount: number
  /** How many of those would be sent. */
  matchedCount: number
  /** Events that were not sent yet and would be skipped. */
  skippedCount: number
}

export type SubscriptionsReplayRequest = {
  /** The first event to send. Set either this or fromTime. */
  fromEventId: string
  /** A time: sending starts with the first event in the log at or after it. */
  fromTime: string | null
  /** Set to true to start after events that were not sent yet, and skip them. */
  maySkip: boolean
}

export type SubscriptionsReplayResponse = {
  subscription: Subscription | null
}

export type SubscriptionsResumeResponse = {
  subscription: Subscription | null
}

export type SubscriptionsRotateSecretRequest = {
  /** How long messages are also signed with the previous secret, as in "86400s": one day by default, at most 7 days. */
  overlap: string | null
}

export type SubscriptionsRotateSecretResponse = {
  subscription: Subscription | null
  /** Verifies the Standard Webhooks signature of messages: whsec_ and 32 bytes in base64. It is only in this response. */
  secret: string
}

export type SubscriptionsTestResponse = {
  delivery: Delivery | null
}

export type SubscriptionsUpdateRequest = {
  subscription: Subscription | null
  updateMask: string
}

export type SubscriptionsUpdateResponse = {
  subscription: Subscription | null
}

export type SummarizeChangesOfAppResponse = {
  from: string | null
  to: string | null
  counts: ChangeCount[]
  /** The length of each period of `periods`. */
  unit: 'CHANGE_UNIT_UNSPECIFIED' | 'CHANGE_UNIT_HOUR' | 'CHANGE_UNIT_DAY' | 'CHANGE_UNIT_WEEK' | 'CHANGE_UNIT_FOUR_WEEKS' | 'CHANGE_UNIT_YEAR'
  /** Changes of grants over time, in UTC. If there are more than are counted, of the latest ones. */
  periods: ChangePeriod[]
  /** What is not compared, because only its current state is kept. */
  withoutHistory: string[]
}

export type SummarizeChangesOfEntitlementResponse = {
  from: string | null
  to: string | null
  counts: ChangeCount[]
  /** The length of each period of `periods`. */
  unit: 'CHANGE_UNIT_UNSPECIFIED' | 'CHANGE_UNIT_HOUR' | 'CHANGE_UNIT_DAY' | 'CHANGE_UNIT_WEEK' | 'CHANGE_UNIT_FOUR_WEEKS' | 'CHANGE_UNIT_YEAR'
  /** Changes of grants over time, in UTC. If there are more than are counted, of the latest ones. */
  periods: ChangePeriod[]
  /** What is not compared, because only its current state is kept. */
  withoutHistory: string[]
}

export type SummarizeChangesOfUserResponse = {
  from: string | null
  to: string | null
  counts: ChangeCount[]
  /** The length of each period of `periods`. */
  unit: 'CHANGE_UNIT_UNSPECIFIED' | 'CHANGE_UNIT_HOUR' | 'CHANGE_UNIT_DAY' | 'CHANGE_UNIT_WEEK' | 'CHANGE_UNIT_FOUR_WEEKS' | 'CHANGE_UNIT_YEAR'
  /** Changes of grants over time, in UTC. If there are more than are counted, of the latest ones. */
  periods: ChangePeriod[]
  /** What is not compared, because only its current state is kept. */
  withoutHistory: string[]
}

export type SummarizeChangesResponse = {
  from: string | null
  to: string | null
  counts: ChangeCount[]
  /** The length of each period of `periods`. */
  unit: 'CHANGE_UNIT_UNSPECIFIED' | 'CHANGE_UNIT_HOUR' | 'CHANGE_UNIT_DAY' | 'CHANGE_UNIT_WEEK' | 'CHANGE_UNIT_FOUR_WEEKS' | 'CHANGE_UNIT_YEAR'
  /** Changes of grants over time, in UTC. If there are more than are counted, of the latest ones. */
  periods: ChangePeriod[]
  /** What is not compared, because only its current state is kept. */
  withoutHistory: string[]
}

export type SystemLogRetention = {
  days: string
  archivedEvents: string
  archivedUntil: string | null
  archivedUpToLink: string
  removedAt: string | null
  older: string
  removable: string
  reasons: string[]
}

/** A verification of the chain of the system log. */
export type SystemLogVerification = {
  id: string
  /** What started it. */
  by: 'VERIFIED_BY_SERVER' | 'VERIFIED_BY_USER' | 'VERIFIED_BY_COMMAND'
  byUserId: string
  /** The user, or who ran the command on which machine; empty for the server itself. */
  byName: string
  startedAt: string | null
  finishedAt: string | null
  /** Everything after this time up to upToLink was read; events that were verified before are not read again for a week. */
  walkBeganAt: string | null
  /** The links after this one were read. */
  fromLink: string
  upToLink: string
  /** When the last event up to there occurred. */
  upToTime: string | null
  /** How many events were read. */
  eventCount: string
  /** False if more events follow, which are verified next. */
  isComplete: boolean
  findingCount: string
  /** The first 20 findings: events and links that were changed. */
  findings: string[]
}

export type SystemLogVerificationState = {
  /** Null if the log was not verified yet. */
  latest: SystemLogVerification | null
  /** How many links the chain has now. */
  links: string
}

export type ProvisionCancelledRequest = {
  /** The step that the caller saw. If another step is current by now, the request fails. */
  policyStepId: string
  comment: string
  expandMask: ExpandMask | null
}

export type ProvisionCancelledResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
  ticketActionId: string
}

export type ProvisionCompleteRequest = {
  /** The step that the caller saw. If another step is current by now, the request fails. */
  policyStepId: string
  comment: string
  expandMask: ExpandMask | null
}

export type ProvisionCompleteResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
  ticketActionId: string
}

export type ProvisionErroredRequest = {
  /** The step that the caller saw. If another step is current by now, the request fails. */
  policyStepId: string
  comment: string
  expandMask: ExpandMask | null
}

export type ProvisionErroredResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
  ticketActionId: string
}

export type TaskInboxGetResponse = {
  /** At most 1000: see isMore. */
  total: number
  /** Whether there are more tasks than were counted. */
  isMore: boolean
  approvals: number
  provisions: number
  forms: number
  apps: InboxCount[]
  people: InboxCount[]
}

export type TaskInboxListReportsResponse = {
  list: Report[]
}

export type TaskWhyConnector = {
  connectorId: string
  connectorName: string
  /** queued, with the connector, unknown, done, failed or cancelled. */
  state: string
  error: string
}

export type TaskWhyResponse = {
  taskId: string
  rounds: TaskWhyRound[]
  steps: TaskWhyStep[]
  /** The remaining steps. */
  next: string[]
  /** The same steps, as far as they are known in advance: who would be asked if everybody before them approves. */
  upcoming: PlannedStep[]
  stuckWhy: string
  /** The connectors that the current step waits for. */
  connectors: TaskWhyConnector[]
}

export type TaskWhyRound = {
  policyGenerationId: string
  policyId: string
  /** How the policy and its steps were chosen. */
  why: string[]
}

export type TaskWhyStep = {
  policyStepId: string
  policyGenerationId: string
  /** The position of the step in its route, starting at 1. */
  place: number
  kind: string
  /** Why the task has this step. */
  summary: string
  isOpen: boolean
  /** Who can decide or provision it; the first 20. */
  people: StepPerson[]
  peopleCount: number
  /** People whom the policy names but who cannot decide; the first 20. Callers who may not see all tasks see only themselves here. */
  leftOut: StepPersonLeftOut[]
  leftOutCount: number
  /** Who was tried before these people, and why they cannot decide. */
  triedBefore: string[]
  /** approved, denied, skipped, reassigned and so on; empty while the step is open. */
  outcome: string
  endedByUserId: string
  endedAt: string | null
  /** Why you can decide this step, or why you cannot. */
  whyNotMe: string
}

export type UnanswerableEntitlement = {
  appId: string
  appDisplayName: string
  appEntitlementId: string
  entitlementDisplayName: string
  problems: UnanswerableProblem[]
  checkedAt: string | null
}

export type UnanswerableProblem = {
  policyId: string
  policyName: string
  /** The key of the list of steps in the policy. */
  stepKey: string
  /** The position of the step in its list, starting at 1; 0 for the whole policy. */
  place: number
  /** The conditions under which these steps apply. */
  conditions: string[]
  /** Whether it is about emergency access. */
  emergency: boolean
  reason: 'UNANSWERABLE_REASON_UNSPECIFIED' | 'UNANSWERABLE_REASON_MANAGER_MISSING' | 'UNANSWERABLE_REASON_GROUP_EMPTY' | 'UNANSWERABLE_REASON_OWNER_MISSING' | 'UNANSWERABLE_REASON_OWNER_DISABLED' | 'UNANSWERABLE_REASON_USERS_DISABLED' | 'UNANSWERABLE_REASON_EXPRESSION_FAILED' | 'UNANSWERABLE_REASON_EXPRESSION_NAMES_NOBODY' | 'UNANSWERABLE_REASON_SELF_APPROVAL_NOT_ALLOWED' | 'UNANSWERABLE_REASON_TOO_MANY_PEOPLE' | 'UNANSWERABLE_REASON_WEBHOOK_MISSING' | 'UNANSWERABLE_REASON_POLICY_MISSING' | 'UNANSWERABLE_REASON_ROUTING_FAILED'
  why: string
  /** What happens instead when it is requested. */
  instead: 'UNANSWERABLE_INSTEAD_UNSPECIFIED' | 'UNANSWERABLE_INSTEAD_FALLBACK' | 'UNANSWERABLE_INSTEAD_SUPER_ADMINISTRATORS' | 'UNANSWERABLE_INSTEAD_STUCK' | 'UNANSWERABLE_INSTEAD_REFUSED'
  /** For manager steps: how many people have no manager who can decide. */
  peopleAffected: number
}

export type UndoAccessRemovalRequest = Record<never, never>

export type UndoAccessRemovalResponse = {
  removal: AccessRemoval | null
}

export type UndoBulkEntitlementsRequest = {
  /** The bulk change that is undone. */
  bulkActionId: string
  /** The fingerprint of the plan: nothing is done if an outcome has changed. */
  fingerprint: string
  /** The reason, or a ticket number. It is recorded in the system log. */
  reason: string
  /** Set to true to confirm the removal of more than 20% of all items. */
  isConfirmed: boolean
}

export type UndoBulkGrantsRequest = {
  /** The bulk change that is undone. */
  bulkActionId: string
  /** The fingerprint of the plan: nothing is done if an outcome has changed. */
  fingerprint: string
  /** The reason, or a ticket number. It is recorded in the system log. */
  reason: string
  /** Set to true to confirm the removal of more than 20% of all items. */
  isConfirmed: boolean
}

export type UndoBulkOwnersRequest = {
  /** The bulk change that is undone. */
  bulkActionId: string
  /** The fingerprint of the plan: nothing is done if an outcome has changed. */
  fingerprint: string
  /** The reason, or a ticket number. It is recorded in the system log. */
  reason: string
  /** Set to true to confirm the removal of more than 20% of all items. */
  isConfirmed: boolean
}

export type UndoBulkUsersRequest = {
  /** The bulk change that is undone. */
  bulkActionId: string
  /** The fingerprint of the plan: nothing is done if an outcome has changed. */
  fingerprint: string
  /** The reason, or a ticket number. It is recorded in the system log. */
  reason: string
  /** Set to true to confirm the removal of more than 20% of all items. */
  isConfirmed: boolean
}

export type UndoByHand = {
  userId: string
  completedAt: string | null
}

export type UndoDecisionRequest = {
  /** The step whose decision is undone; the last decision by default. */
  policyStepId: string
  comment: string
  expandMask: ExpandMask | null
}

export type UndoDecisionResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
  ticketActionId: string
}

export type UndoDriftRunRequest = Record<never, never>

export type UndoDriftRunResponse = {
  run: DriftRun | null
}

export type UndoneGrant = {
  appId: string
  appEntitlementId: string
  appDisplayName: string
  entitlementDisplayName: string
  appUserId: string
  expiresAt: string | null
  /** Other sources because of which the access is kept: manual, import, rule or profile. */
  staysHeldBy: string[]
}

export type UnreadConnector = {
  appId: string
  connectorId: string
  displayName: string
  /** Synced: its last sync was imported. Failing: its last sync failed. Held: its last sync waits for someone to confirm it. Silent: it no longer calls, and has not synced for a day. Disabled: it is paused. */
  health: 'CONNECTOR_HEALTH_UNSPECIFIED' | 'CONNECTOR_HEALTH_SYNCED' | 'CONNECTOR_HEALTH_FAILING' | 'CONNECTOR_HEALTH_HELD' | 'CONNECTOR_HEALTH_SILENT' | 'CONNECTOR_HEALTH_NEVER_SYNCED' | 'CONNECTOR_HEALTH_DISABLED'
  /** When its last successful sync was imported; null if there was none. */
  lastSyncedAt: string | null
}

export type UserValue = {
  value: string
  /** How many users have it. */
  count: number
}

export type VerifySystemLogRequest = {
  /** Also read events that were verified before. */
  isWhole: boolean
}

/** A request that was sent, or a callback that was received. */
export type WebhookAttempt = {
  /** From 1; 0 for a callback. */
  number: number
  isCallback: boolean
  /** By name. Values that may be secret are replaced by [removed]. */
  requestHeaders: Record<string, unknown> | null
  beganAt: string | null
  /** Empty while it is in progress, or if the server was killed during the attempt. */
  endedAt: string | null
  /** The status of the response; 0 if there was none. For a callback: the status of the response to it. */
  status: number
  error: string
  /** By name. Values that may be secret are replaced by [removed]. */
  replyHeaders: Record<string, unknown> | null
  /** At most 16,384 characters; for a callback, its body. */
  replyBody: string
  /** The IP address that a callback came from. */
  sourceAddress: string
}

/** An answer to a delivery. A policy step is answered by one of approve, deny, reassign and replacePolicy; a provision step by complete or errored. */
export type WebhookCallbackRequest = {
  /** must be v1 */
  version: string
  approve: ResponsePolicyApprovalStepApprove | null
  deny: ResponsePolicyApprovalStepDeny | null
  reassign: ResponsePolicyApprovalStepReassign | null
  replacePolicy: ResponsePolicyApprovalReplacePolicy | null
  complete: ResponseProvisionStepComplete | null
  errored: ResponseProvisionStepErrored | null
}

/** One message to a webhook, and its outcome. */
export type WebhookDelivery = {
  /** The same for all attempts; it is also in the header Bailiwick-Delivery-Id. */
  id: string
  webhookId: string
  /** ERROR is retried; FATAL_ERROR is not. */
  state: 'WEBHOOK_STATE_UNSPECIFIED' | 'WEBHOOK_STATE_PENDING' | 'WEBHOOK_STATE_RUNNING' | 'WEBHOOK_STATE_ERROR' | 'WEBHOOK_STATE_WAITING_CALLBACK' | 'WEBHOOK_STATE_PROCESS_RESPONSE' | 'WEBHOOK_STATE_SUCCESS' | 'WEBHOOK_STATE_FATAL_ERROR'
  attempts: number
  source: WebhookSource | null
  spec: WebhookSpec | null
  createdAt: string | null
  updatedAt: string | null
  lastAttemptedAt: string | null
  completedAt: string | null
  expiresAt: string | null
  event: string
  nextAttemptAt: string | null
  /** Why the last attempt failed, or why the delivery ended. */
  error: string
  /** The answer of the webhook: approve, deny, reassign, replacePolicy, complete or errored. */
  outcome: string
  comment: string
}

export type WebhookDeliveryDetails = {
  /** The same for all attempts; it is also in the header Bailiwick-Delivery-Id. */
  id: string
  webhookId: string
  /** ERROR is retried; FATAL_ERROR is not. */
  state: 'WEBHOOK_STATE_UNSPECIFIED' | 'WEBHOOK_STATE_PENDING' | 'WEBHOOK_STATE_RUNNING' | 'WEBHOOK_STATE_ERROR' | 'WEBHOOK_STATE_WAITING_CALLBACK' | 'WEBHOOK_STATE_PROCESS_RESPONSE' | 'WEBHOOK_STATE_SUCCESS' | 'WEBHOOK_STATE_FATAL_ERROR'
  attempts: number
  source: WebhookSource | null
  spec: WebhookSpec | null
  createdAt: string | null
  updatedAt: string | null
  lastAttemptedAt: string | null
  completedAt: string | null
  expiresAt: string | null
  event: string
  nextAttemptAt: string | null
  /** Why the last attempt failed, or why the delivery ended. */
  error: string
  /** The answer of the webhook: approve, deny, reassign, replacePolicy, complete or errored. */
  outcome: string
  comment: string
  requestUrl: string
  /** The message, without the callback URL. */
  requestBody: string
  attemptList: WebhookAttempt[]
}

export type ResponsePolicyApprovalReplacePolicy = {
  comment: string
  policySteps: (Record<string, unknown> | null)[]
}

export type ResponsePolicyApprovalStepApprove = {
  comment: string
}

export type ResponsePolicyApprovalStepDeny = {
  comment: string
}

export type ResponsePolicyApprovalStepReassign = {
  comment: string
  newStepUserIds: string[]
}

export type ResponseProvisionStepComplete = {
  comment: string
}

export type ResponseProvisionStepErrored = {
  comment: string
}

/** An open-source connector and its settings. */
export type ConnectorCatalogEntry = {
  /** The catalogId of connectors. */
  id: string
  displayName: string
  /** What it reads. */
  reads: string[]
  /** What it grants and revokes; empty if it only reads. */
  provisions: string[]
  createsAccounts: boolean
  /** The name of its program. */
  command: string
  /** Its repository on GitHub, which also has its documentation and its releases. */
  repository: string
  settings: ConnectorSetting[]
  /** The ways to sign in to the app, if there are several. */
  groups: ConnectorSettingGroup[]
  /** The settings that every connector needs to call this server. */
  serviceSettings: ConnectorSetting[]
}

export type ConnectorCatalogServiceListResponse = {
  list: ConnectorCatalogEntry[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ConnectorCredentialSummary = {
  id: string
  clientId: string
  createdAt: string | null
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
}

/** A connector with its state and its last activity. */
export type ConnectorOverview = {
  id: string
  appId: string
  appName: string
  displayName: string
  description: string
  catalogId: string
  /** Whether this server runs it, as for apps that support SCIM. */
  isBuiltIn: boolean
  /** Whether it is connected: a silent connector has not called for 2 minutes, or its app did not respond to the last sync of this server. A paused one gets no tasks. */
  state: 'CONNECTOR_LIVE_STATE_UNSPECIFIED' | 'CONNECTOR_LIVE_STATE_NEVER_SEEN' | 'CONNECTOR_LIVE_STATE_CONNECTED' | 'CONNECTOR_LIVE_STATE_SILENT' | 'CONNECTOR_LIVE_STATE_PAUSED'
  lastSeenAt: string | null
  pausedAt: string | null
  createdAt: string | null
  nextSyncAt: string | null
  lastSync: ConnectorSync | null
  schedule: ConnectorSchedule | null
  program: ConnectorProgram | null
  /** The latest 10, newest first. Not in lists. */
  credentials: ConnectorCredentialSummary[]
}

export type ConnectorOverviewServiceGetResponse = {
  connector: ConnectorOverview | null
  /** The server's certificate in PEM, if it is self-signed and the connector must be configured to trust it. */
  selfSignedCertificate: string
}

export type ConnectorOverviewServiceListOfAppResponse = {
  list: ConnectorOverview[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ConnectorOverviewServiceListResponse = {
  list: ConnectorOverview[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

/** What a connector reports about itself. */
export type ConnectorProgram = {
  name: string
  package: string
  version: string
  /** The name and SDK version that it sends with each call. */
  agent: string
  os: string
  hostname: string
  /** What it can do: sync, provision, account_provisioning and others. */
  capabilities: string[]
  resourceTypes: ConnectorResourceTypeCapabilities[]
}

export type ConnectorResourceTypeCapabilities = {
  resourceType: string
  capabilities: string[]
}

export type ConnectorSchedule = {
  /** Empty if it syncs at a fixed interval. */
  cronSpec: string
  timezone: string
  everySeconds: number
}

export type ConnectorSetting = {
  name: string
  /** On the command line. */
  flag: string
  /** In the environment, instead of the flag. */
  environment: string
  description: string
  type: 'unspecified' | 'string' | 'bool' | 'int' | 'list'
  /** For a setting in a group: required if that group is used. */
  isRequired: boolean
  /** Set it where the connector runs; it is not stored. */
  isSecret: boolean
  example: string
}

export type ConnectorSettingGroup = {
  name: string
  displayName: string
  isDefault: boolean
  /** Names of settings. Use the settings of one group, and those without a group. */
  settings: string[]
}

/** One reading of an app by its connector. */
export type ConnectorSync = {
  id: string
  appId: string
  connectorId: string
  state: 'CONNECTOR_SYNC_STATE_UNSPECIFIED' | 'CONNECTOR_SYNC_STATE_QUEUED' | 'CONNECTOR_SYNC_STATE_RUNNING' | 'CONNECTOR_SYNC_STATE_IMPORTING' | 'CONNECTOR_SYNC_STATE_HELD' | 'CONNECTOR_SYNC_STATE_DONE' | 'CONNECTOR_SYNC_STATE_FAILED' | 'CONNECTOR_SYNC_STATE_CANCELLED'
  /** Who requested it; empty if it was due. */
  requestedByUserId: string
  /** The host of the connector that works or worked on it. */
  hostId: string
  attempts: number
  createdAt: string | null
  startedAt: string | null
  endedAt: string | null
  /** From startedAt to endedAt, or until now. */
  durationMs: string
  /** The size of the uploaded file. */
  fileBytes: string
  /** Whether someone confirmed it after it was held. */
  isConfirmed: boolean
  /** The import of this sync. */
  importId: string
  /** What the import added, changed and removed, by kind. */
  counts: ImportCounts[]
  /** What was skipped in the file. */
  notes: string[]
  /** Why it is held. */
  heldReason: string
  /** Why it failed, or is repeated. */
  error: string
  /** What to do about it. */
  advice: string
}

export type ConnectorSyncServiceGetResponse = {
  sync: ConnectorSync | null
}

export type ConnectorSyncServiceListResponse = {
  list: ConnectorSync[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type OwnedConnector = {
  appId: string
  appDisplayName: string
  connectorId: string
  displayName: string
}

export type OwnedConnectorServiceListResponse = {
  list: OwnedConnector[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ScimCheck = {
  isWorking: boolean
  /** What was found, or what failed. */
  message: string
  /** What to do about it. */
  advice: string
  userCount: number
  groupCount: number
  /** Whether members can be added and removed. */
  canProvision: boolean
}

/** The connection of this server to an app that supports SCIM. */
export type ScimConnection = {
  /** The URL without /Users and /Groups, as in https://app.example.com/scim/v2. */
  baseUrl: string
  /** When the token was last set. The token itself is never returned. */
  tokenUpdatedAt: string | null
  /** When accounts are removed, they are deleted in the app. Otherwise they are disabled (active: false). */
  deletesUsers: boolean
  /** Until when the app requested that no changes are sent. */
  waitUntil: string | null
}

export type ScimConnectorServiceCreateRequest = {
  displayName: string
  description: string
  /** The URL without /Users and /Groups, as in https://app.example.com/scim/v2. */
  baseUrl: string
  /** A bearer token of the app. It is stored encrypted and never returned. */
  token: string
  /** When accounts are removed, they are deleted in the app. Otherwise they are disabled (active: false). */
  deletesUsers: boolean
}

export type ScimConnectorServiceCreateResponse = {
  connectorView: ConnectorView | null
  expanded: (Record<string, unknown> | null)[]
}

export type ScimConnectorServiceGetResponse = {
  connection: ScimConnection | null
}

export type ScimConnectorServiceTestConnectionResponse = {
  check: ScimCheck | null
}

export type ScimConnectorServiceTestRequest = {
  /** The URL without /Users and /Groups, as in https://app.example.com/scim/v2. */
  baseUrl: string
  /** A bearer token of the app. It is stored encrypted and never returned. */
  token: string
}

export type ScimConnectorServiceTestResponse = {
  check: ScimCheck | null
}

/** Omitted fields are not changed. */
export type ScimConnectorServiceUpdateRequest = {
  /** The URL without /Users and /Groups, as in https://app.example.com/scim/v2. */
  baseUrl: string
  /** A bearer token of the app. It is stored encrypted and never returned. */
  token: string
  /** When accounts are removed, they are deleted in the app. Otherwise they are disabled (active: false). */
  deletesUsers: boolean
}

export type ScimConnectorServiceUpdateResponse = {
  connection: ScimConnection | null
}

export type AttributePrecedence = {
  /** displayName, email, username, employeeIds, department, jobTitle, employmentType, employmentStatus, manager, status, profile or profile.NAME. */
  attribute: string
  /** Directories whose values come first for this attribute. Others follow in the general order. */
  appIds: string[]
}

export type DirectoriesListConflictsResponse = {
  list: DirectoryConflict[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type DirectoriesListStatesResponse = {
  list: DirectoryState[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type Directory = {
  appId: string
  /** All of its accounts become users. */
  all: DirectoryAccountFilterAll | null
  /** Only the accounts that match become users. */
  celExpression: DirectoryAccountFilterCel | null
  mergeConfig: DirectoryMergeConfig | null
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type DirectoryAccountFilterAll = Record<never, never>

export type DirectoryAccountFilterCel = {
  expression: string
}

export type DirectoryConflict = {
  appUserId: string
  displayName: string
  email: string
  username: string
  /** NO_KEY, SEVERAL_USERS, SEVERAL_ACCOUNTS, EMAIL_TAKEN or FILTER_FAILED. */
  reason: string
  key: string
  userIds: string[]
  since: string | null
}

export type DirectoryMergeConfig = {
  /** Keys by which an account and a user are the same person, in order. If empty: by email address. */
  matchCases: DirectoryMergeMatchCase[]
}

export type DirectoryMergeMatchCase = {
  /** A CEL expression about the account, such as account.email. */
  appUserKeyCel: string
  /** A CEL expression about the user, such as subject.email. */
  userKeyCel: string
}

export type DirectoryPlanCounts = {
  created: number
  matched: number
  changed: number
  /** Accounts that are no longer part of the directory. */
  left: number
  disabled: number
  enabled: number
  conflicts: number
}

export type DirectoryPlanItem = {
  /** The account; empty if it is about a user only. */
  appUserId: string
  displayName: string
  outcome: 'DIRECTORY_OUTCOME_UNSPECIFIED' | 'DIRECTORY_OUTCOME_CREATE' | 'DIRECTORY_OUTCOME_MATCH' | 'DIRECTORY_OUTCOME_MOVE' | 'DIRECTORY_OUTCOME_CHANGE' | 'DIRECTORY_OUTCOME_LEAVE' | 'DIRECTORY_OUTCOME_CONFLICT'
  /** The user; empty for a user who would be created. */
  userId: string
  /** The key that matched, such as "key 1". */
  matchedBy: string
  /** The attributes that would change. */
  fields: string[]
  /** The user would be disabled. */
  isDisabled: boolean
  /** The user would be enabled. */
  isEnabled: boolean
  /** Why it is a conflict. */
  reason: string
  conflictingUserIds: string[]
}

export type DirectoryPlansApplyRequest = {
  fingerprint: string
  /** Apply it even if it disables more than 20% of at least 20 users. */
  disableMany: boolean
}

export type DirectoryPlansApplyResponse = {
  counts: DirectoryPlanCounts | null
}

export type DirectoryPlansCreateRequest = {
  /** The app. Empty for a change of precedence. */
  appId: string
  /** All accounts become users. This is the default. */
  all: DirectoryAccountFilterAll | null
  /** Only the accounts that match become users: a CEL expression about account. */
  celExpression: DirectoryAccountFilterCel | null
  mergeConfig: DirectoryMergeConfig | null
  /** The directory would be deleted. */
  delete: boolean
  /** The precedence would be changed to this. */
  precedence: DirectoryPrecedence | null
}

export type DirectoryPlansCreateResponse = {
  planId: string
  counts: DirectoryPlanCounts | null
  /** Identifies the change and everything that it would do. Required to apply it. */
  fingerprint: string
  /** It would disable so many users that applying it requires disableMany. */
  disablesTooMany: boolean
}

export type DirectoryPlansListItemsResponse = {
  list: DirectoryPlanItem[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type DirectoryPrecedence = {
  /** Directories in order of precedence, by app. Those that are not listed come last, oldest first. */
  order: string[]
  /** Attributes with their own order. */
  attributes: AttributePrecedence[]
}

export type DirectoryPrecedencesGetResponse = {
  precedence: DirectoryPrecedence | null
}

export type DirectoryPrecedencesSetRequest = {
  /** Directories in order of precedence, by app. Those that are not listed come last, oldest first. */
  order: string[]
  /** Attributes with their own order. */
  attributes: AttributePrecedence[]
}

export type DirectoryPrecedencesSetResponse = {
  precedence: DirectoryPrecedence | null
}

export type DirectoryServiceCreateRequest = {
  appId: string
  /** All accounts become users. This is the default. */
  all: DirectoryAccountFilterAll | null
  /** Only the accounts that match become users: a CEL expression about account. */
  celExpression: DirectoryAccountFilterCel | null
  mergeConfig: DirectoryMergeConfig | null
  expandMask: ExpandMask | null
}

export type DirectoryServiceCreateResponse = {
  directoryView: DirectoryView | null
  expanded: (Record<string, unknown> | null)[]
}

export type DirectoryServiceDeleteRequest = Record<never, never>

export type DirectoryServiceGetResponse = {
  directoryView: DirectoryView | null
  expanded: (Record<string, unknown> | null)[]
}

export type DirectoryServiceListResponse = {
  list: DirectoryView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type DirectoryServiceUpdateRequest = {
  /** All accounts become users. This is the default. */
  all: DirectoryAccountFilterAll | null
  /** Only the accounts that match become users: a CEL expression about account. */
  celExpression: DirectoryAccountFilterCel | null
  mergeConfig: DirectoryMergeConfig | null
  expandMask: ExpandMask | null
}

export type DirectoryServiceUpdateResponse = {
  directoryView: DirectoryView | null
  expanded: (Record<string, unknown> | null)[]
}

export type DirectoryState = {
  appId: string
  displayName: string
  usesScim: boolean
  /** When the accounts of its app last became users. Absent while a change waits for that, and for one that uses SCIM. */
  followedAt: string | null
  /** When the identity provider last sent something by SCIM. */
  lastRequestAt: string | null
  userCount: number
  activeUserCount: number
  /** Groups that the identity provider sent by SCIM. */
  groupCount: number
  /** Accounts that do not become users, or whose email address another user has. */
  conflictCount: number
  /** Users whose deactivation is held. */
  heldCount: number
  heldSince: string | null
  lastError: string
  lastErrorAt: string | null
  createdAt: string | null
}

export type DirectoryView = {
  directory: Directory | null
  appPath: string
}

export type HeldUser = {
  appUserId: string
  userId: string
  displayName: string
  /** The directory deleted the account instead of deactivating it. */
  isDeleted: boolean
  heldSince: string | null
}

export type ScimDirectoriesCreateRequest = {
  displayName: string
  /** Refuse users whose email address belongs to an existing user. */
  doNotLinkExistingUsers: boolean
  /** How long the token is valid. If absent, it never expires. */
  expires: string | null
}

export type ScimDirectoriesCreateResponse = {
  directory: ScimDirectory | null
  tokenInfo: ScimToken | null
  /** The token. It is shown only once. */
  token: string
}

export type ScimDirectoriesDeleteRequest = Record<never, never>

export type ScimDirectoriesGetResponse = {
  directory: ScimDirectory | null
}

export type ScimDirectoriesListResponse = {
  list: ScimDirectory[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ScimDirectoriesUpdateRequest = {
  linkExistingUsers: boolean
}

export type ScimDirectoriesUpdateResponse = {
  directory: ScimDirectory | null
}

/** An identity provider that sends its users and groups by SCIM 2.0. */
export type ScimDirectory = {
  /** The app whose accounts are its users. */
  appId: string
  displayName: string
  /** The SCIM base URL (or tenant URL) to enter at the identity provider. */
  baseUrl: string
  /** Existing users become its users, matched by email address. */
  linkExistingUsers: boolean
  userCount: number
  activeUserCount: number
  groupCount: number
  /** Users whose deactivation is held. */
  heldCount: number
  heldSince: string | null
  lastRequestAt: string | null
  lastErrorAt: string | null
  /** The message of the last refused request. */
  lastError: string
  createdAt: string | null
  updatedAt: string | null
}

export type ScimHeldConfirmRequest = Record<never, never>

export type ScimHeldConfirmResponse = {
  /** How many users were affected. */
  count: number
}

export type ScimHeldDismissRequest = Record<never, never>

export type ScimHeldDismissResponse = {
  /** How many users were affected. */
  count: number
}

export type ScimHeldListResponse = {
  list: HeldUser[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ScimToken = {
  id: string
  appId: string
  createdByUserId: string
  createdAt: string | null
  expiresAt: string | null
  lastUsedAt: string | null
}

export type ScimTokensCreateRequest = {
  /** How long the token is valid. If absent, it never expires. */
  expires: string | null
  /** How long the other tokens stay valid. If absent, they are not changed. */
  overlap: string | null
}

export type ScimTokensCreateResponse = {
  tokenInfo: ScimToken | null
  /** The token. It is shown only once. */
  token: string
}

export type ScimTokensListResponse = {
  list: ScimToken[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ScimTokensRevokeRequest = Record<never, never>

export type EditorMarker = {
  startLineNumber: number
  startColumn: number
  endLineNumber: number
  endColumn: number
  message: string
  severity: 'UNKNOWN' | 'HINT' | 'INFO' | 'WARNING' | 'ERROR'
}

export type AppResourceFilter = {
  appId: string
  resourceTypeId: string
}

export type AppUserFilter = {
  appId: string
}

export type AtLeastOne = Record<never, never>

export type BoolField = {
  checkboxField: CheckboxField | null
  defaultValue: boolean
  rules: BoolRules | null
  toggleField: ToggleField | null
}

export type C1UserFilter = {
  /** Who can be picked; everyone if it is empty. */
  userIds: string[]
  excludeUserIds: string[]
  includeDeactivated: boolean
}

export type CheckboxField = Record<never, never>

export type ChipsField = Record<never, never>

export type DateField = {
  defaultToToday: boolean
  maxDate: string
  maxDaysFromToday?: number
  minDate: string
  minDaysFromToday?: number
}

export type DependentOn = {
  dependencyFieldNames: string[]
}

export type Field = {
  /** The name of the answer; derived from displayName if absent. */
  name: string
  displayName: string
  description: string
  required: boolean
  readOnly: boolean
  stringField: StringField | null
  boolField: BoolField | null
  int64Field: Int64Field | null
  stringSliceField: StringSliceField | null
  stringMapField: StringMapField | null
  userConfig: UserProviderConfig | null
  /** Not supported: setting it is refused. */
  fileField: Record<string, unknown> | null
  /** Not supported: setting it is refused. */
  oauth2Field: Record<string, unknown> | null
  /** Not supported: setting it is refused. Use readOnly with a default value for an answer that requesters cannot change. */
  adminConfig: Record<string, unknown> | null
  /** Not supported: setting it is refused. Use a default value for an answer that requesters can change. */
  sharedConfig: Record<string, unknown> | null
}

export type FieldGroup = {
  default: boolean
  displayName: string
  fields: string[]
  helpText: string
  name: string
}

export type FieldRelationship = {
  fieldNames: string[]
  requiredTogether: RequiredTogether | null
  atLeastOne: AtLeastOne | null
  mutuallyExclusive: MutuallyExclusive | null
  dependentOn: DependentOn | null
}

export type FormForm = {
  id: string
  displayName: string
  description: string
  fields: Field[]
  fieldGroups: FieldGroup[]
  fieldRelationships: FieldRelationship[]
}

export type Int64Field = {
  defaultValue?: string
  numberField: NumberField | null
  placeholder: string
  rules: Int64Rules | null
}

export type MutuallyExclusive = Record<never, never>

export type NumberField = {
  maxValue?: string
  minValue?: string
  step?: string
}

export type PickerField = {
  c1UserPicker: C1UserFilter | null
  appUserPicker: AppUserFilter | null
  resourcePicker: AppResourceFilter | null
}

export type RequiredTogether = Record<never, never>

export type SelectField = {
  options: SelectOption[]
  type: 'SELECT_TYPE_UNSPECIFIED' | 'SELECT_TYPE_DROPDOWN' | 'SELECT_TYPE_RADIO' | 'SELECT_TYPE_BUTTONS'
}

export type SelectOption = {
  description: string
  displayName: string
  value: string
}

export type StringField = {
  dateField: DateField | null
  defaultValue: string
  /** Not supported: setting it is refused. Answers are shown to everyone who decides: do not ask for secrets. */
  passwordField: Record<string, unknown> | null
  /** The answer is the id of a user, an account or a resource. */
  pickerField: PickerField | null
  placeholder: string
  rules: StringRules | null
  selectField: SelectField | null
  textField: TextField | null
}

export type StringMapField = {
  defaultValue: Record<string, unknown> | null
  rules: StringMapRules | null
}

export type StringMapRules = {
  isRequired: boolean
  validateEmpty: boolean
}

export type StringSliceField = {
  chipsField: ChipsField | null
  defaultValues: string[]
  pickerField: PickerField | null
  placeholder: string
  rules: RepeatedRules | null
}

export type TextField = {
  multiline: boolean
  suffix?: string
}

export type ToggleField = Record<never, never>

export type UserProviderConfig = {
  /** Not supported: setting it is refused. */
  inputTransformationCel: string
}

export type Change = {
  taskId: string
  kind: string
  operation: string
  path: Record<string, unknown> | null
  body: Record<string, unknown> | null
  authorUserId: string
  plan: ChangeEffect[]
  /** Display names for the ids in the plan: users, roles, policies, apps and entitlements. */
  names: ChangeName[]
  createdAt: string | null
  carriedOutAt: string | null
}

export type ChangeEffect = {
  message: string
  activity: string
  resources: ChangeEffectResource[]
}

export type ChangeEffectResource = {
  type: string
  id: string
  name: string
  data: Record<string, unknown> | null
}

export type ChangeName = {
  id: string
  type: string
  displayName: string
}

export type ChangesGetResponse = {
  change: Change | null
}

export type FourEyesListResponse = {
  list: FourEyesRule[]
}

export type FourEyesRule = {
  kind: string
  displayName: string
  required: boolean
  policyId: string
  changedByUserId: string
  changedAt: string | null
}

export type FourEyesSetRequest = {
  required: boolean
  policyId: string
}

export type FourEyesSetResponse = {
  rule: FourEyesRule | null
}

export type GetRolesResponse = {
  role: Role | null
}

export type ListRolesResponse = {
  list: Role[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

/** An API credential. An empty scopedRoles means full permissions. */
export type PersonalClient = {
  id: string
  userId: string
  clientId: string
  displayName: string
  allowSourceCidr: string[]
  scopedRoles: string[]
  expiresTime: string | null
  lastUsedAt: string | null
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type PersonalClientSearchServiceSearchRequest = {
  query: string
  users: UserRef[]
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type PersonalClientSearchServiceSearchResponse = {
  list: PersonalClient[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type PersonalClientServiceCreateRequest = {
  displayName: string
  /** Seconds. */
  expires: string | null
  allowSourceCidr: string[]
  scopedRoles: string[]
}

export type PersonalClientServiceCreateResponse = {
  client: PersonalClient | null
  clientSecret: string
}

export type PersonalClientServiceDeleteRequest = Record<never, never>

export type PersonalClientServiceGetResponse = {
  client: PersonalClient | null
}

export type PersonalClientServiceListResponse = {
  list: PersonalClient[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type PersonalClientServiceUpdateRequest = {
  client: PersonalClient | null
  updateMask: string
}

export type PersonalClientServiceUpdateResponse = {
  client: PersonalClient | null
}

export type Role = {
  id: string
  name: string
  displayName: string
  permissions: string[]
  serviceRoles: string[]
  systemBuiltin: boolean
  systemApiOnly: boolean
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type UpdateRoleRequest = {
  role: Role | null
  updateMask: string
}

export type UpdateRolesResponse = {
  role: Role | null
}

/** An import, and its changes. */
export type Import = {
  id: string
  format: 'unspecified' | 'jsonl' | 'csv' | 'c1z'
  isFull: boolean
  isForced: boolean
  isDryRun: boolean
  /** Who imported it; empty for the operator's own command. */
  userId: string
  userName: string
  lineCount: string
  byteCount: string
  counts: ImportCounts[]
  /** Unknown fields of the file, such as user.shoeSize. They are ignored. */
  ignoredFields: string[]
  /** The app that a connector file was imported into; empty for other files. */
  appId: string
  /** What was skipped in a connector file. */
  notes: string[]
  startedAt: string | null
  finishedAt: string | null
}

export type ImportCounts = {
  kind: 'unspecified' | 'user' | 'app' | 'resource_type' | 'resource' | 'entitlement' | 'account' | 'grant'
  added: string
  changed: string
  unchanged: string
  removed: string
  /** Always 0: if a line is refused, the whole file is refused. */
  refused: string
}

export type ImportServiceCreateResponse = {
  import: Import | null
}

export type ImportServiceGetResponse = {
  import: Import | null
}

export type ImportServiceListResponse = {
  list: Import[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ConfigCheckboxField = {
  checked: boolean
}

export type ConfigField = {
  name: string
  displayName: string
  placeholder: string
  helpUrl: string
  str: ConfigStringField | null
  strList: ConfigStringListField | null
  checkbox: ConfigCheckboxField | null
}

export type ConfigFieldGroup = {
  name: string
  displayName: string
  helpText: string
  default: boolean
  fieldNames: string[]
}

export type ConfigSchema = {
  displayName: string
  helpUrl: string
  /** Always: connectors are programs that you run. */
  requiresExternalConnector: boolean
  fields: ConfigField[]
  fieldGroups: ConfigFieldGroup[]
}

export type ConfigStringField = {
  secret: boolean
}

export type ConfigStringListField = Record<never, never>

export type ConnectorCatalogServiceConfigurationSchemaRequest = {
  appId: string
  connectorId: string
  catalogId: string
}

export type ConnectorCatalogServiceConfigurationSchemaResponse = {
  schema: ConfigSchema | null
}

/** Background work. A job that is done is deleted. */
export type Job = {
  id: string
  kind: string
  /** What jobs of this kind are called. */
  title: string
  state: 'JOB_STATE_UNSPECIFIED' | 'JOB_STATE_WAITING' | 'JOB_STATE_RUNNING' | 'JOB_STATE_STUCK'
  /** The type of its object; empty if it is about the whole tenant. */
  subjectType: string
  subjectId: string
  /** Jobs of a kind in one lane run one after the other. */
  lane: string
  attempts: number
  /** Why the last attempt failed. */
  lastError: string
  createdAt: string | null
  /** When the last attempt began. */
  startedAt: string | null
  /** When a waiting job runs next. */
  runAt: string | null
  /** Until when a running job is reserved for its server, unless the server renews it. */
  leaseUntil: string | null
  /** No attempt begins after this time. */
  deadlineAt: string | null
  /** The operation that enqueued it. */
  causeOperation: string
  causeRequestId: string
  causeUserId: string
}

export type JobServiceDropRequestInput = Record<never, never>

export type JobServiceGetResponse = {
  job: Job | null
}

export type JobServiceListResponse = {
  list: Job[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type JobServiceRetryRequestInput = Record<never, never>

export type JobServiceRetryResponse = {
  job: Job | null
}

export type CountAccountsRequest = {
  query: string
  appId: string
  appIds: string[]
  appUserIds: string[]
  refs: AppUserRef[]
  excludeAppUserIds: string[]
  userIds: string[]
  appUserTypes: ('APP_USER_TYPE_UNSPECIFIED' | 'APP_USER_TYPE_USER' | 'APP_USER_TYPE_SERVICE_ACCOUNT' | 'APP_USER_TYPE_SYSTEM_ACCOUNT')[]
  appUserStatuses: ('STATUS_UNSPECIFIED' | 'STATUS_ENABLED' | 'STATUS_DISABLED' | 'STATUS_DELETED')[]
  /** EXTERNAL: a person's account that belongs to no user. */
  appUserDomains: ('APP_USER_DOMAIN_UNSPECIFIED' | 'APP_USER_DOMAIN_EXTERNAL' | 'APP_USER_DOMAIN_TRUSTED')[]
  /** Belongs to no user, and has no owner in any role. */
  withoutResponsibleParty: boolean
  excludeDeletedApps: boolean
  /** Only accounts that belong to a user, or only accounts without a user. */
  owner: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Only accounts with an email address in one of these domains. */
  emailDomains: string[]
  /** Only accounts created at or after this time. */
  createdAfter: string | null
  /** Only accounts created before this time. */
  createdBefore: string | null
}

export type CountAppsRequest = {
  query: string
  displayName: string
  appIds: string[]
  excludeAppIds: string[]
  onlyDirectories: boolean
  /** Only apps that are managed manually, or only apps that imports maintain. */
  source: 'APP_SOURCE_UNSPECIFIED' | 'APP_SOURCE_MANUAL' | 'APP_SOURCE_IMPORT'
  /** Only apps that one of these users owns. */
  ownerIds: string[]
  /** Only apps with an owner, or only those without. */
  owner: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
}

export type CountEntitlementsRequest = {
  query: string
  displayName: string
  alias: string
  appIds: string[]
  excludeAppIds: string[]
  refs: AppEntitlementRef[]
  excludedEntitlementRefs: AppEntitlementRef[]
  resourceIds: string[]
  resourceTypeIds: string[]
  excludeResourceTypeIds: string[]
  resourceTraitIds: string[]
  riskLevelIds: string[]
  complianceFrameworkIds: string[]
  /** Only entitlements that any of these accounts has. */
  appUserIds: string[]
  /** Only entitlements that none of these accounts has. */
  excludeAppUserIds: string[]
  /** Only entitlements with a grant that expires. */
  onlyGetExpiring: boolean
  /** Include deleted ones. */
  includeDeleted: boolean
  /** Granted by an automation rule. */
  isAutomated: boolean
  /** Only entitlements with any of these policies. */
  policyRefs: PolicyRef[]
  /** Only entitlements with any of these request schemas. */
  requestSchemaIds: string[]
  /** Only entitlements that this connector reports. */
  sourceConnectorId: string
  /** Only entitlements of one of these purposes. */
  purposes: ('APP_ENTITLEMENT_PURPOSE_VALUE_UNSPECIFIED' | 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT' | 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION' | 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP')[]
  /** Only entitlements of one of these kinds of membership: by their slug (member, owner, exclusion, admin); otherwise, those with the purpose assignment are of members, and those with the purpose ownership of owners. */
  membershipType: ('APP_ENTITLEMENT_MEMBERSHIP_TYPE_UNSPECIFIED' | 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_MEMBER' | 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_OWNER' | 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_EXCLUSION' | 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_ADMIN')[]
  /** Only entitlements that one of these users owns. The owners of an app own its entitlements that have no owners. */
  ownerIds: string[]
  /** Only entitlements with an owner, or only those without. The owners of an app own its entitlements that have no owners. */
  owner: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Only entitlements with an automation rule, or only those without. */
  rule: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Only entitlements in a published access profile, or only those in none. */
  requestable: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
}

export type CountGrantsRequest = {
  appId: string
  source: 'GRANT_SOURCE_UNSPECIFIED' | 'GRANT_SOURCE_MANUAL' | 'GRANT_SOURCE_IMPORT' | 'GRANT_SOURCE_RULE' | 'GRANT_SOURCE_REQUEST' | 'GRANT_SOURCE_PROFILE' | 'GRANT_SOURCE_DIRECTORY'
  /** Only grants that expire within this number of days; those that expire first are listed first. */
  endsWithinDays: number
  /** Only grants of users who are disabled or deleted. */
  isOfLeavers: boolean
}

export type CountImportsRequest = {
  /** Only imports of files of these formats. */
  formats: ('unspecified' | 'jsonl' | 'csv' | 'c1z')[]
  /** Only full imports, or only partial ones. */
  extent: 'unspecified' | 'full' | 'partial'
  /** Only imports by one of these users. */
  userIds: string[]
  /** Only imports that finished at or after this time. */
  finishedAfter: string | null
  /** Only imports that finished before this time. */
  finishedBefore: string | null
}

export type CountMembersRequest = {
  /** Access at this time; the current access by default. */
  asOf: string | null
  /** Only members whose name, username or email address contains this text. */
  query: string
  /** Only grants from one of these sources: manual, import, rule, request, profile, directory. */
  sources: string[]
  /** Only grants that expire, or only grants that do not. */
  expires: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Only members who are users with one of these statuses. */
  userStatuses: ('UNKNOWN' | 'ENABLED' | 'DISABLED' | 'DELETED')[]
}

export type CountResponse = {
  /** How many items the list has: 200000 at most. */
  count: number
  /** The list has more than 200000 items; counting stopped there. */
  isMore: boolean
}

export type CountRulesRequest = {
  appId: string
  state: 'RULE_STATE_UNSPECIFIED' | 'RULE_STATE_ACTIVE' | 'RULE_STATE_PAUSED' | 'RULE_STATE_FAILING'
}

export type CountRunsRequest = {
  /** Only runs with one of these statuses. */
  statuses: ('unspecified' | 'running' | 'held' | 'done' | 'failed' | 'cancelled' | 'superseded')[]
  /** Only runs that started for one of these reasons. */
  causes: ('unspecified' | 'saved' | 'change' | 'exclusion' | 'schedule' | 'hand' | 'apply' | 'release' | 'undo')[]
  /** Only runs that changed who has the entitlement, or only runs that did not. */
  changes: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
}

export type CountTasksRequest = {
  refs: TaskRef[]
  excludeIds: string[]
  applicationIds: string[]
  excludeApplicationIds: string[]
  appEntitlementIds: string[]
  excludeAppEntitlementIds: string[]
  appResourceIds: string[]
  appResourceTypeIds: string[]
  excludeAppResourceTypeIds: string[]
  appUserSubjectIds: string[]
  accessReviewIds: string[]
  subjectIds: string[]
  openerIds: string[]
  openerOrSubjectUserId: string
  assigneesInIds: string[]
  assignedOrStepApproverUserId: string
  myWorkUserIds: string[]
  previouslyActedOnIds: string[]
  actorId: string
  accountOwnerIds: string[]
  userEmploymentStatuses: string[]
  taskStates: ('TASK_STATE_UNSPECIFIED' | 'TASK_STATE_OPEN' | 'TASK_STATE_CLOSED')[]
  taskTypes: Type[]
  currentStep: 'TASK_SEARCH_CURRENT_STEP_UNSPECIFIED' | 'TASK_SEARCH_CURRENT_STEP_APPROVAL' | 'TASK_SEARCH_CURRENT_STEP_PROVISION'
  stepApprovalTypes: ('STEP_APPROVAL_TYPE_UNSPECIFIED' | 'STEP_APPROVAL_TYPE_USERS' | 'STEP_APPROVAL_TYPE_MANAGER' | 'STEP_APPROVAL_TYPE_APP_OWNERS' | 'STEP_APPROVAL_TYPE_GROUP' | 'STEP_APPROVAL_TYPE_SELF' | 'STEP_APPROVAL_TYPE_ENTITLEMENT_OWNERS' | 'STEP_APPROVAL_TYPE_EXPRESSION' | 'STEP_APPROVAL_TYPE_WEBHOOK' | 'STEP_APPROVAL_TYPE_RESOURCE_OWNERS' | 'STEP_APPROVAL_TYPE_AGENT')[]
  grantOutcomes: ('GRANT_OUTCOME_UNSPECIFIED' | 'GRANT_OUTCOME_GRANTED' | 'GRANT_OUTCOME_DENIED' | 'GRANT_OUTCOME_ERROR' | 'GRANT_OUTCOME_CANCELLED' | 'GRANT_OUTCOME_WAIT_TIMED_OUT')[]
  revokeOutcomes: ('REVOKE_OUTCOME_UNSPECIFIED' | 'REVOKE_OUTCOME_REVOKED' | 'REVOKE_OUTCOME_DENIED' | 'REVOKE_OUTCOME_ERROR' | 'REVOKE_OUTCOME_CANCELLED' | 'REVOKE_OUTCOME_WAIT_TIMED_OUT')[]
  certifyOutcomes: ('CERTIFY_OUTCOME_UNSPECIFIED' | 'CERTIFY_OUTCOME_CERTIFIED' | 'CERTIFY_OUTCOME_DECERTIFIED' | 'CERTIFY_OUTCOME_ERROR' | 'CERTIFY_OUTCOME_CANCELLED' | 'CERTIFY_OUTCOME_WAIT_TIMED_OUT')[]
  emergencyStatus: 'UNSPECIFIED' | 'ALL' | 'NON_EMERGENCY' | 'EMERGENCY'
  accountTypes: ('APP_USER_TYPE_UNSPECIFIED' | 'APP_USER_TYPE_USER' | 'APP_USER_TYPE_SERVICE_ACCOUNT' | 'APP_USER_TYPE_SYSTEM_ACCOUNT')[]
  accountStatuses: ('STATUS_UNSPECIFIED' | 'STATUS_ENABLED' | 'STATUS_DISABLED' | 'STATUS_DELETED')[]
  /** Only tasks whose current step requires a reason to approve. */
  requireApprovalReason: boolean
  /** Only tasks whose current step requires a reason to deny. */
  requireDenialReason: boolean
  /** Only tasks with a step that waits for people, or only tasks without one. */
  pendingActionFilter: 'PENDING_ACTION_FILTER_UNSPECIFIED' | 'PENDING_ACTION_FILTER_WITH_PENDING' | 'PENDING_ACTION_FILTER_WITHOUT_PENDING'
  /** Only stuck tasks. The annotations of a task have the reason. */
  stuckOnly: boolean
  includeDeleted: boolean
  createdAfter: string | null
  createdBefore: string | null
  outcomeAfter: string | null
  outcomeBefore: string | null
  /** Seconds. */
  olderThanDuration: string | null
  /** With myWorkUserIds: also the tasks that these users acted on after this time. */
  includeActedAfter: string | null
  query: string
}

export type CountUsersRequest = {
  query: string
  email: string
  ids: string[]
  refs: UserRef[]
  excludeIds: string[]
  departments: string[]
  jobTitles: string[]
  managerIds: string[]
  roleIds: string[]
  origins: ('USER_ORIGIN_UNSPECIFIED' | 'USER_ORIGIN_DIRECTORY' | 'USER_ORIGIN_LOCAL' | 'USER_ORIGIN_SYSTEM')[]
  excludeOrigins: ('USER_ORIGIN_UNSPECIFIED' | 'USER_ORIGIN_DIRECTORY' | 'USER_ORIGIN_LOCAL' | 'USER_ORIGIN_SYSTEM')[]
  types: ('USER_TYPE_UNSPECIFIED' | 'USER_TYPE_SYSTEM' | 'USER_TYPE_HUMAN' | 'USER_TYPE_SERVICE' | 'USER_TYPE_AGENT')[]
  excludeTypes: ('USER_TYPE_UNSPECIFIED' | 'USER_TYPE_SYSTEM' | 'USER_TYPE_HUMAN' | 'USER_TYPE_SERVICE' | 'USER_TYPE_AGENT')[]
  userStatuses: ('UNKNOWN' | 'ENABLED' | 'DISABLED' | 'DELETED')[]
  delegateStatus: 'DELEGATE_STATUS_UNSPECIFIED' | 'DELEGATE_STATUS_HAS_DELEGATE' | 'DELEGATE_STATUS_NO_DELEGATE'
  delegatedUserIds: string[]
  isDelegate: boolean
  /** Only users with one of these employment statuses. */
  employmentStatuses: string[]
  /** Only users who have an account in one of these directories. */
  directoryIds: string[]
  /** Only users who have access in any app, or only users who have none. */
  access: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Only users created at or after this time. */
  createdAfter: string | null
  /** Only users created before this time. */
  createdBefore: string | null
}

export type ExportAccountsRequest = {
  query: string
  appId: string
  appIds: string[]
  appUserIds: string[]
  refs: AppUserRef[]
  excludeAppUserIds: string[]
  userIds: string[]
  appUserTypes: ('APP_USER_TYPE_UNSPECIFIED' | 'APP_USER_TYPE_USER' | 'APP_USER_TYPE_SERVICE_ACCOUNT' | 'APP_USER_TYPE_SYSTEM_ACCOUNT')[]
  appUserStatuses: ('STATUS_UNSPECIFIED' | 'STATUS_ENABLED' | 'STATUS_DISABLED' | 'STATUS_DELETED')[]
  /** EXTERNAL: a person's account that belongs to no user. */
  appUserDomains: ('APP_USER_DOMAIN_UNSPECIFIED' | 'APP_USER_DOMAIN_EXTERNAL' | 'APP_USER_DOMAIN_TRUSTED')[]
  /** Belongs to no user, and has no owner in any role. */
  withoutResponsibleParty: boolean
  excludeDeletedApps: boolean
  sortBy: 'APP_USER_SEARCH_SORT_BY_UNSPECIFIED' | 'APP_USER_SEARCH_SORT_BY_APP'
  /** Only accounts that belong to a user, or only accounts without a user. */
  owner: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Only accounts with an email address in one of these domains. */
  emailDomains: string[]
  /** Only accounts created at or after this time. */
  createdAfter: string | null
  /** Only accounts created before this time. */
  createdBefore: string | null
  /** Sort by one of: name, username, email, owner, type, status, created. Add " desc" for descending order. The default order applies if unset. */
  orderBy: string
  /** csv: the columns of the list in the console, in UTF-8 with a byte order mark. json: an array of the items as the list operation returns them. */
  format: 'csv' | 'json'
}

export type ExportAppsRequest = {
  query: string
  displayName: string
  appIds: string[]
  excludeAppIds: string[]
  onlyDirectories: boolean
  /** Only apps that are managed manually, or only apps that imports maintain. */
  source: 'APP_SOURCE_UNSPECIFIED' | 'APP_SOURCE_MANUAL' | 'APP_SOURCE_IMPORT'
  /** Only apps that one of these users owns. */
  ownerIds: string[]
  /** Only apps with an owner, or only those without. */
  owner: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Sort by one of: name, source, members, created. Add " desc" for descending order. The default order applies if unset. */
  orderBy: string
  /** csv: the columns of the list in the console, in UTF-8 with a byte order mark. json: an array of the items as the list operation returns them. */
  format: 'csv' | 'json'
}

export type ExportEntitlementsRequest = {
  query: string
  displayName: string
  alias: string
  appIds: string[]
  excludeAppIds: string[]
  refs: AppEntitlementRef[]
  excludedEntitlementRefs: AppEntitlementRef[]
  resourceIds: string[]
  resourceTypeIds: string[]
  excludeResourceTypeIds: string[]
  resourceTraitIds: string[]
  riskLevelIds: string[]
  complianceFrameworkIds: string[]
  /** Only entitlements that any of these accounts has. */
  appUserIds: string[]
  /** Only entitlements that none of these accounts has. */
  excludeAppUserIds: string[]
  /** Only entitlements with a grant that expires. */
  onlyGetExpiring: boolean
  /** Include deleted ones. */
  includeDeleted: boolean
  /** Granted by an automation rule. */
  isAutomated: boolean
  /** Only entitlements with any of these policies. */
  policyRefs: PolicyRef[]
  /** Only entitlements with any of these request schemas. */
  requestSchemaIds: string[]
  /** Only entitlements that this connector reports. */
  sourceConnectorId: string
  /** Only entitlements of one of these purposes. */
  purposes: ('APP_ENTITLEMENT_PURPOSE_VALUE_UNSPECIFIED' | 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT' | 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION' | 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP')[]
  /** Only entitlements of one of these kinds of membership: by their slug (member, owner, exclusion, admin); otherwise, those with the purpose assignment are of members, and those with the purpose ownership of owners. */
  membershipType: ('APP_ENTITLEMENT_MEMBERSHIP_TYPE_UNSPECIFIED' | 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_MEMBER' | 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_OWNER' | 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_EXCLUSION' | 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_ADMIN')[]
  /** Only entitlements that one of these users owns. The owners of an app own its entitlements that have no owners. */
  ownerIds: string[]
  /** Only entitlements with an owner, or only those without. The owners of an app own its entitlements that have no owners. */
  owner: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Only entitlements with an automation rule, or only those without. */
  rule: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Only entitlements in a published access profile, or only those in none. */
  requestable: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Sort by one of: name, app, resource, resourceType, purpose, risk, duration, members, created. Add " desc" for descending order. The default order applies if unset. */
  orderBy: string
  /** csv: the columns of the list in the console, in UTF-8 with a byte order mark. json: an array of the items as the list operation returns them. */
  format: 'csv' | 'json'
}

export type ExportGrantsRequest = {
  appId: string
  source: 'GRANT_SOURCE_UNSPECIFIED' | 'GRANT_SOURCE_MANUAL' | 'GRANT_SOURCE_IMPORT' | 'GRANT_SOURCE_RULE' | 'GRANT_SOURCE_REQUEST' | 'GRANT_SOURCE_PROFILE' | 'GRANT_SOURCE_DIRECTORY'
  /** Only grants that expire within this number of days; those that expire first are listed first. */
  endsWithinDays: number
  /** Only grants of users who are disabled or deleted. */
  isOfLeavers: boolean
  /** Sort by one of: granted, expires, entitlement, app, user. Add " desc" for descending order. The default order applies if unset. */
  orderBy: string
  /** csv: the columns of the list in the console, in UTF-8 with a byte order mark. json: an array of the items as the list operation returns them. */
  format: 'csv' | 'json'
}

export type ExportImportsRequest = {
  /** Only imports of files of these formats. */
  formats: ('unspecified' | 'jsonl' | 'csv' | 'c1z')[]
  /** Only full imports, or only partial ones. */
  extent: 'unspecified' | 'full' | 'partial'
  /** Only imports by one of these users. */
  userIds: string[]
  /** Only imports that finished at or after this time. */
  finishedAfter: string | null
  /** Only imports that finished before this time. */
  finishedBefore: string | null
  /** Sort by one of: finished, by, format, lines. Add " desc" for descending order. The default order applies if unset. */
  orderBy: string
  /** csv: the columns of the list in the console, in UTF-8 with a byte order mark. json: an array of the items as the list operation returns them. */
  format: 'csv' | 'json'
}

export type ExportMembersRequest = {
  /** Access at this time; the current access by default. */
  asOf: string | null
  /** Only members whose name, username or email address contains this text. */
  query: string
  /** Only grants from one of these sources: manual, import, rule, request, profile, directory. */
  sources: string[]
  /** Only grants that expire, or only grants that do not. */
  expires: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Only members who are users with one of these statuses. */
  userStatuses: ('UNKNOWN' | 'ENABLED' | 'DISABLED' | 'DELETED')[]
  /** Sort by one of: name, account, granted, expires. Add " desc" for descending order. The default order applies if unset. */
  orderBy: string
  /** csv: the columns of the list in the console, in UTF-8 with a byte order mark. json: an array of the items as the list operation returns them. */
  format: 'csv' | 'json'
}

export type ExportRulesRequest = {
  appId: string
  state: 'RULE_STATE_UNSPECIFIED' | 'RULE_STATE_ACTIVE' | 'RULE_STATE_PAUSED' | 'RULE_STATE_FAILING'
  /** Sort by one of: name, entitlement, app, state, run, added, removed, updated. Add " desc" for descending order. The default order applies if unset. */
  orderBy: string
  /** csv: the columns of the list in the console, in UTF-8 with a byte order mark. json: an array of the items as the list operation returns them. */
  format: 'csv' | 'json'
}

export type ExportRunsRequest = {
  /** Only runs with one of these statuses. */
  statuses: ('unspecified' | 'running' | 'held' | 'done' | 'failed' | 'cancelled' | 'superseded')[]
  /** Only runs that started for one of these reasons. */
  causes: ('unspecified' | 'saved' | 'change' | 'exclusion' | 'schedule' | 'hand' | 'apply' | 'release' | 'undo')[]
  /** Only runs that changed who has the entitlement, or only runs that did not. */
  changes: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Sort by one of: started, cause, version, status, matched, excluded, failed, added, removed. Add " desc" for descending order. The default order applies if unset. */
  orderBy: string
  /** csv: the columns of the list in the console, in UTF-8 with a byte order mark. json: an array of the items as the list operation returns them. */
  format: 'csv' | 'json'
}

export type ExportTasksRequest = {
  refs: TaskRef[]
  excludeIds: string[]
  applicationIds: string[]
  excludeApplicationIds: string[]
  appEntitlementIds: string[]
  excludeAppEntitlementIds: string[]
  appResourceIds: string[]
  appResourceTypeIds: string[]
  excludeAppResourceTypeIds: string[]
  appUserSubjectIds: string[]
  accessReviewIds: string[]
  subjectIds: string[]
  openerIds: string[]
  openerOrSubjectUserId: string
  assigneesInIds: string[]
  assignedOrStepApproverUserId: string
  myWorkUserIds: string[]
  previouslyActedOnIds: string[]
  actorId: string
  accountOwnerIds: string[]
  userEmploymentStatuses: string[]
  taskStates: ('TASK_STATE_UNSPECIFIED' | 'TASK_STATE_OPEN' | 'TASK_STATE_CLOSED')[]
  taskTypes: Type[]
  currentStep: 'TASK_SEARCH_CURRENT_STEP_UNSPECIFIED' | 'TASK_SEARCH_CURRENT_STEP_APPROVAL' | 'TASK_SEARCH_CURRENT_STEP_PROVISION'
  stepApprovalTypes: ('STEP_APPROVAL_TYPE_UNSPECIFIED' | 'STEP_APPROVAL_TYPE_USERS' | 'STEP_APPROVAL_TYPE_MANAGER' | 'STEP_APPROVAL_TYPE_APP_OWNERS' | 'STEP_APPROVAL_TYPE_GROUP' | 'STEP_APPROVAL_TYPE_SELF' | 'STEP_APPROVAL_TYPE_ENTITLEMENT_OWNERS' | 'STEP_APPROVAL_TYPE_EXPRESSION' | 'STEP_APPROVAL_TYPE_WEBHOOK' | 'STEP_APPROVAL_TYPE_RESOURCE_OWNERS' | 'STEP_APPROVAL_TYPE_AGENT')[]
  grantOutcomes: ('GRANT_OUTCOME_UNSPECIFIED' | 'GRANT_OUTCOME_GRANTED' | 'GRANT_OUTCOME_DENIED' | 'GRANT_OUTCOME_ERROR' | 'GRANT_OUTCOME_CANCELLED' | 'GRANT_OUTCOME_WAIT_TIMED_OUT')[]
  revokeOutcomes: ('REVOKE_OUTCOME_UNSPECIFIED' | 'REVOKE_OUTCOME_REVOKED' | 'REVOKE_OUTCOME_DENIED' | 'REVOKE_OUTCOME_ERROR' | 'REVOKE_OUTCOME_CANCELLED' | 'REVOKE_OUTCOME_WAIT_TIMED_OUT')[]
  certifyOutcomes: ('CERTIFY_OUTCOME_UNSPECIFIED' | 'CERTIFY_OUTCOME_CERTIFIED' | 'CERTIFY_OUTCOME_DECERTIFIED' | 'CERTIFY_OUTCOME_ERROR' | 'CERTIFY_OUTCOME_CANCELLED' | 'CERTIFY_OUTCOME_WAIT_TIMED_OUT')[]
  emergencyStatus: 'UNSPECIFIED' | 'ALL' | 'NON_EMERGENCY' | 'EMERGENCY'
  accountTypes: ('APP_USER_TYPE_UNSPECIFIED' | 'APP_USER_TYPE_USER' | 'APP_USER_TYPE_SERVICE_ACCOUNT' | 'APP_USER_TYPE_SYSTEM_ACCOUNT')[]
  accountStatuses: ('STATUS_UNSPECIFIED' | 'STATUS_ENABLED' | 'STATUS_DISABLED' | 'STATUS_DELETED')[]
  /** Only tasks whose current step requires a reason to approve. */
  requireApprovalReason: boolean
  /** Only tasks whose current step requires a reason to deny. */
  requireDenialReason: boolean
  /** Only tasks with a step that waits for people, or only tasks without one. */
  pendingActionFilter: 'PENDING_ACTION_FILTER_UNSPECIFIED' | 'PENDING_ACTION_FILTER_WITH_PENDING' | 'PENDING_ACTION_FILTER_WITHOUT_PENDING'
  /** Only stuck tasks. The annotations of a task have the reason. */
  stuckOnly: boolean
  includeDeleted: boolean
  createdAfter: string | null
  createdBefore: string | null
  outcomeAfter: string | null
  outcomeBefore: string | null
  /** Seconds. */
  olderThanDuration: string | null
  /** With myWorkUserIds: also the tasks that these users acted on after this time. */
  includeActedAfter: string | null
  query: string
  sortBy: 'TASK_SEARCH_SORT_BY_UNSPECIFIED' | 'TASK_SEARCH_SORT_BY_ACCOUNT' | 'TASK_SEARCH_SORT_BY_RESOURCE' | 'TASK_SEARCH_SORT_BY_ACCOUNT_OWNER' | 'TASK_SEARCH_SORT_BY_REVERSE_TICKET_ID' | 'TASK_SEARCH_SORT_BY_TICKET_ID' | 'TASK_SEARCH_SORT_BY_CREATED_AT' | 'TASK_SEARCH_SORT_BY_REVERSE_CREATED_AT' | 'TASK_SEARCH_SORT_BY_APP_RESOURCE_ID_AND_APP_ENTITLEMENT'
  /** Sort by one of: created, updated, name, person, kind, state. Add " desc" for descending order. The default order applies if unset. */
  orderBy: string
  /** csv: the columns of the list in the console, in UTF-8 with a byte order mark. json: an array of the items as the list operation returns them. */
  format: 'csv' | 'json'
}

export type ExportUsersRequest = {
  query: string
  email: string
  ids: string[]
  refs: UserRef[]
  excludeIds: string[]
  departments: string[]
  jobTitles: string[]
  managerIds: string[]
  roleIds: string[]
  origins: ('USER_ORIGIN_UNSPECIFIED' | 'USER_ORIGIN_DIRECTORY' | 'USER_ORIGIN_LOCAL' | 'USER_ORIGIN_SYSTEM')[]
  excludeOrigins: ('USER_ORIGIN_UNSPECIFIED' | 'USER_ORIGIN_DIRECTORY' | 'USER_ORIGIN_LOCAL' | 'USER_ORIGIN_SYSTEM')[]
  types: ('USER_TYPE_UNSPECIFIED' | 'USER_TYPE_SYSTEM' | 'USER_TYPE_HUMAN' | 'USER_TYPE_SERVICE' | 'USER_TYPE_AGENT')[]
  excludeTypes: ('USER_TYPE_UNSPECIFIED' | 'USER_TYPE_SYSTEM' | 'USER_TYPE_HUMAN' | 'USER_TYPE_SERVICE' | 'USER_TYPE_AGENT')[]
  userStatuses: ('UNKNOWN' | 'ENABLED' | 'DISABLED' | 'DELETED')[]
  delegateStatus: 'DELEGATE_STATUS_UNSPECIFIED' | 'DELEGATE_STATUS_HAS_DELEGATE' | 'DELEGATE_STATUS_NO_DELEGATE'
  delegatedUserIds: string[]
  isDelegate: boolean
  /** Only users with one of these employment statuses. */
  employmentStatuses: string[]
  /** Only users who have an account in one of these directories. */
  directoryIds: string[]
  /** Only users who have access in any app, or only users who have none. */
  access: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Only users created at or after this time. */
  createdAfter: string | null
  /** Only users created before this time. */
  createdBefore: string | null
  /** Sort by one of: name, email, jobTitle, department, employmentStatus, type, status, created. Add " desc" for descending order. The default order applies if unset. */
  orderBy: string
  /** csv: the columns of the list in the console, in UTF-8 with a byte order mark. json: an array of the items as the list operation returns them. */
  format: 'csv' | 'json'
}

/** A named list with its search, filters and order. */
export type SavedView = {
  id: string
  /** The path of the page in the console. For example /users. */
  page: string
  /** The name. */
  name: string
  /** The query string of the page: its search, filters and order. For example status=DISABLED&sort=-created. */
  query: string
  /** Everyone in the organization can see it. Requires the permission views.share. */
  isShared: boolean
  /** Who saved it. */
  userId: string
  /** The caller may change and delete it. */
  mayChange: boolean
  createdAt: string | null
  updatedAt: string | null
}

export type SavedViewServiceCreateRequest = {
  /** The path of the page in the console. For example /users. */
  page: string
  /** The name. */
  name: string
  /** The query string of the page: its search, filters and order. For example status=DISABLED&sort=-created. */
  query: string
  /** Everyone in the organization can see it. Requires the permission views.share. */
  isShared: boolean
}

export type SavedViewServiceCreateResponse = {
  view: SavedView | null
}

export type SavedViewServiceDeleteRequest = Record<never, never>

export type SavedViewServiceListResponse = {
  list: SavedView[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SavedViewServiceUpdateRequest = {
  view: SavedView
  updateMask: string
}

export type SavedViewServiceUpdateResponse = {
  view: SavedView | null
}

export type Accept = {
  acceptMessage: string
}

export type AcceptInstance = {
  acceptMessage: string
}

export type AppEntitlementReference = {
  appId: string
  appEntitlementId: string
}

export type AppGroupApproval = {
  appId: string
  appGroupId: string
  allowSelfApproval: boolean
  requireDistinctApprovers: boolean
  fallback: boolean
  fallbackUserIds: string[]
  isGroupFallbackEnabled: boolean
  fallbackGroupIds: AppEntitlementReference[]
}

export type AppOwnerApproval = {
  allowSelfApproval: boolean
  requireDistinctApprovers: boolean
}

export type AppOwnerProvisioner = {
  allowReassignment: boolean
  fallbackUserIds: string[]
}

export type Approval = {
  users: UserApproval | null
  manager: ManagerApproval | null
  appOwners: AppOwnerApproval | null
  group: AppGroupApproval | null
  self: SelfApproval | null
  entitlementOwners: EntitlementOwnerApproval | null
  resourceOwners: ResourceOwnerApproval | null
  expression: ExpressionApproval | null
  webhook: WebhookApproval | null
  /** Not supported: setting it is refused. */
  agent: Record<string, unknown> | null
  allowReassignment: boolean
  allowedReassignees: string[]
  allowDelegation: boolean
  requireApprovalReason: boolean
  requireDenialReason: boolean
  requireReassignmentReason: boolean
  /** Not supported: setting it is refused. */
  requiresStepUpProviderId: string
  assigned: boolean
  escalationEnabled: boolean
  escalation: Escalation | null
}

export type ApprovalInstance = {
  approval: Approval | null
  state: 'APPROVAL_INSTANCE_STATE_UNSPECIFIED' | 'APPROVAL_INSTANCE_STATE_INIT' | 'APPROVAL_INSTANCE_STATE_SENDING_NOTIFICATIONS' | 'APPROVAL_INSTANCE_STATE_WAITING' | 'APPROVAL_INSTANCE_STATE_DONE'
  approved: ApprovedAction | null
  denied: DeniedAction | null
  reassigned: ReassignedAction | null
  restarted: RestartAction | null
  reassignedByError: ReassignedByErrorAction | null
  skipped: SkippedAction | null
  assignedAt?: string
  escalationInstance: EscalationInstance | null
}

export type ApprovedAction = {
  approvedAt: string | null
  entitlements: AppEntitlementReference[]
  stepUpTransactionId: string
  userId: string
}

export type CancelledAction = {
  cancelledAt: string | null
  cancelledByUserId: string
}

export type CompletedAction = {
  completedAt: string | null
  entitlements: AppEntitlementReference[]
  userId: string
}

export type ConnectorProvision = {
  defaultBehavior: DefaultBehavior | null
  /** Not supported: setting it is refused. Accounts are created as needed. Set accountProfile in the provisioning settings of the connector. */
  account: Record<string, unknown> | null
  /** Not supported: setting it is refused. Set deletesAccounts in the provisioning settings of the connector. */
  deleteAccount: Record<string, unknown> | null
}

export type DefaultBehavior = {
  /** A connector of the app; by default, one of those that report the entitlement and can provision it. */
  connectorId: string
}

export type CreatePolicyRequest = {
  policyType: 'POLICY_TYPE_GRANT' | 'POLICY_TYPE_REVOKE' | 'POLICY_TYPE_CERTIFY' | 'POLICY_TYPE_ACCESS_REQUEST' | 'POLICY_TYPE_PROVISION'
  displayName: string
  description: string
  /** Lists of steps by key. The key grant, revoke or certify contains those that apply if no rule matches. */
  policySteps: Record<string, unknown> | null
  rules: Rule[]
  postActions: PolicyPostActions[]
  baselinePolicyId: string
  annotations: Record<string, unknown>
  /** Not supported: setting it is refused. */
  reassignTasksToDelegates: boolean
  scope: PolicyScope | null
}

export type CreatePolicyResponse = {
  policy: Policy | null
}

export type DelegatedProvision = {
  appId: string
  entitlementId: string
  implicit: boolean
}

export type DeletePolicyRequestInput = Record<never, never>

export type DeniedAction = {
  deniedAt: string | null
  userId: string
}

export type PolicyEditorValidateRequest = {
  text: string
}

export type PolicyEditorValidateResponse = {
  markers: EditorMarker[]
}

export type EntitlementOwnerApproval = {
  allowSelfApproval: boolean
  requireDistinctApprovers: boolean
  fallback: boolean
  fallbackUserIds: string[]
  isGroupFallbackEnabled: boolean
  fallbackGroupIds: AppEntitlementReference[]
}

export type EntitlementOwnerProvisioner = {
  allowReassignment: boolean
  fallbackUserIds: string[]
}

export type ErroredAction = {
  description: string
  errorCode: string
  erroredAt: string | null
}

export type Escalation = {
  /** Seconds after which the step is escalated. */
  expiration: string
  escalationComment: string
  replacePolicy: ReplacePolicy | null
  reassignToApprovers: ReassignToApprovers | null
  cancelTicket: CancelTicket | null
  skipStep: SkipStep | null
}

export type CancelTicket = Record<never, never>

export type ReassignToApprovers = {
  approverIds: string[]
}

export type ReplacePolicy = {
  policyId: string
}

export type SkipStep = Record<never, never>

export type EscalationInstance = {
  alreadyEscalated: boolean
  escalationComment: string
  expiresAt: string | null
}

export type ExpressionApproval = {
  expressions: string[]
  allowSelfApproval: boolean
  requireDistinctApprovers: boolean
  fallback: boolean
  fallbackUserIds: string[]
  isGroupFallbackEnabled: boolean
  fallbackGroupIds: AppEntitlementReference[]
  assignedUserIds: string[]
}

export type ExpressionProvisioner = {
  expressions: string[]
  allowReassignment: boolean
  fallbackUserIds: string[]
}

export type PolicyForm = {
  form: Record<string, unknown> | null
}

export type FormCompletedAction = {
  completedAt: string | null
  userId: string
}

export type FormInstance = {
  form: Record<string, unknown> | null
  data: Record<string, unknown> | null
  completed: FormCompletedAction | null
  restarted: RestartAction | null
  reassigned: ReassignedAction | null
  skipped: SkippedAction | null
  state: 'FORM_INSTANCE_STATE_UNSPECIFIED' | 'FORM_INSTANCE_STATE_WAITING' | 'FORM_INSTANCE_STATE_DONE'
}

export type GetPolicyResponse = {
  policy: Policy | null
}

export type GroupProvisioner = {
  appId: string
  appGroupId: string
  allowReassignment: boolean
  fallbackUserIds: string[]
}

export type ListPolicyResponse = {
  list: Policy[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ManagerApproval = {
  allowSelfApproval: boolean
  requireDistinctApprovers: boolean
  fallback: boolean
  fallbackUserIds: string[]
  isGroupFallbackEnabled: boolean
  fallbackGroupIds: AppEntitlementReference[]
  assignedUserIds: string[]
}

export type ManagerProvisioner = {
  allowReassignment: boolean
  fallbackUserIds: string[]
}

export type ManualProvision = {
  instructions: string
  assignee?: Assignee
  userIds: string[]
}

export type Assignee = {
  users: UserProvisioner | null
  appOwners: AppOwnerProvisioner | null
  group: GroupProvisioner | null
  manager: ManagerProvisioner | null
  expression: ExpressionProvisioner | null
  entitlementOwners: EntitlementOwnerProvisioner | null
}

export type MultiStep = {
  provisionSteps: ProvisionPolicyStep[]
}

/** Who decides about access, in which steps. */
export type Policy = {
  id: string
  policyType: 'POLICY_TYPE_UNSPECIFIED' | 'POLICY_TYPE_GRANT' | 'POLICY_TYPE_REVOKE' | 'POLICY_TYPE_CERTIFY' | 'POLICY_TYPE_ACCESS_REQUEST' | 'POLICY_TYPE_PROVISION'
  displayName: string
  description: string
  /** Lists of steps by key. The key grant, revoke or certify contains those that apply if no rule matches. */
  policySteps: Record<string, unknown> | null
  rules: Rule[]
  postActions: PolicyPostActions[]
  baselinePolicyId: string
  annotations: Record<string, unknown>
  /** Not supported: setting it is refused. */
  reassignTasksToDelegates: boolean
  scope: PolicyScope | null
  systemBuiltin: boolean
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type PolicyInstance = {
  policy: Policy | null
  current: PolicyStepInstance | null
  history: PolicyStepInstance[]
  next: PolicyStep[]
}

export type PolicyPostActions = {
  certifyRemediateImmediately: boolean
}

export type PolicyRef = {
  id: string
}

export type PolicyScope = {
  appId: string
  appEntitlementId: string
  slot: 'POLICY_SCOPE_SLOT_UNSPECIFIED' | 'POLICY_SCOPE_SLOT_EMERGENCY'
}

export type PolicyStep = {
  approval: Approval | null
  provision: Provision | null
  accept: Accept | null
  reject: Reject | null
  wait: Wait | null
  form: PolicyForm | null
  /** Not supported: setting it is refused. */
  action: Record<string, unknown> | null
}

export type PolicyStepInstance = {
  id: string
  state: 'POLICY_STEP_STATE_UNSPECIFIED' | 'POLICY_STEP_STATE_ACTIVE' | 'POLICY_STEP_STATE_DONE'
  policyGenerationId: string
  approval: ApprovalInstance | null
  provision: ProvisionInstance | null
  accept: AcceptInstance | null
  reject: RejectInstance | null
  wait: WaitInstance | null
  form: FormInstance | null
}

export type PolicySteps = {
  steps: PolicyStep[]
}

export type Provision = {
  provisionPolicy: ProvisionPolicy | null
  /** Not supported: setting it is refused. */
  provisionTarget: Record<string, unknown> | null
  /** Of a policy, as it was sent. Of a task, whether the step is assigned to anyone. */
  assigned: boolean
}

export type ProvisionInstance = {
  provision: Provision | null
  state: 'PROVISION_INSTANCE_STATE_UNSPECIFIED' | 'PROVISION_INSTANCE_STATE_INIT' | 'PROVISION_INSTANCE_STATE_WAITING' | 'PROVISION_INSTANCE_STATE_WEBHOOK_WAITING' | 'PROVISION_INSTANCE_STATE_DONE'
  completed: CompletedAction | null
  cancelled: CancelledAction | null
  errored: ErroredAction | null
  skipped: SkippedAction | null
  webhookId: string
  webhookInstanceId: string
}

export type ProvisionPolicy = {
  manual: ManualProvision | null
  delegated: DelegatedProvision | null
  unconfigured: UnconfiguredProvision | null
  webhook: WebhookProvision | null
  /** The connector of the app provisions it. Without a policy it does so too if it can, and the grant is only recorded if the app has none. */
  connector: ConnectorProvision | null
  /** Not supported: setting it is refused. */
  externalTicket: Record<string, unknown> | null
  /** Not supported: setting it is refused. */
  action: Record<string, unknown> | null
  /** Not supported: setting it is refused. */
  devicePlacement: Record<string, unknown> | null
  multiStep: MultiStep | null
}

export type ProvisionPolicyStep = {
  manual: ManualProvision | null
  delegated: DelegatedProvision | null
  unconfigured: UnconfiguredProvision | null
  webhook: WebhookProvision | null
  /** The connector of the app provisions it. Without a policy it does so too if it can, and the grant is only recorded if the app has none. */
  connector: ConnectorProvision | null
  /** Not supported: setting it is refused. */
  externalTicket: Record<string, unknown> | null
  /** Not supported: setting it is refused. */
  action: Record<string, unknown> | null
  /** Not supported: setting it is refused. */
  devicePlacement: Record<string, unknown> | null
  /** Not supported: setting it is refused. */
  multiStep: Record<string, unknown> | null
}

export type ReassignedAction = {
  newPolicyStepId: string
  reassignedAt: string | null
  userId: string
}

export type ReassignedByErrorAction = {
  errorUserId: string
  description: string
  errorCode: string
  erroredAt: string | null
  newPolicyStepId: string
  reassignedAt: string | null
}

export type Reject = {
  rejectMessage: string
}

export type RejectInstance = {
  rejectMessage: string
}

export type ResourceOwnerApproval = {
  allowSelfApproval: boolean
  requireDistinctApprovers: boolean
  fallback: boolean
  fallbackUserIds: string[]
  isGroupFallbackEnabled: boolean
  fallbackGroupIds: AppEntitlementReference[]
}

export type RestartAction = {
  oldPolicyStepId: string
  restartedAt: string | null
  userId: string
}

export type Rule = {
  condition: string
  /** The steps to use, by their key in policySteps. */
  stepKey: string
  /** A policy of the same type whose steps are used instead. */
  policyId: string
  /** An older name of stepKey. */
  policyKey: string
}

export type SearchPoliciesRequest = {
  displayName: string
  query: string
  policyTypes: ('POLICY_TYPE_UNSPECIFIED' | 'POLICY_TYPE_GRANT' | 'POLICY_TYPE_REVOKE' | 'POLICY_TYPE_CERTIFY' | 'POLICY_TYPE_ACCESS_REQUEST' | 'POLICY_TYPE_PROVISION')[]
  refs: PolicyRef[]
  excludePolicyIds: string[]
  includeDeleted: boolean
  scopeView: 'POLICY_SCOPE_VIEW_UNSPECIFIED' | 'POLICY_SCOPE_VIEW_GLOBAL' | 'POLICY_SCOPE_VIEW_SCOPED' | 'POLICY_SCOPE_VIEW_ALL' | 'POLICY_SCOPE_VIEW_GLOBAL_AND_OBJECT'
  scopeAppId: string
  scopeAppEntitlementId: string
  scopeObjectType: 'POLICY_SCOPE_OBJECT_TYPE_UNSPECIFIED' | 'POLICY_SCOPE_OBJECT_TYPE_APP' | 'POLICY_SCOPE_OBJECT_TYPE_ENTITLEMENT'
  scopeSlot: 'POLICY_SCOPE_SLOT_UNSPECIFIED' | 'POLICY_SCOPE_SLOT_EMERGENCY'
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type SearchPoliciesResponse = {
  list: Policy[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SelfApproval = {
  fallback: boolean
  fallbackUserIds: string[]
  isGroupFallbackEnabled: boolean
  fallbackGroupIds: AppEntitlementReference[]
  assignedUserIds: string[]
}

export type SkippedAction = {
  newPolicyStepId: string
  skippedAt: string | null
  userId: string
}

export type TestAccountProvisionPolicyRequest = {
  cel: string
}

export type TestAccountProvisionPolicyResponse = {
  /** string, bool, int, double, list, map or null. */
  type: string
  value: string
}

export type UnconfiguredProvision = Record<never, never>

export type UpdatePolicyRequestInput = {
  policy: Policy
  updateMask: string
}

export type UpdatePolicyResponse = {
  policy: Policy | null
}

export type UserApproval = {
  userIds: string[]
  allowSelfApproval: boolean
  requireDistinctApprovers: boolean
}

export type UserProvisioner = {
  allowReassignment: boolean
  userIds: string[]
}

export type Wait = {
  name: string
  commentOnFirstWait: string
  commentOnTimeout: string
  /** Seconds. */
  timeoutDuration: string | null
  condition: WaitCondition | null
  duration: WaitDuration | null
  untilTime: WaitUntilTime | null
}

export type WaitCondition = {
  condition: string
}

export type WaitConditionInstance = {
  condition: string
}

export type WaitDuration = {
  /** Seconds. */
  duration: string | null
}

export type WaitInstance = {
  name: string
  commentOnFirstWait: string
  commentOnTimeout: string
  condition: WaitConditionInstance | null
  untilTime: WaitUntilTimeInstance | null
  /** Seconds. */
  timeoutDuration: string | null
  timeout: string | null
  startedWaitingAt: string | null
  succeeded: WaitSucceeded | null
  timedOut: WaitTimedOut | null
  skipped: SkippedAction | null
  state: 'WAIT_INSTANCE_STATE_UNSPECIFIED' | 'WAIT_INSTANCE_STATE_WAITING' | 'WAIT_INSTANCE_STATE_COMPLETED' | 'WAIT_INSTANCE_STATE_TIMED_OUT'
}

export type WaitSucceeded = {
  succeededAt: string | null
}

export type WaitTimedOut = {
  timedOutAt: string | null
}

export type WaitUntilTime = {
  hours: number
  minutes: number
  timezone: string
}

export type WaitUntilTimeInstance = {
  untilTime: string | null
  /** Seconds. */
  durationIfExists: string | null
}

export type WebhookApproval = {
  webhookId: string
}

export type WebhookProvision = {
  webhookId: string
}

/** The questions for requesters. */
export type RequestSchema = {
  id: string
  form: FormForm | null
  justificationVisibility: 'JUSTIFICATION_VISIBILITY_UNSPECIFIED' | 'JUSTIFICATION_VISIBILITY_SHOW' | 'JUSTIFICATION_VISIBILITY_HIDE'
  createdAt: string | null
  modifiedAt: string | null
  deletedAt: string | null
}

export type RequestSchemaServiceCreateEntitlementBindingRequest = {
  entitlementRef: AppEntitlementRef | null
  requestSchemaId: string
}

export type RequestSchemaServiceCreateEntitlementBindingResponse = {
  entitlementRef: AppEntitlementRef | null
  requestSchemaId: string
}

export type RequestSchemaServiceCreateRequest = {
  name: string
  description: string
  fields: Field[]
  fieldGroups: FieldGroup[]
  fieldRelationships: FieldRelationship[]
  justificationVisibility: 'JUSTIFICATION_VISIBILITY_UNSPECIFIED' | 'JUSTIFICATION_VISIBILITY_SHOW' | 'JUSTIFICATION_VISIBILITY_HIDE'
}

export type RequestSchemaServiceCreateResponse = {
  requestSchema: RequestSchema | null
}

export type RequestSchemaServiceDeleteRequestInput = Record<never, never>

export type RequestSchemaServiceFindBindingForAppEntitlementRequest = {
  entitlementRef: AppEntitlementRef | null
}

export type RequestSchemaServiceFindBindingForAppEntitlementResponse = {
  entitlementRef: AppEntitlementRef | null
  requestSchemaId: string
}

export type RequestSchemaServiceGetResponse = {
  requestSchema: RequestSchema | null
}

export type RequestSchemaServiceRemoveEntitlementBindingRequest = {
  entitlementRef: AppEntitlementRef | null
  requestSchemaId: string
}

export type RequestSchemaServiceUpdateRequestInput = {
  requestSchema: RequestSchema
  updateMask: string
}

export type RequestSchemaServiceUpdateResponse = {
  requestSchema: RequestSchema | null
}

export type AccessEntitlement = {
  id: string
  appId: string
  externalId: string
  appResourceTypeId: string
  appResourceId: string
  displayName: string
  description: string
  slug: string
  alias: string
  purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_UNSPECIFIED' | 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT' | 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION' | 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP'
  annotations: Record<string, unknown>
  riskLevelValueId: string
  complianceFrameworkValueIds: string[]
  /** The default duration of a grant, in seconds, as in "3600s". */
  durationGrant: string | null
  /** Set to {} if grants do not expire; null if neither is set. */
  durationUnset: Record<string, unknown> | null
  /** Whether it can be requested in an emergency, under emergencyGrantPolicyId. */
  emergencyGrantEnabled: boolean
  /** Whether its request settings override the routing rules and defaults of its app. */
  overrideAccessRequestsDefaults: boolean
  certifyPolicyId: string
  grantPolicyId: string
  revokePolicyId: string
  emergencyGrantPolicyId: string
  /** Not supported: setting it is refused. */
  matchBatonId: string
  /** How access is provisioned once it is approved. */
  provisionerPolicy: ProvisionPolicy | null
  /** How access is deprovisioned. */
  deprovisionerPolicy: ProvisionPolicy | null
  /** The request schema that is bound to it. It is set by a binding, and ignored in an update of the whole entitlement. */
  requestSchemaId: string
  /** Whether enabled defaults of its app apply to it. */
  defaultValuesApplied: boolean
  /** The id that it has in each connector that reports it, by the id of the connector. */
  sourceConnectorIds: Record<string, unknown>
  systemBuiltin: boolean
  isManuallyManaged: boolean
  /** Whether an automation rule grants it. */
  isAutomationEnabled: boolean
  /** The fields that people have changed since it was created. */
  userEditedMask: string
  grantCount: string
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

/** The automation of an access profile, which enrolls people automatically: the automation rule of its enrollment. */
export type BundleAutomation = {
  requestCatalogId: string
  tenantId: string
  entitlements: BundleAutomationRuleEntitlement | null
  cel: BundleAutomationRuleCEL | null
  enabled: boolean
  /** Whether the enrollment is requested under its policy, instead of granted. */
  createTasks: boolean
  /** Whether runs are never held, however many they enroll or unenroll. */
  disableCircuitBreaker: boolean
  /** A run that would unenroll a larger percentage of the members is held; 0 means 20 percent. */
  removedMembersThresholdPercent: string
  /** Whether the threshold also applies to profiles with fewer than 20 members. */
  enforceOnSmallProfiles: boolean
  state: BundleAutomationLastRunState | null
  circuitBreaker: BundleAutomationCircuitBreaker | null
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type BundleAutomationCelEvaluationState = {
  status: 'BUNDLE_AUTOMATION_RUN_STATUS_UNSPECIFIED' | 'BUNDLE_AUTOMATION_RUN_STATUS_SUCCESS' | 'BUNDLE_AUTOMATION_RUN_STATUS_FAILURE' | 'BUNDLE_AUTOMATION_RUN_STATUS_IN_PROGRESS' | 'BUNDLE_AUTOMATION_RUN_STATUS_WAITING_FOR_APPROVAL'
  errorMessage: string
  lastEvaluatedAt?: string
  matchedUsers: string
}

export type BundleAutomationCircuitBreaker = {
  state: 'CIRCUIT_BREAKER_STATE_UNSPECIFIED' | 'CIRCUIT_BREAKER_STATE_TRIGGERED' | 'CIRCUIT_BREAKER_STATE_BYPASS' | 'CIRCUIT_BREAKER_STATE_SUPPORT_DISABLED'
  removedMembersThresholdPercentage: string
  updatedAt: string | null
  userRef: UserRef | null
}

export type BundleAutomationLastRunState = {
  status: 'BUNDLE_AUTOMATION_RUN_STATUS_UNSPECIFIED' | 'BUNDLE_AUTOMATION_RUN_STATUS_SUCCESS' | 'BUNDLE_AUTOMATION_RUN_STATUS_FAILURE' | 'BUNDLE_AUTOMATION_RUN_STATUS_IN_PROGRESS' | 'BUNDLE_AUTOMATION_RUN_STATUS_WAITING_FOR_APPROVAL'
  errorMessage: string
  lastRunAt: string | null
  celEvaluation?: BundleAutomationCelEvaluationState
}

/** People who match are enrolled. */
export type BundleAutomationRuleCEL = {
  expression: string
}

/** People with any of these are enrolled. */
export type BundleAutomationRuleEntitlement = {
  entitlementRefs: AppEntitlementRef[]
}

export type CreateBundleAutomationRequestInput = {
  entitlements: BundleAutomationRuleEntitlement | null
  cel: BundleAutomationRuleCEL | null
  enabled: boolean
  /** Whether the enrollment is requested under its policy, instead of granted. */
  createTasks: boolean
  /** Whether runs are never held, however many they enroll or unenroll. */
  disableCircuitBreaker: boolean
  /** A run that would unenroll a larger percentage of the members is held; 0 means 20 percent. */
  removedMembersThresholdPercent: string
  /** Whether the threshold also applies to profiles with fewer than 20 members. */
  enforceOnSmallProfiles: boolean
}

export type DeleteBundleAutomationRequestInput = Record<never, never>

export type ForceRunBundleAutomationRequestInput = {
  /** Not supported: setting it is refused. */
  refs: AppEntitlementRef[]
}

/** An access profile: what can be requested, who can see it, and what is requested together. */
export type RequestCatalog = {
  id: string
  displayName: string
  description: string
  /** Whether its entitlements can be requested. */
  published: boolean
  /** Whether everyone can see it, instead of only users who have one of accessEntitlements. */
  visibleToEveryone: boolean
  /** Whether it can be requested as a whole. */
  requestBundle: boolean
  /** Whether members are granted its entitlements, or each is requested under its own policy (the default). */
  enrollmentBehavior: 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_UNSPECIFIED' | 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_BYPASS_ENTITLEMENT_REQUEST_POLICY' | 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_ENFORCE_ENTITLEMENT_REQUEST_POLICY'
  /** What happens to the access of members who leave: nothing by default. Unjustified access is access that none of their other profiles contains. */
  unenrollmentBehavior: 'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_UNSPECIFIED' | 'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_LEAVE_ACCESS_AS_IS' | 'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_REVOKE_ALL' | 'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_REVOKE_UNJUSTIFIED'
  /** Whether that access ends immediately, or by a task under the revoke policy of each entitlement (the default). */
  unenrollmentEntitlementBehavior: 'REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_UNSPECIFIED' | 'REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_BYPASS' | 'REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_ENFORCE'
  annotations: Record<string, unknown>
  /** Users who have one of these can see it. In an update, each is identified by appId and id; an empty list changes nothing, unless updateMask contains it. */
  accessEntitlements: AccessEntitlement[]
  createdByUserId: string
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type RequestCatalogManagementServiceAddAccessEntitlementsRequestInput = {
  accessEntitlements: AppEntitlementRef[]
}

export type RequestCatalogManagementServiceAddAppEntitlementsRequestInput = {
  appEntitlements: AppEntitlementRef[]
  /** Whether added entitlements are granted to members or requested for them, as for new members. */
  createRequests: boolean
}

export type RequestCatalogManagementServiceCreateRequest = {
  displayName: string
  description: string
  /** Whether its entitlements can be requested. */
  published: boolean
  /** Whether everyone can see it, instead of only users who have one of accessEntitlements. */
  visibleToEveryone: boolean
  /** Whether it can be requested as a whole. */
  requestBundle: boolean
  /** Whether members are granted its entitlements, or each is requested under its own policy (the default). */
  enrollmentBehavior: 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_UNSPECIFIED' | 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_BYPASS_ENTITLEMENT_REQUEST_POLICY' | 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_ENFORCE_ENTITLEMENT_REQUEST_POLICY'
  /** What happens to the access of members who leave: nothing by default. Unjustified access is access that none of their other profiles contains. */
  unenrollmentBehavior: 'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_UNSPECIFIED' | 'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_LEAVE_ACCESS_AS_IS' | 'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_REVOKE_ALL' | 'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_REVOKE_UNJUSTIFIED'
  /** Whether that access ends immediately, or by a task under the revoke policy of each entitlement (the default). */
  unenrollmentEntitlementBehavior: 'REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_UNSPECIFIED' | 'REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_BYPASS' | 'REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_ENFORCE'
  annotations: Record<string, unknown>
  expandMask: ExpandMask | null
}

export type RequestCatalogManagementServiceCreateRequestableEntryRequestInput = {
  /** Whether added entitlements are granted to members or requested for them, as for new members. */
  createRequests: boolean
}

export type RequestCatalogManagementServiceCreateRequestableEntryResponse = {
  requestableEntry: RequestableEntry | null
}

export type RequestCatalogManagementServiceCreateResponse = {
  requestCatalogView: RequestCatalogView | null
  expanded: (Record<string, unknown> | null)[]
}

export type RequestCatalogManagementServiceDeleteRequestInput = Record<never, never>

export type RequestCatalogManagementServiceDeleteRequestableEntryRequestInput = Record<never, never>

export type RequestCatalogManagementServiceGetRequestableEntryResponse = {
  requestableEntry: RequestableEntry | null
}

export type RequestCatalogManagementServiceGetResponse = {
  requestCatalogView: RequestCatalogView | null
  expanded: (Record<string, unknown> | null)[]
}

export type RequestCatalogManagementServiceListAllEntitlementIdsPerAppResponse = {
  refs: AppEntitlementRef[]
}

export type RequestCatalogManagementServiceListEntitlementsForAccessResponse = {
  list: AppEntitlementView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type RequestCatalogManagementServiceListEntitlementsPerCatalogResponse = {
  list: AppEntitlementView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type RequestCatalogManagementServiceListResponse = {
  list: RequestCatalogView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type RequestCatalogManagementServiceRemoveAccessEntitlementsRequestInput = {
  accessEntitlements: AppEntitlementRef[]
}

export type RequestCatalogManagementServiceRemoveAppEntitlementsRequestInput = {
  appEntitlements: AppEntitlementRef[]
}

export type RequestCatalogManagementServiceUpdateAppEntitlementsRequestInput = {
  appEntitlements: AppEntitlementRef[]
}

export type RequestCatalogManagementServiceUpdateRequestInput = {
  catalog: RequestCatalog
  updateMask: string
  expandMask: ExpandMask | null
}

export type RequestCatalogManagementServiceUpdateResponse = {
  requestCatalogView: RequestCatalogView | null
  expanded: (Record<string, unknown> | null)[]
}

export type RequestCatalogSearchServiceSearchEntitlementsRequest = {
  /** The beginnings of words of the name, in any order, of the alias or slug, or of the names of the app and the resource. */
  query: string
  /** Exactly this alias. */
  entitlementAlias: string
  /** Only apps with exactly this name, ignoring case. */
  appDisplayName: string
  /** Only entitlements that the caller has, or only those that the caller does not have; all by default. */
  grantedStatus: 'UNSPECIFIED' | 'ALL' | 'GRANTED' | 'NOT_GRANTED'
  includeDeleted: boolean
  expandMask: ExpandMask | null
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type RequestCatalogSearchServiceSearchEntitlementsResponse = {
  list: AppEntitlementWithUserBindings[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type RequestCatalogView = {
  requestCatalog: RequestCatalog | null
  /** How many are enrolled; 0 for callers without the permission profiles.read. */
  memberCount: string
  createdByUserPath: string
  accessEntitlementsPath: string
}

export type RequestableEntry = {
  catalogId: string
  appId: string
  entitlementId: string
}

export type ResumePausedBundleAutomationRequestInput = Record<never, never>

export type SetBundleAutomationRequestInput = {
  entitlements: BundleAutomationRuleEntitlement | null
  cel: BundleAutomationRuleCEL | null
  enabled: boolean
  /** Whether the enrollment is requested under its policy, instead of granted. */
  createTasks: boolean
  /** Whether runs are never held, however many they enroll or unenroll. */
  disableCircuitBreaker: boolean
  /** A run that would unenroll a larger percentage of the members is held; 0 means 20 percent. */
  removedMembersThresholdPercent: string
  /** Whether the threshold also applies to profiles with fewer than 20 members. */
  enforceOnSmallProfiles: boolean
}

export type FacetCategory = {
  /** The filter of the request that takes these values. */
  param: string
  displayName: string
  iconUrl: string
  value: FacetValueItem | null
  /** Always null: no filter is a range. */
  range: FacetRangeItem | null
}

export type FacetRange = {
  from: string
  to: string
  displayName: string
  iconUrl: string
  count: string
}

export type FacetRangeItem = {
  ranges: FacetRange[]
}

export type FacetValue = {
  value: string
  displayName: string
  iconUrl: string
  count: string
}

export type FacetValueItem = {
  values: FacetValue[]
}

/** Values by which the results can be narrowed, with how many of the first 10000 results have each: the most frequent 50 of each filter. */
export type Facets = {
  /** How many were found; 10000 means that many or more. */
  count: string
  facets: FacetCategory[]
}

/** An identity for a program: a user that has API credentials and cannot sign in. Its roles and status are those of the user. */
export type ServicePrincipal = {
  id: string
  displayName: string
  user: User | null
  objectPermissions: ObjectPermissions | null
  createdAt: string | null
  updatedAt: string | null
}

export type ServicePrincipalBindingSubject = {
  functionId: string
}

/** A credential of a service principal. An empty scopedRoleIds means all permissions of the roles of the principal. */
export type ServicePrincipalCredential = {
  id: string
  servicePrincipalId: string
  clientId: string
  displayName: string
  allowSourceCidrs: string[]
  scopedRoleIds: string[]
  /** Its access tokens are bound to a key of the client (DPoP, RFC 9449). */
  requireDpop: boolean
  createdAt: string | null
  expiresAt?: string
  lastUsedAt?: string
}

export type ServicePrincipalServiceAddBindingRequest = {
  /** Not supported: setting it is refused. Bindings are for functions, which Bailiwick does not run. */
  servicePrincipalId: string
  /** Not supported: setting it is refused. Bindings are for functions, which Bailiwick does not run. */
  subject: ServicePrincipalBindingSubject | null
}

export type ServicePrincipalServiceCreateCredentialRequest = {
  displayName: string
  /** The lifetime: at most 15552000s (180 days), and 7776000s (90 days) by default. */
  expires: string | null
  /** At most 32 CIDR blocks or addresses. */
  allowSourceCidrs: string[]
  scopedRoles: string[]
  /** Issue access tokens only with a DPoP proof (RFC 9449), bound to its key: a copied token cannot be used without that key. */
  requireDpop: boolean
}

export type ServicePrincipalServiceCreateCredentialResponse = {
  credential: ServicePrincipalCredential | null
  clientSecret: string
}

export type ServicePrincipalServiceCreateRequest = {
  displayName: string
}

export type ServicePrincipalServiceCreateResponse = {
  servicePrincipal: ServicePrincipal | null
}

export type ServicePrincipalServiceDeleteBindingRequest = {
  /** Not supported: setting it is refused. Bindings are for functions, which Bailiwick does not run. */
  servicePrincipalId: string
  /** Not supported: setting it is refused. Bindings are for functions, which Bailiwick does not run. */
  subject: ServicePrincipalBindingSubject | null
}

export type ServicePrincipalServiceDeleteRequest = Record<never, never>

export type ServicePrincipalServiceGetCredentialResponse = {
  credential: ServicePrincipalCredential | null
}

export type ServicePrincipalServiceGetResponse = {
  servicePrincipal: ServicePrincipal | null
}

export type ServicePrincipalServiceListBindingsRequest = {
  /** Not supported: setting it is refused. Bindings are for functions, which Bailiwick does not run. */
  subject: ServicePrincipalBindingSubject | null
}

export type ServicePrincipalServiceListCredentialsResponse = {
  list: ServicePrincipalCredential[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ServicePrincipalServiceListResponse = {
  list: ServicePrincipal[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ServicePrincipalServiceRevokeCredentialRequest = Record<never, never>

export type ServicePrincipalServiceUpdateCredentialRequest = {
  credential: ServicePrincipalCredential | null
  updateMask: string
}

export type ServicePrincipalServiceUpdateCredentialResponse = {
  credential: ServicePrincipalCredential | null
}

export type ServicePrincipalServiceUpdateRequest = {
  servicePrincipal: ServicePrincipal | null
  updateMask: string
}

export type ServicePrincipalServiceUpdateResponse = {
  servicePrincipal: ServicePrincipal | null
}

export type AWSExternalID = {
  externalId: string
}

export type AWSSESProviderConfig = {
  configurationSetName: string
  region: string
  roleArn: string
}

export type AccessProvisionedPreference = {
  enabled: boolean
  /** Whether people cannot change it themselves: the organization's choice counts. */
  locked: boolean
}

export type ApprovalNeededPreference = {
  enabled: boolean
  /** Whether people cannot change it themselves: the organization's choice counts. */
  locked: boolean
}

/** The mail server that the operator of this server set. */
export type C1BuiltInProviderConfig = Record<never, never>

export type ChannelSettings = {
  email: EmailChannelSettings | null
  slack: SlackChannelSettings | null
  teams: MSTeamsChannelSettings | null
}

export type ChatWebhook = {
  /** slack or teams. */
  channel: string
  isConfigured: boolean
  /** The host of the webhook. Its address is a secret and is never returned. */
  host: string
  updatedByUserId: string
  updatedAt: string | null
}

export type ChatWebhooksDeleteResponse = Record<never, never>

export type ChatWebhooksListResponse = {
  list: ChatWebhook[]
}

export type ChatWebhooksSetRequest = {
  /** The webhook URL that the chat issued. */
  url: string
}

export type ChatWebhooksSetResponse = {
  chatWebhook: ChatWebhook | null
}

export type ChatWebhooksTestResponse = {
  success: boolean
  message: string
}

export type CommentOnRequestPreference = {
  enabled: boolean
  /** Whether people cannot change it themselves: the organization's choice counts. */
  locked: boolean
}

export type CompletionPreference = {
  enabled: boolean
  /** Whether people cannot change it themselves: the organization's choice counts. */
  locked: boolean
}

export type ConnectorIssuesPreference = {
  enabled: boolean
  /** Whether people cannot change it themselves: the organization's choice counts. */
  locked: boolean
}

export type Contacts = {
  /** Get an email when a sync of a connector fails or is held. */
  operationsEmails: string[]
  /** Get an email for each alert of the system log. */
  securityEmails: string[]
  /** Not supported: setting it is refused. Bailiwick sends no invoices. */
  billingEmails: string[]
  createdAt?: string
  updatedAt?: string
}

export type DigestPreference = {
  /** Whether notifications are collected and sent together, except system notifications. */
  enabled: boolean
  locked: boolean
  /** How often. Digests are sent at 06:00 UTC. */
  frequency: 'DIGEST_FREQUENCY_UNSPECIFIED' | 'DIGEST_FREQUENCY_DAILY' | 'DIGEST_FREQUENCY_WEEKLY'
  /** On which day a weekly digest is sent. */
  dayOfWeek: 'WEEKDAY_UNSPECIFIED' | 'WEEKDAY_MONDAY' | 'WEEKDAY_TUESDAY' | 'WEEKDAY_WEDNESDAY' | 'WEEKDAY_THURSDAY' | 'WEEKDAY_FRIDAY' | 'WEEKDAY_SATURDAY' | 'WEEKDAY_SUNDAY'
}

export type EmailChannelSettings = {
  /** Whether email is sent. System notifications are always sent. */
  enabled: boolean
  accessProvisioned: AccessProvisionedPreference | null
  approvalNeeded: ApprovalNeededPreference | null
  commentOnRequest: CommentOnRequestPreference | null
  completion: CompletionPreference | null
  connectorIssues: ConnectorIssuesPreference | null
  expiringAccess: ExpiringAccessPreference | null
  provisioningRequest: ProvisioningRequestPreference | null
  requestCreated: RequestCreatedPreference | null
  reviews: ReviewsPreference | null
  system: SystemPreference | null
  taskReminders: TaskRemindersPreference | null
  digest: DigestPreference | null
}

export type ExpiringAccessPreference = {
  enabled: boolean
  /** Whether people cannot change it themselves: the organization's choice counts. */
  locked: boolean
}

export type GetAWSExternalIDResponse = {
  awsExternalId: AWSExternalID | null
}

export type GetContactsResponse = {
  contacts: Contacts | null
}

export type GetEmailCapabilitiesResponse = {
  /** Whether this server has a mail server. */
  externalEmailSupported: boolean
}

export type GetOrgNotificationSettingsResponse = {
  orgNotificationSettings: OrgNotificationSettings | null
}

export type GetRequestSettingsResponse = {
  requestSettings: RequestSettings | null
}

export type GetSessionSettingsResponse = {
  sessionSettings: SessionSettings | null
}

export type GetTenantEmailProviderResponse = {
  emailProvider: TenantEmailProvider | null
}

export type GetUserNotificationSettingsResponse = {
  userNotificationSettings: UserNotificationSettings | null
}

export type GoogleWorkspaceProviderConfig = {
  delegatedUser: string
  serviceAccountJson: string
}

export type ListOrgDomainsResponse = {
  list: OrgDomain[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type MSTeamsChannelSettings = {
  /** Whether anything is posted to the channel. */
  enabled: boolean
  /** Whether an incoming webhook is set for the channel. */
  isConfigured: boolean
  accessProvisioned: AccessProvisionedPreference | null
  approvalNeeded: ApprovalNeededPreference | null
  commentOnRequest: CommentOnRequestPreference | null
  completion: CompletionPreference | null
  connectorIssues: ConnectorIssuesPreference | null
  expiringAccess: ExpiringAccessPreference | null
  provisioningRequest: ProvisioningRequestPreference | null
  requestCreated: RequestCreatedPreference | null
  reviews: ReviewsPreference | null
  system: SystemPreference | null
  taskReminders: TaskRemindersPreference | null
  digest: DigestPreference | null
}

export type MicrosoftGraphProviderConfig = {
  azureTenantId: string
  clientId: string
  clientSecret: string
}

export type NotificationMessage = {
  id: string
  channel: string
  /** The recipient; empty for a chat. */
  userId: string
  state: string
  /** single, summary or digest. */
  form: string
  attempts: number
  error: string
  createdAt: string | null
  nextAttemptAt: string | null
  endedAt: string | null
}

export type NotificationPreviewTitle = {
  name: string
  subject: string
}

export type NotificationStatus = {
  /** Whether this server has a mail server (--smtp-host). */
  isMailConfigured: boolean
  /** Whether email is turned on for the organization. */
  isMailEnabled: boolean
  slackConfigured: boolean
  teamsConfigured: boolean
  /** How many messages are waiting to be sent; 10000 means that many or more. */
  waiting: number
  /** How many could not be sent in the last seven days. */
  failed: number
  /** When a message was sent last, within seven days. */
  lastSentAt: string | null
  /** Why the latest waiting message was not sent yet. */
  lastError: string
}

export type NotificationsGetPreviewResponse = {
  name: string
  subject: string
  text: string
  html: string
}

export type NotificationsGetStatusResponse = {
  status: NotificationStatus | null
}

export type NotificationsListMessagesResponse = {
  list: NotificationMessage[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type NotificationsListPreviewsResponse = {
  list: NotificationPreviewTitle[]
}

/** A domain of email addresses of the organization. */
export type OrgDomain = {
  id: string
  domain: string
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type OrgNotificationSettings = {
  channelSettings: ChannelSettings | null
}

export type ProvisioningRequestPreference = {
  enabled: boolean
  /** Whether people cannot change it themselves: the organization's choice counts. */
  locked: boolean
}

export type RequestCreatedPreference = {
  enabled: boolean
  /** Whether people cannot change it themselves: the organization's choice counts. */
  locked: boolean
}

export type RequestSettings = {
  /** Whether access can be requested without a description. */
  skipJustification: boolean
}

/** Nothing is sent yet: there are no access reviews. */
export type ReviewsPreference = {
  enabled: boolean
  /** Whether people cannot change it themselves: the organization's choice counts. */
  locked: boolean
}

export type SearchEmailAuditEventsRequest = {
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type SearchEmailAuditEventsResponse = {
  list: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SendGridProviderConfig = {
  apiKey: string
}

/** How long sessions last, and from which addresses people and connectors can use the service. Credentials of service principals have their own allowed addresses. */
export type SessionSettings = {
  /** Sessions of the console end after this time at the latest: sessionTime of the sign-in policy. */
  maxSessionLength: string | null
  /** For sessions of the console of Basic Users. */
  ssoUserSource: SessionSettingsSource | null
  /** For sessions of the console of users with more permissions than Basic Users. */
  ssoAdminSource: SessionSettingsSource | null
  /** For access tokens of people who may do what Basic Users may. */
  pccUserSource: SessionSettingsSource | null
  /** For access tokens of people with more permissions than Basic Users. */
  pccAdminSource: SessionSettingsSource | null
  /** For connectors. */
  connectorSource: SessionSettingsSource | null
  /** Not supported: setting it is refused. Programs get access by API credentials, authorized devices and federation instead. */
  externalClientSource?: SessionSettingsSource
  /** Not supported: setting it is refused. Programs get access by API credentials, authorized devices and federation instead. */
  externalClientsEnabled: boolean
  /** Not supported: setting it is refused. Programs get access by API credentials, authorized devices and federation instead. */
  clientIdMetadataDocumentPolicy: 'CLIENT_ID_METADATA_DOCUMENT_POLICY_UNSPECIFIED' | 'CLIENT_ID_METADATA_DOCUMENT_POLICY_ALLOW_ALL' | 'CLIENT_ID_METADATA_DOCUMENT_POLICY_REQUESTABLE' | 'CLIENT_ID_METADATA_DOCUMENT_POLICY_ALLOWLIST_ONLY'
  /** Not supported: setting it is refused. Programs get access by API credentials, authorized devices and federation instead. */
  clientIdApprovalRequestPolicyId: string
}

/** From which addresses requests are allowed. */
export type SessionSettingsSource = {
  /** Whether only these addresses are allowed; otherwise, all are. */
  enabled: boolean
  /** CIDR blocks, or single addresses. */
  sourceCidr: string[]
}

export type SlackChannelSettings = {
  /** Whether anything is posted to the channel. */
  enabled: boolean
  /** Whether an incoming webhook is set for the channel. */
  isConfigured: boolean
  accessProvisioned: AccessProvisionedPreference | null
  approvalNeeded: ApprovalNeededPreference | null
  commentOnRequest: CommentOnRequestPreference | null
  completion: CompletionPreference | null
  connectorIssues: ConnectorIssuesPreference | null
  expiringAccess: ExpiringAccessPreference | null
  provisioningRequest: ProvisioningRequestPreference | null
  requestCreated: RequestCreatedPreference | null
  reviews: ReviewsPreference | null
  system: SystemPreference | null
  taskReminders: TaskRemindersPreference | null
  digest: DigestPreference | null
}

export type SystemPreference = {
  enabled: boolean
  /** Whether people cannot change it themselves: the organization's choice counts. */
  locked: boolean
}

export type TaskRemindersPreference = {
  enabled: boolean
  /** Whether people cannot change it themselves: the organization's choice counts. */
  locked: boolean
}

export type TenantEmailProvider = {
  c1Builtin: C1BuiltInProviderConfig | null
  /** Not supported: setting it is refused. Amazon SES is not called by its API. Email is sent by SMTP, through the mail server that the operator of this server sets with --smtp-host. This provider also accepts email by SMTP. */
  awsSes: AWSSESProviderConfig | null
  /** Not supported: setting it is refused. Google Workspace is not called by its API. Email is sent by SMTP, through the mail server that the operator of this server sets with --smtp-host. This provider also accepts email by SMTP. */
  googleWorkspace: GoogleWorkspaceProviderConfig | null
  /** Not supported: setting it is refused. Microsoft Graph is not called. Email is sent by SMTP, through the mail server that the operator of this server sets with --smtp-host. This provider also accepts email by SMTP. */
  microsoftGraph: MicrosoftGraphProviderConfig | null
  /** Not supported: setting it is refused. SendGrid is not called by its API. Email is sent by SMTP, through the mail server that the operator of this server sets with --smtp-host. This provider also accepts email by SMTP. */
  sendgrid: SendGridProviderConfig | null
  /** The address of the sender. It is a setting of the server (--mail-from): another one is refused. */
  fromAddress: string
  /** The name of the sender; empty for that of the server. */
  fromName: string
  /** Where replies go; empty for the sender. */
  replyToAddress: string
  createdAt?: string
  updatedAt?: string
}

export type TestSourceIPDetails = {
  code: number
  message: string
  details: (Record<string, unknown> | null)[]
}

export type TestSourceIPRequest = {
  allowCidr: string[]
  sourceIp: string
}

export type TestSourceIPResponse = {
  allowed: boolean
  checkedIp: string
  /** The reason, with a code of gRPC: 0 if the address is allowed, 7 if it is not, 3 if something is not valid. */
  details: TestSourceIPDetails | null
}

export type TestTenantEmailProviderRequest = {
  testRecipientEmail: string
}

export type TestTenantEmailProviderResponse = {
  success: boolean
  message: string
}

export type UpdateContactsRequest = {
  contacts: Contacts
  updateMask: string
}

export type UpdateContactsResponse = {
  contacts: Contacts | null
}

export type UpdateOrgDomainRequest = {
  newDomains: string[]
}

export type UpdateOrgDomainResponse = {
  list: OrgDomain[]
}

export type UpdateOrgNotificationSettingsRequest = {
  channelSettings: ChannelSettings
}

export type UpdateOrgNotificationSettingsResponse = {
  orgNotificationSettings: OrgNotificationSettings | null
}

export type UpdateRequestSettingsRequest = {
  requestSettings: RequestSettings
  updateMask: string
}

export type UpdateRequestSettingsResponse = {
  requestSettings: RequestSettings | null
}

export type UpdateSessionSettingsRequest = {
  sessionSettings: SessionSettings
  updateMask: string
}

export type UpdateSessionSettingsResponse = {
  sessionSettings: SessionSettings | null
}

export type UpdateTenantEmailProviderRequest = {
  emailProvider: TenantEmailProvider
  updateMask: string
}

export type UpdateTenantEmailProviderResponse = {
  emailProvider: TenantEmailProvider | null
}

export type UpdateUserNotificationSettingsRequest = {
  channelSettings: ChannelSettings
}

export type UpdateUserNotificationSettingsResponse = {
  userNotificationSettings: UserNotificationSettings | null
}

export type UserNotificationSettings = {
  channelSettings: ChannelSettings | null
}

export type ExportServiceCreateRequest = {
  displayName: string
  datasource: ExportToDatasource
}

export type ExportServiceCreateResponse = {
  exporter: Exporter | null
}

export type ExportServiceDeleteRequest = Record<never, never>

export type ExportServiceGetResponse = {
  exporter: Exporter | null
}

export type ExportServiceListEventsRequest = {
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type ExportServiceListEventsResponse = {
  list: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ExportServiceListResponse = {
  list: Exporter[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ExportServiceUpdateRequest = {
  exporter: Exporter | null
  updateMask: string
}

export type ExportServiceUpdateResponse = {
  exporter: Exporter | null
}

/** The destination of an export: a datasource of the server settings, a prefix of the names of its files, and how they are compressed (gzip by default). */
export type ExportToDatasource = {
  datasourceId: string
  prefix: string
  format: 'EXPORT_FORMAT_UNSPECIFIED' | 'EXPORT_FORMAT_OCSF_JSON_ZSTD' | 'EXPORT_FORMAT_OCSF_JSON_GZIP'
}

/** An export of the system log. The watermark is the last event that was exported. */
export type Exporter = {
  exportId: string
  displayName: string
  datasource: ExportToDatasource | null
  state: 'EXPORT_STATE_UNSPECIFIED' | 'EXPORT_STATE_EXPORTING' | 'EXPORT_STATE_WAITING' | 'EXPORT_STATE_ERROR'
  watermarkEventId: string
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type ExporterRef = {
  exportId: string
}

export type ExportsSearchServiceSearchRequest = {
  query: string
  displayName: string
  refs: (ExporterRef | null)[]
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type ExportsSearchServiceSearchResponse = {
  list: Exporter[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListEventsReply = {
  list: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type ListEventsRequest = {
  since: string | null
  until: string | null
  sinceEventUid: string
  untilEventUid: string
  sortDirection: 'SORT_DIRECTION_UNSPECIFIED' | 'SORT_DIRECTION_ASC' | 'SORT_DIRECTION_DESC'
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type Task = {
  id: string
  numericId: string
  displayName: string
  description: string
  type: TaskType | null
  state: 'TASK_STATE_UNSPECIFIED' | 'TASK_STATE_OPEN' | 'TASK_STATE_CLOSED'
  processing: 'TASK_PROCESSING_TYPE_UNSPECIFIED' | 'TASK_PROCESSING_TYPE_PROCESSING' | 'TASK_PROCESSING_TYPE_WAITING' | 'TASK_PROCESSING_TYPE_DONE'
  origin: string
  userId: string
  createdByUserId: string
  stepApproverIds: string[]
  approverIds: string[]
  actions: ('TASK_ACTION_TYPE_UNSPECIFIED' | 'TASK_ACTION_TYPE_CLOSE' | 'TASK_ACTION_TYPE_APPROVE' | 'TASK_ACTION_TYPE_DENY' | 'TASK_ACTION_TYPE_COMMENT' | 'TASK_ACTION_TYPE_REASSIGN' | 'TASK_ACTION_TYPE_RESTART' | 'TASK_ACTION_TYPE_PROVISION_COMPLETE' | 'TASK_ACTION_TYPE_PROVISION_CANCELLED' | 'TASK_ACTION_TYPE_PROVISION_ERRORED' | 'TASK_ACTION_TYPE_HARD_RESET' | 'TASK_ACTION_TYPE_ESCALATE_TO_EMERGENCY_ACCESS' | 'TASK_ACTION_TYPE_PROCESS_NOW' | 'TASK_ACTION_TYPE_SKIP_STEP' | 'TASK_ACTION_TYPE_UPDATE_REQUEST_DATA' | 'TASK_ACTION_TYPE_UPDATE_GRANT_DURATION' | 'TASK_ACTION_TYPE_RETRY_PROVISIONING')[]
  policy: PolicyInstance | null
  policyGenerationId: string
  emergencyAccess: boolean
  form: Record<string, unknown> | null
  data: Record<string, unknown> | null
  /** Changes with the duration and the answers of a request. Send it with a decision to show what was seen. */
  revision: string
  commentCount: number
  annotations: (Record<string, unknown> | null)[]
  externalRefs: (Record<string, unknown> | null)[]
  revocationTargets: (Record<string, unknown> | null)[]
  insightIds: string[]
  recommendation: 'INSIGHT_RECOMMENDATION_UNSPECIFIED'
  analysisId: string
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type TaskAction = {
  id: string
  actionType: 'TASK_ACTION_TYPE_UNSPECIFIED' | 'TASK_ACTION_TYPE_CLOSE' | 'TASK_ACTION_TYPE_APPROVE' | 'TASK_ACTION_TYPE_DENY' | 'TASK_ACTION_TYPE_COMMENT' | 'TASK_ACTION_TYPE_REASSIGN' | 'TASK_ACTION_TYPE_RESTART' | 'TASK_ACTION_TYPE_PROVISION_COMPLETE' | 'TASK_ACTION_TYPE_PROVISION_CANCELLED' | 'TASK_ACTION_TYPE_PROVISION_ERRORED' | 'TASK_ACTION_TYPE_HARD_RESET' | 'TASK_ACTION_TYPE_ESCALATE_TO_EMERGENCY_ACCESS' | 'TASK_ACTION_TYPE_PROCESS_NOW' | 'TASK_ACTION_TYPE_SKIP_STEP' | 'TASK_ACTION_TYPE_UPDATE_REQUEST_DATA' | 'TASK_ACTION_TYPE_UPDATE_GRANT_DURATION' | 'TASK_ACTION_TYPE_RETRY_PROVISIONING'
  policyStepId: string
  userId: string
  bulkActionId: string
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type ApproveRequest = {
  /** The step that the caller saw. If another step is current by now, the request fails. */
  policyStepId: string
  comment: string
  expandMask: ExpandMask | null
  /** The revision of the task that the caller saw. If the duration or the answers have changed since, the request fails. */
  revision: string
}

export type ApproveResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
  ticketActionId: string
}

export type CloseRequest = {
  comment: string
  expandMask: ExpandMask | null
}

export type CloseResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
  taskActionId: string
}

export type CommentRequest = {
  comment: string
  expandMask: ExpandMask | null
}

export type CommentResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
}

export type DenyRequest = {
  /** The step that the caller saw. If another step is current by now, the request fails. */
  policyStepId: string
  comment: string
  expandMask: ExpandMask | null
  /** The revision of the task that the caller saw. If the duration or the answers have changed since, the request fails. */
  revision: string
}

export type DenyResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
  ticketActionId: string
}

export type EscalateToEmergencyAccessRequest = {
  /** The step that the caller saw. If another step is current by now, the request fails. */
  policyStepId: string
  comment: string
  expandMask: ExpandMask | null
}

export type EscalateToEmergencyAccessResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
  ticketActionId: string
}

export type HardResetRequest = {
  comment: string
  expandMask: ExpandMask | null
}

export type HardResetResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
  ticketActionId: string
}

export type ProcessNowRequest = {
  expandMask: ExpandMask | null
}

export type ProcessNowResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
}

export type ReassignRequest = {
  /** The step that the caller saw. If another step is current by now, the request fails. */
  policyStepId: string
  comment: string
  expandMask: ExpandMask | null
  newStepUserIds: string[]
}

export type ReassignResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
  ticketActionId: string
}

export type RestartRequest = {
  /** The step that the caller saw. If another step is current by now, the request fails. */
  policyStepId: string
  comment: string
  expandMask: ExpandMask | null
}

export type RestartResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
  ticketActionId: string
}

export type RetryProvisioningRequest = {
  /** The step that the caller saw. If another step is current by now, the request fails. */
  policyStepId: string
  comment: string
  expandMask: ExpandMask | null
}

export type RetryProvisioningResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
  ticketActionId: string
}

export type SkipStepRequest = {
  /** The step that the caller saw. If another step is current by now, the request fails. */
  policyStepId: string
  comment: string
  expandMask: ExpandMask | null
}

export type SkipStepResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
  ticketActionId: string
}

export type TaskActionsServiceUpdateGrantDurationRequest = {
  /** Seconds. */
  duration: string | null
  expandMask: ExpandMask | null
}

export type TaskActionsServiceUpdateGrantDurationResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
  ticketActionId: string
}

export type UpdateRequestDataRequest = {
  data: Record<string, unknown> | null
  expandMask: ExpandMask | null
}

export type UpdateRequestDataResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
  ticketActionId: string
}

export type TaskAuditActionSubmitted = {
  action: TaskAction | null
}

export type TaskAuditApprovalAutoAcceptedByPolicy = Record<never, never>

export type TaskAuditApprovalAutoRejectedByPolicy = Record<never, never>

export type TaskAuditApprovalInstanceChange = {
  instance: ApprovalInstance | null
}

export type TaskAuditApprovalReassigned = {
  newPolicyStepId: string
  newUsers: string[]
  oldPolicyStepId: string
  users: User[]
}

export type TaskAuditApprovedAutomatically = Record<never, never>

export type TaskAuditComment = {
  comment: string
  updatedAt: string | null
  updatedBy: string
}

export type TaskAuditConditionalPolicyExecutionResult = {
  chainDepth: number
  condition: string
  conditionMatched: boolean
  defaultCondition: boolean
  error: string
  outcomePolicyId: string
  policyId: string
  policyKey: string
}

export type TaskAuditEscalateToEmergencyAccess = {
  oldPolicyId: string
  oldPolicyStepId: string
}

export type TaskAuditExpressionPolicyStepError = {
  error: string
}

export type TaskAuditFormInstanceChange = {
  isValid: boolean
}

export type TaskAuditGrantDurationUpdated = {
  /** Seconds. */
  duration: string | null
}

export type TaskAuditGrantOutcome = {
  outcome: 'GRANT_OUTCOME_UNSPECIFIED' | 'GRANT_OUTCOME_GRANTED' | 'GRANT_OUTCOME_DENIED' | 'GRANT_OUTCOME_ERROR' | 'GRANT_OUTCOME_CANCELLED' | 'GRANT_OUTCOME_WAIT_TIMED_OUT'
}

export type TaskAuditHardReset = {
  oldPolicyStepId: string
}

export type TaskAuditListRequest = {
  taskId: string
  refs: TaskAuditViewRef[]
  commentsOnly: boolean
  newestFirst: boolean
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type TaskAuditListResponse = {
  list: TaskAuditView[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type TaskAuditMetadata = {
  user: User | null
}

export type TaskAuditNewTask = Record<never, never>

export type TaskAuditPolicyChanged = {
  newPolicyId: string
  oldPolicyId: string
}

export type TaskAuditPolicyEvaluationStep = {
  stepComment: string
}

export type TaskAuditProvisionCancelled = {
  cancelReason: string
}

export type TaskAuditProvisionError = {
  error: string
}

export type TaskAuditProvisionReassigned = {
  newPolicyStepId: string
  newUsers: string[]
  oldPolicyStepId: string
  users: User[]
}

export type TaskAuditReassignedToDelegate = {
  delegatedAssigneeUser: User | null
  delegatedAssigneeUserId: string
  originalAssigneeUser: User | null
  originalAssigneeUserId: string
}

export type TaskAuditReassignmentFallbackToAdmin = {
  adminUserIds: string[]
  adminUsers: User[]
}

export type TaskAuditRequestDefaultsApplied = {
  appId: string
  routingRuleId: string
  source: 'APPLIED_SETTINGS_SOURCE_UNSPECIFIED' | 'APPLIED_SETTINGS_SOURCE_ENTITLEMENT_OVERRIDE' | 'APPLIED_SETTINGS_SOURCE_ROUTING_RULE' | 'APPLIED_SETTINGS_SOURCE_ENTITLEMENT_DEFAULT' | 'APPLIED_SETTINGS_SOURCE_APP_DEFAULT' | 'APPLIED_SETTINGS_SOURCE_ACCESS_PROFILE_DEFAULT'
}

export type TaskAuditRestart = {
  oldPolicyStepId: string
}

export type TaskAuditRevokeOutcome = {
  outcome: 'REVOKE_OUTCOME_UNSPECIFIED' | 'REVOKE_OUTCOME_REVOKED' | 'REVOKE_OUTCOME_DENIED' | 'REVOKE_OUTCOME_ERROR' | 'REVOKE_OUTCOME_CANCELLED' | 'REVOKE_OUTCOME_WAIT_TIMED_OUT'
}

export type TaskAuditSLAEscalation = {
  message: string
}

export type TaskAuditStateChange = {
  previousState: 'TASK_STATE_UNSPECIFIED' | 'TASK_STATE_OPEN' | 'TASK_STATE_CLOSED'
}

export type TaskAuditStepSkipped = {
  skippedBy: string
}

export type TaskAuditTaskCreatedFrom = {
  originalTaskId: string
}

export type TaskAuditView = {
  id: string
  ticketId: string
  userId: string
  created: string | null
  currentState: 'TASK_STATE_UNSPECIFIED' | 'TASK_STATE_OPEN' | 'TASK_STATE_CLOSED'
  eventType: 'TASK_AUDIT_EVENT_TYPE_UNSPECIFIED' | 'TASK_AUDIT_EVENT_TYPE_NEUTRAL' | 'TASK_AUDIT_EVENT_TYPE_ERROR'
  source: 'SOURCE_UNSPECIFIED' | 'SOURCE_C1'
  workflowStep: number
  /** The step of the event; empty if the event is about the whole task. */
  policyStepId: string
  /** The comment, or the reason. */
  note: string
  metadata: TaskAuditMetadata | null
  taskCreated: TaskAuditNewTask | null
  taskCreatedFrom: TaskAuditTaskCreatedFrom | null
  comment: TaskAuditComment | null
  stateChange: TaskAuditStateChange | null
  actionSubmitted: TaskAuditActionSubmitted | null
  conditionalPolicyExecutionResult: TaskAuditConditionalPolicyExecutionResult | null
  policyChanged: TaskAuditPolicyChanged | null
  policyEvaluationStep: TaskAuditPolicyEvaluationStep | null
  approvalInstanceChange: TaskAuditApprovalInstanceChange | null
  approvalReassigned: TaskAuditApprovalReassigned | null
  approvedAutomatically: TaskAuditApprovedAutomatically | null
  approvalAutoAcceptedByPolicy: TaskAuditApprovalAutoAcceptedByPolicy | null
  approvalAutoRejectedByPolicy: TaskAuditApprovalAutoRejectedByPolicy | null
  reassignmentFallbackToAdmin: TaskAuditReassignmentFallbackToAdmin | null
  reassignedToDelegate: TaskAuditReassignedToDelegate | null
  requestDefaultsApplied: TaskAuditRequestDefaultsApplied | null
  grantOutcome: TaskAuditGrantOutcome | null
  revokeOutcome: TaskAuditRevokeOutcome | null
  taskRestarted: TaskAuditRestart | null
  hardReset: TaskAuditHardReset | null
  taskEscalated: TaskAuditEscalateToEmergencyAccess | null
  slaEscalation: TaskAuditSLAEscalation | null
  stepSkipped: TaskAuditStepSkipped | null
  grantDurationUpdated: TaskAuditGrantDurationUpdated | null
  formInstanceChange: TaskAuditFormInstanceChange | null
  provisionReassigned: TaskAuditProvisionReassigned | null
  provisionError: TaskAuditProvisionError | null
  provisionCancelled: TaskAuditProvisionCancelled | null
  waitStepWaiting: TaskAuditWaitStepWaiting | null
  waitStepUntilTime: TaskAuditWaitStepUntilTime | null
  waitStepSuccess: TaskAuditWaitStepSuccess | null
  waitStepTimedOut: TaskAuditWaitStepTimedOut | null
  expressionPolicyStepError: TaskAuditExpressionPolicyStepError | null
  webhookApprovalTriggered: TaskAuditWebhookApprovalTriggered | null
  webhookApprovalAttempt: TaskAuditWebhookApprovalAttempt | null
  webhookApprovalSuccess: TaskAuditWebhookApprovalSuccess | null
  webhookApprovalBadResponse: TaskAuditWebhookApprovalBadResponse | null
  webhookApprovalFatalError: TaskAuditWebhookApprovalFatalError | null
  webhookTriggered: TaskAuditWebhookTriggered | null
  webhookAttempt: TaskAuditWebhookAttempt | null
  webhookSuccess: TaskAuditWebhookSuccess | null
}

export type TaskAuditViewRef = {
  id: string
}

export type TaskAuditWaitStepSuccess = {
  condition: string
  stepId: string
  succeededAt: string | null
}

export type TaskAuditWaitStepTimedOut = {
  condition: string
  stepId: string
  timedOutAt: string | null
}

export type TaskAuditWaitStepUntilTime = {
  stepId: string
  untilTime: string | null
}

export type TaskAuditWaitStepWaiting = {
  condition: string
  stepId: string
}

export type TaskAuditWebhookApprovalAttempt = {
  webhookId: string
  webhookInstanceId: string
  webhookName: string
  webhookUrl: string
}

export type TaskAuditWebhookApprovalBadResponse = {
  webhookId: string
  webhookInstanceId: string
  webhookName: string
  webhookUrl: string
  error: string
}

export type TaskAuditWebhookApprovalFatalError = {
  webhookId: string
  webhookInstanceId: string
  webhookName: string
  webhookUrl: string
  error: string
}

export type TaskAuditWebhookApprovalSuccess = {
  webhookId: string
  webhookInstanceId: string
  webhookName: string
  webhookUrl: string
}

export type TaskAuditWebhookApprovalTriggered = {
  webhookId: string
  webhookInstanceId: string
  webhookName: string
  webhookUrl: string
}

export type TaskAuditWebhookAttempt = {
  webhookId: string
  webhookInstanceId: string
  webhookName: string
  webhookUrl: string
}

export type TaskAuditWebhookSuccess = {
  webhookId: string
  webhookInstanceId: string
  webhookName: string
  webhookUrl: string
}

export type TaskAuditWebhookTriggered = {
  webhookId: string
  webhookInstanceId: string
  webhookName: string
  webhookUrl: string
}

export type TaskGrantSource = {
  conversationId: string
  externalUrl: string
  integrationId: string
  isExtension: boolean
  requestId: string
}

export type TaskRef = {
  id: string
}

export type TaskResource = {
  appId: string
  appResourceTypeId: string
  id: string
}

export type TaskRevokeSource = {
  expired: TaskRevokeSourceExpired | null
  request: TaskRevokeSourceRequest | null
}

export type TaskRevokeSourceExpired = {
  expiredAt: string | null
}

export type TaskRevokeSourceRequest = {
  requestUserId: string
}

export type TaskSearchRequest = {
  refs: TaskRef[]
  excludeIds: string[]
  applicationIds: string[]
  excludeApplicationIds: string[]
  appEntitlementIds: string[]
  excludeAppEntitlementIds: string[]
  appResourceIds: string[]
  appResourceTypeIds: string[]
  excludeAppResourceTypeIds: string[]
  appUserSubjectIds: string[]
  accessReviewIds: string[]
  subjectIds: string[]
  openerIds: string[]
  openerOrSubjectUserId: string
  assigneesInIds: string[]
  assignedOrStepApproverUserId: string
  myWorkUserIds: string[]
  previouslyActedOnIds: string[]
  actorId: string
  accountOwnerIds: string[]
  userEmploymentStatuses: string[]
  taskStates: ('TASK_STATE_UNSPECIFIED' | 'TASK_STATE_OPEN' | 'TASK_STATE_CLOSED')[]
  taskTypes: Type[]
  currentStep: 'TASK_SEARCH_CURRENT_STEP_UNSPECIFIED' | 'TASK_SEARCH_CURRENT_STEP_APPROVAL' | 'TASK_SEARCH_CURRENT_STEP_PROVISION'
  stepApprovalTypes: ('STEP_APPROVAL_TYPE_UNSPECIFIED' | 'STEP_APPROVAL_TYPE_USERS' | 'STEP_APPROVAL_TYPE_MANAGER' | 'STEP_APPROVAL_TYPE_APP_OWNERS' | 'STEP_APPROVAL_TYPE_GROUP' | 'STEP_APPROVAL_TYPE_SELF' | 'STEP_APPROVAL_TYPE_ENTITLEMENT_OWNERS' | 'STEP_APPROVAL_TYPE_EXPRESSION' | 'STEP_APPROVAL_TYPE_WEBHOOK' | 'STEP_APPROVAL_TYPE_RESOURCE_OWNERS' | 'STEP_APPROVAL_TYPE_AGENT')[]
  grantOutcomes: ('GRANT_OUTCOME_UNSPECIFIED' | 'GRANT_OUTCOME_GRANTED' | 'GRANT_OUTCOME_DENIED' | 'GRANT_OUTCOME_ERROR' | 'GRANT_OUTCOME_CANCELLED' | 'GRANT_OUTCOME_WAIT_TIMED_OUT')[]
  revokeOutcomes: ('REVOKE_OUTCOME_UNSPECIFIED' | 'REVOKE_OUTCOME_REVOKED' | 'REVOKE_OUTCOME_DENIED' | 'REVOKE_OUTCOME_ERROR' | 'REVOKE_OUTCOME_CANCELLED' | 'REVOKE_OUTCOME_WAIT_TIMED_OUT')[]
  certifyOutcomes: ('CERTIFY_OUTCOME_UNSPECIFIED' | 'CERTIFY_OUTCOME_CERTIFIED' | 'CERTIFY_OUTCOME_DECERTIFIED' | 'CERTIFY_OUTCOME_ERROR' | 'CERTIFY_OUTCOME_CANCELLED' | 'CERTIFY_OUTCOME_WAIT_TIMED_OUT')[]
  emergencyStatus: 'UNSPECIFIED' | 'ALL' | 'NON_EMERGENCY' | 'EMERGENCY'
  accountTypes: ('APP_USER_TYPE_UNSPECIFIED' | 'APP_USER_TYPE_USER' | 'APP_USER_TYPE_SERVICE_ACCOUNT' | 'APP_USER_TYPE_SYSTEM_ACCOUNT')[]
  accountStatuses: ('STATUS_UNSPECIFIED' | 'STATUS_ENABLED' | 'STATUS_DISABLED' | 'STATUS_DELETED')[]
  /** Only tasks whose current step requires a reason to approve. */
  requireApprovalReason: boolean
  /** Only tasks whose current step requires a reason to deny. */
  requireDenialReason: boolean
  /** Only tasks with a step that waits for people, or only tasks without one. */
  pendingActionFilter: 'PENDING_ACTION_FILTER_UNSPECIFIED' | 'PENDING_ACTION_FILTER_WITH_PENDING' | 'PENDING_ACTION_FILTER_WITHOUT_PENDING'
  /** Only stuck tasks. The annotations of a task have the reason. */
  stuckOnly: boolean
  includeDeleted: boolean
  createdAfter: string | null
  createdBefore: string | null
  outcomeAfter: string | null
  outcomeBefore: string | null
  /** Seconds. */
  olderThanDuration: string | null
  /** With myWorkUserIds: also the tasks that these users acted on after this time. */
  includeActedAfter: string | null
  query: string
  sortBy: 'TASK_SEARCH_SORT_BY_UNSPECIFIED' | 'TASK_SEARCH_SORT_BY_ACCOUNT' | 'TASK_SEARCH_SORT_BY_RESOURCE' | 'TASK_SEARCH_SORT_BY_ACCOUNT_OWNER' | 'TASK_SEARCH_SORT_BY_REVERSE_TICKET_ID' | 'TASK_SEARCH_SORT_BY_TICKET_ID' | 'TASK_SEARCH_SORT_BY_CREATED_AT' | 'TASK_SEARCH_SORT_BY_REVERSE_CREATED_AT' | 'TASK_SEARCH_SORT_BY_APP_RESOURCE_ID_AND_APP_ENTITLEMENT'
  /** Sort by one of: created, updated, name, person, kind, state. Add " desc" for descending order. The default order applies if unset. */
  orderBy: string
  expandMask: ExpandMask | null
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type Type = {
  grant: Record<string, unknown> | null
  revoke: Record<string, unknown> | null
  certify: Record<string, unknown> | null
  offboarding: Record<string, unknown> | null
  action: Record<string, unknown> | null
  finding: Record<string, unknown> | null
}

export type TaskSearchResponse = {
  list: TaskView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type TaskServiceCreateGrantRequest = {
  appId: string
  appEntitlementId: string
  identityUserId: string
  appUserId: string
  description: string
  expandMask: ExpandMask | null
  /** Seconds. */
  grantDuration: string | null
  emergencyAccess: boolean
  requestData: Record<string, unknown> | null
  source: TaskGrantSource | null
  /** The fingerprint of a plan of this request. If the request would now take other steps or go to other people, it fails with PLAN_CHANGED. */
  planFingerprint: string
}

export type TaskServiceCreateGrantResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
}

export type TaskServiceCreateOffboardingRequest = {
  subjectUserId: string
  description: string
  expandMask: ExpandMask | null
}

export type TaskServiceCreateOffboardingResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
}

export type TaskServiceCreateRevokeRequest = {
  appId: string
  appEntitlementId: string
  identityUserId: string
  appUserId: string
  description: string
  expandMask: ExpandMask | null
}

export type TaskServiceCreateRevokeResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
}

export type TaskServiceGetResponse = {
  taskView: TaskView | null
  expanded: (Record<string, unknown> | null)[]
}

export type TaskType = {
  offboarding: TaskTypeOffboarding | null
  grant: TaskTypeGrant | null
  revoke: TaskTypeRevoke | null
}

export type TaskTypeGrant = {
  appId: string
  appEntitlementId: string
  appUserId: string
  identityUserId: string
  /** Seconds. */
  grantDuration: string | null
  outcome: 'GRANT_OUTCOME_UNSPECIFIED' | 'GRANT_OUTCOME_GRANTED' | 'GRANT_OUTCOME_DENIED' | 'GRANT_OUTCOME_ERROR' | 'GRANT_OUTCOME_CANCELLED' | 'GRANT_OUTCOME_WAIT_TIMED_OUT'
  outcomeTime: string | null
  source: TaskGrantSource | null
}

export type TaskTypeOffboarding = {
  outcome: 'OFFBOARDING_OUTCOME_UNSPECIFIED' | 'OFFBOARDING_OUTCOME_IN_PROGRESS' | 'OFFBOARDING_OUTCOME_DONE' | 'OFFBOARDING_OUTCOME_ERROR' | 'OFFBOARDING_OUTCOME_CANCELLED'
  outcomeTime: string | null
  subjectUserId: string
}

export type TaskTypeRevoke = {
  appId: string
  appEntitlementId: string
  appUserId: string
  identityUserId: string
  outcome: 'REVOKE_OUTCOME_UNSPECIFIED' | 'REVOKE_OUTCOME_REVOKED' | 'REVOKE_OUTCOME_DENIED' | 'REVOKE_OUTCOME_ERROR' | 'REVOKE_OUTCOME_CANCELLED' | 'REVOKE_OUTCOME_WAIT_TIMED_OUT'
  outcomeTime: string | null
  resource: TaskResource | null
  source: TaskRevokeSource | null
}

export type TaskView = {
  task: Task | null
  objectPermissions: ObjectPermissions | null
  accessReviewPath: string
  appPath: string
  appUserLastUsagePath: string
  appUserPath: string
  approversPath: string
  createdByUserPath: string
  entitlementsPath: string
  identityUserPath: string
  insightsPath: string
  principalResourcePath: string
  resourceBindingsPath: string
  roleResourcePath: string
  scopeResourcePath: string
  stepApproversPath: string
  userPath: string
}

export type GetUserProfileTypesResponse = {
  profileTypes: UserProfileType[]
}

export type SearchUsersRequest = {
  query: string
  email: string
  ids: string[]
  refs: UserRef[]
  excludeIds: string[]
  departments: string[]
  jobTitles: string[]
  managerIds: string[]
  roleIds: string[]
  origins: ('USER_ORIGIN_UNSPECIFIED' | 'USER_ORIGIN_DIRECTORY' | 'USER_ORIGIN_LOCAL' | 'USER_ORIGIN_SYSTEM')[]
  excludeOrigins: ('USER_ORIGIN_UNSPECIFIED' | 'USER_ORIGIN_DIRECTORY' | 'USER_ORIGIN_LOCAL' | 'USER_ORIGIN_SYSTEM')[]
  types: ('USER_TYPE_UNSPECIFIED' | 'USER_TYPE_SYSTEM' | 'USER_TYPE_HUMAN' | 'USER_TYPE_SERVICE' | 'USER_TYPE_AGENT')[]
  excludeTypes: ('USER_TYPE_UNSPECIFIED' | 'USER_TYPE_SYSTEM' | 'USER_TYPE_HUMAN' | 'USER_TYPE_SERVICE' | 'USER_TYPE_AGENT')[]
  userStatuses: ('UNKNOWN' | 'ENABLED' | 'DISABLED' | 'DELETED')[]
  delegateStatus: 'DELEGATE_STATUS_UNSPECIFIED' | 'DELEGATE_STATUS_HAS_DELEGATE' | 'DELEGATE_STATUS_NO_DELEGATE'
  delegatedUserIds: string[]
  isDelegate: boolean
  /** Only users with one of these employment statuses. */
  employmentStatuses: string[]
  /** Only users who have an account in one of these directories. */
  directoryIds: string[]
  /** Only users who have access in any app, or only users who have none. */
  access: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'
  /** Only users created at or after this time. */
  createdAfter: string | null
  /** Only users created before this time. */
  createdBefore: string | null
  /** Sort by one of: name, email, jobTitle, department, employmentStatus, type, status, created. Add " desc" for descending order. The default order applies if unset. */
  orderBy: string
  expandMask: ExpandMask | null
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type SearchUsersResponse = {
  list: UserView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type SetExpiringUserDelegationBindingByAdminRequest = {
  delegatedUserId: string
  delegationStartAt: string | null
  delegationExpireAt: string | null
}

export type SetExpiringUserDelegationBindingByAdminResponse = {
  item: UserDelegationBinding | null
}

/** A person or a service. delegatedUserId is their current delegate. */
export type User = {
  id: string
  type: 'USER_TYPE_UNSPECIFIED' | 'USER_TYPE_SYSTEM' | 'USER_TYPE_HUMAN' | 'USER_TYPE_SERVICE' | 'USER_TYPE_AGENT'
  origin: 'USER_ORIGIN_UNSPECIFIED' | 'USER_ORIGIN_DIRECTORY' | 'USER_ORIGIN_LOCAL' | 'USER_ORIGIN_SYSTEM'
  status: 'UNKNOWN' | 'ENABLED' | 'DISABLED' | 'DELETED'
  directoryStatus: 'UNKNOWN' | 'ENABLED' | 'DISABLED' | 'DELETED'
  displayName: string
  email: string
  emails: string[]
  username: string
  usernames: string[]
  employeeIds: string[]
  department: string
  jobTitle: string
  employmentType: string
  employmentStatus: string
  managerIds: string[]
  roleIds: string[]
  delegatedUserId: string
  profile: Record<string, unknown> | null
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
  directoryStatusSources: UserAttributeMappingSource[]
  emailSources: UserAttributeMappingSource[]
  usernameSources: UserAttributeMappingSource[]
  employeeIdSources: UserAttributeMappingSource[]
  departmentSources: UserAttributeMappingSource[]
  jobTitleSources: UserAttributeMappingSource[]
  employmentTypeSources: UserAttributeMappingSource[]
  employmentStatusSources: UserAttributeMappingSource[]
  managerSources: UserAttributeMappingSource[]
  directoryIds: string[]
}

export type UserAttributeMappingSource = {
  appId: string
  appUserId: string
  appUserProfileAttributeKey: string
  priority: number
  userAttributeMappingId: string
  value: string
}

export type UserAttributeSources = {
  /** Such as department, status, or profile.costCenter. */
  attribute: string
  /** The value of the user. */
  value: string
  /** Where the value comes from. Absent if no directory provides it. */
  source: UserAttributeValue | null
  /** Since when the value comes from there. */
  since: string | null
  /** The value differs from its source: an import or a person has changed it since. */
  isOverwritten: boolean
  /** The values in other directories, in order of precedence. They are not used. */
  others: UserAttributeValue[]
}

export type UserAttributeValue = {
  /** The directory. */
  appId: string
  directoryName: string
  /** The account there. */
  appUserId: string
  /** As text; for a manager, the id of the user. */
  value: string
}

export type UserAttributesListSourcesResponse = {
  list: UserAttributeSources[]
}

export type UserDelegationBinding = {
  userId: string
  delegatedUserId: string
  startAt: string | null
  expirationAt: string | null
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

export type UserDelegationGetResponse = {
  item: UserDelegationBinding | null
  delegatedUserName: string
}

export type UserDelegationSetRequest = {
  delegatedUserId: string
  delegatedUserEmail: string
  delegationStartAt: string | null
  delegationExpireAt: string | null
}

export type UserDelegationSetResponse = {
  item: UserDelegationBinding | null
  delegatedUserName: string
}

export type UserMerge = {
  id: string
  /** The user who was merged, and is now disabled. */
  userId: string
  /** The user who now has everything. */
  intoUserId: string
  mergedByUserId: string
  mergedAt: string | null
  splitByUserId: string
  splitAt: string | null
}

export type UserMergesCreateRequest = {
  /** The user who stays. */
  intoUserId: string
  fingerprint: string
}

export type UserMergesCreateResponse = {
  mergeId: string
}

export type UserMergesListResponse = {
  list: UserMerge[]
}

export type UserMergesPlanRequest = {
  /** The user who stays. */
  intoUserId: string
}

export type UserMergesPlanResponse = {
  /** Identifies everything that would be moved. Required to merge. */
  fingerprint: string
  accountCount: number
  /** The grants of the accounts. They are moved with the accounts. */
  grantCount: number
  /** Accounts in directories: their attributes then apply to the other user. */
  directoryCount: number
  /** Users whose manager would be the other user. */
  reportCount: number
  /** What the user owns. The other user would own it. */
  ownedCount: number
  /** Open requests about the user. They must be closed first. */
  openTaskCount: number
  /** Tasks that wait for the user. Others decide them instead. */
  assignedTaskCount: number
  /** API credentials, which are refused from then on. */
  credentialCount: number
  /** Sessions, which end. */
  sessionCount: number
}

export type UserMergesSplitRequest = Record<never, never>

export type UserProfileType = {
  id: string
  name: string
}

export type UserRef = {
  id: string
}

export type UserRolesAddRequest = Record<never, never>

export type UserRolesAddResponse = {
  userView: UserView | null
  expanded: (Record<string, unknown> | null)[]
}

export type UserRolesRemoveRequest = Record<never, never>

export type UserRolesRemoveResponse = {
  userView: UserView | null
  expanded: (Record<string, unknown> | null)[]
}

export type UserServiceGetResponse = {
  userView: UserView | null
  expanded: (Record<string, unknown> | null)[]
}

export type UserServiceIntrospectRequest = {
  expandMask: ExpandMask | null
}

export type UserServiceIntrospectResponse = {
  userView: UserView | null
  expanded: (Record<string, unknown> | null)[]
}

export type UserServiceListResponse = {
  list: UserView[]
  expanded: (Record<string, unknown> | null)[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type UserStatusDisableRequest = {
  /** Why, or the number of a ticket; kept in the system log. */
  reason: string
}

export type UserStatusDisableResponse = {
  userView: UserView | null
  expanded: (Record<string, unknown> | null)[]
}

export type UserStatusEnableRequest = {
  /** Why, or the number of a ticket; kept in the system log. */
  reason: string
}

export type UserStatusEnableResponse = {
  userView: UserView | null
  expanded: (Record<string, unknown> | null)[]
}

export type UserView = {
  user: User | null
  userId: string
  rolesPath: string
  managersPath: string
  delegatedUserPath: string
  objectPermissions: ObjectPermissions | null
}

export type UserOwnerEntitlementV2 = {
  userId: string
  roleSlug: string
  createdAt: string | null
  appEntitlement: AppEntitlement | null
}

export type UserOwnerEntitlementCreateRequestV2 = {
  appEntitlementRef: AppEntitlementRef | null
}

export type UserOwnerEntitlementCreateResponseV2 = {
  userOwnerEntitlement: UserOwnerEntitlementV2 | null
}

export type UserOwnerEntitlementDeleteRequestV2 = {
  appEntitlementRef: AppEntitlementRef | null
}

export type UserOwnerEntitlementsResponseV2 = {
  list: UserOwnerEntitlementV2[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type UserOwnerSetRequestV2 = {
  /** The role: 1 to 64 characters of a-z, 0-9, _ and -, such as primary. */
  roleSlug: string
  userRefs: UserRef[]
  appEntitlementRefs: AppEntitlementRef[]
}

export type UserOwnerUserV2 = {
  userId: string
  roleSlug: string
  createdAt: string | null
  user: User | null
}

export type UserOwnerUserCreateRequestV2 = {
  userRef: UserRef | null
}

export type UserOwnerUserCreateResponseV2 = {
  userOwnerUser: UserOwnerUserV2 | null
}

export type UserOwnerUserDeleteRequestV2 = {
  userRef: UserRef | null
}

export type UserOwnerUsersResponseV2 = {
  list: UserOwnerUserV2[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type BoolRules = {
  const?: boolean
}

export type FieldRules = {
  string: StringRules | null
}

export type Int64Rules = {
  const?: string
  gt?: string
  gte?: string
  ignoreEmpty: boolean
  in: string[]
  lt?: string
  lte?: string
  notIn: string[]
}

export type RepeatedRules = {
  ignoreEmpty: boolean
  items: FieldRules | null
  maxItems?: string
  minItems?: string
  unique: boolean
}

export type StringRules = {
  address?: boolean
  const?: string
  contains?: string
  email?: boolean
  hostname?: boolean
  ignoreEmpty: boolean
  in: string[]
  ip?: boolean
  ipv4?: boolean
  ipv6?: boolean
  len?: string
  lenBytes?: string
  maxBytes?: string
  maxLen?: string
  minBytes?: string
  minLen?: string
  notContains?: string
  notIn: string[]
  pattern?: string
  prefix?: string
  /** Not supported: setting it is refused. */
  strict: boolean
  suffix?: string
  uri?: boolean
  uriRef?: boolean
  uuid?: boolean
  wellKnownRegex?: 'UNKNOWN' | 'HTTP_HEADER_NAME' | 'HTTP_HEADER_VALUE'
}

/** A URL of another system that decides or performs steps of policies. */
export type Webhook = {
  id: string
  displayName: string
  description: string
  /** The URL that deliveries are sent to, by POST. */
  url: string
  /** How long to wait for a callback after a response with status 202: 1 to 30 days, in seconds. The default is 8 days. */
  callbackTimeout: string | null
  createdAt: string | null
  updatedAt: string | null
  deletedAt: string | null
}

/** One message to a webhook. */
export type WebhookInstance = {
  /** The same for all attempts; it is also in the header Bailiwick-Delivery-Id. */
  id: string
  webhookId: string
  /** ERROR is retried; FATAL_ERROR is not. */
  state: 'WEBHOOK_STATE_UNSPECIFIED' | 'WEBHOOK_STATE_PENDING' | 'WEBHOOK_STATE_RUNNING' | 'WEBHOOK_STATE_ERROR' | 'WEBHOOK_STATE_WAITING_CALLBACK' | 'WEBHOOK_STATE_PROCESS_RESPONSE' | 'WEBHOOK_STATE_SUCCESS' | 'WEBHOOK_STATE_FATAL_ERROR'
  attempts: number
  source: WebhookSource | null
  spec: WebhookSpec | null
  createdAt: string | null
  updatedAt: string | null
  lastAttemptedAt: string | null
  completedAt: string | null
  expiresAt: string | null
}

export type WebhookRef = {
  id: string
}

export type WebhookSource = {
  test: WebhookSourceTest | null
  approvalStep: WebhookSourceApprovalStep | null
  provisionStep: WebhookSourceProvisionStep | null
  policyPostAction: WebhookSourcePolicyPostAction | null
  workflowStep: WebhookSourceWorkflowStep | null
}

export type WebhookSourceApprovalStep = {
  ticketId: string
}

export type WebhookSourcePolicyPostAction = {
  ticketId: string
}

export type WebhookSourceProvisionStep = {
  ticketId: string
}

export type WebhookSourceTest = Record<never, never>

export type WebhookSourceWorkflowStep = {
  workflowExecutionId: string
  workflowStepId: string
}

export type WebhookSpec = {
  destination: string
}

export type WebhooksSearchRequest = {
  /** A part of the name or description, in any case. */
  query: string
  refs: WebhookRef[]
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type WebhooksSearchResponse = {
  list: Webhook[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type WebhooksServiceCreateRequest = {
  displayName: string
  description: string
  /** The URL that deliveries are sent to, by POST. */
  url: string
  /** How long to wait for a callback after a response with status 202: 1 to 30 days, in seconds. The default is 8 days. */
  callbackTimeout: string | null
}

export type WebhooksServiceCreateResponse = {
  webhook: Webhook | null
}

export type WebhooksServiceDeleteRequestInput = Record<never, never>

export type WebhooksServiceGetResponse = {
  webhook: Webhook | null
}

export type WebhooksServiceListResponse = {
  list: Webhook[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type WebhooksServiceTestRequestInput = Record<never, never>

export type WebhooksServiceTestResponse = {
  webhook: WebhookInstance | null
}

export type WebhooksServiceUpdateRequestInput = {
  webhook: Webhook
  updateMask: string
}

export type WebhooksServiceUpdateResponse = {
  webhook: Webhook | null
}

/** An OpenID Connect issuer. */
export type OIDCSettings = Record<never, never>

/** A SPIFFE trust domain. */
export type SPIFFESettings = {
  /** Where the trust domain publishes its keys. */
  bundleEndpointUrl: string
}

export type TestTokenStepResult = {
  stepName: string
  passed: boolean
  skipped: boolean
  expected: string
  actual: string
  detail: string
}

/** An issuer whose tokens service principals may trust. */
export type WorkloadFederationProvider = {
  id: string
  displayName: string
  description: string
  issuerUrl: string
  wellKnownProvider: 'WELL_KNOWN_WORKLOAD_PROVIDER_UNSPECIFIED' | 'WELL_KNOWN_WORKLOAD_PROVIDER_CUSTOM' | 'WELL_KNOWN_WORKLOAD_PROVIDER_GITHUB_ACTIONS' | 'WELL_KNOWN_WORKLOAD_PROVIDER_GITLAB_CI' | 'WELL_KNOWN_WORKLOAD_PROVIDER_HCP_TERRAFORM' | 'WELL_KNOWN_WORKLOAD_PROVIDER_AWS_IAM_OUTBOUND' | 'WELL_KNOWN_WORKLOAD_PROVIDER_SPIFFE'
  /** While it is disabled, no token of this issuer is accepted, and neither are access tokens that were issued for one. */
  disabled: boolean
  oidc: OIDCSettings | null
  spiffe: SPIFFESettings | null
  createdAt: string | null
  updatedAt: string | null
}

export type WorkloadFederationServiceCreateProviderRequest = {
  displayName: string
  description: string
  /** The issuer. Optional for GITHUB_ACTIONS, GITLAB_CI and HCP_TERRAFORM, which have a default. */
  issuerUrl: string
  wellKnownProvider: 'WELL_KNOWN_WORKLOAD_PROVIDER_UNSPECIFIED' | 'WELL_KNOWN_WORKLOAD_PROVIDER_CUSTOM' | 'WELL_KNOWN_WORKLOAD_PROVIDER_GITHUB_ACTIONS' | 'WELL_KNOWN_WORKLOAD_PROVIDER_GITLAB_CI' | 'WELL_KNOWN_WORKLOAD_PROVIDER_HCP_TERRAFORM' | 'WELL_KNOWN_WORKLOAD_PROVIDER_AWS_IAM_OUTBOUND' | 'WELL_KNOWN_WORKLOAD_PROVIDER_SPIFFE'
  oidc: OIDCSettings | null
  spiffe: SPIFFESettings | null
}

export type WorkloadFederationServiceCreateProviderResponse = {
  provider: WorkloadFederationProvider | null
}

export type WorkloadFederationServiceCreateTrustRequest = {
  displayName: string
  description: string
  /** A condition in CEL about `claims`, the claims of the token: at most 1,024 bytes. */
  conditionExpression: string
  /** The roles of the service principal that access tokens have. Empty: all of them. */
  scopedRoleIds: string[]
  /** At most 32 CIDR blocks or addresses. Empty: any address. */
  allowSourceCidrs: string[]
  /** At most 32 claims of the token whose strings are copied to the claim c1wfc of the access token. */
  passthroughClaims: string[]
  providerId: string
}

export type WorkloadFederationServiceCreateTrustResponse = {
  trust: WorkloadFederationTrust | null
}

export type WorkloadFederationServiceDeleteProviderRequest = Record<never, never>

export type WorkloadFederationServiceDeleteTrustRequest = Record<never, never>

export type WorkloadFederationServiceGetProviderResponse = {
  provider: WorkloadFederationProvider | null
}

export type WorkloadFederationServiceGetTrustResponse = {
  trust: WorkloadFederationTrust | null
}

export type WorkloadFederationServiceListProvidersResponse = {
  list: WorkloadFederationProvider[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type WorkloadFederationServiceListTrustsResponse = {
  list: WorkloadFederationTrust[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type WorkloadFederationServiceSearchTrustsRequest = {
  /** A part of the name, the client id or the description, in any case. */
  query: string
  providerId: string
  servicePrincipalId: string
  /** The number of items per page: 10 to 100, 25 by default. */
  pageSize: number
  /** The nextPageToken of the page before; empty or absent for the first page. */
  pageToken: string
}

export type WorkloadFederationServiceSearchTrustsResponse = {
  list: WorkloadFederationTrust[]
  /** The token of the next page; empty on the last one. */
  nextPageToken: string
}

export type WorkloadFederationServiceTestCELRequest = {
  expression: string
  /** The claims of a token, as a JSON object. */
  claimsJson: string
}

export type WorkloadFederationServiceTestCELResponse = {
  matched: boolean
  error: string
  expression: string
}

export type WorkloadFederationServiceTestTokenRequest = {
  /** The JWT of the other issuer. */
  subjectToken: string
  /** The IP address of the workload; if absent, it is not checked. */
  sourceIp: string
}

export type WorkloadFederationServiceTestTokenResponse = {
  jwtDecode?: TestTokenStepResult
  issuerMatch?: TestTokenStepResult
  signatureValidation?: TestTokenStepResult
  audienceValidation?: TestTokenStepResult
  tokenFreshness?: TestTokenStepResult
  subjectValidation?: TestTokenStepResult
  celEvaluation?: TestTokenStepResult
  cidrCheck?: TestTokenStepResult
  overallResult: boolean
  decodedClaimsJson: string
}

export type WorkloadFederationServiceUpdateProviderRequest = {
  provider: WorkloadFederationProvider | null
  updateMask: string
}

export type WorkloadFederationServiceUpdateProviderResponse = {
  provider: WorkloadFederationProvider | null
}

export type WorkloadFederationServiceUpdateTrustRequest = {
  trust: WorkloadFederationTrust | null
  updateMask: string
}

export type WorkloadFederationServiceUpdateTrustResponse = {
  trust: WorkloadFederationTrust | null
}

/** Which tokens of an issuer are accepted for a service principal. */
export type WorkloadFederationTrust = {
  clientId: string
  servicePrincipalId: string
  providerId: string
  displayName: string
  description: string
  /** A condition in CEL about `claims`, the claims of the token: at most 1,024 bytes. */
  conditionExpression: string
  /** The roles of the service principal that access tokens have. Empty: all of them. */
  scopedRoleIds: string[]
  /** At most 32 CIDR blocks or addresses. Empty: any address. */
  allowSourceCidrs: string[]
  /** At most 32 claims of the token whose strings are copied to the claim c1wfc of the access token. */
  passthroughClaims: string[]
  /** While it is disabled, no token is accepted, and neither are access tokens that were issued. */
  disabled: boolean
  createdAt: string | null
  updatedAt: string | null
}
