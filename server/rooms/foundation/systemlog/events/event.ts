import { isIP } from 'node:net'
import { hostname, userInfo } from 'node:os'
import type { Authority, By, May } from '#authority/proof.ts'
import type { Action } from '#authority/rules.ts'
import type { Actor, Call, Tenancy } from '#kernel/routes.ts'
import { version } from '#kernel/version.ts'

/**
 * Events in the form of the Open Cybersecurity Schema Framework 1.3, so that any collector can read them. The numbers
 * are those of the schema: https://schema.ocsf.io/1.3.0/
 */
export type OcsfEvent = { readonly [field: string]: unknown }

/** An object that the event is about. Never a secret, and for a person no more than id and name. */
export type Touched = { type: string; id: string; name?: string; data?: object }

const activityIds = { create: 1, read: 2, update: 3, delete: 4 } as const
export type Activity = keyof typeof activityIds

/** What an event records of the request that caused it; operator commands have no address and no token. */
export type Cause = {
  tenant: Tenancy
  actor: Pick<Actor, 'userId' | 'name' | 'email' | 'credentialId' | 'tokenId'> &
    Partial<Pick<Actor, 'sessionId' | 'limits'>>
  operation: string
  requestId: string
  sourceAddress: string
  /** For operator commands: who ran it, according to the operating system. */
  operator?: Operator
}
export type Operator = { osUser: string; sudoUser: string; hostName: string; processId: number }

/** A cause that is proof of who acts, for functions that take no call: see `By`. */
export type CauseBy<A extends Action | Authority> = Cause & By<A>

/** Proves what the call proves. */
export function causeOf<A extends Action>(call: May<A>): CauseBy<A>
export function causeOf(call: Call): Cause
export function causeOf({ tenant, actor, operation, requestId, sourceAddress }: Call): Cause {
  return { tenant, actor, operation, requestId, sourceAddress }
}

/** Who runs this process. `SUDO_USER` is set by sudo, but also by anyone who may set the environment. */
function operator(): Operator {
  let osUser: string
  try {
    osUser = userInfo().username
  } catch {
    // In a container the user may have a number and no name.
    osUser = `uid ${process.getuid?.() ?? 'unknown'}`
  }
  return { osUser, sudoUser: process.env['SUDO_USER'] ?? '', hostName: hostname(), processId: process.pid }
}

/** For those who make the causes of one authority. */
export const provenCause = <A extends Authority>(cause: Cause): CauseBy<A> => cause as CauseBy<A>

/** An actor that is not a user: this service, an operator, a connector. */
export const programActor = (name: string): Cause['actor'] => ({
  userId: '',
  name,
  email: '',
  credentialId: '',
  tokenId: '',
})

/** The operator directly: a command on the machine, outside any request. */
export const operatorCause = (tenant: Tenancy, command: string): CauseBy<'operator'> =>
  provenCause<'operator'>({
    operator: operator(),
    tenant,
    actor: programActor('operator'),
    operation: `bailiwick ${command}`,
    requestId: '',
    sourceAddress: '127.0.0.1',
  })

/** What the service does automatically, outside any request; with `requestId` if a request led to it. */
export const serviceCause = (tenant: Tenancy, operation: string, requestId = ''): CauseBy<'service'> =>
  provenCause<'service'>({
    tenant,
    actor: programActor('Bailiwick'),
    operation,
    requestId,
    sourceAddress: '127.0.0.1',
  })

export const informational = 1
export const medium = 3
/** An operator is notified of it at once: see alerts.ts. */
const high = 4

