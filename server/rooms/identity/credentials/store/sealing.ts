import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { credentialMac, type ProvenCredential } from '../proof.ts'

const rowsPerStatement = 1000
type Row = ProvenCredential & { tenantId: number }

/** Puts MACs on the credentials of before there were any. Run once, at the first start after the migration. */
export async function sealExistingCredentials(tx: Tx, { seals }: Pick<World, 'seals'>): Promise<number> {
  let count = 0
  for (;;) {
    const rows = await tx<Row[]>`
      select tenant_id as "tenantId", credential_id as id, user_id as "userId", client_id as "clientId",
        public_key as "publicKey", secret_sha256 as "secretSha256", allow_source_cidr as "allowSourceCidr",
        scoped_role_ids as "scopedRoles", ancestor_ids as "ancestorIds", created_at as "createdAt",
        expires_at as "expiresTime", deleted_at as "deletedAt"
      from credentials where mac is null order by tenant_id, credential_id limit ${rowsPerStatement}`
    if (rows.length === 0) return count
    await tx`
      update credentials c set mac = decode(s.mac, 'hex')
      from unnest(
        ${rows.map(({ tenantId }) => tenantId)}::int[],
        ${rows.map(({ id }) => id)}::text[],
        ${rows.map((row) => credentialMac(seals, row.tenantId, row).toString('hex'))}::text[]
      ) as s (tenant_id, credential_id, mac)
      where c.tenant_id = s.tenant_id and c.credential_id = s.credential_id`
    count += rows.length
  }
}
