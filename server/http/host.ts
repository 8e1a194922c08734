import type { IncomingMessage } from 'node:http'
import { Refusal } from '#kernel/refusals.ts'

// RFC 3986 sections 3.2.2 and 3.2.3, without user information: RFC 9110 section 4.2.4.
const authority = /^(?:\[[0-9a-f:.]{2,45}\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*)(?::\d{0,5})?$/i

const refused = (why: string): Refusal => new Refusal('HOST_INVALID', `The Host header ${why}.`)

// The URLs in absolute form that were rewritten to their paths, by their requests.
const targets = new WeakMap<IncomingMessage, string>()

/** RFC 9112 section 3.2.2: a request target may be a whole URL; what is routed is its path. */
export function routedUrl(request: IncomingMessage): string {
  const url = request.url ?? '/'
  if (url.charCodeAt(0) === 47) return url
  const [, host, path] = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(url) ?? []
  if (host === undefined || path === undefined) return url
  targets.set(request, host)
  return path.startsWith('/') ? path : `/${path}`
}

/**
 * Why the host of a request, or its end, cannot be relied on (RFC 9112 section 3.2): there is none, several, not a
 * host, or it differs from the request target. Null if it can. A proxy between us and the client might read another one
 * than we do.
 */
export function whyNoHost(request: IncomingMessage): Refusal | null {
  return request.httpVersionMajor >= 2 ? whyNoAuthority(request) : whyNoHostHeader(request)
}

function whyNoHostHeader(request: IncomingMessage): Refusal | null {
  const { host, 'transfer-encoding': encoding } = request.headers
  // RFC 9112 section 6.1: HTTP/1.0 has no chunks; a proxy may take them for the next request.
  if (encoding !== undefined && request.httpVersionMinor === 0)
    return new Refusal('REQUEST_MALFORMED', 'A request of HTTP/1.0 cannot have a Transfer-Encoding.')
  if (host === undefined) return request.httpVersionMinor === 0 ? null : refused('is missing')
  if (!authority.test(host)) return refused('is not a host name or address with an optional port')
  // Node keeps the first and drops the others.
  const { rawHeaders } = request
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  if (count > 1) return refused('was sent more than once')
  const target = targets.get(request)
  if (target !== undefined && target.toLowerCase() !== host.toLowerCase())
    return refused('is not the host of the request target')
  return null
}

// RFC 9113 section 8.3.1: `:authority`, or the Host header in its place, and never two that differ.
function whyNoAuthority({ headers }: IncomingMessage): Refusal | null {
  const own = headers[':authority'] as string | undefined
  const { host } = headers
  const given = own ?? host
  if (given === undefined) return new Refusal('HOST_INVALID', 'The :authority pseudo-header is missing.')
  if (!authority.test(given))
    return new Refusal('HOST_INVALID', 'The :authority is not a host name or address with an optional port.')
  if (own !== undefined && host !== undefined && own.toLowerCase() !== host.toLowerCase())
    return refused('is not the :authority')
  return null
}
