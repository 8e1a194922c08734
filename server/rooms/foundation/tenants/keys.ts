import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { slot } from '#kernel/memory.ts'
import { remember } from '#kernel/remember.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'

/** A tenant's Ed25519 key for access tokens. */
export type SigningKey = {
  id: string
  publicKey: KeyObject
  privateKey: KeyObject
  createdAt: Date
  retiredAt: Date | null
}

const purpose = 'signing key'
// Added to the lifetime of a token: for servers that did not know of the rotation yet when they signed.
const honouredExtraSeconds = 60
const keysMax = 100

/** Creates a key that signs from now on; the one before no longer signs, and its tokens stay valid until they expire. */
export async function rotateSigningKey(tx: Tx, { newId, now, seals }: World, tenantId: number): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const keyId = newId()
  const at = now()
  const plain = privateKey.export({ type: 'pkcs8', format: 'der' })
  const sealed = seals.seal(purpose, String(tenantId), plain, keyId)
  // Of two rotations at once, the second waits for the first and retires its key.
  await tx`select 1 from tenants where tenant_id = ${tenantId} for no key update`
  await tx`update signing_keys set retired_at = ${at} where tenant_id = ${tenantId} and retired_at is null`
  await tx`
    insert into signing_keys (tenant_id, key_id, public_key, sealed_private_key, created_at)
    values (${tenantId}, ${keyId}, ${publicKey.export({ type: 'spki', format: 'der' })}, ${sealed}, ${at})`
  return keyId
}

type KeyRow = { id: string; sealed: Buffer; createdAt: Date; retiredAt: Date | null }

/** The keys whose tokens are accepted, beginning with the one that signs. */
async function listSigningKeys(db: Reads, { now, seals, settings }: World, tenantId: number): Promise<SigningKey[]> {
  const honouredSeconds = settings.tokenLifetimeSeconds + honouredExtraSeconds
  const honouredSince = new Date(now().getTime() - honouredSeconds * 1000)
  const rows = await db<KeyRow[]>`
    select key_id as id, sealed_private_key as sealed, created_at as "createdAt",
      retired_at as "retiredAt"
    from signing_keys
    where tenant_id = ${tenantId} and (retired_at is null or retired_at > ${honouredSince})
    order by retired_at desc nulls first limit ${keysMax}`
  return rows.map(({ sealed, ...row }) => {
    const plain = seals.open(purpose, String(tenantId), sealed, row.id)
    if (!plain) throw new Error(`the signing key ${row.id} cannot be decrypted with this secret key`)
    const privateKey = createPrivateKey({ key: plain, type: 'pkcs8', format: 'der' })
    // Not the one in the column: nothing seals that, and tokens signed with a key written there would be accepted.
    return { ...row, publicKey: createPublicKey(privateKey), privateKey }
  })
}

// How soon a rotation through another server or a command is noticed.
const ageMs = 500
// How long lookups of an unknown key wait for each other: forged tokens cost no more than 50 queries per second.
const gatherMs = 20

/** The keys of each tenant. */
export const signingKeys = slot((world) => {
  const known = remember(
    () => world.now().getTime(),
    ageMs,
    (tenantId) => listSigningKeys(world.db, world, Number(tenantId)),
  )
  const looking = new Map<number, Promise<SigningKey[]>>()
  return {
    /** At most half a second old. */
    list: (tenantId: number): SigningKey[] | Promise<SigningKey[]> => known.get(String(tenantId)),
    /** Read after this call began: a token with a new key was signed before it. */
    listNewest(tenantId: number): Promise<SigningKey[]> {
      const found =
        looking.get(tenantId) ??
        sleep(gatherMs).then(() => {
          looking.delete(tenantId)
          known.forget(String(tenantId))
          return known.get(String(tenantId))
        })
      looking.set(tenantId, found)
      return found
    },
  }
})
