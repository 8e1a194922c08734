import type { ServerResponse } from 'node:http'
import { Refusal } from '#kernel/refusals.ts'

const signals = new WeakMap<object, AbortSignal>()

const clientGone = (): Refusal => new Refusal('CLIENT_GONE', 'The client closed the connection before it was answered.')

/**
 * Aborted when a reply is closed: because the client has gone, or because it was answered without waiting for the work.
 * Made when it is asked for: most requests are over before anyone could.
 */
export function goneSignal(raw: ServerResponse): AbortSignal {
  const known = signals.get(raw)
  if (known) return known
  const controller = new AbortController()
  signals.set(raw, controller.signal)
  if (raw.destroyed || raw.writableFinished) controller.abort(clientGone())
  else raw.once('close', () => controller.abort(clientGone()))
  return controller.signal
}
