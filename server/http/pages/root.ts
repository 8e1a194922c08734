import type { FastifyReply, FastifyRequest } from 'fastify'
import { version } from '#kernel/version.ts'

/** Whether a program, and not a browser, checks what is here. */
export const asksWhatIsHere = ({ method, url }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && (url === '/' || url.startsWith('/?'))

const text = `Bailiwick ${version}

Console        open this address in a web browser
API reference  /docs
OpenAPI        /api/openapi.json
Health         /healthz, /readyz
`

export const sayWhatIsHere = (reply: FastifyReply): FastifyReply =>
  reply.header('content-type', 'text/plain; charset=utf-8').header('vary', 'accept').send(text)
