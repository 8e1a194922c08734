/**
 * Every reason to refuse a request, and the status of the response. The list is closed: a reason that is not here does
 * not compile. `[HTTP status, gRPC code]`.
 */
export const refusals = {
  INPUT_INVALID: [400, 3],
  FIELD_NOT_SUPPORTED: [400, 3],
  BODY_MALFORMED: [400, 3],
  URL_MALFORMED: [400, 3],
  REQUEST_MALFORMED: [400, 3],
  HOST_INVALID: [400, 3],
  PAGE_TOKEN_INVALID: [400, 3],
  GRANT_TYPE_UNSUPPORTED: [400, 3],
  TOKEN_OF_ANOTHER_CLIENT: [400, 3],
  SCOPE_INVALID: [400, 3],
  TARGET_INVALID: [400, 3],
  DEVICE_CODE_INVALID: [400, 3],
  DEVICE_CODE_EXPIRED: [400, 9],
  DEVICE_PENDING: [400, 9],
  DEVICE_POLLED_TOO_SOON: [400, 9],
  DEVICE_DENIED: [400, 9],
  SUBJECT_TOKEN_REFUSED: [400, 3],
  FEDERATION_PROVIDER_IN_USE: [400, 9],
  FEDERATION_PROVIDERS_TOO_MANY: [400, 9],
  CREDENTIALS_TOO_MANY: [400, 9],
  ROLE_BUILT_IN: [400, 9],
  LAST_OWNER: [400, 9],
  CANNOT_DISABLE_SELF: [400, 9],
  NOT_A_PERSON: [400, 9],
  SERVICE_PRINCIPAL_DISABLED: [400, 9],
  FUNCTIONS_UNAVAILABLE: [400, 9],
  ACCOUNT_AMBIGUOUS: [400, 9],
  IMPORT_REFUSED: [400, 3],
  IMPORT_FILE_REFUSED: [400, 3],
  EXPRESSION_INVALID: [400, 3],
  EXPRESSION_TOO_COSTLY: [400, 3],
  IMPORT_REMOVES_TOO_MUCH: [400, 9],
  SIGN_IN_REFUSED: [400, 3],
  PASSKEY_REFUSED: [400, 3],
  PASSKEYS_TOO_MANY: [400, 9],
  PASSKEYS_UNAVAILABLE: [400, 9],
  POLICY_LOCKS_OUT: [400, 9],
  POLICY_BUILT_IN: [400, 9],
  POLICY_IN_USE: [400, 9],
  REQUEST_SCHEMA_IN_USE: [400, 9],
  APP_BUILT_IN: [400, 9],
  PROFILE_ENTRIES_TOO_MANY: [400, 9],
  AUTOMATION_DISABLED: [400, 9],
  AUTOMATION_NOT_PAUSED: [400, 9],
  DURATION_TOO_LONG: [400, 9],
  SUBJECT_DISABLED: [400, 9],
  EMERGENCY_UNAVAILABLE: [400, 9],
  REMEDY_UNAVAILABLE: [400, 9],
  REMEDY_UNCONFIRMED: [400, 9],
  BULK_UNCONFIRMED: [400, 9],
  POLICY_CONDITION_FAILED: [400, 9],
  ROUTING_CONDITION_FAILED: [400, 9],
  ROUTING_RULES_TOO_MANY: [400, 9],
  JUSTIFICATION_REQUIRED: [400, 3],
  TASK_REASON_REQUIRED: [400, 3],
  TASK_HISTORY_FULL: [400, 9],
  ACCESS_NOT_HELD: [400, 9],
  AUTOMATION_CIRCLE: [400, 9],
  EXAMPLE_FAILED: [400, 9],
  RUN_NOT_HELD: [400, 9],
  CONNECTOR_PAUSED: [400, 9],
  CONNECTOR_HOSTED: [400, 9],
  CONNECTOR_BUILT_IN: [400, 9],
  CONNECTOR_NOT_SCIM: [400, 9],
  CONNECTOR_FILE_NOT_KEPT: [400, 9],
  CONNECTOR_TASK_STATE: [400, 9],
  RUN_NOT_UNDOABLE: [400, 9],
  DECISION_NOT_UNDOABLE: [400, 9],
  WEBHOOK_CALLBACK_OVER: [400, 9],
  SUBSCRIPTIONS_TOO_MANY: [400, 9],
  SUBSCRIPTION_STATE: [400, 9],
  REPLAY_SKIPS_EVENTS: [400, 9],
  SCIM_REFUSED: [400, 3],
  DIRECTORY_TOKENS_TOO_MANY: [400, 9],
  HELD_BEING_DECIDED: [400, 9],
  EXPORTS_TOO_MANY: [400, 9],
  SAVED_VIEWS_TOO_MANY: [400, 9],
  TOKEN_MISSING: [401, 16],
  TOKEN_INVALID: [401, 16],
  TOKEN_EXPIRED: [401, 16],
  CREDENTIAL_REVOKED: [401, 16],
  USER_DISABLED: [401, 16],
  SESSION_ENDED: [401, 16],
  CLIENT_REFUSED: [401, 16],
  DPOP_PROOF_INVALID: [401, 16],
  DPOP_NONCE_REQUIRED: [401, 16],
  PERMISSION_DENIED: [403, 7],
  GRANT_BEYOND_REACH: [403, 7],
  GAIN_TOO_LARGE: [403, 7],
  NOT_REQUESTABLE: [403, 7],
  TASK_ACTION_NOT_ALLOWED: [403, 7],
  DELEGATION_ENDED: [403, 7],
  SOURCE_ADDRESS_DENIED: [403, 7],
  SESSION_REQUIRED: [403, 7],
  FRESH_SIGN_IN_REQUIRED: [403, 7],
  CROSS_SITE_REFUSED: [403, 7],
  SUBSCRIPTION_NOT_FOUND: [404, 5],
  DELIVERY_NOT_FOUND: [404, 5],
  EVENT_NOT_FOUND: [404, 5],
  EXPORT_NOT_FOUND: [404, 5],
  SAVED_VIEW_NOT_FOUND: [404, 5],
  DRIFT_NOT_FOUND: [404, 5],
  DRIFT_RUN_NOT_FOUND: [404, 5],
  ACCESS_REMOVAL_NOT_FOUND: [404, 5],
  BULK_ACTION_NOT_FOUND: [404, 5],
  APP_NOT_FOUND: [404, 5],
  ATTRIBUTE_TYPE_NOT_FOUND: [404, 5],
  ATTRIBUTE_VALUE_NOT_FOUND: [404, 5],
  CREDENTIAL_NOT_FOUND: [404, 5],
  ENTITLEMENT_NOT_FOUND: [404, 5],
  ENTITLEMENT_PROXY_NOT_FOUND: [404, 5],
  RESOURCE_NOT_FOUND: [404, 5],
  RESOURCE_TYPE_NOT_FOUND: [404, 5],
  ROLE_NOT_FOUND: [404, 5],
  USER_NOT_FOUND: [404, 5],
  SERVICE_PRINCIPAL_NOT_FOUND: [404, 5],
  FEDERATION_PROVIDER_NOT_FOUND: [404, 5],
  FEDERATION_TRUST_NOT_FOUND: [404, 5],
  ACCOUNT_NOT_FOUND: [404, 5],
  GRANT_NOT_FOUND: [404, 5],
  OWNER_NOT_FOUND: [404, 5],
  IMPORT_NOT_FOUND: [404, 5],
  CONNECTOR_NOT_FOUND: [404, 5],
  CONNECTOR_TASK_NOT_FOUND: [404, 5],
  CONNECTOR_CATALOG_NOT_FOUND: [404, 5],
  JOB_NOT_FOUND: [404, 5],
  SESSION_NOT_FOUND: [404, 5],
  INVITATION_NOT_FOUND: [404, 5],
  DEVICE_REQUEST_NOT_FOUND: [404, 5],
  DEVICE_NOT_FOUND: [404, 5],
  PASSKEY_NOT_FOUND: [404, 5],
  IDENTITY_NOT_FOUND: [404, 5],
  AUTOMATION_NOT_FOUND: [404, 5],
  RUN_NOT_FOUND: [404, 5],
  RULE_VERSION_NOT_FOUND: [404, 5],
  POLICY_NOT_FOUND: [404, 5],
  REQUEST_SCHEMA_NOT_FOUND: [404, 5],
  REQUEST_SCHEMA_BINDING_NOT_FOUND: [404, 5],
  ROUTING_RULE_NOT_FOUND: [404, 5],
  REQUEST_DEFAULTS_NOT_FOUND: [404, 5],
  TASK_NOT_FOUND: [404, 5],
  REQUEST_CATALOG_NOT_FOUND: [404, 5],
  REQUESTABLE_ENTRY_NOT_FOUND: [404, 5],
  WEBHOOK_NOT_FOUND: [404, 5],
  WEBHOOK_DELIVERY_NOT_FOUND: [404, 5],
  WEBHOOK_CALLBACK_NOT_FOUND: [404, 5],
  CHAT_NOT_FOUND: [404, 5],
  PREVIEW_NOT_FOUND: [404, 5],
  CHANGE_NOT_FOUND: [404, 5],
  CHANGE_KIND_NOT_FOUND: [404, 5],
  SCIM_RESOURCE_NOT_FOUND: [404, 5],
  DIRECTORY_NOT_FOUND: [404, 5],
  DIRECTORY_TOKEN_NOT_FOUND: [404, 5],
  TENANT_NOT_FOUND: [404, 5],
  ROUTE_NOT_FOUND: [404, 5],
  METHOD_NOT_ALLOWED: [405, 12],
  REQUEST_TIMEOUT: [408, 4],
  ATTRIBUTE_VALUE_EXISTS: [409, 6],
  ENTITLEMENT_PROXY_EXISTS: [409, 6],
  AUTOMATION_EXISTS: [409, 6],
  SAVED_VIEW_EXISTS: [409, 6],
  TASK_EXISTS: [409, 6],
  TASK_STEP_NOT_CURRENT: [409, 10],
  TASK_CHANGED: [409, 10],
  CHANGE_NEEDS_APPROVAL: [409, 9],
  RUN_UNDER_WAY: [409, 10],
  PLAN_OUTDATED: [409, 10],
  DIRECTORY_EXISTS: [409, 6],
  NOT_MERGEABLE: [400, 9],
  NOT_MERGED: [404, 5],
  USER_MERGED: [400, 9],
  CANNOT_MERGE_SELF: [400, 9],
  DIRECTORY_PLAN_NOT_FOUND: [404, 5],
  DIRECTORY_DISABLES_TOO_MANY: [400, 9],
  PLAN_CHANGED: [409, 10],
  IMPORT_UNDER_WAY: [409, 10],
  JOB_RUNNING: [409, 10],
  PASSKEY_EXISTS: [409, 6],
  LOST_RACE: [409, 10],
  IDEMPOTENCY_KEY_IN_USE: [409, 10],
  SECRET_ALREADY_SENT: [409, 6],
  SCIM_UNIQUENESS: [409, 6],
  VERSION_MISMATCH: [412, 9],
  BODY_TOO_LARGE: [413, 3],
  CONTENT_TYPE_UNSUPPORTED: [415, 3],
  IDEMPOTENCY_KEY_REUSED: [422, 3],
  TOO_MANY_FAILURES: [429, 8],
  TOO_MANY_REQUESTS: [429, 8],
  IDEMPOTENCY_KEYS_TOO_MANY: [429, 8],
  TOO_MANY_AT_ONCE: [429, 8],
  HEADERS_TOO_LARGE: [431, 3],
  CLIENT_GONE: [499, 1],
  INTERNAL: [500, 13],
  NOT_IMPLEMENTED: [501, 12],
  DATABASE_AWAY: [503, 14],
  SERVER_BUSY: [503, 14],
  ISSUER_UNAVAILABLE: [503, 14],
  OUTCOME_UNKNOWN: [504, 4],
} as const satisfies Record<string, readonly [status: number, code: number]>

