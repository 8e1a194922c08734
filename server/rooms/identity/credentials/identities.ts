import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { addressCheck } from '#kernel/cidrs.ts'
import { slot } from '#kernel/memory.ts'
import { remember } from '#kernel/remember.ts'
import { onceCommitted } from '#kernel/work.ts'
import type { Forgotten, World } from '#kernel/world.ts'
import { isSetAside, reportForged } from '#rooms/foundation/systemlog/index.ts'
import { findProvenRoles, listRolesOfUser, permitted, type Role } from '#rooms/identity/roles/index.ts'
import { findSourceLimits, type SourceLimits, sourceCheck, sourceOf } from '#rooms/identity/sources/index.ts'
import { credentialKind, isProgram } from './kinds.ts'
import { isCredentialProven } from './proof.ts'
import { type Bearing, findBearing, listClientIdsOf } from './store/identities.ts'
import { findKept, type KeptCredential } from './store.ts'
import { findProvenTrust, type ProvenTrust } from './trusts.ts'

/** Everything that decides whether a credential is accepted, and for what. */
export type Identity = {
  credentialId: string
  clientId: string
  /** The credentials by whose tokens it was created: it ends with any of them. */
  ancestorIds: readonly string[]
  /** Only tokens that are bound to a key of the client are accepted. */
  requireDpop: boolean
  expiresAt: Date | null
  isDeleted: boolean
  /** It, or one that it was created by, is older than the restore of the database, and was not approved since. */
  isSetAside: boolean
  isAllowedFrom: (address: string) => boolean
  revokedTokenIds: ReadonlySet<string>
  user: { id: string; name: string; email: string; isEnabled: boolean }
  roleIds: readonly string[]
  permissions: ReadonlySet<string>
  permissionsOnOwned: ReadonlySet<string>
  limits: { roleIds: readonly string[]; sourceCidrs: readonly string[] }
  /** Which tokens of another issuer prove it; null for a credential with a secret. */
  trust: ProvenTrust | null
}

/** What a client's proof is checked with; for an unknown client, something that nothing passes. */
type Lock = { publicKey: KeyObject; secretSha256: Buffer }
export type Found = { identity: Identity | null; lock: Lock }

const nobody: Bearing = {
  id: '000000000000000000000000000',
  userId: '000000000000000000000000000',
  clientId: '',
  displayName: '',
  allowSourceCidr: [],
  scopedRoles: [],
  ancestorIds: [],
  requireDpop: false,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  expiresTime: null,
  lastUsedAt: null,
  deletedAt: null,
  // Nobody has the private key, and nothing has this hash.
  publicKey: generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }),
  secretSha256: Buffer.alloc(32),
  approvalMac: null,
  mac: Buffer.alloc(32),
  user: { name: '', email: '', isEnabled: false },
  revokedTokenIds: [],
}

/**
 * The identity of a client id. For an unknown one, the same is looked up and computed for nobody: the time it takes
 * does not reveal which clients exist.
 */
async function find(world: World, tenantId: number, clientId: string): Promise<Found> {
  const found = await findBearing(world.db, tenantId, clientId, world.now())
  const isProven = isCredentialProven(world.seals, tenantId, found ?? nobody)
  if (found && !isProven)
    await reportForged(world, tenantId, { type: 'credential', id: found.id, userId: found.userId })
  const bearing = found && isProven ? found : nobody
  const isTrust = credentialKind(bearing.clientId) === 'wfe'
  const [own, scope, ancestors, trust, sources] = await Promise.all([
    listRolesOfUser(world, tenantId, bearing.userId),
    findScope(world, tenantId, bearing),
    findAncestors(world, tenantId, bearing),
    isTrust ? findProvenTrust(world, tenantId, { credentialId: bearing.id, principalId: bearing.userId }) : null,
    findSourceLimits(world, world.db, tenantId),
  ])
  const { publicKey, secretSha256 } = bearing
  const lock = { publicKey: createPublicKey({ key: publicKey, type: 'spki', format: 'der' }), secretSha256 }
  // If one of those that created it is missing it ends, as if it did not exist.
  if (bearing === nobody || !ancestors || (isTrust && !trust)) return { identity: null, lock }
  const family = [{ credential: bearing, scope }, ...ancestors]
  const identity = identityOf(world, tenantId, bearing, { own, family, sources })
  return { identity: { ...identity, trust }, lock }
}

