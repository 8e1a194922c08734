import { X509Certificate } from 'node:crypto'
import { canonicalHost } from '#kernel/hosts.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { alert, type CauseBy, record } from '#rooms/foundation/systemlog/index.ts'
import {
  claimHost,
  deleteCertificate,
  listCertificates,
  lockHost,
  lockTenant,
  putCertificate,
} from '#rooms/foundation/tenants/index.ts'
import { issuerOf, namesOf, readPair } from './decide.ts'
import { sealKey } from './sealed-key.ts'

type Changing = CauseBy<'address.change'>

async function refuseOtherHost(tx: Tx, tenantId: number, host: string): Promise<void> {
  // A tenant that an earlier version created has no row for its name.
  const current = await lockTenant(tx, tenantId)
  await claimHost(tx, tenantId, { ...current, origin: '' }, current.createdAt)
  const row = await lockHost(tx, tenantId, host)
  if (!row || row.endedAt)
    throw new Refusal('ADDRESS_NOT_FOUND', `${host} is not a host name of this tenant.`, { metadata: { host } })
}

/** Stores a certificate and its key for a host: every server of the database serves it within seconds. */
export async function setCertificate(
  tx: Tx,
  world: World,
  cause: Changing,
  given: string,
  files: { certificate: string; key: string },
): Promise<void> {
  const { tenant } = cause
  const host = canonicalHost(given)
  await refuseOtherHost(tx, tenant.id, host)
  const at = world.now()
  const pair = readPair(files, host, at)
  if ('field' in pair) throw invalid(pair)
  const { certificate, key, leaf } = pair
  const sealedKey = sealKey(world, tenant.id, host, key)
  await putCertificate(tx, { tenantId: tenant.id, host, certificate, sealedKey, at })
  const data = {
    host,
    names: namesOf(leaf),
    issuer: issuerOf(leaf),
    endsAt: leaf.validToDate,
    sha256: leaf.fingerprint256,
  }
  const touched = [{ type: 'tenant', id: tenant.publicId, name: tenant.domain, data }]
  await record(tx, world, cause, alert(cause, 'update', `Uploaded a certificate for ${host}`, touched))
}

export async function removeCertificate(tx: Tx, world: World, cause: Changing, given: string): Promise<void> {
  const { tenant } = cause
  const host = canonicalHost(given)
  await refuseOtherHost(tx, tenant.id, host)
  await deleteCertificate(tx, tenant.id, host)
  const touched = [{ type: 'tenant', id: tenant.publicId, name: tenant.domain, data: { host } }]
  await record(tx, world, cause, alert(cause, 'delete', `Deleted the certificate for ${host}`, touched))
}

export type CertificateFacts = { host: string; names: string[]; issuer: string; validFrom: Date; validTo: Date }

/** What people are shown of the certificates of a tenant's hosts. */
export async function describeCertificates(db: Reads, tenantId: number): Promise<CertificateFacts[]> {
  return (await listCertificates(db, tenantId)).map(({ host, certificate }) => {
    const leaf = new X509Certificate(certificate)
    return {
      host,
      names: namesOf(leaf),
      issuer: issuerOf(leaf),
      validFrom: leaf.validFromDate,
      validTo: leaf.validToDate,
    }
  })
}
