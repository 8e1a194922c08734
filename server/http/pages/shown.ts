import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WrittenJson } from '#kernel/json.ts'

/** Whether a browser opens the address, rather than a program that wants JSON. */
export const isShown = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false

/**
 * Shows one field of a reply as a page: it can run nothing, load nothing and send nothing, and only pages of this
 * server can frame it. Its links open new windows.
 */
export function showField(reply: FastifyReply, json: WrittenJson, field: string): FastifyReply {
  const text = typeof json === 'string' ? json : Buffer.concat(json).toString()
  const page = (JSON.parse(text) as Record<string, string>)[field] ?? ''
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
    )
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .send(page)
}
