import type { LookupAddress, LookupAllOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { MayCall } from './addresses.ts'

/** Resolves a name to all its addresses. */
export type Resolve = (
  host: string,
  options: LookupAllOptions,
  told: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** An address that the server must not call. */
export class Forbidden extends Error {}

export const forbiddenHost = (host: string): string =>
  `The host ${host} has an address that is not public. The operator of this server can allow it with --outgoing-allow.`

/** Looks up all addresses of a name, and refuses it if one of them may not be called. */
export function checkedLookup(mayCall: MayCall, resolve: Resolve): LookupFunction {
  return (host, options, told) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return told(error, '', 0)
      const isEvery = addresses.length > 0 && addresses.every(({ address }) => mayCall(host, address))
      if (!isEvery) return told(new Forbidden(forbiddenHost(host)), '', 0)
      if (options.all) return (told as unknown as (error: null, all: typeof addresses) => void)(null, addresses)
      const [first] = addresses
      told(null, first?.address ?? '', first?.family ?? 0)
    })
  }
}
