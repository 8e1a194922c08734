import type { FastifyReply, FastifyRequest } from 'fastify'
import { hostOf } from '#kernel/hosts.ts'

/**
 * Pages of an old address that stay: where people sign in with what works only there (cookies and passkeys belong to one
 * host), to continue at the current one.
 */
const stays = /^\/(?:move\/?(?:\?.*)?|sign-in\?(?:[^#]*&)?returnTo=(?:%2F|\/)move(?:&.*)?)$/i

/** Where a page of an old address of a tenant is now; null if it is here. */
export function movedAddress({ tenant, url, headers }: FastifyRequest): string | null {
  const to = tenant?.movesTo
  if (!to || stays.test(url)) return null
  const page = url.startsWith('/') ? url : '/'
  // The sign-in page says where passkeys of the old address work.
  const from = encodeURIComponent(hostOf(headers))
  return `${to}${page}${page.includes('?') ? '&' : '?'}moved_from=${from}`
}

/** For now: the tenant may use the old address again. Browsers keep the fragment, which may be the token of a link. */
export const sendToAddress = (reply: FastifyReply, to: string): FastifyReply =>
  reply.code(302).header('location', to).header('cache-control', 'no-store').send()
