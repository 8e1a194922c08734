import type { Seals } from '#kernel/seals.ts'
import type { Seal } from '../seals.ts'

export const eventsPerSealMax = 2000

/** A link authenticates the one before it: none can be removed, and none inserted. */
export const sealMac = (
  seals: Seals,
  tenantId: number,
  { sealNumber, sealedAt, earliestAt, latestAt, comesLate }: Omit<Seal, 'mac' | 'eventCount'>,
  previous: Uint8Array,
  eventMacs: readonly Uint8Array[],
): Buffer =>
  seals.mac(
    'systemlog seal',
    String(tenantId),
    String(sealNumber),
    sealedAt.toISOString(),
    earliestAt.toISOString(),
    latestAt.toISOString(),
    String(comesLate),
    previous,
    Buffer.concat(eventMacs),
  )

export const headMac = (seals: Seals, tenantId: number, sealNumber: number, mac: Uint8Array): Buffer =>
  seals.mac('systemlog head', String(tenantId), String(sealNumber), mac)
