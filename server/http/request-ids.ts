import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const theirs = /^[A-Za-z0-9._-]{8,64}$/

/** The caller's own request id where it is safe to repeat, else one of ours. */
export const requestIdOf = (request: IncomingMessage): string => {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && theirs.test(given) ? given : randomBytes(12).toString('hex')
}
