import type { May } from '#authority/proof.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Reads, type Tx, transact } from '#kernel/sql.ts'
import { causeOf, change, record, reportForged } from '#rooms/foundation/systemlog/index.ts'
import { lockUsers } from '#rooms/identity/users/index.ts'
import { findPolicy } from '../current-policy.ts'
import { hasWayIn } from '../first-sign-ins/store.ts'
import { findPerson, type Person } from '../person.ts'
import { hashOf, newSecret } from '../secret.ts'
import { type Hindrance, hindranceOf, type Invitation, invitationMsMax, stateOf } from './decide.ts'
import {
  type InvitationRow,
  insertInvitation,
  isAuthenticInvitation,
  lockInvitation,
  lockWaitingOf,
  updateInvitation,
} from './store.ts'

/** What became of one of the people: an invitation, whose URL is only in this reply, or why they cannot be invited. */
export type Invited = { userId: string } & ({ invitation: Invitation; url: string } | { hindrance: Hindrance })

/** Why somebody cannot be invited; otherwise whom it would be. */
export async function findInvitable(db: Reads, call: Call, userId: string): Promise<Person | Hindrance> {
  const user = await findPerson(db, call.tenant.id, userId, call.now())
  const { methods } = await findPolicy(call, db, call)
  const hindrance = hindranceOf({ user, methods, hasWayIn: await hasWayIn(db, call.tenant.id, userId) })
  return hindrance ?? (user as Person)
}

/**
 * Creates invitations: each of these people gets one, or a reason why not, whatever becomes of the others. An earlier
 * one of the same person is revoked.
 */
export async function invite(call: May<'invitations.change'>, userIds: readonly string[]): Promise<Invited[]> {
  const ids = [...new Set(userIds)]
  return transact(call.db, async (tx) => {
    // Two requests that invite the same person create one valid invitation: the second waits, and revokes the first.
    await lockUsers(tx, call.tenant.id, ids, call.now())
    const invited: Invited[] = []
    for (const userId of ids) invited.push(await inviteOne(tx, call, userId))
    return invited
  })
}

async function inviteOne(tx: Tx, call: May<'invitations.change'>, userId: string): Promise<Invited> {
  const found = await findInvitable(tx, call, userId)
  if ('code' in found) return { userId, hindrance: found }
  const at = call.now()
  for (const earlier of await lockWaitingOf(tx, call.tenant.id, userId, at)) await endOne(tx, call, earlier, found)
  const token = newSecret()
  const invitation: Invitation = {
    id: call.newId(),
    userId,
    email: found.email,
    secretSha256: hashOf(token),
    createdBy: call.actor.userId,
    createdAt: at,
    expiresAt: new Date(at.getTime() + invitationMsMax),
    usedAt: null,
    revokedAt: null,
  }
  await insertInvitation(tx, call.seals, call.tenant.id, invitation)
  const cause = causeOf(call)
  await record(tx, call, cause, change(cause, 'create', `Invited ${found.name}`, touchedBy(invitation, found)))
  // In the fragment, which browsers do not send: the token is in no log.
  return { userId, invitation, url: `${call.origin}/sign-in#${invitationPrefix}${token}` }
}

/** What distinguishes the fragment of an invitation from that of a sign-in link. */
const invitationPrefix = 'invitation='

export const touchedBy = ({ id, userId, expiresAt }: Invitation, user: Pick<Person, 'name'> | null) => [
  { type: 'invitation', id, data: { expiresAt } },
  { type: 'user', id: userId, ...(user && { name: user.name }) },
]

/** Revokes one that waits. A row that this program did not write does not count, and does not get a valid MAC by this. */
async function endOne(
  tx: Tx,
  call: May<'invitations.change'>,
  row: InvitationRow,
  user: Person | null,
): Promise<InvitationRow | null> {
  if (!isAuthenticInvitation(call.seals, call.tenant.id, row)) {
    await reportForged(call, call, { type: 'invitation', id: row.id })
    return null
  }
  const revoked = { ...row, revokedAt: call.now() }
  await updateInvitation(tx, call.seals, call.tenant.id, revoked)
  const cause = causeOf(call)
  const message = `Revoked an invitation of ${user?.name ?? row.userId}`
  await record(tx, call, cause, change(cause, 'delete', message, touchedBy(row, user)))
  return revoked
}

/** Revokes an invitation that has not been used. To revoke one that has ended changes nothing. */
export async function revokeInvitation(call: May<'invitations.change'>, id: string): Promise<InvitationRow> {
  return transact(call.db, async (tx) => {
    const row = await lockInvitation(tx, call.tenant.id, id)
    if (row && stateOf(row, call.now()) !== 'WAITING' && isAuthenticInvitation(call.seals, call.tenant.id, row))
      return row
    const user = row && (await findPerson(tx, call.tenant.id, row.userId, call.now()))
    const revoked = row && (await endOne(tx, call, row, user))
    if (!revoked) throw new Refusal('INVITATION_NOT_FOUND', `There is no invitation ${id}.`, { metadata: { id } })
    return revoked
  })
}
