import type { FastifyRequest } from 'fastify'
import type { Tenancy } from '#kernel/routes.ts'
import { originOf, refuseForeignPages } from './pages/own-pages.ts'

/** A request, before its caller is known. */
export type Asked = {
  readonly tenant: Tenancy
  /** The operation's name; empty if there is none. */
  readonly operation: string
  readonly requestId: string
  readonly sourceAddress: string
  readonly authorization: string | undefined
  readonly cookie: string | undefined
  /** What a proof of possession (RFC 9449) must match. Computed when it is needed: most requests have none. */
  readonly dpop: { readonly proof: string | undefined; readonly method: string; readonly url: string }
  /** How the caller addresses this server. */
  readonly origin: string
  /** Its reply may take minutes: it receives a file. */
  readonly mayTakeLong: boolean
  /** Adds a header to the reply, also if it is a refusal. */
  readonly sendHeader: (name: string, value: string) => void
  /** To be called before a cookie is accepted: a browser sends its cookies no matter which page makes it send a request. */
  readonly refuseForeignPages: () => void
}

/**
 * The address that a request comes from: an IPv4 address has its usual form also on a socket of IPv6. To be read while
 * the connection exists: it is no longer known for an HTTP/2 stream that has ended it.
 */
export const sourceOf = (request: FastifyRequest): string => request.ip?.replace(/^::ffff:(?=\d+\.)/i, '') ?? ''

function operationOf({ routeOptions: { config } }: FastifyRequest): string {
  return (config.route ?? config.door ?? config.rpc)?.id ?? ''
}

export const askedBy = (request: FastifyRequest): Asked => ({
  tenant: request.tenant as Tenancy,
  operation: operationOf(request),
  requestId: request.id,
  sourceAddress: request.sourceAddress,
  authorization: request.headers.authorization,
  cookie: request.headers.cookie,
  get dpop() {
    // Node joins several headers with the same name with commas, which no proof contains.
    const proof = request.headers['dpop'] as string | undefined
    return { proof, method: request.method, url: originOf(request) + request.url.replace(/\?.*$/s, '') }
  },
  get origin() {
    return originOf(request)
  },
  mayTakeLong: (request.routeOptions.config.route?.stream ?? null) !== null,
  sendHeader: request.sendHeader,
  refuseForeignPages: () => refuseForeignPages(request),
})
