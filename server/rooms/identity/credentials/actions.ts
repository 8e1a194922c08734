import { randomBytes } from 'node:crypto'
import { may } from '#authority/may.ts'
import { type FieldViolation, invalid, Refusal } from '#kernel/refusals.ts'
import type { Call, Tenancy } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import {
  alert,
  approvalMac,
  type Cause,
  causeOf,
  change,
  isSetAside,
  record,
  reportForged,
  withBefore,
} from '#rooms/foundation/systemlog/index.ts'
import { findRoles } from '#rooms/identity/roles/index.ts'
import { findPerson } from '#rooms/identity/users/index.ts'
import {
  cidrProblems,
  endOf,
  familyOf,
  freedomProblems,
  isWithin,
  nameProblem,
  outlivingProblem,
  possessionProblem,
  wideningProblems,
} from './decide.ts'
import { identities } from './identities.ts'
import { type CredentialKind, credentialKind, nameOfKind, termsOf } from './kinds.ts'
import { credentialMac, isCredentialProven } from './proof.ts'
import { makeSecret } from './secret.ts'
import {
  type Credential,
  countLiveCredentials,
  findCredential,
  insertCredential,
  type KeptCredential,
  lockCounting,
  lockCredential,
  lockDescendants,
  type SealedCredential,
  shareCredentials,
  updateApproval,
  updateCredential,
} from './store.ts'

export type Wanted = {
  userId: string
  displayName: string
  lifespanSeconds: number | null
  allowSourceCidr: readonly string[]
  scopedRoles: readonly string[]
  /** Whose it is: a user's (`pcc`, by default), a service principal's or a device's. */
  kind?: CredentialKind
  requireDpop?: boolean
  /** What else the event tells of it. */
  data?: { readonly [name: string]: unknown }
}
export type Made = { credential: Credential; clientSecret: string }

const unlimited = { roleIds: [], sourceCidrs: [] }
const credentialsPerUserMax = 1000
/** A credential that was created with one that was created with one …: as many as are looked up in one go. */
const ancestorsMax = 10

/** Creates a credential. The secret is in the answer and nowhere else, ever. */
export async function createCredential(tx: Tx, world: World, cause: Cause, wanted: Wanted): Promise<Made> {
  const { kind = 'pcc', requireDpop = false } = wanted
  const terms = termsOf[kind]
  await refuseWrongUser(tx, cause, wanted.userId, kind)
  const family = await holdFamily(tx, world, cause, wanted.userId, kind)
  const freedom = { roleIds: wanted.scopedRoles, cidrs: wanted.allowSourceCidr }
  refuseInvalid(kind, [
    nameProblem(wanted.displayName),
    terms.lifespanProblem(wanted.lifespanSeconds),
    ...cidrProblems(wanted.allowSourceCidr, terms.cidrsMax),
    ...freedomWithin(family, freedom),
    // Of a token too: it may have been issued for fewer roles than its credential has.
    ...freedomProblems(cause.actor.limits ?? unlimited, freedom),
    possessionProblem(family, requireDpop),
  ])
  await refuseUnknownRoles(tx, cause.tenant, kind, wanted.scopedRoles)
  const at = world.now()
  await lockCounting(tx, cause.tenant.id, wanted.userId)
  if ((await countLiveCredentials(tx, cause.tenant.id, wanted.userId, at)) >= credentialsPerUserMax)
    throw new Refusal('CREDENTIALS_TOO_MANY', `A user has at most ${credentialsPerUserMax} credentials; delete some.`)

  const secret = makeSecret(world.settings.clientSecret)
  const credential: Credential = {
    id: world.newId(),
    userId: wanted.userId,
    clientId: `${randomBytes(10).toString('hex')}@${cause.tenant.domain}/${kind}`,
    displayName: wanted.displayName.trim(),
    allowSourceCidr: [...wanted.allowSourceCidr],
    scopedRoles: [...new Set(wanted.scopedRoles)],
    ancestorIds: family.map(({ id }) => id),
    requireDpop,
    createdAt: at,
    updatedAt: at,
    expiresTime: endOf(at, wanted.lifespanSeconds, family.at(-1) ?? null),
    lastUsedAt: null,
  }
  const { publicKey, sha256: secretSha256 } = secret
  await insertCredential(
    tx,
    cause.tenant.id,
    sealed(world, cause.tenant.id, { ...credential, publicKey, secretSha256, deletedAt: null, approvalMac: null }),
  )
  await record(
    tx,
    world,
    cause,
    change(cause, 'create', `Created the ${nameOfKind[kind]} ${credential.clientId}`, [
      touched(credential, wanted.data),
    ]),
  )
  return { credential, clientSecret: secret.text }
}

const sealed = (world: World, tenantId: number, credential: Omit<KeptCredential, 'mac'>): SealedCredential => ({
  ...credential,
  mac: credentialMac(world.seals, tenantId, credential),
})

