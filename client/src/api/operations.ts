// Made from the API document by `npm run generate`. Not to be edited.
import type { Operation, PagedOperation, Sent } from '../operation.ts'
import type {
  AddAutomationExclusionRequestInput,
  AddBulkOwnersRequest,
  AddManuallyManagedUsersRequest,
  AppAccessRequestDefaults,
  AppAccessRequestDefaultsInput,
  AppEditorValidateRequest,
  AppEditorValidateResponse,
  AppEntitlementOwnerEntitlementCreateRequestV2,
  AppEntitlementOwnerEntitlementCreateResponseV2,
  AppEntitlementOwnerEntitlementDeleteRequestV2,
  AppEntitlementOwnerEntitlementGetResponseV2,
  AppEntitlementOwnerEntitlementsResponseV2,
  AppEntitlementOwnerSetRequestV2,
  AppEntitlementOwnerUserCreateRequestV2,
  AppEntitlementOwnerUserCreateResponseV2,
  AppEntitlementOwnerUserDeleteRequestV2,
  AppEntitlementOwnerUserGetResponseV2,
  AppEntitlementOwnerUsersResponseV2,
  AppEntitlementOwnersAddRequest,
  AppEntitlementOwnersDeleteRequest,
  AppEntitlementOwnersListOwnerIDsResponse,
  AppEntitlementOwnersListResponse,
  AppEntitlementOwnersRemoveRequest,
  AppEntitlementOwnersSetRequest,
  AppEntitlementSearchServiceCountGrantsForUserByAppRequest,
  AppEntitlementSearchServiceCountGrantsForUserByAppResponse,
  AppEntitlementSearchServiceSearchGrantsRequest,
  AppEntitlementSearchServiceSearchGrantsResponse,
  AppEntitlementSearchServiceSearchGraphRequest,
  AppEntitlementSearchServiceSearchGraphResponse,
  AppEntitlementSearchServiceSearchReachableResourcesForUserRequest,
  AppEntitlementSearchServiceSearchReachableResourcesForUserResponse,
  AppEntitlementSearchServiceSearchRequest,
  AppEntitlementSearchServiceSearchResponse,
  AppOwnerEntitlementCreateRequestV2,
  AppOwnerEntitlementCreateResponseV2,
  AppOwnerEntitlementDeleteRequestV2,
  AppOwnerEntitlementGetResponseV2,
  AppOwnerEntitlementsResponseV2,
  AppOwnerSetRequestV2,
  AppOwnerUserCreateRequestV2,
  AppOwnerUserCreateResponseV2,
  AppOwnerUserDeleteRequestV2,
  AppOwnerUserGetResponseV2,
  AppOwnerUsersResponseV2,
  AppOwnersAddRequest,
  AppOwnersDeleteRequest,
  AppOwnersListOwnerIDsResponse,
  AppOwnersListResponse,
  AppOwnersRemoveRequest,
  AppOwnersSetRequest,
  AppResourceOwnerEntitlementCreateRequestV2,
  AppResourceOwnerEntitlementCreateResponseV2,
  AppResourceOwnerEntitlementDeleteRequestV2,
  AppResourceOwnerEntitlementGetResponseV2,
  AppResourceOwnerEntitlementsResponseV2,
  AppResourceOwnerSetRequestV2,
  AppResourceOwnerUserCreateRequestV2,
  AppResourceOwnerUserCreateResponseV2,
  AppResourceOwnerUserDeleteRequestV2,
  AppResourceOwnerUserGetResponseV2,
  AppResourceOwnerUsersResponseV2,
  AppResourceOwnersAddRequest,
  AppResourceOwnersDeleteRequest,
  AppResourceOwnersListOwnerIDsResponse,
  AppResourceOwnersListResponse,
  AppResourceOwnersRemoveRequest,
  AppResourceOwnersSetRequest,
  AppResourceServiceGetResponse,
  AppResourceServiceListResponse,
  AppResourceServiceUpdateRequestInput,
  AppResourceServiceUpdateResponse,
  AppResourceTypeServiceGetResponse,
  AppResourceTypeServiceListResponse,
  AppUserOwnerEntitlementCreateRequestV2,
  AppUserOwnerEntitlementCreateResponseV2,
  AppUserOwnerEntitlementDeleteRequestV2,
  AppUserOwnerEntitlementsResponseV2,
  AppUserOwnerSetRequestV2,
  AppUserOwnerUserCreateRequestV2,
  AppUserOwnerUserCreateResponseV2,
  AppUserOwnerUserDeleteRequestV2,
  AppUserOwnerUsersResponseV2,
  AppUserServiceListCredentialsResponse,
  AppUserServiceListResponse,
  AppUserServiceSearchRequest,
  AppUserServiceSearchResponse,
  AppUserServiceUpdateRequest,
  AppUserServiceUpdateResponse,
  AppUsersForUserServiceListResponse,
  ApplyAutomationPlanRequestInput,
  ApplyAutomationPlanResponse,
  ApplyBulkEntitlementsRequest,
  ApplyBulkGrantsRequest,
  ApproveRequest,
  ApproveResponse,
  BulkPlan,
  BulkResult,
  BundleAutomation,
  CancelAccessRequestDefaultsRequestInput,
  CancelAutomationRunRequestInput,
  CancelAutomationRunResponse,
  ChangesGetResponse,
  ChatWebhooksDeleteResponse,
  ChatWebhooksListResponse,
  ChatWebhooksSetRequest,
  ChatWebhooksSetResponse,
  ChatWebhooksTestResponse,
  CheckFederationConditionRequest,
  CheckFederationConditionResponse,
  CloseRequest,
  CloseResponse,
  CommentRequest,
  CommentResponse,
  CompareAutomationVersionsRequestInput,
  CompareAutomationVersionsResponse,
  ConnectorCatalogServiceConfigurationSchemaRequest,
  ConnectorCatalogServiceConfigurationSchemaResponse,
  ConnectorCatalogServiceListResponse,
  ConnectorOverviewServiceGetResponse,
  ConnectorOverviewServiceListOfAppResponse,
  ConnectorOverviewServiceListResponse,
  ConnectorOwnerEntitlementCreateRequestV2,
  ConnectorOwnerEntitlementCreateResponseV2,
  ConnectorOwnerEntitlementDeleteRequestV2,
  ConnectorOwnerEntitlementGetResponseV2,
  ConnectorOwnerEntitlementsResponseV2,
  ConnectorOwnerSetRequestV2,
  ConnectorOwnerUserCreateRequestV2,
  ConnectorOwnerUserCreateResponseV2,
  ConnectorOwnerUserDeleteRequestV2,
  ConnectorOwnerUserGetResponseV2,
  ConnectorOwnerUsersResponseV2,
  ConnectorServiceCreateDelegatedRequestInput,
  ConnectorServiceCreateRequestInput,
  ConnectorServiceCreateResponse,
  ConnectorServiceGetConnectorSyncDownloadURLResponse,
  ConnectorServiceGetCredentialsResponse,
  ConnectorServiceGetResponse,
  ConnectorServiceListResponse,
  ConnectorServiceRotateCredentialRequest,
  ConnectorServiceRotateCredentialResponse,
  ConnectorServiceUpdateConnectorScheduleRequestInput,
  ConnectorServiceUpdateDelegatedRequestInput,
  ConnectorServiceUpdateRequestInput,
  ConnectorServiceUpdateResponse,
  ConnectorSyncServiceGetResponse,
  ConnectorSyncServiceListResponse,
  CountAccountsRequest,
  CountAppsRequest,
  CountDriftResponse,
  CountEntitlementsRequest,
  CountGrantsRequest,
  CountImportsRequest,
  CountMembersRequest,
  CountResponse,
  CountRulesRequest,
  CountRunsRequest,
  CountTasksRequest,
  CountUsersRequest,
  CreateAccessRemovalRequest,
  CreateAccessRemovalResponse,
  CreateAppEntitlementProxyRequestInput,
  CreateAppEntitlementProxyResponse,
  CreateAppEntitlementRequestInput,
  CreateAppEntitlementResponse,
  CreateAppEntitlementRoutingRuleRequestInput,
  CreateAppEntitlementRoutingRuleResponse,
  CreateAppRequest,
  CreateAppResponse,
  CreateAttributeValueRequest,
  CreateAttributeValueResponse,
  CreateAutomationRequestInput,
  CreateAutomationResponse,
  CreateBundleAutomationRequestInput,
  CreateComplianceFrameworkAttributeValueRequest,
  CreateComplianceFrameworkAttributeValueResponse,
  CreateDriftRunRequest,
  CreateDriftRunResponse,
  CreateExcludingAccessRemovalRequest,
  CreateExcludingAccessRemovalResponse,
  CreateManuallyManagedAppResourceRequestInput,
  CreateManuallyManagedAppResourceResponse,
  CreateManuallyManagedResourceTypeRequestInput,
  CreateManuallyManagedResourceTypeResponse,
  CreatePolicyRequest,
  CreatePolicyResponse,
  CreateRiskLevelAttributeValueRequest,
  CreateRiskLevelAttributeValueResponse,
  CurrentSessionResponse,
  DeleteAppEntitlementProxyRequestInput,
  DeleteAppEntitlementRequestInput,
  DeleteAppEntitlementRoutingRuleRequestInput,
  DeleteAppRequestInput,
  DeleteAttributeValueRequestInput,
  DeleteAutomationRequestInput,
  DeleteBundleAutomationRequestInput,
  DeleteComplianceFrameworkAttributeValueRequestInput,
  DeleteManuallyManagedAppResourceRequestInput,
  DeleteManuallyManagedResourceTypeRequestInput,
  DeletePolicyRequestInput,
  DeleteRiskLevelAttributeValueRequestInput,
  DenyRequest,
  DenyResponse,
  DescribeSourcesRequest,
  DescribeSourcesResponse,
  DeviceAuthorizationResponse,
  DeviceListResponse,
  DeviceRequestApproveRequest,
  DeviceRequestDenyRequest,
  DeviceRequestFindRequest,
  DeviceRequestFindResponse,
  DeviceRevokeRequest,
  DirectoriesListConflictsResponse,
  DirectoriesListStatesResponse,
  DirectoryPlansApplyRequest,
  DirectoryPlansApplyResponse,
  DirectoryPlansCreateRequest,
  DirectoryPlansCreateResponse,
  DirectoryPlansListItemsResponse,
  DirectoryPrecedencesGetResponse,
  DirectoryPrecedencesSetRequest,
  DirectoryPrecedencesSetResponse,
  DirectoryServiceCreateRequest,
  DirectoryServiceCreateResponse,
  DirectoryServiceDeleteRequest,
  DirectoryServiceGetResponse,
  DirectoryServiceListResponse,
  DirectoryServiceUpdateRequest,
  DirectoryServiceUpdateResponse,
  DirectoryState,
  DisableBulkUsersRequest,
  Empty,
  EnableBulkUsersRequest,
  EscalateToEmergencyAccessRequest,
  EscalateToEmergencyAccessResponse,
  ExplainAutomationResponse,
  ExportServiceCreateRequest,
  ExportServiceCreateResponse,
  ExportServiceDeleteRequest,
  ExportServiceGetResponse,
  ExportServiceListEventsRequest,
  ExportServiceListEventsResponse,
  ExportServiceListResponse,
  ExportServiceUpdateRequest,
  ExportServiceUpdateResponse,
  ExportStatus,
  ExportsSearchServiceSearchRequest,
  ExportsSearchServiceSearchResponse,
  FindAccessPathsResponse,
  FindResponse,
  ForceRunBundleAutomationRequestInput,
  FourEyesListResponse,
  FourEyesSetRequest,
  FourEyesSetResponse,
  GetAWSExternalIDResponse,
  GetAppEnforcementResponse,
  GetAppEntitlementProxyResponse,
  GetAppEntitlementResponse,
  GetAppEntitlementRoutingRuleResponse,
  GetAppResponse,
  GetAppUsageControlsResponse,
  GetAttributeValueResponse,
  GetAutomationResponse,
  GetAutomationRunResponse,
  GetAutomationStateResponse,
  GetAutomationVersionResponse,
  GetComplianceFrameworkAttributeValueResponse,
  GetContactsResponse,
  GetCoverageResponse,
  GetDependentsResponse,
  GetDriftRunResponse,
  GetEmailCapabilitiesResponse,
  GetEventResponse,
  GetHeatMapResponse,
  GetLeaverPlanResponse,
  GetNumbersResponse,
  GetOrgNotificationSettingsResponse,
  GetPolicyResponse,
  GetRequestSettingsResponse,
  GetRequestTermsResponse,
  GetRiskLevelAttributeValueResponse,
  GetRolesResponse,
  GetSessionSettingsResponse,
  GetSetupResponse,
  GetTenantEmailProviderResponse,
  GetUserNotificationSettingsResponse,
  GetUserProfileTypesResponse,
  GetWebhookDeliveryResponse,
  HardResetRequest,
  HardResetResponse,
  IdentityListResponse,
  IdentityStartLinkRequest,
  IdentityStartLinkResponse,
  IdentityUnlinkRequest,
  ImportServiceCreateResponse,
  ImportServiceGetResponse,
  ImportServiceListResponse,
  IntrospectResponse,
  InvitationCreateRequest,
  InvitationCreateResponse,
  InvitationListResponse,
  InvitationRevokeRequest,
  InvitationRevokeResponse,
  JobServiceDropRequestInput,
  JobServiceGetResponse,
  JobServiceListResponse,
  JobServiceRetryRequestInput,
  JobServiceRetryResponse,
  JwkSet,
  ListAccessHistoryResponse,
  ListAccessRemovalsResponse,
  ListAppEnforcementRequest,
  ListAppEnforcementResponse,
  ListAppEntitlementRoutingRulesResponse,
  ListAppEntitlementUsersResponse,
  ListAppEntitlementViewsResponse,
  ListAppEntitlementsOfAppUserResponse,
  ListAppEntitlementsResponse,
  ListAppUsersForIdentityWithGrantResponse,
  ListAppsResponse,
  ListAttentionResponse,
  ListAttributeTypesResponse,
  ListAttributeValuesResponse,
  ListAutomationExclusionsResponse,
  ListAutomationRunChangesResponse,
  ListAutomationRunsResponse,
  ListAutomationValuesResponse,
  ListAutomationVersionsResponse,
  ListBulkActionsResponse,
  ListChangesOfAppResponse,
  ListChangesOfEntitlementResponse,
  ListChangesOfUserResponse,
  ListChangesResponse,
  ListComplianceFrameworksResponse,
  ListDatasourcesResponse,
  ListDriftResponse,
  ListDriftRunItemsResponse,
  ListDriftRunsResponse,
  ListEntitlementEnforcementRequest,
  ListEntitlementEnforcementResponse,
  ListEventsReply,
  ListEventsRequest,
  ListExportFilesResponse,
  ListFederationAttemptsResponse,
  ListGrantsResponse,
  ListHeatMapMembersResponse,
  ListOrgDomainsResponse,
  ListOwnedServiceAccountsRequest,
  ListOwnedServiceAccountsResponse,
  ListOwnersOfEntitlementsRequest,
  ListOwnersOfEntitlementsResponse,
  ListPolicyResponse,
  ListRiskLevelsResponse,
  ListRolesResponse,
  ListRulesResponse,
  ListUnanswerableResponse,
  ListUserValuesResponse,
  ListWebhookDeliveriesResponse,
  ManuallyManagedUsersResponse,
  NewPasskeyOptions,
  NotificationsGetPreviewResponse,
  NotificationsGetStatusResponse,
  NotificationsListMessagesResponse,
  NotificationsListPreviewsResponse,
  OwnedConnectorServiceListResponse,
  PasskeyCreateRequest,
  PasskeyCreateResponse,
  PasskeyDeleteRequest,
  PasskeyListResponse,
  PasskeyOptions,
  PasskeyOptionsRequest,
  PasskeyRenameRequest,
  PasskeyRenameResponse,
  PersonalClientSearchServiceSearchRequest,
  PersonalClientSearchServiceSearchResponse,
  PersonalClientServiceCreateRequest,
  PersonalClientServiceCreateResponse,
  PersonalClientServiceDeleteRequest,
  PersonalClientServiceGetResponse,
  PersonalClientServiceListResponse,
  PersonalClientServiceUpdateRequest,
  PersonalClientServiceUpdateResponse,
  PlanAccessRemovalRequest,
  PlanAccessRemovalResponse,
  PlanAutomationRequestInput,
  PlanAutomationResponse,
  PlanBulkEntitlementsRequest,
  PlanBulkGrantsRequest,
  PlanBulkOwnersRequest,
  PlanBulkUsersRequest,
  PlanDriftRequest,
  PlanDriftResponse,
  PlanFederationTrustRequest,
  PlanFederationTrustResponse,
  PlanPolicyRequest,
  PlanPolicyResponse,
  PlanRequestRequest,
  PlanRequestResponse,
  PlanUndoBulkEntitlementsRequest,
  PlanUndoBulkGrantsRequest,
  PlanUndoBulkOwnersRequest,
  PlanUndoBulkUsersRequest,
  PlanUndoResponse,
  PolicyEditorValidateRequest,
  PolicyEditorValidateResponse,
  ProcessNowRequest,
  ProcessNowResponse,
  ProvisionCancelledRequest,
  ProvisionCancelledResponse,
  ProvisionCompleteRequest,
  ProvisionCompleteResponse,
  ProvisionErroredRequest,
  ProvisionErroredResponse,
  ProvisioningGetResponse,
  ProvisioningTasksCancelResponse,
  ProvisioningTasksListResponse,
  ProvisioningTasksRetryRequest,
  ProvisioningTasksRetryResponse,
  ProvisioningUpdateRequest,
  ProvisioningUpdateResponse,
  ReassignRequest,
  ReassignResponse,
  ReleaseAutomationRunRequestInput,
  ReleaseAutomationRunResponse,
  RemoveAutomationExclusionRequestInput,
  RemoveEntitlementMembershipRequest,
  RemoveEntitlementMembershipResponse,
  RemoveGrantDurationRequest,
  RemoveGrantDurationResponse,
  ReorderAppEntitlementRoutingRulesRequestInput,
  ReorderAppEntitlementRoutingRulesResponse,
  RequestCatalogManagementServiceAddAccessEntitlementsRequestInput,
  RequestCatalogManagementServiceAddAppEntitlementsRequestInput,
  RequestCatalogManagementServiceCreateRequest,
  RequestCatalogManagementServiceCreateRequestableEntryRequestInput,
  RequestCatalogManagementServiceCreateRequestableEntryResponse,
  RequestCatalogManagementServiceCreateResponse,
  RequestCatalogManagementServiceDeleteRequestInput,
  RequestCatalogManagementServiceDeleteRequestableEntryRequestInput,
  RequestCatalogManagementServiceGetRequestableEntryResponse,
  RequestCatalogManagementServiceGetResponse,
  RequestCatalogManagementServiceListAllEntitlementIdsPerAppResponse,
  RequestCatalogManagementServiceListEntitlementsForAccessResponse,
  RequestCatalogManagementServiceListEntitlementsPerCatalogResponse,
  RequestCatalogManagementServiceListResponse,
  RequestCatalogManagementServiceRemoveAccessEntitlementsRequestInput,
  RequestCatalogManagementServiceRemoveAppEntitlementsRequestInput,
  RequestCatalogManagementServiceUpdateAppEntitlementsRequestInput,
  RequestCatalogManagementServiceUpdateRequestInput,
  RequestCatalogManagementServiceUpdateResponse,
  RequestCatalogSearchServiceSearchEntitlementsRequest,
  RequestCatalogSearchServiceSearchEntitlementsResponse,
  RequestSchemaServiceCreateEntitlementBindingRequest,
  RequestSchemaServiceCreateEntitlementBindingResponse,
  RequestSchemaServiceCreateRequest,
  RequestSchemaServiceCreateResponse,
  RequestSchemaServiceDeleteRequestInput,
  RequestSchemaServiceFindBindingForAppEntitlementRequest,
  RequestSchemaServiceFindBindingForAppEntitlementResponse,
  RequestSchemaServiceGetResponse,
  RequestSchemaServiceRemoveEntitlementBindingRequest,
  RequestSchemaServiceUpdateRequestInput,
  RequestSchemaServiceUpdateResponse,
  ResolveDriftRequest,
  ResolveDriftResponse,
  RestartRequest,
  RestartResponse,
  RestoreAutomationVersionRequestInput,
  RestoreAutomationVersionResponse,
  ResumePausedBundleAutomationRequestInput,
  RetryProvisioningRequest,
  RetryProvisioningResponse,
  RunAutomationRequestInput,
  RunAutomationResponse,
  RunExportRequest,
  SavedViewServiceCreateRequest,
  SavedViewServiceCreateResponse,
  SavedViewServiceDeleteRequest,
  SavedViewServiceListResponse,
  SavedViewServiceUpdateRequest,
  SavedViewServiceUpdateResponse,
  ScimConnectorServiceCreateRequest,
  ScimConnectorServiceCreateResponse,
  ScimConnectorServiceGetResponse,
  ScimConnectorServiceTestConnectionResponse,
  ScimConnectorServiceTestRequest,
  ScimConnectorServiceTestResponse,
  ScimConnectorServiceUpdateRequest,
  ScimConnectorServiceUpdateResponse,
  ScimDirectoriesCreateRequest,
  ScimDirectoriesCreateResponse,
  ScimDirectoriesDeleteRequest,
  ScimDirectoriesGetResponse,
  ScimDirectoriesListResponse,
  ScimDirectoriesUpdateRequest,
  ScimDirectoriesUpdateResponse,
  ScimHeldConfirmRequest,
  ScimHeldConfirmResponse,
  ScimHeldDismissRequest,
  ScimHeldDismissResponse,
  ScimHeldListResponse,
  ScimTokensCreateRequest,
  ScimTokensCreateResponse,
  ScimTokensListResponse,
  ScimTokensRevokeRequest,
  SearchAppEntitlementsWithExpiredResponse,
  SearchAppResourceTypesRequest,
  SearchAppResourceTypesResponse,
  SearchAppResourcesRequest,
  SearchAppResourcesResponse,
  SearchAppsRequest,
  SearchAppsResponse,
  SearchAttributeValuesRequest,
  SearchAttributeValuesResponse,
  SearchEmailAuditEventsRequest,
  SearchEmailAuditEventsResponse,
  SearchEventsRequest,
  SearchEventsResponse,
  SearchGrantFeedRequest,
  SearchGrantFeedResponse,
  SearchPastGrantsRequest,
  SearchPastGrantsResponse,
  SearchPoliciesRequest,
  SearchPoliciesResponse,
  SearchRequestSchemasRequest,
  SearchRequestSchemasResponse,
  SearchUserOwnershipRequest,
  SearchUserOwnershipResponse,
  SearchUsersRequest,
  SearchUsersResponse,
  ServerMetadata,
  ServicePrincipalServiceAddBindingRequest,
  ServicePrincipalServiceCreateCredentialRequest,
  ServicePrincipalServiceCreateCredentialResponse,
  ServicePrincipalServiceCreateRequest,
  ServicePrincipalServiceCreateResponse,
  ServicePrincipalServiceDeleteBindingRequest,
  ServicePrincipalServiceDeleteRequest,
  ServicePrincipalServiceGetCredentialResponse,
  ServicePrincipalServiceGetResponse,
  ServicePrincipalServiceListBindingsRequest,
  ServicePrincipalServiceListCredentialsResponse,
  ServicePrincipalServiceListResponse,
  ServicePrincipalServiceRevokeCredentialRequest,
  ServicePrincipalServiceUpdateCredentialRequest,
  ServicePrincipalServiceUpdateCredentialResponse,
  ServicePrincipalServiceUpdateRequest,
  ServicePrincipalServiceUpdateResponse,
  SessionListResponse,
  SessionRevokeOthersRequest,
  SessionRevokeOthersResponse,
  SessionRevokeRequest,
  SetAppEnforcementRequest,
  SetAppEnforcementResponse,
  SetAutomationBreakerRequestInput,
  SetAutomationBreakerResponse,
  SetBundleAutomationRequestInput,
  SetExpiringUserDelegationBindingByAdminRequest,
  SetExpiringUserDelegationBindingByAdminResponse,
  SignInByInvitationRequest,
  SignInByLinkRequest,
  SignInByPasskeyRequest,
  SignInPasskeyOptionsRequest,
  SignInPolicyGetResponse,
  SignInPolicyUpdateRequest,
  SignInPolicyUpdateResponse,
  SignInStartOidcRequest,
  SignInStartOidcResponse,
  SignInWays,
  SignOutRequest,
  SignedIn,
  SkipStepRequest,
  SkipStepResponse,
  SubscriptionsCreateRequest,
  SubscriptionsCreateResponse,
  SubscriptionsGetDeliveryResponse,
  SubscriptionsGetResponse,
  SubscriptionsListDeliveriesResponse,
  SubscriptionsListResponse,
  SubscriptionsPauseResponse,
  SubscriptionsPlanReplayRequest,
  SubscriptionsPlanReplayResponse,
  SubscriptionsReplayRequest,
  SubscriptionsReplayResponse,
  SubscriptionsResumeResponse,
  SubscriptionsRotateSecretRequest,
  SubscriptionsRotateSecretResponse,
  SubscriptionsTestResponse,
  SubscriptionsUpdateRequest,
  SubscriptionsUpdateResponse,
  SummarizeChangesOfAppResponse,
  SummarizeChangesOfEntitlementResponse,
  SummarizeChangesOfUserResponse,
  SummarizeChangesResponse,
  SystemLogRetention,
  SystemLogVerificationState,
  TaskActionsServiceUpdateGrantDurationRequest,
  TaskActionsServiceUpdateGrantDurationResponse,
  TaskAuditListRequest,
  TaskAuditListResponse,
  TaskInboxGetResponse,
  TaskInboxListReportsResponse,
  TaskSearchRequest,
  TaskSearchResponse,
  TaskServiceCreateGrantRequest,
  TaskServiceCreateGrantResponse,
  TaskServiceCreateOffboardingRequest,
  TaskServiceCreateOffboardingResponse,
  TaskServiceCreateRevokeRequest,
  TaskServiceCreateRevokeResponse,
  TaskServiceGetResponse,
  TaskWhyResponse,
  TestAccountProvisionPolicyRequest,
  TestAccountProvisionPolicyResponse,
  TestSourceIPRequest,
  TestSourceIPResponse,
  TestTenantEmailProviderRequest,
  TestTenantEmailProviderResponse,
  TokenIntrospection,
  TokenResponse,
  UndoAccessRemovalRequest,
  UndoAccessRemovalResponse,
  UndoAutomationRunRequestInput,
  UndoAutomationRunResponse,
  UndoBulkEntitlementsRequest,
  UndoBulkGrantsRequest,
  UndoBulkOwnersRequest,
  UndoBulkUsersRequest,
  UndoDecisionRequest,
  UndoDecisionResponse,
  UndoDriftRunRequest,
  UndoDriftRunResponse,
  UpdateAppEntitlementRequestInput,
  UpdateAppEntitlementResponse,
  UpdateAppEntitlementRoutingRuleRequestInput,
  UpdateAppEntitlementRoutingRuleResponse,
  UpdateAppRequestInput,
  UpdateAppResponse,
  UpdateAppUsageControlsRequestInput,
  UpdateAppUsageControlsResponse,
  UpdateAutomationRequestInput,
  UpdateAutomationResponse,
  UpdateContactsRequest,
  UpdateContactsResponse,
  UpdateGrantDurationRequest,
  UpdateGrantDurationResponse,
  UpdateManuallyManagedResourceTypeRequestInput,
  UpdateManuallyManagedResourceTypeResponse,
  UpdateOrgDomainRequest,
  UpdateOrgDomainResponse,
  UpdateOrgNotificationSettingsRequest,
  UpdateOrgNotificationSettingsResponse,
  UpdatePolicyRequestInput,
  UpdatePolicyResponse,
  UpdateRequestDataRequest,
  UpdateRequestDataResponse,
  UpdateRequestSettingsRequest,
  UpdateRequestSettingsResponse,
  UpdateRoleRequest,
  UpdateRolesResponse,
  UpdateSessionSettingsRequest,
  UpdateSessionSettingsResponse,
  UpdateTenantEmailProviderRequest,
  UpdateTenantEmailProviderResponse,
  UpdateUserNotificationSettingsRequest,
  UpdateUserNotificationSettingsResponse,
  UserAttributesListSourcesResponse,
  UserDelegationGetResponse,
  UserDelegationSetRequest,
  UserDelegationSetResponse,
  UserDeviceListResponse,
  UserDeviceRevokeRequest,
  UserIdentityListResponse,
  UserIdentityUnlinkRequest,
  UserInvitationGetResponse,
  UserMergesCreateRequest,
  UserMergesCreateResponse,
  UserMergesListResponse,
  UserMergesPlanRequest,
  UserMergesPlanResponse,
  UserMergesSplitRequest,
  UserOwnerEntitlementCreateRequestV2,
  UserOwnerEntitlementCreateResponseV2,
  UserOwnerEntitlementDeleteRequestV2,
  UserOwnerEntitlementsResponseV2,
  UserOwnerSetRequestV2,
  UserOwnerUserCreateRequestV2,
  UserOwnerUserCreateResponseV2,
  UserOwnerUserDeleteRequestV2,
  UserOwnerUsersResponseV2,
  UserRolesAddRequest,
  UserRolesAddResponse,
  UserRolesRemoveRequest,
  UserRolesRemoveResponse,
  UserServiceGetResponse,
  UserServiceIntrospectRequest,
  UserServiceIntrospectResponse,
  UserServiceListResponse,
  UserSessionListResponse,
  UserSessionRevokeAllRequest,
  UserSessionRevokeAllResponse,
  UserSessionRevokeRequest,
  UserStatusDisableRequest,
  UserStatusDisableResponse,
  UserStatusEnableRequest,
  UserStatusEnableResponse,
  VerifySystemLogRequest,
  WebhookCallbackRequest,
  WebhooksSearchRequest,
  WebhooksSearchResponse,
  WebhooksServiceCreateRequest,
  WebhooksServiceCreateResponse,
  WebhooksServiceDeleteRequestInput,
  WebhooksServiceGetResponse,
  WebhooksServiceListResponse,
  WebhooksServiceTestRequestInput,
  WebhooksServiceTestResponse,
  WebhooksServiceUpdateRequestInput,
  WebhooksServiceUpdateResponse,
  WorkloadFederationServiceCreateProviderRequest,
  WorkloadFederationServiceCreateProviderResponse,
  WorkloadFederationServiceCreateTrustRequest,
  WorkloadFederationServiceCreateTrustResponse,
  WorkloadFederationServiceDeleteProviderRequest,
  WorkloadFederationServiceDeleteTrustRequest,
  WorkloadFederationServiceGetProviderResponse,
  WorkloadFederationServiceGetTrustResponse,
  WorkloadFederationServiceListProvidersResponse,
  WorkloadFederationServiceListTrustsResponse,
  WorkloadFederationServiceSearchTrustsRequest,
  WorkloadFederationServiceSearchTrustsResponse,
  WorkloadFederationServiceTestCELRequest,
  WorkloadFederationServiceTestCELResponse,
  WorkloadFederationServiceTestTokenRequest,
  WorkloadFederationServiceTestTokenResponse,
  WorkloadFederationServiceUpdateProviderRequest,
  WorkloadFederationServiceUpdateProviderResponse,
  WorkloadFederationServiceUpdateTrustRequest,
  WorkloadFederationServiceUpdateTrustResponse,
} from './types.ts'

