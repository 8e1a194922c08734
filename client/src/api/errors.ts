// Made from the API document by `npm run generate`. Not to be edited.
import { ApiError } from '../api-error.ts'
import type { ErrorReason } from './types.ts'

/** ACCESS_NOT_HELD, status 400. */
export class AccessNotHeldError extends ApiError {}
/** ACCESS_REMOVAL_NOT_FOUND, status 404. */
export class AccessRemovalNotFoundError extends ApiError {}
/** ACCOUNT_AMBIGUOUS, status 400. */
export class AccountAmbiguousError extends ApiError {}
/** ACCOUNT_NOT_FOUND, status 404. */
export class AccountNotFoundError extends ApiError {}
/** APP_BUILT_IN, status 400. */
export class AppBuiltInError extends ApiError {}
/** APP_NOT_FOUND, status 404. */
export class AppNotFoundError extends ApiError {}
/** ATTRIBUTE_TYPE_NOT_FOUND, status 404. */
export class AttributeTypeNotFoundError extends ApiError {}
/** ATTRIBUTE_VALUE_EXISTS, status 409. */
export class AttributeValueExistsError extends ApiError {}
/** ATTRIBUTE_VALUE_NOT_FOUND, status 404. */
export class AttributeValueNotFoundError extends ApiError {}
/** AUTOMATION_CIRCLE, status 400. */
export class AutomationCircleError extends ApiError {}
/** AUTOMATION_DISABLED, status 400. */
export class AutomationDisabledError extends ApiError {}
/** AUTOMATION_EXISTS, status 409. */
export class AutomationExistsError extends ApiError {}
/** AUTOMATION_NOT_FOUND, status 404. */
export class AutomationNotFoundError extends ApiError {}
/** AUTOMATION_NOT_PAUSED, status 400. */
export class AutomationNotPausedError extends ApiError {}
/** BODY_MALFORMED, status 400. */
export class BodyMalformedError extends ApiError {}
/** BODY_TOO_LARGE, status 413. */
export class BodyTooLargeError extends ApiError {}
/** BULK_ACTION_NOT_FOUND, status 404. */
export class BulkActionNotFoundError extends ApiError {}
/** BULK_UNCONFIRMED, status 400. */
export class BulkUnconfirmedError extends ApiError {}
/** CANNOT_DISABLE_SELF, status 400. */
export class CannotDisableSelfError extends ApiError {}
/** CANNOT_MERGE_SELF, status 400. */
export class CannotMergeSelfError extends ApiError {}
/** CHANGE_KIND_NOT_FOUND, status 404. */
export class ChangeKindNotFoundError extends ApiError {}
/** CHANGE_NEEDS_APPROVAL, status 409. */
export class ChangeNeedsApprovalError extends ApiError {}
/** CHANGE_NOT_FOUND, status 404. */
export class ChangeNotFoundError extends ApiError {}
/** CHAT_NOT_FOUND, status 404. */
export class ChatNotFoundError extends ApiError {}
/** CLIENT_GONE, status 499. */
export class ClientGoneError extends ApiError {}
/** CLIENT_REFUSED, status 401. */
export class ClientRefusedError extends ApiError {}
/** CONNECTOR_BUILT_IN, status 400. */
export class ConnectorBuiltInError extends ApiError {}
/** CONNECTOR_CATALOG_NOT_FOUND, status 404. */
export class ConnectorCatalogNotFoundError extends ApiError {}
/** CONNECTOR_FILE_NOT_KEPT, status 400. */
export class ConnectorFileNotKeptError extends ApiError {}
/** CONNECTOR_HOSTED, status 400. */
export class ConnectorHostedError extends ApiError {}
/** CONNECTOR_NOT_FOUND, status 404. */
export class ConnectorNotFoundError extends ApiError {}
/** CONNECTOR_NOT_SCIM, status 400. */
export class ConnectorNotScimError extends ApiError {}
/** CONNECTOR_PAUSED, status 400. */
export class ConnectorPausedError extends ApiError {}
/** CONNECTOR_TASK_NOT_FOUND, status 404. */
export class ConnectorTaskNotFoundError extends ApiError {}
/** CONNECTOR_TASK_STATE, status 400. */
export class ConnectorTaskStateError extends ApiError {}
/** CONTENT_TYPE_UNSUPPORTED, status 415. */
export class ContentTypeUnsupportedError extends ApiError {}
/** CREDENTIALS_TOO_MANY, status 400. */
export class CredentialsTooManyError extends ApiError {}
/** CREDENTIAL_NOT_FOUND, status 404. */
export class CredentialNotFoundError extends ApiError {}
/** CREDENTIAL_REVOKED, status 401. */
export class CredentialRevokedError extends ApiError {}
/** CROSS_SITE_REFUSED, status 403. */
export class CrossSiteRefusedError extends ApiError {}
/** DATABASE_AWAY, status 503. */
export class DatabaseAwayError extends ApiError {}
/** DECISION_NOT_UNDOABLE, status 400. */
export class DecisionNotUndoableError extends ApiError {}
/** DELEGATION_ENDED, status 403. */
export class DelegationEndedError extends ApiError {}
/** DELIVERY_NOT_FOUND, status 404. */
export class DeliveryNotFoundError extends ApiError {}
/** DEVICE_CODE_EXPIRED, status 400. */
export class DeviceCodeExpiredError extends ApiError {}
/** DEVICE_CODE_INVALID, status 400. */
export class DeviceCodeInvalidError extends ApiError {}
/** DEVICE_DENIED, status 400. */
export class DeviceDeniedError extends ApiError {}
/** DEVICE_NOT_FOUND, status 404. */
export class DeviceNotFoundError extends ApiError {}
/** DEVICE_PENDING, status 400. */
export class DevicePendingError extends ApiError {}
/** DEVICE_POLLED_TOO_SOON, status 400. */
export class DevicePolledTooSoonError extends ApiError {}
/** DEVICE_REQUEST_NOT_FOUND, status 404. */
export class DeviceRequestNotFoundError extends ApiError {}
/** DIRECTORY_DISABLES_TOO_MANY, status 400. */
export class DirectoryDisablesTooManyError extends ApiError {}
/** DIRECTORY_EXISTS, status 409. */
export class DirectoryExistsError extends ApiError {}
/** DIRECTORY_NOT_FOUND, status 404. */
export class DirectoryNotFoundError extends ApiError {}
/** DIRECTORY_PLAN_NOT_FOUND, status 404. */
export class DirectoryPlanNotFoundError extends ApiError {}
/** DIRECTORY_TOKENS_TOO_MANY, status 400. */
export class DirectoryTokensTooManyError extends ApiError {}
/** DIRECTORY_TOKEN_NOT_FOUND, status 404. */
export class DirectoryTokenNotFoundError extends ApiError {}
/** DPOP_NONCE_REQUIRED, status 401. */
export class DpopNonceRequiredError extends ApiError {}
/** DPOP_PROOF_INVALID, status 401. */
export class DpopProofInvalidError extends ApiError {}
/** DRIFT_NOT_FOUND, status 404. */
export class DriftNotFoundError extends ApiError {}
/** DRIFT_RUN_NOT_FOUND, status 404. */
export class DriftRunNotFoundError extends ApiError {}
/** DURATION_TOO_LONG, status 400. */
export class DurationTooLongError extends ApiError {}
/** EMERGENCY_UNAVAILABLE, status 400. */
export class EmergencyUnavailableError extends ApiError {}
/** ENTITLEMENT_NOT_FOUND, status 404. */
export class EntitlementNotFoundError extends ApiError {}
/** ENTITLEMENT_PROXY_EXISTS, status 409. */
export class EntitlementProxyExistsError extends ApiError {}
/** ENTITLEMENT_PROXY_NOT_FOUND, status 404. */
export class EntitlementProxyNotFoundError extends ApiError {}
/** EVENT_NOT_FOUND, status 404. */
export class EventNotFoundError extends ApiError {}
/** EXAMPLE_FAILED, status 400. */
export class ExampleFailedError extends ApiError {}
/** EXPORTS_TOO_MANY, status 400. */
export class ExportsTooManyError extends ApiError {}
/** EXPORT_NOT_FOUND, status 404. */
export class ExportNotFoundError extends ApiError {}
/** EXPRESSION_INVALID, status 400. */
export class ExpressionInvalidError extends ApiError {}
/** EXPRESSION_TOO_COSTLY, status 400. */
export class ExpressionTooCostlyError extends ApiError {}
/** FEDERATION_PROVIDERS_TOO_MANY, status 400. */
export class FederationProvidersTooManyError extends ApiError {}
/** FEDERATION_PROVIDER_IN_USE, status 400. */
export class FederationProviderInUseError extends ApiError {}
/** FEDERATION_PROVIDER_NOT_FOUND, status 404. */
export class FederationProviderNotFoundError extends ApiError {}
/** FEDERATION_TRUST_NOT_FOUND, status 404. */
export class FederationTrustNotFoundError extends ApiError {}
/** FIELD_NOT_SUPPORTED, status 400. */
export class FieldNotSupportedError extends ApiError {}
/** FRESH_SIGN_IN_REQUIRED, status 403. */
export class FreshSignInRequiredError extends ApiError {}
/** FUNCTIONS_UNAVAILABLE, status 400. */
export class FunctionsUnavailableError extends ApiError {}
/** GAIN_TOO_LARGE, status 403. */
export class GainTooLargeError extends ApiError {}
/** GRANT_BEYOND_REACH, status 403. */
export class GrantBeyondReachError extends ApiError {}
/** GRANT_NOT_FOUND, status 404. */
export class GrantNotFoundError extends ApiError {}
/** GRANT_TYPE_UNSUPPORTED, status 400. */
export class GrantTypeUnsupportedError extends ApiError {}
/** HEADERS_TOO_LARGE, status 431. */
export class HeadersTooLargeError extends ApiError {}
/** HELD_BEING_DECIDED, status 400. */
export class HeldBeingDecidedError extends ApiError {}
/** HOST_INVALID, status 400. */
export class HostInvalidError extends ApiError {}
/** IDEMPOTENCY_KEYS_TOO_MANY, status 429. */
export class IdempotencyKeysTooManyError extends ApiError {}
/** IDEMPOTENCY_KEY_IN_USE, status 409. */
export class IdempotencyKeyInUseError extends ApiError {}
/** IDEMPOTENCY_KEY_REUSED, status 422. */
export class IdempotencyKeyReusedError extends ApiError {}
/** IDENTITY_NOT_FOUND, status 404. */
export class IdentityNotFoundError extends ApiError {}
/** IMPORT_FILE_REFUSED, status 400. */
export class ImportFileRefusedError extends ApiError {}
/** IMPORT_NOT_FOUND, status 404. */
export class ImportNotFoundError extends ApiError {}
/** IMPORT_REFUSED, status 400. */
export class ImportRefusedError extends ApiError {}
/** IMPORT_REMOVES_TOO_MUCH, status 400. */
export class ImportRemovesTooMuchError extends ApiError {}
/** IMPORT_UNDER_WAY, status 409. */
export class ImportUnderWayError extends ApiError {}
/** INPUT_INVALID, status 400. */
export class InputInvalidError extends ApiError {}
/** INTERNAL, status 500. */
export class InternalError extends ApiError {}
/** INVITATION_NOT_FOUND, status 404. */
export class InvitationNotFoundError extends ApiError {}
/** ISSUER_UNAVAILABLE, status 503. */
export class IssuerUnavailableError extends ApiError {}
/** JOB_NOT_FOUND, status 404. */
export class JobNotFoundError extends ApiError {}
/** JOB_RUNNING, status 409. */
export class JobRunningError extends ApiError {}
/** JUSTIFICATION_REQUIRED, status 400. */
export class JustificationRequiredError extends ApiError {}
/** LAST_OWNER, status 400. */
export class LastOwnerError extends ApiError {}
/** LOST_RACE, status 409. */
export class LostRaceError extends ApiError {}
/** METHOD_NOT_ALLOWED, status 405. */
export class MethodNotAllowedError extends ApiError {}
/** NOT_A_PERSON, status 400. */
export class NotAPersonError extends ApiError {}
/** NOT_IMPLEMENTED, status 501. */
export class NotImplementedError extends ApiError {}
/** NOT_MERGEABLE, status 400. */
export class NotMergeableError extends ApiError {}
/** NOT_MERGED, status 404. */
export class NotMergedError extends ApiError {}
/** NOT_REQUESTABLE, status 403. */
export class NotRequestableError extends ApiError {}
/** OUTCOME_UNKNOWN, status 504. */
export class OutcomeUnknownError extends ApiError {}
/** OWNER_NOT_FOUND, status 404. */
export class OwnerNotFoundError extends ApiError {}
/** PAGE_TOKEN_INVALID, status 400. */
export class PageTokenInvalidError extends ApiError {}
/** PASSKEYS_TOO_MANY, status 400. */
export class PasskeysTooManyError extends ApiError {}
/** PASSKEYS_UNAVAILABLE, status 400. */
export class PasskeysUnavailableError extends ApiError {}
/** PASSKEY_EXISTS, status 409. */
export class PasskeyExistsError extends ApiError {}
/** PASSKEY_NOT_FOUND, status 404. */
export class PasskeyNotFoundError extends ApiError {}
/** PASSKEY_REFUSED, status 400. */
export class PasskeyRefusedError extends ApiError {}
/** PERMISSION_DENIED, status 403. */
export class PermissionDeniedError extends ApiError {}
/** PLAN_CHANGED, status 409. */
export class PlanChangedError extends ApiError {}
/** PLAN_OUTDATED, status 409. */
export class PlanOutdatedError extends ApiError {}
/** POLICY_BUILT_IN, status 400. */
export class PolicyBuiltInError extends ApiError {}
/** POLICY_CONDITION_FAILED, status 400. */
export class PolicyConditionFailedError extends ApiError {}
/** POLICY_IN_USE, status 400. */
export class PolicyInUseError extends ApiError {}
/** POLICY_LOCKS_OUT, status 400. */
export class PolicyLocksOutError extends ApiError {}
/** POLICY_NOT_FOUND, status 404. */
export class PolicyNotFoundError extends ApiError {}
/** PREVIEW_NOT_FOUND, status 404. */
export class PreviewNotFoundError extends ApiError {}
/** PROFILE_ENTRIES_TOO_MANY, status 400. */
export class ProfileEntriesTooManyError extends ApiError {}
/** REMEDY_UNAVAILABLE, status 400. */
export class RemedyUnavailableError extends ApiError {}
/** REMEDY_UNCONFIRMED, status 400. */
export class RemedyUnconfirmedError extends ApiError {}
/** REPLAY_SKIPS_EVENTS, status 400. */
export class ReplaySkipsEventsError extends ApiError {}
/** REQUESTABLE_ENTRY_NOT_FOUND, status 404. */
export class RequestableEntryNotFoundError extends ApiError {}
/** REQUEST_CATALOG_NOT_FOUND, status 404. */
export class RequestCatalogNotFoundError extends ApiError {}
/** REQUEST_DEFAULTS_NOT_FOUND, status 404. */
export class RequestDefaultsNotFoundError extends ApiError {}
/** REQUEST_MALFORMED, status 400. */
export class RequestMalformedError extends ApiError {}
/** REQUEST_SCHEMA_BINDING_NOT_FOUND, status 404. */
export class RequestSchemaBindingNotFoundError extends ApiError {}
/** REQUEST_SCHEMA_IN_USE, status 400. */
export class RequestSchemaInUseError extends ApiError {}
/** REQUEST_SCHEMA_NOT_FOUND, status 404. */
export class RequestSchemaNotFoundError extends ApiError {}
/** REQUEST_TIMEOUT, status 408. */
export class RequestTimeoutError extends ApiError {}
/** RESOURCE_NOT_FOUND, status 404. */
export class ResourceNotFoundError extends ApiError {}
/** RESOURCE_TYPE_NOT_FOUND, status 404. */
export class ResourceTypeNotFoundError extends ApiError {}
/** ROLE_BUILT_IN, status 400. */
export class RoleBuiltInError extends ApiError {}
/** ROLE_NOT_FOUND, status 404. */
export class RoleNotFoundError extends ApiError {}
/** ROUTE_NOT_FOUND, status 404. */
export class RouteNotFoundError extends ApiError {}
/** ROUTING_CONDITION_FAILED, status 400. */
export class RoutingConditionFailedError extends ApiError {}
/** ROUTING_RULES_TOO_MANY, status 400. */
export class RoutingRulesTooManyError extends ApiError {}
/** ROUTING_RULE_NOT_FOUND, status 404. */
export class RoutingRuleNotFoundError extends ApiError {}
/** RULE_VERSION_NOT_FOUND, status 404. */
export class RuleVersionNotFoundError extends ApiError {}
/** RUN_NOT_FOUND, status 404. */
export class RunNotFoundError extends ApiError {}
/** RUN_NOT_HELD, status 400. */
export class RunNotHeldError extends ApiError {}
/** RUN_NOT_UNDOABLE, status 400. */
export class RunNotUndoableError extends ApiError {}
/** RUN_UNDER_WAY, status 409. */
export class RunUnderWayError extends ApiError {}
/** SAVED_VIEWS_TOO_MANY, status 400. */
export class SavedViewsTooManyError extends ApiError {}
/** SAVED_VIEW_EXISTS, status 409. */
export class SavedViewExistsError extends ApiError {}
/** SAVED_VIEW_NOT_FOUND, status 404. */
export class SavedViewNotFoundError extends ApiError {}
/** SCIM_REFUSED, status 400. */
export class ScimRefusedError extends ApiError {}
/** SCIM_RESOURCE_NOT_FOUND, status 404. */
export class ScimResourceNotFoundError extends ApiError {}
/** SCIM_UNIQUENESS, status 409. */
export class ScimUniquenessError extends ApiError {}
/** SCOPE_INVALID, status 400. */
export class ScopeInvalidError extends ApiError {}
/** SECRET_ALREADY_SENT, status 409. */
export class SecretAlreadySentError extends ApiError {}
/** SERVER_BUSY, status 503. */
export class ServerBusyError extends ApiError {}
/** SERVICE_PRINCIPAL_DISABLED, status 400. */
export class ServicePrincipalDisabledError extends ApiError {}
/** SERVICE_PRINCIPAL_NOT_FOUND, status 404. */
export class ServicePrincipalNotFoundError extends ApiError {}
/** SESSION_ENDED, status 401. */
export class SessionEndedError extends ApiError {}
/** SESSION_NOT_FOUND, status 404. */
export class SessionNotFoundError extends ApiError {}
/** SESSION_REQUIRED, status 403. */
export class SessionRequiredError extends ApiError {}
/** SIGN_IN_REFUSED, status 400. */
export class SignInRefusedError extends ApiError {}
/** SOURCE_ADDRESS_DENIED, status 403. */
export class SourceAddressDeniedError extends ApiError {}
/** SUBJECT_DISABLED, status 400. */
export class SubjectDisabledError extends ApiError {}
/** SUBJECT_TOKEN_REFUSED, status 400. */
export class SubjectTokenRefusedError extends ApiError {}
/** SUBSCRIPTIONS_TOO_MANY, status 400. */
export class SubscriptionsTooManyError extends ApiError {}
/** SUBSCRIPTION_NOT_FOUND, status 404. */
export class SubscriptionNotFoundError extends ApiError {}
/** SUBSCRIPTION_STATE, status 400. */
export class SubscriptionStateError extends ApiError {}
/** TARGET_INVALID, status 400. */
export class TargetInvalidError extends ApiError {}
/** TASK_ACTION_NOT_ALLOWED, status 403. */
export class TaskActionNotAllowedError extends ApiError {}
/** TASK_CHANGED, status 409. */
export class TaskChangedError extends ApiError {}
/** TASK_EXISTS, status 409. */
export class TaskExistsError extends ApiError {}
/** TASK_HISTORY_FULL, status 400. */
export class TaskHistoryFullError extends ApiError {}
/** TASK_NOT_FOUND, status 404. */
export class TaskNotFoundError extends ApiError {}
/** TASK_REASON_REQUIRED, status 400. */
export class TaskReasonRequiredError extends ApiError {}
/** TASK_STEP_NOT_CURRENT, status 409. */
export class TaskStepNotCurrentError extends ApiError {}
/** TENANT_NOT_FOUND, status 404. */
export class TenantNotFoundError extends ApiError {}
/** TOKEN_EXPIRED, status 401. */
export class TokenExpiredError extends ApiError {}
/** TOKEN_INVALID, status 401. */
export class TokenInvalidError extends ApiError {}
/** TOKEN_MISSING, status 401. */
export class TokenMissingError extends ApiError {}
/** TOKEN_OF_ANOTHER_CLIENT, status 400. */
export class TokenOfAnotherClientError extends ApiError {}
/** TOO_MANY_AT_ONCE, status 429. */
export class TooManyAtOnceError extends ApiError {}
/** TOO_MANY_FAILURES, status 429. */
export class TooManyFailuresError extends ApiError {}
/** TOO_MANY_REQUESTS, status 429. */
export class TooManyRequestsError extends ApiError {}
/** URL_MALFORMED, status 400. */
export class UrlMalformedError extends ApiError {}
/** USER_DISABLED, status 401. */
export class UserDisabledError extends ApiError {}
/** USER_MERGED, status 400. */
export class UserMergedError extends ApiError {}
/** USER_NOT_FOUND, status 404. */
export class UserNotFoundError extends ApiError {}
/** VERSION_MISMATCH, status 412. */
export class VersionMismatchError extends ApiError {}
/** WEBHOOK_CALLBACK_NOT_FOUND, status 404. */
export class WebhookCallbackNotFoundError extends ApiError {}
/** WEBHOOK_CALLBACK_OVER, status 400. */
export class WebhookCallbackOverError extends ApiError {}
/** WEBHOOK_DELIVERY_NOT_FOUND, status 404. */
export class WebhookDeliveryNotFoundError extends ApiError {}
/** WEBHOOK_NOT_FOUND, status 404. */
export class WebhookNotFoundError extends ApiError {}

