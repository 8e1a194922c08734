import type { World } from '#kernel/world.ts'

const purpose = 'certificate key'

/** Bound to its tenant and host: copied to another row, it opens nothing. */
export const sealKey = ({ seals }: Pick<World, 'seals'>, tenantId: number, host: string, key: string): Buffer =>
  seals.seal(purpose, String(tenantId), Buffer.from(key), host)

export const openKey = (
  { seals }: Pick<World, 'seals'>,
  tenantId: number,
  host: string,
  sealed: Buffer,
): string | null => seals.open(purpose, String(tenantId), sealed, host)?.toString() ?? null
