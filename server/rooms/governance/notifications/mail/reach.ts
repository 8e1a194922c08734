import type { Socket } from 'node:net'
import type { MailSettings } from '#kernel/mail-settings.ts'
import { isPublicAddress, type MayCall, mayCallBy, type OutgoingRules } from '#kernel/outgoing/addresses.ts'
import { openSocket } from '#kernel/outgoing/connect.ts'
import { OutgoingFailed } from '#kernel/outgoing/failed.ts'
import { mailPorts } from '../mail-server/decide.ts'
import { MailFailed } from './failed.ts'

const isUsual = ({ port, security }: MailSettings): boolean => mailPorts.includes(port) && security !== 'none'

/**
 * Connects to a mail server that an organization chose: at public addresses with encryption and at the ports of mail servers,
 * at others as the operator allows.
 */
export async function reach(settings: MailSettings, rules: OutgoingRules, timeoutMs: number): Promise<Socket> {
  const may = mayCallBy(rules)
  const mayCall: MayCall = (host, address) => may(host, address) && (isUsual(settings) || !isPublicAddress(address))
  try {
    return await openSocket(settings, { mayCall, timeoutMs })
  } catch (error) {
    if (!(error instanceof OutgoingFailed)) throw error
    const isTooOpen = error.kind === 'forbidden' && !isUsual(settings)
    throw new MailFailed('server', isTooOpen ? onlyPrivate(settings) : error.message, true)
  }
}

const onlyPrivate = ({ host }: MailSettings): string =>
  `${host} was not called: a mail server at a public address is called only with STARTTLS or TLS, at the ports ${mailPorts.join(', ')}; one at another address only if the operator of this server allows it.`