/** Get an access token: with OAuth 2.0 client credentials (a client secret, or a signed client assertion), with a device code that was approved, or in exchange for a token of an issuer that a service principal trusts (RFC 8693). With a DPoP header (RFC 9449) it is bound to the key of the proof. */
export const tokenIssue: Operation<Record<never, never>, TokenResponse> = {
  id: 'auth.v1.Token.Issue',
  method: 'POST',
  path: '/auth/v1/token',
}

/** Revoke an access token of the calling client (RFC 7009). A device, which has no secret, sends the client_id of its authorization. The response for an unknown token is the same as for a revoked one. */
export const tokenRevoke: Operation<Record<never, never>, Empty> = {
  id: 'auth.v1.Token.Revoke',
  method: 'POST',
  path: '/auth/v1/revoke',
}

/** Find out whether an access token of this tenant is valid now, and for whom (RFC 7662). For services that accept its tokens; any client may ask. */
export const tokenIntrospect: Operation<Record<never, never>, TokenIntrospection> = {
  id: 'auth.v1.Token.Introspect',
  method: 'POST',
  path: '/auth/v1/introspect',
}

/** Start the authorization of a device or program, which a user then approves in the console (RFC 8628). */
export const deviceAuthorize: Operation<Record<never, never>, DeviceAuthorizationResponse> = {
  id: 'auth.v1.Device.Authorize',
  method: 'POST',
  path: '/auth/v1/device_authorization',
}

/** Get the metadata of the token endpoint (RFC 8414), for automatic configuration of clients. */
export const serverMetadataGet: Operation<Record<never, never>, ServerMetadata> = {
  id: 'auth.v1.ServerMetadata.Get',
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
}

/** Get the public keys that verify this tenant's access tokens (RFC 7517). */
export const keysList: Operation<Record<never, never>, JwkSet> = {
  id: 'auth.v1.Keys.List',
  method: 'GET',
  path: '/auth/v1/jwks',
}

/** Get the user of the access token or the session, and its permissions. */
export const authIntrospect: Operation<Record<never, never>, IntrospectResponse> = {
  id: 'auth.v1.Auth.Introspect',
  method: 'GET',
  path: '/api/v1/auth/introspect',
}

/** Show the request of a device that waits for a code, before it is approved or denied. From the console only. */
export const deviceRequestFind: Operation<{ body?: Sent<DeviceRequestFindRequest> }, DeviceRequestFindResponse> = {
  id: 'auth.v1.DeviceRequest.Find',
  method: 'POST',
  path: '/api/v1/auth/device_requests/find',
  isKeyed: true,
}

/** Authorize the device that waits for a code to act as you, for 90 days. From the console only. */
export const deviceRequestApprove: Operation<{ body?: Sent<DeviceRequestApproveRequest> }, Empty> = {
  id: 'auth.v1.DeviceRequest.Approve',
  method: 'POST',
  path: '/api/v1/auth/device_requests/approve',
  isKeyed: true,
}

/** Deny the request of the device that waits for a code. From the console only. */
export const deviceRequestDeny: Operation<{ body?: Sent<DeviceRequestDenyRequest> }, Empty> = {
  id: 'auth.v1.DeviceRequest.Deny',
  method: 'POST',
  path: '/api/v1/auth/device_requests/deny',
  isKeyed: true,
}

/** List your own authorized devices. */
export const deviceList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, DeviceListResponse, 'list'> = {
  id: 'auth.v1.Device.List',
  method: 'GET',
  path: '/api/v1/auth/devices',
  items: 'list',
}

/** Revoke one of your own authorized devices, and delete the API credentials that were created with it. */
export const deviceRevoke: Operation<{ path: { id: string }; body?: Sent<DeviceRevokeRequest> }, Empty> = {
  id: 'auth.v1.Device.Revoke',
  method: 'DELETE',
  path: '/api/v1/auth/devices/{id}',
  isKeyed: true,
}

/** List a user's authorized devices. */
export const userDeviceList: PagedOperation<{ path: { user_id: string }; query?: { page_size?: number; page_token?: string } }, UserDeviceListResponse, 'list'> = {
  id: 'auth.v1.UserDevice.List',
  method: 'GET',
  path: '/api/v1/auth/users/{user_id}/devices',
  items: 'list',
}

/** Revoke one of a user's authorized devices, and delete the API credentials that were created with it. */
export const userDeviceRevoke: Operation<{ path: { user_id: string; id: string }; body?: Sent<UserDeviceRevokeRequest> }, Empty> = {
  id: 'auth.v1.UserDevice.Revoke',
  method: 'DELETE',
  path: '/api/v1/auth/users/{user_id}/devices/{id}',
  isKeyed: true,
}

/** Get the available methods to sign in to the console. */
export const signInWays: Operation<Record<never, never>, SignInWays> = {
  id: 'auth.v1.SignIn.Ways',
  method: 'GET',
  path: '/auth/v1/sign_in',
}

/** Sign in to the console with the token of a one-time link. The session is a cookie in the response. */
export const signInByLink: Operation<{ body?: Sent<SignInByLinkRequest> }, SignedIn> = {
  id: 'auth.v1.SignIn.ByLink',
  method: 'POST',
  path: '/auth/v1/sign_in/link',
}

/** Sign in to the console for the first time, with the token of an invitation. The session is a cookie in the response. */
export const signInByInvitation: Operation<{ body?: Sent<SignInByInvitationRequest> }, SignedIn> = {
  id: 'auth.v1.SignIn.ByInvitation',
  method: 'POST',
  path: '/auth/v1/sign_in/invitation',
}

/** Get the options for a browser to sign in to the console with a passkey. They are valid for 5 minutes and one response. */
export const signInPasskeyOptions: Operation<{ body?: Sent<SignInPasskeyOptionsRequest> }, PasskeyOptions> = {
  id: 'auth.v1.SignIn.PasskeyOptions',
  method: 'POST',
  path: '/auth/v1/sign_in/passkey_options',
}

/** Sign in to the console with the answer of a passkey. The session is a cookie in the response. */
export const signInByPasskey: Operation<{ body?: Sent<SignInByPasskeyRequest> }, SignedIn> = {
  id: 'auth.v1.SignIn.ByPasskey',
  method: 'POST',
  path: '/auth/v1/sign_in/passkey',
}

/** Open this URL in a browser to sign in to the console with the OpenID Connect provider. */
export const signInStartOidc: Operation<{ body?: Sent<SignInStartOidcRequest> }, SignInStartOidcResponse> = {
  id: 'auth.v1.SignIn.StartOidc',
  method: 'POST',
  path: '/auth/v1/sign_in/oidc',
}

/** Sign out of the console: ends the session of the cookie, if there is one, and deletes the cookie. */
export const signInOut: Operation<{ body?: Sent<SignOutRequest> }, Empty> = {
  id: 'auth.v1.SignIn.Out',
  method: 'POST',
  path: '/auth/v1/sign_out',
}

/** Get the caller, their permissions, and how they signed in; with an access token, the session is null. */
export const sessionCurrent: Operation<Record<never, never>, CurrentSessionResponse> = {
  id: 'auth.v1.Session.Current',
  method: 'GET',
  path: '/api/v1/auth/session',
}

/** List your own console sessions, newest first. */
export const sessionList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, SessionListResponse, 'list'> = {
  id: 'auth.v1.Session.List',
  method: 'GET',
  path: '/api/v1/auth/sessions',
  items: 'list',
}

/** End one of your own console sessions. */
export const sessionRevoke: Operation<{ path: { id: string }; body?: Sent<SessionRevokeRequest> }, Empty> = {
  id: 'auth.v1.Session.Revoke',
  method: 'DELETE',
  path: '/api/v1/auth/sessions/{id}',
  isKeyed: true,
}

/** End all of your own console sessions except this one. */
export const sessionRevokeOthers: Operation<{ body?: Sent<SessionRevokeOthersRequest> }, SessionRevokeOthersResponse> = {
  id: 'auth.v1.Session.RevokeOthers',
  method: 'POST',
  path: '/api/v1/auth/sessions/revoke_others',
  isKeyed: true,
}

/** List your own passkeys. */
export const passkeyList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, PasskeyListResponse, 'list'> = {
  id: 'auth.v1.Passkey.List',
  method: 'GET',
  path: '/api/v1/auth/passkeys',
  items: 'list',
}

/** Add a passkey to sign in to the console with. */
export const passkeyCreate: Operation<{ body?: Sent<PasskeyCreateRequest> }, PasskeyCreateResponse> = {
  id: 'auth.v1.Passkey.Create',
  method: 'POST',
  path: '/api/v1/auth/passkeys',
  isKeyed: true,
}

/** Get the options for a browser to create a passkey. They are valid for 5 minutes and one response. */
export const passkeyOptions: Operation<{ body?: Sent<PasskeyOptionsRequest> }, NewPasskeyOptions> = {
  id: 'auth.v1.Passkey.Options',
  method: 'POST',
  path: '/api/v1/auth/passkeys/options',
  isKeyed: true,
}

/** Rename one of your own passkeys. */
export const passkeyRename: Operation<{ path: { id: string }; body?: Sent<PasskeyRenameRequest> }, PasskeyRenameResponse> = {
  id: 'auth.v1.Passkey.Rename',
  method: 'POST',
  path: '/api/v1/auth/passkeys/{id}',
  isKeyed: true,
}

/** Delete one of your own passkeys. */
export const passkeyDelete: Operation<{ path: { id: string }; body?: Sent<PasskeyDeleteRequest> }, Empty> = {
  id: 'auth.v1.Passkey.Delete',
  method: 'DELETE',
  path: '/api/v1/auth/passkeys/{id}',
  isKeyed: true,
}

/** List your own OpenID Connect identities. */
export const identityList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, IdentityListResponse, 'list'> = {
  id: 'auth.v1.Identity.List',
  method: 'GET',
  path: '/api/v1/auth/identities',
  items: 'list',
}

/** Open this URL in a browser to link your user to an identity at the OpenID Connect provider. Returning starts a new session. */
export const identityStartLink: Operation<{ body?: Sent<IdentityStartLinkRequest> }, IdentityStartLinkResponse> = {
  id: 'auth.v1.Identity.StartLink',
  method: 'POST',
  path: '/api/v1/auth/identities/link',
  isKeyed: true,
}

/** Unlink your user from an identity at the OpenID Connect provider. */
export const identityUnlink: Operation<{ path: { id: string }; body?: Sent<IdentityUnlinkRequest> }, Empty> = {
  id: 'auth.v1.Identity.Unlink',
  method: 'DELETE',
  path: '/api/v1/auth/identities/{id}',
  isKeyed: true,
}

/** List a user's sessions of the console, newest first. */
export const userSessionList: PagedOperation<{ path: { user_id: string }; query?: { page_size?: number; page_token?: string } }, UserSessionListResponse, 'list'> = {
  id: 'auth.v1.UserSession.List',
  method: 'GET',
  path: '/api/v1/auth/users/{user_id}/sessions',
  items: 'list',
}

/** End one of a user's sessions of the console. */
export const userSessionRevoke: Operation<{ path: { user_id: string; id: string }; body?: Sent<UserSessionRevokeRequest> }, Empty> = {
  id: 'auth.v1.UserSession.Revoke',
  method: 'DELETE',
  path: '/api/v1/auth/users/{user_id}/sessions/{id}',
  isKeyed: true,
}

/** End all of a user's sessions of the console. */
export const userSessionRevokeAll: Operation<{ path: { user_id: string }; body?: Sent<UserSessionRevokeAllRequest> }, UserSessionRevokeAllResponse> = {
  id: 'auth.v1.UserSession.RevokeAll',
  method: 'POST',
  path: '/api/v1/auth/users/{user_id}/sessions/revoke_all',
  isKeyed: true,
}

/** List the OpenID Connect identities of a user. */
export const userIdentityList: PagedOperation<{ path: { user_id: string }; query?: { page_size?: number; page_token?: string } }, UserIdentityListResponse, 'list'> = {
  id: 'auth.v1.UserIdentity.List',
  method: 'GET',
  path: '/api/v1/auth/users/{user_id}/identities',
  items: 'list',
}

/** Unlink a user from an OpenID Connect identity. */
export const userIdentityUnlink: Operation<{ path: { user_id: string; id: string }; body?: Sent<UserIdentityUnlinkRequest> }, Empty> = {
  id: 'auth.v1.UserIdentity.Unlink',
  method: 'DELETE',
  path: '/api/v1/auth/users/{user_id}/identities/{id}',
  isKeyed: true,
}

/** How people may sign in to the console, and for how long. */
export const signInPolicyGet: Operation<Record<never, never>, SignInPolicyGetResponse> = {
  id: 'auth.v1.SignInPolicy.Get',
  method: 'GET',
  path: '/api/v1/auth/sign_in_policy',
}

/** Change how people may sign in to the console. Sessions that used a method that is turned off end. */
export const signInPolicyUpdate: Operation<{ body?: Sent<SignInPolicyUpdateRequest> }, SignInPolicyUpdateResponse> = {
  id: 'auth.v1.SignInPolicy.Update',
  method: 'POST',
  path: '/api/v1/auth/sign_in_policy',
  isKeyed: true,
}

/** Create links for the first sign-in of up to 50 people. Each user gets one or a refusal, whatever becomes of the others; an earlier invitation of the same user is revoked. */
export const invitationCreate: Operation<{ body?: Sent<InvitationCreateRequest> }, InvitationCreateResponse> = {
  id: 'auth.v1.Invitation.Create',
  method: 'POST',
  path: '/api/v1/auth/invitations',
  isKeyed: true,
}

/** List invitations, newest first. They are listed until 90 days after they expire. */
export const invitationList: PagedOperation<{ query?: { state?: '' | 'WAITING' | 'USED' | 'EXPIRED' | 'REVOKED'; user_id?: string; page_size?: number; page_token?: string } }, InvitationListResponse, 'list'> = {
  id: 'auth.v1.Invitation.List',
  method: 'GET',
  path: '/api/v1/auth/invitations',
  items: 'list',
}

/** Revoke an invitation, so that its link does not work. One that was used, or has ended, stays as it is. */
export const invitationRevoke: Operation<{ path: { id: string }; body?: Sent<InvitationRevokeRequest> }, InvitationRevokeResponse> = {
  id: 'auth.v1.Invitation.Revoke',
  method: 'POST',
  path: '/api/v1/auth/invitations/{id}/revoke',
  isKeyed: true,
}

/** Get whether a user can be invited, otherwise the reason, and the latest invitation of the user. */
export const userInvitationGet: Operation<{ path: { user_id: string } }, UserInvitationGetResponse> = {
  id: 'auth.v1.UserInvitation.Get',
  method: 'GET',
  path: '/api/v1/auth/users/{user_id}/invitation',
}

/** Get how long sessions of the console last, and from which addresses the service can be used. */
export const sessionSettingsGet: Operation<Record<never, never>, GetSessionSettingsResponse> = {
  id: 'settings.v1.SessionSettingsService.Get',
  method: 'GET',
  path: '/api/v1/settings/session',
}

/** Change how long sessions of the console last, and from which addresses the service can be used. It is refused if you could no longer use it from your own address. */
export const sessionSettingsUpdate: Operation<{ body?: Sent<UpdateSessionSettingsRequest> }, UpdateSessionSettingsResponse> = {
  id: 'settings.v1.SessionSettingsService.Update',
  method: 'POST',
  path: '/api/v1/settings/session',
  isKeyed: true,
}

/** Check whether an address is in one of several CIDR blocks. Without sourceIp, it is your own address. */
export const sessionSettingsTestSourceIP: Operation<{ body?: Sent<TestSourceIPRequest> }, TestSourceIPResponse> = {
  id: 'settings.v1.SessionSettingsService.TestSourceIP',
  method: 'POST',
  path: '/api/v1/settings/session/test-source-ip',
  isKeyed: true,
}

/** List the domains of the organization's email addresses, in alphabetical order. */
export const orgDomainList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, ListOrgDomainsResponse, 'list'> = {
  id: 'settings.v1.OrgDomainService.List',
  method: 'GET',
  path: '/api/v1/settings/domains',
  items: 'list',
}

/** Replace the domains of the organization's email addresses. Accounts with an address of another domain are external; without any domains, those that belong to no user. */
export const orgDomainUpdate: Operation<{ body?: Sent<UpdateOrgDomainRequest> }, UpdateOrgDomainResponse> = {
  id: 'settings.v1.OrgDomainService.Update',
  method: 'PUT',
  path: '/api/v1/settings/domains',
  isKeyed: true,
}

/** Get the contacts of the organization: who gets emails about operations and security. */
export const contactsGetContacts: Operation<Record<never, never>, GetContactsResponse> = {
  id: 'settings.v1.ContactsService.GetContacts',
  method: 'GET',
  path: '/api/v1/settings/contacts',
}

/** Change the contacts of the organization. They need not be users. */
export const contactsUpdateContacts: Operation<{ body?: Sent<UpdateContactsRequest> }, UpdateContactsResponse> = {
  id: 'settings.v1.ContactsService.UpdateContacts',
  method: 'POST',
  path: '/api/v1/settings/contacts',
  isKeyed: true,
}

/** Get the external id of the organization for the trust policies of roles in AWS (sts:ExternalId). It never changes. */
export const aWSExternalIDSettingsGet: Operation<Record<never, never>, GetAWSExternalIDResponse> = {
  id: 'settings.v1.AWSExternalIDSettings.Get',
  method: 'GET',
  path: '/api/v1/settings/aws-external-id',
}

/** List your own API credentials. A restricted credential lists only itself and the credentials created with it. */
export const personalClientList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, PersonalClientServiceListResponse, 'list'> = {
  id: 'iam.v1.PersonalClientService.List',
  method: 'GET',
  path: '/api/v1/iam/personal_clients',
  items: 'list',
}

/** Create an API credential. The client secret is only in this response. A credential that is created with another one expires with it at the latest. */
export const personalClientCreate: Operation<{ body?: Sent<PersonalClientServiceCreateRequest> }, PersonalClientServiceCreateResponse> = {
  id: 'iam.v1.PersonalClientService.Create',
  method: 'POST',
  path: '/api/v1/iam/personal_clients',
  isKeyed: true,
}

/** Get an API credential. */
export const personalClientGet: Operation<{ path: { id: string } }, PersonalClientServiceGetResponse> = {
  id: 'iam.v1.PersonalClientService.Get',
  method: 'GET',
  path: '/api/v1/iam/personal_clients/{id}',
}

/** Change the name, the allowed IPs or the scope of your own API credential. */
export const personalClientUpdate: Operation<{ path: { id: string }; body?: Sent<PersonalClientServiceUpdateRequest> }, PersonalClientServiceUpdateResponse> = {
  id: 'iam.v1.PersonalClientService.Update',
  method: 'POST',
  path: '/api/v1/iam/personal_clients/{id}',
  isKeyed: true,
}

/** Delete your own API credential, and those created with it; any credential as Super Administrator. */
export const personalClientDelete: Operation<{ path: { id: string }; body?: Sent<PersonalClientServiceDeleteRequest> }, Empty> = {
  id: 'iam.v1.PersonalClientService.Delete',
  method: 'DELETE',
  path: '/api/v1/iam/personal_clients/{id}',
  isKeyed: true,
}

/** Search everyone's API credentials, by name, client id and user; not those of service principals. */
export const personalClientSearch: PagedOperation<{ body?: Sent<PersonalClientSearchServiceSearchRequest> }, PersonalClientSearchServiceSearchResponse, 'list'> = {
  id: 'iam.v1.PersonalClientSearchService.Search',
  method: 'POST',
  path: '/api/v1/search/iam/personal_clients',
  items: 'list',
}

/** List the service principals that you own, or all if you may see them, in order of creation. */
export const servicePrincipalList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, ServicePrincipalServiceListResponse, 'list'> = {
  id: 'service_principal.v1.ServicePrincipalService.List',
  method: 'GET',
  path: '/api/v1/service_principals',
  items: 'list',
}

/** Create a service principal. It has no role until one is granted. */
export const servicePrincipalCreate: Operation<{ body?: Sent<ServicePrincipalServiceCreateRequest> }, ServicePrincipalServiceCreateResponse> = {
  id: 'service_principal.v1.ServicePrincipalService.Create',
  method: 'POST',
  path: '/api/v1/service_principals',
  isKeyed: true,
}

/** Get a service principal. */
export const servicePrincipalGet: Operation<{ path: { id: string } }, ServicePrincipalServiceGetResponse> = {
  id: 'service_principal.v1.ServicePrincipalService.Get',
  method: 'GET',
  path: '/api/v1/service_principals/{id}',
}

/** Rename a service principal. To change its roles and status, use the operations for users. */
export const servicePrincipalUpdate: Operation<{ path: { id: string }; body?: Sent<ServicePrincipalServiceUpdateRequest> }, ServicePrincipalServiceUpdateResponse> = {
  id: 'service_principal.v1.ServicePrincipalService.Update',
  method: 'PATCH',
  path: '/api/v1/service_principals/{id}',
  isKeyed: true,
}

/** Delete a service principal and revoke its credentials. Its activity is kept in the system log. */
export const servicePrincipalDelete: Operation<{ path: { id: string }; body?: Sent<ServicePrincipalServiceDeleteRequest> }, Empty> = {
  id: 'service_principal.v1.ServicePrincipalService.Delete',
  method: 'DELETE',
  path: '/api/v1/service_principals/{id}',
  isKeyed: true,
}

/** List the credentials of a service principal, without their secrets. */
export const servicePrincipalListCredentials: PagedOperation<{ path: { service_principal_id: string }; query?: { page_size?: number; page_token?: string } }, ServicePrincipalServiceListCredentialsResponse, 'list'> = {
  id: 'service_principal.v1.ServicePrincipalService.ListCredentials',
  method: 'GET',
  path: '/api/v1/service_principals/{service_principal_id}/credentials',
  items: 'list',
}

/** Create a credential of a service principal. The client secret is only in this response. A credential that is created with an access token ends with the credential of that token, at the latest. */
export const servicePrincipalCreateCredential: Operation<{ path: { service_principal_id: string }; body?: Sent<ServicePrincipalServiceCreateCredentialRequest> }, ServicePrincipalServiceCreateCredentialResponse> = {
  id: 'service_principal.v1.ServicePrincipalService.CreateCredential',
  method: 'POST',
  path: '/api/v1/service_principals/{service_principal_id}/credentials',
  isKeyed: true,
}

/** Get a credential of a service principal, without its secret. */
export const servicePrincipalGetCredential: Operation<{ path: { service_principal_id: string; id: string } }, ServicePrincipalServiceGetCredentialResponse> = {
  id: 'service_principal.v1.ServicePrincipalService.GetCredential',
  method: 'GET',
  path: '/api/v1/service_principals/{service_principal_id}/credentials/{id}',
}

/** Rename a credential of a service principal. Nothing else can be changed. */
export const servicePrincipalUpdateCredential: Operation<{ path: { service_principal_id: string; id: string }; body?: Sent<ServicePrincipalServiceUpdateCredentialRequest> }, ServicePrincipalServiceUpdateCredentialResponse> = {
  id: 'service_principal.v1.ServicePrincipalService.UpdateCredential',
  method: 'PATCH',
  path: '/api/v1/service_principals/{service_principal_id}/credentials/{id}',
  isKeyed: true,
}

/** Revoke a credential of a service principal, and those created with it. */
export const servicePrincipalRevokeCredential: Operation<{ path: { service_principal_id: string; id: string }; body?: Sent<ServicePrincipalServiceRevokeCredentialRequest> }, Empty> = {
  id: 'service_principal.v1.ServicePrincipalService.RevokeCredential',
  method: 'DELETE',
  path: '/api/v1/service_principals/{service_principal_id}/credentials/{id}',
  isKeyed: true,
}

/** Always refused with FUNCTIONS_UNAVAILABLE: a binding lets a function in the vendor's cloud act as a service principal, and Bailiwick does not run functions. */
export const servicePrincipalAddBinding: Operation<{ body?: Sent<ServicePrincipalServiceAddBindingRequest> }, Empty> = {
  id: 'service_principal.v1.ServicePrincipalService.AddBinding',
  method: 'POST',
  path: '/api/v1/service_principals/bindings',
  isKeyed: true,
}

/** Always refused with FUNCTIONS_UNAVAILABLE: a binding lets a function in the vendor's cloud act as a service principal, and Bailiwick does not run functions. */
export const servicePrincipalListBindings: Operation<{ body?: Sent<ServicePrincipalServiceListBindingsRequest> }, Empty> = {
  id: 'service_principal.v1.ServicePrincipalService.ListBindings',
  method: 'POST',
  path: '/api/v1/service_principals/bindings/list',
  isKeyed: true,
}

/** Always refused with FUNCTIONS_UNAVAILABLE: a binding lets a function in the vendor's cloud act as a service principal, and Bailiwick does not run functions. */
export const servicePrincipalDeleteBinding: Operation<{ body?: Sent<ServicePrincipalServiceDeleteBindingRequest> }, Empty> = {
  id: 'service_principal.v1.ServicePrincipalService.DeleteBinding',
  method: 'POST',
  path: '/api/v1/service_principals/bindings/delete',
  isKeyed: true,
}

/** List the workload federation providers, in order of creation. */
export const workloadFederationListProviders: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, WorkloadFederationServiceListProvidersResponse, 'list'> = {
  id: 'workload_federation.v1.WorkloadFederationService.ListProviders',
  method: 'GET',
  path: '/api/v1/workload_federation/providers',
  items: 'list',
}

/** Create a provider: an issuer of tokens that service principals may trust. Nothing is trusted yet. */
export const workloadFederationCreateProvider: Operation<{ body?: Sent<WorkloadFederationServiceCreateProviderRequest> }, WorkloadFederationServiceCreateProviderResponse> = {
  id: 'workload_federation.v1.WorkloadFederationService.CreateProvider',
  method: 'POST',
  path: '/api/v1/workload_federation/providers',
  isKeyed: true,
}

/** Get a provider. */
export const workloadFederationGetProvider: Operation<{ path: { id: string } }, WorkloadFederationServiceGetProviderResponse> = {
  id: 'workload_federation.v1.WorkloadFederationService.GetProvider',
  method: 'GET',
  path: '/api/v1/workload_federation/providers/{id}',
}

/** Change a provider, or disable it: all access tokens of its trusts expire immediately. */
export const workloadFederationUpdateProvider: Operation<{ path: { id: string }; body?: Sent<WorkloadFederationServiceUpdateProviderRequest> }, WorkloadFederationServiceUpdateProviderResponse> = {
  id: 'workload_federation.v1.WorkloadFederationService.UpdateProvider',
  method: 'PATCH',
  path: '/api/v1/workload_federation/providers/{id}',
  isKeyed: true,
}

/** Delete a provider that no trust uses. */
export const workloadFederationDeleteProvider: Operation<{ path: { id: string }; body?: Sent<WorkloadFederationServiceDeleteProviderRequest> }, Empty> = {
  id: 'workload_federation.v1.WorkloadFederationService.DeleteProvider',
  method: 'DELETE',
  path: '/api/v1/workload_federation/providers/{id}',
  isKeyed: true,
}

/** List the trusts of a service principal, in order of creation. */
export const workloadFederationListTrusts: PagedOperation<{ path: { service_principal_id: string }; query?: { page_size?: number; page_token?: string } }, WorkloadFederationServiceListTrustsResponse, 'list'> = {
  id: 'workload_federation.v1.WorkloadFederationService.ListTrusts',
  method: 'GET',
  path: '/api/v1/service_principals/{service_principal_id}/trusts',
  items: 'list',
}

/** Create a trust: tokens of a provider that meet its condition are exchanged for access tokens of the service principal. A trust that is created with an access token ends with the credential of that token, at the latest. */
export const workloadFederationCreateTrust: Operation<{ path: { service_principal_id: string }; body?: Sent<WorkloadFederationServiceCreateTrustRequest> }, WorkloadFederationServiceCreateTrustResponse> = {
  id: 'workload_federation.v1.WorkloadFederationService.CreateTrust',
  method: 'POST',
  path: '/api/v1/service_principals/{service_principal_id}/trusts',
  isKeyed: true,
}

/** Get a trust of a service principal by its client id. */
export const workloadFederationGetTrust: Operation<{ path: { service_principal_id: string; client_id: string } }, WorkloadFederationServiceGetTrustResponse> = {
  id: 'workload_federation.v1.WorkloadFederationService.GetTrust',
  method: 'GET',
  path: '/api/v1/service_principals/{service_principal_id}/trusts/{client_id}',
}

/** Change a trust, or disable it: its access tokens expire immediately. */
export const workloadFederationUpdateTrust: Operation<{ path: { service_principal_id: string; client_id: string }; body?: Sent<WorkloadFederationServiceUpdateTrustRequest> }, WorkloadFederationServiceUpdateTrustResponse> = {
  id: 'workload_federation.v1.WorkloadFederationService.UpdateTrust',
  method: 'PATCH',
  path: '/api/v1/service_principals/{service_principal_id}/trusts/{client_id}',
  isKeyed: true,
}

/** Delete a trust. Its access tokens and everything created with them expire immediately. */
export const workloadFederationDeleteTrust: Operation<{ path: { service_principal_id: string; client_id: string }; body?: Sent<WorkloadFederationServiceDeleteTrustRequest> }, Empty> = {
  id: 'workload_federation.v1.WorkloadFederationService.DeleteTrust',
  method: 'DELETE',
  path: '/api/v1/service_principals/{service_principal_id}/trusts/{client_id}',
  isKeyed: true,
}

/** Search trusts of the service principals that you own, or all trusts if you may see them. */
export const workloadFederationSearchTrusts: PagedOperation<{ body?: Sent<WorkloadFederationServiceSearchTrustsRequest> }, WorkloadFederationServiceSearchTrustsResponse, 'list'> = {
  id: 'workload_federation.v1.WorkloadFederationService.SearchTrusts',
  method: 'POST',
  path: '/api/v1/search/workload_federation_trusts',
  items: 'list',
}

