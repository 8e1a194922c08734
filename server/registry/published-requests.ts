/**
 * The published API's requests, of those operations that are here: facts, one line a message. A field is written
 * `name`, or `name:message` where it holds a message or a list of them, and `name!` where the service tells it and
 * clients only send it back. An operation is written with the message of its body, and `?` with what its query holds.
 */
export const publishedMessages: Readonly<Record<string, string>> = {
  'app.v1.AddAppEntitlementOwnerRequestInput': 'userId',
  'app.v1.AddAppOwnerRequestInput': '',
  'app.v1.AddAppResourceOwnerRequestInput': 'userId',
  'app.v1.AddAutomationExclusionRequestInput': 'userIds',
  'app.v1.AddManuallyManagedUsersRequestInput': 'userIds',
  'app.v1.AgentTrait': 'identityAppUserId status',
  'app.v1.App':
    'accessModel annotations appAccountId! appAccountName! appOwners! appUserMapper:app.v1.AppUserMapper certifyPolicyId connectorVersion createdAt! defaultRequestCatalogId deletedAt! description displayName enableConnectorSourcedOwnership fieldMask! grantPolicyId iconUrl id! identityMatching instructions isDirectory! isManuallyManaged logoUri! matchBatonRef:app.v1.AppMatchBatonRef monthlyCostUsd parentAppId! revokeGrantSources revokePolicyId strictAccessEntitlementProvisioning updatedAt! userCount!',
  'app.v1.AppAccessRequestDefaultsInput':
    'catalogIds defaultsEnabled durationGrant durationUnset emergencyGrantEnabled emergencyGrantPolicyId requestPolicyId requestSchemaId resourceTypeIds state',
  'app.v1.AppEntitlement':
    'alias annotations appId appResourceId appResourceTypeId certifyPolicyId complianceFrameworkValueIds createdAt! defaultValuesApplied deletedAt! deprovisionerPolicy:policy.v1.ProvisionPolicy description displayName durationGrant durationUnset emergencyGrantEnabled emergencyGrantPolicyId externalId! grantCount! grantPolicyId id! isAutomationEnabled! isManuallyManaged matchBatonId overrideAccessRequestsDefaults provisionerPolicy:policy.v1.ProvisionPolicy purpose requestSchemaId revokePolicyId riskLevelValueId slug sourceConnectorIds systemBuiltin! updatedAt! userEditedMask',
  'app.v1.AppEntitlementAutomation':
    'appEntitlementId! appId! basic:app.v1.AppEntitlementAutomationRuleBasic cel:app.v1.AppEntitlementAutomationRuleCEL createdAt! deletedAt! description displayName entitlements:app.v1.AppEntitlementAutomationRuleEntitlement lastRunStatus:app.v1.AppEntitlementAutomationLastRunStatus managedByRequestCatalogId! none:app.v1.AppEntitlementAutomationRuleNone updatedAt!',
  'app.v1.AppEntitlementAutomationLastRunStatus': 'errorMessage! lastCompletedAt! status!',
  'app.v1.AppEntitlementAutomationRuleBasic': 'expression',
  'app.v1.AppEntitlementAutomationRuleCEL': 'expression',
  'app.v1.AppEntitlementAutomationRuleEntitlement': 'entitlementRefs:app.v1.AppEntitlementRef',
  'app.v1.AppEntitlementAutomationRuleNone': '',
  'app.v1.AppEntitlementExpandMask': 'paths',
  'app.v1.AppEntitlementProxyExpandMask': 'paths',
  'app.v1.AppEntitlementRef': 'appId id',
  'app.v1.AppEntitlementRoutingRuleSettings':
    'emergencyGrantEnabled emergencyGrantPolicyId maxGrantDuration requestPolicyId requestSchemaId',
  'app.v1.AppEntitlementSearchServiceCountGrantsForUserByAppRequest': 'appIds userId',
  'app.v1.AppEntitlementSearchServiceSearchGrantsRequest':
    'appIds appUserIds entitlementRefs:app.v1.AppEntitlementRef entitlementSlugs expandMask:app.v1.AppEntitlementExpandMask pageSize pageToken purpose resourceIds resourceTypeIds userId',
  'app.v1.AppEntitlementSearchServiceSearchGraphRequest':
    'appId appIds entitlementIds entitlementNameQuery maxDepth maxFanOut maxNodes pageSize pageToken resourceId resourceIds resourceNameQuery resourceTypeIds userId',
  'app.v1.AppEntitlementSearchServiceSearchReachableResourcesForUserRequest': 'appIds pageSize pageToken query userId',
  'app.v1.AppEntitlementSearchServiceSearchRequest':
    'accessReviewId alias appIds appUserIds complianceFrameworkIds displayName excludeAppIds excludeAppUserIds excludeImmutable excludeResourceTypeIds excludedEntitlementRefs:app.v1.AppEntitlementRef expandMask:app.v1.AppEntitlementExpandMask includeDeleted isAutomated membershipType onlyGetExpiring pageSize pageToken policyRefs:policy.v1.PolicyRef query refs:app.v1.AppEntitlementRef requestSchemaIds resourceIds resourceTraitIds resourceTypeIds riskLevelIds sourceConnectorId',
  'app.v1.AppEntitlementServiceUpdateAutomationRequestInput':
    'basic:app.v1.AppEntitlementAutomationRuleBasic cel:app.v1.AppEntitlementAutomationRuleCEL description displayName entitlements:app.v1.AppEntitlementAutomationRuleEntitlement none:app.v1.AppEntitlementAutomationRuleNone updateMask',
  'app.v1.AppEntitlementUserBindingExpandHistoryMask': 'paths',
  'app.v1.AppManagedStateBindingRef': 'appId resourceId resourceTypeId',
  'app.v1.AppMatchBatonRef': 'appId connectorId externalId',
  'app.v1.AppRef': 'id',
  'app.v1.AppResource':
    'accessConfigId agentTrait:app.v1.AgentTrait annotations appId appResourceTypeId createdAt! customDescription deletedAt! description displayName externalId! grantCount id matchBatonId nhiDetail! nhiType! parentAppResourceId parentAppResourceTypeId profile! secretTrait:app.v1.SecretTrait updatedAt!',
  'app.v1.AppResourceExpandMask': 'paths',
  'app.v1.AppResourceRef': 'appId appResourceTypeId id',
  'app.v1.AppResourceServiceUpdateRequestInput':
    'appResource:app.v1.AppResource expandMask:app.v1.AppResourceExpandMask updateMask',
  'app.v1.AppResourceType': 'appId! createdAt! deletedAt! displayName id! traitIds updatedAt!',
  'app.v1.AppUsageControls': 'appId notify notifyAfterDays revoke revokeAfterDays',
  'app.v1.AppUser':
    'agentStatus! appId! appUserType createdAt! deletedAt! displayName! email! emails! employeeIds! id! identityUserId! isExternal! nhiDetail! nhiType! profile! status:app.v1.AppUserStatus updatedAt! username! usernames!',
  'app.v1.AppUserExpandMask': 'paths',
  'app.v1.AppUserMapper': 'appId! mappingCases:app.v1.AppUserMapperMatchCase',
  'app.v1.AppUserMapperMatchCase': 'appId! appUserKeyCel caseIndex! userKeyCel',
  'app.v1.AppUserRef': 'appId id',
  'app.v1.AppUserServiceSearchRequest':
    'agentStatuses appId appIds appUserDomains appUserIds appUserStatusDetails appUserStatuses appUserTypes excludeAppUserIds excludeDeletedApps expandMask:app.v1.AppUserExpandMask nhiTypes pageSize pageToken query refs:app.v1.AppUserRef sortBy userIds withOpenFindings withoutResponsibleParty',
  'app.v1.AppUserServiceUpdateRequestInput': 'appUser:app.v1.AppUser expandMask:app.v1.AppUserExpandMask updateMask',
  'app.v1.AppUserStatus': 'details! status!',
  'app.v1.CancelAccessRequestDefaultsRequestInput': '',
  'app.v1.ConfirmSyncValidRequestInput': '',
  'app.v1.Connector':
    'appId canResumeSync catalogId config configUpdatedAt! connectorApiVersion! connectorSyncCronSchedule:app.v1.ConnectorSyncCronSchedule createdAt! deletedAt! description disableCheckBadSync displayName downloadUrl! id oauthAuthorizedAs:app.v1.OAuth2AuthorizedAs parallelSyncWorkerCount profileAllowList profileIgnoreList status:app.v1.ConnectorStatus syncConfig:app.v1.SyncConfig syncDisabledAt! syncDisabledCategory syncDisabledReason updatedAt! userIds',
  'app.v1.ConnectorExpandMask': 'paths',
  'app.v1.ConnectorScheduleCron': 'cronSpec timezone',
  'app.v1.ConnectorServiceCreateDelegatedRequestInput':
    'appEntitlementOwnerRefs:app.v1.AppEntitlementRef appManagedStateBindingRef:app.v1.AppManagedStateBindingRef catalogId description displayName expandMask:app.v1.ConnectorExpandMask userIds',
  'app.v1.ConnectorServiceCreateRequestInput':
    'catalogId config description expandMask:app.v1.ConnectorExpandMask userIds',
  'app.v1.ConnectorServiceDeleteRequestInput': '',
  'app.v1.ConnectorServiceRevokeCredentialRequestInput': '',
  'app.v1.ConnectorServiceRotateCredentialRequest': 'appId connectorId',
  'app.v1.ConnectorServiceUpdateDelegatedRequestInput':
    'connector:app.v1.Connector expandMask:app.v1.ConnectorExpandMask updateMask',
  'app.v1.ConnectorServiceUpdateRequestInput':
    'connector:app.v1.Connector expandMask:app.v1.ConnectorExpandMask updateMask',
  'app.v1.ConnectorStatus': 'completedAt lastError startedAt status updatedAt',
  'app.v1.ConnectorSyncCronSchedule': 'cronSpec start timezone',
  'app.v1.CreateAppEntitlementProxyRequestInput': 'expandMask:app.v1.AppEntitlementProxyExpandMask',
  'app.v1.CreateAppEntitlementRequestInput':
    'alias annotations appEntitlementOwnerIds appResourceId appResourceTypeId certifyPolicyId complianceFrameworkValueIds description displayName durationGrant durationUnset emergencyGrantEnabled emergencyGrantPolicyId expandMask:app.v1.AppEntitlementExpandMask grantPolicyId matchBatonId overrideAccessRequestsDefaults provisionPolicy:policy.v1.ProvisionPolicy purpose revokePolicyId riskLevelValueId slug',
  'app.v1.CreateAppEntitlementRoutingRuleRequestInput':
    'condition description displayName enabled priority settings:app.v1.AppEntitlementRoutingRuleSettings',
  'app.v1.CreateAppRequest':
    'annotations appEntitlementOwnerRefs:app.v1.AppEntitlementRef certifyPolicyId description displayName grantPolicyId identityMatching instructions matchBatonRef:app.v1.AppMatchBatonRef monthlyCostUsd owners revokePolicyId strictAccessEntitlementProvisioning',
  'app.v1.CreateAutomationRequestInput': 'automation:app.v1.AppEntitlementAutomation',
  'app.v1.CreateManuallyManagedAppResourceRequestInput':
    'annotations description displayName matchBatonId resourceOwnerUserIds',
  'app.v1.CreateManuallyManagedResourceTypeRequestInput': 'displayName resourceType',
  'app.v1.DeleteAppEntitlementOwnersRequestInput': '',
  'app.v1.DeleteAppEntitlementProxyRequestInput': '',
  'app.v1.DeleteAppEntitlementRequestInput': '',
  'app.v1.DeleteAppEntitlementRoutingRuleRequestInput': '',
  'app.v1.DeleteAppOwnersRequestInput': 'userIds',
  'app.v1.DeleteAppRequestInput': '',
  'app.v1.DeleteAppResourceOwnersRequestInput': '',
  'app.v1.DeleteAutomationRequestInput': '',
  'app.v1.DeleteManuallyManagedAppResourceRequestInput': '',
  'app.v1.DeleteManuallyManagedResourceTypeRequestInput': '',
  'app.v1.EditorValidateRequest': 'text',
  'app.v1.ForceSyncRequestInput': '',
  'app.v1.ListOwnedServiceAccountsRequest': 'expandMask:app.v1.AppUserExpandMask pageSize pageToken',
  'app.v1.OAuth2AuthorizedAs': 'authEmail! authorizedAt!',
  'app.v1.PauseSyncRequestInput': '',
  'app.v1.RemoveAppEntitlementOwnerRequestInput': '',
  'app.v1.RemoveAppOwnerRequestInput': '',
  'app.v1.RemoveAppResourceOwnerRequestInput': 'userId',
  'app.v1.RemoveAutomationExclusionRequestInput': 'userIds',
  'app.v1.RemoveEntitlementMembershipRequestInput': 'appUserId',
  'app.v1.RemoveGrantDurationRequestInput': '',
  'app.v1.ReorderAppEntitlementRoutingRulesRequestInput': 'ruleIds',
  'app.v1.ResumeSyncRequestInput': '',
  'app.v1.SearchAppResourceTypesRequest':
    'appIds appUserIds displayName excludeResourceTypeIds excludeResourceTypeTraitIds pageSize pageToken query resourceTypeIds resourceTypeTraitIds',
  'app.v1.SearchAppResourcesRequest':
    'agentStatuses appId appIds appUserIds credentialTypes direction excludeDeletedApps excludeDeletedResourceBindings excludeResourceIds excludeResourceTypeTraitIds nhiTypes ownerUserIds pageSize pageToken query refs:app.v1.AppResourceRef resourceIds resourceTypeIds resourceTypeTraitIds secretAging:app.v1.SecretAgingFilter sortField unownedOnly withOpenFindings',
  'app.v1.SearchAppsRequest':
    'appIds displayName excludeAppIds onlyDirectories pageSize pageToken policyRefs:policy.v1.PolicyRef query',
  'app.v1.SearchGrantFeedRequest':
    'after appEntitlementRefs:app.v1.AppEntitlementRef appRefs:app.v1.AppRef appUserRefs:app.v1.AppUserRef before expandMask:app.v1.AppEntitlementUserBindingExpandHistoryMask pageSize pageToken userRefs:user.v1.UserRef',
  'app.v1.SearchPastGrantsRequest':
    'appEntitlementRefs:app.v1.AppEntitlementRef appIds appUserRefs:app.v1.AppUserRef expandMask:app.v1.AppEntitlementUserBindingExpandHistoryMask pageSize pageToken',
  'app.v1.SearchUserOwnershipRequest': 'ownershipTypes pageSize pageToken userId',
  'app.v1.SecretAgingFilter':
    'lastUsedAfter lastUsedBefore secretCreatedAfter secretCreatedBefore secretExpiresAfter secretExpiresBefore',
  'app.v1.SecretTrait':
    'createdByAppUserId credentialDetail identityAppUserId lastUsedAt secretCreatedAt secretExpiresAt',
  'app.v1.SetAppEntitlementOwnersRequestInput': 'userIds',
  'app.v1.SetAppOwnersRequestInput': 'userIds',
  'app.v1.SetAppResourceOwnersRequestInput': 'userIds',
  'app.v1.SyncConfig': 'syncResourceTypeIds',
  'app.v1.UpdateAppEntitlementRequestInput':
    'entitlement:app.v1.AppEntitlement expandMask:app.v1.AppEntitlementExpandMask overrideAccessRequestsDefaults updateMask',
  'app.v1.UpdateAppEntitlementRoutingRuleRequestInput':
    'condition description displayName enabled settings:app.v1.AppEntitlementRoutingRuleSettings',
  'app.v1.UpdateAppRequestInput': 'app:app.v1.App updateMask',
  'app.v1.UpdateAppUsageControlsRequestInput': 'appUsageControls:app.v1.AppUsageControls updateMask',
  'app.v1.UpdateConnectorScheduleRequestInput': 'cron:app.v1.ConnectorScheduleCron',
  'app.v1.UpdateGrantDurationRequestInput': 'newDeprovisionAt',
  'app.v1.UpdateManuallyManagedResourceTypeRequestInput': 'appResourceType:app.v1.AppResourceType updateMask',
  'app.v2.CreateAppEntitlementEntitlementOwnerRequestInput': 'appEntitlementRef:app.v1.AppEntitlementRef',
  'app.v2.CreateAppEntitlementOwnerRequestInput': 'appEntitlementRef:app.v1.AppEntitlementRef',
  'app.v2.CreateAppEntitlementUserOwnerRequestInput': 'userRef:user.v1.UserRef',
  'app.v2.CreateAppResourceEntitlementOwnerRequestInput': 'appEntitlementRef:app.v1.AppEntitlementRef',
  'app.v2.CreateAppResourceUserOwnerRequestInput': 'userRef:user.v1.UserRef',
  'app.v2.CreateAppUserEntitlementOwnerRequestInput': 'appEntitlementRef:app.v1.AppEntitlementRef',
  'app.v2.CreateAppUserOwnerRequestInput': 'userRef:user.v1.UserRef',
  'app.v2.CreateAppUserUserOwnerRequestInput': 'userRef:user.v1.UserRef',
  'app.v2.CreateConnectorEntitlementOwnerRequestInput': 'appEntitlementRef:app.v1.AppEntitlementRef',
  'app.v2.CreateConnectorUserOwnerRequestInput': 'userRef:user.v1.UserRef',
  'app.v2.DeleteAppEntitlementEntitlementOwnerRequestInput': 'appEntitlementRef:app.v1.AppEntitlementRef',
  'app.v2.DeleteAppEntitlementOwnerRequestInput': 'appEntitlementRef:app.v1.AppEntitlementRef',
  'app.v2.DeleteAppEntitlementUserOwnerRequestInput': 'userRef:user.v1.UserRef',
  'app.v2.DeleteAppResourceEntitlementOwnerRequestInput': 'appEntitlementRef:app.v1.AppEntitlementRef',
  'app.v2.DeleteAppResourceUserOwnerRequestInput': 'userRef:user.v1.UserRef',
  'app.v2.DeleteAppUserEntitlementOwnerRequestInput': 'appEntitlementRef:app.v1.AppEntitlementRef',
  'app.v2.DeleteAppUserOwnerRequestInput': 'userRef:user.v1.UserRef',
  'app.v2.DeleteAppUserUserOwnerRequestInput': 'userRef:user.v1.UserRef',
  'app.v2.DeleteConnectorEntitlementOwnerRequestInput': 'appEntitlementRef:app.v1.AppEntitlementRef',
  'app.v2.DeleteConnectorUserOwnerRequestInput': 'userRef:user.v1.UserRef',
  'app.v2.SetAppEntitlementOwnersRequestInput':
    'appEntitlementRefs:app.v1.AppEntitlementRef roleSlug userRefs:user.v1.UserRef',
  'app.v2.SetAppOwnersRequestInput': 'appEntitlementRefs:app.v1.AppEntitlementRef roleSlug userRefs:user.v1.UserRef',
  'app.v2.SetAppResourceOwnersV2RequestInput':
    'appEntitlementRefs:app.v1.AppEntitlementRef roleSlug userRefs:user.v1.UserRef',
  'app.v2.SetAppUserOwnersV2RequestInput':
    'appEntitlementRefs:app.v1.AppEntitlementRef roleSlug userRefs:user.v1.UserRef',
  'app.v2.SetConnectorOwnersV2RequestInput':
    'appEntitlementRefs:app.v1.AppEntitlementRef roleSlug userRefs:user.v1.UserRef',
  'attribute.v1.CreateAttributeValueRequest': 'attributeTypeId value',
  'attribute.v1.CreateComplianceFrameworkAttributeValueRequest': 'value',
  'attribute.v1.CreateRiskLevelAttributeValueRequest': 'value',
  'attribute.v1.DeleteAttributeValueRequestInput': '',
  'attribute.v1.DeleteComplianceFrameworkAttributeValueRequestInput': '',
  'attribute.v1.DeleteRiskLevelAttributeValueRequestInput': '',
  'attribute.v1.SearchAttributeValuesRequest': 'attributeTypeIds excludeIds ids pageSize pageToken query value',
  'authorization.v1.ActorObjectPermissions': 'delete edit extra read',
  'directory.v1.DirectoryAccountFilterCel': 'expression',
  'directory.v1.DirectoryExpandMask': 'paths',
  'directory.v1.DirectoryMergeConfig': 'matchCases:directory.v1.DirectoryMergeMatchCase',
  'directory.v1.DirectoryMergeMatchCase': 'appUserKeyCel userKeyCel',
  'directory.v1.DirectoryServiceCreateRequest':
    'all appId celExpression:directory.v1.DirectoryAccountFilterCel expandMask:directory.v1.DirectoryExpandMask mergeConfig:directory.v1.DirectoryMergeConfig',
  'directory.v1.DirectoryServiceDeleteRequestInput': '',
  'directory.v1.DirectoryServiceUpdateRequestInput':
    'all celExpression:directory.v1.DirectoryAccountFilterCel expandMask:directory.v1.DirectoryExpandMask mergeConfig:directory.v1.DirectoryMergeConfig',
  'form.v1.AdminProviderConfig': 'defaultValueCel showToUser',
  'form.v1.AppResourceFilter': 'appId resourceTypeId',
  'form.v1.AppUserFilter': 'appId',
  'form.v1.BoolField': 'checkboxField defaultValue rules:validate.BoolRules toggleField',
  'form.v1.C1UserFilter': 'excludeUserIds includeDeactivated userIds',
  'form.v1.DateField': 'defaultToToday maxDate maxDaysFromToday minDate minDaysFromToday',
  'form.v1.DependentOn': 'dependencyFieldNames',
  'form.v1.Field':
    'adminConfig:form.v1.AdminProviderConfig boolField:form.v1.BoolField description displayName fileField:form.v1.FileField int64Field:form.v1.Int64Field name oauth2Field:form.v1.Oauth2Field readOnly required sharedConfig:form.v1.SharedProviderConfig stringField:form.v1.StringField stringMapField:form.v1.StringMapField stringSliceField:form.v1.StringSliceField userConfig:form.v1.UserProviderConfig',
  'form.v1.FieldGroup': 'default displayName fields helpText name',
  'form.v1.FieldRelationship':
    'atLeastOne dependentOn:form.v1.DependentOn fieldNames mutuallyExclusive requiredTogether',
  'form.v1.FileField': 'acceptedFileTypes fileInputField maxFileSize',
  'form.v1.Form':
    'description displayName fieldGroups:form.v1.FieldGroup fieldRelationships:form.v1.FieldRelationship fields:form.v1.Field id',
  'form.v1.Int64Field': 'defaultValue numberField:form.v1.NumberField placeholder rules:validate.Int64Rules',
  'form.v1.NumberField': 'maxValue minValue step',
  'form.v1.Oauth2Field': 'oauth2FieldView',
  'form.v1.PickerField':
    'appUserPicker:form.v1.AppUserFilter c1UserPicker:form.v1.C1UserFilter resourcePicker:form.v1.AppResourceFilter',
  'form.v1.SelectField': 'options:form.v1.SelectOption type',
  'form.v1.SelectOption': 'description displayName value',
  'form.v1.SharedProviderConfig': 'defaultValueCel inputTransformationCel lockDefaultValues',
  'form.v1.StringField':
    'dateField:form.v1.DateField defaultValue passwordField pickerField:form.v1.PickerField placeholder rules:validate.StringRules selectField:form.v1.SelectField textField:form.v1.TextField',
  'form.v1.StringMapField': 'defaultValue rules:form.v1.StringMapRules',
  'form.v1.StringMapRules': 'isRequired validateEmpty',
  'form.v1.StringSliceField':
    'chipsField defaultValues pickerField:form.v1.PickerField placeholder rules:validate.RepeatedRules',
  'form.v1.TextField': 'multiline suffix',
  'form.v1.UserProviderConfig': 'inputTransformationCel',
  'iam.v1.PersonalClient':
    'allowSourceCidr clientId! createdAt! deletedAt! displayName expiresTime id! lastUsedAt! scopedRoles updatedAt! userId!',
  'iam.v1.PersonalClientSearchServiceSearchRequest': 'pageSize pageToken query users:user.v1.UserRef',
  'iam.v1.PersonalClientServiceCreateRequest': 'allowSourceCidr displayName expires scopedRoles',
  'iam.v1.PersonalClientServiceDeleteRequestInput': '',
  'iam.v1.PersonalClientServiceUpdateRequestInput': 'client:iam.v1.PersonalClient updateMask',
  'iam.v1.Role':
    'createdAt! deletedAt! displayName id! name! permissions serviceRoles systemApiOnly! systemBuiltin! updatedAt!',
  'iam.v1.UpdateRoleRequestInput': 'role:iam.v1.Role updateMask',
  'integration.connector.v1.ConnectorCatalogServiceConfigurationSchemaRequest': 'appId catalogId connectorId',
  'policy.v1.ActionProvision': 'actionName appId connectorId displayName',
  'policy.v1.AppOwnerProvisioner': 'allowReassignment fallbackUserIds',
  'policy.v1.ConnectorProvision':
    'account:policy.v1.ConnectorProvision.AccountProvision defaultBehavior:policy.v1.ConnectorProvision.DefaultBehavior deleteAccount:policy.v1.ConnectorProvision.DeleteAccount',
  'policy.v1.ConnectorProvision.AccountProvision':
    'config connectorId doNotSave:policy.v1.ConnectorProvision.DoNotSave saveToVault:policy.v1.ConnectorProvision.SaveToVault schemaId',
  'policy.v1.ConnectorProvision.DefaultBehavior': 'connectorId',
  'policy.v1.ConnectorProvision.DeleteAccount': 'connectorId',
  'policy.v1.ConnectorProvision.DoNotSave': '',
  'policy.v1.ConnectorProvision.SaveToVault': 'vaultIds',
  'policy.v1.CreatePolicyRequest':
    'annotations baselinePolicyId description displayName policySteps policyType postActions:policy.v1.PolicyPostActions reassignTasksToDelegates rules:policy.v1.Rule scope:policy.v1.PolicyScope',
  'policy.v1.DelegatedProvision': 'appId entitlementId implicit',
  'policy.v1.DeletePolicyRequestInput': '',
  'policy.v1.DevicePlacementProvision': 'vaultBoundaryId',
  'policy.v1.EditorValidateRequest': 'text',
  'policy.v1.EntitlementOwnerProvisioner': 'allowReassignment fallbackUserIds',
  'policy.v1.ExpressionProvisioner': 'allowReassignment expressions fallbackUserIds',
  'policy.v1.ExternalTicketProvision': 'appId connectorId externalTicketProvisionerConfigId instructions',
  'policy.v1.GroupProvisioner': 'allowReassignment appGroupId appId fallbackUserIds',
  'policy.v1.ManagerProvisioner': 'allowReassignment fallbackUserIds',
  'policy.v1.ManualProvision': 'assignee:policy.v1.ProvisionerAssignment instructions userIds',
  'policy.v1.MultiStep': 'provisionSteps:policy.v1.ProvisionPolicy',
  'policy.v1.Policy':
    'annotations baselinePolicyId createdAt! deletedAt! description displayName id! policySteps policyType postActions:policy.v1.PolicyPostActions reassignTasksToDelegates rules:policy.v1.Rule scope:policy.v1.PolicyScope systemBuiltin! updatedAt!',
  'policy.v1.PolicyPostActions': 'certifyRemediateImmediately',
  'policy.v1.PolicyRef': 'id',
  'policy.v1.PolicyScope': 'appEntitlementId appId slot',
  'policy.v1.ProvisionPolicy':
    'action:policy.v1.ActionProvision connector:policy.v1.ConnectorProvision delegated:policy.v1.DelegatedProvision devicePlacement:policy.v1.DevicePlacementProvision externalTicket:policy.v1.ExternalTicketProvision manual:policy.v1.ManualProvision multiStep:policy.v1.MultiStep unconfigured:policy.v1.UnconfiguredProvision webhook:policy.v1.WebhookProvision',
  'policy.v1.ProvisionerAssignment':
    'appOwners:policy.v1.AppOwnerProvisioner entitlementOwners:policy.v1.EntitlementOwnerProvisioner expression:policy.v1.ExpressionProvisioner group:policy.v1.GroupProvisioner manager:policy.v1.ManagerProvisioner users:policy.v1.UserProvisioner',
  'policy.v1.Rule': 'condition policyId policyKey stepKey',
  'policy.v1.SearchPoliciesRequest':
    'displayName excludePolicyIds includeDeleted pageSize pageToken policyTypes query refs:policy.v1.PolicyRef scopeAppEntitlementId scopeAppId scopeObjectType scopeSlot scopeView',
  'policy.v1.UnconfiguredProvision': '',
  'policy.v1.UpdatePolicyRequestInput': 'policy:policy.v1.Policy updateMask',
  'policy.v1.UserProvisioner': 'allowReassignment userIds',
  'policy.v1.WebhookProvision': 'webhookId',
  'request_schema.v1.RequestSchema': 'createdAt deletedAt form:form.v1.Form id justificationVisibility modifiedAt',
  'request_schema.v1.RequestSchemaServiceCreateEntitlementBindingRequest':
    'entitlementRef:app.v1.AppEntitlementRef requestSchemaId',
  'request_schema.v1.RequestSchemaServiceCreateRequest':
    'description fieldGroups:form.v1.FieldGroup fieldRelationships:form.v1.FieldRelationship fields:form.v1.Field justificationVisibility name',
  'request_schema.v1.RequestSchemaServiceDeleteRequestInput': '',
  'request_schema.v1.RequestSchemaServiceFindBindingForAppEntitlementRequest':
    'entitlementRef:app.v1.AppEntitlementRef',
  'request_schema.v1.RequestSchemaServiceRemoveEntitlementBindingRequest':
    'entitlementRef:app.v1.AppEntitlementRef requestSchemaId',
  'request_schema.v1.RequestSchemaServiceUpdateRequestInput':
    'requestSchema:request_schema.v1.RequestSchema updateMask',
  'requestcatalog.v1.BundleAutomationRuleCEL': 'expression',
  'requestcatalog.v1.BundleAutomationRuleEntitlement': 'entitlementRefs:app.v1.AppEntitlementRef',
  'requestcatalog.v1.CreateBundleAutomationRequestInput':
    'cel:requestcatalog.v1.BundleAutomationRuleCEL createTasks disableCircuitBreaker enabled enforceOnSmallProfiles entitlements:requestcatalog.v1.BundleAutomationRuleEntitlement removedMembersThresholdPercent',
  'requestcatalog.v1.DeleteBundleAutomationRequestInput': '',
  'requestcatalog.v1.ForceRunBundleAutomationRequestInput': 'refs:app.v1.AppEntitlementRef',
  'requestcatalog.v1.RequestCatalog':
    'accessEntitlements:app.v1.AppEntitlement annotations createdAt! createdByUserId deletedAt! description displayName enrollmentBehavior id published requestBundle unenrollmentBehavior unenrollmentEntitlementBehavior updatedAt! visibleToEveryone',
  'requestcatalog.v1.RequestCatalogExpandMask': 'paths',
  'requestcatalog.v1.RequestCatalogManagementServiceAddAccessEntitlementsRequestInput':
    'accessEntitlements:app.v1.AppEntitlementRef',
  'requestcatalog.v1.RequestCatalogManagementServiceAddAppEntitlementsRequestInput':
    'appEntitlements:app.v1.AppEntitlementRef createRequests',
  'requestcatalog.v1.RequestCatalogManagementServiceCreateRequest':
    'annotations description displayName enrollmentBehavior expandMask:requestcatalog.v1.RequestCatalogExpandMask published requestBundle unenrollmentBehavior unenrollmentEntitlementBehavior visibleToEveryone',
  'requestcatalog.v1.RequestCatalogManagementServiceCreateRequestableEntryRequestInput': 'createRequests',
  'requestcatalog.v1.RequestCatalogManagementServiceDeleteRequestInput': '',
  'requestcatalog.v1.RequestCatalogManagementServiceDeleteRequestableEntryRequestInput': '',
  'requestcatalog.v1.RequestCatalogManagementServiceRemoveAccessEntitlementsRequestInput':
    'accessEntitlements:app.v1.AppEntitlementRef',
  'requestcatalog.v1.RequestCatalogManagementServiceRemoveAppEntitlementsRequestInput':
    'appEntitlements:app.v1.AppEntitlementRef',
  'requestcatalog.v1.RequestCatalogManagementServiceUpdateAppEntitlementsRequestInput':
    'appEntitlements:app.v1.AppEntitlementRef',
  'requestcatalog.v1.RequestCatalogManagementServiceUpdateRequestInput':
    'catalog:requestcatalog.v1.RequestCatalog expandMask:requestcatalog.v1.RequestCatalogExpandMask updateMask',
  'requestcatalog.v1.RequestCatalogSearchServiceSearchEntitlementsRequest':
    'appDisplayName entitlementAlias expandMask:app.v1.AppEntitlementExpandMask grantedStatus includeDeleted pageSize pageToken query',
  'requestcatalog.v1.ResumePausedBundleAutomationRequestInput': '',
  'requestcatalog.v1.SetBundleAutomationRequestInput':
    'cel:requestcatalog.v1.BundleAutomationRuleCEL createTasks disableCircuitBreaker enabled enforceOnSmallProfiles entitlements:requestcatalog.v1.BundleAutomationRuleEntitlement removedMembersThresholdPercent',
  'service_principal.v1.ServicePrincipal':
    'createdAt! displayName id! objectPermissions:authorization.v1.ActorObjectPermissions updatedAt! user:user.v1.User',
  'service_principal.v1.ServicePrincipalBindingSubject': 'functionId',
  'service_principal.v1.ServicePrincipalCredential':
    'allowSourceCidrs! clientId! createdAt! displayName expiresAt! id! lastUsedAt! requireDpop! scopedRoleIds! servicePrincipalId!',
  'service_principal.v1.ServicePrincipalServiceAddBindingRequest':
    'servicePrincipalId subject:service_principal.v1.ServicePrincipalBindingSubject',
  'service_principal.v1.ServicePrincipalServiceCreateCredentialRequestInput':
    'allowSourceCidrs displayName expires requireDpop scopedRoles',
  'service_principal.v1.ServicePrincipalServiceCreateRequest': 'displayName',
  'service_principal.v1.ServicePrincipalServiceDeleteBindingRequest':
    'servicePrincipalId subject:service_principal.v1.ServicePrincipalBindingSubject',
  'service_principal.v1.ServicePrincipalServiceDeleteRequestInput': '',
  'service_principal.v1.ServicePrincipalServiceListBindingsRequest':
    'pageSize pageToken subject:service_principal.v1.ServicePrincipalBindingSubject',
  'service_principal.v1.ServicePrincipalServiceRevokeCredentialRequestInput': '',
  'service_principal.v1.ServicePrincipalServiceUpdateCredentialRequestInput':
    'credential:service_principal.v1.ServicePrincipalCredential updateMask',
  'service_principal.v1.ServicePrincipalServiceUpdateRequestInput':
    'servicePrincipal:service_principal.v1.ServicePrincipal updateMask',
  'settings.v1.AWSSESProviderConfig': 'configurationSetName region roleArn',
  'settings.v1.AccessProvisionedPreference': 'enabled locked',
  'settings.v1.ApprovalNeededPreference': 'enabled locked',
  'settings.v1.C1BuiltInProviderConfig': '',
  'settings.v1.ChannelSettings':
    'email:settings.v1.EmailChannelSettings slack:settings.v1.SlackChannelSettings teams:settings.v1.MSTeamsChannelSettings',
  'settings.v1.CommentOnRequestPreference': 'enabled locked',
  'settings.v1.CompletionPreference': 'enabled locked',
  'settings.v1.ConnectorIssuesPreference': 'enabled locked',
  'settings.v1.DigestPreference': 'dayOfWeek enabled frequency locked',
  'settings.v1.EmailChannelSettings':
    'accessProvisioned:settings.v1.AccessProvisionedPreference approvalNeeded:settings.v1.ApprovalNeededPreference commentOnRequest:settings.v1.CommentOnRequestPreference completion:settings.v1.CompletionPreference connectorIssues:settings.v1.ConnectorIssuesPreference digest:settings.v1.DigestPreference enabled expiringAccess:settings.v1.ExpiringAccessPreference provisioningRequest:settings.v1.ProvisioningRequestPreference requestCreated:settings.v1.RequestCreatedPreference reviews:settings.v1.ReviewsPreference system:settings.v1.SystemPreference taskReminders:settings.v1.TaskRemindersPreference',
  'settings.v1.ExpiringAccessPreference': 'enabled locked',
  'settings.v1.GoogleWorkspaceProviderConfig': 'delegatedUser serviceAccountJson',
  'settings.v1.MSTeamsChannelSettings':
    'accessProvisioned:settings.v1.AccessProvisionedPreference approvalNeeded:settings.v1.ApprovalNeededPreference commentOnRequest:settings.v1.CommentOnRequestPreference completion:settings.v1.CompletionPreference connectorIssues:settings.v1.ConnectorIssuesPreference digest:settings.v1.DigestPreference enabled expiringAccess:settings.v1.ExpiringAccessPreference isConfigured provisioningRequest:settings.v1.ProvisioningRequestPreference requestCreated:settings.v1.RequestCreatedPreference reviews:settings.v1.ReviewsPreference system:settings.v1.SystemPreference taskReminders:settings.v1.TaskRemindersPreference',
  'settings.v1.MicrosoftGraphProviderConfig': 'azureTenantId clientId clientSecret',
  'settings.v1.ProvisioningRequestPreference': 'enabled locked',
  'settings.v1.RequestCreatedPreference': 'enabled locked',
  'settings.v1.RequestSettings': 'skipJustification',
  'settings.v1.ReviewsPreference': 'enabled locked',
  'settings.v1.SearchEmailAuditEventsRequest': 'pageSize pageToken',
  'settings.v1.SendGridProviderConfig': 'apiKey',
  'settings.v1.SlackChannelSettings':
    'accessProvisioned:settings.v1.AccessProvisionedPreference approvalNeeded:settings.v1.ApprovalNeededPreference commentOnRequest:settings.v1.CommentOnRequestPreference completion:settings.v1.CompletionPreference connectorIssues:settings.v1.ConnectorIssuesPreference digest:settings.v1.DigestPreference enabled expiringAccess:settings.v1.ExpiringAccessPreference isConfigured provisioningRequest:settings.v1.ProvisioningRequestPreference requestCreated:settings.v1.RequestCreatedPreference reviews:settings.v1.ReviewsPreference system:settings.v1.SystemPreference taskReminders:settings.v1.TaskRemindersPreference',
  'settings.v1.SystemPreference': 'enabled locked',
  'settings.v1.TaskRemindersPreference': 'enabled locked',
  'settings.v1.TenantEmailProvider':
    'awsSes:settings.v1.AWSSESProviderConfig c1Builtin:settings.v1.C1BuiltInProviderConfig createdAt! fromAddress fromName googleWorkspace:settings.v1.GoogleWorkspaceProviderConfig microsoftGraph:settings.v1.MicrosoftGraphProviderConfig replyToAddress sendgrid:settings.v1.SendGridProviderConfig updatedAt!',
  'settings.v1.TestTenantEmailProviderRequest': 'testRecipientEmail',
  'settings.v1.UpdateOrgNotificationSettingsRequest': 'channelSettings:settings.v1.ChannelSettings',
  'settings.v1.UpdateRequestSettingsRequest': 'requestSettings:settings.v1.RequestSettings updateMask',
  'settings.v1.UpdateTenantEmailProviderRequest': 'emailProvider:settings.v1.TenantEmailProvider updateMask',
  'settings.v1.UpdateUserNotificationSettingsRequest': 'channelSettings:settings.v1.ChannelSettings',
  'systemlog.v1.SystemLogServiceListEventsRequest':
    'pageSize pageToken since sinceEventUid sortDirection until untilEventUid',
  'task.v1.ActionInstance':
    'batonResourceActionRef:task.v1.BatonResourceActionRef connectorActionRef:task.v1.ConnectorActionRef displayName!',
  'task.v1.BatonResourceActionRef': 'appId! batonActionDisplayName! batonActionName! connectorId! resourceTypeId!',
  'task.v1.ConnectorActionRef': 'appId! connectorId! operation!',
  'task.v1.FindingTarget': 'findingId! findingType!',
  'task.v1.GatedToolCallTarget':
    'appEntitlementId! appId! callerKind! connectorId! gateId! inputSizeBytes! toolError! toolId! toolInput! toolKind! toolName! toolOutput!',
  'task.v1.ScopeRole':
    'appId! grantDuration! roleResourceId! roleResourceTypeId! scopeResourceId! scopeResourceTypeId!',
  'task.v1.TaskActionsServiceApproveRequestInput': 'comment expandMask:task.v1.TaskExpandMask policyStepId',
  'task.v1.TaskActionsServiceCloseRequestInput': 'comment expandMask:task.v1.TaskExpandMask',
  'task.v1.TaskActionsServiceCommentRequestInput': 'comment expandMask:task.v1.TaskExpandMask',
  'task.v1.TaskActionsServiceDenyRequestInput': 'comment expandMask:task.v1.TaskExpandMask policyStepId',
  'task.v1.TaskActionsServiceEscalateToEmergencyAccessRequestInput':
    'comment expandMask:task.v1.TaskExpandMask policyStepId',
  'task.v1.TaskActionsServiceHardResetRequestInput': 'comment expandMask:task.v1.TaskExpandMask',
  'task.v1.TaskActionsServiceProcessNowRequestInput': 'expandMask:task.v1.TaskExpandMask',
  'task.v1.TaskActionsServiceReassignRequestInput':
    'comment expandMask:task.v1.TaskExpandMask newStepUserIds policyStepId',
  'task.v1.TaskActionsServiceRestartRequestInput': 'comment expandMask:task.v1.TaskExpandMask policyStepId',
  'task.v1.TaskActionsServiceRetryProvisioningRequestInput': 'comment expandMask:task.v1.TaskExpandMask policyStepId',
  'task.v1.TaskActionsServiceSkipStepRequestInput': 'comment expandMask:task.v1.TaskExpandMask policyStepId',
  'task.v1.TaskActionsServiceUpdateGrantDurationRequestInput': 'duration expandMask:task.v1.TaskExpandMask',
  'task.v1.TaskActionsServiceUpdateRequestDataRequestInput': 'data expandMask:task.v1.TaskExpandMask',
  'task.v1.TaskAuditListRequest': 'commentsOnly newestFirst pageSize pageToken refs:task.v1.TaskAuditViewRef taskId',
  'task.v1.TaskAuditViewRef': 'id',
  'task.v1.TaskExpandMask': 'paths',
  'task.v1.TaskGrantSource': 'conversationId externalUrl integrationId isExtension requestId',
  'task.v1.TaskRef': 'id',
  'task.v1.TaskRevokeSource':
    'expired:task.v1.TaskRevokeSourceExpired nonUsage:task.v1.TaskRevokeSourceNonUsage request:task.v1.TaskRevokeSourceRequest review:task.v1.TaskRevokeSourceReview',
  'task.v1.TaskRevokeSourceExpired': 'expiredAt',
  'task.v1.TaskRevokeSourceNonUsage': 'expiresAt lastLogin',
  'task.v1.TaskRevokeSourceRequest': 'requestUserId',
  'task.v1.TaskRevokeSourceReview': 'accessReviewId certTicketId',
  'task.v1.TaskSearchRequest':
    'accessReviewIds accountOwnerIds accountStatuses accountTypes actorId appEntitlementIds appResourceIds appResourceTypeIds appUserSubjectIds applicationIds assignedOrStepApproverUserId assigneesInIds certifyOutcomes createdAfter createdBefore currentStep emergencyStatus excludeAppEntitlementIds excludeAppResourceTypeIds excludeApplicationIds excludeIds expandMask:task.v1.TaskExpandMask grantOutcomes includeActedAfter includeDeleted myWorkUserIds olderThanDuration openerIds openerOrSubjectUserId outcomeAfter outcomeBefore pageSize pageToken pendingActionFilter previouslyActedOnIds query refs:task.v1.TaskRef requireApprovalReason requireDenialReason revokeOutcomes sortBy stepApprovalTypes subjectIds taskStates taskTypes:task.v1.TaskType userEmploymentStatuses',
  'task.v1.TaskServiceCreateGrantRequest':
    'appEntitlementId appId appUserId description emergencyAccess expandMask:task.v1.TaskExpandMask grantDuration identityUserId requestData source:task.v1.TaskGrantSource',
  'task.v1.TaskServiceCreateOffboardingRequest': 'description expandMask:task.v1.TaskExpandMask subjectUserId',
  'task.v1.TaskServiceCreateRevokeRequest':
    'appEntitlementId appId appUserId description expandMask:task.v1.TaskExpandMask identityUserId',
  'task.v1.TaskType':
    'action:task.v1.TaskTypeAction certify:task.v1.TaskTypeCertify finding:task.v1.TaskTypeFinding grant:task.v1.TaskTypeGrant offboarding:task.v1.TaskTypeOffboarding revoke:task.v1.TaskTypeRevoke',
  'task.v1.TaskTypeAction':
    'actionId! actionInstance:task.v1.ActionInstance createdAppEntitlementIds! createdAppResourceId! createdAppResourceTypeId! displayName! finding:task.v1.FindingTarget formValues! outcome! outcomeTime! scopeRole:task.v1.ScopeRole toolCall:task.v1.GatedToolCallTarget type!',
  'task.v1.TaskTypeCertify':
    'accessReviewId! accessReviewSelection! appEntitlementId! appId! appUserId! identityUserId! outcome! outcomeTime! resource:app.v1.AppResourceRef',
  'task.v1.TaskTypeFinding': 'findingId! findingType! outcome! outcomeTime!',
  'task.v1.TaskTypeGrant':
    'appEntitlementId! appId! appUserId! grantDuration! identityUserId! outcome! outcomeTime! source:task.v1.TaskGrantSource',
  'task.v1.TaskTypeOffboarding': 'outcome! outcomeTime! subjectUserId!',
  'task.v1.TaskTypeRevoke':
    'appEntitlementId! appId! appUserId! identityUserId! outcome! outcomeTime! resource:app.v1.AppResourceRef source:task.v1.TaskRevokeSource',
  'user.v1.IntrospectRequest': 'expandMask:user.v1.UserExpandMask',
  'user.v1.SearchUsersRequest':
    'delegateStatus delegatedUserIds departments email excludeIds excludeOrigins excludeTypes expandMask:user.v1.UserExpandMask ids isDelegate jobTitles managerIds origins pageSize pageToken query refs:user.v1.UserRef roleIds sourceAppIds userStatuses',
  'user.v1.SetExpiringUserDelegationBindingByAdminRequestInput': 'delegatedUserId delegationExpireAt delegationStartAt',
  'user.v1.User':
    'createdAt! delegatedUserId deletedAt! department! departmentSources! directoryIds! directoryStatus! directoryStatusSources! displayName! email! emailSources! emails! employeeIdSources! employeeIds! employmentStatus! employmentStatusSources! employmentType! employmentTypeSources! id! jobTitle! jobTitleSources! managerIds! managerSources! origin! profile! roleIds status type! updatedAt! username! usernameSources! usernames!',
  'user.v1.UserExpandMask': 'paths',
  'user.v1.UserRef': 'id',
  'user.v2.CreateUserEntitlementOwnerRequestInput': 'appEntitlementRef:app.v1.AppEntitlementRef',
  'user.v2.CreateUserUserOwnerRequestInput': 'userRef:user.v1.UserRef',
  'user.v2.DeleteUserEntitlementOwnerRequestInput': 'appEntitlementRef:app.v1.AppEntitlementRef',
  'user.v2.DeleteUserUserOwnerRequestInput': 'userRef:user.v1.UserRef',
  'user.v2.SetUserOwnersV2RequestInput':
    'appEntitlementRefs:app.v1.AppEntitlementRef roleSlug userRefs:user.v1.UserRef',
  'validate.AnyRules': 'in notIn required',
  'validate.BoolRules': 'const',
  'validate.BytesRules': 'const contains ignoreEmpty in ip ipv4 ipv6 len maxLen minLen notIn pattern prefix suffix',
  'validate.DoubleRules': 'const gt gte ignoreEmpty in lt lte notIn',
  'validate.DurationRules': 'const gt gte in lt lte notIn required',
  'validate.EnumRules': 'const definedOnly in notIn',
  'validate.FieldRules':
    'any:validate.AnyRules bool:validate.BoolRules bytes:validate.BytesRules double:validate.DoubleRules duration:validate.DurationRules enum:validate.EnumRules fixed32:validate.Fixed32Rules fixed64:validate.Fixed64Rules float:validate.FloatRules int32:validate.Int32Rules int64:validate.Int64Rules map:validate.MapRules message:validate.MessageRules repeated:validate.RepeatedRules sfixed32:validate.SFixed32Rules sfixed64:validate.SFixed64Rules sint32:validate.SInt32Rules sint64:validate.SInt64Rules string:validate.StringRules timestamp:validate.TimestampRules uint32:validate.UInt32Rules uint64:validate.UInt64Rules',
  'validate.Fixed32Rules': 'const gt gte ignoreEmpty in lt lte notIn',
  'validate.Fixed64Rules': 'const gt gte ignoreEmpty in lt lte notIn',
  'validate.FloatRules': 'const gt gte ignoreEmpty in lt lte notIn',
  'validate.Int32Rules': 'const gt gte ignoreEmpty in lt lte notIn',
  'validate.Int64Rules': 'const gt gte ignoreEmpty in lt lte notIn',
  'validate.MapRules': 'ignoreEmpty keys:validate.FieldRules maxPairs minPairs noSparse values:validate.FieldRules',
  'validate.MessageRules': 'required skip',
  'validate.RepeatedRules': 'ignoreEmpty items:validate.FieldRules maxItems minItems unique',
  'validate.SFixed32Rules': 'const gt gte ignoreEmpty in lt lte notIn',
  'validate.SFixed64Rules': 'const gt gte ignoreEmpty in lt lte notIn',
  'validate.SInt32Rules': 'const gt gte ignoreEmpty in lt lte notIn',
  'validate.SInt64Rules': 'const gt gte ignoreEmpty in lt lte notIn',
  'validate.StringRules':
    'address const contains email hostname ignoreEmpty in ip ipv4 ipv6 len lenBytes maxBytes maxLen minBytes minLen notContains notIn pattern prefix strict suffix uri uriRef uuid wellKnownRegex',
  'validate.TimestampRules': 'const gt gtNow gte lt ltNow lte required within',
  'validate.UInt32Rules': 'const gt gte ignoreEmpty in lt lte notIn',
  'validate.UInt64Rules': 'const gt gte ignoreEmpty in lt lte notIn',
  'webhooks.v1.Webhook': 'callbackTimeout createdAt! deletedAt! description displayName id updatedAt! url',
  'webhooks.v1.WebhookRef': 'id',
  'webhooks.v1.WebhooksSearchRequest': 'pageSize pageToken query refs:webhooks.v1.WebhookRef',
  'webhooks.v1.WebhooksServiceCreateRequest': 'callbackTimeout description displayName url',
  'webhooks.v1.WebhooksServiceDeleteRequestInput': '',
  'webhooks.v1.WebhooksServiceTestRequestInput': '',
  'webhooks.v1.WebhooksServiceUpdateRequestInput': 'updateMask webhook:webhooks.v1.Webhook',
  'workload_federation.v1.SPIFFESettings': 'bundleEndpointUrl',
  'workload_federation.v1.WorkloadFederationProvider':
    'createdAt! description disabled displayName id! issuerUrl! oidc spiffe:workload_federation.v1.SPIFFESettings updatedAt! wellKnownProvider!',
  'workload_federation.v1.WorkloadFederationServiceCreateProviderRequest':
    'description displayName issuerUrl oidc spiffe:workload_federation.v1.SPIFFESettings wellKnownProvider',
  'workload_federation.v1.WorkloadFederationServiceCreateTrustRequestInput':
    'allowSourceCidrs conditionExpression description displayName passthroughClaims providerId scopedRoleIds',
  'workload_federation.v1.WorkloadFederationServiceDeleteProviderRequestInput': '',
  'workload_federation.v1.WorkloadFederationServiceDeleteTrustRequestInput': '',
  'workload_federation.v1.WorkloadFederationServiceSearchTrustsRequest':
    'pageSize pageToken providerId query servicePrincipalId',
  'workload_federation.v1.WorkloadFederationServiceTestCELRequest': 'claimsJson expression',
  'workload_federation.v1.WorkloadFederationServiceTestTokenRequestInput': 'sourceIp subjectToken',
  'workload_federation.v1.WorkloadFederationServiceUpdateProviderRequestInput':
    'provider:workload_federation.v1.WorkloadFederationProvider updateMask',
  'workload_federation.v1.WorkloadFederationServiceUpdateTrustRequestInput':
    'trust:workload_federation.v1.WorkloadFederationTrust updateMask',
  'workload_federation.v1.WorkloadFederationTrust':
    'allowSourceCidrs clientId! conditionExpression createdAt! description disabled displayName passthroughClaims providerId! scopedRoleIds servicePrincipalId! updatedAt!',
}

