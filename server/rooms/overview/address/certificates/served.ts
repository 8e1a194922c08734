import { createSecureContext, type SecureContext } from 'node:tls'
import { canonicalHost } from '#kernel/hosts.ts'
import { slot } from '#kernel/memory.ts'
import type { World } from '#kernel/world.ts'
import { findStoredCertificate, listCertificateTimes } from '#rooms/foundation/tenants/index.ts'
import { openKey } from './sealed-key.ts'

type Served = { atMs: number; context: SecureContext }

/** The uploaded certificates, in memory: a handshake waits for no database. */
export const servedCertificates = slot((world) => {
  const served = new Map<string, Served>()
  /** Those that cannot be used, by when they were uploaded: reported once each. */
  const unusable = new Map<string, number>()

  async function load(host: string, atMs: number): Promise<void> {
    const context = await open(world, host)
    if (context) {
      served.set(host, { atMs, context })
      world.log.info({ host }, 'serves a new certificate')
      return
    }
    served.delete(host)
    unusable.set(host, atMs)
    world.log.error({ host }, 'the certificate of a host cannot be used: it is not served')
  }

  return {
    /** The certificate for the name that a client sent (SNI). */
    contextFor: (name: string): SecureContext | undefined => served.get(canonicalHost(name))?.context,
    /** Reads those that have changed. */
    async refresh(): Promise<void> {
      const times = new Map((await listCertificateTimes(world.db)).map(({ host, at }) => [host, at.getTime()]))
      for (const host of served.keys()) if (!times.has(host)) served.delete(host)
      for (const [host, atMs] of times)
        if (served.get(host)?.atMs !== atMs && unusable.get(host) !== atMs) await load(host, atMs)
    },
  }
})

async function open(world: World, host: string): Promise<SecureContext | null> {
  const stored = await findStoredCertificate(world.db, host)
  const key = stored && openKey(world, stored.tenantId, host, stored.sealedKey)
  if (!stored || key === null) return null
  try {
    return createSecureContext({ cert: stored.certificate, key })
  } catch {
    return null
  }
}
