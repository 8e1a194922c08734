import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { keepCertificate } from '#http/certificate.ts'
import { canonicalHost } from '#kernel/hosts.ts'
import type { World } from '#kernel/world.ts'
import { listTenants } from '#rooms/foundation/tenants/index.ts'
import { type Config, UsageError } from './config.ts'
import { firstDomain } from './first-tenant.ts'

/** For the hosts of all tenants, and of the one that the first start will make. */
export async function certificateFor(config: Config, world: World) {
  const domains = [firstDomain(config), ...(await listTenants(world.db)).map((tenant) => tenant.domain)]
  const hosts = domains.map((domain) => canonicalHost(domain).replace(/^\[|\]$/g, ''))
  return keepCertificate(config.dataDir, [...new Set(['localhost', '127.0.0.1', '::1', ...hosts])], world.now())
}

export async function readCertificate({ tlsCert, tlsKey }: Config): Promise<{ cert: string; key: string } | null> {
  if (tlsCert === null || tlsKey === null) return null
  const read = (file: string): Promise<string> =>
    readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new UsageError(`cannot read ${file}: ${error.code}`)
    })
  const pair = { cert: await read(tlsCert), key: await read(tlsKey) }
  try {
    createSecureContext(pair)
  } catch (error) {
    throw new UsageError(`${tlsCert} and ${tlsKey} are not a certificate and its key: ${(error as Error).message}`)
  }
  return pair
}
