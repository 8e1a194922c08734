import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { WrittenJson } from '#kernel/json.ts'

const asItIs = (json: unknown): string => json as string

/**
 * Sends JSON as exactly `application/json`, or as the media type of a door: Fastify would add a charset, which JSON
 * does not have, if it did not know that the text is serialized. Text is sent together with the headers; bytes would
 * take a second write.
 */
export function sendJson(reply: FastifyReply, json: WrittenJson, type = 'application/json'): FastifyReply {
  reply.header('content-type', type)
  if (typeof json === 'string') return reply.serializer(asItIs).send(json)
  return reply.header('content-length', lengthOf(json)).send(Readable.from(json))
}

const lengthOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, { length }) => sum + length, 0)

/** How much memory JSON takes until it is sent. */
export const weightOf = (json: WrittenJson): number => (typeof json === 'string' ? json.length : lengthOf(json))
