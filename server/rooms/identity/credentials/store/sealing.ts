import type { Tx } from '#kernel/sql.ts'
import { listTenantIds } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { credentialMac, type ProvenCredential } from '../proof.ts'

const rowsPerStatement = 1000

/** Adds MACs to the credentials from before MACs were introduced. Run once, at the first start after the migration. */
export async function sealExistingCredentials(tx: Tx, { seals }: Pick<World, 'seals'>): Promise<number> {
  let count = 0
  for (const tenantId of await listTenantIds(tx))
    for (let sealed = rowsPerStatement; sealed === rowsPerStatement; count += sealed)
      sealed = await sealSome(tx, seals, tenantId)
  return count
}

async function sealSome(tx: Tx, seals: World['seals'], tenantId: number): Promise<number> {
  const rows = await tx<ProvenCredential[]>`
    select credential_id as id, user_id as "userId", client_id as "clientId",
      public_key as "publicKey", secret_sha256 as "secretSha256", allow_source_cidr as "allowSourceCidr",
      scoped_role_ids as "scopedRoles", ancestor_ids as "ancestorIds", require_dpop as "requireDpop", created_at as "createdAt",
      expires_at as "expiresTime", deleted_at as "deletedAt"
    from credentials where tenant_id = ${tenantId} and mac is null order by credential_id limit ${rowsPerStatement}`
  if (rows.length === 0) return 0
  await tx`
    update credentials c set mac = decode(s.mac, 'hex')
    from unnest(
      ${rows.map(({ id }) => id)}::text[],
      ${rows.map((row) => credentialMac(seals, tenantId, row).toString('hex'))}::text[]
    ) as s (credential_id, mac)
    where c.tenant_id = ${tenantId} and c.credential_id = s.credential_id`
  return rows.length
}
