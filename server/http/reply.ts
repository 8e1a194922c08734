import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { WrittenJson } from '#kernel/json.ts'

const asItIs = (json: unknown): string => json as string

/**
 * Sends JSON as exactly `application/json`, or as what a door calls it: Fastify would add a charset, which JSON does not have, were it not told that
 * the text is serialised. As text it leaves together with the headers; as bytes it would take a second write.
 */
export function sendJson(reply: FastifyReply, json: WrittenJson, type = 'application/json'): FastifyReply {
  reply.header('content-type', type)
  if (typeof json === 'string') return reply.serializer(asItIs).send(json)
  return reply.header('content-length', lengthOf(json)).send(Readable.from(json))
}

const lengthOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, { length }) => sum + length, 0)

/** How much memory JSON takes until it is sent. */
export const weightOf = (json: WrittenJson): number => (typeof json === 'string' ? json.length : lengthOf(json))
