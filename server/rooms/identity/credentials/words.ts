import type { Reads } from '#kernel/sql.ts'
import { findPerson } from '#rooms/identity/users/index.ts'
import { credentialKind, nameOfKind } from './kinds.ts'
import type { Credential } from './store.ts'

type Named = Pick<Credential, 'clientId' | 'displayName' | 'userId'>

/** As events call it: `API credential "nightly" of Ada Marlow`. The client id is in the data of the event. */
export async function credentialWords(
  db: Reads,
  tenantId: number,
  { clientId, displayName, userId }: Named,
): Promise<string> {
  const user = await findPerson(db, tenantId, userId)
  const name = displayName === '' ? clientId : `"${displayName}"`
  return `${nameOfKind[credentialKind(clientId)]} ${name}${user ? ` of ${user.displayName || user.email}` : ''}`
}
