import { may } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { hook } from '#kernel/hook.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { assignRole } from '#rooms/identity/roles/index.ts'
import { findUser } from '../store/read.ts'
import { findUserByEmail, insertUsers } from '../store.ts'
import type { User } from '../user.ts'
import { type NewPerson, personProblems, trimmed } from './decide.ts'

/** After a person was added: accounts that were there before may be theirs. Returns how many are. */
export const personAdded = hook<[tx: Tx, call: Call, userId: string], number>('personAdded')

/**
 * Adds a person manually. A directory or an import that has the same email address later describes this person, instead of
 * adding another one.
 */
export async function addPerson(
  tx: Tx,
  call: May<'users.add'>,
  wanted: NewPerson,
): Promise<{ user: User; accounts: number }> {
  const person = trimmed(wanted)
  const [first, ...others] = personProblems(person)
  if (first) throw invalid(first, ...others)
  const known = await findUserByEmail(tx, call.tenant.id, person.email)
  if (known) throw userExists(call, person.email, known)
  const manager = person.managerId === '' ? null : await findUser(tx, call.tenant.id, person.managerId, call.now())
  if (person.managerId !== '' && (!manager || manager.deletedAt || manager.type !== 'USER_TYPE_HUMAN'))
    throw invalid({ field: 'managerId', description: `there is no person ${person.managerId}` })
  const id = call.newId()
  await insertUsers(tx, call.tenant.id, [{ id, ...person }], call.now())
  await assignRole(tx, call, call.tenant.id, [{ id, email: person.email }], 'system:user')
  const accounts = (await personAdded.run(tx, call, id)).reduce((sum, count) => sum + count, 0)
  const touched = { type: 'user', id, name: person.displayName, data: { ...person, accounts } }
  await recordChange(tx, call, 'create', `Added the user ${person.displayName}`, [touched])
  const user = await findUser(tx, call.tenant.id, id, call.now())
  return { user: user as User, accounts }
}

/** Names the user who has the address only to those who see everyone. */
export function userExists(call: Call, email: string, known: { id: string; displayName: string } | null): Refusal {
  const seen = known && may(call.actor, 'users.read') ? known : null
  const who = seen ? `${seen.displayName} has` : 'A user has'
  return new Refusal('USER_EXISTS', `${who} the email address ${email} already.`, {
    ...(seen && { metadata: { userId: seen.id } }),
    violations: [{ field: 'email', description: `is that of ${seen ? seen.displayName : 'another user'}` }],
  })
}