/** Check a token against a trust, step by step. No access token is issued, and nothing is kept. */
export const workloadFederationTestToken: Operation<{ path: { service_principal_id: string; client_id: string }; body?: Sent<WorkloadFederationServiceTestTokenRequest> }, WorkloadFederationServiceTestTokenResponse> = {
  id: 'workload_federation.v1.WorkloadFederationService.TestToken',
  method: 'POST',
  path: '/api/v1/service_principals/{service_principal_id}/trusts/{client_id}/test',
  isKeyed: true,
}

/** Evaluate a condition about claims. error contains any problem with the condition or the claims. */
export const workloadFederationTestCEL: Operation<{ body?: Sent<WorkloadFederationServiceTestCELRequest> }, WorkloadFederationServiceTestCELResponse> = {
  id: 'workload_federation.v1.WorkloadFederationService.TestCEL',
  method: 'POST',
  path: '/api/v1/workload_federation/test-cel',
  isKeyed: true,
}

/** Check a condition before you create a trust with it: which claims it reads, and its risks. */
export const federationConditionsCheck: Operation<{ body?: Sent<CheckFederationConditionRequest> }, CheckFederationConditionResponse> = {
  id: 'bailiwick.v1.FederationConditions.Check',
  method: 'POST',
  path: '/api/v1/workload_federation/check-condition',
  isKeyed: true,
}

/** Replay a condition with the tokens of the last days before it is saved: which tokens would be refused, which would be accepted, and its risks. */
export const federationTrustPlansPlan: Operation<{ path: { service_principal_id: string; client_id: string }; body?: Sent<PlanFederationTrustRequest> }, PlanFederationTrustResponse> = {
  id: 'bailiwick.v1.FederationTrustPlans.Plan',
  method: 'POST',
  path: '/api/v1/service_principals/{service_principal_id}/trusts/{client_id}/plan',
  isKeyed: true,
}

/** List the tokens that a trust received in the last two weeks, newest first: accepted, or refused, with the step and the reason. */
export const federationAttemptsList: PagedOperation<{ path: { service_principal_id: string; client_id: string }; query?: { outcome?: '' | 'ADMITTED' | 'REFUSED'; page_size?: number; page_token?: string } }, ListFederationAttemptsResponse, 'list'> = {
  id: 'bailiwick.v1.FederationAttempts.List',
  method: 'GET',
  path: '/api/v1/service_principals/{service_principal_id}/trusts/{client_id}/attempts',
  items: 'list',
}

/** List the roles. */
export const rolesList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, ListRolesResponse, 'list'> = {
  id: 'iam.v1.Roles.List',
  method: 'GET',
  path: '/api/v1/iam/roles',
  items: 'list',
}

/** Get a role, by its id or its name. */
export const rolesGet: Operation<{ path: { role_id: string } }, GetRolesResponse> = {
  id: 'iam.v1.Roles.Get',
  method: 'GET',
  path: '/api/v1/iam/roles/{role_id}',
}

/** Change the display name of a role that is not built in. */
export const rolesUpdate: Operation<{ path: { role_id: string }; body?: Sent<UpdateRoleRequest> }, UpdateRolesResponse> = {
  id: 'iam.v1.Roles.Update',
  method: 'POST',
  path: '/api/v1/iam/roles/{role_id}',
  isKeyed: true,
}

/** Search the events of the tenant by person, object, kind, outcome, words and time, newest first by default. A page may have fewer events than its size, or none, and still have a next page: each request searches a limited part of the log, and searchedUntil shows how far it got. */
export const systemLogSearch: PagedOperation<{ body?: Sent<SearchEventsRequest> }, SearchEventsResponse, 'list'> = {
  id: 'bailiwick.v1.SystemLog.Search',
  method: 'POST',
  path: '/api/v1/search/systemlog/events',
  items: 'list',
}

/** Get one event, as it was recorded, with display names for its ids. */
export const systemLogGet: Operation<{ path: { event_id: string } }, GetEventResponse> = {
  id: 'bailiwick.v1.SystemLog.Get',
  method: 'GET',
  path: '/api/v1/systemlog/events/{event_id}',
}

/** Get the last verification of the system log: its time, who started it, the last verified link, and the findings. */
export const systemLogVerification: Operation<Record<never, never>, SystemLogVerificationState> = {
  id: 'bailiwick.v1.SystemLog.Verification',
  method: 'GET',
  path: '/api/v1/systemlog/verification',
}

/** Verify the system log now: what was recorded since the last verification, or all of it. It takes a few seconds at most; if the log is longer, the server verifies the rest afterwards. */
export const systemLogVerify: Operation<{ body?: Sent<VerifySystemLogRequest> }, SystemLogVerificationState> = {
  id: 'bailiwick.v1.SystemLog.Verify',
  method: 'POST',
  path: '/api/v1/systemlog/verification',
  isKeyed: true,
}

/** List the events of the tenant in the order of its chain, by time and by event. */
export const systemLogListEvents: PagedOperation<{ body?: Sent<ListEventsRequest> }, ListEventsReply, 'list'> = {
  id: 'systemlog.v1.SystemLogService.ListEvents',
  method: 'POST',
  path: '/api/v1/systemlog/events',
  items: 'list',
}

/** List the exports of the system log, in order of creation. */
export const exportList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, ExportServiceListResponse, 'list'> = {
  id: 'systemlog.v1.ExportService.List',
  method: 'GET',
  path: '/api/v1/systemlog/exports',
  items: 'list',
}

/** Create an export of the system log to a datasource of the server settings. It starts with the oldest event in the database. A tenant has at most 20. */
export const exportCreate: Operation<{ body?: Sent<ExportServiceCreateRequest> }, ExportServiceCreateResponse> = {
  id: 'systemlog.v1.ExportService.Create',
  method: 'POST',
  path: '/api/v1/systemlog/exports',
  isKeyed: true,
}

/** Get an export of the system log. */
export const exportGet: Operation<{ path: { export_id: string } }, ExportServiceGetResponse> = {
  id: 'systemlog.v1.ExportService.Get',
  method: 'GET',
  path: '/api/v1/systemlog/exports/{export_id}',
}

/** Change the name of an export, or its destination. It continues from its watermark. */
export const exportUpdate: Operation<{ path: { export_id: string }; body?: Sent<ExportServiceUpdateRequest> }, ExportServiceUpdateResponse> = {
  id: 'systemlog.v1.ExportService.Update',
  method: 'POST',
  path: '/api/v1/systemlog/exports/{export_id}',
  isKeyed: true,
}

/** Delete an export. The files that it wrote are kept. */
export const exportDelete: Operation<{ path: { export_id: string }; body?: Sent<ExportServiceDeleteRequest> }, Empty> = {
  id: 'systemlog.v1.ExportService.Delete',
  method: 'DELETE',
  path: '/api/v1/systemlog/exports/{export_id}',
  isKeyed: true,
}

/** List the events that an export covers, in the format that it writes: the events in the database, in the order of the chain, whether they are already exported or not. */
export const exportListEvents: PagedOperation<{ path: { export_id: string }; body?: Sent<ExportServiceListEventsRequest> }, ExportServiceListEventsResponse, 'list'> = {
  id: 'systemlog.v1.ExportService.ListEvents',
  method: 'POST',
  path: '/api/v1/systemlog/exports/{export_id}/events',
  items: 'list',
}

/** Search the exports of the system log by part of the name, by full name and by id. */
export const exportsSearch: PagedOperation<{ body?: Sent<ExportsSearchServiceSearchRequest> }, ExportsSearchServiceSearchResponse, 'list'> = {
  id: 'systemlog.v1.ExportsSearchService.Search',
  method: 'POST',
  path: '/api/v1/search/systemlog/exports',
  items: 'list',
}

/** Get the state of an export: the last error, what to do about it, and when it runs next. */
export const exportsStatus: Operation<{ path: { export_id: string } }, ExportStatus> = {
  id: 'bailiwick.v1.Exports.Status',
  method: 'GET',
  path: '/api/v1/systemlog/exports/{export_id}/status',
}

/** Run an export now. */
export const exportsRun: Operation<{ path: { export_id: string }; body?: Sent<RunExportRequest> }, ExportStatus> = {
  id: 'bailiwick.v1.Exports.Run',
  method: 'POST',
  path: '/api/v1/systemlog/exports/{export_id}/run',
  isKeyed: true,
}

/** List the files of an export, newest first. */
export const exportsListFiles: PagedOperation<{ path: { export_id: string }; query?: { page_size?: number; page_token?: string } }, ListExportFilesResponse, 'list'> = {
  id: 'bailiwick.v1.Exports.ListFiles',
  method: 'GET',
  path: '/api/v1/systemlog/exports/{export_id}/files',
  items: 'list',
}

/** List the datasources of the server settings to which this tenant can export. */
export const exportsListDatasources: Operation<Record<never, never>, ListDatasourcesResponse> = {
  id: 'bailiwick.v1.Exports.ListDatasources',
  method: 'GET',
  path: '/api/v1/systemlog/datasources',
}

/** Get the events that were archived and removed from the database, how many could be removed now, and why the others are kept. */
export const exportsRetention: Operation<Record<never, never>, SystemLogRetention> = {
  id: 'bailiwick.v1.Exports.Retention',
  method: 'GET',
  path: '/api/v1/systemlog/retention',
}

/** List waiting, running and stuck jobs, newest first. */
export const jobList: PagedOperation<{ query?: { kind?: string; state?: 'JOB_STATE_UNSPECIFIED' | 'JOB_STATE_WAITING' | 'JOB_STATE_RUNNING' | 'JOB_STATE_STUCK'; page_size?: number; page_token?: string } }, JobServiceListResponse, 'list'> = {
  id: 'job.v1.JobService.List',
  method: 'GET',
  path: '/api/v1/jobs',
  items: 'list',
}

/** Get a waiting, running or stuck job. */
export const jobGet: Operation<{ path: { job_id: string } }, JobServiceGetResponse> = {
  id: 'job.v1.JobService.Get',
  method: 'GET',
  path: '/api/v1/jobs/{job_id}',
}

/** Delete a stuck or waiting job. Its work is not done. */
export const jobDrop: Operation<{ path: { job_id: string }; body?: Sent<JobServiceDropRequestInput> }, Empty> = {
  id: 'job.v1.JobService.Drop',
  method: 'DELETE',
  path: '/api/v1/jobs/{job_id}',
  isKeyed: true,
}

/** Retry a stuck or waiting job now. */
export const jobRetry: Operation<{ path: { job_id: string }; body?: Sent<JobServiceRetryRequestInput> }, JobServiceRetryResponse> = {
  id: 'job.v1.JobService.Retry',
  method: 'POST',
  path: '/api/v1/jobs/{job_id}/retry',
  isKeyed: true,
}

/** Create a subscription: events that occur from now on are sent to its address. Needs systemlog.read too. */
export const subscriptionsCreate: Operation<{ body?: Sent<SubscriptionsCreateRequest> }, SubscriptionsCreateResponse> = {
  id: 'bailiwick.v1.Subscriptions.Create',
  method: 'POST',
  path: '/api/v1/subscriptions',
  isKeyed: true,
}

/** List subscriptions. */
export const subscriptionsList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, SubscriptionsListResponse, 'list'> = {
  id: 'bailiwick.v1.Subscriptions.List',
  method: 'GET',
  path: '/api/v1/subscriptions',
  items: 'list',
}

/** Get a subscription, and how many events it is behind. */
export const subscriptionsGet: Operation<{ path: { id: string } }, SubscriptionsGetResponse> = {
  id: 'bailiwick.v1.Subscriptions.Get',
  method: 'GET',
  path: '/api/v1/subscriptions/{id}',
}

/** Change a subscription. The user who changes it becomes responsible for it. */
export const subscriptionsUpdate: Operation<{ path: { id: string }; body?: Sent<SubscriptionsUpdateRequest> }, SubscriptionsUpdateResponse> = {
  id: 'bailiwick.v1.Subscriptions.Update',
  method: 'POST',
  path: '/api/v1/subscriptions/{id}',
  isKeyed: true,
}

/** Delete a subscription and the history of its deliveries. */
export const subscriptionsDelete: Operation<{ path: { id: string } }, Empty> = {
  id: 'bailiwick.v1.Subscriptions.Delete',
  method: 'DELETE',
  path: '/api/v1/subscriptions/{id}',
  isKeyed: true,
}

/** Pause a subscription. Events that occur while it is paused are sent when it is resumed. */
export const subscriptionsPause: Operation<{ path: { id: string } }, SubscriptionsPauseResponse> = {
  id: 'bailiwick.v1.Subscriptions.Pause',
  method: 'POST',
  path: '/api/v1/subscriptions/{id}/pause',
  isKeyed: true,
}

/** Resume a subscription that is paused or ended. One that is waiting for another attempt retries immediately. */
export const subscriptionsResume: Operation<{ path: { id: string } }, SubscriptionsResumeResponse> = {
  id: 'bailiwick.v1.Subscriptions.Resume',
  method: 'POST',
  path: '/api/v1/subscriptions/{id}/resume',
  isKeyed: true,
}

/** Create a new secret. For some time, messages are also signed with the previous one. */
export const subscriptionsRotateSecret: Operation<{ path: { id: string }; body?: Sent<SubscriptionsRotateSecretRequest> }, SubscriptionsRotateSecretResponse> = {
  id: 'bailiwick.v1.Subscriptions.RotateSecret',
  method: 'POST',
  path: '/api/v1/subscriptions/{id}/rotate_secret',
  isKeyed: true,
}

/** Count the events that a replay would send. Changes nothing. */
export const subscriptionsPlanReplay: Operation<{ path: { id: string }; body?: Sent<SubscriptionsPlanReplayRequest> }, SubscriptionsPlanReplayResponse> = {
  id: 'bailiwick.v1.Subscriptions.PlanReplay',
  method: 'POST',
  path: '/api/v1/subscriptions/{id}/replay/plan',
  isKeyed: true,
}

/** Send all events starting from a given one again, in order and with the same message ids. */
export const subscriptionsReplay: Operation<{ path: { id: string }; body?: Sent<SubscriptionsReplayRequest> }, SubscriptionsReplayResponse> = {
  id: 'bailiwick.v1.Subscriptions.Replay',
  method: 'POST',
  path: '/api/v1/subscriptions/{id}/replay',
  isKeyed: true,
}

/** Send a test message, and return the response of the receiver. It is not an event of the system log. */
export const subscriptionsTest: Operation<{ path: { id: string } }, SubscriptionsTestResponse> = {
  id: 'bailiwick.v1.Subscriptions.Test',
  method: 'POST',
  path: '/api/v1/subscriptions/{id}/test',
  isKeyed: true,
}

/** List the attempts to deliver messages, newest first: about the last 1,000, for at most 30 days. */
export const subscriptionsListDeliveries: PagedOperation<{ path: { id: string }; query?: { outcome?: 'DELIVERY_OUTCOME_UNSPECIFIED' | 'DELIVERY_OUTCOME_DELIVERED' | 'DELIVERY_OUTCOME_FAILED'; page_size?: number; page_token?: string } }, SubscriptionsListDeliveriesResponse, 'list'> = {
  id: 'bailiwick.v1.Subscriptions.ListDeliveries',
  method: 'GET',
  path: '/api/v1/subscriptions/{id}/deliveries',
  items: 'list',
}

/** Get an attempt with its request and response, without secrets. Also requires systemlog.read. */
export const subscriptionsGetDelivery: Operation<{ path: { id: string; delivery_id: string } }, SubscriptionsGetDeliveryResponse> = {
  id: 'bailiwick.v1.Subscriptions.GetDelivery',
  method: 'GET',
  path: '/api/v1/subscriptions/{id}/deliveries/{delivery_id}',
}

/** List the attribute types. */
export const attributesListAttributeTypes: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, ListAttributeTypesResponse, 'list'> = {
  id: 'attribute.v1.Attributes.ListAttributeTypes',
  method: 'GET',
  path: '/api/v1/attributes/types',
  items: 'list',
}

/** List the values of an attribute type. */
export const attributesListAttributeValues: PagedOperation<{ path: { attribute_type_id: string }; query?: { page_size?: number; page_token?: string } }, ListAttributeValuesResponse, 'list'> = {
  id: 'attribute.v1.Attributes.ListAttributeValues',
  method: 'GET',
  path: '/api/v1/attributes/types/{attribute_type_id}/values',
  items: 'list',
}

/** Create a value of an attribute type. */
export const attributesCreateAttributeValue: Operation<{ body?: Sent<CreateAttributeValueRequest> }, CreateAttributeValueResponse> = {
  id: 'attribute.v1.Attributes.CreateAttributeValue',
  method: 'POST',
  path: '/api/v1/attributes',
  isKeyed: true,
}

/** Get an attribute value. */
export const attributesGetAttributeValue: Operation<{ path: { id: string } }, GetAttributeValueResponse> = {
  id: 'attribute.v1.Attributes.GetAttributeValue',
  method: 'GET',
  path: '/api/v1/attributes/{id}',
}

/** Delete an attribute value, and remove it from the entitlements that use it. */
export const attributesDeleteAttributeValue: Operation<{ path: { id: string }; body?: Sent<DeleteAttributeValueRequestInput> }, Empty> = {
  id: 'attribute.v1.Attributes.DeleteAttributeValue',
  method: 'DELETE',
  path: '/api/v1/attribute/{id}',
  isKeyed: true,
}

/** List the risk levels. */
export const attributesListRiskLevels: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, ListRiskLevelsResponse, 'list'> = {
  id: 'attribute.v1.Attributes.ListRiskLevels',
  method: 'GET',
  path: '/api/v1/attributes/risk_levels',
  items: 'list',
}

/** Create a risk level. */
export const attributesCreateRiskLevelAttributeValue: Operation<{ body?: Sent<CreateRiskLevelAttributeValueRequest> }, CreateRiskLevelAttributeValueResponse> = {
  id: 'attribute.v1.Attributes.CreateRiskLevelAttributeValue',
  method: 'POST',
  path: '/api/v1/attributes/risk_levels',
  isKeyed: true,
}

/** Get a risk level. */
export const attributesGetRiskLevelAttributeValue: Operation<{ path: { id: string } }, GetRiskLevelAttributeValueResponse> = {
  id: 'attribute.v1.Attributes.GetRiskLevelAttributeValue',
  method: 'GET',
  path: '/api/v1/attributes/risk_levels/{id}',
}

/** Delete a risk level, and remove it from the entitlements that use it. */
export const attributesDeleteRiskLevelAttributeValue: Operation<{ path: { id: string }; body?: Sent<DeleteRiskLevelAttributeValueRequestInput> }, Empty> = {
  id: 'attribute.v1.Attributes.DeleteRiskLevelAttributeValue',
  method: 'DELETE',
  path: '/api/v1/attributes/risk_levels/{id}',
  isKeyed: true,
}

/** List the compliance frameworks. */
export const attributesListComplianceFrameworks: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, ListComplianceFrameworksResponse, 'list'> = {
  id: 'attribute.v1.Attributes.ListComplianceFrameworks',
  method: 'GET',
  path: '/api/v1/attributes/compliance_frameworks',
  items: 'list',
}

/** Create a compliance framework. */
export const attributesCreateComplianceFrameworkAttributeValue: Operation<{ body?: Sent<CreateComplianceFrameworkAttributeValueRequest> }, CreateComplianceFrameworkAttributeValueResponse> = {
  id: 'attribute.v1.Attributes.CreateComplianceFrameworkAttributeValue',
  method: 'POST',
  path: '/api/v1/attributes/compliance_frameworks',
  isKeyed: true,
}

/** Get a compliance framework. */
export const attributesGetComplianceFrameworkAttributeValue: Operation<{ path: { id: string } }, GetComplianceFrameworkAttributeValueResponse> = {
  id: 'attribute.v1.Attributes.GetComplianceFrameworkAttributeValue',
  method: 'GET',
  path: '/api/v1/attributes/compliance_frameworks/{id}',
}

/** Delete a compliance framework, and remove it from the entitlements that use it. */
export const attributesDeleteComplianceFrameworkAttributeValue: Operation<{ path: { id: string }; body?: Sent<DeleteComplianceFrameworkAttributeValueRequestInput> }, Empty> = {
  id: 'attribute.v1.Attributes.DeleteComplianceFrameworkAttributeValue',
  method: 'DELETE',
  path: '/api/v1/attributes/compliance_frameworks/{id}',
  isKeyed: true,
}

/** Search attribute values by the beginning of a word, by id and by type. */
export const attributeSearchAttributeValues: PagedOperation<{ body?: Sent<SearchAttributeValuesRequest> }, SearchAttributeValuesResponse, 'list'> = {
  id: 'attribute.v1.AttributeSearch.SearchAttributeValues',
  method: 'POST',
  path: '/api/v1/search/attributes',
  items: 'list',
}

/** List the apps, in order of creation. Basic users get the apps in which they own something or have access. */
export const appsList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, ListAppsResponse, 'list'> = {
  id: 'app.v1.Apps.List',
  method: 'GET',
  path: '/api/v1/apps',
  items: 'list',
}

/** Create an app. */
export const appsCreate: Operation<{ body?: Sent<CreateAppRequest> }, CreateAppResponse> = {
  id: 'app.v1.Apps.Create',
  method: 'POST',
  path: '/api/v1/apps',
  isKeyed: true,
}

/** Get an app. Basic users can get apps in which they own something or have access. */
export const appsGet: Operation<{ path: { id: string } }, GetAppResponse> = {
  id: 'app.v1.Apps.Get',
  method: 'GET',
  path: '/api/v1/apps/{id}',
}

/** Change an app. */
export const appsUpdate: Operation<{ path: { id: string }; body?: Sent<UpdateAppRequestInput> }, UpdateAppResponse> = {
  id: 'app.v1.Apps.Update',
  method: 'POST',
  path: '/api/v1/apps/{id}',
  isKeyed: true,
}

/** Delete an app with its resource types, resources, entitlements and accounts, and end its grants. */
export const appsDelete: Operation<{ path: { id: string }; body?: Sent<DeleteAppRequestInput> }, Empty> = {
  id: 'app.v1.Apps.Delete',
  method: 'DELETE',
  path: '/api/v1/apps/{id}',
  isKeyed: true,
}

/** Search apps by the beginnings of words of their name, in any order, and by id. */
export const appSearch: PagedOperation<{ body?: Sent<SearchAppsRequest> }, SearchAppsResponse, 'list'> = {
  id: 'app.v1.AppSearch.Search',
  method: 'POST',
  path: '/api/v1/search/apps',
  items: 'list',
}

/** Get the usage controls of an app. */
export const appUsageControlsGet: Operation<{ path: { app_id: string } }, GetAppUsageControlsResponse> = {
  id: 'app.v1.AppUsageControlsService.Get',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/usage_controls',
}

/** Change the usage controls of an app. */
export const appUsageControlsUpdate: Operation<{ path: { app_id: string }; body?: Sent<UpdateAppUsageControlsRequestInput> }, UpdateAppUsageControlsResponse> = {
  id: 'app.v1.AppUsageControlsService.Update',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/usage_controls',
  isKeyed: true,
}

/** List the resource types of an app. */
export const appResourceTypeList: PagedOperation<{ path: { app_id: string }; query?: { page_size?: number; page_token?: string } }, AppResourceTypeServiceListResponse, 'list'> = {
  id: 'app.v1.AppResourceTypeService.List',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/resource_types',
  items: 'list',
}

/** Create a resource type. */
export const appResourceTypeCreateManuallyManagedResourceType: Operation<{ path: { app_id: string }; body?: Sent<CreateManuallyManagedResourceTypeRequestInput> }, CreateManuallyManagedResourceTypeResponse> = {
  id: 'app.v1.AppResourceTypeService.CreateManuallyManagedResourceType',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/resource_types',
  isKeyed: true,
}

/** Get a resource type. Basic users can get those of their access. */
export const appResourceTypeGet: Operation<{ path: { app_id: string; id: string } }, AppResourceTypeServiceGetResponse> = {
  id: 'app.v1.AppResourceTypeService.Get',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/resource_types/{id}',
}

/** Change a resource type. */
export const appResourceTypeUpdateManuallyManagedResourceType: Operation<{ path: { app_id: string; id: string }; body?: Sent<UpdateManuallyManagedResourceTypeRequestInput> }, UpdateManuallyManagedResourceTypeResponse> = {
  id: 'app.v1.AppResourceTypeService.UpdateManuallyManagedResourceType',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/resource_types/{id}',
  isKeyed: true,
}

/** Delete a resource type with its resources and their entitlements, and end their grants. */
export const appResourceTypeDeleteManuallyManagedResourceType: Operation<{ path: { app_id: string; id: string }; body?: Sent<DeleteManuallyManagedResourceTypeRequestInput> }, Empty> = {
  id: 'app.v1.AppResourceTypeService.DeleteManuallyManagedResourceType',
  method: 'DELETE',
  path: '/api/v1/apps/{app_id}/resource_types/{id}',
  isKeyed: true,
}

/** Search resource types by the beginnings of words of their name, in any order, and by filters. */
export const appResourceSearchAppResourceTypes: PagedOperation<{ body?: Sent<SearchAppResourceTypesRequest> }, SearchAppResourceTypesResponse, 'list'> = {
  id: 'app.v1.AppResourceSearch.SearchAppResourceTypes',
  method: 'POST',
  path: '/api/v1/search/app_resource_types',
  items: 'list',
}

/** List the resources of a type. */
export const appResourceList: PagedOperation<{ path: { app_id: string; app_resource_type_id: string }; query?: { page_size?: number; page_token?: string } }, AppResourceServiceListResponse, 'list'> = {
  id: 'app.v1.AppResourceService.List',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/resource_types/{app_resource_type_id}/resources',
  items: 'list',
}

/** Create a resource. */
export const appResourceCreateManuallyManagedAppResource: Operation<{ path: { app_id: string; app_resource_type_id: string }; body?: Sent<CreateManuallyManagedAppResourceRequestInput> }, CreateManuallyManagedAppResourceResponse> = {
  id: 'app.v1.AppResourceService.CreateManuallyManagedAppResource',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/resource_types/{app_resource_type_id}/resources',
  isKeyed: true,
}

/** Get a resource. Basic users can get resources on which they have access. */
export const appResourceGet: Operation<{ path: { app_id: string; app_resource_type_id: string; id: string } }, AppResourceServiceGetResponse> = {
  id: 'app.v1.AppResourceService.Get',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/resource_types/{app_resource_type_id}/resources/{id}',
}

/** Change a resource. */
export const appResourceUpdate: Operation<{ path: { app_id: string; app_resource_type_id: string; id: string }; body?: Sent<AppResourceServiceUpdateRequestInput> }, AppResourceServiceUpdateResponse> = {
  id: 'app.v1.AppResourceService.Update',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/resource_types/{app_resource_type_id}/resources/{id}',
  isKeyed: true,
}

/** Delete a resource with its entitlements, and end their grants. */
export const appResourceDeleteManuallyManagedAppResource: Operation<{ path: { app_id: string; app_resource_type_id: string; id: string }; body?: Sent<DeleteManuallyManagedAppResourceRequestInput> }, Empty> = {
  id: 'app.v1.AppResourceService.DeleteManuallyManagedAppResource',
  method: 'DELETE',
  path: '/api/v1/apps/{app_id}/resource_types/{app_resource_type_id}/resources/{id}',
  isKeyed: true,
}

/** Search resources by the beginnings of words of their name, in any order, and by filters. */
export const appResourceSearchAppResources: PagedOperation<{ body?: Sent<SearchAppResourcesRequest> }, SearchAppResourcesResponse, 'list'> = {
  id: 'app.v1.AppResourceSearch.SearchAppResources',
  method: 'POST',
  path: '/api/v1/search/app_resources',
  items: 'list',
}

/** List the entitlements of an app, in order of creation. Basic users get those that they have. */
export const appEntitlementsList: PagedOperation<{ path: { app_id: string }; query?: { expand?: string[]; page_size?: number; page_token?: string } }, ListAppEntitlementsResponse, 'list'> = {
  id: 'app.v1.AppEntitlements.List',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements',
  items: 'list',
}

/** Create an entitlement, of a resource or of the app itself. */
export const appEntitlementsCreate: Operation<{ path: { app_id: string }; body?: Sent<CreateAppEntitlementRequestInput> }, CreateAppEntitlementResponse> = {
  id: 'app.v1.AppEntitlements.Create',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements',
  isKeyed: true,
}

/** Get an entitlement. Basic users can get those that they have. */
export const appEntitlementsGet: Operation<{ path: { app_id: string; id: string } }, GetAppEntitlementResponse> = {
  id: 'app.v1.AppEntitlements.Get',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{id}',
}

/** Change an entitlement. */
export const appEntitlementsUpdate: Operation<{ path: { app_id: string; id: string }; body?: Sent<UpdateAppEntitlementRequestInput> }, UpdateAppEntitlementResponse> = {
  id: 'app.v1.AppEntitlements.Update',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{id}',
  isKeyed: true,
}

/** Delete an entitlement, and revoke it from everyone who has it. */
export const appEntitlementsDelete: Operation<{ path: { app_id: string; id: string }; body?: Sent<DeleteAppEntitlementRequestInput> }, Empty> = {
  id: 'app.v1.AppEntitlements.Delete',
  method: 'DELETE',
  path: '/api/v1/apps/{app_id}/entitlements/{id}',
  isKeyed: true,
}

/** List the entitlements of a resource. */
export const appEntitlementsListForAppResource: PagedOperation<{ path: { app_id: string; app_resource_type_id: string; app_resource_id: string }; query?: { page_size?: number; page_token?: string } }, ListAppEntitlementViewsResponse, 'list'> = {
  id: 'app.v1.AppEntitlements.ListForAppResource',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/resource_types/{app_resource_type_id}/resources/{app_resource_id}',
  items: 'list',
}

/** Search entitlements by the beginnings of words of their name, in any order, of their alias and slug, and of the names of their app and resource; and by filters. Names that begin with the query come first. */
export const appEntitlementSearch: PagedOperation<{ body?: Sent<AppEntitlementSearchServiceSearchRequest> }, AppEntitlementSearchServiceSearchResponse, 'list'> = {
  id: 'app.v1.AppEntitlementSearchService.Search',
  method: 'POST',
  path: '/api/v1/search/entitlements',
  items: 'list',
}

/** Get the binding of one entitlement to another. */
export const appEntitlementsProxyGet: Operation<{ path: { src_app_id: string; src_app_entitlement_id: string; dst_app_id: string; dst_app_entitlement_id: string } }, GetAppEntitlementProxyResponse> = {
  id: 'app.v1.AppEntitlementsProxy.Get',
  method: 'GET',
  path: '/api/v1/apps/{src_app_id}/{src_app_entitlement_id}/bindings/{dst_app_id}/{dst_app_entitlement_id}',
}

