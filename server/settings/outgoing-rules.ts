import { readFile } from 'node:fs/promises'
import type { OutgoingRules } from '#kernel/outgoing/addresses.ts'
import { whyUnreadable } from '#kernel/unreadable.ts'
import { type Config, UsageError } from './config.ts'

export type OutgoingConfig = Partial<Pick<Config, 'outgoingAllow' | 'outgoingHttp' | 'outgoingCa'>>

/** Where requests may be sent to, with the certificates from their file. */
export async function outgoingRules({
  outgoingAllow = [],
  outgoingHttp = false,
  outgoingCa,
}: OutgoingConfig): Promise<OutgoingRules> {
  const ca = outgoingCa
    ? await readFile(outgoingCa, 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw new UsageError(`--outgoing-ca: ${whyUnreadable(outgoingCa, error)}`)
      })
    : undefined
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new UsageError(`--outgoing-ca ${outgoingCa} does not contain a certificate in PEM`)
  return { allow: outgoingAllow, isHttpAllowed: outgoingHttp, ca }
}
