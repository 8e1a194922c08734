import { mayEverywhere, type Plain } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { endOwnedBy, endOwnersOf } from '#rooms/foundation/ownership/index.ts'
import { alert, causeOf, record, recordChange } from '#rooms/foundation/systemlog/index.ts'
import {
  type Credential,
  createCredential,
  dropCredential,
  familyOf,
  isWithin,
  lockCredentialsOf,
  lockPrincipalCredential,
  namedLength,
  principalLifespan,
  renameCredential,
} from '#rooms/identity/credentials/index.ts'
import {
  allDisabled,
  findUser,
  holdUser,
  insertUsers,
  isPrincipal,
  markDeleted,
  recordsChanged,
  type User,
  updateDisplayName,
  usersDisabled,
} from '#rooms/identity/users/index.ts'
import { ownsPrincipal, principalNotFound, refuseBeyondPrincipal } from './owners.ts'

const touched = ({ id, displayName }: User | { id: string; displayName: string }) => ({
  type: 'service principal',
  id,
  name: displayName,
})

function nameOf(displayName: string): string {
  const name = displayName.trim()
  if (name === '') throw invalid({ field: 'displayName', description: 'must not be empty' })
  if (name.length > namedLength)
    throw invalid({ field: 'displayName', description: `must have at most ${namedLength} characters` })
  return name
}

export async function getPrincipal(call: Call, id: string): Promise<User> {
  const user = await findUser(call.db, call.tenant.id, id, call.now())
  if (!user || !isPrincipal(user) || user.deletedAt) throw principalNotFound(id)
  return user
}

export async function lockPrincipal(tx: Tx, call: Call, id: string): Promise<User> {
  const user = await holdUser(tx, call, call, id).catch((error: unknown) => {
    throw error instanceof Refusal && error.reason === 'USER_NOT_FOUND' ? principalNotFound(id) : error
  })
  if (!isPrincipal(user)) throw principalNotFound(id)
  return user
}

/** Creates a principal. It has no role, and may do nothing until it is granted one. */
export async function createPrincipal(tx: Tx, call: May<'principals.create'>, displayName: string): Promise<string> {
  const principal = {
    id: call.newId(),
    displayName: nameOf(displayName),
    email: '',
    type: 'USER_TYPE_SERVICE',
    origin: 'USER_ORIGIN_LOCAL',
  } as const
  await insertUsers(tx, call.tenant.id, [principal], call.now())
  const message = `Created the service principal ${principal.displayName}`
  await recordChange(tx, call, 'create', message, [touched(principal)])
  return principal.id
}

export async function renamePrincipal(
  tx: Tx,
  call: May<'principal.edit'>,
  id: string,
  displayName: string | null,
): Promise<void> {
  const before = await lockPrincipal(tx, call, id)
  if (displayName === null) return
  const name = nameOf(displayName)
  if (name === before.displayName) return
  await updateDisplayName(tx, call.tenant.id, id, name, call.now())
  const of = { ...touched({ id, displayName: name }), data: { before: before.displayName } }
  const message = `Renamed the service principal ${before.displayName} to ${name}`
  await recordChange(tx, call, 'update', message, [of])
}

/**
 * Deletes a principal and permanently revokes its credentials. Its activity is kept in the system log. Returns the
 * revoked credentials.
 */
export async function deletePrincipal(tx: Tx, call: May<'principals.delete'>, id: string): Promise<Credential[]> {
  const principal = await lockPrincipal(tx, call, id)
  await refuseBeyondPrincipal(call, id)
  const revoked = new Map<string, Credential>()
  for (const credential of await lockCredentialsOf(tx, call.tenant.id, id))
    if (!revoked.has(credential.id))
      for (const each of await dropCredential(tx, call, causeOf(call), credential)) revoked.set(each.id, each)
  await markDeleted(tx, call.tenant.id, id, call.now())
  const ending = { at: call.now(), by: call.actor.userId }
  await endOwnersOf(tx, call.tenant.id, { kind: 'user', appId: '', typeId: '', id }, ending)
  await endOwnedBy(tx, call.tenant.id, id, ending)
  await enqueue(tx, call, causeOf(call), usersDisabled, allDisabled)
  await enqueue(tx, call, causeOf(call), recordsChanged, allDisabled)
  const message = `Deleted the service principal ${principal.displayName} and its ${revoked.size} credentials`
  const of = { ...touched(principal), data: { roleIds: principal.roleIds, credentials: revoked.size } }
  await record(tx, call, call, alert(causeOf(call), 'delete', message, [of]))
  return [...revoked.values()]
}

type WantedCredential = {
  displayName: string
  expiresSeconds: number | null
  allowSourceCidr: readonly string[]
  scopedRoles: readonly string[]
  requireDpop: boolean
}

/**
 * Creates a credential of a principal, for its owners and for those who may do everything that it permits. Like every
 * credential, one that is created with a token ends with the credential of that token, and is not less restricted.
 */
export async function createPrincipalCredential(
  tx: Tx,
  call: May<'principal.create-credential'>,
  id: string,
  wanted: WantedCredential,
) {
  const principal = await lockPrincipal(tx, call, id)
  if (principal.status !== 'ENABLED')
    throw new Refusal(
      'SERVICE_PRINCIPAL_DISABLED',
      `The service principal ${principal.displayName} is disabled: enable it before creating credentials.`,
    )
  if (!(await ownsPrincipal(call, id))) await refuseBeyondPrincipal(call, id, wanted.scopedRoles)
  const { expiresSeconds, ...others } = wanted
  return createCredential(tx, call, causeOf(call), {
    ...others,
    userId: id,
    kind: 'spc',
    lifespanSeconds: expiresSeconds ?? principalLifespan.defaultSeconds,
  })
}

/**
 * Which credentials of a principal a caller can access: all or, with a limited credential of an owner, only that
 * credential and what was created with it.
 */
export const familyFor = ({ actor }: Call, action: Plain): string | null =>
  mayEverywhere(actor, action) ? null : familyOf(actor)

type Ref = { principalId: string; id: string }

export async function renamePrincipalCredential(
  tx: Tx,
  call: May<'principal.edit'>,
  ref: Ref,
  displayName: string | null,
): Promise<Credential> {
  await lockPrincipal(tx, call, ref.principalId)
  const family = familyFor(call, 'principals.edit')
  const before = await lockPrincipalCredential(tx, call, ref, (credential) => isWithin(family, credential))
  return displayName === null ? before : renameCredential(tx, call, before, displayName)
}

export async function revokePrincipalCredential(tx: Tx, call: May<'principal.edit'>, ref: Ref): Promise<Credential[]> {
  await lockPrincipal(tx, call, ref.principalId)
  const family = familyFor(call, 'principals.edit')
  const credential = await lockPrincipalCredential(tx, call, ref, (each) => isWithin(family, each))
  return dropCredential(tx, call, causeOf(call), credential)
}
