import { createPublicKey, type KeyObject } from 'node:crypto'
import { slot } from '#kernel/memory.ts'
import { remember } from '#kernel/remember.ts'
import type { World } from '#kernel/world.ts'
import { findRoles, listRolesOfUser, permitted } from '#rooms/roles/index.ts'
import { isSetAside } from '#rooms/systemlog/index.ts'
import { addressCheck } from './addresses.ts'

/** Everything that decides whether a credential is honoured, and for what. */
export type Identity = {
  credentialId: string
  clientId: string
  publicKey: KeyObject
  secretSha256: Buffer
  expiresAt: Date | null
  isDeleted: boolean
  /** From before the database was restored, and not approved since. */
  isSetAside: boolean
  isAllowedFrom: (address: string) => boolean
  user: { id: string; name: string; email: string; isEnabled: boolean }
  roleIds: readonly string[]
  permissions: ReadonlySet<string>
  permissionsOnOwned: ReadonlySet<string>
  limits: { roleIds: readonly string[]; sourceCidrs: readonly string[] }
}

type Row = {
  credentialId: string
  publicKey: Buffer
  secretSha256: Buffer
  expiresAt: Date | null
  deletedAt: Date | null
  createdAt: Date
  approvalMac: Buffer | null
  allowSourceCidr: string[]
  scopedRoleIds: string[]
  userId: string
  name: string
  email: string
  isEnabled: boolean
}

async function findIdentity(world: World, tenantId: number, clientId: string): Promise<Identity | null> {
  const { db } = world
  const [row] = await db<Row[]>`
    select c.credential_id as "credentialId", c.public_key as "publicKey", c.secret_sha256 as "secretSha256",
      c.expires_at as "expiresAt", c.deleted_at as "deletedAt", c.created_at as "createdAt",
      c.approval_mac as "approvalMac", c.allow_source_cidr as "allowSourceCidr",
      c.scoped_role_ids as "scopedRoleIds", u.user_id as "userId", u.display_name as name, u.email,
      u.status = 'ENABLED' and u.deleted_at is null as "isEnabled"
    from credentials c join users u using (tenant_id, user_id)
    where c.tenant_id = ${tenantId} and c.client_id = ${clientId}`
  if (!row) return null
  const [own, scope] = await Promise.all([
    listRolesOfUser(db, tenantId, row.userId),
    row.scopedRoleIds.length > 0 ? findRoles(db, tenantId, row.scopedRoleIds) : null,
  ])
  return {
    credentialId: row.credentialId,
    clientId,
    publicKey: createPublicKey({ key: row.publicKey, type: 'spki', format: 'der' }),
    secretSha256: row.secretSha256,
    expiresAt: row.expiresAt,
    isDeleted: row.deletedAt !== null,
    isSetAside: isSetAside(world, tenantId, { ...row, id: row.credentialId }),
    isAllowedFrom: addressCheck(row.allowSourceCidr),
    user: { id: row.userId, name: row.name, email: row.email, isEnabled: row.isEnabled },
    roleIds: (scope ?? own).map((role) => role.id),
    // Both must allow it: the credential's scope, and what its owner may do today.
    ...permitted(own, scope),
    limits: { roleIds: row.scopedRoleIds, sourceCidrs: row.allowSourceCidr },
  }
}

// A change through another server counts here after this time at the most: the promise is a second.
const ageMs = 500

/** Who stands behind a client id, as of half a second ago at most; what this server changes counts at once. */
export const identities = slot((world) => {
  const known = remember(
    () => world.now().getTime(),
    ageMs,
    (key) => {
      const [tenantId, clientId] = JSON.parse(key) as [number, string]
      return findIdentity(world, tenantId, clientId)
    },
  )
  return {
    find: (tenantId: number, clientId: string): Identity | null | Promise<Identity | null> =>
      known.get(JSON.stringify([tenantId, clientId])),
    forget: (tenantId: number, clientId: string): void => known.forget(JSON.stringify([tenantId, clientId])),
  }
})
