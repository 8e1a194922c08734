import type { Reads, Tx } from '#kernel/sql.ts'

/** A certificate of a host, as it is stored. */
export type StoredCertificate = { host: string; tenantId: number; certificate: string; sealedKey: Buffer; at: Date }

export async function putCertificate(tx: Tx, of: StoredCertificate): Promise<void> {
  await tx`
    update tenant_hosts set certificate = ${of.certificate}, sealed_key = ${of.sealedKey}, certificate_at = ${of.at}
    where tenant_id = ${of.tenantId} and host = ${of.host}`
}

export async function deleteCertificate(tx: Tx, tenantId: number, host: string): Promise<void> {
  await tx`
    update tenant_hosts set certificate = null, sealed_key = null, certificate_at = null
    where tenant_id = ${tenantId} and host = ${host}`
}

/** Which hosts have a certificate, and since when: what a server compares with what it has in memory. */
export async function listCertificateTimes(db: Reads): Promise<{ host: string; at: Date }[]> {
  return db<{ host: string; at: Date }[]>`
    select host, certificate_at as at from tenant_hosts where certificate_at is not null order by host limit 10000`
}

export async function findStoredCertificate(db: Reads, host: string): Promise<StoredCertificate | null> {
  const [row] = await db<StoredCertificate[]>`
    select host, tenant_id as "tenantId", certificate, sealed_key as "sealedKey", certificate_at as at
    from tenant_hosts where host = ${host} and certificate_at is not null`
  return row ?? null
}

/** The certificates of a tenant's hosts, without their keys. */
export async function listCertificates(
  db: Reads,
  tenantId: number,
): Promise<Pick<StoredCertificate, 'host' | 'certificate'>[]> {
  return db<Pick<StoredCertificate, 'host' | 'certificate'>[]>`
    select host, certificate from tenant_hosts
    where tenant_id = ${tenantId} and certificate_at is not null order by host limit 100`
}