/** OCSF's `email_t` and `hostname_t`: a value without their form is not written to an attribute of their type. */
const emailForm = /^[a-zA-Z0-9!#$%&'*+\-/=?^_`{|}~.]+@[a-zA-Z0-9-]+\.[a-zA-Z0-9-.]+$/
const hostnameForm = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?\.)*[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/

export const metadata = (tenant: Tenancy): object => ({
  version: '1.3.0',
  product: { name: 'Bailiwick', vendor_name: 'Bailiwick', version },
  tenant_uid: tenant.publicId,
})

// A user has at least a name or an id; an attribute is omitted rather than left empty.
export const userOf = ({ userId, name, email }: Pick<Actor, 'userId' | 'name' | 'email'>): object =>
  userId || name
    ? { ...(userId && { uid: userId }), ...(emailForm.test(email) && { email_addr: email }), ...(name && { name }) }
    : { name: 'unknown', type_id: 0, type: 'Unknown' }

export const sourceOf = (address: string): object => (isIP(address) === 0 ? { name: 'unknown' } : { ip: address })

/** A tenant's domain, which may be an address and may have a port. */
export function destinationOf(domain: string): object {
  const [, name = domain, port] = /^(.*?)(?::(\d+))?$/.exec(domain) ?? []
  const address = name.replace(/^\[(.*)\]$/, '$1')
  const named = isIP(address) !== 0 ? { ip: address } : hostnameForm.test(name) ? { hostname: name } : { name }
  return { ...named, ...(port && { port: Number(port) }) }
}

export const classOf = (uid: 3002 | 6003, className: string, activityId: number, activityName: string): object => ({
  class_uid: uid,
  class_name: className,
  category_uid: Math.floor(uid / 1000),
  category_name: uid === 3002 ? 'Identity & Access Management' : 'Application Activity',
  activity_id: activityId,
  activity_name: activityName,
  type_uid: uid * 100 + activityId,
  type_name: `${className}: ${activityName}`,
})

const invokedBy = ({ osUser, sudoUser, hostName }: Operator): string =>
  `${sudoUser ? `${sudoUser} as ${osUser}` : osUser} on ${hostName}`
/** Who runs this command, for people: `root on host`. */
export const operatorName = (): string => invokedBy(operator())
const operatorData = ({ osUser, sudoUser, hostName, processId }: Operator): object => ({
  os_user: osUser,
  ...(sudoUser && { sudo_user: sudoUser }),
  host_name: hostName,
  process_id: processId,
})

const apiActivity = (cause: Cause, activity: Activity | null): OcsfEvent => ({
  ...classOf(
    6003,
    'API Activity',
    activity ? activityIds[activity] : 99,
    activity ? `${activity[0]?.toUpperCase()}${activity.slice(1)}` : 'Other',
  ),
  metadata: metadata(cause.tenant),
  actor: {
    user: userOf(cause.actor),
    ...(cause.actor.tokenId && { session: { uid: cause.actor.tokenId, credential_uid: cause.actor.credentialId } }),
    ...(cause.actor.sessionId && { session: { uid: cause.actor.sessionId } }),
    ...(cause.operator && { invoked_by: invokedBy(cause.operator) }),
  },
  ...(cause.operator && { unmapped: { operator: operatorData(cause.operator) } }),
  src_endpoint: sourceOf(cause.sourceAddress),
  dst_endpoint: destinationOf(cause.tenant.domain),
})

const apiOf = ({ operation, requestId }: Cause): object => ({
  operation: operation || 'unknown',
  ...(requestId && { request: { uid: requestId } }),
})

/** Something was changed (or read, if that is worth recording). */
export const change = (cause: Cause, activity: Activity, message: string, touched: readonly Touched[]): OcsfEvent => ({
  ...apiActivity(cause, activity),
  severity_id: informational,
  severity: 'Informational',
  status_id: 1,
  status: 'Success',
  message,
  api: apiOf(cause),
  resources: touched.map(({ type, id, name, data }) => ({
    type,
    uid: id,
    ...(name && { name }),
    ...(data && { data }),
  })),
})

/** An object after a change, with the fields that were different before: readers see both values. */
export function withBefore(after: Touched, before: Touched): Touched {
  const [now, was] = [{ ...after.data } as Data, { ...before.data } as Data]
  const other = Object.keys({ ...was, ...now }).filter(
    (name) => JSON.stringify(was[name]) !== JSON.stringify(now[name]),
  )
  const renamed = after.name !== before.name && before.name !== undefined
  const fields = Object.fromEntries(other.map((name) => [name, was[name] ?? null]))
  return { ...after, data: { ...now, before: { ...(renamed && { displayName: before.name }), ...fields } } }
}
type Data = { [name: string]: unknown }

/** The same event with high severity: operators are notified of it. */
export const alarm = (event: OcsfEvent): OcsfEvent => ({ ...event, severity_id: high, severity: 'High' })

/** A change that an operator is notified of: who may do what was changed, or what is accepted. */
export const alert = (cause: Cause, activity: Activity, message: string, touched: readonly Touched[]): OcsfEvent =>
  alarm(change(cause, activity, message, touched))

export const tamperedCode = 'SYSTEM_LOG_TAMPERED'

/** The program found that something else has changed the log. */
export const tampered = (tenant: Tenancy, message: string, data: object): OcsfEvent => ({
  ...apiActivity(serviceCause(tenant, ''), null),
  severity_id: high,
  severity: 'High',
  status_id: 2,
  status: 'Failure',
  status_code: tamperedCode,
  message,
  api: { operation: 'system log' },
  unmapped: { system_log: data },
})

/** A verification of the log found something. Not `tampered`, which the next verification would find in turn. */
export const verificationFailed = (tenant: Tenancy, count: number, findings: readonly object[]): OcsfEvent => ({
  ...tampered(tenant, `The verification of the system log failed: ${count} ${count === 1 ? 'finding' : 'findings'}`, {
    count,
    findings,
  }),
  status_code: 'SYSTEM_LOG_VERIFICATION_FAILED',
})

/** How many times the same happened, from when until when. */
export type Repeated = { count: number; since: Date; until: Date }

/** A request was denied because of its caller; or several similar ones, combined. */
export const denial = (
  cause: Cause,
  refusal: { reason: string; message: string; status: number },
  repeated: Repeated | null,
): OcsfEvent => ({
  ...apiActivity(cause, null),
  severity_id: medium,
  severity: 'Medium',
  status_id: 2,
  status: 'Failure',
  status_code: refusal.reason,
  status_detail: refusal.message,
  message: `Denied ${cause.operation || 'a request'}${repeated ? ` ${repeated.count} more times` : ''}: ${refusal.message}`,
  api: { ...apiOf(cause), response: { code: refusal.status, error: refusal.reason } },
  ...(repeated && {
    count: repeated.count,
    start_time: repeated.since.getTime(),
    end_time: repeated.until.getTime(),
  }),
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
  /** For a token exchange: the subject of the other issuer's token. */
  subject?: { issuer: string; subject: string }
}

const logonId = 1
const oauth2Id = 6
const otherLogonId = 99

/** A request for an access token: OCSF Authentication, class 3002. */
export const authentication = ({ tenant, outcome, user, ...attempt }: Attempt): OcsfEvent => ({
  ...classOf(3002, 'Authentication', logonId, 'Logon'),
  metadata: metadata(tenant),
  auth_protocol_id: oauth2Id,
  auth_protocol: 'OAUTH 2.0',
  logon_type_id: otherLogonId,
  logon_type: attempt.method,
  is_remote: true,
  user: userOf({ userId: user?.id ?? '', name: user?.name ?? '', email: user?.email ?? '' }),
  actor: { app_uid: attempt.clientId },
  service: { name: 'Bailiwick' },
  src_endpoint: sourceOf(attempt.sourceAddress),
  dst_endpoint: destinationOf(tenant.domain),
  http_request: { uid: attempt.requestId },
  ...('tokenId' in outcome
    ? {
        severity_id: informational,
        severity: 'Informational',
        status_id: 1,
        status: 'Success',
        message: `Issued an access token to ${attempt.clientId}`,
        session: { uid: outcome.tokenId, expiration_time: outcome.expiresAt.getTime() },
        ...(attempt.subject && { unmapped: { subject_token: attempt.subject } }),
      }
    : {
        severity_id: medium,
        severity: 'Medium',
        status_id: 2,
        status: 'Failure',
        status_code: 'CLIENT_REFUSED',
        status_detail: outcome.reason,
        message: `Refused an access token to ${attempt.clientId}: ${outcome.reason}`,
        ...(outcome.unrecorded > 0 && { unmapped: { unrecorded_denials: outcome.unrecorded } }),
      }),
})