function refuseInvalid(kind: CredentialKind, problems: readonly (FieldViolation | null)[]): void {
  const { cidrsField, rolesField } = termsOf[kind]
  // The same may be wrong by two rules.
  const once = new Map(problems.map((problem) => [JSON.stringify(problem), problem]))
  const [first, ...others] = [...once.values()]
    .filter((problem) => problem !== null)
    .map(({ field, description }) => ({
      field: field.replace(/^allowSourceCidr\b/, cidrsField).replace(/^scopedRoles$/, rolesField),
      description,
    }))
  if (first) throw invalid(first, ...others)
}

async function refuseWrongUser(tx: Tx, { tenant }: Cause, userId: string, kind: CredentialKind): Promise<void> {
  const user = await findPerson(tx, tenant.id, userId)
  if (user?.isPrincipal && kind === 'pcc')
    throw new Refusal(
      'NOT_A_PERSON',
      `${user.displayName} is a service principal: create its credentials with the operations for service principals.`,
    )
  if (user?.status === 'ENABLED') return
  const who = user ? `${user.displayName} <${user.email}>` : userId
  throw new Refusal('USER_DISABLED', `The user ${who} is disabled: enable the user before creating API credentials.`)
}

const revoked = (): Refusal => new Refusal('CREDENTIAL_REVOKED', 'The API credential was deleted or has expired.')

/**
 * The credential by whose token this is done and those that it was created by, the first of them first; none in the
 * console and for an operator. They are held: what is created now is deleted with them.
 */
async function holdFamily(
  tx: Tx,
  world: World,
  cause: Cause,
  userId: string,
  kind: CredentialKind,
): Promise<KeptCredential[]> {
  const { tenant, actor } = cause
  if (actor.credentialId === '') return []
  const [parent] = await shareCredentials(tx, tenant.id, [actor.credentialId])
  if (!parent) throw revoked()
  if (parent.ancestorIds.length >= ancestorsMax)
    throw new Refusal(
      'CREDENTIALS_TOO_MANY',
      `An API credential was created with one that was itself created with another one, ${ancestorsMax} times in a row; create it with an earlier one.`,
    )
  const ancestors = await shareCredentials(tx, tenant.id, parent.ancestorIds)
  const byId = new Map([...ancestors, parent].map((each) => [each.id, each]))
  return [...parent.ancestorIds, parent.id].map((id) => {
    const each = byId.get(id)
    const isAlive = each && each.deletedAt === null && (each.expiresTime === null || each.expiresTime > world.now())
    // A credential of a service principal is created with one of somebody else, mostly.
    const isRelated = kind !== 'pcc' || each?.userId === userId
    if (!isAlive || !isRelated || !isCredentialProven(world.seals, tenant.id, each)) throw revoked()
    return each
  })
}

/** Nothing is freer than any of those it was created by. */
function freedomWithin(
  family: readonly Credential[],
  wanted: { roleIds?: readonly string[]; cidrs?: readonly string[] },
): FieldViolation[] {
  const problems = family.flatMap(({ scopedRoles, allowSourceCidr }) =>
    freedomProblems({ roleIds: scopedRoles, sourceCidrs: allowSourceCidr }, wanted),
  )
  return [...new Map(problems.map((problem) => [problem.field, problem])).values()]
}

/** One's own, or anyone's for those who may see everyone's; else it is as if it were not there. */
export async function getCredential(call: Call, id: string): Promise<Credential> {
  const credential = await findCredential(call.db, call.tenant.id, id)
  if (!credential || credentialKind(credential.clientId) !== 'pcc' || !maySee(call, credential)) throw notFound(id)
  return credential
}

export type Change = Partial<Pick<Credential, 'displayName' | 'allowSourceCidr' | 'scopedRoles'>>

/** Changes one's own credential. */
export async function changeCredential(tx: Tx, call: Call, id: string, wanted: Change): Promise<Credential> {
  const { tenant, actor } = call
  const before = await lockCredential(tx, tenant.id, id)
  if (!before || credentialKind(before.clientId) !== 'pcc' || !isOwn(call, before)) throw notFound(id)
  // Written anew it would be believed: what was put there by another hand is not made good.
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
  const message = `Changed ${Object.keys(wanted).join(', ') || 'nothing'} of the API credential ${after.clientId}`
  await record(tx, call, cause, change(cause, 'update', message, [withBefore(touched(after), touched(before))]))
  return after
}

async function refuseWidening(tx: Tx, { tenant, actor }: Call, before: Credential, after: Credential): Promise<void> {
  if (actor.credentialId === '' || actor.credentialId === before.id) return
  const [by] = await shareCredentials(tx, tenant.id, [actor.credentialId])
  if (!by) throw revoked()
  refuseInvalid('pcc', wideningProblems(by, before, after))
}

/** A credential of a service principal, by its own operations. */
export async function getPrincipalCredential(
  call: Call,
  { principalId, id }: { principalId: string; id: string },
  isOfFamily: (credential: Credential) => boolean,
): Promise<Credential> {
  const credential = await findCredential(call.db, call.tenant.id, id)
  return isOfPrincipal(credential, principalId) && isOfFamily(credential) ? credential : refuseUnknown(id)
}

