import type { May } from '#authority/proof.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { causeOf, change, record, reportForged, withBefore } from '#rooms/foundation/systemlog/index.ts'
import {
  cidrProblems,
  familyOf,
  freedomProblems,
  isWithin,
  nameProblem,
  outlivingProblem,
  wideningProblems,
} from './decide.ts'
import { freedomWithin } from './family.ts'
import { credentialKind, termsOf } from './kinds.ts'
import { isCredentialProven } from './proof.ts'
import { notFound, refuseInvalid, refuseUnknownRoles, revoked } from './refuse.ts'
import { sealed, touched } from './rows.ts'
import { type Credential, type KeptCredential, lockCredential, shareCredentials, updateCredential } from './store.ts'
import { credentialWords } from './words.ts'

export type Change = Partial<Pick<Credential, 'displayName' | 'allowSourceCidr' | 'scopedRoles'>>

/** Changes the caller's own credential. */
export async function changeCredential(
  tx: Tx,
  call: May<'own-credentials.create'>,
  id: string,
  wanted: Change,
): Promise<Credential> {
  const { tenant, actor } = call
  const before = await lockCredential(tx, tenant.id, id)
  if (!before || credentialKind(before.clientId) !== 'pcc' || !isOwn(call, before)) throw notFound(id)
  // Writing it would give it a valid MAC: a row that this program did not write is not repaired.
  if (!isCredentialProven(call.seals, tenant.id, before)) {
    await reportForged(call, tenant.id, { type: 'credential', id, userId: before.userId })
    throw notFound(id)
  }
  const after = { ...before, ...wanted, updatedAt: call.now() }
  const freedom = {
    ...(wanted.scopedRoles && { roleIds: wanted.scopedRoles }),
    ...(wanted.allowSourceCidr && { cidrs: wanted.allowSourceCidr }),
  }
  refuseInvalid('pcc', [
    nameProblem(after.displayName),
    ...cidrProblems(after.allowSourceCidr),
    ...freedomProblems(actor.limits, freedom),
  ])
  refuseInvalid('pcc', freedomWithin(await shareCredentials(tx, tenant.id, before.ancestorIds), freedom))
  await refuseWidening(tx, call, before, after)
  if (wanted.scopedRoles) await refuseUnknownRoles(tx, tenant, 'pcc', wanted.scopedRoles)
  await updateCredential(tx, tenant.id, sealed(call, tenant.id, after))
  const cause = causeOf(call)
  const words = await credentialWords(tx, tenant.id, before)
  const message = `Changed ${Object.keys(wanted).join(', ') || 'nothing'} of the ${words}`
  await record(tx, call, cause, change(cause, 'update', message, [withBefore(touched(after), touched(before))]))
  return after
}

async function refuseWidening(tx: Tx, { tenant, actor }: Call, before: Credential, after: Credential): Promise<void> {
  if (actor.credentialId === '' || actor.credentialId === before.id) return
  const [by] = await shareCredentials(tx, tenant.id, [actor.credentialId])
  if (!by) throw revoked()
  refuseInvalid('pcc', wideningProblems(by, before, after))
}

type TrustChange = Change & {
  /** Whether it changes which tokens are accepted in another way, so that it may accept more. */
  isWider: boolean
}

/**
 * Changes what a trust and a credential have in common. It stays no less restricted than the credentials that created
 * and change it; and a change with a credential that expires earlier cannot widen it.
 */
export async function changeTrustCredential(
  tx: Tx,
  call: May<'trust.change'>,
  before: KeptCredential,
  { isWider, ...wanted }: TrustChange,
): Promise<KeptCredential> {
  const { tenant, actor } = call
  if (!isCredentialProven(call.seals, tenant.id, before)) {
    await reportForged(call, tenant.id, { type: 'credential', id: before.id, userId: before.userId })
    throw notFound(before.id)
  }
  const after = { ...before, ...wanted, displayName: (wanted.displayName ?? before.displayName).trim() }
  const freedom = {
    ...(wanted.scopedRoles && { roleIds: wanted.scopedRoles }),
    ...(wanted.allowSourceCidr && { cidrs: wanted.allowSourceCidr }),
  }
  refuseInvalid('wfe', [
    nameProblem(after.displayName),
    ...cidrProblems(after.allowSourceCidr, termsOf.wfe.cidrsMax),
    ...freedomProblems(actor.limits, freedom),
    ...freedomWithin(await shareCredentials(tx, tenant.id, before.ancestorIds), freedom),
  ])
  if (actor.credentialId !== '' && actor.credentialId !== before.id) {
    const [by] = await shareCredentials(tx, tenant.id, [actor.credentialId])
    if (!by) throw revoked()
    refuseInvalid('wfe', [...wideningProblems(by, before, after), isWider ? outlivingProblem(by, before) : null])
  }
  if (wanted.scopedRoles) await refuseUnknownRoles(tx, tenant, 'wfe', wanted.scopedRoles)
  const changed = { ...after, scopedRoles: [...new Set(after.scopedRoles)], updatedAt: call.now() }
  await updateCredential(tx, tenant.id, sealed(call, tenant.id, changed))
  return changed
}

export const isOwn = ({ actor }: Call, credential: Credential): boolean =>
  credential.userId === actor.userId && isWithin(familyOf(actor), credential)