/** The class of each reason. */
export const errorClasses: Readonly<Record<ErrorReason, typeof ApiError>> = {
  ACCESS_NOT_HELD: AccessNotHeldError,
  ACCESS_REMOVAL_NOT_FOUND: AccessRemovalNotFoundError,
  ACCOUNT_AMBIGUOUS: AccountAmbiguousError,
  ACCOUNT_NOT_FOUND: AccountNotFoundError,
  APP_BUILT_IN: AppBuiltInError,
  APP_NOT_FOUND: AppNotFoundError,
  ATTRIBUTE_TYPE_NOT_FOUND: AttributeTypeNotFoundError,
  ATTRIBUTE_VALUE_EXISTS: AttributeValueExistsError,
  ATTRIBUTE_VALUE_NOT_FOUND: AttributeValueNotFoundError,
  AUTOMATION_CIRCLE: AutomationCircleError,
  AUTOMATION_DISABLED: AutomationDisabledError,
  AUTOMATION_EXISTS: AutomationExistsError,
  AUTOMATION_NOT_FOUND: AutomationNotFoundError,
  AUTOMATION_NOT_PAUSED: AutomationNotPausedError,
  BODY_MALFORMED: BodyMalformedError,
  BODY_TOO_LARGE: BodyTooLargeError,
  BULK_ACTION_NOT_FOUND: BulkActionNotFoundError,
  BULK_UNCONFIRMED: BulkUnconfirmedError,
  CANNOT_DISABLE_SELF: CannotDisableSelfError,
  CANNOT_MERGE_SELF: CannotMergeSelfError,
  CHANGE_KIND_NOT_FOUND: ChangeKindNotFoundError,
  CHANGE_NEEDS_APPROVAL: ChangeNeedsApprovalError,
  CHANGE_NOT_FOUND: ChangeNotFoundError,
  CHAT_NOT_FOUND: ChatNotFoundError,
  CLIENT_GONE: ClientGoneError,
  CLIENT_REFUSED: ClientRefusedError,
  CONNECTOR_BUILT_IN: ConnectorBuiltInError,
  CONNECTOR_CATALOG_NOT_FOUND: ConnectorCatalogNotFoundError,
  CONNECTOR_FILE_NOT_KEPT: ConnectorFileNotKeptError,
  CONNECTOR_HOSTED: ConnectorHostedError,
  CONNECTOR_NOT_FOUND: ConnectorNotFoundError,
  CONNECTOR_NOT_SCIM: ConnectorNotScimError,
  CONNECTOR_PAUSED: ConnectorPausedError,
  CONNECTOR_TASK_NOT_FOUND: ConnectorTaskNotFoundError,
  CONNECTOR_TASK_STATE: ConnectorTaskStateError,
  CONTENT_TYPE_UNSUPPORTED: ContentTypeUnsupportedError,
  CREDENTIALS_TOO_MANY: CredentialsTooManyError,
  CREDENTIAL_NOT_FOUND: CredentialNotFoundError,
  CREDENTIAL_REVOKED: CredentialRevokedError,
  CROSS_SITE_REFUSED: CrossSiteRefusedError,
  DATABASE_AWAY: DatabaseAwayError,
  DECISION_NOT_UNDOABLE: DecisionNotUndoableError,
  DELEGATION_ENDED: DelegationEndedError,
  DELIVERY_NOT_FOUND: DeliveryNotFoundError,
  DEVICE_CODE_EXPIRED: DeviceCodeExpiredError,
  DEVICE_CODE_INVALID: DeviceCodeInvalidError,
  DEVICE_DENIED: DeviceDeniedError,
  DEVICE_NOT_FOUND: DeviceNotFoundError,
  DEVICE_PENDING: DevicePendingError,
  DEVICE_POLLED_TOO_SOON: DevicePolledTooSoonError,
  DEVICE_REQUEST_NOT_FOUND: DeviceRequestNotFoundError,
  DIRECTORY_DISABLES_TOO_MANY: DirectoryDisablesTooManyError,
  DIRECTORY_EXISTS: DirectoryExistsError,
  DIRECTORY_NOT_FOUND: DirectoryNotFoundError,
  DIRECTORY_PLAN_NOT_FOUND: DirectoryPlanNotFoundError,
  DIRECTORY_TOKENS_TOO_MANY: DirectoryTokensTooManyError,
  DIRECTORY_TOKEN_NOT_FOUND: DirectoryTokenNotFoundError,
  DPOP_NONCE_REQUIRED: DpopNonceRequiredError,
  DPOP_PROOF_INVALID: DpopProofInvalidError,
  DRIFT_NOT_FOUND: DriftNotFoundError,
  DRIFT_RUN_NOT_FOUND: DriftRunNotFoundError,
  DURATION_TOO_LONG: DurationTooLongError,
  EMERGENCY_UNAVAILABLE: EmergencyUnavailableError,
  ENTITLEMENT_NOT_FOUND: EntitlementNotFoundError,
  ENTITLEMENT_PROXY_EXISTS: EntitlementProxyExistsError,
  ENTITLEMENT_PROXY_NOT_FOUND: EntitlementProxyNotFoundError,
  EVENT_NOT_FOUND: EventNotFoundError,
  EXAMPLE_FAILED: ExampleFailedError,
  EXPORTS_TOO_MANY: ExportsTooManyError,
  EXPORT_NOT_FOUND: ExportNotFoundError,
  EXPRESSION_INVALID: ExpressionInvalidError,
  EXPRESSION_TOO_COSTLY: ExpressionTooCostlyError,
  FEDERATION_PROVIDERS_TOO_MANY: FederationProvidersTooManyError,
  FEDERATION_PROVIDER_IN_USE: FederationProviderInUseError,
  FEDERATION_PROVIDER_NOT_FOUND: FederationProviderNotFoundError,
  FEDERATION_TRUST_NOT_FOUND: FederationTrustNotFoundError,
  FIELD_NOT_SUPPORTED: FieldNotSupportedError,
  FRESH_SIGN_IN_REQUIRED: FreshSignInRequiredError,
  FUNCTIONS_UNAVAILABLE: FunctionsUnavailableError,
  GAIN_TOO_LARGE: GainTooLargeError,
  GRANT_BEYOND_REACH: GrantBeyondReachError,
  GRANT_NOT_FOUND: GrantNotFoundError,
  GRANT_TYPE_UNSUPPORTED: GrantTypeUnsupportedError,
  HEADERS_TOO_LARGE: HeadersTooLargeError,
  HELD_BEING_DECIDED: HeldBeingDecidedError,
  HOST_INVALID: HostInvalidError,
  IDEMPOTENCY_KEYS_TOO_MANY: IdempotencyKeysTooManyError,
  IDEMPOTENCY_KEY_IN_USE: IdempotencyKeyInUseError,
  IDEMPOTENCY_KEY_REUSED: IdempotencyKeyReusedError,
  IDENTITY_NOT_FOUND: IdentityNotFoundError,
  IMPORT_FILE_REFUSED: ImportFileRefusedError,
  IMPORT_NOT_FOUND: ImportNotFoundError,
  IMPORT_REFUSED: ImportRefusedError,
  IMPORT_REMOVES_TOO_MUCH: ImportRemovesTooMuchError,
  IMPORT_UNDER_WAY: ImportUnderWayError,
  INPUT_INVALID: InputInvalidError,
  INTERNAL: InternalError,
  INVITATION_NOT_FOUND: InvitationNotFoundError,
  ISSUER_UNAVAILABLE: IssuerUnavailableError,
  JOB_NOT_FOUND: JobNotFoundError,
  JOB_RUNNING: JobRunningError,
  JUSTIFICATION_REQUIRED: JustificationRequiredError,
  LAST_OWNER: LastOwnerError,
  LOST_RACE: LostRaceError,
  METHOD_NOT_ALLOWED: MethodNotAllowedError,
  NOT_A_PERSON: NotAPersonError,
  NOT_IMPLEMENTED: NotImplementedError,
  NOT_MERGEABLE: NotMergeableError,
  NOT_MERGED: NotMergedError,
  NOT_REQUESTABLE: NotRequestableError,
  OUTCOME_UNKNOWN: OutcomeUnknownError,
  OWNER_NOT_FOUND: OwnerNotFoundError,
  PAGE_TOKEN_INVALID: PageTokenInvalidError,
  PASSKEYS_TOO_MANY: PasskeysTooManyError,
  PASSKEYS_UNAVAILABLE: PasskeysUnavailableError,
  PASSKEY_EXISTS: PasskeyExistsError,
  PASSKEY_NOT_FOUND: PasskeyNotFoundError,
  PASSKEY_REFUSED: PasskeyRefusedError,
  PERMISSION_DENIED: PermissionDeniedError,
  PLAN_CHANGED: PlanChangedError,
  PLAN_OUTDATED: PlanOutdatedError,
  POLICY_BUILT_IN: PolicyBuiltInError,
  POLICY_CONDITION_FAILED: PolicyConditionFailedError,
  POLICY_IN_USE: PolicyInUseError,
  POLICY_LOCKS_OUT: PolicyLocksOutError,
  POLICY_NOT_FOUND: PolicyNotFoundError,
  PREVIEW_NOT_FOUND: PreviewNotFoundError,
  PROFILE_ENTRIES_TOO_MANY: ProfileEntriesTooManyError,
  REMEDY_UNAVAILABLE: RemedyUnavailableError,
  REMEDY_UNCONFIRMED: RemedyUnconfirmedError,
  REPLAY_SKIPS_EVENTS: ReplaySkipsEventsError,
  REQUESTABLE_ENTRY_NOT_FOUND: RequestableEntryNotFoundError,
  REQUEST_CATALOG_NOT_FOUND: RequestCatalogNotFoundError,
  REQUEST_DEFAULTS_NOT_FOUND: RequestDefaultsNotFoundError,
  REQUEST_MALFORMED: RequestMalformedError,
  REQUEST_SCHEMA_BINDING_NOT_FOUND: RequestSchemaBindingNotFoundError,
  REQUEST_SCHEMA_IN_USE: RequestSchemaInUseError,
  REQUEST_SCHEMA_NOT_FOUND: RequestSchemaNotFoundError,
  REQUEST_TIMEOUT: RequestTimeoutError,
  RESOURCE_NOT_FOUND: ResourceNotFoundError,
  RESOURCE_TYPE_NOT_FOUND: ResourceTypeNotFoundError,
  ROLE_BUILT_IN: RoleBuiltInError,
  ROLE_NOT_FOUND: RoleNotFoundError,
  ROUTE_NOT_FOUND: RouteNotFoundError,
  ROUTING_CONDITION_FAILED: RoutingConditionFailedError,
  ROUTING_RULES_TOO_MANY: RoutingRulesTooManyError,
  ROUTING_RULE_NOT_FOUND: RoutingRuleNotFoundError,
  RULE_VERSION_NOT_FOUND: RuleVersionNotFoundError,
  RUN_NOT_FOUND: RunNotFoundError,
  RUN_NOT_HELD: RunNotHeldError,
  RUN_NOT_UNDOABLE: RunNotUndoableError,
  RUN_UNDER_WAY: RunUnderWayError,
  SAVED_VIEWS_TOO_MANY: SavedViewsTooManyError,
  SAVED_VIEW_EXISTS: SavedViewExistsError,
  SAVED_VIEW_NOT_FOUND: SavedViewNotFoundError,
  SCIM_REFUSED: ScimRefusedError,
  SCIM_RESOURCE_NOT_FOUND: ScimResourceNotFoundError,
  SCIM_UNIQUENESS: ScimUniquenessError,
  SCOPE_INVALID: ScopeInvalidError,
  SECRET_ALREADY_SENT: SecretAlreadySentError,
  SERVER_BUSY: ServerBusyError,
  SERVICE_PRINCIPAL_DISABLED: ServicePrincipalDisabledError,
  SERVICE_PRINCIPAL_NOT_FOUND: ServicePrincipalNotFoundError,
  SESSION_ENDED: SessionEndedError,
  SESSION_NOT_FOUND: SessionNotFoundError,
  SESSION_REQUIRED: SessionRequiredError,
  SIGN_IN_REFUSED: SignInRefusedError,
  SOURCE_ADDRESS_DENIED: SourceAddressDeniedError,
  SUBJECT_DISABLED: SubjectDisabledError,
  SUBJECT_TOKEN_REFUSED: SubjectTokenRefusedError,
  SUBSCRIPTIONS_TOO_MANY: SubscriptionsTooManyError,
  SUBSCRIPTION_NOT_FOUND: SubscriptionNotFoundError,
  SUBSCRIPTION_STATE: SubscriptionStateError,
  TARGET_INVALID: TargetInvalidError,
  TASK_ACTION_NOT_ALLOWED: TaskActionNotAllowedError,
  TASK_CHANGED: TaskChangedError,
  TASK_EXISTS: TaskExistsError,
  TASK_HISTORY_FULL: TaskHistoryFullError,
  TASK_NOT_FOUND: TaskNotFoundError,
  TASK_REASON_REQUIRED: TaskReasonRequiredError,
  TASK_STEP_NOT_CURRENT: TaskStepNotCurrentError,
  TENANT_NOT_FOUND: TenantNotFoundError,
  TOKEN_EXPIRED: TokenExpiredError,
  TOKEN_INVALID: TokenInvalidError,
  TOKEN_MISSING: TokenMissingError,
  TOKEN_OF_ANOTHER_CLIENT: TokenOfAnotherClientError,
  TOO_MANY_AT_ONCE: TooManyAtOnceError,
  TOO_MANY_FAILURES: TooManyFailuresError,
  TOO_MANY_REQUESTS: TooManyRequestsError,
  URL_MALFORMED: UrlMalformedError,
  USER_DISABLED: UserDisabledError,
  USER_MERGED: UserMergedError,
  USER_NOT_FOUND: UserNotFoundError,
  VERSION_MISMATCH: VersionMismatchError,
  WEBHOOK_CALLBACK_NOT_FOUND: WebhookCallbackNotFoundError,
  WEBHOOK_CALLBACK_OVER: WebhookCallbackOverError,
  WEBHOOK_DELIVERY_NOT_FOUND: WebhookDeliveryNotFoundError,
  WEBHOOK_NOT_FOUND: WebhookNotFoundError,
}