/** A credential, or one that it was created by, with the roles of its scope; null for Full Permissions. */
type Member = { credential: KeptCredential; scope: Role[] | null }

function identityOf(
  world: World,
  tenantId: number,
  bearing: Bearing,
  { own, family, sources }: { own: readonly Role[]; family: readonly Member[]; sources: SourceLimits },
): Omit<Identity, 'trust'> {
  const credentials = family.map(({ credential }) => credential)
  const scopes = family.flatMap(({ scope }) => (scope ? [scope] : []))
  const allowed = permittedByAll(own, scopes)
  // Service principals are limited by their own credentials: their addresses differ from those of people.
  const ofPeople = isProgram(bearing.clientId) ? () => true : sourceCheck(sources[sourceOf('pcc', allowed)])
  return {
    credentialId: bearing.id,
    clientId: bearing.clientId,
    ancestorIds: bearing.ancestorIds,
    requireDpop: bearing.requireDpop,
    expiresAt: earliest(credentials.map(({ expiresTime }) => expiresTime)),
    isDeleted: credentials.some(({ deletedAt }) => deletedAt !== null),
    isSetAside: credentials.some((credential) => isSetAside(world, tenantId, credential)),
    isAllowedFrom: allowedFromAll(credentials, ofPeople),
    revokedTokenIds: new Set(bearing.revokedTokenIds),
    user: { id: bearing.userId, ...bearing.user },
    roleIds: (scopes[0] ?? own).map((role) => role.id),
    ...allowed,
    limits: limitsOf(credentials),
  }
}

const findScope = (world: World, tenantId: number, { scopedRoles }: KeptCredential): Promise<Role[]> | null =>
  scopedRoles.length > 0 ? findProvenRoles(world, tenantId, scopedRoles) : null

/** Those it was created by, the nearest first; null if one of them is not valid. */
async function findAncestors(world: World, tenantId: number, of: KeptCredential): Promise<Member[] | null> {
  if (of.ancestorIds.length === 0) return []
  const byId = new Map((await findKept(world.db, tenantId, of.ancestorIds)).map((each) => [each.id, each]))
  const found: Member[] = []
  for (const id of of.ancestorIds.toReversed()) {
    const credential = byId.get(id)
    // Those of a service principal were created with credentials of people.
    if (!credential || (credential.userId !== of.userId && !isProgram(of.clientId))) return null
    if (!isCredentialProven(world.seals, tenantId, credential)) {
      await reportForged(world, tenantId, { type: 'credential', id, userId: credential.userId })
      return null
    }
    // What was created with tokens of a trust is paused while the trust is.
    if (credentialKind(credential.clientId) === 'wfe' && !(await isTrusted(world, tenantId, credential))) return null
    found.push({ credential, scope: await findScope(world, tenantId, credential) })
  }
  return found
}

async function isTrusted(world: World, tenantId: number, { id, userId }: KeptCredential): Promise<boolean> {
  const trust = await findProvenTrust(world, tenantId, { credentialId: id, principalId: userId })
  return trust !== null && !trust.terms.isDisabled && !trust.provider.isDisabled
}

/** What its owner may do at present, as far as its own scope and the scopes of all that it was created by allow it. */
function permittedByAll(own: readonly Role[], scopes: readonly (readonly Role[])[]) {
  const [first = permitted(own, null), ...others] = scopes.map((scope) => permitted(own, scope))
  return others.reduce(
    (some, each) => ({
      permissions: some.permissions.intersection(each.permissions),
      permissionsOnOwned: some.permissionsOnOwned.intersection(each.permissionsOnOwned),
    }),
    first,
  )
}

const earliest = (ends: readonly (Date | null)[]): Date | null =>
  ends.reduce((first, end) => (end && (!first || end < first) ? end : first), null)

function allowedFromAll(
  family: readonly KeptCredential[],
  ofPeople: (address: string) => boolean,
): (address: string) => boolean {
  const checks = [ofPeople, ...family.map(({ allowSourceCidr }) => addressCheck(allowSourceCidr))]
  return (address) => checks.every((isAllowed) => isAllowed(address))
}

