import type { FastifyRequest } from 'fastify'
import type { Tenancy } from '#kernel/routes.ts'
import { originOf, refuseForeignPages } from './pages/own-pages.ts'

/** A request, before it is known who makes it. */
export type Asked = {
  readonly tenant: Tenancy
  /** The operation's name; empty where there is none. */
  readonly operation: string
  readonly requestId: string
  readonly sourceAddress: string
  readonly authorization: string | undefined
  readonly cookie: string | undefined
  /** What a proof of possession (RFC 9449) must fit. Computed when it is asked for: most requests have none. */
  readonly dpop: { readonly proof: string | undefined; readonly method: string; readonly url: string }
  /** How the caller addresses this server. */
  readonly origin: string
  /** Its reply may come minutes later: it takes a file. */
  readonly mayTakeLong: boolean
  /** Puts a header on the reply, whatever it will be. */
  readonly sendHeader: (name: string, value: string) => void
  /** To be called before a cookie is honoured: a browser sends its cookies whoever makes it send a request. */
  readonly refuseForeignPages: () => void
}

/**
 * Where a request comes from: an IPv4 address is one also on a socket of IPv6. Read while the connection is there: of an
 * HTTP/2 stream that has ended it is not known any more.
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
    // Node joins several headers of one name with commas, which no proof has.
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