/** Bind one entitlement to another: everyone with the first is granted the second. */
export const appEntitlementsProxyCreate: Operation<{ path: { src_app_id: string; src_app_entitlement_id: string; dst_app_id: string; dst_app_entitlement_id: string }; body?: Sent<CreateAppEntitlementProxyRequestInput> }, CreateAppEntitlementProxyResponse> = {
  id: 'app.v1.AppEntitlementsProxy.Create',
  method: 'POST',
  path: '/api/v1/apps/{src_app_id}/{src_app_entitlement_id}/bindings/{dst_app_id}/{dst_app_entitlement_id}',
  isKeyed: true,
}

/** Remove the binding of one entitlement to another. */
export const appEntitlementsProxyDelete: Operation<{ path: { src_app_id: string; src_app_entitlement_id: string; dst_app_id: string; dst_app_entitlement_id: string }; body?: Sent<DeleteAppEntitlementProxyRequestInput> }, Empty> = {
  id: 'app.v1.AppEntitlementsProxy.Delete',
  method: 'DELETE',
  path: '/api/v1/apps/{src_app_id}/{src_app_entitlement_id}/bindings/{dst_app_id}/{dst_app_entitlement_id}',
  isKeyed: true,
}

/** List the users, in order of creation. */
export const userList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, UserServiceListResponse, 'list'> = {
  id: 'user.v1.UserService.List',
  method: 'GET',
  path: '/api/v1/users',
  items: 'list',
}

/** Get a user: yourself, or anyone if you may see everyone. Of users whom you can see in part, only that part is returned. */
export const userGet: Operation<{ path: { id: string } }, UserServiceGetResponse> = {
  id: 'user.v1.UserService.Get',
  method: 'GET',
  path: '/api/v1/users/{id}',
}

/** Get the user who calls. */
export const userIntrospect: Operation<{ body?: Sent<UserServiceIntrospectRequest> }, UserServiceIntrospectResponse> = {
  id: 'user.v1.UserService.Introspect',
  method: 'POST',
  path: '/api/v1/users/introspect',
  isKeyed: true,
}

/** List the profile types of a user. There are none. */
export const userGetUserProfileTypes: Operation<{ path: { user_id: string } }, GetUserProfileTypesResponse> = {
  id: 'user.v1.UserService.GetUserProfileTypes',
  method: 'GET',
  path: '/api/v1/users/{user_id}/profile-types',
}

/** Set the delegate of a user, for a limited time; without delegatedUserId, the delegate is removed. A delegate whom somebody else has set does not decide changes that need approval. */
export const userSetExpiringUserDelegationBindingByAdmin: Operation<{ path: { user_id: string }; body?: Sent<SetExpiringUserDelegationBindingByAdminRequest> }, SetExpiringUserDelegationBindingByAdminResponse> = {
  id: 'user.v1.UserService.SetExpiringUserDelegationBindingByAdmin',
  method: 'POST',
  path: '/api/v1/users/{user_id}/set-delegation-by-admin',
  isKeyed: true,
}

/** Search users by the beginnings of words of their name, in any order, of an email address, a username or an employee id, and by filters. Callers who may not see everyone can find a person by complete email address, and people whom they can see by id. */
export const userSearch: PagedOperation<{ body?: Sent<SearchUsersRequest> }, SearchUsersResponse, 'list'> = {
  id: 'user.v1.UserSearch.Search',
  method: 'POST',
  path: '/api/v1/search/users',
  items: 'list',
}

/** Get the delegate of the caller, from when and until when; no item if there is none. */
export const userDelegationGet: Operation<Record<never, never>, UserDelegationGetResponse> = {
  id: 'user.v1.UserDelegation.Get',
  method: 'GET',
  path: '/api/v1/users/introspect/delegation',
}

/** Set the delegate of the caller, for a limited time, by id or by email address. Without either, the delegate is removed. */
export const userDelegationSet: Operation<{ body?: Sent<UserDelegationSetRequest> }, UserDelegationSetResponse> = {
  id: 'user.v1.UserDelegation.Set',
  method: 'POST',
  path: '/api/v1/users/introspect/delegation',
  isKeyed: true,
}

/** Grant a user a role, by its id or name. The caller must have all permissions of the role. */
export const userRolesAdd: Operation<{ path: { user_id: string; role_id: string }; body?: Sent<UserRolesAddRequest> }, UserRolesAddResponse> = {
  id: 'user.v1.UserRoles.Add',
  method: 'POST',
  path: '/api/v1/users/{user_id}/roles/{role_id}',
  isKeyed: true,
}

/** Revoke a role from a user. The caller must have all permissions of the role. */
export const userRolesRemove: Operation<{ path: { user_id: string; role_id: string }; body?: Sent<UserRolesRemoveRequest> }, UserRolesRemoveResponse> = {
  id: 'user.v1.UserRoles.Remove',
  method: 'DELETE',
  path: '/api/v1/users/{user_id}/roles/{role_id}',
  isKeyed: true,
}

/** Disable a user: sessions end, and API credentials are refused until the user is enabled again. */
export const userStatusDisable: Operation<{ path: { user_id: string }; body?: Sent<UserStatusDisableRequest> }, UserStatusDisableResponse> = {
  id: 'user.v1.UserStatus.Disable',
  method: 'POST',
  path: '/api/v1/users/{user_id}/disable',
  isKeyed: true,
}

/** Enable a user who was disabled. */
export const userStatusEnable: Operation<{ path: { user_id: string }; body?: Sent<UserStatusEnableRequest> }, UserStatusEnableResponse> = {
  id: 'user.v1.UserStatus.Enable',
  method: 'POST',
  path: '/api/v1/users/{user_id}/enable',
  isKeyed: true,
}

/** List the accounts in an app: your own, or all if you may see them. */
export const appUserList: PagedOperation<{ path: { app_id: string }; query?: { page_size?: number; page_token?: string } }, AppUserServiceListResponse, 'list'> = {
  id: 'app.v1.AppUserService.List',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/app_users',
  items: 'list',
}

/** List a user's accounts in an app: your own, or those of anyone if you may see all accounts. */
export const appUserListAppUsersForUser: PagedOperation<{ path: { app_id: string; user_id: string }; query?: { page_size?: number; page_token?: string } }, AppUsersForUserServiceListResponse, 'list'> = {
  id: 'app.v1.AppUserService.ListAppUsersForUser',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/users/{user_id}/app_users',
  items: 'list',
}

/** List the passwords of an account that a connector created, encrypted for the API credentials that its person had then. */
export const appUserListAppUserCredentials: PagedOperation<{ path: { app_id: string; app_user_id: string }; query?: { page_size?: number; page_token?: string } }, AppUserServiceListCredentialsResponse, 'list'> = {
  id: 'app.v1.AppUserService.ListAppUserCredentials',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/app_users/{app_user_id}/credentials',
  items: 'list',
}

/** Change the type or the status of an account. */
export const appUserUpdate: Operation<{ path: { app_user_app_id: string; app_user_id: string }; body?: Sent<AppUserServiceUpdateRequest> }, AppUserServiceUpdateResponse> = {
  id: 'app.v1.AppUserService.Update',
  method: 'POST',
  path: '/api/v1/apps/{app_user_app_id}/app_users/{app_user_id}',
  isKeyed: true,
}

/** Search accounts by the beginnings of words of a name, in any order, or of an email address, and by filters. Basic users can search their own accounts. */
export const appUserSearch: PagedOperation<{ body?: Sent<AppUserServiceSearchRequest> }, AppUserServiceSearchResponse, 'list'> = {
  id: 'app.v1.AppUserService.Search',
  method: 'POST',
  path: '/api/v1/search/app_users',
  items: 'list',
}

/** List who has an entitlement, now or at an earlier time. */
export const appEntitlementsListUsers: PagedOperation<{ path: { app_id: string; app_entitlement_id: string }; query?: { as_of?: string | null; query?: string; sources?: string[]; expires?: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'; user_statuses?: ('UNKNOWN' | 'ENABLED' | 'DISABLED' | 'DELETED')[]; order_by?: string; page_size?: number; page_token?: string } }, ListAppEntitlementUsersResponse, 'list'> = {
  id: 'app.v1.AppEntitlements.ListUsers',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/users',
  items: 'list',
}

/** List the access of an account, now or at an earlier moment: your own, or those of anyone if you may see them. */
export const appEntitlementsListForAppUser: PagedOperation<{ path: { app_id: string; app_user_id: string }; query?: { as_of?: string | null; page_size?: number; page_token?: string } }, ListAppEntitlementsOfAppUserResponse, 'list'> = {
  id: 'app.v1.AppEntitlements.ListForAppUser',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/users/{app_user_id}',
  items: 'list',
}

/** List the access of an account, now or at an earlier moment; the same list by another name. */
export const appEntitlementSearchAppEntitlementsForAppUser: PagedOperation<{ path: { app_id: string; app_user_id: string }; query?: { as_of?: string | null; page_size?: number; page_token?: string } }, ListAppEntitlementsOfAppUserResponse, 'list'> = {
  id: 'app.v1.AppEntitlementSearchService.SearchAppEntitlementsForAppUser',
  method: 'GET',
  path: '/api/v1/search/apps/{app_id}/entitlements/users/{app_user_id}',
  items: 'list',
}

/** List who has or had an entitlement, since when, until when, and why. */
export const appEntitlementSearchAppEntitlementsWithExpired: PagedOperation<{ path: { app_id: string; app_entitlement_id: string }; query?: { as_of?: string | null; page_size?: number; page_token?: string } }, SearchAppEntitlementsWithExpiredResponse, 'list'> = {
  id: 'app.v1.AppEntitlementSearchService.SearchAppEntitlementsWithExpired',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/grants',
  items: 'list',
}

/** Grant an entitlement to users manually; those without an account in its app get one. */
export const appEntitlementsAddManuallyManagedMembers: Operation<{ path: { app_id: string; app_entitlement_id: string }; body?: Sent<AddManuallyManagedUsersRequest> }, ManuallyManagedUsersResponse> = {
  id: 'app.v1.AppEntitlements.AddManuallyManagedMembers',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/add-manual-user',
  isKeyed: true,
}

/** Revoke an entitlement from an account, regardless of its sources. */
export const appEntitlementsRemoveEntitlementMembership: Operation<{ path: { app_id: string; app_entitlement_id: string }; body?: Sent<RemoveEntitlementMembershipRequest> }, RemoveEntitlementMembershipResponse> = {
  id: 'app.v1.AppEntitlements.RemoveEntitlementMembership',
  method: 'DELETE',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/remove-membership',
  isKeyed: true,
}

/** Remove the expiry of an account's grant of an entitlement. */
export const appEntitlementUserBindingRemoveGrantDuration: Operation<{ path: { app_id: string; app_entitlement_id: string; app_user_id: string }; body?: Sent<RemoveGrantDurationRequest> }, RemoveGrantDurationResponse> = {
  id: 'app.v1.AppEntitlementUserBindingService.RemoveGrantDuration',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/users/{app_user_id}/remove-grant-duration',
  isKeyed: true,
}

/** Set when an account's grant of an entitlement expires. */
export const appEntitlementUserBindingUpdateGrantDuration: Operation<{ path: { app_id: string; app_entitlement_id: string; app_user_id: string }; body?: Sent<UpdateGrantDurationRequest> }, UpdateGrantDurationResponse> = {
  id: 'app.v1.AppEntitlementUserBindingService.UpdateGrantDuration',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/users/{app_user_id}/update-grant-duration',
  isKeyed: true,
}

/** List the accounts through which a user has an entitlement: your own, or those of anyone if you may see them. */
export const appEntitlementUserBindingListAppUsersForIdentityWithGrant: Operation<{ path: { app_id: string; app_entitlement_id: string; identity_user_id: string }; query?: { as_of?: string | null } }, ListAppUsersForIdentityWithGrantResponse> = {
  id: 'app.v1.AppEntitlementUserBindingService.ListAppUsersForIdentityWithGrant',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/users/{identity_user_id}/grants',
}

/** Search grants, now or at an earlier time. Basic users can search their own access. */
export const appEntitlementSearchGrants: PagedOperation<{ body?: Sent<AppEntitlementSearchServiceSearchGrantsRequest> }, AppEntitlementSearchServiceSearchGrantsResponse, 'list'> = {
  id: 'app.v1.AppEntitlementSearchService.SearchGrants',
  method: 'POST',
  path: '/api/v1/search/grants',
  items: 'list',
}

/** Search when access was granted and removed, latest first. */
export const appEntitlementUserBindingSearchGrantFeed: PagedOperation<{ body?: Sent<SearchGrantFeedRequest> }, SearchGrantFeedResponse, 'list'> = {
  id: 'app.v1.AppEntitlementUserBindingService.SearchGrantFeed',
  method: 'POST',
  path: '/api/v1/grants/feed',
  items: 'list',
}

/** Search grants that have ended, latest first. */
export const appEntitlementUserBindingSearchPastGrants: PagedOperation<{ body?: Sent<SearchPastGrantsRequest> }, SearchPastGrantsResponse, 'list'> = {
  id: 'app.v1.AppEntitlementUserBindingService.SearchPastGrants',
  method: 'POST',
  path: '/api/v1/search/past-grants',
  items: 'list',
}

/** The paths from a user through accounts and entitlements to resources, or from a resource to its users. */
export const appEntitlementSearchGraph: Operation<{ body?: Sent<AppEntitlementSearchServiceSearchGraphRequest> }, AppEntitlementSearchServiceSearchGraphResponse> = {
  id: 'app.v1.AppEntitlementSearchService.SearchGraph',
  method: 'POST',
  path: '/api/v1/search/graph',
}

/** The number of entitlements that a user has in each app. */
export const appEntitlementSearchCountGrantsForUserByApp: Operation<{ body?: Sent<AppEntitlementSearchServiceCountGrantsForUserByAppRequest> }, AppEntitlementSearchServiceCountGrantsForUserByAppResponse> = {
  id: 'app.v1.AppEntitlementSearchService.CountGrantsForUserByApp',
  method: 'POST',
  path: '/api/v1/search/graph/counts',
  isKeyed: true,
}

/** List the resources that a user reaches through their entitlements, directly or indirectly. */
export const appEntitlementSearchReachableResourcesForUser: PagedOperation<{ body?: Sent<AppEntitlementSearchServiceSearchReachableResourcesForUserRequest> }, AppEntitlementSearchServiceSearchReachableResourcesForUserResponse, 'list'> = {
  id: 'app.v1.AppEntitlementSearchService.SearchReachableResourcesForUser',
  method: 'POST',
  path: '/api/v1/search/graph/resources',
  items: 'list',
}

/** List the past and current access of a person, with times and sources, by app, account and entitlement. */
export const accessHistoryList: PagedOperation<{ path: { user_id: string }; query?: { from?: string | null; to?: string | null; as_of?: string | null; app_id?: string; app_entitlement_id?: string; page_size?: number; page_token?: string } }, ListAccessHistoryResponse, 'list'> = {
  id: 'bailiwick.v1.AccessHistory.List',
  method: 'GET',
  path: '/api/v1/users/{user_id}/access_history',
  items: 'list',
}

/** Find how a person reaches an entitlement or a resource: through which accounts, entitlements, rules and bindings. */
export const accessPathsFind: Operation<{ path: { user_id: string }; query?: { app_id?: string; app_entitlement_id?: string; app_resource_type_id?: string; app_resource_id?: string; as_of?: string | null } }, FindAccessPathsResponse> = {
  id: 'bailiwick.v1.AccessPaths.Find',
  method: 'GET',
  path: '/api/v1/users/{user_id}/access_paths',
}

/** Get whether decisions about an app are carried out in it: by which connectors, by people, or by nobody because they are only recorded. */
export const enforcementGetApp: Operation<{ path: { app_id: string } }, GetAppEnforcementResponse> = {
  id: 'bailiwick.v1.Enforcement.GetApp',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/enforcement',
}

/** Set what happens in an app without a connector: its owners are asked to make each change, or changes are only recorded. */
export const enforcementSetApp: Operation<{ path: { app_id: string }; body?: Sent<SetAppEnforcementRequest> }, SetAppEnforcementResponse> = {
  id: 'bailiwick.v1.Enforcement.SetApp',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/enforcement',
  isKeyed: true,
}

/** Get who carries out grants and revocations of some entitlements in their apps. Those that the caller does not see are left out. */
export const enforcementListOfEntitlements: Operation<{ body?: Sent<ListEntitlementEnforcementRequest> }, ListEntitlementEnforcementResponse> = {
  id: 'bailiwick.v1.Enforcement.ListOfEntitlements',
  method: 'POST',
  path: '/api/v1/enforcement/entitlements',
}

/** Get the enforcement state of some apps. Those that the caller does not see are left out. */
export const enforcementListOfApps: Operation<{ body?: Sent<ListAppEnforcementRequest> }, ListAppEnforcementResponse> = {
  id: 'bailiwick.v1.Enforcement.ListOfApps',
  method: 'POST',
  path: '/api/v1/enforcement/apps',
}

/** Get what share of the current access is granted and revoked by connectors and webhooks, by people, and by nobody; and which apps would add most. */
export const enforcementGetCoverage: Operation<Record<never, never>, GetCoverageResponse> = {
  id: 'bailiwick.v1.Enforcement.GetCoverage',
  method: 'GET',
  path: '/api/v1/enforcement/coverage',
}

/** Replace all owners of an app in one role; its other roles are not changed. */
export const appOwnersSetV2: Operation<{ path: { app_id: string }; body?: Sent<AppOwnerSetRequestV2> }, Empty> = {
  id: 'app.v2.AppOwners.Set',
  method: 'PUT',
  path: '/api/v2/apps/{app_id}/owners',
  isKeyed: true,
}

/** List the users who are named as owners of an app, now or at an earlier time. */
export const appOwnersSearchUserOwnersV2: PagedOperation<{ path: { app_id: string }; query?: { role_slug?: string; as_of?: string | null; page_size?: number; page_token?: string } }, AppOwnerUsersResponseV2, 'list'> = {
  id: 'app.v2.AppOwners.SearchUserOwners',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/owners/users',
  items: 'list',
}

/** List the entitlements whose holders own an app, now or at an earlier time. */
export const appOwnersSearchEntitlementOwnersV2: PagedOperation<{ path: { app_id: string }; query?: { role_slug?: string; as_of?: string | null; page_size?: number; page_token?: string } }, AppOwnerEntitlementsResponseV2, 'list'> = {
  id: 'app.v2.AppOwners.SearchEntitlementOwners',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/owners/entitlements',
  items: 'list',
}

/** Get a user who is named as an owner of an app. */
export const appOwnersGetUserOwnerV2: Operation<{ path: { app_id: string; role_slug: string; user_ref_id: string } }, AppOwnerUserGetResponseV2> = {
  id: 'app.v2.AppOwners.GetUserOwner',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/owners/users/{role_slug}/{user_ref_id}',
}

/** Add a user to the owners of an app. */
export const appOwnersCreateUserOwnerV2: Operation<{ path: { app_id: string; role_slug: string; user_ref_id: string }; body?: Sent<AppOwnerUserCreateRequestV2> }, AppOwnerUserCreateResponseV2> = {
  id: 'app.v2.AppOwners.CreateUserOwner',
  method: 'POST',
  path: '/api/v2/apps/{app_id}/owners/users/{role_slug}/{user_ref_id}',
  isKeyed: true,
}

/** Remove a user from the owners of an app. */
export const appOwnersDeleteUserOwnerV2: Operation<{ path: { app_id: string; role_slug: string; user_ref_id: string }; body?: Sent<AppOwnerUserDeleteRequestV2> }, Empty> = {
  id: 'app.v2.AppOwners.DeleteUserOwner',
  method: 'DELETE',
  path: '/api/v2/apps/{app_id}/owners/users/{role_slug}/{user_ref_id}',
  isKeyed: true,
}

/** Get an entitlement whose holders own an app. */
export const appOwnersGetEntitlementOwnerV2: Operation<{ path: { app_id: string; role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string } }, AppOwnerEntitlementGetResponseV2> = {
  id: 'app.v2.AppOwners.GetEntitlementOwner',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}',
}

/** Add everyone who has an entitlement to the owners of an app. */
export const appOwnersCreateEntitlementOwnerV2: Operation<{ path: { app_id: string; role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string }; body?: Sent<AppOwnerEntitlementCreateRequestV2> }, AppOwnerEntitlementCreateResponseV2> = {
  id: 'app.v2.AppOwners.CreateEntitlementOwner',
  method: 'POST',
  path: '/api/v2/apps/{app_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}',
  isKeyed: true,
}

/** Remove the members of an entitlement from the owners of an app. */
export const appOwnersDeleteEntitlementOwnerV2: Operation<{ path: { app_id: string; role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string }; body?: Sent<AppOwnerEntitlementDeleteRequestV2> }, Empty> = {
  id: 'app.v2.AppOwners.DeleteEntitlementOwner',
  method: 'DELETE',
  path: '/api/v2/apps/{app_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}',
  isKeyed: true,
}

/** Replace all owners of an entitlement in one role; its other roles are not changed. */
export const appEntitlementOwnersSetV2: Operation<{ path: { app_id: string; entitlement_id: string }; body?: Sent<AppEntitlementOwnerSetRequestV2> }, Empty> = {
  id: 'app.v2.AppEntitlementOwners.Set',
  method: 'PUT',
  path: '/api/v2/apps/{app_id}/entitlements/{entitlement_id}/owners',
  isKeyed: true,
}

/** List the users who are named as owners of an entitlement, now or at an earlier time. */
export const appEntitlementOwnersSearchUserOwnersV2: PagedOperation<{ path: { app_id: string; entitlement_id: string }; query?: { role_slug?: string; as_of?: string | null; page_size?: number; page_token?: string } }, AppEntitlementOwnerUsersResponseV2, 'list'> = {
  id: 'app.v2.AppEntitlementOwners.SearchUserOwners',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/entitlements/{entitlement_id}/owners/users',
  items: 'list',
}

/** List the entitlements whose holders own an entitlement, now or at an earlier time. */
export const appEntitlementOwnersSearchEntitlementOwnersV2: PagedOperation<{ path: { app_id: string; entitlement_id: string }; query?: { role_slug?: string; as_of?: string | null; page_size?: number; page_token?: string } }, AppEntitlementOwnerEntitlementsResponseV2, 'list'> = {
  id: 'app.v2.AppEntitlementOwners.SearchEntitlementOwners',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/entitlements/{entitlement_id}/owners/entitlements',
  items: 'list',
}

/** Get a user who is named as an owner of an entitlement. */
export const appEntitlementOwnersGetUserOwnerV2: Operation<{ path: { app_id: string; entitlement_id: string; role_slug: string; user_ref_id: string } }, AppEntitlementOwnerUserGetResponseV2> = {
  id: 'app.v2.AppEntitlementOwners.GetUserOwner',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/entitlements/{entitlement_id}/owners/users/{role_slug}/{user_ref_id}',
}

/** Add a user to the owners of an entitlement. */
export const appEntitlementOwnersCreateUserOwnerV2: Operation<{ path: { app_id: string; entitlement_id: string; role_slug: string; user_ref_id: string }; body?: Sent<AppEntitlementOwnerUserCreateRequestV2> }, AppEntitlementOwnerUserCreateResponseV2> = {
  id: 'app.v2.AppEntitlementOwners.CreateUserOwner',
  method: 'POST',
  path: '/api/v2/apps/{app_id}/entitlements/{entitlement_id}/owners/users/{role_slug}/{user_ref_id}',
  isKeyed: true,
}

/** Remove a user from the owners of an entitlement. */
export const appEntitlementOwnersDeleteUserOwnerV2: Operation<{ path: { app_id: string; entitlement_id: string; role_slug: string; user_ref_id: string }; body?: Sent<AppEntitlementOwnerUserDeleteRequestV2> }, Empty> = {
  id: 'app.v2.AppEntitlementOwners.DeleteUserOwner',
  method: 'DELETE',
  path: '/api/v2/apps/{app_id}/entitlements/{entitlement_id}/owners/users/{role_slug}/{user_ref_id}',
  isKeyed: true,
}

/** Get an entitlement whose holders own an entitlement. */
export const appEntitlementOwnersGetEntitlementOwnerV2: Operation<{ path: { app_id: string; entitlement_id: string; role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string } }, AppEntitlementOwnerEntitlementGetResponseV2> = {
  id: 'app.v2.AppEntitlementOwners.GetEntitlementOwner',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/entitlements/{entitlement_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}',
}

/** Add everyone who has an entitlement to the owners of an entitlement. */
export const appEntitlementOwnersCreateEntitlementOwnerV2: Operation<{ path: { app_id: string; entitlement_id: string; role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string }; body?: Sent<AppEntitlementOwnerEntitlementCreateRequestV2> }, AppEntitlementOwnerEntitlementCreateResponseV2> = {
  id: 'app.v2.AppEntitlementOwners.CreateEntitlementOwner',
  method: 'POST',
  path: '/api/v2/apps/{app_id}/entitlements/{entitlement_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}',
  isKeyed: true,
}

/** Remove the members of an entitlement from the owners of an entitlement. */
export const appEntitlementOwnersDeleteEntitlementOwnerV2: Operation<{ path: { app_id: string; entitlement_id: string; role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string }; body?: Sent<AppEntitlementOwnerEntitlementDeleteRequestV2> }, Empty> = {
  id: 'app.v2.AppEntitlementOwners.DeleteEntitlementOwner',
  method: 'DELETE',
  path: '/api/v2/apps/{app_id}/entitlements/{entitlement_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}',
  isKeyed: true,
}

/** Replace all owners of a resource in one role; its other roles are not changed. */
export const appResourceOwnersV2SetV2: Operation<{ path: { app_id: string; resource_type_id: string; resource_id: string }; body?: Sent<AppResourceOwnerSetRequestV2> }, Empty> = {
  id: 'app.v2.AppResourceOwnersV2.Set',
  method: 'PUT',
  path: '/api/v2/apps/{app_id}/resource_types/{resource_type_id}/resources/{resource_id}/owners',
  isKeyed: true,
}

/** List the users who are named as owners of a resource, now or at an earlier time. */
export const appResourceOwnersV2SearchUserOwnersV2: PagedOperation<{ path: { app_id: string; resource_type_id: string; resource_id: string }; query?: { role_slug?: string; as_of?: string | null; page_size?: number; page_token?: string } }, AppResourceOwnerUsersResponseV2, 'list'> = {
  id: 'app.v2.AppResourceOwnersV2.SearchUserOwners',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/resource_types/{resource_type_id}/resources/{resource_id}/owners/users',
  items: 'list',
}

/** List the entitlements whose holders own a resource, now or at an earlier time. */
export const appResourceOwnersV2SearchEntitlementOwnersV2: PagedOperation<{ path: { app_id: string; resource_type_id: string; resource_id: string }; query?: { role_slug?: string; as_of?: string | null; page_size?: number; page_token?: string } }, AppResourceOwnerEntitlementsResponseV2, 'list'> = {
  id: 'app.v2.AppResourceOwnersV2.SearchEntitlementOwners',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/resource_types/{resource_type_id}/resources/{resource_id}/owners/entitlements',
  items: 'list',
}

/** Get a user who is named as an owner of a resource. */
export const appResourceOwnersV2GetUserOwnerV2: Operation<{ path: { app_id: string; resource_type_id: string; resource_id: string; role_slug: string; user_ref_id: string } }, AppResourceOwnerUserGetResponseV2> = {
  id: 'app.v2.AppResourceOwnersV2.GetUserOwner',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/resource_types/{resource_type_id}/resources/{resource_id}/owners/users/{role_slug}/{user_ref_id}',
}

/** Add a user to the owners of a resource. */
export const appResourceOwnersV2CreateUserOwnerV2: Operation<{ path: { app_id: string; resource_type_id: string; resource_id: string; role_slug: string; user_ref_id: string }; body?: Sent<AppResourceOwnerUserCreateRequestV2> }, AppResourceOwnerUserCreateResponseV2> = {
  id: 'app.v2.AppResourceOwnersV2.CreateUserOwner',
  method: 'POST',
  path: '/api/v2/apps/{app_id}/resource_types/{resource_type_id}/resources/{resource_id}/owners/users/{role_slug}/{user_ref_id}',
  isKeyed: true,
}

/** Remove a user from the owners of a resource. */
export const appResourceOwnersV2DeleteUserOwnerV2: Operation<{ path: { app_id: string; resource_type_id: string; resource_id: string; role_slug: string; user_ref_id: string }; body?: Sent<AppResourceOwnerUserDeleteRequestV2> }, Empty> = {
  id: 'app.v2.AppResourceOwnersV2.DeleteUserOwner',
  method: 'DELETE',
  path: '/api/v2/apps/{app_id}/resource_types/{resource_type_id}/resources/{resource_id}/owners/users/{role_slug}/{user_ref_id}',
  isKeyed: true,
}

/** Get an entitlement whose holders own a resource. */
export const appResourceOwnersV2GetEntitlementOwnerV2: Operation<{ path: { app_id: string; resource_type_id: string; resource_id: string; role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string } }, AppResourceOwnerEntitlementGetResponseV2> = {
  id: 'app.v2.AppResourceOwnersV2.GetEntitlementOwner',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/resource_types/{resource_type_id}/resources/{resource_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}',
}

/** Add everyone who has an entitlement to the owners of a resource. */
export const appResourceOwnersV2CreateEntitlementOwnerV2: Operation<{ path: { app_id: string; resource_type_id: string; resource_id: string; role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string }; body?: Sent<AppResourceOwnerEntitlementCreateRequestV2> }, AppResourceOwnerEntitlementCreateResponseV2> = {
  id: 'app.v2.AppResourceOwnersV2.CreateEntitlementOwner',
  method: 'POST',
  path: '/api/v2/apps/{app_id}/resource_types/{resource_type_id}/resources/{resource_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}',
  isKeyed: true,
}

/** Remove the members of an entitlement from the owners of a resource. */
export const appResourceOwnersV2DeleteEntitlementOwnerV2: Operation<{ path: { app_id: string; resource_type_id: string; resource_id: string; role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string }; body?: Sent<AppResourceOwnerEntitlementDeleteRequestV2> }, Empty> = {
  id: 'app.v2.AppResourceOwnersV2.DeleteEntitlementOwner',
  method: 'DELETE',
  path: '/api/v2/apps/{app_id}/resource_types/{resource_type_id}/resources/{resource_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}',
  isKeyed: true,
}

/** Replace all owners of an account (app user) in one role; its other roles are not changed. */
export const appUserOwnersV2SetV2: Operation<{ path: { app_id: string; user_id: string }; body?: Sent<AppUserOwnerSetRequestV2> }, Empty> = {
  id: 'app.v2.AppUserOwnersV2.Set',
  method: 'PUT',
  path: '/api/v2/apps/{app_id}/users/{user_id}/owners',
  isKeyed: true,
}

