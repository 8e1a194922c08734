import type { ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { Refusal } from '#kernel/refusals.ts'

const signals = new WeakMap<object, AbortSignal>()

export const clientGone = (): Refusal =>
  new Refusal('CLIENT_GONE', 'The client closed the connection before the response was sent.')

/**
 * Whether a reply is finished or its client has gone. With HTTP/2 only the stream of a response says so. For a HEAD
 * request the writable side of that stream is finished from the beginning, so it only counts once headers were sent.
 */
export function isGone(raw: ServerResponse & { stream?: ServerHttp2Stream }): boolean {
  if (raw.stream) return raw.stream.destroyed || (raw.headersSent && raw.writableFinished)
  return raw.destroyed || raw.writableFinished
}

/**
 * Aborted when a reply is closed: because the client has gone, or because it was sent without waiting for the work.
 * Created when it is first used: most requests are over before that could happen.
 */
export function goneSignal(raw: ServerResponse): AbortSignal {
  const known = signals.get(raw)
  if (known) return known
  const controller = new AbortController()
  signals.set(raw, controller.signal)
  if (isGone(raw)) controller.abort(clientGone())
  else raw.once('close', () => controller.abort(clientGone()))
  return controller.signal
}
