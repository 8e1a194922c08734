import { randomBytes } from 'node:crypto'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call, Tenancy } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { findRoles } from '#rooms/roles/index.ts'
import { alert, approvalMac, type Cause, causeOf, change, isSetAside, record } from '#rooms/systemlog/index.ts'
import { cidrProblems, freedomProblems, lifespanProblem, nameProblem } from './decide.ts'
import { identities } from './identities.ts'
import { makeSecret } from './secret.ts'
import {
  type Credential,
  countCredentialsOf,
  deleteCredential,
  findCredential,
  insertCredential,
  lockCredential,
  updateApproval,
  updateCredential,
} from './store.ts'

export type Wanted = {
  userId: string
  displayName: string
  lifespanSeconds: number | null
  allowSourceCidr: readonly string[]
  scopedRoles: readonly string[]
}
export type Made = { credential: Credential; clientSecret: string }

const credentialsPerUserMax = 1000

/** Makes a credential. The secret is in the answer and nowhere else, ever. */
export async function createCredential(tx: Tx, world: World, cause: Cause, wanted: Wanted): Promise<Made> {
  const problems = [
    nameProblem(wanted.displayName),
    lifespanProblem(wanted.lifespanSeconds),
    ...cidrProblems(wanted.allowSourceCidr),
  ].filter((problem) => problem !== null)
  const [first, ...others] = problems
  if (first) throw invalid(first, ...others)
  await refuseUnknownRoles(tx, cause.tenant, wanted.scopedRoles)
  if ((await countCredentialsOf(tx, cause.tenant.id, wanted.userId)) >= credentialsPerUserMax)
    throw new Refusal('CREDENTIALS_TOO_MANY', `A user has at most ${credentialsPerUserMax} credentials; delete some.`)

  const at = world.now()
  const secret = makeSecret(world.settings.clientSecret)
  const credential: Credential = {
    id: world.newId(),
    userId: wanted.userId,
    clientId: `${randomBytes(10).toString('hex')}@${cause.tenant.domain}/pcc`,
    displayName: wanted.displayName.trim(),
    allowSourceCidr: [...wanted.allowSourceCidr],
    scopedRoles: [...new Set(wanted.scopedRoles)],
    createdAt: at,
    updatedAt: at,
    expiresTime: wanted.lifespanSeconds === null ? null : new Date(at.getTime() + wanted.lifespanSeconds * 1000),
    lastUsedAt: null,
  }
  await insertCredential(tx, cause.tenant.id, {
    ...credential,
    publicKey: secret.publicKey,
    secretSha256: secret.sha256,
  })
  await record(
    tx,
    world,
    cause,
    change(cause, 'create', `Made the API credential ${credential.clientId}`, [touched(credential)]),
  )
  return { credential, clientSecret: secret.text }
}

/** One's own, or anyone's for those who may see everyone's; else it is as if it were not there. */
export async function getCredential(call: Call, id: string): Promise<Credential> {
  const credential = await findCredential(call.db, call.tenant.id, id)
  if (!credential || !maySee(call, credential)) throw notFound(id)
  return credential
}

export type Change = Partial<Pick<Credential, 'displayName' | 'allowSourceCidr' | 'scopedRoles'>>

/** Changes one's own credential. */
export async function changeCredential(tx: Tx, call: Call, id: string, wanted: Change): Promise<Credential> {
  const before = await lockCredential(tx, call.tenant.id, id)
  if (!before || before.userId !== call.actor.userId) throw notFound(id)
  const after: Credential = { ...before, ...wanted, updatedAt: call.now() }
  const [first, ...others] = [
    nameProblem(after.displayName),
    ...cidrProblems(after.allowSourceCidr),
    ...freedomProblems(call.actor, { roleIds: after.scopedRoles, cidrs: after.allowSourceCidr }),
  ].filter((problem) => problem !== null)
  if (first) throw invalid(first, ...others)
  if (wanted.scopedRoles) await refuseUnknownRoles(tx, call.tenant, wanted.scopedRoles)
  await updateCredential(tx, call.tenant.id, after)
  const cause = causeOf(call)
  const message = `Changed ${Object.keys(wanted).join(', ') || 'nothing'} of the API credential ${after.clientId}`
  await record(tx, call, cause, change(cause, 'update', message, [touched(after)]))
  return after
}

/** Deletes one's own credential, or anyone's for those who may. */
export async function removeCredential(tx: Tx, call: Call, id: string): Promise<Credential> {
  const credential = await lockCredential(tx, call.tenant.id, id)
  if (!credential || !mayDelete(call, credential)) throw notFound(id)
  await dropCredential(tx, call, causeOf(call), credential)
  return credential
}

export async function dropCredential(tx: Tx, world: World, cause: Cause, credential: Credential): Promise<void> {
  await deleteCredential(tx, cause.tenant.id, credential.id, world.now())
  const message = `Deleted the API credential ${credential.clientId}`
  await record(tx, world, cause, change(cause, 'delete', message, [touched(credential)]))
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
export const forgetCredential = (call: Call, { clientId }: Credential): void =>
  call.memory(identities).forget(call.tenant.id, clientId)

const maySee = ({ actor }: Call, { userId }: Credential): boolean =>
  userId === actor.userId || actor.permissions.has('credentials.read')
const mayDelete = ({ actor }: Call, { userId }: Credential): boolean =>
  userId === actor.userId || actor.permissions.has('credentials.write')

const notFound = (id: string): Refusal =>
  new Refusal('CREDENTIAL_NOT_FOUND', `There is no API credential ${id}.`, { metadata: { id } })

async function refuseUnknownRoles(tx: Tx, tenant: Tenancy, roleIds: readonly string[]): Promise<void> {
  const known = new Set((await findRoles(tx, tenant.id, roleIds)).map((role) => role.id))
  const unknown = roleIds.filter((id) => !known.has(id))
  if (unknown.length > 0)
    throw invalid({ field: 'scopedRoles', description: `no role has the id ${unknown.join(', ')}` })
}

const touched = ({ id, clientId, userId, displayName, allowSourceCidr, scopedRoles, expiresTime }: Credential) => ({
  type: 'credential',
  id,
  name: displayName,
  data: { clientId, userId, allowSourceCidr, scopedRoles, expiresTime },
})