/** List the users who are named as owners of an account (app user), now or at an earlier time. */
export const appUserOwnersV2SearchUserOwnersV2: PagedOperation<{ path: { app_id: string; user_id: string }; query?: { role_slug?: string; as_of?: string | null; page_size?: number; page_token?: string } }, AppUserOwnerUsersResponseV2, 'list'> = {
  id: 'app.v2.AppUserOwnersV2.SearchUserOwners',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/users/{user_id}/owners/users',
  items: 'list',
}

/** List the entitlements whose holders own an account (app user), now or at an earlier time. */
export const appUserOwnersV2SearchEntitlementOwnersV2: PagedOperation<{ path: { app_id: string; user_id: string }; query?: { role_slug?: string; as_of?: string | null; page_size?: number; page_token?: string } }, AppUserOwnerEntitlementsResponseV2, 'list'> = {
  id: 'app.v2.AppUserOwnersV2.SearchEntitlementOwners',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/users/{user_id}/owners/entitlements',
  items: 'list',
}

/** Add a user to the owners of an account (app user). */
export const appUserOwnersV2CreateUserOwnerV2: Operation<{ path: { app_id: string; user_id: string; role_slug: string; user_ref_id: string }; body?: Sent<AppUserOwnerUserCreateRequestV2> }, AppUserOwnerUserCreateResponseV2> = {
  id: 'app.v2.AppUserOwnersV2.CreateUserOwner',
  method: 'POST',
  path: '/api/v2/apps/{app_id}/users/{user_id}/owners/users/{role_slug}/{user_ref_id}',
  isKeyed: true,
}

/** Remove a user from the owners of an account (app user). */
export const appUserOwnersV2DeleteUserOwnerV2: Operation<{ path: { app_id: string; user_id: string; role_slug: string; user_ref_id: string }; body?: Sent<AppUserOwnerUserDeleteRequestV2> }, Empty> = {
  id: 'app.v2.AppUserOwnersV2.DeleteUserOwner',
  method: 'DELETE',
  path: '/api/v2/apps/{app_id}/users/{user_id}/owners/users/{role_slug}/{user_ref_id}',
  isKeyed: true,
}

/** Add everyone who has an entitlement to the owners of an account (app user). */
export const appUserOwnersV2CreateEntitlementOwnerV2: Operation<{ path: { app_id: string; user_id: string; role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string }; body?: Sent<AppUserOwnerEntitlementCreateRequestV2> }, AppUserOwnerEntitlementCreateResponseV2> = {
  id: 'app.v2.AppUserOwnersV2.CreateEntitlementOwner',
  method: 'POST',
  path: '/api/v2/apps/{app_id}/users/{user_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}',
  isKeyed: true,
}

/** Remove the members of an entitlement from the owners of an account (app user). */
export const appUserOwnersV2DeleteEntitlementOwnerV2: Operation<{ path: { app_id: string; user_id: string; role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string }; body?: Sent<AppUserOwnerEntitlementDeleteRequestV2> }, Empty> = {
  id: 'app.v2.AppUserOwnersV2.DeleteEntitlementOwner',
  method: 'DELETE',
  path: '/api/v2/apps/{app_id}/users/{user_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}',
  isKeyed: true,
}

/** Replace all owners of a user in one role; its other roles are not changed. */
export const userOwnersV2SetV2: Operation<{ path: { user_id: string }; body?: Sent<UserOwnerSetRequestV2> }, Empty> = {
  id: 'user.v2.UserOwnersV2.Set',
  method: 'PUT',
  path: '/api/v2/users/{user_id}/owners',
  isKeyed: true,
}

/** List the users who are named as owners of a user, now or at an earlier time. */
export const userOwnersV2SearchUserOwnersV2: PagedOperation<{ path: { user_id: string }; query?: { role_slug?: string; as_of?: string | null; page_size?: number; page_token?: string } }, UserOwnerUsersResponseV2, 'list'> = {
  id: 'user.v2.UserOwnersV2.SearchUserOwners',
  method: 'GET',
  path: '/api/v2/users/{user_id}/owners/users',
  items: 'list',
}

/** List the entitlements whose holders own a user, now or at an earlier time. */
export const userOwnersV2SearchEntitlementOwnersV2: PagedOperation<{ path: { user_id: string }; query?: { role_slug?: string; as_of?: string | null; page_size?: number; page_token?: string } }, UserOwnerEntitlementsResponseV2, 'list'> = {
  id: 'user.v2.UserOwnersV2.SearchEntitlementOwners',
  method: 'GET',
  path: '/api/v2/users/{user_id}/owners/entitlements',
  items: 'list',
}

/** Add a user to the owners of a user. */
export const userOwnersV2CreateUserOwnerV2: Operation<{ path: { user_id: string; role_slug: string; user_ref_id: string }; body?: Sent<UserOwnerUserCreateRequestV2> }, UserOwnerUserCreateResponseV2> = {
  id: 'user.v2.UserOwnersV2.CreateUserOwner',
  method: 'POST',
  path: '/api/v2/users/{user_id}/owners/users/{role_slug}/{user_ref_id}',
  isKeyed: true,
}

/** Remove a user from the owners of a user. */
export const userOwnersV2DeleteUserOwnerV2: Operation<{ path: { user_id: string; role_slug: string; user_ref_id: string }; body?: Sent<UserOwnerUserDeleteRequestV2> }, Empty> = {
  id: 'user.v2.UserOwnersV2.DeleteUserOwner',
  method: 'DELETE',
  path: '/api/v2/users/{user_id}/owners/users/{role_slug}/{user_ref_id}',
  isKeyed: true,
}

/** Add everyone who has an entitlement to the owners of a user. */
export const userOwnersV2CreateEntitlementOwnerV2: Operation<{ path: { user_id: string; role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string }; body?: Sent<UserOwnerEntitlementCreateRequestV2> }, UserOwnerEntitlementCreateResponseV2> = {
  id: 'user.v2.UserOwnersV2.CreateEntitlementOwner',
  method: 'POST',
  path: '/api/v2/users/{user_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}',
  isKeyed: true,
}

/** Remove the members of an entitlement from the owners of a user. */
export const userOwnersV2DeleteEntitlementOwnerV2: Operation<{ path: { user_id: string; role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string }; body?: Sent<UserOwnerEntitlementDeleteRequestV2> }, Empty> = {
  id: 'user.v2.UserOwnersV2.DeleteEntitlementOwner',
  method: 'DELETE',
  path: '/api/v2/users/{user_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}',
  isKeyed: true,
}

/** Replace all owners of a connector in one role; its other roles are not changed. */
export const connectorOwnersSetV2: Operation<{ path: { app_id: string; connector_id: string }; body?: Sent<ConnectorOwnerSetRequestV2> }, Empty> = {
  id: 'app.v2.ConnectorOwners.Set',
  method: 'PUT',
  path: '/api/v2/apps/{app_id}/connectors/{connector_id}/owners',
  isKeyed: true,
}

/** List the users who are named as owners of a connector, now or at an earlier time. */
export const connectorOwnersSearchUserOwnersV2: PagedOperation<{ path: { app_id: string; connector_id: string }; query?: { role_slug?: string; as_of?: string | null; page_size?: number; page_token?: string } }, ConnectorOwnerUsersResponseV2, 'list'> = {
  id: 'app.v2.ConnectorOwners.SearchUserOwners',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/connectors/{connector_id}/owners/users',
  items: 'list',
}

/** List the entitlements whose holders own a connector, now or at an earlier time. */
export const connectorOwnersSearchEntitlementOwnersV2: PagedOperation<{ path: { app_id: string; connector_id: string }; query?: { role_slug?: string; as_of?: string | null; page_size?: number; page_token?: string } }, ConnectorOwnerEntitlementsResponseV2, 'list'> = {
  id: 'app.v2.ConnectorOwners.SearchEntitlementOwners',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/connectors/{connector_id}/owners/entitlements',
  items: 'list',
}

/** Get a user who is named as an owner of a connector. */
export const connectorOwnersGetUserOwnerV2: Operation<{ path: { app_id: string; connector_id: string; role_slug: string; user_ref_id: string } }, ConnectorOwnerUserGetResponseV2> = {
  id: 'app.v2.ConnectorOwners.GetUserOwner',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/connectors/{connector_id}/owners/users/{role_slug}/{user_ref_id}',
}

/** Add a user to the owners of a connector. */
export const connectorOwnersCreateUserOwnerV2: Operation<{ path: { app_id: string; connector_id: string; role_slug: string; user_ref_id: string }; body?: Sent<ConnectorOwnerUserCreateRequestV2> }, ConnectorOwnerUserCreateResponseV2> = {
  id: 'app.v2.ConnectorOwners.CreateUserOwner',
  method: 'POST',
  path: '/api/v2/apps/{app_id}/connectors/{connector_id}/owners/users/{role_slug}/{user_ref_id}',
  isKeyed: true,
}

/** Remove a user from the owners of a connector. */
export const connectorOwnersDeleteUserOwnerV2: Operation<{ path: { app_id: string; connector_id: string; role_slug: string; user_ref_id: string }; body?: Sent<ConnectorOwnerUserDeleteRequestV2> }, Empty> = {
  id: 'app.v2.ConnectorOwners.DeleteUserOwner',
  method: 'DELETE',
  path: '/api/v2/apps/{app_id}/connectors/{connector_id}/owners/users/{role_slug}/{user_ref_id}',
  isKeyed: true,
}

/** Get an entitlement whose holders own a connector. */
export const connectorOwnersGetEntitlementOwnerV2: Operation<{ path: { app_id: string; connector_id: string; role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string } }, ConnectorOwnerEntitlementGetResponseV2> = {
  id: 'app.v2.ConnectorOwners.GetEntitlementOwner',
  method: 'GET',
  path: '/api/v2/apps/{app_id}/connectors/{connector_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}',
}

/** Add everyone who has an entitlement to the owners of a connector. */
export const connectorOwnersCreateEntitlementOwnerV2: Operation<{ path: { app_id: string; connector_id: string; role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string }; body?: Sent<ConnectorOwnerEntitlementCreateRequestV2> }, ConnectorOwnerEntitlementCreateResponseV2> = {
  id: 'app.v2.ConnectorOwners.CreateEntitlementOwner',
  method: 'POST',
  path: '/api/v2/apps/{app_id}/connectors/{connector_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}',
  isKeyed: true,
}

/** Remove the members of an entitlement from the owners of a connector. */
export const connectorOwnersDeleteEntitlementOwnerV2: Operation<{ path: { app_id: string; connector_id: string; role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string }; body?: Sent<ConnectorOwnerEntitlementDeleteRequestV2> }, Empty> = {
  id: 'app.v2.ConnectorOwners.DeleteEntitlementOwner',
  method: 'DELETE',
  path: '/api/v2/apps/{app_id}/connectors/{connector_id}/owners/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}',
  isKeyed: true,
}

/** List who owns an app in the role primary: users, and members of owning entitlements. */
export const appOwnersList: PagedOperation<{ path: { app_id: string }; query?: { as_of?: string | null; page_size?: number; page_token?: string } }, AppOwnersListResponse, 'list'> = {
  id: 'app.v1.AppOwners.List',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/owners',
  items: 'list',
}

/** Replace all owners of an app in the role primary by these users. */
export const appOwnersSet: Operation<{ path: { app_id: string }; body?: Sent<AppOwnersSetRequest> }, Empty> = {
  id: 'app.v1.AppOwners.Set',
  method: 'PUT',
  path: '/api/v1/apps/{app_id}/owners',
  isKeyed: true,
}

/** Remove these users from the owners of an app in the role primary; without any named, all owners. */
export const appOwnersDelete: Operation<{ path: { app_id: string }; body?: Sent<AppOwnersDeleteRequest> }, Empty> = {
  id: 'app.v1.AppOwners.Delete',
  method: 'DELETE',
  path: '/api/v1/apps/{app_id}/owners',
  isKeyed: true,
}

/** List the ids of the owners of an app in the role primary, at most 10000. */
export const appOwnersListOwnerIDs: Operation<{ path: { app_id: string }; query?: { as_of?: string | null } }, AppOwnersListOwnerIDsResponse> = {
  id: 'app.v1.AppOwners.ListOwnerIDs',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/ownerids',
}

/** Add a user to the owners of an app in the role primary. */
export const appOwnersAdd: Operation<{ path: { app_id: string; user_id: string }; body?: Sent<AppOwnersAddRequest> }, Empty> = {
  id: 'app.v1.AppOwners.Add',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/owners/{user_id}',
  isKeyed: true,
}

/** Remove a user from the owners of an app in the role primary. */
export const appOwnersRemove: Operation<{ path: { app_id: string; user_id: string }; body?: Sent<AppOwnersRemoveRequest> }, Empty> = {
  id: 'app.v1.AppOwners.Remove',
  method: 'DELETE',
  path: '/api/v1/apps/{app_id}/owners/{user_id}',
  isKeyed: true,
}

/** List who owns an entitlement in the role primary: users, and members of owning entitlements. */
export const appEntitlementOwnersList: PagedOperation<{ path: { app_id: string; entitlement_id: string }; query?: { as_of?: string | null; page_size?: number; page_token?: string } }, AppEntitlementOwnersListResponse, 'list'> = {
  id: 'app.v1.AppEntitlementOwners.List',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{entitlement_id}/owners',
  items: 'list',
}

/** Replace all owners of an entitlement in the role primary by these users. */
export const appEntitlementOwnersSet: Operation<{ path: { app_id: string; entitlement_id: string }; body?: Sent<AppEntitlementOwnersSetRequest> }, Empty> = {
  id: 'app.v1.AppEntitlementOwners.Set',
  method: 'PUT',
  path: '/api/v1/apps/{app_id}/entitlements/{entitlement_id}/owners',
  isKeyed: true,
}

/** Add a user to the owners of an entitlement in the role primary. */
export const appEntitlementOwnersAdd: Operation<{ path: { app_id: string; entitlement_id: string }; body?: Sent<AppEntitlementOwnersAddRequest> }, Empty> = {
  id: 'app.v1.AppEntitlementOwners.Add',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{entitlement_id}/owners',
  isKeyed: true,
}

/** Remove all owners of an entitlement in the role primary. */
export const appEntitlementOwnersDelete: Operation<{ path: { app_id: string; entitlement_id: string }; body?: Sent<AppEntitlementOwnersDeleteRequest> }, Empty> = {
  id: 'app.v1.AppEntitlementOwners.Delete',
  method: 'DELETE',
  path: '/api/v1/apps/{app_id}/entitlements/{entitlement_id}/owners',
  isKeyed: true,
}

/** List the ids of the owners of an entitlement in the role primary, at most 10000. */
export const appEntitlementOwnersListOwnerIDs: Operation<{ path: { app_id: string; entitlement_id: string }; query?: { as_of?: string | null } }, AppEntitlementOwnersListOwnerIDsResponse> = {
  id: 'app.v1.AppEntitlementOwners.ListOwnerIDs',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{entitlement_id}/ownerids',
}

/** Remove a user from the owners of an entitlement in the role primary. */
export const appEntitlementOwnersRemove: Operation<{ path: { app_id: string; entitlement_id: string; user_id: string }; body?: Sent<AppEntitlementOwnersRemoveRequest> }, Empty> = {
  id: 'app.v1.AppEntitlementOwners.Remove',
  method: 'DELETE',
  path: '/api/v1/apps/{app_id}/entitlements/{entitlement_id}/owners/{user_id}',
  isKeyed: true,
}

/** List who owns a resource in the role primary: users, and members of owning entitlements. */
export const appResourceOwnersList: PagedOperation<{ path: { app_id: string; resource_type_id: string; resource_id: string }; query?: { as_of?: string | null; page_size?: number; page_token?: string } }, AppResourceOwnersListResponse, 'list'> = {
  id: 'app.v1.AppResourceOwners.List',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/resource_types/{resource_type_id}/resource/{resource_id}/owners',
  items: 'list',
}

/** Replace all owners of a resource in the role primary by these users. */
export const appResourceOwnersSet: Operation<{ path: { app_id: string; resource_type_id: string; resource_id: string }; body?: Sent<AppResourceOwnersSetRequest> }, Empty> = {
  id: 'app.v1.AppResourceOwners.Set',
  method: 'PUT',
  path: '/api/v1/apps/{app_id}/resource_types/{resource_type_id}/resource/{resource_id}/owners',
  isKeyed: true,
}

/** Add a user to the owners of a resource in the role primary. */
export const appResourceOwnersAdd: Operation<{ path: { app_id: string; resource_type_id: string; resource_id: string }; body?: Sent<AppResourceOwnersAddRequest> }, Empty> = {
  id: 'app.v1.AppResourceOwners.Add',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/resource_types/{resource_type_id}/resource/{resource_id}/owners',
  isKeyed: true,
}

/** Remove a user from the owners of a resource in the role primary. */
export const appResourceOwnersRemove: Operation<{ path: { app_id: string; resource_type_id: string; resource_id: string }; body?: Sent<AppResourceOwnersRemoveRequest> }, Empty> = {
  id: 'app.v1.AppResourceOwners.Remove',
  method: 'DELETE',
  path: '/api/v1/apps/{app_id}/resource_types/{resource_type_id}/resource/{resource_id}/owners',
  isKeyed: true,
}

/** List the ids of the owners of a resource in the role primary, at most 10000. */
export const appResourceOwnersListOwnerIDs: Operation<{ path: { app_id: string; resource_type_id: string; resource_id: string }; query?: { as_of?: string | null } }, AppResourceOwnersListOwnerIDsResponse> = {
  id: 'app.v1.AppResourceOwners.ListOwnerIDs',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/resource_types/{resource_type_id}/resource/{resource_id}/ownerids',
}

/** Remove all owners of a resource in the role primary. */
export const appResourceOwnersDelete: Operation<{ path: { app_id: string; resource_type_id: string; resource_id: string }; body?: Sent<AppResourceOwnersDeleteRequest> }, Empty> = {
  id: 'app.v1.AppResourceOwners.Delete',
  method: 'DELETE',
  path: '/api/v1/apps/{app_id}/resource_types/{resource_type_id}/resource/{resource_id}/ownerids',
  isKeyed: true,
}

/** List the apps, resources and entitlements that a user owns: your own, or those of anyone if you may see them. */
export const appSearchUserOwnership: PagedOperation<{ body?: Sent<SearchUserOwnershipRequest> }, SearchUserOwnershipResponse, 'list'> = {
  id: 'app.v1.AppSearch.SearchUserOwnership',
  method: 'POST',
  path: '/api/v1/search/user-ownership',
  items: 'list',
}

/** List the service accounts that the caller owns. */
export const appUserListOwnedServiceAccounts: PagedOperation<{ body?: Sent<ListOwnedServiceAccountsRequest> }, ListOwnedServiceAccountsResponse, 'list'> = {
  id: 'app.v1.AppUserService.ListOwnedServiceAccounts',
  method: 'POST',
  path: '/api/v1/app_users/owned_service_accounts',
  items: 'list',
}

/** List the connectors that the caller owns, by app. */
export const ownedConnectorList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, OwnedConnectorServiceListResponse, 'list'> = {
  id: 'connector.v1.OwnedConnectorService.List',
  method: 'GET',
  path: '/api/v1/connectors/owned',
  items: 'list',
}

/** List some owners of each of several entitlements, or of their apps if the entitlements have no owners. */
export const ownersOfEntitlementsList: Operation<{ body?: Sent<ListOwnersOfEntitlementsRequest> }, ListOwnersOfEntitlementsResponse> = {
  id: 'bailiwick.v1.OwnersOfEntitlements.List',
  method: 'POST',
  path: '/api/v1/owners/of_entitlements',
  isKeyed: true,
}

/** Create a request schema: a form that requesters fill in. */
export const requestSchemaCreate: Operation<{ body?: Sent<RequestSchemaServiceCreateRequest> }, RequestSchemaServiceCreateResponse> = {
  id: 'request_schema.v1.RequestSchemaService.Create',
  method: 'POST',
  path: '/api/v1/request_schemas',
  isKeyed: true,
}

/** Get a request schema. Basic users can get those of entitlements that they can request. */
export const requestSchemaGet: Operation<{ path: { request_schema_id: string } }, RequestSchemaServiceGetResponse> = {
  id: 'request_schema.v1.RequestSchemaService.Get',
  method: 'GET',
  path: '/api/v1/request_schemas/{request_schema_id}',
}

/** Change a request schema. Existing tasks keep their form. */
export const requestSchemaUpdate: Operation<{ path: { request_schema_id: string }; body?: Sent<RequestSchemaServiceUpdateRequestInput> }, RequestSchemaServiceUpdateResponse> = {
  id: 'request_schema.v1.RequestSchemaService.Update',
  method: 'POST',
  path: '/api/v1/request_schemas/{request_schema_id}',
  isKeyed: true,
}

/** Delete a request schema that no entitlement has. */
export const requestSchemaDelete: Operation<{ path: { request_schema_id: string }; body?: Sent<RequestSchemaServiceDeleteRequestInput> }, Empty> = {
  id: 'request_schema.v1.RequestSchemaService.Delete',
  method: 'DELETE',
  path: '/api/v1/request_schemas/{request_schema_id}',
  isKeyed: true,
}

/** Find the request schema of an entitlement. Basic users can do so for entitlements that they can request. */
export const requestSchemaFindBindingForAppEntitlement: Operation<{ body?: Sent<RequestSchemaServiceFindBindingForAppEntitlementRequest> }, RequestSchemaServiceFindBindingForAppEntitlementResponse> = {
  id: 'request_schema.v1.RequestSchemaService.FindBindingForAppEntitlement',
  method: 'PUT',
  path: '/api/v1/request_schema_entitlement_binding',
  isKeyed: true,
}

/** Set the request schema of an entitlement. */
export const requestSchemaCreateEntitlementBinding: Operation<{ body?: Sent<RequestSchemaServiceCreateEntitlementBindingRequest> }, RequestSchemaServiceCreateEntitlementBindingResponse> = {
  id: 'request_schema.v1.RequestSchemaService.CreateEntitlementBinding',
  method: 'POST',
  path: '/api/v1/request_schema_entitlement_binding',
  isKeyed: true,
}

/** Remove the request schema of an entitlement. */
export const requestSchemaRemoveEntitlementBinding: Operation<{ body?: Sent<RequestSchemaServiceRemoveEntitlementBindingRequest> }, Empty> = {
  id: 'request_schema.v1.RequestSchemaService.RemoveEntitlementBinding',
  method: 'DELETE',
  path: '/api/v1/request_schema_entitlement_binding',
  isKeyed: true,
}

/** Search request schemas by a part of their name, in order of their ids. */
export const requestSchemaSearch: PagedOperation<{ body?: Sent<SearchRequestSchemasRequest> }, SearchRequestSchemasResponse, 'list'> = {
  id: 'bailiwick.v1.RequestSchemaSearch.Search',
  method: 'POST',
  path: '/api/v1/search/request_schemas',
  items: 'list',
}

/** Create a webhook. Its URL is not called, and its host name is not resolved, until something is sent to it. */
export const webhooksCreate: Operation<{ body?: Sent<WebhooksServiceCreateRequest> }, WebhooksServiceCreateResponse> = {
  id: 'webhooks.v1.WebhooksService.Create',
  method: 'POST',
  path: '/api/v1/webhooks',
  isKeyed: true,
}

/** List webhooks, in order of their ids. */
export const webhooksList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, WebhooksServiceListResponse, 'list'> = {
  id: 'webhooks.v1.WebhooksService.List',
  method: 'GET',
  path: '/api/v1/webhooks',
  items: 'list',
}

/** Get a webhook. */
export const webhooksGet: Operation<{ path: { id: string } }, WebhooksServiceGetResponse> = {
  id: 'webhooks.v1.WebhooksService.Get',
  method: 'GET',
  path: '/api/v1/webhooks/{id}',
}

/** Change a webhook. Deliveries that have not ended are sent to its new URL. */
export const webhooksUpdate: Operation<{ path: { id: string }; body?: Sent<WebhooksServiceUpdateRequestInput> }, WebhooksServiceUpdateResponse> = {
  id: 'webhooks.v1.WebhooksService.Update',
  method: 'POST',
  path: '/api/v1/webhooks/{id}',
  isKeyed: true,
}

/** Delete a webhook. Steps that use it are then decided by people. */
export const webhooksDelete: Operation<{ path: { id: string }; body?: Sent<WebhooksServiceDeleteRequestInput> }, Empty> = {
  id: 'webhooks.v1.WebhooksService.Delete',
  method: 'DELETE',
  path: '/api/v1/webhooks/{id}',
  isKeyed: true,
}

/** Send an empty message to a webhook. The response is in its deliveries. */
export const webhooksTest: Operation<{ path: { id: string }; body?: Sent<WebhooksServiceTestRequestInput> }, WebhooksServiceTestResponse> = {
  id: 'webhooks.v1.WebhooksService.Test',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/test',
  isKeyed: true,
}

/** Search webhooks by a part of their name or description, or by their ids. */
export const webhooksSearch: PagedOperation<{ body?: Sent<WebhooksSearchRequest> }, WebhooksSearchResponse, 'list'> = {
  id: 'webhooks.v1.WebhooksSearch.Search',
  method: 'POST',
  path: '/api/v1/search/webhooks',
  items: 'list',
}

/** List the deliveries to a webhook, newest first. Deliveries are kept for 30 days after they end. */
export const webhookDeliveriesList: PagedOperation<{ path: { id: string }; query?: { page_size?: number; page_token?: string } }, ListWebhookDeliveriesResponse, 'list'> = {
  id: 'bailiwick.v1.WebhookDeliveries.List',
  method: 'GET',
  path: '/api/v1/webhooks/{id}/deliveries',
  items: 'list',
}

/** Get a delivery with its requests and responses. */
export const webhookDeliveriesGet: Operation<{ path: { id: string; delivery_id: string } }, GetWebhookDeliveryResponse> = {
  id: 'bailiwick.v1.WebhookDeliveries.Get',
  method: 'GET',
  path: '/api/v1/webhooks/{id}/deliveries/{delivery_id}',
}

/** Send the answer to a delivery whose response was 202. The URL is in the delivery, and works once. */
export const webhookDeliveriesCallback: Operation<{ path: { token: string }; body?: Sent<WebhookCallbackRequest> }, Empty> = {
  id: 'bailiwick.v1.WebhookDeliveries.Callback',
  method: 'POST',
  path: '/api/v1/webhooks/callback/{token}',
}

/** List the policies that any app can use, in order of their ids. */
export const policiesList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, ListPolicyResponse, 'list'> = {
  id: 'policy.v1.Policies.List',
  method: 'GET',
  path: '/api/v1/policies',
  items: 'list',
}

/** Create a policy. */
export const policiesCreate: Operation<{ body?: Sent<CreatePolicyRequest> }, CreatePolicyResponse> = {
  id: 'policy.v1.Policies.Create',
  method: 'POST',
  path: '/api/v1/policies',
  isKeyed: true,
}

/** Check an expression of a policy: its errors and their positions. Without markers, it is a valid condition or approver expression. */
export const policyValidateValidateCEL: Operation<{ body?: Sent<PolicyEditorValidateRequest> }, PolicyEditorValidateResponse> = {
  id: 'policy.v1.PolicyValidate.ValidateCEL',
  method: 'POST',
  path: '/api/v1/policies/validate/cel',
  isKeyed: true,
}

/** Evaluate an expression for a field of an account, such as subject.email, about your own user. Lists and maps are returned as JSON. */
export const accountProvisionPolicyTestTest: Operation<{ body?: Sent<TestAccountProvisionPolicyRequest> }, TestAccountProvisionPolicyResponse> = {
  id: 'policy.v1.AccountProvisionPolicyTest.Test',
  method: 'POST',
  path: '/api/v1/policies/test-account-provision-policy',
  isKeyed: true,
}

/** Get a policy. */
export const policiesGet: Operation<{ path: { id: string } }, GetPolicyResponse> = {
  id: 'policy.v1.Policies.Get',
  method: 'GET',
  path: '/api/v1/policies/{id}',
}

/** Change a policy. Existing tasks keep their steps. */
export const policiesUpdate: Operation<{ path: { id: string }; body?: Sent<UpdatePolicyRequestInput> }, UpdatePolicyResponse> = {
  id: 'policy.v1.Policies.Update',
  method: 'POST',
  path: '/api/v1/policies/{id}',
  isKeyed: true,
}

/** Delete a policy that nothing uses. */
export const policiesDelete: Operation<{ path: { id: string }; body?: Sent<DeletePolicyRequestInput> }, Empty> = {
  id: 'policy.v1.Policies.Delete',
  method: 'DELETE',
  path: '/api/v1/policies/{id}',
  isKeyed: true,
}

/** Search policies by name, type, id and scope; exact matches of the name come first. */
export const policySearch: PagedOperation<{ body?: Sent<SearchPoliciesRequest> }, SearchPoliciesResponse, 'list'> = {
  id: 'policy.v1.PolicySearch.Search',
  method: 'POST',
  path: '/api/v1/search/policies',
  items: 'list',
}

/** List the routing rules of an app, in the order in which they are evaluated. */
export const appEntitlementRoutingRuleListAppEntitlementRoutingRules: PagedOperation<{ path: { app_id: string } }, ListAppEntitlementRoutingRulesResponse, 'list'> = {
  id: 'app.v1.AppEntitlementRoutingRuleService.ListAppEntitlementRoutingRules',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlement_configuration_rules',
  items: 'list',
}

/** Create a routing rule. Priority 1 is tried first; without one it is tried last. */
export const appEntitlementRoutingRuleCreateAppEntitlementRoutingRule: Operation<{ path: { app_id: string }; body?: Sent<CreateAppEntitlementRoutingRuleRequestInput> }, CreateAppEntitlementRoutingRuleResponse> = {
  id: 'app.v1.AppEntitlementRoutingRuleService.CreateAppEntitlementRoutingRule',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlement_configuration_rules',
  isKeyed: true,
}

/** Change the order of the routing rules of an app: ruleIds contains each of them once. */
export const appEntitlementRoutingRuleReorderAppEntitlementRoutingRules: Operation<{ path: { app_id: string }; body?: Sent<ReorderAppEntitlementRoutingRulesRequestInput> }, ReorderAppEntitlementRoutingRulesResponse> = {
  id: 'app.v1.AppEntitlementRoutingRuleService.ReorderAppEntitlementRoutingRules',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlement_configuration_rules/reorder',
  isKeyed: true,
}

/** Get a routing rule. */
export const appEntitlementRoutingRuleGetAppEntitlementRoutingRule: Operation<{ path: { app_id: string; id: string } }, GetAppEntitlementRoutingRuleResponse> = {
  id: 'app.v1.AppEntitlementRoutingRuleService.GetAppEntitlementRoutingRule',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlement_configuration_rules/{id}',
}

