import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { record, signOut } from '#rooms/systemlog/index.ts'
import { cookieIn } from './cookie.ts'
import { standingOf } from './decide.ts'
import { findPerson } from './person.ts'
import { hashOf, isSecret } from './secret.ts'
import { deleteSession, findSessionBySecret } from './store.ts'

/** The hash of the secret in the cookie of the browser that asks; null where it has none. */
export function presentedBy(call: Call): Buffer | null {
  const secret = cookieIn(call.headers['cookie'] as string | undefined, 'bailiwick', call.origin)
  return secret !== null && isSecret(secret) ? hashOf(secret) : null
}

/** Ends the session that a secret stands for, if it still stands for one, and writes down why. */
export async function endSessionOf(tx: Tx, call: Call, secretSha256: Buffer, why: string): Promise<void> {
  const { tenant } = call
  const session = await findSessionBySecret(tx, tenant.id, secretSha256)
  if (!session || ['ended', 'stolen'].includes(standingOf(session, secretSha256, call.now()))) return
  const user = await findPerson(tx, tenant.id, session.userId, call.now())
  const gone = user && (await deleteSession(tx, tenant.id, user.id, session.id))
  if (gone) await record(tx, call, call, signOut(call, user, session.id, why))
}