/** Its own limits, or those of the nearest that it was created by. */
const limitsOf = (family: readonly KeptCredential[]): Identity['limits'] => ({
  roleIds: family.find(({ scopedRoles }) => scopedRoles.length > 0)?.scopedRoles ?? [],
  sourceCidrs: family.find(({ allowSourceCidr }) => allowSourceCidr.length > 0)?.allowSourceCidr ?? [],
})

// A change through another server takes effect here after this time at most: documented is a second.
const ageMs = 500

/** The identity of a client id, at most half a second old; what this server changes takes effect at once. */
export const identities = slot((world) => {
  /** Which of the remembered were created with a credential: they are forgotten with it. */
  const descendants = new Map<string, Set<string>>()
  const known = remember(
    () => world.now().getTime(),
    ageMs,
    async (key) => {
      const [tenantId, clientId] = JSON.parse(key) as [number, string]
      const found = await find(world, tenantId, clientId)
      for (const id of found.identity?.ancestorIds ?? []) noteDescendant(descendants, `${tenantId} ${id}`, key)
      return found
    },
  )
  const keyOf = (tenantId: number, clientId: string): string => JSON.stringify([tenantId, clientId])
  const forgetDescendants = (tenantId: number, credentialId: string): void => {
    const key = `${tenantId} ${credentialId}`
    for (const each of descendants.get(key) ?? []) known.forget(each)
    descendants.delete(key)
  }
  const notifyWorkers = (...forgotten: Forgotten): void => onceCommitted(() => world.notifyWorkers?.(forgotten))
  return {
    find(tenantId: number, clientId: string): Identity | null | Promise<Identity | null> {
      const found = known.get(keyOf(tenantId, clientId))
      return found instanceof Promise ? found.then(({ identity }) => identity) : found.identity
    },
    /** The identity, if it exists, and what its proof is checked with, which always does. */
    findWithLock: (tenantId: number, clientId: string): Found | Promise<Found> => known.get(keyOf(tenantId, clientId)),
    forget(tenantId: number, clientId: string): void {
      known.forget(keyOf(tenantId, clientId))
      notifyWorkers('client', tenantId, clientId)
    },
    forgetDescendants(tenantId: number, credentialId: string): void {
      forgetDescendants(tenantId, credentialId)
      notifyWorkers('descendants', tenantId, credentialId)
    },
    /** Another worker of this server has changed it. */
    hear([what, tenantId, id]: Forgotten): void {
      if (what === 'client') known.forget(keyOf(Number(tenantId), String(id)))
      else forgetDescendants(Number(tenantId), String(id))
    },
  }
})

const keysMax = 10

/**
 * The keys of someone's API credentials, with which secrets can be encrypted for them. Only credentials that are
 * accepted and have no limits: passwords are not for limited ones.
 */
export async function listKeysOf(world: World, tenantId: number, userId: string): Promise<KeyObject[]> {
  const keys: KeyObject[] = []
  for (const clientId of await listClientIdsOf(world.db, tenantId, userId)) {
    if (credentialKind(clientId) !== 'pcc' || keys.length === keysMax) continue
    const { identity, lock } = await world.memory(identities).findWithLock(tenantId, clientId)
    if (!identity || identity.isDeleted || identity.isSetAside || !identity.user.isEnabled) continue
    const isOver = identity.expiresAt !== null && identity.expiresAt <= world.now()
    if (!isOver && identity.limits.roleIds.length === 0) keys.push(lock.publicKey)
  }
  return keys
}

/** What a user may do was changed: it takes effect for their credentials at once. */
export async function forgetUser(call: World & { tenant: { id: number } }, userId: string): Promise<void> {
  for (const clientId of await listClientIdsOf(call.db, call.tenant.id, userId))
    call.memory(identities).forget(call.tenant.id, clientId)
}

const notedMax = 10_000

function noteDescendant(noted: Map<string, Set<string>>, ancestor: string, key: string): void {
  const known = noted.get(ancestor)
  if (known) known.add(key)
  else {
    noted.set(ancestor, new Set([key]))
    // Those that are dropped are forgotten after half a second, as on other servers.
    if (noted.size > notedMax) noted.delete(noted.keys().next().value as string)
  }
}
