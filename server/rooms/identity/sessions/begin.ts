import { slot } from '#kernel/memory.ts'
import { networkOf } from '#kernel/networks.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { looseBudget, sharedBudget } from '#kernel/shared-budget.ts'
import type { Tx } from '#kernel/sql.ts'
import { grouped, record, type SignInMethod, signIn } from '#rooms/foundation/systemlog/index.ts'
import { listRolesOfUser, permitted } from '#rooms/identity/roles/index.ts'
import { findSourceLimits, sourceCheck, sourceOf } from '#rooms/identity/sources/index.ts'
import { sessionCookie } from './cookie.ts'
import { findPolicy } from './current-policy.ts'
import { addressDenied, userAgentIn } from './decide.ts'
import { endById, endSessionOf, forget, presentedBy } from './end.ts'
import { insertFirstSignIn } from './first-sign-ins/store.ts'
import type { Identified } from './identified.ts'
import { findPerson, type Person } from './person.ts'
import { cookieValue } from './secret.ts'
import type { KeptSession, Session } from './session.ts'
import { findSession, insertSession } from './store.ts'

export type Begun = { session: KeptSession; replaced: Session | null }
/** Their identity is proven, so that the response may say why they are refused. */
export type DeniedHere = { user: Person; reason: string; told: string }

/** Whether someone may not sign in from their present address. */
async function findDenied(tx: Tx, call: Call, user: Person): Promise<DeniedHere | null> {
  const limits = await findSourceLimits(call, tx, call)
  const allowed = permitted(await listRolesOfUser(call, call.tenant.id, user.id), null)
  const isAllowed = sourceCheck(limits[sourceOf('sso', allowed)])(call.sourceAddress)
  const reason = 'the organization does not allow the console to be used from this address'
  return isAllowed ? null : { user, reason, told: `${addressDenied}.` }
}

/** Begins a session: always a new one, which replaces the one that the browser had. */
export async function beginSession(
  tx: Tx,
  call: Call,
  { user, method }: Identified,
  /** The session that the browser had when it went to the provider: it does not send that cookie when it returns. */
  idBefore = '',
): Promise<Begun | DeniedHere> {
  const denied = await findDenied(tx, call, user)
  if (denied) return denied
  const at = call.now()
  const policy = await findPolicy(call, tx, call)
  const session: KeptSession = {
    id: call.newId(),
    userId: user.id,
    method,
    sourceAddress: call.sourceAddress,
    userAgent: userAgentIn(call.headers['user-agent']),
    createdAt: at,
    rotatedAt: at,
    lastSeenAt: at,
    expiresAt: new Date(at.getTime() + policy.sessionSeconds * 1000),
    idleSeconds: policy.idleSeconds,
    freshSeconds: policy.freshSeconds,
    generation: 1,
    branch: 1,
    previousBranch: 0,
    previousUntil: null,
    offers: 0,
    offeredAt: null,
    endedAt: null,
    endedWhy: null,
  }
  await insertSession(tx, call.seals, call.tenant.id, session)
  await insertFirstSignIn(tx, call.tenant.id, { userId: user.id, signedInAt: at, invitedAt: null })
  const presented = presentedBy(call)
  const replaced = presented
    ? await endSessionOf(tx, call, presented, 'signed in again')
    : await endBefore(tx, call, idBefore)
  const outcome = { sessionId: session.id, expiresAt: session.expiresAt }
  await record(tx, call, call, signIn({ ...whereOf(call), method, user, outcome }))
  return { session, replaced }
}

async function endBefore(tx: Tx, call: Call, id: string): Promise<Session | null> {
  const session = id === '' ? null : await findSession(tx, call.tenant.id, id)
  const user = session && (await findPerson(tx, call.tenant.id, session.userId, call.now()))
  return session && user && endById(tx, call, session.id, user, 'signed in again')
}

/** After the commit: the browser gets its cookie. */
export function giveCookie(call: Call, { session, replaced }: Begun): void {
  forget(call, replaced)
  const value = cookieValue(call.seals, call.tenant.id, { sessionId: session.id, generation: 1, branch: 1 })
  const maxAgeSeconds = Math.floor((session.expiresAt.getTime() - session.createdAt.getTime()) / 1000)
  call.sendHeader('set-cookie', sessionCookie(value, maxAgeSeconds, call.origin))
}

const whereOf = ({ tenant, requestId, sourceAddress }: Call) => ({ tenant, requestId, sourceAddress })

/** Only failures are limited, by address: nobody can lock out the real owner of an account. */
const failuresFromAddress = slot((world) =>
  sharedBudget(world, 'sign-in failures from an address', { burst: 50, perSecond: 1 }),
)
/** From all addresses together, so that a large number of them cannot fill the disk with events. */
const failuresInTenant = slot((world) =>
  sharedBudget(world, 'sign-in failures in a tenant', { burst: 2_000, perSecond: 50 }),
)
/** Requests before a sign-in leave a row for some minutes: their number is limited. */
const beginningsFromAddress = slot((world) => looseBudget(world, 'sign-ins begun', { burst: 100, perSecond: 2 }))

const callerOf = ({ tenant, sourceAddress }: Call): string => `${tenant.id} ${networkOf(sourceAddress)}`

const tooMany = (retryAfterSeconds: number): Refusal =>
  new Refusal('TOO_MANY_FAILURES', 'Too many attempts; try again later.', { retryAfterSeconds })

/** Refuses a sign-in, and records that before the response is sent. */
export async function refuseSignIn(
  call: Call,
  method: SignInMethod,
  user: Person | null,
  reason: string,
  /** The reason in the response, if it says less. */
  told = reason,
): Promise<Refusal> {
  const failures = call.memory(failuresFromAddress)
  const key = callerOf(call)
  const unrecorded = await failures.take(key)
  if (unrecorded === null) return tooMany(failures.waitSeconds(key))
  if ((await call.memory(failuresInTenant).take(String(call.tenant.id))) === null) return tooMany(1)
  const outcome = { reason, unrecorded }
  await call.memory(grouped).record(call.tenant.id, signIn({ ...whereOf(call), method, user, outcome }))
  return new Refusal('SIGN_IN_REFUSED', told)
}

/** Each change is an event on the disk: users who change their own settings are rate-limited. */
const ownChanges = slot((world) => looseBudget(world, 'changes of sign-in', { burst: 300, perSecond: 1 }))

export function countOwnChange(call: Call): void {
  const changes = call.memory(ownChanges)
  const key = `${call.tenant.id} ${call.actor.userId}`
  if (changes.take(key) === null) throw tooMany(changes.waitSeconds(key))
}

/** Signed-in users are counted separately, strangers by their network. */
export function countBeginning(call: Call): void {
  const beginnings = call.memory(beginningsFromAddress)
  const { userId } = call.actor
  const key = userId === '' ? callerOf(call) : `${call.tenant.id} user ${userId}`
  if (beginnings.take(key) === null) throw tooMany(beginnings.waitSeconds(key))
}
