import { lookup as dnsLookup } from 'node:dns'
import { connect, isIP, type Socket } from 'node:net'
import type { MayCall } from './addresses.ts'
import { type FailureKind, OutgoingFailed } from './failed.ts'
import { checkedLookup, Forbidden, forbiddenHost, type Resolve } from './lookup.ts'

export type Destination = { host: string; port: number }

/**
 * Opens a connection to another host, for a protocol other than HTTP. Checked like requests: the addresses that the name
 * has at that moment, and the address that was reached.
 */
export function openSocket(
  { host, port }: Destination,
  { mayCall, timeoutMs }: { mayCall: MayCall; timeoutMs: number },
  resolve: Resolve = dnsLookup,
): Promise<Socket> {
  const failed = (kind: FailureKind, message: string): OutgoingFailed => new OutgoingFailed(kind, message, false)
  if (isIP(host) !== 0 && !mayCall(host, host)) return Promise.reject(failed('forbidden', forbiddenHost(host)))
  return new Promise((done, reject) => {
    const socket = connect({ host, port, lookup: checkedLookup(mayCall, resolve) })
    const fail = (failure: OutgoingFailed): void => {
      clearTimeout(timer)
      socket.destroy()
      reject(failure)
    }
    const timer = setTimeout(() => fail(failed('timeout', `${host} did not respond in time.`)), timeoutMs)
    socket.on('error', (error: NodeJS.ErrnoException) => fail(failureOf(error, host)))
    socket.once('connect', () => {
      if (!mayCall(host, socket.remoteAddress ?? '')) return fail(failed('forbidden', forbiddenHost(host)))
      clearTimeout(timer)
      done(socket)
    })
  })
}

function failureOf(error: NodeJS.ErrnoException, host: string): OutgoingFailed {
  const { code = '' } = error
  if (error instanceof Forbidden) return new OutgoingFailed('forbidden', error.message, false)
  if (/^(ENOTFOUND|EAI_)/.test(code))
    return new OutgoingFailed('unresolved', `The name ${host} could not be resolved.`, false)
  const why = code === '' ? '' : ` (${code})`
  return new OutgoingFailed('unreachable', `The connection to ${host} failed${why}.`, false)
}
