import type { World } from '#kernel/world.ts'
import type { MailServer } from './mail-server.ts'

const purpose = 'mail server'

/** Sealed as a whole: who can write to the database can neither read the password nor send it to another host. */
export const sealMailServer = ({ seals }: Pick<World, 'seals'>, tenantId: number, server: MailServer): Buffer =>
  seals.seal(purpose, String(tenantId), Buffer.from(JSON.stringify(server)), '')

/** Null if the row is not as this program wrote it. */
export function openMailServer({ seals }: Pick<World, 'seals'>, tenantId: number, sealed: Buffer): MailServer | null {
  const plain = seals.open(purpose, String(tenantId), sealed, '')
  return plain && (JSON.parse(plain.toString()) as MailServer)
}
