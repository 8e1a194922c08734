import type { FastifyReply } from 'fastify'

/** Sends JSON as exactly `application/json`: Fastify would add a charset to text, which JSON does not have. */
export const sendJson = (reply: FastifyReply, json: string): FastifyReply =>
  reply.header('content-type', 'application/json').send(Buffer.from(json))