/** Replace a routing rule, which keeps its position. Omitted fields are unset. */
export const appEntitlementRoutingRuleUpdateAppEntitlementRoutingRule: Operation<{ path: { app_id: string; id: string }; body?: Sent<UpdateAppEntitlementRoutingRuleRequestInput> }, UpdateAppEntitlementRoutingRuleResponse> = {
  id: 'app.v1.AppEntitlementRoutingRuleService.UpdateAppEntitlementRoutingRule',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlement_configuration_rules/{id}',
  isKeyed: true,
}

/** Delete a routing rule. */
export const appEntitlementRoutingRuleDeleteAppEntitlementRoutingRule: Operation<{ path: { app_id: string; id: string }; body?: Sent<DeleteAppEntitlementRoutingRuleRequestInput> }, Empty> = {
  id: 'app.v1.AppEntitlementRoutingRuleService.DeleteAppEntitlementRoutingRule',
  method: 'DELETE',
  path: '/api/v1/apps/{app_id}/entitlement_configuration_rules/{id}',
  isKeyed: true,
}

/** Get the defaults for access requests of an app. */
export const appAccessRequestsDefaultsGetAppAccessRequestsDefaults: Operation<{ path: { app_id: string } }, AppAccessRequestDefaults> = {
  id: 'app.v1.AppAccessRequestsDefaultsService.GetAppAccessRequestsDefaults',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/access_request_defaults',
}

/** Set the defaults for access requests of an app. */
export const appAccessRequestsDefaultsCreateAppAccessRequestsDefaults: Operation<{ path: { app_id: string }; body?: Sent<AppAccessRequestDefaultsInput> }, AppAccessRequestDefaults> = {
  id: 'app.v1.AppAccessRequestsDefaultsService.CreateAppAccessRequestsDefaults',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/access_request_defaults',
  isKeyed: true,
}

/** Stop applying the defaults of an app to its entitlements. They apply immediately, so there is never anything to stop: the response contains their state. */
export const appAccessRequestsDefaultsCancelAppAccessRequestsDefaults: Operation<{ path: { app_id: string }; body?: Sent<CancelAccessRequestDefaultsRequestInput> }, AppAccessRequestDefaults> = {
  id: 'app.v1.AppAccessRequestsDefaultsService.CancelAppAccessRequestsDefaults',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/access_request_defaults/cancel',
  isKeyed: true,
}

/** Get the settings of access requests. */
export const requestSettingsGet: Operation<Record<never, never>, GetRequestSettingsResponse> = {
  id: 'settings.v1.RequestSettingsService.Get',
  method: 'GET',
  path: '/api/v1/settings/request',
}

/** Change the settings of access requests. */
export const requestSettingsUpdate: Operation<{ body?: Sent<UpdateRequestSettingsRequest> }, UpdateRequestSettingsResponse> = {
  id: 'settings.v1.RequestSettingsService.Update',
  method: 'POST',
  path: '/api/v1/settings/request',
  isKeyed: true,
}

/** Get the settings that apply to a request of an entitlement: its form, maximum duration, policies, and the source of each. Requesters see only what they need to know. */
export const requestTermsGet: Operation<{ path: { app_id: string; entitlement_id: string } }, GetRequestTermsResponse> = {
  id: 'bailiwick.v1.RequestTerms.Get',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{entitlement_id}/request_terms',
}

/** List access profiles, in order of creation. Basic users get the profiles that are visible to them. */
export const requestCatalogManagementList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, RequestCatalogManagementServiceListResponse, 'list'> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.List',
  method: 'GET',
  path: '/api/v1/catalogs',
  items: 'list',
}

/** Create an access profile. Its entitlements can be requested once it is published. */
export const requestCatalogManagementCreate: Operation<{ body?: Sent<RequestCatalogManagementServiceCreateRequest> }, RequestCatalogManagementServiceCreateResponse> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.Create',
  method: 'POST',
  path: '/api/v1/catalogs',
  isKeyed: true,
}

/** Get an access profile. */
export const requestCatalogManagementGet: Operation<{ path: { id: string } }, RequestCatalogManagementServiceGetResponse> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.Get',
  method: 'GET',
  path: '/api/v1/catalogs/{id}',
}

/** Change an access profile; without updateMask, all fields are changed, except accessEntitlements if there are none. */
export const requestCatalogManagementUpdate: Operation<{ path: { id: string }; body?: Sent<RequestCatalogManagementServiceUpdateRequestInput> }, RequestCatalogManagementServiceUpdateResponse> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.Update',
  method: 'POST',
  path: '/api/v1/catalogs/{id}',
  isKeyed: true,
}

/** Delete an access profile. Its members leave it, as its settings define. */
export const requestCatalogManagementDelete: Operation<{ path: { id: string }; body?: Sent<RequestCatalogManagementServiceDeleteRequestInput> }, Empty> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.Delete',
  method: 'DELETE',
  path: '/api/v1/catalogs/{id}',
  isKeyed: true,
}

/** Add entitlements whose members can see an access profile. */
export const requestCatalogManagementAddAccessEntitlements: Operation<{ path: { catalog_id: string }; body?: Sent<RequestCatalogManagementServiceAddAccessEntitlementsRequestInput> }, Empty> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.AddAccessEntitlements',
  method: 'POST',
  path: '/api/v1/catalogs/{catalog_id}/visibility_bindings',
  isKeyed: true,
}

/** Remove entitlements whose members can see an access profile. */
export const requestCatalogManagementRemoveAccessEntitlements: Operation<{ path: { catalog_id: string }; body?: Sent<RequestCatalogManagementServiceRemoveAccessEntitlementsRequestInput> }, Empty> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.RemoveAccessEntitlements',
  method: 'DELETE',
  path: '/api/v1/catalogs/{catalog_id}/visibility_bindings',
  isKeyed: true,
}

/** List the entitlements whose members can see an access profile. */
export const requestCatalogManagementListEntitlementsForAccess: PagedOperation<{ path: { catalog_id: string }; query?: { page_size?: number; page_token?: string } }, RequestCatalogManagementServiceListEntitlementsForAccessResponse, 'list'> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.ListEntitlementsForAccess',
  method: 'GET',
  path: '/api/v1/catalogs/{catalog_id}/visibility_entitlements',
  items: 'list',
}

/** Add entitlements to an access profile, after those that it contains. */
export const requestCatalogManagementAddAppEntitlements: Operation<{ path: { catalog_id: string }; body?: Sent<RequestCatalogManagementServiceAddAppEntitlementsRequestInput> }, Empty> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.AddAppEntitlements',
  method: 'POST',
  path: '/api/v1/catalogs/{catalog_id}/requestable_entries',
  isKeyed: true,
}

/** Remove entitlements from an access profile. Its members keep their access. */
export const requestCatalogManagementRemoveAppEntitlements: Operation<{ path: { catalog_id: string }; body?: Sent<RequestCatalogManagementServiceRemoveAppEntitlementsRequestInput> }, Empty> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.RemoveAppEntitlements',
  method: 'DELETE',
  path: '/api/v1/catalogs/{catalog_id}/requestable_entries',
  isKeyed: true,
}

/** Replace all entitlements of an access profile, in this order. Its members keep their access. */
export const requestCatalogManagementUpdateAppEntitlements: Operation<{ path: { catalog_id: string }; body?: Sent<RequestCatalogManagementServiceUpdateAppEntitlementsRequestInput> }, Empty> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.UpdateAppEntitlements',
  method: 'POST',
  path: '/api/v1/catalogs/{catalog_id}/requestable_entitlements/update',
  isKeyed: true,
}

/** List the ids of all entitlements of an access profile, in the order in which they were added. */
export const requestCatalogManagementListAllEntitlementIdsPerApp: Operation<{ path: { catalog_id: string } }, RequestCatalogManagementServiceListAllEntitlementIdsPerAppResponse> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.ListAllEntitlementIdsPerApp',
  method: 'GET',
  path: '/api/v1/catalogs/{catalog_id}/requestable_entitlementIDs',
}

/** List the entitlements of an access profile, in the order in which they were added. */
export const requestCatalogManagementListEntitlementsPerCatalog: PagedOperation<{ path: { catalog_id: string }; query?: { page_size?: number; page_token?: string } }, RequestCatalogManagementServiceListEntitlementsPerCatalogResponse, 'list'> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.ListEntitlementsPerCatalog',
  method: 'GET',
  path: '/api/v1/catalogs/{catalog_id}/requestable_entitlements',
  items: 'list',
}

/** Get an entitlement that an access profile contains. */
export const requestCatalogManagementGetRequestableEntry: Operation<{ path: { catalog_id: string; app_id: string; entitlement_id: string } }, RequestCatalogManagementServiceGetRequestableEntryResponse> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.GetRequestableEntry',
  method: 'GET',
  path: '/api/v1/catalogs/{catalog_id}/requestable_entries/{app_id}/{entitlement_id}',
}

/** Add an entitlement to an access profile, unless it contains it. */
export const requestCatalogManagementCreateRequestableEntry: Operation<{ path: { catalog_id: string; app_id: string; entitlement_id: string }; body?: Sent<RequestCatalogManagementServiceCreateRequestableEntryRequestInput> }, RequestCatalogManagementServiceCreateRequestableEntryResponse> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.CreateRequestableEntry',
  method: 'PUT',
  path: '/api/v1/catalogs/{catalog_id}/requestable_entries/{app_id}/{entitlement_id}',
  isKeyed: true,
}

/** Remove an entitlement from an access profile. Its members keep their access. */
export const requestCatalogManagementDeleteRequestableEntry: Operation<{ path: { catalog_id: string; app_id: string; entitlement_id: string }; body?: Sent<RequestCatalogManagementServiceDeleteRequestableEntryRequestInput> }, Empty> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.DeleteRequestableEntry',
  method: 'DELETE',
  path: '/api/v1/catalogs/{catalog_id}/requestable_entries/{app_id}/{entitlement_id}',
  isKeyed: true,
}

/** Search the entitlements that the caller can request: those in published access profiles that are visible to them. */
export const requestCatalogSearchEntitlements: PagedOperation<{ body?: Sent<RequestCatalogSearchServiceSearchEntitlementsRequest> }, RequestCatalogSearchServiceSearchEntitlementsResponse, 'list'> = {
  id: 'requestcatalog.v1.RequestCatalogSearchService.SearchEntitlements',
  method: 'POST',
  path: '/api/v1/search/request_catalog/entitlements',
  items: 'list',
}

/** Get the automation of an access profile. */
export const requestCatalogManagementGetBundleAutomation: Operation<{ path: { request_catalog_id: string } }, BundleAutomation> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.GetBundleAutomation',
  method: 'GET',
  path: '/api/v1/catalogs/{request_catalog_id}/bundle_automation',
}

/** Create or replace the automation of an access profile. It runs immediately if it is enabled. */
export const requestCatalogManagementSetBundleAutomation: Operation<{ path: { request_catalog_id: string }; body?: Sent<SetBundleAutomationRequestInput> }, BundleAutomation> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.SetBundleAutomation',
  method: 'POST',
  path: '/api/v1/catalogs/{request_catalog_id}/bundle_automation',
  isKeyed: true,
}

/** Delete the automation of an access profile. Enrolled people stay enrolled. */
export const requestCatalogManagementDeleteBundleAutomation: Operation<{ path: { request_catalog_id: string }; body?: Sent<DeleteBundleAutomationRequestInput> }, Empty> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.DeleteBundleAutomation',
  method: 'DELETE',
  path: '/api/v1/catalogs/{request_catalog_id}/bundle_automation',
  isKeyed: true,
}

/** Create the automation of an access profile. It runs immediately if it is enabled. */
export const requestCatalogManagementCreateBundleAutomation: Operation<{ path: { request_catalog_id: string }; body?: Sent<CreateBundleAutomationRequestInput> }, BundleAutomation> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.CreateBundleAutomation',
  method: 'POST',
  path: '/api/v1/catalogs/{request_catalog_id}/bundle_automation/create',
  isKeyed: true,
}

/** Run the automation of an access profile for everyone now. */
export const requestCatalogManagementForceRunBundleAutomation: Operation<{ path: { request_catalog_id: string }; body?: Sent<ForceRunBundleAutomationRequestInput> }, Empty> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.ForceRunBundleAutomation',
  method: 'POST',
  path: '/api/v1/catalogs/{request_catalog_id}/bundle_automation/run',
  isKeyed: true,
}

/** Resume a run of the automation that was held because it would enroll or unenroll too many people. */
export const requestCatalogManagementResumePausedBundleAutomation: Operation<{ path: { request_catalog_id: string }; body?: Sent<ResumePausedBundleAutomationRequestInput> }, Empty> = {
  id: 'requestcatalog.v1.RequestCatalogManagementService.ResumePausedBundleAutomation',
  method: 'POST',
  path: '/api/v1/catalogs/{request_catalog_id}/bundle_automation/resume',
  isKeyed: true,
}

/** Request access, for yourself or for someone else. */
export const taskCreateGrantTask: Operation<{ body?: Sent<TaskServiceCreateGrantRequest> }, TaskServiceCreateGrantResponse> = {
  id: 'task.v1.TaskService.CreateGrantTask',
  method: 'POST',
  path: '/api/v1/task/grant',
  isKeyed: true,
}

/** Request that access is revoked, for yourself or for someone else. */
export const taskCreateRevokeTask: Operation<{ body?: Sent<TaskServiceCreateRevokeRequest> }, TaskServiceCreateRevokeResponse> = {
  id: 'task.v1.TaskService.CreateRevokeTask',
  method: 'POST',
  path: '/api/v1/task/revoke',
  isKeyed: true,
}

/** Revoke all requested and manual grants of a user. */
export const taskCreateOffboardingTask: Operation<{ body?: Sent<TaskServiceCreateOffboardingRequest> }, TaskServiceCreateOffboardingResponse> = {
  id: 'task.v1.TaskService.CreateOffboardingTask',
  method: 'POST',
  path: '/api/v1/task/offboarding',
  isKeyed: true,
}

/** Get a task by its id or its number. */
export const taskGet: Operation<{ path: { id: string } }, TaskServiceGetResponse> = {
  id: 'task.v1.TaskService.Get',
  method: 'GET',
  path: '/api/v1/tasks/{id}',
}

/** Approve the current step of a task. */
export const taskActionsApprove: Operation<{ path: { task_id: string }; body?: Sent<ApproveRequest> }, ApproveResponse> = {
  id: 'task.v1.TaskActionsService.Approve',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/approve',
  isKeyed: true,
}

/** Deny the current step, which closes the task. */
export const taskActionsDeny: Operation<{ path: { task_id: string }; body?: Sent<DenyRequest> }, DenyResponse> = {
  id: 'task.v1.TaskActionsService.Deny',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/deny',
  isKeyed: true,
}

/** Comment on a task. */
export const taskActionsComment: Operation<{ path: { task_id: string }; body?: Sent<CommentRequest> }, CommentResponse> = {
  id: 'task.v1.TaskActionsService.Comment',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/comment',
  isKeyed: true,
}

/** Cancel a task. */
export const taskActionsClose: Operation<{ path: { task_id: string }; body?: Sent<CloseRequest> }, CloseResponse> = {
  id: 'task.v1.TaskActionsService.Close',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/close',
  isKeyed: true,
}

/** Reassign the current step. */
export const taskActionsReassign: Operation<{ path: { task_id: string }; body?: Sent<ReassignRequest> }, ReassignResponse> = {
  id: 'task.v1.TaskActionsService.Reassign',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/reassign',
  isKeyed: true,
}

/** Restart the same steps from the first one. */
export const taskActionsRestart: Operation<{ path: { task_id: string }; body?: Sent<RestartRequest> }, RestartResponse> = {
  id: 'task.v1.TaskActionsService.Restart',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/restart',
  isKeyed: true,
}

/** Select the policy again, and start with its first step. */
export const taskActionsHardReset: Operation<{ path: { task_id: string }; body?: Sent<HardResetRequest> }, HardResetResponse> = {
  id: 'task.v1.TaskActionsService.HardReset',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/reset',
  isKeyed: true,
}

/** Skip the current step. */
export const taskActionsSkipStep: Operation<{ path: { task_id: string }; body?: Sent<SkipStepRequest> }, SkipStepResponse> = {
  id: 'task.v1.TaskActionsService.SkipStep',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/skip-step',
  isKeyed: true,
}

/** Request emergency access instead, under its policy. */
export const taskActionsEscalateToEmergencyAccess: Operation<{ path: { task_id: string }; body?: Sent<EscalateToEmergencyAccessRequest> }, EscalateToEmergencyAccessResponse> = {
  id: 'task.v1.TaskActionsService.EscalateToEmergencyAccess',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/escalate',
  isKeyed: true,
}

/** Check again who can decide the current step, and continue if possible. */
export const taskActionsProcessNow: Operation<{ path: { task_id: string }; body?: Sent<ProcessNowRequest> }, ProcessNowResponse> = {
  id: 'task.v1.TaskActionsService.ProcessNow',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/process',
  isKeyed: true,
}

/** Change the requested duration. Earlier approvals are requested again. */
export const taskActionsUpdateGrantDuration: Operation<{ path: { task_id: string }; body?: Sent<TaskActionsServiceUpdateGrantDurationRequest> }, TaskActionsServiceUpdateGrantDurationResponse> = {
  id: 'task.v1.TaskActionsService.UpdateGrantDuration',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/update-grant-duration',
  isKeyed: true,
}

/** Change the answers of a request. Earlier approvals are requested again. */
export const taskActionsUpdateRequestData: Operation<{ path: { task_id: string }; body?: Sent<UpdateRequestDataRequest> }, UpdateRequestDataResponse> = {
  id: 'task.v1.TaskActionsService.UpdateRequestData',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/update-request-data',
  isKeyed: true,
}

/** Retry failed provisioning. */
export const taskActionsRetryProvisioning: Operation<{ path: { task_id: string }; body?: Sent<RetryProvisioningRequest> }, RetryProvisioningResponse> = {
  id: 'task.v1.TaskActionsService.RetryProvisioning',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/retry-provisioning',
  isKeyed: true,
}

/** Report that access was granted or revoked manually. */
export const taskActionsProvisionComplete: Operation<{ path: { task_id: string }; body?: Sent<ProvisionCompleteRequest> }, ProvisionCompleteResponse> = {
  id: 'bailiwick.v1.TaskActions.ProvisionComplete',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/provision-complete',
  isKeyed: true,
}

/** Report that access could not be granted or revoked. */
export const taskActionsProvisionErrored: Operation<{ path: { task_id: string }; body?: Sent<ProvisionErroredRequest> }, ProvisionErroredResponse> = {
  id: 'bailiwick.v1.TaskActions.ProvisionErrored',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/provision-errored',
  isKeyed: true,
}

/** Report that access will not be granted or revoked. */
export const taskActionsProvisionCancelled: Operation<{ path: { task_id: string }; body?: Sent<ProvisionCancelledRequest> }, ProvisionCancelledResponse> = {
  id: 'bailiwick.v1.TaskActions.ProvisionCancelled',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/provision-cancelled',
  isKeyed: true,
}

/** Search the tasks that you may see, newest first by default. */
export const taskSearch: PagedOperation<{ body?: Sent<TaskSearchRequest> }, TaskSearchResponse, 'list'> = {
  id: 'task.v1.TaskSearchService.Search',
  method: 'POST',
  path: '/api/v1/search/tasks',
  items: 'list',
}

/** List what happened to a task. */
export const taskAuditList: PagedOperation<{ body?: Sent<TaskAuditListRequest> }, TaskAuditListResponse, 'list'> = {
  id: 'task.v1.TaskAudit.List',
  method: 'POST',
  path: '/api/v1/task/audits',
  items: 'list',
}

/** Count the tasks that wait for the caller, by app, person and kind of step. */
export const taskInboxGet: Operation<Record<never, never>, TaskInboxGetResponse> = {
  id: 'bailiwick.v1.TaskInbox.Get',
  method: 'GET',
  path: '/api/v1/inbox',
}

/** List the people whom the caller manages, by name: they can request access for them. */
export const taskInboxListReports: Operation<Record<never, never>, TaskInboxListReportsResponse> = {
  id: 'bailiwick.v1.TaskInbox.ListReports',
  method: 'GET',
  path: '/api/v1/inbox/reports',
}

/** Plan a request for access without creating it: the settings that apply, every step with its people, and what prevents it. */
export const requestPlansPlan: Operation<{ body?: Sent<PlanRequestRequest> }, PlanRequestResponse> = {
  id: 'bailiwick.v1.RequestPlans.Plan',
  method: 'POST',
  path: '/api/v1/task/plan',
  isKeyed: true,
}

/** Explain the steps of a task: why the task has each step, why it is assigned to these people, and why not to you. */
export const taskWhyGet: Operation<{ path: { id: string } }, TaskWhyResponse> = {
  id: 'bailiwick.v1.TaskWhy.Get',
  method: 'GET',
  path: '/api/v1/tasks/{id}/why',
}

/** List requestable entitlements for which a step of the policy has no approver who can decide, with the reason and what happens instead. */
export const unanswerableList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, ListUnanswerableResponse, 'list'> = {
  id: 'bailiwick.v1.Unanswerable.List',
  method: 'GET',
  path: '/api/v1/requests/unanswerable',
  items: 'list',
}

/** List everything that depends on a person, and what happens to it when they are disabled. */
export const leaverPlansGet: Operation<{ path: { id: string } }, GetLeaverPlanResponse> = {
  id: 'bailiwick.v1.LeaverPlans.Get',
  method: 'GET',
  path: '/api/v1/users/{id}/leaver_plan',
}

/** Replay recent tasks under a draft policy without saving it: which would have had other steps, and how many decisions each person would have had to make. */
export const policyPlansPlan: Operation<{ body?: Sent<PlanPolicyRequest> }, PlanPolicyResponse> = {
  id: 'bailiwick.v1.PolicyPlans.Plan',
  method: 'POST',
  path: '/api/v1/policies/plan',
  isKeyed: true,
}

/** Plan to undo the last decision of a task: what would change, and what cannot be undone. */
export const taskUndoPlan: Operation<{ path: { id: string }; query?: { policy_step_id?: string } }, PlanUndoResponse> = {
  id: 'bailiwick.v1.TaskUndo.Plan',
  method: 'GET',
  path: '/api/v1/tasks/{id}/undo_plan',
}

/** Undo a decision: access that the task granted ends, access that it revoked is granted again if possible, and the step must be decided again. */
export const taskActionsUndo: Operation<{ path: { task_id: string }; body?: Sent<UndoDecisionRequest> }, UndoDecisionResponse> = {
  id: 'bailiwick.v1.TaskActions.Undo',
  method: 'POST',
  path: '/api/v1/tasks/{task_id}/action/undo',
  isKeyed: true,
}

/** List differences between the access that connectors found in apps and the grants. */
export const driftList: PagedOperation<{ query?: { app_id?: string; kind?: 'DRIFT_KIND_UNSPECIFIED' | 'DRIFT_KIND_UNEXPLAINED' | 'DRIFT_KIND_MISSING'; is_under_way?: boolean; page_size?: number; page_token?: string } }, ListDriftResponse, 'list'> = {
  id: 'bailiwick.v1.Drift.List',
  method: 'GET',
  path: '/api/v1/drift',
  items: 'list',
}

/** Count the differences of each app that a connector reads, with the time of the last comparison. Those that are being processed are not counted. */
export const driftCount: Operation<Record<never, never>, CountDriftResponse> = {
  id: 'bailiwick.v1.Drift.Count',
  method: 'GET',
  path: '/api/v1/drift/counts',
}

/** Apply a remedy to differences between an app and the grants. Each succeeds or fails independently. */
export const driftResolve: Operation<{ body?: Sent<ResolveDriftRequest> }, ResolveDriftResponse> = {
  id: 'bailiwick.v1.Drift.Resolve',
  method: 'POST',
  path: '/api/v1/drift/resolve',
  isKeyed: true,
}

/** What applying a remedy to several differences would do. Nothing is changed. */
export const driftPlan: Operation<{ body?: Sent<PlanDriftRequest> }, PlanDriftResponse> = {
  id: 'bailiwick.v1.Drift.Plan',
  method: 'POST',
  path: '/api/v1/drift/plan',
  isKeyed: true,
}

/** Apply a remedy to several differences, as a plan showed it. A job does it; each succeeds or fails independently. */
export const driftRunsCreate: Operation<{ body?: Sent<CreateDriftRunRequest> }, CreateDriftRunResponse> = {
  id: 'bailiwick.v1.DriftRuns.Create',
  method: 'POST',
  path: '/api/v1/drift/runs',
  isKeyed: true,
}

/** List the remedies that were applied, newest first. They are kept for 90 days. */
export const driftRunsList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, ListDriftRunsResponse, 'list'> = {
  id: 'bailiwick.v1.DriftRuns.List',
  method: 'GET',
  path: '/api/v1/drift/runs',
  items: 'list',
}

/** Get a remedy that was applied, and its progress. */
export const driftRunsGet: Operation<{ path: { run_id: string } }, GetDriftRunResponse> = {
  id: 'bailiwick.v1.DriftRuns.Get',
  method: 'GET',
  path: '/api/v1/drift/runs/{run_id}',
}

/** List the outcome for each difference that a remedy was applied to. */
export const driftRunsListItems: PagedOperation<{ path: { run_id: string }; query?: { state?: 'DRIFT_ITEM_UNSPECIFIED' | 'DRIFT_ITEM_WAITING' | 'DRIFT_ITEM_DONE' | 'DRIFT_ITEM_REFUSED' | 'DRIFT_ITEM_UNDONE' | 'DRIFT_ITEM_LEFT'; page_size?: number; page_token?: string } }, ListDriftRunItemsResponse, 'list'> = {
  id: 'bailiwick.v1.DriftRuns.ListItems',
  method: 'GET',
  path: '/api/v1/drift/runs/{run_id}/items',
  items: 'list',
}

/** Undo a remedy: grants are restored, and open tasks are closed. A job does it. */
export const driftRunsUndo: Operation<{ path: { run_id: string }; body?: Sent<UndoDriftRunRequest> }, UndoDriftRunResponse> = {
  id: 'bailiwick.v1.DriftRuns.Undo',
  method: 'POST',
  path: '/api/v1/drift/runs/{run_id}/undo',
  isKeyed: true,
}

/** Plan the removal of all access of a person: what it would do, and what would keep or restore access. Nothing is changed. */
export const accessRemovalsPlan: Operation<{ path: { user_id: string }; body?: Sent<PlanAccessRemovalRequest> }, PlanAccessRemovalResponse> = {
  id: 'bailiwick.v1.AccessRemovals.Plan',
  method: 'POST',
  path: '/api/v1/users/{user_id}/access_removals/plan',
  isKeyed: true,
}

/** Remove all access of a person, exactly as a plan showed it. Rules are not changed. */
export const accessRemovalsCreate: Operation<{ path: { user_id: string }; body?: Sent<CreateAccessRemovalRequest> }, CreateAccessRemovalResponse> = {
  id: 'bailiwick.v1.AccessRemovals.Create',
  method: 'POST',
  path: '/api/v1/users/{user_id}/access_removals',
  isKeyed: true,
}

/** List the removals of all access of a person, newest first. */
export const accessRemovalsList: PagedOperation<{ path: { user_id: string }; query?: { page_size?: number; page_token?: string } }, ListAccessRemovalsResponse, 'list'> = {
  id: 'bailiwick.v1.AccessRemovals.List',
  method: 'GET',
  path: '/api/v1/users/{user_id}/access_removals',
  items: 'list',
}

/** Remove all access of a person as a plan showed it, and exclude them from the rules that would grant it again. */
export const accessRemovalsCreateExcluding: Operation<{ path: { user_id: string }; body?: Sent<CreateExcludingAccessRemovalRequest> }, CreateExcludingAccessRemovalResponse> = {
  id: 'bailiwick.v1.AccessRemovals.CreateExcluding',
  method: 'POST',
  path: '/api/v1/users/{user_id}/access_removals/excluding',
  isKeyed: true,
}

/** Undo a removal: grants are restored as far as possible, and exclusions that it added are removed. The person is not enabled. */
export const accessRemovalsUndo: Operation<{ path: { user_id: string; removal_id: string }; body?: Sent<UndoAccessRemovalRequest> }, UndoAccessRemovalResponse> = {
  id: 'bailiwick.v1.AccessRemovals.Undo',
  method: 'POST',
  path: '/api/v1/users/{user_id}/access_removals/{removal_id}/undo',
  isKeyed: true,
}

/** List what depends on a person: objects that they own, rules and policies that name them, delegates, and people whom they manage. */
export const dependentsGet: Operation<{ path: { user_id: string } }, GetDependentsResponse> = {
  id: 'bailiwick.v1.Dependents.Get',
  method: 'GET',
  path: '/api/v1/users/{user_id}/dependents',
}

/** List the kinds of change, whether each needs approval, and under which policy. */
export const fourEyesList: Operation<Record<never, never>, FourEyesListResponse> = {
  id: 'four_eyes.v1.FourEyes.List',
  method: 'GET',
  path: '/api/v1/four_eyes',
}

/** Set whether a kind of change needs approval, and under which grant policy. If it already needs approval, this change needs approval too. */
export const fourEyesSet: Operation<{ path: { kind: string }; body?: Sent<FourEyesSetRequest> }, FourEyesSetResponse> = {
  id: 'four_eyes.v1.FourEyes.Set',
  method: 'POST',
  path: '/api/v1/four_eyes/{kind}',
  isKeyed: true,
}

/** Get the change that waits in a task, and its effects. Everyone who can see the task can call this. */
export const changesGet: Operation<{ path: { task_id: string } }, ChangesGetResponse> = {
  id: 'four_eyes.v1.Changes.Get',
  method: 'GET',
  path: '/api/v1/four_eyes/changes/{task_id}',
}

/** Get which notifications the organization sends, through which channels, and which settings people cannot change. */
export const orgNotificationSettingsGet: Operation<Record<never, never>, GetOrgNotificationSettingsResponse> = {
  id: 'settings.v1.OrgNotificationSettingsService.Get',
  method: 'GET',
  path: '/api/v1/settings/notifications/org',
}

/** Change which notifications the organization sends. Omitted fields are not changed. */
export const orgNotificationSettingsUpdate: Operation<{ body?: Sent<UpdateOrgNotificationSettingsRequest> }, UpdateOrgNotificationSettingsResponse> = {
  id: 'settings.v1.OrgNotificationSettingsService.Update',
  method: 'POST',
  path: '/api/v1/settings/notifications/org',
  isKeyed: true,
}

/** Get which notifications the caller gets. Settings that the organization locked are marked. */
export const userNotificationSettingsGet: Operation<Record<never, never>, GetUserNotificationSettingsResponse> = {
  id: 'settings.v1.UserNotificationSettingsService.Get',
  method: 'GET',
  path: '/api/v1/settings/notifications/user',
}