export type Reason = keyof typeof refusals
/** `reason` is set if a field is valid, but belongs to a feature that Bailiwick does not have. */
export type FieldViolation = { field: string; description: string; reason?: 'FIELD_NOT_SUPPORTED' }
export type RefusalDetail = {
  /** Names and values for programs: google.rpc.ErrorInfo `metadata`. */
  metadata?: Record<string, string>
  /** What exists already: cone reads `details[0].id` of a duplicate request. */
  existingId?: string
  /** What is wrong with which field: google.rpc.BadRequest. */
  violations?: readonly FieldViolation[]
  /** For temporary refusals: the `Retry-After` header. */
  retryAfterSeconds?: number
  /** Not an attempt by anyone: a browser whose session ended still has its cookie. See `asksWhoIsThere` of a route. */
  isExpected?: true
  /** Headers of the reply. */
  headers?: Readonly<Record<string, string>>
}

/** A request that is refused. Anything else that is thrown is a bug and leaves as a bare 500. */
export class Refusal extends Error {
  readonly reason: Reason
  readonly detail: RefusalDetail

  constructor(reason: Reason, message: string, detail: RefusalDetail = {}) {
    super(message)
    this.name = 'Refusal'
    this.reason = reason
    this.detail = detail
  }

  get status(): number {
    return refusals[this.reason][0]
  }

  get code(): number {
    return refusals[this.reason][1]
  }
}

/** A timeout, which is never the fault of a request: that is decided by counting work. `what` is a clause. */
export const serverBusy = (what: string, retryAfterSeconds = 5): Refusal =>
  new Refusal('SERVER_BUSY', `${what}, and nothing was changed; try again shortly.`, { retryAfterSeconds })

// Enough to fix a request, whatever was sent.
const violationsMax = 20

/** A published field or filter of a feature that Bailiwick does not have: refused rather than silently ignored. */
export const notSupported = (field: string, description = 'is not supported by this service'): FieldViolation => ({
  field,
  description,
  reason: 'FIELD_NOT_SUPPORTED',
})

/** Bad input: each violation names its field. */
export function invalid(...all: [FieldViolation, ...FieldViolation[]]): Refusal {
  const violations = all.slice(0, violationsMax)
  const more = all.length > violations.length ? `; and ${all.length - violations.length} more` : ''
  const reason = all.every((each) => each.reason === 'FIELD_NOT_SUPPORTED') ? 'FIELD_NOT_SUPPORTED' : 'INPUT_INVALID'
  return new Refusal(reason, violations.map((v) => `${v.field}: ${v.description}`).join('; ') + more, {
    violations,
  })
}
