import type { Actor, Call, Tenancy } from '#kernel/routes.ts'
import { version } from '#kernel/version.ts'

/**
 * Events as the Open Cybersecurity Schema Framework 1.3 writes them, so that any collector reads them. The numbers are
 * the schema's own: https://schema.ocsf.io/1.3.0/
 */
export type OcsfEvent = { readonly [field: string]: unknown }

/** A thing that was touched. Never a secret, and never more of a person than id and name. */
export type Touched = { type: string; id: string; name?: string; data?: object }

const activityIds = { create: 1, read: 2, update: 3, delete: 4 } as const
export type Activity = keyof typeof activityIds

/** What an event tells of the request that caused it; operator commands have no address and no token. */
export type Cause = {
  tenant: Tenancy
  actor: Pick<Actor, 'userId' | 'name' | 'email' | 'credentialId' | 'tokenId'>
  operation: string
  requestId: string
  sourceAddress: string
}
export const causeOf = ({ tenant, actor, operation, requestId, sourceAddress }: Call): Cause => ({
  tenant,
  actor,
  operation,
  requestId,
  sourceAddress,
})

/** The operator's own hand: a command on the machine, outside any request. */
export const operatorCause = (tenant: Tenancy, command: string): Cause => ({
  tenant,
  actor: { userId: '', name: 'operator', email: '', credentialId: '', tokenId: '' },
  operation: `bailiwick ${command}`,
  requestId: '',
  sourceAddress: '127.0.0.1',
})

const informational = 1
const medium = 3

const metadata = (tenant: Tenancy): object => ({
  version: '1.3.0',
  product: { name: 'Bailiwick', vendor_name: 'Bailiwick', version },
  tenant_uid: tenant.publicId,
})

const userOf = ({ userId, name, email }: Cause['actor']): object => ({
  ...(userId && { uid: userId }),
  ...(email && { email_addr: email }),
  ...(name && { name }),
})

const apiActivity = (cause: Cause, activity: Activity | null): OcsfEvent => {
  const activityId = activity ? activityIds[activity] : 99
  return {
    class_uid: 6003,
    class_name: 'API Activity',
    category_uid: 6,
    category_name: 'Application Activity',
    activity_id: activityId,
    activity_name: activity ? activity[0]?.toUpperCase() + activity.slice(1) : 'Other',
    type_uid: 600_300 + activityId,
    metadata: metadata(cause.tenant),
    actor: {
      user: userOf(cause.actor),
      ...(cause.actor.tokenId && { session: { uid: cause.actor.tokenId, credential_uid: cause.actor.credentialId } }),
    },
    src_endpoint: { ip: cause.sourceAddress },
    dst_endpoint: { hostname: cause.tenant.domain },
  }
}

/** Something was changed (or read, where that is worth telling). */
export const change = (cause: Cause, activity: Activity, message: string, touched: readonly Touched[]): OcsfEvent => ({
  ...apiActivity(cause, activity),
  severity_id: informational,
  severity: 'Informational',
  status_id: 1,
  status: 'Success',
  message,
  api: { operation: cause.operation, request: { uid: cause.requestId } },
  resources: touched.map(({ type, id, name, data }) => ({
    type,
    uid: id,
    ...(name && { name }),
    ...(data && { data }),
  })),
})

/** A request was turned away because of who made it. */
export const denial = (
  cause: Cause,
  refusal: { reason: string; message: string; status: number },
  unrecorded: number,
): OcsfEvent => ({
  ...apiActivity(cause, null),
  severity_id: medium,
  severity: 'Medium',
  status_id: 2,
  status: 'Failure',
  status_code: refusal.reason,
  status_detail: refusal.message,
  message: `Denied ${cause.operation || 'a request'}: ${refusal.message}`,
  api: {
    operation: cause.operation,
    request: { uid: cause.requestId },
    response: { code: refusal.status, error: refusal.reason },
  },
  ...(unrecorded > 0 && { unmapped: { unrecorded_denials: unrecorded } }),
})

export type Attempt = {
  tenant: Tenancy
  requestId: string
  sourceAddress: string
  clientId: string
  method: string
  user: { id: string; name: string; email: string } | null
  /** The token that was issued, or why none was. */
  outcome: { tokenId: string; expiresAt: Date } | { reason: string; unrecorded: number }
}

const logonId = 1
const oauth2Id = 6

/** An access token was asked for: OCSF Authentication, class 3002. */
export const authentication = ({ tenant, outcome, user, ...attempt }: Attempt): OcsfEvent => ({
  class_uid: 3002,
  class_name: 'Authentication',
  category_uid: 3,
  category_name: 'Identity & Access Management',
  activity_id: logonId,
  activity_name: 'Logon',
  type_uid: 300_200 + logonId,
  metadata: metadata(tenant),
  auth_protocol_id: oauth2Id,
  auth_protocol: 'OAUTH 2.0',
  logon_type: attempt.method,
  is_remote: true,
  user: user ? userOf({ userId: user.id, name: user.name, email: user.email, credentialId: '', tokenId: '' }) : {},
  service: { name: attempt.clientId },
  src_endpoint: { ip: attempt.sourceAddress },
  dst_endpoint: { hostname: tenant.domain },
  http_request: { uid: attempt.requestId },
  ...('tokenId' in outcome
    ? {
        severity_id: informational,
        severity: 'Informational',
        status_id: 1,
        status: 'Success',
        message: `Issued an access token to ${attempt.clientId}`,
        session: { uid: outcome.tokenId, expiration_time: outcome.expiresAt.getTime() },
      }
    : {
        severity_id: medium,
        severity: 'Medium',
        status_id: 2,
        status: 'Failure',
        status_code: outcome.reason,
        message: `Refused an access token: ${outcome.reason}`,
        ...(outcome.unrecorded > 0 && { unmapped: { unrecorded_denials: outcome.unrecorded } }),
      }),
})
