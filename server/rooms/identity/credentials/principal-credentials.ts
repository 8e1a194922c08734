import type { May } from '#authority/proof.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { causeOf, change, record, reportForged, withBefore } from '#rooms/foundation/systemlog/index.ts'
import { nameProblem } from './decide.ts'
import { credentialKind } from './kinds.ts'
import { isCredentialProven } from './proof.ts'
import { notFound, refuseInvalid } from './refuse.ts'
import { sealed, touched } from './rows.ts'
import { type Credential, findCredential, type KeptCredential, lockCredential, updateCredential } from './store.ts'
import { credentialWords } from './words.ts'

/** A credential of a service principal, for the operations of service principals. */
export async function getPrincipalCredential(
  call: Call,
  { principalId, id }: { principalId: string; id: string },
  isOfFamily: (credential: Credential) => boolean,
): Promise<Credential> {
  const credential = await findCredential(call.db, call.tenant.id, id)
  return isOfPrincipal(credential, principalId) && isOfFamily(credential) ? credential : refuseUnknown(id)
}

/** The same, locked until the transaction ends. */
export async function lockPrincipalCredential(
  tx: Tx,
  call: Call,
  { principalId, id }: { principalId: string; id: string },
  isOfFamily: (credential: Credential) => boolean,
): Promise<KeptCredential> {
  const credential = await lockCredential(tx, call.tenant.id, id)
  return isOfPrincipal(credential, principalId) && isOfFamily(credential) ? credential : refuseUnknown(id)
}

function isOfPrincipal<C extends Credential>(credential: C | null, principalId: string): credential is C {
  return credential?.userId === principalId && credentialKind(credential.clientId) === 'spc'
}

function refuseUnknown(id: string): never {
  throw notFound(id)
}

/** Renames one: nothing else changes, so that it never permits more than when it was created. */
export async function renameCredential(
  tx: Tx,
  call: May<'principal.edit'>,
  before: KeptCredential,
  displayName: string,
): Promise<Credential> {
  if (!isCredentialProven(call.seals, call.tenant.id, before)) {
    await reportForged(call, call.tenant.id, { type: 'credential', id: before.id, userId: before.userId })
    throw notFound(before.id)
  }
  refuseInvalid('spc', [nameProblem(displayName)])
  const after = { ...before, displayName: displayName.trim(), updatedAt: call.now() }
  await updateCredential(tx, call.tenant.id, sealed(call, call.tenant.id, after))
  const cause = causeOf(call)
  const message = `Changed displayName of the ${await credentialWords(tx, call.tenant.id, before)}`
  await record(tx, call, cause, change(cause, 'update', message, [withBefore(touched(after), touched(before))]))
  return after
}
