import type { MailSettings } from '#kernel/mail-settings.ts'
import { outgoingRulesOf } from '#kernel/outgoing/rules-of.ts'
import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { openMailServer } from './seal.ts'
import { findMailServer } from './store.ts'

/** Through which mail server messages are sent, and who chose it. */
export type CurrentMail = MailSettings & {
  source: 'operator' | 'organization'
  /** Another one for other settings. */
  version: string
}

type Parts = Pick<World, 'db' | 'seals' | 'settings'>

/**
 * The mail server of a tenant: that of the operator's settings, otherwise the tenant's own. Read each time, so that all
 * servers use a changed one from the next message on.
 */
export async function findMail(world: Parts, tenantId: number, db: Reads = world.db): Promise<CurrentMail | null> {
  const { mail } = world.settings
  if (mail) return { ...mail, source: 'operator', version: versionOf(world, 0, mail) }
  const kept = await findMailServer(db, tenantId)
  const server = kept && openMailServer(world, tenantId, kept.sealed)
  if (!server) return null
  const { host, port, security, user, password, ca, fromAddress } = server
  const rules = outgoingRulesOf(world, tenantId)
  const authorities = [rules.ca, ca].filter(Boolean).join('\n')
  const settings: MailSettings = {
    host,
    port,
    security,
    ...(user !== '' && { login: { user, password } }),
    ...(authorities !== '' && { ca: authorities }),
    from: { name: '', address: fromAddress },
    reach: rules,
  }
  return { ...settings, source: 'organization', version: versionOf(world, tenantId, settings) }
}

/** Whether a tenant has a mail server. */
export const hasMail = async (world: Pick<World, 'settings'>, db: Reads, tenantId: number): Promise<boolean> =>
  world.settings.mail !== undefined || (await findMailServer(db, tenantId)) !== null

const versionOf = ({ seals }: Parts, tenantId: number, { host, port, security, login, ca = '', from }: MailSettings) =>
  seals
    .mac('mail settings', String(tenantId), JSON.stringify([host, port, security, login, ca, from.address]))
    .toString('base64url')
