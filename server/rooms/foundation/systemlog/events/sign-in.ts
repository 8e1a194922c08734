import type { Tenancy } from '#kernel/routes.ts'
import { classOf, destinationOf, informational, medium, metadata, type OcsfEvent, sourceOf, userOf } from './event.ts'

/** Events of people who sign in to the console and out of it: OCSF Authentication, class 3002. */
export type SignInMethod = 'link' | 'passkey' | 'oidc'

type Person = { id: string; name: string; email: string }
type Where = { tenant: Tenancy; requestId: string; sourceAddress: string }

const openId = { auth_protocol_id: 4, auth_protocol: 'OpenID' }
const protocols: Record<SignInMethod, object> = {
  link: { auth_protocol_id: 99, auth_protocol: 'One-time link' },
  passkey: { auth_protocol_id: 99, auth_protocol: 'WebAuthn' },
  oidc: openId,
}
const interactive = { logon_type_id: 2, logon_type: 'Interactive' }

const common = ({ tenant, requestId, sourceAddress }: Where, user: Person | null): object => ({
  metadata: metadata(tenant),
  is_remote: true,
  user: userOf({ userId: user?.id ?? '', name: user?.name ?? '', email: user?.email ?? '' }),
  service: { name: 'Bailiwick' },
  src_endpoint: sourceOf(sourceAddress),
  dst_endpoint: destinationOf(tenant.domain),
  ...(requestId && { http_request: { uid: requestId } }),
})

export type SignIn = Where & {
  method: SignInMethod
  /** The person, or who it would have been; null if that is not known. */
  user: Person | null
  /** The session that was begun, or why none was. */
  outcome: { sessionId: string; expiresAt: Date } | { reason: string; unrecorded: number }
}

/** Someone signed in, or was refused. */
export const signIn = ({ method, user, outcome, ...where }: SignIn): OcsfEvent => ({
  ...classOf(3002, 'Authentication', 1, 'Logon'),
  ...common(where, user),
  ...protocols[method],
  ...interactive,
  ...('sessionId' in outcome
    ? {
        severity_id: informational,
        severity: 'Informational',
        status_id: 1,
        status: 'Success',
        message: `${user?.name} signed in by ${method}`,
        session: { uid: outcome.sessionId, expiration_time: outcome.expiresAt.getTime() },
      }
    : {
        severity_id: medium,
        severity: 'Medium',
        status_id: 2,
        status: 'Failure',
        status_code: 'SIGN_IN_REFUSED',
        status_detail: outcome.reason,
        message: `Refused a sign-in by ${method}: ${outcome.reason}`,
        ...(outcome.unrecorded > 0 && { unmapped: { unrecorded_denials: outcome.unrecorded } }),
      }),
})

/** A session ended before it expired: its owner signed out, or it was considered stolen. */
export const signOut = (
  where: Where,
  user: Person,
  sessionId: string,
  why: string,
  severity: 'informational' | 'high' = 'informational',
): OcsfEvent => ({
  ...classOf(3002, 'Authentication', 2, 'Logoff'),
  ...common(where, user),
  severity_id: severity === 'high' ? 4 : informational,
  severity: severity === 'high' ? 'High' : 'Informational',
  status_id: 1,
  status: 'Success',
  message: `${user.name}: ${why}`,
  session: { uid: sessionId, expiration_reason: why },
})