/** Change which notifications the caller gets. Settings that the organization locked cannot be changed. */
export const userNotificationSettingsUpdate: Operation<{ body?: Sent<UpdateUserNotificationSettingsRequest> }, UpdateUserNotificationSettingsResponse> = {
  id: 'settings.v1.UserNotificationSettingsService.Update',
  method: 'POST',
  path: '/api/v1/settings/notifications/user',
  isKeyed: true,
}

/** Get how mail is sent. `c1Builtin` is the mail server of this installation; without one, `fromAddress` is empty. */
export const tenantEmailProviderGet: Operation<Record<never, never>, GetTenantEmailProviderResponse> = {
  id: 'settings.v1.TenantEmailProviderService.Get',
  method: 'GET',
  path: '/api/v1/settings/email-provider',
}

/** Change the name of the sender and where replies go. The mail server and its address are settings of the server. */
export const tenantEmailProviderUpdate: Operation<{ body?: Sent<UpdateTenantEmailProviderRequest> }, UpdateTenantEmailProviderResponse> = {
  id: 'settings.v1.TenantEmailProviderService.Update',
  method: 'POST',
  path: '/api/v1/settings/email-provider',
  isKeyed: true,
}

/** Send a test message, and return the response of the mail server. */
export const tenantEmailProviderTest: Operation<{ body?: Sent<TestTenantEmailProviderRequest> }, TestTenantEmailProviderResponse> = {
  id: 'settings.v1.TenantEmailProviderService.Test',
  method: 'POST',
  path: '/api/v1/settings/email-provider/test',
  isKeyed: true,
}

/** List changes and tests of the mail settings, newest first. */
export const tenantEmailProviderSearchAuditEvents: PagedOperation<{ body?: Sent<SearchEmailAuditEventsRequest> }, SearchEmailAuditEventsResponse, 'list'> = {
  id: 'settings.v1.TenantEmailProviderService.SearchAuditEvents',
  method: 'POST',
  path: '/api/v1/settings/email-provider/audit-events',
  items: 'list',
}

/** Get whether mail can be sent to external addresses. */
export const tenantEmailProviderGetEmailCapabilities: Operation<Record<never, never>, GetEmailCapabilitiesResponse> = {
  id: 'settings.v1.TenantEmailProviderService.GetEmailCapabilities',
  method: 'GET',
  path: '/api/v1/settings/email-capabilities',
}

/** List the chats that notifications can be posted to, and whether each has an incoming webhook. */
export const chatWebhooksList: Operation<Record<never, never>, ChatWebhooksListResponse> = {
  id: 'settings.v1.ChatWebhooks.List',
  method: 'GET',
  path: '/api/v1/settings/chat_webhooks',
}

/** Set the incoming webhook of a chat: Slack or a compatible chat, or Microsoft Teams. Everyone in the channel can read the notifications that are turned on for it. */
export const chatWebhooksSet: Operation<{ path: { channel: string }; body?: Sent<ChatWebhooksSetRequest> }, ChatWebhooksSetResponse> = {
  id: 'settings.v1.ChatWebhooks.Set',
  method: 'POST',
  path: '/api/v1/settings/chat_webhooks/{channel}',
  isKeyed: true,
}

/** Remove the incoming webhook of a chat. Nothing is sent to it any more. */
export const chatWebhooksDelete: Operation<{ path: { channel: string } }, ChatWebhooksDeleteResponse> = {
  id: 'settings.v1.ChatWebhooks.Delete',
  method: 'DELETE',
  path: '/api/v1/settings/chat_webhooks/{channel}',
  isKeyed: true,
}

/** Post a test message to a chat, and return its response. */
export const chatWebhooksTest: Operation<{ path: { channel: string } }, ChatWebhooksTestResponse> = {
  id: 'settings.v1.ChatWebhooks.Test',
  method: 'POST',
  path: '/api/v1/settings/chat_webhooks/{channel}/test',
  isKeyed: true,
}

/** Get whether notifications are sent, how many are waiting and how many failed. */
export const notificationsGetStatus: Operation<Record<never, never>, NotificationsGetStatusResponse> = {
  id: 'settings.v1.Notifications.GetStatus',
  method: 'GET',
  path: '/api/v1/settings/notifications/status',
}

/** List messages that are waiting, were sent, failed or were dropped, newest first. Their content is not stored. */
export const notificationsListMessages: PagedOperation<{ query?: { state?: 'waiting' | 'sent' | 'failed' | 'dropped'; page_size?: number; page_token?: string } }, NotificationsListMessagesResponse, 'list'> = {
  id: 'settings.v1.Notifications.ListMessages',
  method: 'GET',
  path: '/api/v1/settings/notifications/messages',
  items: 'list',
}

/** List all kinds of messages, with sample subjects. */
export const notificationsListPreviews: Operation<Record<never, never>, NotificationsListPreviewsResponse> = {
  id: 'settings.v1.Notifications.ListPreviews',
  method: 'GET',
  path: '/api/v1/settings/notifications/previews',
}

/** Get a message as it is sent, with sample data. A browser that opens the URL shows its HTML. */
export const notificationsGetPreview: Operation<{ path: { name: string } }, NotificationsGetPreviewResponse> = {
  id: 'settings.v1.Notifications.GetPreview',
  method: 'GET',
  path: '/api/v1/settings/notifications/previews/{name}',
}

/** Import a file of users, apps, resource types, resources, entitlements, accounts and grants, or the file of a connector (.c1z), completely or not at all. */
export const importCreate: Operation<{ query?: { full?: boolean; dry_run?: boolean; force?: boolean; kind?: 'unspecified' | 'user' | 'app' | 'resource_type' | 'resource' | 'entitlement' | 'account' | 'grant'; app?: string }; file: Blob }, ImportServiceCreateResponse> = {
  id: 'import.v1.ImportService.Create',
  method: 'POST',
  path: '/api/v1/imports',
}

/** List imports, newest first by default. */
export const importList: PagedOperation<{ query?: { formats?: ('unspecified' | 'jsonl' | 'csv' | 'c1z')[]; extent?: 'unspecified' | 'full' | 'partial'; user_ids?: string[]; finished_after?: string | null; finished_before?: string | null; order_by?: string; page_size?: number; page_token?: string } }, ImportServiceListResponse, 'list'> = {
  id: 'import.v1.ImportService.List',
  method: 'GET',
  path: '/api/v1/imports',
  items: 'list',
}

/** Get an import. */
export const importGet: Operation<{ path: { import_id: string } }, ImportServiceGetResponse> = {
  id: 'import.v1.ImportService.Get',
  method: 'GET',
  path: '/api/v1/imports/{import_id}',
}

/** Create a connector of an app: a program that you run, which reads the app. */
export const connectorCreateDelegated: Operation<{ path: { app_id: string }; body?: Sent<ConnectorServiceCreateDelegatedRequestInput> }, ConnectorServiceCreateResponse> = {
  id: 'app.v1.ConnectorService.CreateDelegated',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/connectors',
  isKeyed: true,
}

/** List the connectors of an app. */
export const connectorList: PagedOperation<{ path: { app_id: string }; query?: { unowned_only?: boolean; page_size?: number; page_token?: string } }, ConnectorServiceListResponse, 'list'> = {
  id: 'app.v1.ConnectorService.List',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/connectors',
  items: 'list',
}

/** Create a connector of the catalog, with its settings. Integrations that the vendor hosts are refused. */
export const connectorCreate: Operation<{ path: { app_id: string }; body?: Sent<ConnectorServiceCreateRequestInput> }, ConnectorServiceCreateResponse> = {
  id: 'app.v1.ConnectorService.Create',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/connectors/create',
  isKeyed: true,
}

/** Always refused: connectors that are configured by text are run by the vendor. */
export const connectorValidateHTTPConnectorConfig: Operation<{ body?: Sent<AppEditorValidateRequest> }, AppEditorValidateResponse> = {
  id: 'app.v1.ConnectorService.ValidateHTTPConnectorConfig',
  method: 'POST',
  path: '/api/v1/apps/connectors/validate_config/http',
  isKeyed: true,
}

/** Get a connector, with the state of its last sync. */
export const connectorGet: Operation<{ path: { app_id: string; id: string } }, ConnectorServiceGetResponse> = {
  id: 'app.v1.ConnectorService.Get',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/connectors/{id}',
}

/** Delete a connector. The records that it imported are kept. */
export const connectorDelete: Operation<{ path: { app_id: string; id: string } }, Empty> = {
  id: 'app.v1.ConnectorService.Delete',
  method: 'DELETE',
  path: '/api/v1/apps/{app_id}/connectors/{id}',
  isKeyed: true,
}

/** Change the name, the description, the owners or the settings of a connector. */
export const connectorUpdate: Operation<{ path: { app_id: string; id: string }; body?: Sent<ConnectorServiceUpdateRequestInput> }, ConnectorServiceUpdateResponse> = {
  id: 'app.v1.ConnectorService.Update',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/connectors/{id}',
  isKeyed: true,
}

/** Request a sync, which starts when the connector next connects. */
export const connectorForceSync: Operation<{ path: { app_id: string; connector_id: string } }, Empty> = {
  id: 'app.v1.ConnectorService.ForceSync',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/connectors/{connector_id}/force_sync',
  isKeyed: true,
}

/** Pause a connector: it gets no tasks until it is resumed. */
export const connectorPauseSync: Operation<{ path: { app_id: string; connector_id: string } }, Empty> = {
  id: 'app.v1.ConnectorService.PauseSync',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/connectors/{connector_id}/pause',
  isKeyed: true,
}

/** Resume a connector that was paused. */
export const connectorResumeSync: Operation<{ path: { app_id: string; connector_id: string } }, Empty> = {
  id: 'app.v1.ConnectorService.ResumeSync',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/connectors/{connector_id}/resume',
  isKeyed: true,
}

/** Confirm a sync that was held because of what it would remove, and import it. */
export const connectorConfirmSyncValid: Operation<{ path: { app_id: string; connector_id: string; sync_lifecycle_id: string } }, Empty> = {
  id: 'app.v1.ConnectorService.ConfirmSyncValid',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/connectors/{connector_id}/confirm_sync_valid/{sync_lifecycle_id}',
  isKeyed: true,
}

/** The same as app.v1.ConnectorService.Update, at another path. */
export const connectorUpdateDelegated: Operation<{ path: { connector_app_id: string; connector_id: string }; body?: Sent<ConnectorServiceUpdateDelegatedRequestInput> }, ConnectorServiceUpdateResponse> = {
  id: 'app.v1.ConnectorService.UpdateDelegated',
  method: 'POST',
  path: '/api/v1/apps/{connector_app_id}/connectors/{connector_id}/delegated',
  isKeyed: true,
}

/** Set when a connector syncs, as a cron expression; without one it syncs every hour. */
export const connectorUpdateConnectorSchedule: Operation<{ path: { app_id: string; connector_id: string }; body?: Sent<ConnectorServiceUpdateConnectorScheduleRequestInput> }, Empty> = {
  id: 'app.v1.ConnectorService.UpdateConnectorSchedule',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/connectors/{connector_id}/schedule',
  isKeyed: true,
}

/** Create a credential for a connector, replacing the previous one. Only this response contains the secret. */
export const connectorRotateCredential: Operation<{ body?: Sent<ConnectorServiceRotateCredentialRequest> }, ConnectorServiceRotateCredentialResponse> = {
  id: 'app.v1.ConnectorService.RotateCredential',
  method: 'POST',
  path: '/api/v1/apps/connectors/credentials',
  isKeyed: true,
}

/** Get a credential of a connector, without its secret. */
export const connectorGetCredentials: Operation<{ path: { app_id: string; connector_id: string; id: string } }, ConnectorServiceGetCredentialsResponse> = {
  id: 'app.v1.ConnectorService.GetCredentials',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/connectors/{connector_id}/credentials/{id}',
}

/** Revoke a credential of a connector: it is refused from now on. */
export const connectorRevokeCredential: Operation<{ path: { app_id: string; connector_id: string; id: string } }, Empty> = {
  id: 'app.v1.ConnectorService.RevokeCredential',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/connectors/{connector_id}/credentials/{id}',
  isKeyed: true,
}

/** List the syncs of a connector, newest first, with the changes of each. */
export const connectorSyncList: PagedOperation<{ path: { app_id: string; connector_id: string }; query?: { page_size?: number; page_token?: string } }, ConnectorSyncServiceListResponse, 'list'> = {
  id: 'connector.v1.ConnectorSyncService.List',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/connectors/{connector_id}/syncs',
  items: 'list',
}

/** Get a sync of a connector, with its changes. */
export const connectorSyncGet: Operation<{ path: { app_id: string; connector_id: string; sync_id: string } }, ConnectorSyncServiceGetResponse> = {
  id: 'connector.v1.ConnectorSyncService.Get',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/connectors/{connector_id}/syncs/{sync_id}',
}

/** Always refused, with the reason: files of connectors are not kept once they are imported. */
export const connectorGetConnectorSyncDownloadURL: Operation<{ path: { app_id: string; connector_id: string; sync_id: string } }, ConnectorServiceGetConnectorSyncDownloadURLResponse> = {
  id: 'app.v1.ConnectorService.GetConnectorSyncDownloadURL',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/connectors/{connector_id}/syncs/{sync_id}/download_url',
}

/** List well-known connectors, by name: what they read and change, and their settings. */
export const connectorCatalogList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, ConnectorCatalogServiceListResponse, 'list'> = {
  id: 'connector.v1.ConnectorCatalogService.List',
  method: 'GET',
  path: '/api/v1/connector_catalog',
  items: 'list',
}

/** Get the settings of a connector of the catalog, or of an existing connector. */
export const connectorCatalogConfigurationSchema: Operation<{ body?: Sent<ConnectorCatalogServiceConfigurationSchemaRequest> }, ConnectorCatalogServiceConfigurationSchemaResponse> = {
  id: 'integration.connector.v1.ConnectorCatalogService.ConfigurationSchema',
  method: 'POST',
  path: '/api/v1/connectorcatalog',
  isKeyed: true,
}

/** List the connectors of all apps, newest first, with the state and the last sync of each. */
export const connectorOverviewList: PagedOperation<{ query?: { query?: string; page_size?: number; page_token?: string } }, ConnectorOverviewServiceListResponse, 'list'> = {
  id: 'connector.v1.ConnectorOverviewService.List',
  method: 'GET',
  path: '/api/v1/connector_overview',
  items: 'list',
}

/** List the connectors of an app, newest first, with the state and the last sync of each. */
export const connectorOverviewListOfApp: PagedOperation<{ path: { app_id: string }; query?: { page_size?: number; page_token?: string } }, ConnectorOverviewServiceListOfAppResponse, 'list'> = {
  id: 'connector.v1.ConnectorOverviewService.ListOfApp',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/connector_overview',
  items: 'list',
}

/** Get the state of a connector, what it reports about itself, its last sync and its credentials. */
export const connectorOverviewGet: Operation<{ path: { app_id: string; connector_id: string } }, ConnectorOverviewServiceGetResponse> = {
  id: 'connector.v1.ConnectorOverviewService.Get',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/connectors/{connector_id}/overview',
}

/** Get whether the connector of an app provisions access in it, and if not, why. */
export const provisioningGet: Operation<{ path: { app_id: string } }, ProvisioningGetResponse> = {
  id: 'bailiwick.v1.Provisioning.Get',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/provisioning',
}

/** Set whether a connector provisions access, and deletes accounts of people who leave. Sets both; the account profile only if it is given. */
export const provisioningUpdate: Operation<{ path: { app_id: string; connector_id: string }; body?: Sent<ProvisioningUpdateRequest> }, ProvisioningUpdateResponse> = {
  id: 'bailiwick.v1.Provisioning.Update',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/connectors/{connector_id}/provisioning',
  isKeyed: true,
}

/** List the provisioning tasks of the connectors of an app, newest first, with the state of each. */
export const provisioningTasksList: PagedOperation<{ path: { app_id: string }; query?: { connector_id?: string; state?: string; kind?: string; page_size?: number; page_token?: string } }, ProvisioningTasksListResponse, 'list'> = {
  id: 'bailiwick.v1.ProvisioningTasks.List',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/provisioning_tasks',
  items: 'list',
}

/** Repeat a task that failed. The response contains the new task. */
export const provisioningTasksRetry: Operation<{ path: { app_id: string; id: string }; body?: Sent<ProvisioningTasksRetryRequest> }, ProvisioningTasksRetryResponse> = {
  id: 'bailiwick.v1.ProvisioningTasks.Retry',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/provisioning_tasks/{id}/retry',
  isKeyed: true,
}

/** Cancel a task that the connector has not fetched. A request that waits for it is provisioned by people. */
export const provisioningTasksCancel: Operation<{ path: { app_id: string; id: string } }, ProvisioningTasksCancelResponse> = {
  id: 'bailiwick.v1.ProvisioningTasks.Cancel',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/provisioning_tasks/{id}/cancel',
  isKeyed: true,
}

/** Create a connector for an app that supports SCIM 2.0. This server runs it: no program is needed. */
export const scimConnectorCreate: Operation<{ path: { app_id: string }; body?: Sent<ScimConnectorServiceCreateRequest> }, ScimConnectorServiceCreateResponse> = {
  id: 'connector.v1.ScimConnectorService.Create',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/connectors/scim',
  isKeyed: true,
}

/** Test whether an app that supports SCIM can be read, before a connector is created. Changes nothing. */
export const scimConnectorTest: Operation<{ body?: Sent<ScimConnectorServiceTestRequest> }, ScimConnectorServiceTestResponse> = {
  id: 'connector.v1.ScimConnectorService.Test',
  method: 'POST',
  path: '/api/v1/connectors/scim/test',
  isKeyed: true,
}

/** Get the connection settings of a SCIM connector, without the token. */
export const scimConnectorGet: Operation<{ path: { app_id: string; connector_id: string } }, ScimConnectorServiceGetResponse> = {
  id: 'connector.v1.ScimConnectorService.Get',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/connectors/{connector_id}/scim',
}

/** Change the URL, the token or the settings of a SCIM connector. A new URL requires the token again. */
export const scimConnectorUpdate: Operation<{ path: { app_id: string; connector_id: string }; body?: Sent<ScimConnectorServiceUpdateRequest> }, ScimConnectorServiceUpdateResponse> = {
  id: 'connector.v1.ScimConnectorService.Update',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/connectors/{connector_id}/scim',
  isKeyed: true,
}

/** Test whether the app of a SCIM connector can be read. Changes nothing. */
export const scimConnectorTestConnection: Operation<{ path: { app_id: string; connector_id: string } }, ScimConnectorServiceTestConnectionResponse> = {
  id: 'connector.v1.ScimConnectorService.TestConnection',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/connectors/{connector_id}/scim/test',
  isKeyed: true,
}

/** List the apps that are directories: those whose accounts become users. */
export const directoryList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, DirectoryServiceListResponse, 'list'> = {
  id: 'directory.v1.DirectoryService.List',
  method: 'GET',
  path: '/api/v1/directories',
  items: 'list',
}

/** Use an app as a directory: shortly afterwards, its accounts become users. */
export const directoryCreate: Operation<{ body?: Sent<DirectoryServiceCreateRequest> }, DirectoryServiceCreateResponse> = {
  id: 'directory.v1.DirectoryService.Create',
  method: 'POST',
  path: '/api/v1/directories',
  isKeyed: true,
}

/** Get a directory, by its app. */
export const directoryGet: Operation<{ path: { app_id: string } }, DirectoryServiceGetResponse> = {
  id: 'directory.v1.DirectoryService.Get',
  method: 'GET',
  path: '/api/v1/directories/{app_id}',
}

/** Delete a directory with its tokens. Its app, accounts and groups stay; users stay as they are, except where another directory has a value for an attribute. */
export const directoryDelete: Operation<{ path: { app_id: string }; body?: Sent<DirectoryServiceDeleteRequest> }, Empty> = {
  id: 'directory.v1.DirectoryService.Delete',
  method: 'DELETE',
  path: '/api/v1/directories/{app_id}',
  isKeyed: true,
}

/** Change which accounts of a directory become users, and by which keys they are matched. */
export const directoryUpdate: Operation<{ path: { app_id: string }; body?: Sent<DirectoryServiceUpdateRequest> }, DirectoryServiceUpdateResponse> = {
  id: 'directory.v1.DirectoryService.Update',
  method: 'PUT',
  path: '/api/v1/directories/{app_id}',
  isKeyed: true,
}

/** Get the source of each attribute of a user: the directory, since when, and the values that are not used. */
export const userAttributesListSources: Operation<{ path: { user_id: string } }, UserAttributesListSourcesResponse> = {
  id: 'user.v1.UserAttributes.ListSources',
  method: 'GET',
  path: '/api/v1/users/{user_id}/attributes/sources',
}

/** List the directories that send users and groups by SCIM. */
export const scimDirectoriesList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, ScimDirectoriesListResponse, 'list'> = {
  id: 'directory.v1.ScimDirectories.List',
  method: 'GET',
  path: '/api/v1/scim-directories',
  items: 'list',
}

/** Create a directory, with an app for its accounts and a first token, which is shown only once. */
export const scimDirectoriesCreate: Operation<{ body?: Sent<ScimDirectoriesCreateRequest> }, ScimDirectoriesCreateResponse> = {
  id: 'directory.v1.ScimDirectories.Create',
  method: 'POST',
  path: '/api/v1/scim-directories',
  isKeyed: true,
}

/** Get a directory: its address, the number of its users and groups, and the last refused request. */
export const scimDirectoriesGet: Operation<{ path: { app_id: string } }, ScimDirectoriesGetResponse> = {
  id: 'directory.v1.ScimDirectories.Get',
  method: 'GET',
  path: '/api/v1/scim-directories/{app_id}',
}

/** Change whether existing users become users of a directory. To rename the directory, rename its app. */
export const scimDirectoriesUpdate: Operation<{ path: { app_id: string }; body?: Sent<ScimDirectoriesUpdateRequest> }, ScimDirectoriesUpdateResponse> = {
  id: 'directory.v1.ScimDirectories.Update',
  method: 'POST',
  path: '/api/v1/scim-directories/{app_id}',
  isKeyed: true,
}

/** Delete a directory with its tokens. Its app, users and groups stay as they are. */
export const scimDirectoriesDelete: Operation<{ path: { app_id: string }; body?: Sent<ScimDirectoriesDeleteRequest> }, Empty> = {
  id: 'directory.v1.ScimDirectories.Delete',
  method: 'DELETE',
  path: '/api/v1/scim-directories/{app_id}',
  isKeyed: true,
}

/** List the tokens of a directory that were not revoked, without their secrets. */
export const scimTokensList: PagedOperation<{ path: { app_id: string }; query?: { page_size?: number; page_token?: string } }, ScimTokensListResponse, 'list'> = {
  id: 'directory.v1.ScimTokens.List',
  method: 'GET',
  path: '/api/v1/scim-directories/{app_id}/tokens',
  items: 'list',
}

/** Create a token of a directory. It is shown only once. With an overlap, the other tokens expire after it. */
export const scimTokensCreate: Operation<{ path: { app_id: string }; body?: Sent<ScimTokensCreateRequest> }, ScimTokensCreateResponse> = {
  id: 'directory.v1.ScimTokens.Create',
  method: 'POST',
  path: '/api/v1/scim-directories/{app_id}/tokens',
  isKeyed: true,
}

/** Revoke a token of a directory: it is refused from the next request on. */
export const scimTokensRevoke: Operation<{ path: { app_id: string; token_id: string }; body?: Sent<ScimTokensRevokeRequest> }, Empty> = {
  id: 'directory.v1.ScimTokens.Revoke',
  method: 'DELETE',
  path: '/api/v1/scim-directories/{app_id}/tokens/{token_id}',
  isKeyed: true,
}

/** List the users whose deactivation is held. */
export const scimHeldList: PagedOperation<{ path: { app_id: string }; query?: { page_size?: number; page_token?: string } }, ScimHeldListResponse, 'list'> = {
  id: 'directory.v1.ScimHeld.List',
  method: 'GET',
  path: '/api/v1/scim-directories/{app_id}/held',
  items: 'list',
}

/** Disable all users whose deactivation is held. */
export const scimHeldConfirm: Operation<{ path: { app_id: string }; body?: Sent<ScimHeldConfirmRequest> }, ScimHeldConfirmResponse> = {
  id: 'directory.v1.ScimHeld.Confirm',
  method: 'POST',
  path: '/api/v1/scim-directories/{app_id}/held/confirm',
  isKeyed: true,
}

/** Dismiss the held deactivations: the users stay enabled. */
export const scimHeldDismiss: Operation<{ path: { app_id: string }; body?: Sent<ScimHeldDismissRequest> }, ScimHeldDismissResponse> = {
  id: 'directory.v1.ScimHeld.Dismiss',
  method: 'POST',
  path: '/api/v1/scim-directories/{app_id}/held/dismiss',
  isKeyed: true,
}

/** Get the state of a directory: when its accounts were last read, how many users it has, what is held, and the last error. */
export const directoriesGetState: Operation<{ path: { app_id: string } }, DirectoryState> = {
  id: 'directory.v1.Directories.GetState',
  method: 'GET',
  path: '/api/v1/directories/{app_id}/state',
}

/** List all directories and their states. */
export const directoriesListStates: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, DirectoriesListStatesResponse, 'list'> = {
  id: 'directory.v1.Directories.ListStates',
  method: 'GET',
  path: '/api/v1/directory-states',
  items: 'list',
}

/** List the accounts of a directory that do not become users, and why. */
export const directoriesListConflicts: PagedOperation<{ path: { app_id: string }; query?: { page_size?: number; page_token?: string } }, DirectoriesListConflictsResponse, 'list'> = {
  id: 'directory.v1.Directories.ListConflicts',
  method: 'GET',
  path: '/api/v1/directories/{app_id}/conflicts',
  items: 'list',
}

/** Get the order of directories: which value of an attribute is used if several have one. */
export const directoryPrecedencesGet: Operation<Record<never, never>, DirectoryPrecedencesGetResponse> = {
  id: 'directory.v1.DirectoryPrecedences.Get',
  method: 'GET',
  path: '/api/v1/directory-precedence',
}

/** Set the order of directories. The attributes of users are updated shortly afterwards. */
export const directoryPrecedencesSet: Operation<{ body?: Sent<DirectoryPrecedencesSetRequest> }, DirectoryPrecedencesSetResponse> = {
  id: 'directory.v1.DirectoryPrecedences.Set',
  method: 'POST',
  path: '/api/v1/directory-precedence',
  isKeyed: true,
}

/** Plan a change of directories: which users would be created, matched, changed and disabled. Nothing is changed. */
export const directoryPlansCreate: Operation<{ body?: Sent<DirectoryPlansCreateRequest> }, DirectoryPlansCreateResponse> = {
  id: 'directory.v1.DirectoryPlans.Create',
  method: 'POST',
  path: '/api/v1/directory-plans',
  isKeyed: true,
}

/** List what a plan would do, account by account. Plans are kept for a day, for the user who created them. */
export const directoryPlansListItems: PagedOperation<{ path: { plan_id: string }; query?: { counted_as?: '' | 'created' | 'matched' | 'changed' | 'left' | 'disabled' | 'enabled' | 'conflicts'; page_size?: number; page_token?: string } }, DirectoryPlansListItemsResponse, 'list'> = {
  id: 'directory.v1.DirectoryPlans.ListItems',
  method: 'GET',
  path: '/api/v1/directory-plans/{plan_id}/items',
  items: 'list',
}

/** Apply a plan exactly. Fails if anything has changed since, or if too many users would be disabled. */
export const directoryPlansApply: Operation<{ path: { plan_id: string }; body?: Sent<DirectoryPlansApplyRequest> }, DirectoryPlansApplyResponse> = {
  id: 'directory.v1.DirectoryPlans.Apply',
  method: 'POST',
  path: '/api/v1/directory-plans/{plan_id}/apply',
  isKeyed: true,
}

/** Plan to merge a user into another: what would be moved. Nothing is changed. */
export const userMergesPlan: Operation<{ path: { user_id: string }; body?: Sent<UserMergesPlanRequest> }, UserMergesPlanResponse> = {
  id: 'user.v1.UserMerges.Plan',
  method: 'POST',
  path: '/api/v1/users/{user_id}/merge/plan',
  isKeyed: true,
}

/** Merge a user into another, as a plan showed it. The user is kept, disabled, with their history. */
export const userMergesCreate: Operation<{ path: { user_id: string }; body?: Sent<UserMergesCreateRequest> }, UserMergesCreateResponse> = {
  id: 'user.v1.UserMerges.Create',
  method: 'POST',
  path: '/api/v1/users/{user_id}/merge',
  isKeyed: true,
}

/** Undo the merge of a user: everything that was moved and still exists is moved back. */
export const userMergesSplit: Operation<{ path: { user_id: string }; body?: Sent<UserMergesSplitRequest> }, Empty> = {
  id: 'user.v1.UserMerges.Split',
  method: 'POST',
  path: '/api/v1/users/{user_id}/split',
  isKeyed: true,
}

/** List the last 100 merges and splits of a user, newest first. */
export const userMergesList: Operation<{ path: { user_id: string } }, UserMergesListResponse> = {
  id: 'user.v1.UserMerges.List',
  method: 'GET',
  path: '/api/v1/users/{user_id}/merges',
}

/** Get the automation rule of an entitlement. */
export const appEntitlementsGetAutomation: Operation<{ path: { app_id: string; app_entitlement_id: string } }, GetAutomationResponse> = {
  id: 'app.v1.AppEntitlements.GetAutomation',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation',
}

/** Delete the automation rule of an entitlement. Its exclusions and grants are kept. */
export const appEntitlementsDeleteAutomation: Operation<{ path: { app_id: string; app_entitlement_id: string }; body?: Sent<DeleteAutomationRequestInput> }, Empty> = {
  id: 'app.v1.AppEntitlements.DeleteAutomation',
  method: 'DELETE',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation',
  isKeyed: true,
}

/** Create the automation rule of an entitlement. It runs immediately. */
export const appEntitlementsCreateAutomation: Operation<{ path: { app_id: string; app_entitlement_id: string }; body?: Sent<CreateAutomationRequestInput> }, CreateAutomationResponse> = {
  id: 'app.v1.AppEntitlements.CreateAutomation',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/create',
  isKeyed: true,
}

/** Change the automation rule of an entitlement. It runs immediately. */
export const appEntitlementsUpdateAutomation: Operation<{ path: { app_id: string; app_entitlement_id: string }; body?: Sent<UpdateAutomationRequestInput> }, UpdateAutomationResponse> = {
  id: 'app.v1.AppEntitlements.UpdateAutomation',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/update',
  isKeyed: true,
}