export const publishedOperations: Readonly<Record<string, string>> = {
  'app.v1.AppAccessRequestsDefaultsService.CancelAppAccessRequestsDefaults':
    'app.v1.CancelAccessRequestDefaultsRequestInput',
  'app.v1.AppAccessRequestsDefaultsService.CreateAppAccessRequestsDefaults': 'app.v1.AppAccessRequestDefaultsInput',
  'app.v1.AppAccessRequestsDefaultsService.GetAppAccessRequestsDefaults': '',
  'app.v1.AppEntitlementOwners.Add': 'app.v1.AddAppEntitlementOwnerRequestInput',
  'app.v1.AppEntitlementOwners.List': '?pageSize pageToken',
  'app.v1.AppEntitlementOwners.Set': 'app.v1.SetAppEntitlementOwnersRequestInput',
  'app.v1.AppEntitlementRoutingRuleService.CreateAppEntitlementRoutingRule':
    'app.v1.CreateAppEntitlementRoutingRuleRequestInput',
  'app.v1.AppEntitlementRoutingRuleService.DeleteAppEntitlementRoutingRule':
    'app.v1.DeleteAppEntitlementRoutingRuleRequestInput',
  'app.v1.AppEntitlementRoutingRuleService.GetAppEntitlementRoutingRule': '',
  'app.v1.AppEntitlementRoutingRuleService.ListAppEntitlementRoutingRules': '',
  'app.v1.AppEntitlementRoutingRuleService.ReorderAppEntitlementRoutingRules':
    'app.v1.ReorderAppEntitlementRoutingRulesRequestInput',
  'app.v1.AppEntitlementRoutingRuleService.UpdateAppEntitlementRoutingRule':
    'app.v1.UpdateAppEntitlementRoutingRuleRequestInput',
  'app.v1.AppEntitlementSearchService.CountGrantsForUserByApp':
    'app.v1.AppEntitlementSearchServiceCountGrantsForUserByAppRequest',
  'app.v1.AppEntitlementSearchService.Search': 'app.v1.AppEntitlementSearchServiceSearchRequest',
  'app.v1.AppEntitlementSearchService.SearchAppEntitlementsForAppUser': '?pageSize pageToken',
  'app.v1.AppEntitlementSearchService.SearchAppEntitlementsWithExpired': '?pageSize pageToken',
  'app.v1.AppEntitlementSearchService.SearchGrants': 'app.v1.AppEntitlementSearchServiceSearchGrantsRequest',
  'app.v1.AppEntitlementSearchService.SearchGraph': 'app.v1.AppEntitlementSearchServiceSearchGraphRequest',
  'app.v1.AppEntitlementSearchService.SearchReachableResourcesForUser':
    'app.v1.AppEntitlementSearchServiceSearchReachableResourcesForUserRequest',
  'app.v1.AppEntitlementUserBindingService.SearchGrantFeed': 'app.v1.SearchGrantFeedRequest',
  'app.v1.AppEntitlementUserBindingService.SearchPastGrants': 'app.v1.SearchPastGrantsRequest',
  'app.v1.AppEntitlementUserBindingService.UpdateGrantDuration': 'app.v1.UpdateGrantDurationRequestInput',
  'app.v1.AppEntitlements.AddAutomationExclusion': 'app.v1.AddAutomationExclusionRequestInput',
  'app.v1.AppEntitlements.AddManuallyManagedMembers': 'app.v1.AddManuallyManagedUsersRequestInput',
  'app.v1.AppEntitlements.Create': 'app.v1.CreateAppEntitlementRequestInput',
  'app.v1.AppEntitlements.CreateAutomation': 'app.v1.CreateAutomationRequestInput',
  'app.v1.AppEntitlements.List': '?pageSize pageToken',
  'app.v1.AppEntitlements.ListForAppResource': '?pageSize pageToken',
  'app.v1.AppEntitlements.ListForAppUser': '?pageSize pageToken',
  'app.v1.AppEntitlements.ListUsers': '?pageSize pageToken',
  'app.v1.AppEntitlements.RemoveAutomationExclusion': 'app.v1.RemoveAutomationExclusionRequestInput',
  'app.v1.AppEntitlements.RemoveEntitlementMembership': 'app.v1.RemoveEntitlementMembershipRequestInput',
  'app.v1.AppEntitlements.Update': 'app.v1.UpdateAppEntitlementRequestInput',
  'app.v1.AppEntitlements.UpdateAutomation': 'app.v1.AppEntitlementServiceUpdateAutomationRequestInput',
  'app.v1.AppEntitlementsProxy.Create': 'app.v1.CreateAppEntitlementProxyRequestInput',
  'app.v1.AppOwners.Delete': 'app.v1.DeleteAppOwnersRequestInput',
  'app.v1.AppOwners.List': '?pageSize pageToken',
  'app.v1.AppOwners.Set': 'app.v1.SetAppOwnersRequestInput',
  'app.v1.AppResourceOwners.Add': 'app.v1.AddAppResourceOwnerRequestInput',
  'app.v1.AppResourceOwners.List': '?pageSize pageToken',
  'app.v1.AppResourceOwners.Remove': 'app.v1.RemoveAppResourceOwnerRequestInput',
  'app.v1.AppResourceOwners.Set': 'app.v1.SetAppResourceOwnersRequestInput',
  'app.v1.AppResourceSearch.SearchAppResourceTypes': 'app.v1.SearchAppResourceTypesRequest',
  'app.v1.AppResourceSearch.SearchAppResources': 'app.v1.SearchAppResourcesRequest',
  'app.v1.AppResourceService.CreateManuallyManagedAppResource': 'app.v1.CreateManuallyManagedAppResourceRequestInput',
  'app.v1.AppResourceService.List': '?pageSize pageToken',
  'app.v1.AppResourceService.Update': 'app.v1.AppResourceServiceUpdateRequestInput',
  'app.v1.AppResourceTypeService.CreateManuallyManagedResourceType':
    'app.v1.CreateManuallyManagedResourceTypeRequestInput',
  'app.v1.AppResourceTypeService.List': '?pageSize pageToken',
  'app.v1.AppResourceTypeService.UpdateManuallyManagedResourceType':
    'app.v1.UpdateManuallyManagedResourceTypeRequestInput',
  'app.v1.AppSearch.Search': 'app.v1.SearchAppsRequest',
  'app.v1.AppSearch.SearchUserOwnership': 'app.v1.SearchUserOwnershipRequest',
  'app.v1.AppUsageControlsService.Update': 'app.v1.UpdateAppUsageControlsRequestInput',
  'app.v1.AppUserService.List': '?pageSize pageToken',
  'app.v1.AppUserService.ListAppUserCredentials': '?pageSize pageToken',
  'app.v1.AppUserService.ListAppUsersForUser': '?pageSize pageToken',
  'app.v1.AppUserService.ListOwnedServiceAccounts': 'app.v1.ListOwnedServiceAccountsRequest',
  'app.v1.AppUserService.Search': 'app.v1.AppUserServiceSearchRequest',
  'app.v1.AppUserService.Update': 'app.v1.AppUserServiceUpdateRequestInput',
  'app.v1.Apps.Create': 'app.v1.CreateAppRequest',
  'app.v1.Apps.List': '?pageSize pageToken',
  'app.v1.Apps.Update': 'app.v1.UpdateAppRequestInput',
  'app.v1.ConnectorService.ConfirmSyncValid': 'app.v1.ConfirmSyncValidRequestInput',
  'app.v1.ConnectorService.Create': 'app.v1.ConnectorServiceCreateRequestInput',
  'app.v1.ConnectorService.CreateDelegated': 'app.v1.ConnectorServiceCreateDelegatedRequestInput',
  'app.v1.ConnectorService.Delete': 'app.v1.ConnectorServiceDeleteRequestInput',
  'app.v1.ConnectorService.ForceSync': 'app.v1.ForceSyncRequestInput',
  'app.v1.ConnectorService.Get': '',
  'app.v1.ConnectorService.GetConnectorSyncDownloadURL': '',
  'app.v1.ConnectorService.GetCredentials': '',
  'app.v1.ConnectorService.List': '?pageSize pageToken',
  'app.v1.ConnectorService.PauseSync': 'app.v1.PauseSyncRequestInput',
  'app.v1.ConnectorService.ResumeSync': 'app.v1.ResumeSyncRequestInput',
  'app.v1.ConnectorService.RevokeCredential': 'app.v1.ConnectorServiceRevokeCredentialRequestInput',
  'app.v1.ConnectorService.RotateCredential': 'app.v1.ConnectorServiceRotateCredentialRequest',
  'app.v1.ConnectorService.Update': 'app.v1.ConnectorServiceUpdateRequestInput',
  'app.v1.ConnectorService.UpdateConnectorSchedule': 'app.v1.UpdateConnectorScheduleRequestInput',
  'app.v1.ConnectorService.UpdateDelegated': 'app.v1.ConnectorServiceUpdateDelegatedRequestInput',
  'app.v1.ConnectorService.ValidateHTTPConnectorConfig': 'app.v1.EditorValidateRequest',
  'app.v2.AppEntitlementOwners.CreateEntitlementOwner': 'app.v2.CreateAppEntitlementEntitlementOwnerRequestInput',
  'app.v2.AppEntitlementOwners.CreateUserOwner': 'app.v2.CreateAppEntitlementUserOwnerRequestInput',
  'app.v2.AppEntitlementOwners.DeleteEntitlementOwner': 'app.v2.DeleteAppEntitlementEntitlementOwnerRequestInput',
  'app.v2.AppEntitlementOwners.DeleteUserOwner': 'app.v2.DeleteAppEntitlementUserOwnerRequestInput',
  'app.v2.AppEntitlementOwners.SearchEntitlementOwners': '?pageSize pageToken roleSlug',
  'app.v2.AppEntitlementOwners.SearchUserOwners': '?pageSize pageToken roleSlug',
  'app.v2.AppEntitlementOwners.Set': 'app.v2.SetAppEntitlementOwnersRequestInput',
  'app.v2.AppOwners.CreateEntitlementOwner': 'app.v2.CreateAppEntitlementOwnerRequestInput',
  'app.v2.AppOwners.CreateUserOwner': 'app.v2.CreateAppUserOwnerRequestInput',
  'app.v2.AppOwners.DeleteEntitlementOwner': 'app.v2.DeleteAppEntitlementOwnerRequestInput',
  'app.v2.AppOwners.DeleteUserOwner': 'app.v2.DeleteAppUserOwnerRequestInput',
  'app.v2.AppOwners.SearchEntitlementOwners': '?pageSize pageToken roleSlug',
  'app.v2.AppOwners.SearchUserOwners': '?pageSize pageToken roleSlug',
  'app.v2.AppOwners.Set': 'app.v2.SetAppOwnersRequestInput',
  'app.v2.AppResourceOwnersV2.CreateEntitlementOwner': 'app.v2.CreateAppResourceEntitlementOwnerRequestInput',
  'app.v2.AppResourceOwnersV2.CreateUserOwner': 'app.v2.CreateAppResourceUserOwnerRequestInput',
  'app.v2.AppResourceOwnersV2.DeleteEntitlementOwner': 'app.v2.DeleteAppResourceEntitlementOwnerRequestInput',
  'app.v2.AppResourceOwnersV2.DeleteUserOwner': 'app.v2.DeleteAppResourceUserOwnerRequestInput',
  'app.v2.AppResourceOwnersV2.SearchEntitlementOwners': '?pageSize pageToken roleSlug',
  'app.v2.AppResourceOwnersV2.SearchUserOwners': '?pageSize pageToken roleSlug',
  'app.v2.AppResourceOwnersV2.Set': 'app.v2.SetAppResourceOwnersV2RequestInput',
  'app.v2.AppUserOwnersV2.CreateEntitlementOwner': 'app.v2.CreateAppUserEntitlementOwnerRequestInput',
  'app.v2.AppUserOwnersV2.CreateUserOwner': 'app.v2.CreateAppUserUserOwnerRequestInput',
  'app.v2.AppUserOwnersV2.DeleteEntitlementOwner': 'app.v2.DeleteAppUserEntitlementOwnerRequestInput',
  'app.v2.AppUserOwnersV2.DeleteUserOwner': 'app.v2.DeleteAppUserUserOwnerRequestInput',
  'app.v2.AppUserOwnersV2.SearchEntitlementOwners': '?pageSize pageToken roleSlug',
  'app.v2.AppUserOwnersV2.SearchUserOwners': '?pageSize pageToken roleSlug',
  'app.v2.AppUserOwnersV2.Set': 'app.v2.SetAppUserOwnersV2RequestInput',
  'app.v2.ConnectorOwners.CreateEntitlementOwner': 'app.v2.CreateConnectorEntitlementOwnerRequestInput',
  'app.v2.ConnectorOwners.CreateUserOwner': 'app.v2.CreateConnectorUserOwnerRequestInput',
  'app.v2.ConnectorOwners.DeleteEntitlementOwner': 'app.v2.DeleteConnectorEntitlementOwnerRequestInput',
  'app.v2.ConnectorOwners.DeleteUserOwner': 'app.v2.DeleteConnectorUserOwnerRequestInput',
  'app.v2.ConnectorOwners.GetEntitlementOwner': '',
  'app.v2.ConnectorOwners.GetUserOwner': '',
  'app.v2.ConnectorOwners.SearchEntitlementOwners': '?pageSize pageToken roleSlug',
  'app.v2.ConnectorOwners.SearchUserOwners': '?pageSize pageToken roleSlug',
  'app.v2.ConnectorOwners.Set': 'app.v2.SetConnectorOwnersV2RequestInput',
  'attribute.v1.AttributeSearch.SearchAttributeValues': 'attribute.v1.SearchAttributeValuesRequest',
  'attribute.v1.Attributes.CreateAttributeValue': 'attribute.v1.CreateAttributeValueRequest',
  'attribute.v1.Attributes.CreateComplianceFrameworkAttributeValue':
    'attribute.v1.CreateComplianceFrameworkAttributeValueRequest',
  'attribute.v1.Attributes.CreateRiskLevelAttributeValue': 'attribute.v1.CreateRiskLevelAttributeValueRequest',
  'attribute.v1.Attributes.ListAttributeTypes': '?pageSize pageToken',
  'attribute.v1.Attributes.ListAttributeValues': '?pageSize pageToken',
  'attribute.v1.Attributes.ListComplianceFrameworks': '?pageSize pageToken',
  'attribute.v1.Attributes.ListRiskLevels': '?pageSize pageToken',
  'directory.v1.DirectoryService.Create': 'directory.v1.DirectoryServiceCreateRequest',
  'directory.v1.DirectoryService.Delete': 'directory.v1.DirectoryServiceDeleteRequestInput',
  'directory.v1.DirectoryService.Get': '',
  'directory.v1.DirectoryService.List': '?pageSize pageToken',
  'directory.v1.DirectoryService.Update': 'directory.v1.DirectoryServiceUpdateRequestInput',
  'iam.v1.PersonalClientSearchService.Search': 'iam.v1.PersonalClientSearchServiceSearchRequest',
  'iam.v1.PersonalClientService.Create': 'iam.v1.PersonalClientServiceCreateRequest',
  'iam.v1.PersonalClientService.Update': 'iam.v1.PersonalClientServiceUpdateRequestInput',
  'iam.v1.Roles.List': '?pageSize pageToken',
  'iam.v1.Roles.Update': 'iam.v1.UpdateRoleRequestInput',
  'integration.connector.v1.ConnectorCatalogService.ConfigurationSchema':
    'integration.connector.v1.ConnectorCatalogServiceConfigurationSchemaRequest',
  'policy.v1.Policies.Create': 'policy.v1.CreatePolicyRequest',
  'policy.v1.Policies.Delete': 'policy.v1.DeletePolicyRequestInput',
  'policy.v1.Policies.Get': '',
  'policy.v1.Policies.List': '?pageSize pageToken',
  'policy.v1.Policies.Update': 'policy.v1.UpdatePolicyRequestInput',
  'policy.v1.PolicySearch.Search': 'policy.v1.SearchPoliciesRequest',
  'policy.v1.PolicyValidate.ValidateCEL': 'policy.v1.EditorValidateRequest',
  'request_schema.v1.RequestSchemaService.Create': 'request_schema.v1.RequestSchemaServiceCreateRequest',
  'request_schema.v1.RequestSchemaService.CreateEntitlementBinding':
    'request_schema.v1.RequestSchemaServiceCreateEntitlementBindingRequest',
  'request_schema.v1.RequestSchemaService.Delete': 'request_schema.v1.RequestSchemaServiceDeleteRequestInput',
  'request_schema.v1.RequestSchemaService.FindBindingForAppEntitlement':
    'request_schema.v1.RequestSchemaServiceFindBindingForAppEntitlementRequest',
  'request_schema.v1.RequestSchemaService.Get': '',
  'request_schema.v1.RequestSchemaService.RemoveEntitlementBinding':
    'request_schema.v1.RequestSchemaServiceRemoveEntitlementBindingRequest',
  'request_schema.v1.RequestSchemaService.Update': 'request_schema.v1.RequestSchemaServiceUpdateRequestInput',
  'requestcatalog.v1.RequestCatalogManagementService.AddAccessEntitlements':
    'requestcatalog.v1.RequestCatalogManagementServiceAddAccessEntitlementsRequestInput',
  'requestcatalog.v1.RequestCatalogManagementService.AddAppEntitlements':
    'requestcatalog.v1.RequestCatalogManagementServiceAddAppEntitlementsRequestInput',
  'requestcatalog.v1.RequestCatalogManagementService.Create':
    'requestcatalog.v1.RequestCatalogManagementServiceCreateRequest',
  'requestcatalog.v1.RequestCatalogManagementService.CreateBundleAutomation':
    'requestcatalog.v1.CreateBundleAutomationRequestInput',
  'requestcatalog.v1.RequestCatalogManagementService.CreateRequestableEntry':
    'requestcatalog.v1.RequestCatalogManagementServiceCreateRequestableEntryRequestInput',
  'requestcatalog.v1.RequestCatalogManagementService.Delete':
    'requestcatalog.v1.RequestCatalogManagementServiceDeleteRequestInput',
  'requestcatalog.v1.RequestCatalogManagementService.DeleteBundleAutomation':
    'requestcatalog.v1.DeleteBundleAutomationRequestInput',
  'requestcatalog.v1.RequestCatalogManagementService.DeleteRequestableEntry':
    'requestcatalog.v1.RequestCatalogManagementServiceDeleteRequestableEntryRequestInput',
  'requestcatalog.v1.RequestCatalogManagementService.ForceRunBundleAutomation':
    'requestcatalog.v1.ForceRunBundleAutomationRequestInput',
  'requestcatalog.v1.RequestCatalogManagementService.Get': '',
  'requestcatalog.v1.RequestCatalogManagementService.GetBundleAutomation': '',
  'requestcatalog.v1.RequestCatalogManagementService.GetRequestableEntry': '',
  'requestcatalog.v1.RequestCatalogManagementService.List': '?pageSize pageToken',
  'requestcatalog.v1.RequestCatalogManagementService.ListAllEntitlementIdsPerApp': '',
  'requestcatalog.v1.RequestCatalogManagementService.ListEntitlementsForAccess': '?pageSize pageToken',
  'requestcatalog.v1.RequestCatalogManagementService.ListEntitlementsPerCatalog': '?pageSize pageToken',
  'requestcatalog.v1.RequestCatalogManagementService.RemoveAccessEntitlements':
    'requestcatalog.v1.RequestCatalogManagementServiceRemoveAccessEntitlementsRequestInput',
  'requestcatalog.v1.RequestCatalogManagementService.RemoveAppEntitlements':
    'requestcatalog.v1.RequestCatalogManagementServiceRemoveAppEntitlementsRequestInput',
  'requestcatalog.v1.RequestCatalogManagementService.ResumePausedBundleAutomation':
    'requestcatalog.v1.ResumePausedBundleAutomationRequestInput',
  'requestcatalog.v1.RequestCatalogManagementService.SetBundleAutomation':
    'requestcatalog.v1.SetBundleAutomationRequestInput',
  'requestcatalog.v1.RequestCatalogManagementService.Update':
    'requestcatalog.v1.RequestCatalogManagementServiceUpdateRequestInput',
  'requestcatalog.v1.RequestCatalogManagementService.UpdateAppEntitlements':
    'requestcatalog.v1.RequestCatalogManagementServiceUpdateAppEntitlementsRequestInput',
  'requestcatalog.v1.RequestCatalogSearchService.SearchEntitlements':
    'requestcatalog.v1.RequestCatalogSearchServiceSearchEntitlementsRequest',
  'service_principal.v1.ServicePrincipalService.AddBinding':
    'service_principal.v1.ServicePrincipalServiceAddBindingRequest',
  'service_principal.v1.ServicePrincipalService.Create': 'service_principal.v1.ServicePrincipalServiceCreateRequest',
  'service_principal.v1.ServicePrincipalService.CreateCredential':
    'service_principal.v1.ServicePrincipalServiceCreateCredentialRequestInput',
  'service_principal.v1.ServicePrincipalService.Delete':
    'service_principal.v1.ServicePrincipalServiceDeleteRequestInput',
  'service_principal.v1.ServicePrincipalService.DeleteBinding':
    'service_principal.v1.ServicePrincipalServiceDeleteBindingRequest',
  'service_principal.v1.ServicePrincipalService.Get': '',
  'service_principal.v1.ServicePrincipalService.GetCredential': '',
  'service_principal.v1.ServicePrincipalService.List': '',
  'service_principal.v1.ServicePrincipalService.ListBindings':
    'service_principal.v1.ServicePrincipalServiceListBindingsRequest',
  'service_principal.v1.ServicePrincipalService.ListCredentials': '',
  'service_principal.v1.ServicePrincipalService.RevokeCredential':
    'service_principal.v1.ServicePrincipalServiceRevokeCredentialRequestInput',
  'service_principal.v1.ServicePrincipalService.Update':
    'service_principal.v1.ServicePrincipalServiceUpdateRequestInput',
  'service_principal.v1.ServicePrincipalService.UpdateCredential':
    'service_principal.v1.ServicePrincipalServiceUpdateCredentialRequestInput',
  'settings.v1.OrgNotificationSettingsService.Get': '',
  'settings.v1.OrgNotificationSettingsService.Update': 'settings.v1.UpdateOrgNotificationSettingsRequest',
  'settings.v1.RequestSettingsService.Get': '',
  'settings.v1.RequestSettingsService.Update': 'settings.v1.UpdateRequestSettingsRequest',
  'settings.v1.TenantEmailProviderService.Get': '',
  'settings.v1.TenantEmailProviderService.GetEmailCapabilities': '',
  'settings.v1.TenantEmailProviderService.SearchAuditEvents': 'settings.v1.SearchEmailAuditEventsRequest',
  'settings.v1.TenantEmailProviderService.Test': 'settings.v1.TestTenantEmailProviderRequest',
  'settings.v1.TenantEmailProviderService.Update': 'settings.v1.UpdateTenantEmailProviderRequest',
  'settings.v1.UserNotificationSettingsService.Get': '',
  'settings.v1.UserNotificationSettingsService.Update': 'settings.v1.UpdateUserNotificationSettingsRequest',
  'systemlog.v1.SystemLogService.ListEvents': 'systemlog.v1.SystemLogServiceListEventsRequest',
  'task.v1.TaskActionsService.Approve': 'task.v1.TaskActionsServiceApproveRequestInput',
  'task.v1.TaskActionsService.Close': 'task.v1.TaskActionsServiceCloseRequestInput',
  'task.v1.TaskActionsService.Comment': 'task.v1.TaskActionsServiceCommentRequestInput',
  'task.v1.TaskActionsService.Deny': 'task.v1.TaskActionsServiceDenyRequestInput',
  'task.v1.TaskActionsService.EscalateToEmergencyAccess':
    'task.v1.TaskActionsServiceEscalateToEmergencyAccessRequestInput',
  'task.v1.TaskActionsService.HardReset': 'task.v1.TaskActionsServiceHardResetRequestInput',
  'task.v1.TaskActionsService.ProcessNow': 'task.v1.TaskActionsServiceProcessNowRequestInput',
  'task.v1.TaskActionsService.Reassign': 'task.v1.TaskActionsServiceReassignRequestInput',
  'task.v1.TaskActionsService.Restart': 'task.v1.TaskActionsServiceRestartRequestInput',
  'task.v1.TaskActionsService.RetryProvisioning': 'task.v1.TaskActionsServiceRetryProvisioningRequestInput',
  'task.v1.TaskActionsService.SkipStep': 'task.v1.TaskActionsServiceSkipStepRequestInput',
  'task.v1.TaskActionsService.UpdateGrantDuration': 'task.v1.TaskActionsServiceUpdateGrantDurationRequestInput',
  'task.v1.TaskActionsService.UpdateRequestData': 'task.v1.TaskActionsServiceUpdateRequestDataRequestInput',
  'task.v1.TaskAudit.List': 'task.v1.TaskAuditListRequest',
  'task.v1.TaskSearchService.Search': 'task.v1.TaskSearchRequest',
  'task.v1.TaskService.CreateGrantTask': 'task.v1.TaskServiceCreateGrantRequest',
  'task.v1.TaskService.CreateOffboardingTask': 'task.v1.TaskServiceCreateOffboardingRequest',
  'task.v1.TaskService.CreateRevokeTask': 'task.v1.TaskServiceCreateRevokeRequest',
  'task.v1.TaskService.Get': '',
  'user.v1.UserSearch.Search': 'user.v1.SearchUsersRequest',
  'user.v1.UserService.Introspect': 'user.v1.IntrospectRequest',
  'user.v1.UserService.List': '?pageSize pageToken',
  'user.v1.UserService.SetExpiringUserDelegationBindingByAdmin':
    'user.v1.SetExpiringUserDelegationBindingByAdminRequestInput',
  'user.v2.UserOwnersV2.CreateEntitlementOwner': 'user.v2.CreateUserEntitlementOwnerRequestInput',
  'user.v2.UserOwnersV2.CreateUserOwner': 'user.v2.CreateUserUserOwnerRequestInput',
  'user.v2.UserOwnersV2.DeleteEntitlementOwner': 'user.v2.DeleteUserEntitlementOwnerRequestInput',
  'user.v2.UserOwnersV2.DeleteUserOwner': 'user.v2.DeleteUserUserOwnerRequestInput',
  'user.v2.UserOwnersV2.SearchEntitlementOwners': '?pageSize pageToken roleSlug',
  'user.v2.UserOwnersV2.SearchUserOwners': '?pageSize pageToken roleSlug',
  'user.v2.UserOwnersV2.Set': 'user.v2.SetUserOwnersV2RequestInput',
  'webhooks.v1.WebhooksSearch.Search': 'webhooks.v1.WebhooksSearchRequest',
  'webhooks.v1.WebhooksService.Create': 'webhooks.v1.WebhooksServiceCreateRequest',
  'webhooks.v1.WebhooksService.Delete': 'webhooks.v1.WebhooksServiceDeleteRequestInput',
  'webhooks.v1.WebhooksService.Get': '',
  'webhooks.v1.WebhooksService.List': '?pageSize pageToken',
  'webhooks.v1.WebhooksService.Test': 'webhooks.v1.WebhooksServiceTestRequestInput',
  'webhooks.v1.WebhooksService.Update': 'webhooks.v1.WebhooksServiceUpdateRequestInput',
  'workload_federation.v1.WorkloadFederationService.CreateProvider':
    'workload_federation.v1.WorkloadFederationServiceCreateProviderRequest',
  'workload_federation.v1.WorkloadFederationService.CreateTrust':
    'workload_federation.v1.WorkloadFederationServiceCreateTrustRequestInput',
  'workload_federation.v1.WorkloadFederationService.DeleteProvider':
    'workload_federation.v1.WorkloadFederationServiceDeleteProviderRequestInput',
  'workload_federation.v1.WorkloadFederationService.DeleteTrust':
    'workload_federation.v1.WorkloadFederationServiceDeleteTrustRequestInput',
  'workload_federation.v1.WorkloadFederationService.GetProvider': '',
  'workload_federation.v1.WorkloadFederationService.GetTrust': '',
  'workload_federation.v1.WorkloadFederationService.ListProviders': '',
  'workload_federation.v1.WorkloadFederationService.ListTrusts': '',
  'workload_federation.v1.WorkloadFederationService.SearchTrusts':
    'workload_federation.v1.WorkloadFederationServiceSearchTrustsRequest',
  'workload_federation.v1.WorkloadFederationService.TestCEL':
    'workload_federation.v1.WorkloadFederationServiceTestCELRequest',
  'workload_federation.v1.WorkloadFederationService.TestToken':
    'workload_federation.v1.WorkloadFederationServiceTestTokenRequestInput',
  'workload_federation.v1.WorkloadFederationService.UpdateProvider':
    'workload_federation.v1.WorkloadFederationServiceUpdateProviderRequestInput',
  'workload_federation.v1.WorkloadFederationService.UpdateTrust':
    'workload_federation.v1.WorkloadFederationServiceUpdateTrustRequestInput',
}