/** The same, held until the transaction ends. */
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

/** Renames one: nothing else of it changes, so that it never permits more than when it was created. */
export async function renameCredential(
  tx: Tx,
  call: Call,
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
  const message = `Changed displayName of the API credential ${after.clientId}`
  await record(tx, call, cause, change(cause, 'update', message, [withBefore(touched(after), touched(before))]))
  return after
}

type TrustChange = Change & {
  /** Whether it changes which tokens are accepted otherwise, so that it may be more. */
  isWider: boolean
}

/**
 * Changes what a trust and a credential have in common. It stays no freer than what it was created by and what it is changed by;
 * and who changes it by a credential that expires earlier makes it no wider.
 */
export async function changeTrustCredential(
  tx: Tx,
  call: Call,
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

/** Deletes one's own credential, or anyone's for those who may; with it, all that were created with it. */
export async function removeCredential(tx: Tx, call: Call, id: string): Promise<Credential[]> {
  const credential = await lockCredential(tx, call.tenant.id, id)
  if (!credential || credentialKind(credential.clientId) !== 'pcc' || !mayDelete(call, credential)) throw notFound(id)
  return dropCredential(tx, call, causeOf(call), credential)
}

export async function dropCredential(
  tx: Tx,
  world: World,
  cause: Cause,
  credential: KeptCredential,
): Promise<Credential[]> {
  const { tenant } = cause
  const at = world.now()
  const gone = [credential, ...(await lockDescendants(tx, tenant.id, credential))]
  for (const each of gone)
    await updateCredential(tx, tenant.id, sealed(world, tenant.id, { ...each, updatedAt: at, deletedAt: at }))
  const others = gone.length > 1 ? ` and ${gone.length - 1} created with it` : ''
  const name = nameOfKind[credentialKind(credential.clientId)]
  const message = `Deleted the ${name} ${credential.clientId}${others}`
  await record(
    tx,
    world,
    cause,
    change(
      cause,
      'delete',
      message,
      gone.map((each) => touched(each)),
    ),
  )
  return gone
}

/** Honours a credential from before the restore again; false where it needs no approval. */
export async function approveCredential(tx: Tx, world: World, cause: Cause, credential: Credential): Promise<boolean> {
  const mac = approvalMac(world, cause.tenant.id, credential.id)
  if (!mac || !isSetAside(world, cause.tenant.id, { ...credential, approvalMac: null })) return false
  await updateApproval(tx, cause.tenant.id, credential.id, mac)
  const message = `Approved the API credential ${credential.clientId}, which is from before the database was restored`
  await record(tx, world, cause, alert(cause, 'update', message, [touched(credential)]))
  return true
}

/** After the commit: this server honours the old state no longer. */
export function forgetCredentials(call: Call, credentials: readonly Credential[]): void {
  for (const { clientId } of credentials) call.memory(identities).forget(call.tenant.id, clientId)
}

/** After the commit of a change: what was created with it is held to its new limits too. */
export const forgetFamily = (call: Call, { id, clientId }: Credential): void => {
  call.memory(identities).forget(call.tenant.id, clientId)
  call.memory(identities).forgetDescendants(call.tenant.id, id)
}

const isOwn = ({ actor }: Call, credential: Credential): boolean =>
  credential.userId === actor.userId && isWithin(familyOf(actor), credential)
const maySee = (call: Call, credential: Credential): boolean =>
  isOwn(call, credential) || may(call.actor, 'credentials.read')
const mayDelete = (call: Call, credential: Credential): boolean =>
  isOwn(call, credential) || may(call.actor, 'credentials.revoke')

const notFound = (id: string): Refusal =>
  new Refusal('CREDENTIAL_NOT_FOUND', `There is no API credential ${id}.`, { metadata: { id } })

async function refuseUnknownRoles(
  tx: Tx,
  tenant: Tenancy,
  kind: CredentialKind,
  roleIds: readonly string[],
): Promise<void> {
  const known = new Set((await findRoles(tx, tenant.id, roleIds)).map((role) => role.id))
  const unknown = roleIds.filter((id) => !known.has(id))
  if (unknown.length > 0)
    throw invalid({ field: termsOf[kind].rolesField, description: `there is no role ${unknown.join(', ')}` })
}

const touched = (credential: Credential, more: { readonly [name: string]: unknown } = {}) => {
  const { id, clientId, userId, displayName, allowSourceCidr, scopedRoles, expiresTime, ancestorIds, requireDpop } =
    credential
  const createdWith = ancestorIds.at(-1)
  const data = {
    clientId,
    userId,
    allowSourceCidr,
    scopedRoles,
    expiresTime,
    ...(requireDpop && { requireDpop }),
    ...(createdWith && { createdWith }),
    ...more,
  }
  return { type: 'credential', id, name: displayName, data }
}
