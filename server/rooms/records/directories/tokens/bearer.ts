import type { Knock } from '#kernel/doors.ts'
import { slot } from '#kernel/memory.ts'
import { Refusal } from '#kernel/refusals.ts'
import { remember } from '#kernel/remember.ts'
import { type Actor, stranger } from '#kernel/routes.ts'
import { isSameMac } from '#kernel/seals.ts'
import type { World } from '#kernel/world.ts'
import { isSetAside, reportForged } from '#rooms/foundation/systemlog/index.ts'
import type { Directory } from '../directory.ts'
import { findDirectory } from '../store.ts'
import { uses } from './last-used.ts'
import { findToken, type KeptToken } from './store.ts'
import { hashOf, readText, tokenMac } from './text.ts'

/** A caller over SCIM: a directory, identified by one of its tokens. */
export type DirectoryActor = Actor & { readonly directory: Directory }

type Bearer = { token: KeptToken; directory: Directory }

// A change through another server takes effect here after this time at most: the documentation promises a second.
const ageMs = 500

/** The tokens that were looked up, at most half a second old; changes through this server take effect at once. */
export const bearers = slot((world) => {
  const known = remember(
    () => world.now().getTime(),
    ageMs,
    async (key): Promise<Bearer | null> => {
      const [tenantId, id] = JSON.parse(key) as [number, string]
      return find(world, tenantId, id)
    },
  )
  const keyOf = (tenantId: number, id: string): string => JSON.stringify([tenantId, id])
  return {
    find: (tenantId: number, id: string) => known.get(keyOf(tenantId, id)),
    forget: (tenantId: number, id: string): void => known.forget(keyOf(tenantId, id)),
  }
})

async function find(world: World, tenantId: number, id: string): Promise<Bearer | null> {
  const token = await findToken(world.db, tenantId, id)
  if (!token) return null
  if (!isSameMac(token.mac, tokenMac(world.seals, tenantId, token))) {
    await reportForged(world, tenantId, { type: 'directory token', id })
    return null
  }
  const directory = await findDirectory(world.db, tenantId, token.appId)
  return directory?.kind === 'scim' ? { token, directory } : null
}

const invalidToken = (why: string): Refusal => new Refusal('TOKEN_INVALID', why)

export const notOfDirectory = (): Refusal => invalidToken('The token does not belong to a directory.')

/** Refuses everything that is not a token of the directory named in the path. */
export function authenticate(world: World, knock: Knock): DirectoryActor | Promise<DirectoryActor> {
  const { tenant, authorization } = knock
  if (!authorization)
    throw new Refusal('TOKEN_MISSING', 'This needs a token of the directory: send "Authorization: Bearer <TOKEN>".')
  const [, text] = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization) ?? []
  const said = text === undefined ? null : readText(world.seals, tenant.id, text)
  if (!said) throw notOfDirectory()
  const found = world.memory(bearers).find(tenant.id, said.id)
  return found instanceof Promise
    ? found.then((each) => admit(world, knock, said.secret, each))
    : admit(world, knock, said.secret, found)
}

/** Why a known token is not accepted now. */
function whyNot(world: World, tenantId: number, { id, createdAt, expiresAt, revokedAt }: KeptToken): Refusal | null {
  if (revokedAt) return new Refusal('CREDENTIAL_REVOKED', 'The token was revoked.')
  if (expiresAt && expiresAt <= world.now())
    return new Refusal('TOKEN_EXPIRED', 'The token of the directory has expired; create a new one.')
  if (isSetAside(world, tenantId, { id, createdAt, approvalMac: null }))
    return new Refusal(
      'CREDENTIAL_REVOKED',
      'The token is from before the database was restored; create a new one and revoke this one.',
    )
  return null
}

function admit(world: World, { tenant, path }: Knock, secret: string, found: Bearer | null): DirectoryActor {
  if (!found || !isSameMac(hashOf(secret), found.token.secretSha256)) throw notOfDirectory()
  const { token, directory } = found
  const refusal = whyNot(world, tenant.id, token)
  if (refusal) {
    world.memory(uses).noteError(tenant.id, directory.appId, refusal.message)
    throw refusal
  }
  // The same refusal for a directory that does not exist: the token of one reveals nothing about others.
  if (path.split('/', 1)[0] !== directory.appId) throw invalidToken('The token does not belong to this directory.')
  world.memory(uses).note(tenant.id, token)
  return {
    ...stranger,
    name: `Directory ${directory.displayName}`,
    credentialId: token.id,
    tokenId: token.id,
    // The client whose share of the server's capacity is used.
    clientId: `directory ${directory.appId}`,
    directory,
  }
}