/** List the exclusions of an entitlement's automation rule. */
export const appEntitlementsListAutomationExclusions: PagedOperation<{ path: { app_id: string; app_entitlement_id: string }; query?: { page_size?: number; page_token?: string } }, ListAutomationExclusionsResponse, 'list'> = {
  id: 'app.v1.AppEntitlements.ListAutomationExclusions',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/exclusions',
  items: 'list',
}

/** Exclude users from an entitlement's automation rule. */
export const appEntitlementsAddAutomationExclusion: Operation<{ path: { app_id: string; app_entitlement_id: string }; body?: Sent<AddAutomationExclusionRequestInput> }, Empty> = {
  id: 'app.v1.AppEntitlements.AddAutomationExclusion',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/exclusions',
  isKeyed: true,
}

/** Remove exclusions from an entitlement's automation rule; it is evaluated for these users immediately. */
export const appEntitlementsRemoveAutomationExclusion: Operation<{ path: { app_id: string; app_entitlement_id: string }; body?: Sent<RemoveAutomationExclusionRequestInput> }, Empty> = {
  id: 'app.v1.AppEntitlements.RemoveAutomationExclusion',
  method: 'DELETE',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/exclusions',
  isKeyed: true,
}

/** Plan what an automation rule, saved or proposed, would change now: who is added, removed, unchanged or excluded. */
export const appEntitlementsPlanAutomation: PagedOperation<{ path: { app_id: string; app_entitlement_id: string }; body?: Sent<PlanAutomationRequestInput> }, PlanAutomationResponse, 'list'> = {
  id: 'app.v1.AppEntitlements.PlanAutomation',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/plan',
  items: 'list',
}

/** Apply a plan exactly, and save its rule if it was proposed. Fails if anything has changed. */
export const appEntitlementsApplyAutomationPlan: Operation<{ path: { app_id: string; app_entitlement_id: string }; body?: Sent<ApplyAutomationPlanRequestInput> }, ApplyAutomationPlanResponse> = {
  id: 'app.v1.AppEntitlements.ApplyAutomationPlan',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/apply',
  isKeyed: true,
}

/** Explain whether a user has the entitlement and why, and how the automation rule evaluates for them. */
export const appEntitlementsExplainAutomation: Operation<{ path: { app_id: string; app_entitlement_id: string; user_id: string } }, ExplainAutomationResponse> = {
  id: 'app.v1.AppEntitlements.ExplainAutomation',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/explain/{user_id}',
}

/** Get the state of an automation rule: its version, its circuit breaker, whether it is paused and why, and when it runs next. */
export const appEntitlementsGetAutomationState: Operation<{ path: { app_id: string; app_entitlement_id: string } }, GetAutomationStateResponse> = {
  id: 'app.v1.AppEntitlements.GetAutomationState',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/state',
}

/** Turn the circuit breaker of an automation rule off or on. */
export const appEntitlementsSetAutomationBreaker: Operation<{ path: { app_id: string; app_entitlement_id: string }; body?: Sent<SetAutomationBreakerRequestInput> }, SetAutomationBreakerResponse> = {
  id: 'app.v1.AppEntitlements.SetAutomationBreaker',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/breaker',
  isKeyed: true,
}

/** List the runs of an automation rule, latest first by default. */
export const appEntitlementsListAutomationRuns: PagedOperation<{ path: { app_id: string; app_entitlement_id: string }; query?: { statuses?: ('unspecified' | 'running' | 'held' | 'done' | 'failed' | 'cancelled' | 'superseded')[]; causes?: ('unspecified' | 'saved' | 'change' | 'exclusion' | 'schedule' | 'hand' | 'apply' | 'release' | 'undo')[]; changes?: 'PRESENCE_UNSPECIFIED' | 'PRESENCE_SOME' | 'PRESENCE_NONE'; order_by?: string; page_size?: number; page_token?: string } }, ListAutomationRunsResponse, 'list'> = {
  id: 'app.v1.AppEntitlements.ListAutomationRuns',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/runs',
  items: 'list',
}

/** Run an automation rule for everyone now, even if it is paused. */
export const appEntitlementsRunAutomation: Operation<{ path: { app_id: string; app_entitlement_id: string }; body?: Sent<RunAutomationRequestInput> }, RunAutomationResponse> = {
  id: 'app.v1.AppEntitlements.RunAutomation',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/runs',
  isKeyed: true,
}

/** Get a run of an automation rule. */
export const appEntitlementsGetAutomationRun: Operation<{ path: { app_id: string; app_entitlement_id: string; run_id: string } }, GetAutomationRunResponse> = {
  id: 'app.v1.AppEntitlements.GetAutomationRun',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/runs/{run_id}',
}

/** List the users whom a run of the rule added or removed. */
export const appEntitlementsListAutomationRunChanges: PagedOperation<{ path: { app_id: string; app_entitlement_id: string; run_id: string }; query?: { outcome?: 'AUTOMATION_OUTCOME_UNSPECIFIED' | 'AUTOMATION_OUTCOME_GAIN' | 'AUTOMATION_OUTCOME_LOSE'; query?: string; page_size?: number; page_token?: string } }, ListAutomationRunChangesResponse, 'list'> = {
  id: 'app.v1.AppEntitlements.ListAutomationRunChanges',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/runs/{run_id}/changes',
  items: 'list',
}

/** Undo the last run with changes, unless something has changed since. The rule is paused afterwards, or restored to the version before. */
export const appEntitlementsUndoAutomationRun: Operation<{ path: { app_id: string; app_entitlement_id: string; run_id: string }; body?: Sent<UndoAutomationRunRequestInput> }, UndoAutomationRunResponse> = {
  id: 'app.v1.AppEntitlements.UndoAutomationRun',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/runs/{run_id}/undo',
  isKeyed: true,
}

/** Release a run that the circuit breaker holds. A new run follows, which is not held. */
export const appEntitlementsReleaseAutomationRun: Operation<{ path: { app_id: string; app_entitlement_id: string; run_id: string }; body?: Sent<ReleaseAutomationRunRequestInput> }, ReleaseAutomationRunResponse> = {
  id: 'app.v1.AppEntitlements.ReleaseAutomationRun',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/runs/{run_id}/release',
  isKeyed: true,
}

/** Cancel a run that the circuit breaker holds. The rule is paused until it is changed or started. */
export const appEntitlementsCancelAutomationRun: Operation<{ path: { app_id: string; app_entitlement_id: string; run_id: string }; body?: Sent<CancelAutomationRunRequestInput> }, CancelAutomationRunResponse> = {
  id: 'app.v1.AppEntitlements.CancelAutomationRun',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/runs/{run_id}/cancel',
  isKeyed: true,
}

/** List the versions of an automation rule, latest first: the rule, who saved it, when and why. */
export const appEntitlementsListAutomationVersions: PagedOperation<{ path: { app_id: string; app_entitlement_id: string }; query?: { page_size?: number; page_token?: string } }, ListAutomationVersionsResponse, 'list'> = {
  id: 'app.v1.AppEntitlements.ListAutomationVersions',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/versions',
  items: 'list',
}

/** Get a version of an automation rule. */
export const appEntitlementsGetAutomationVersion: Operation<{ path: { app_id: string; app_entitlement_id: string; version: string } }, GetAutomationVersionResponse> = {
  id: 'app.v1.AppEntitlements.GetAutomationVersion',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/versions/{version}',
}

/** Compare a version of an automation rule with another one: the differences, and whom each would match now. */
export const appEntitlementsCompareAutomationVersions: PagedOperation<{ path: { app_id: string; app_entitlement_id: string; version: string }; body?: Sent<CompareAutomationVersionsRequestInput> }, CompareAutomationVersionsResponse, 'list'> = {
  id: 'app.v1.AppEntitlements.CompareAutomationVersions',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/versions/{version}/compare',
  items: 'list',
}

/** Save a version of an automation rule again, as a new version; it runs immediately. Also restores a deleted rule. */
export const appEntitlementsRestoreAutomationVersion: Operation<{ path: { app_id: string; app_entitlement_id: string; version: string }; body?: Sent<RestoreAutomationVersionRequestInput> }, RestoreAutomationVersionResponse> = {
  id: 'app.v1.AppEntitlements.RestoreAutomationVersion',
  method: 'POST',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/versions/{version}/restore',
  isKeyed: true,
}

/** List values from the data that an expression can compare with, for completion in an editor. */
export const appEntitlementsListAutomationValues: Operation<{ path: { app_id: string; app_entitlement_id: string }; query?: { field?: string; app_id?: string; query?: string } }, ListAutomationValuesResponse> = {
  id: 'app.v1.AppEntitlements.ListAutomationValues',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/values',
}

/** List what needs attention among the objects that the caller may see or owns, most important first: what is held, failing, waiting, without an owner, or ends soon (credentials within 14 days, access within 30). */
export const homeListAttention: Operation<Record<never, never>, ListAttentionResponse> = {
  id: 'bailiwick.v1.Home.ListAttention',
  method: 'GET',
  path: '/api/v1/home/attention',
}

/** Count people, accounts and grants at the end of each of the last days, and the grants that were added and removed on each. The list is empty for objects that the caller may not see; owners get the numbers of what they own. */
export const homeGetNumbers: Operation<{ query?: { days?: number } }, GetNumbersResponse> = {
  id: 'bailiwick.v1.Home.GetNumbers',
  method: 'GET',
  path: '/api/v1/home/numbers',
}

/** List the steps to set up an organization, and whether each is done. This is determined from the data. */
export const homeGetSetup: Operation<Record<never, never>, GetSetupResponse> = {
  id: 'bailiwick.v1.Home.GetSetup',
  method: 'GET',
  path: '/api/v1/home/setup',
}

/** Count what changed between two moments: grants, users, apps, accounts, entitlements, owners and rules. */
export const changesSummarize: Operation<{ query?: { from?: string | null; to?: string | null } }, SummarizeChangesResponse> = {
  id: 'bailiwick.v1.Changes.Summarize',
  method: 'GET',
  path: '/api/v1/changes/summary',
}

/** List what changed between two moments, with the cause of each change, latest first. */
export const changesList: PagedOperation<{ query?: { from?: string | null; to?: string | null; subject?: 'CHANGE_SUBJECT_UNSPECIFIED' | 'CHANGE_SUBJECT_GRANT' | 'CHANGE_SUBJECT_USER' | 'CHANGE_SUBJECT_APP' | 'CHANGE_SUBJECT_ACCOUNT' | 'CHANGE_SUBJECT_ENTITLEMENT' | 'CHANGE_SUBJECT_OWNER' | 'CHANGE_SUBJECT_RULE'; kind?: 'CHANGE_KIND_UNSPECIFIED' | 'CHANGE_KIND_ADDED' | 'CHANGE_KIND_REMOVED' | 'CHANGE_KIND_CHANGED'; page_size?: number; page_token?: string } }, ListChangesResponse, 'list'> = {
  id: 'bailiwick.v1.Changes.List',
  method: 'GET',
  path: '/api/v1/changes',
  items: 'list',
}

/** Count what changed in a user's access and accounts between two moments: your own, or those of anyone with grants.read. */
export const changesSummarizeOfUser: Operation<{ path: { user_id: string }; query?: { from?: string | null; to?: string | null } }, SummarizeChangesOfUserResponse> = {
  id: 'bailiwick.v1.Changes.SummarizeOfUser',
  method: 'GET',
  path: '/api/v1/users/{user_id}/changes/summary',
}

/** List what changed in a user's access and accounts between two moments: your own, or those of anyone with grants.read. */
export const changesListOfUser: PagedOperation<{ path: { user_id: string }; query?: { from?: string | null; to?: string | null; subject?: 'CHANGE_SUBJECT_UNSPECIFIED' | 'CHANGE_SUBJECT_GRANT' | 'CHANGE_SUBJECT_USER' | 'CHANGE_SUBJECT_APP' | 'CHANGE_SUBJECT_ACCOUNT' | 'CHANGE_SUBJECT_ENTITLEMENT' | 'CHANGE_SUBJECT_OWNER' | 'CHANGE_SUBJECT_RULE'; kind?: 'CHANGE_KIND_UNSPECIFIED' | 'CHANGE_KIND_ADDED' | 'CHANGE_KIND_REMOVED' | 'CHANGE_KIND_CHANGED'; page_size?: number; page_token?: string } }, ListChangesOfUserResponse, 'list'> = {
  id: 'bailiwick.v1.Changes.ListOfUser',
  method: 'GET',
  path: '/api/v1/users/{user_id}/changes',
  items: 'list',
}

/** Count what changed in an app between two moments. */
export const changesSummarizeOfApp: Operation<{ path: { app_id: string }; query?: { from?: string | null; to?: string | null } }, SummarizeChangesOfAppResponse> = {
  id: 'bailiwick.v1.Changes.SummarizeOfApp',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/changes/summary',
}

/** List what changed in an app between two moments. */
export const changesListOfApp: PagedOperation<{ path: { app_id: string }; query?: { from?: string | null; to?: string | null; subject?: 'CHANGE_SUBJECT_UNSPECIFIED' | 'CHANGE_SUBJECT_GRANT' | 'CHANGE_SUBJECT_USER' | 'CHANGE_SUBJECT_APP' | 'CHANGE_SUBJECT_ACCOUNT' | 'CHANGE_SUBJECT_ENTITLEMENT' | 'CHANGE_SUBJECT_OWNER' | 'CHANGE_SUBJECT_RULE'; kind?: 'CHANGE_KIND_UNSPECIFIED' | 'CHANGE_KIND_ADDED' | 'CHANGE_KIND_REMOVED' | 'CHANGE_KIND_CHANGED'; page_size?: number; page_token?: string } }, ListChangesOfAppResponse, 'list'> = {
  id: 'bailiwick.v1.Changes.ListOfApp',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/changes',
  items: 'list',
}

/** Count what changed of an entitlement between two moments: its members, owners and rule. */
export const changesSummarizeOfEntitlement: Operation<{ path: { app_id: string; app_entitlement_id: string }; query?: { from?: string | null; to?: string | null } }, SummarizeChangesOfEntitlementResponse> = {
  id: 'bailiwick.v1.Changes.SummarizeOfEntitlement',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/changes/summary',
}

/** List what changed of an entitlement between two moments: its members, owners or rule. */
export const changesListOfEntitlement: PagedOperation<{ path: { app_id: string; app_entitlement_id: string }; query?: { from?: string | null; to?: string | null; subject?: 'CHANGE_SUBJECT_UNSPECIFIED' | 'CHANGE_SUBJECT_GRANT' | 'CHANGE_SUBJECT_USER' | 'CHANGE_SUBJECT_APP' | 'CHANGE_SUBJECT_ACCOUNT' | 'CHANGE_SUBJECT_ENTITLEMENT' | 'CHANGE_SUBJECT_OWNER' | 'CHANGE_SUBJECT_RULE'; kind?: 'CHANGE_KIND_UNSPECIFIED' | 'CHANGE_KIND_ADDED' | 'CHANGE_KIND_REMOVED' | 'CHANGE_KIND_CHANGED'; page_size?: number; page_token?: string } }, ListChangesOfEntitlementResponse, 'list'> = {
  id: 'bailiwick.v1.Changes.ListOfEntitlement',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/changes',
  items: 'list',
}

/** Get the display names of sources of grants: imports, rules, requests, access profiles and directories, including deleted ones. */
export const changesDescribeSources: Operation<{ body?: Sent<DescribeSourcesRequest> }, DescribeSourcesResponse> = {
  id: 'bailiwick.v1.Changes.DescribeSources',
  method: 'POST',
  path: '/api/v1/changes/sources/search',
  isKeyed: true,
}

/** Count how many people of each department, job title, manager or other group have each entitlement of an app. */
export const heatMapGet: Operation<{ path: { app_id: string }; query?: { group_by?: 'HEAT_MAP_GROUPING_UNSPECIFIED' | 'HEAT_MAP_GROUPING_DEPARTMENT' | 'HEAT_MAP_GROUPING_JOB_TITLE' | 'HEAT_MAP_GROUPING_MANAGER' | 'HEAT_MAP_GROUPING_ATTRIBUTE'; attribute?: string; as_of?: string | null } }, GetHeatMapResponse> = {
  id: 'bailiwick.v1.HeatMap.Get',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/heat-map',
}

/** List the people of one group who have an entitlement: the people whom a cell of the heat map counts. */
export const heatMapListMembers: PagedOperation<{ path: { app_id: string; app_entitlement_id: string }; query?: { group_by?: 'HEAT_MAP_GROUPING_UNSPECIFIED' | 'HEAT_MAP_GROUPING_DEPARTMENT' | 'HEAT_MAP_GROUPING_JOB_TITLE' | 'HEAT_MAP_GROUPING_MANAGER' | 'HEAT_MAP_GROUPING_ATTRIBUTE'; attribute?: string; as_of?: string | null; value?: string; page_size?: number; page_token?: string } }, ListHeatMapMembersResponse, 'list'> = {
  id: 'bailiwick.v1.HeatMap.ListMembers',
  method: 'GET',
  path: '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/heat-map/members',
  items: 'list',
}

/** List the grants of all apps, by source, by expiry, or of users who were disabled. Owners see grants of what they own. */
export const grantsList: PagedOperation<{ query?: { app_id?: string; source?: 'GRANT_SOURCE_UNSPECIFIED' | 'GRANT_SOURCE_MANUAL' | 'GRANT_SOURCE_IMPORT' | 'GRANT_SOURCE_RULE' | 'GRANT_SOURCE_REQUEST' | 'GRANT_SOURCE_PROFILE' | 'GRANT_SOURCE_DIRECTORY'; ends_within_days?: number; is_of_leavers?: boolean; order_by?: string; page_size?: number; page_token?: string } }, ListGrantsResponse, 'list'> = {
  id: 'bailiwick.v1.Grants.List',
  method: 'GET',
  path: '/api/v1/grants',
  items: 'list',
}

/** List the rules of all apps, with their state and last run. Owners see the rules of what they own. */
export const rulesList: PagedOperation<{ query?: { app_id?: string; state?: 'RULE_STATE_UNSPECIFIED' | 'RULE_STATE_ACTIVE' | 'RULE_STATE_PAUSED' | 'RULE_STATE_FAILING'; order_by?: string; page_size?: number; page_token?: string } }, ListRulesResponse, 'list'> = {
  id: 'bailiwick.v1.Rules.List',
  method: 'GET',
  path: '/api/v1/rules',
  items: 'list',
}

/** Plan to revoke several grants, or to set when they expire. Nothing is changed. Each item is returned with its outcome. */
export const bulkGrantsPlan: Operation<{ body?: Sent<PlanBulkGrantsRequest> }, BulkPlan> = {
  id: 'bailiwick.v1.BulkGrants.Plan',
  method: 'POST',
  path: '/api/v1/bulk/grants/plan',
  isKeyed: true,
}

/** Revoke several grants, or set when they expire. Applies exactly what the plan showed, or nothing if any outcome has changed. */
export const bulkGrantsApply: Operation<{ body?: Sent<ApplyBulkGrantsRequest> }, BulkResult> = {
  id: 'bailiwick.v1.BulkGrants.Apply',
  method: 'POST',
  path: '/api/v1/bulk/grants/apply',
  isKeyed: true,
}

/** Plan to disable or enable several users. Nothing is changed. Each item is returned with its outcome. */
export const bulkUsersPlan: Operation<{ body?: Sent<PlanBulkUsersRequest> }, BulkPlan> = {
  id: 'bailiwick.v1.BulkUsers.Plan',
  method: 'POST',
  path: '/api/v1/bulk/users/plan',
  isKeyed: true,
}

/** Disable several users. Applies exactly what the plan showed, or nothing if any outcome has changed. */
export const bulkUsersDisable: Operation<{ body?: Sent<DisableBulkUsersRequest> }, BulkResult> = {
  id: 'bailiwick.v1.BulkUsers.Disable',
  method: 'POST',
  path: '/api/v1/bulk/users/disable',
  isKeyed: true,
}

/** Enable several users. Applies exactly what the plan showed, or nothing if any outcome has changed. */
export const bulkUsersEnable: Operation<{ body?: Sent<EnableBulkUsersRequest> }, BulkResult> = {
  id: 'bailiwick.v1.BulkUsers.Enable',
  method: 'POST',
  path: '/api/v1/bulk/users/enable',
  isKeyed: true,
}

/** Plan to add a user as an owner of several entitlements, accounts or apps. Nothing is changed. Each item is returned with its outcome. */
export const bulkOwnersPlan: Operation<{ body?: Sent<PlanBulkOwnersRequest> }, BulkPlan> = {
  id: 'bailiwick.v1.BulkOwners.Plan',
  method: 'POST',
  path: '/api/v1/bulk/owners/plan',
  isKeyed: true,
}

/** Add a user as an owner of several entitlements, accounts or apps. Existing owners are kept. Applies exactly what the plan showed, or nothing if any outcome has changed. */
export const bulkOwnersAdd: Operation<{ body?: Sent<AddBulkOwnersRequest> }, BulkResult> = {
  id: 'bailiwick.v1.BulkOwners.Add',
  method: 'POST',
  path: '/api/v1/bulk/owners/add',
  isKeyed: true,
}

/** Plan to set the risk level of several entitlements. Nothing is changed. Each item is returned with its outcome. */
export const bulkEntitlementsPlan: Operation<{ body?: Sent<PlanBulkEntitlementsRequest> }, BulkPlan> = {
  id: 'bailiwick.v1.BulkEntitlements.Plan',
  method: 'POST',
  path: '/api/v1/bulk/entitlements/plan',
  isKeyed: true,
}

/** Set the risk level of several entitlements. Applies exactly what the plan showed, or nothing if any outcome has changed. */
export const bulkEntitlementsApply: Operation<{ body?: Sent<ApplyBulkEntitlementsRequest> }, BulkResult> = {
  id: 'bailiwick.v1.BulkEntitlements.Apply',
  method: 'POST',
  path: '/api/v1/bulk/entitlements/apply',
  isKeyed: true,
}

/** List bulk changes that were carried out, the latest first, and what became of those that were undone. */
export const bulkActionsList: PagedOperation<{ query?: { page_size?: number; page_token?: string } }, ListBulkActionsResponse, 'list'> = {
  id: 'bailiwick.v1.BulkActions.List',
  method: 'GET',
  path: '/api/v1/bulk/actions',
  items: 'list',
}

/** Plan to undo a bulk change: grants that were revoked are granted again, and expiries are set back. Nothing is changed. Items that stay as they are say why. */
export const bulkGrantsPlanUndo: Operation<{ body?: Sent<PlanUndoBulkGrantsRequest> }, BulkPlan> = {
  id: 'bailiwick.v1.BulkGrants.PlanUndo',
  method: 'POST',
  path: '/api/v1/bulk/grants/undo/plan',
  isKeyed: true,
}

/** Undo a bulk change as a plan showed it: grants that were revoked are granted again, and expiries are set back. */
export const bulkGrantsUndo: Operation<{ body?: Sent<UndoBulkGrantsRequest> }, BulkResult> = {
  id: 'bailiwick.v1.BulkGrants.Undo',
  method: 'POST',
  path: '/api/v1/bulk/grants/undo',
  isKeyed: true,
}

/** Plan to undo a bulk change: users who were disabled are enabled, and the other way round. Nothing is changed. Items that stay as they are say why. */
export const bulkUsersPlanUndo: Operation<{ body?: Sent<PlanUndoBulkUsersRequest> }, BulkPlan> = {
  id: 'bailiwick.v1.BulkUsers.PlanUndo',
  method: 'POST',
  path: '/api/v1/bulk/users/undo/plan',
  isKeyed: true,
}

/** Undo a bulk change as a plan showed it: users who were disabled are enabled, and the other way round. */
export const bulkUsersUndo: Operation<{ body?: Sent<UndoBulkUsersRequest> }, BulkResult> = {
  id: 'bailiwick.v1.BulkUsers.Undo',
  method: 'POST',
  path: '/api/v1/bulk/users/undo',
  isKeyed: true,
}

/** Plan to undo a bulk change: owners that were added are removed. Nothing is changed. Items that stay as they are say why. */
export const bulkOwnersPlanUndo: Operation<{ body?: Sent<PlanUndoBulkOwnersRequest> }, BulkPlan> = {
  id: 'bailiwick.v1.BulkOwners.PlanUndo',
  method: 'POST',
  path: '/api/v1/bulk/owners/undo/plan',
  isKeyed: true,
}

/** Undo a bulk change as a plan showed it: owners that were added are removed. */
export const bulkOwnersUndo: Operation<{ body?: Sent<UndoBulkOwnersRequest> }, BulkResult> = {
  id: 'bailiwick.v1.BulkOwners.Undo',
  method: 'POST',
  path: '/api/v1/bulk/owners/undo',
  isKeyed: true,
}

/** Plan to undo a bulk change: risk levels are set back. Nothing is changed. Items that stay as they are say why. */
export const bulkEntitlementsPlanUndo: Operation<{ body?: Sent<PlanUndoBulkEntitlementsRequest> }, BulkPlan> = {
  id: 'bailiwick.v1.BulkEntitlements.PlanUndo',
  method: 'POST',
  path: '/api/v1/bulk/entitlements/undo/plan',
  isKeyed: true,
}

/** Undo a bulk change as a plan showed it: risk levels are set back. */
export const bulkEntitlementsUndo: Operation<{ body?: Sent<UndoBulkEntitlementsRequest> }, BulkResult> = {
  id: 'bailiwick.v1.BulkEntitlements.Undo',
  method: 'POST',
  path: '/api/v1/bulk/entitlements/undo',
  isKeyed: true,
}

/** Count the items of a list with the same filters: users. Counting stops at 200000. */
export const listCountsUsers: Operation<{ body?: Sent<CountUsersRequest> }, CountResponse> = {
  id: 'lists.v1.ListCounts.Users',
  method: 'POST',
  path: '/api/v1/lists/users/count',
}

/** Count the items of a list with the same filters: accounts. Counting stops at 200000. */
export const listCountsAccounts: Operation<{ body?: Sent<CountAccountsRequest> }, CountResponse> = {
  id: 'lists.v1.ListCounts.Accounts',
  method: 'POST',
  path: '/api/v1/lists/accounts/count',
}

/** Count the items of a list with the same filters: entitlements. Counting stops at 200000. */
export const listCountsEntitlements: Operation<{ body?: Sent<CountEntitlementsRequest> }, CountResponse> = {
  id: 'lists.v1.ListCounts.Entitlements',
  method: 'POST',
  path: '/api/v1/lists/entitlements/count',
}

/** Count the items of a list with the same filters: apps. Counting stops at 200000. */
export const listCountsApps: Operation<{ body?: Sent<CountAppsRequest> }, CountResponse> = {
  id: 'lists.v1.ListCounts.Apps',
  method: 'POST',
  path: '/api/v1/lists/apps/count',
}

/** Count the items of a list with the same filters: members. Counting stops at 200000. */
export const listCountsMembers: Operation<{ path: { app_id: string; app_entitlement_id: string }; body?: Sent<CountMembersRequest> }, CountResponse> = {
  id: 'lists.v1.ListCounts.Members',
  method: 'POST',
  path: '/api/v1/lists/apps/{app_id}/entitlements/{app_entitlement_id}/members/count',
}

/** Count the items of a list with the same filters: tasks. Counting stops at 200000. */
export const listCountsTasks: Operation<{ body?: Sent<CountTasksRequest> }, CountResponse> = {
  id: 'lists.v1.ListCounts.Tasks',
  method: 'POST',
  path: '/api/v1/lists/tasks/count',
}

/** Count the items of a list with the same filters: runs. Counting stops at 200000. */
export const listCountsRuns: Operation<{ path: { app_id: string; app_entitlement_id: string }; body?: Sent<CountRunsRequest> }, CountResponse> = {
  id: 'lists.v1.ListCounts.Runs',
  method: 'POST',
  path: '/api/v1/lists/apps/{app_id}/entitlements/{app_entitlement_id}/automation/runs/count',
}

/** Count the items of a list with the same filters: imports. Counting stops at 200000. */
export const listCountsImports: Operation<{ body?: Sent<CountImportsRequest> }, CountResponse> = {
  id: 'lists.v1.ListCounts.Imports',
  method: 'POST',
  path: '/api/v1/lists/imports/count',
}

/** Count the items of a list with the same filters: grants. Counting stops at 200000. */
export const listCountsGrants: Operation<{ body?: Sent<CountGrantsRequest> }, CountResponse> = {
  id: 'lists.v1.ListCounts.Grants',
  method: 'POST',
  path: '/api/v1/lists/grants/count',
}

/** Count the items of a list with the same filters: rules. Counting stops at 200000. */
export const listCountsRules: Operation<{ body?: Sent<CountRulesRequest> }, CountResponse> = {
  id: 'lists.v1.ListCounts.Rules',
  method: 'POST',
  path: '/api/v1/lists/rules/count',
}

/** List the saved views of lists: your own, and those that are shared with everyone. */
export const savedViewList: PagedOperation<{ query?: { page?: string; page_size?: number; page_token?: string } }, SavedViewServiceListResponse, 'list'> = {
  id: 'lists.v1.SavedViewService.List',
  method: 'GET',
  path: '/api/v1/lists/views',
  items: 'list',
}

/** Save a view of a list. */
export const savedViewCreate: Operation<{ body?: Sent<SavedViewServiceCreateRequest> }, SavedViewServiceCreateResponse> = {
  id: 'lists.v1.SavedViewService.Create',
  method: 'POST',
  path: '/api/v1/lists/views',
  isKeyed: true,
}

/** Change the name, the query or the sharing of a saved view. */
export const savedViewUpdate: Operation<{ path: { view_id: string }; body?: Sent<SavedViewServiceUpdateRequest> }, SavedViewServiceUpdateResponse> = {
  id: 'lists.v1.SavedViewService.Update',
  method: 'POST',
  path: '/api/v1/lists/views/{view_id}',
  isKeyed: true,
}

/** Delete a saved view. */
export const savedViewDelete: Operation<{ path: { view_id: string }; body?: Sent<SavedViewServiceDeleteRequest> }, Empty> = {
  id: 'lists.v1.SavedViewService.Delete',
  method: 'DELETE',
  path: '/api/v1/lists/views/{view_id}',
  isKeyed: true,
}

/** List the departments, job titles, employment types or employment statuses that users have, to filter by them. */
export const listsListUserValues: Operation<{ query?: { field?: 'department' | 'jobTitle' | 'employmentType' | 'employmentStatus'; query?: string } }, ListUserValuesResponse> = {
  id: 'bailiwick.v1.Lists.ListUserValues',
  method: 'GET',
  path: '/api/v1/lists/users/values',
}

/** Find users, apps, entitlements, accounts, resources, policies, connectors, tasks and access profiles by words of their names: at most 12 entitlements, and 6 of each other kind, that the caller may search. */
export const finderFind: Operation<{ query?: { query?: string } }, FindResponse> = {
  id: 'bailiwick.v1.Finder.Find',
  method: 'GET',
  path: '/api/v1/find',
}
