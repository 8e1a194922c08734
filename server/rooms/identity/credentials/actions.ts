import { randomBytes } from 'node:crypto'
import { may } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import {
  alert,
  approvalMac,
  type Cause,
  type CauseBy,
  causeOf,
  change,
  isSetAside,
  record,
} from '#rooms/foundation/systemlog/index.ts'
import { findPerson } from '#rooms/identity/users/index.ts'
import { isOwn } from './change.ts'
import { cidrProblems, endOf, freedomProblems, nameProblem, possessionProblem } from './decide.ts'
import { freedomWithin, holdFamily } from './family.ts'
import { identities } from './identities.ts'
import { type CredentialKind, credentialKind, termsOf } from './kinds.ts'
import { notFound, refuseInvalid, refuseUnknownRoles } from './refuse.ts'
import { sealed, touched } from './rows.ts'
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
  updateApproval,
  updateCredential,
} from './store.ts'
import { credentialWords } from './words.ts'

export type Wanted = {
  userId: string
  displayName: string
  lifespanSeconds: number | null
  allowSourceCidr: readonly string[]
  scopedRoles: readonly string[]
  /** Whether it belongs to a user (`pcc`, by default), a service principal or a device. */
  kind?: CredentialKind
  requireDpop?: boolean
  /** What else the event records about it. */
  data?: { readonly [name: string]: unknown }
}
export type Made = { credential: Credential; clientSecret: string }

const unlimited = { roleIds: [], sourceCidrs: [] }
const credentialsPerUserMax = 1000

type Creating = 'own-credentials.create' | 'principal.create-credential' | 'trust.change' | 'operator'
type Dropping =
  | 'own-credentials.revoke'
  | 'credentials.revoke'
  | 'principal.edit'
  | 'principals.delete'
  | 'trust.delete'

/** Creates a credential. The secret is only in this reply, and never shown again. */
export async function createCredential(tx: Tx, world: World, cause: CauseBy<Creating>, wanted: Wanted): Promise<Made> {
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
    // Also the limits of a token: it may have been issued for fewer roles than its credential has.
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
  const message = `Created the ${await credentialWords(tx, cause.tenant.id, credential)}`
  await record(tx, world, cause, change(cause, 'create', message, [touched(credential, wanted.data)]))
  return { credential, clientSecret: secret.text }
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

export const createOwnCredential = (
  tx: Tx,
  call: May<'own-credentials.create'>,
  wanted: Omit<Wanted, 'userId' | 'kind'>,
): Promise<Made> => createCredential(tx, call, causeOf(call), { ...wanted, userId: call.actor.userId })

/** The caller's own, or anyone's for those who may see everyone's; to others it does not exist. */
export async function getCredential(call: Call, id: string): Promise<Credential> {
  const credential = await findCredential(call.db, call.tenant.id, id)
  if (!credential || credentialKind(credential.clientId) !== 'pcc' || !maySee(call, credential)) throw notFound(id)
  return credential
}

/** Deletes the caller's own credential, or anyone's for those who may, and all that were created with it. */
export async function removeCredential(tx: Tx, call: May<'own-credentials.revoke'>, id: string): Promise<Credential[]> {
  const credential = await lockCredential(tx, call.tenant.id, id)
  if (!credential || credentialKind(credential.clientId) !== 'pcc' || !mayDelete(call, credential)) throw notFound(id)
  return dropCredential(tx, call, causeOf(call), credential)
}

export async function dropCredential(
  tx: Tx,
  world: World,
  cause: CauseBy<Dropping | 'operator'>,
  credential: KeptCredential,
): Promise<Credential[]> {
  const { tenant } = cause
  const at = world.now()
  const gone = [credential, ...(await lockDescendants(tx, tenant.id, credential))]
  for (const each of gone)
    await updateCredential(tx, tenant.id, sealed(world, tenant.id, { ...each, updatedAt: at, deletedAt: at }))
  const others = gone.length > 1 ? ` and ${gone.length - 1} created with it` : ''
  const message = `Deleted the ${await credentialWords(tx, tenant.id, credential)}${others}`
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

/** Accepts a credential from before the restore again; false if it needs no approval. */
export async function approveCredential(
  tx: Tx,
  world: World,
  cause: CauseBy<'operator'>,
  credential: Credential,
): Promise<boolean> {
  const mac = approvalMac(world, cause.tenant.id, credential.id)
  if (!mac || !isSetAside(world, cause.tenant.id, { ...credential, approvalMac: null })) return false
  await updateApproval(tx, cause.tenant.id, credential.id, mac)
  const words = await credentialWords(tx, cause.tenant.id, credential)
  const message = `Approved the ${words}, which is from before the database was restored`
  await record(tx, world, cause, alert(cause, 'update', message, [touched(credential)]))
  return true
}

/** After the commit: this server no longer uses the old state. */
export function forgetCredentials(call: Call, credentials: readonly Credential[]): void {
  for (const { clientId } of credentials) call.memory(identities).forget(call.tenant.id, clientId)
}

/** After the commit of a change: what was created with it has its new limits too. */
export const forgetFamily = (call: Call, { id, clientId }: Credential): void => {
  call.memory(identities).forget(call.tenant.id, clientId)
  call.memory(identities).forgetDescendants(call.tenant.id, id)
}
const maySee = (call: Call, credential: Credential): boolean =>
  isOwn(call, credential) || may(call.actor, 'credentials.read')
const mayDelete = (call: Call, credential: Credential): boolean =>
  isOwn(call, credential) || may(call.actor, 'credentials.revoke')
