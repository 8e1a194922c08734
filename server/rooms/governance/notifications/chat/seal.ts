import type { World } from '#kernel/world.ts'
import type { ChatChannel } from '../kinds.ts'

const purpose = 'chat webhook'

/** Anyone who knows the address of an incoming webhook can write to the chat: it is a secret, sealed for its channel. */
export const sealUrl = ({ seals }: Pick<World, 'seals'>, tenantId: number, channel: ChatChannel, url: string): Buffer =>
  seals.seal(purpose, String(tenantId), Buffer.from(url), channel)

/** Null if the row is not as this server wrote it. */
export const openUrl = (
  { seals }: Pick<World, 'seals'>,
  tenantId: number,
  { channel, sealedUrl }: { channel: ChatChannel; sealedUrl: Buffer },
): string | null => seals.open(purpose, String(tenantId), sealedUrl, channel)?.toString() ?? null
