import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { causeOf, change, isFromBeforeRestore, record, reportForged } from '#rooms/foundation/systemlog/index.ts'
import { type Begun, beginSession, giveCookie, refuseSignIn } from '../begin.ts'
import { findPolicy } from '../current-policy.ts'
import { deleteFirstSignIn, hasWayIn, insertFirstSignIn } from '../first-sign-ins/store.ts'
import { identified } from '../identified.ts'
import { findPerson, type Person } from '../person.ts'
import { hashOf } from '../secret.ts'
import { spent } from '../spent.ts'
import { stateOf } from './decide.ts'
import { touchedBy } from './invite.ts'
import { type InvitationRow, isAuthenticInvitation, lockInvitationBySecret, updateInvitation } from './store.ts'

/** The same message for an invitation that never existed, was used, was revoked, belongs to another tenant, or has expired. */
const worthless =
  'This invitation is not valid: it works once, within 7 days, for the first sign-in. Ask for a new one, or sign in as you usually do.'

type Used = Begun & { invitation: InvitationRow }
type Refused = { user: Person | null; reason: string; told?: string }

/** Signs someone in for the first time. */
export async function signInByInvitation(call: Call, token: string): Promise<Begun> {
  const outcome = await transact(call.db, (tx) => redeem(tx, call, hashOf(token)))
  if ('reason' in outcome)
    throw await refuseSignIn(call, 'link', outcome.user, outcome.reason, outcome.told ?? worthless)
  call.memory(spent).add(spentKey(outcome.invitation), outcome.invitation.expiresAt)
  giveCookie(call, outcome)
  return outcome
}

const spentKey = ({ id }: InvitationRow): string => `invitation ${id}`

async function redeem(tx: Tx, call: Call, secretSha256: Buffer): Promise<Used | Refused> {
  const { tenant, seals } = call
  const row = await lockInvitationBySecret(tx, tenant.id, secretSha256)
  if (!row) return { user: null, reason: 'the invitation is unknown' }
  if (!isAuthenticInvitation(seals, tenant.id, row)) {
    await reportForged(call, call, { type: 'invitation', id: row.id })
    return { user: null, reason: 'the invitation was not created by this program' }
  }
  const user = await findPerson(tx, tenant.id, row.userId, call.now())
  const reason = await reasonAgainst(tx, call, row, user)
  if (reason !== null || !user) return { user, reason: reason ?? 'there is no such user' }
  const at = call.now()
  const first = { userId: user.id, signedInAt: at, invitedAt: row.createdAt }
  if (!(await insertFirstSignIn(tx, tenant.id, first))) return { user, reason: 'the user has just signed in' }
  const begun = await beginSession(tx, call, identified(user, 'link'))
  if ('reason' in begun) {
    // From where the organization does not allow it: they use it from elsewhere.
    await deleteFirstSignIn(tx, tenant.id, user.id)
    return begun
  }
  const used = { ...row, usedAt: at }
  await updateInvitation(tx, seals, tenant.id, used)
  const cause = causeOf(call)
  await record(tx, call, cause, change(cause, 'update', `Used the invitation of ${user.name}`, touchedBy(row, user)))
  return { ...begun, invitation: used }
}

/** Why an invitation that this program created does not work, or null. */
async function reasonAgainst(tx: Tx, call: Call, row: InvitationRow, user: Person | null): Promise<string | null> {
  if (call.memory(spent).has(spentKey(row)) && !row.usedAt) {
    await reportForged(call, call, { type: 'invitation that was used', id: row.id })
    return 'the invitation was used before, and put back into the database'
  }
  if (isFromBeforeRestore(call, row.createdAt)) return 'the invitation is from before the restore'
  const state = stateOf(row, call.now())
  if (state === 'USED') return 'the invitation was used before'
  if (state === 'REVOKED') return 'the invitation was revoked'
  if (state === 'EXPIRED') return 'the invitation has expired'
  if (!user?.isEnabled) return 'the user is disabled'
  if (user.email.toLowerCase() !== row.email.toLowerCase())
    return 'the email address of the user is not the one for which the invitation was created'
  const { methods } = await findPolicy(call, tx, call)
  if (!methods.includes('link')) return 'the sign-in policy does not allow sign-in links'
  return (await hasWayIn(tx, call.tenant.id, row.userId)) ? 'the user has signed in before, or can' : null
}
