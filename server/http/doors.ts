import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Door, Knock } from '#kernel/doors.ts'
import { writeJson } from '#kernel/json.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { RequestCall } from './call.ts'
import { clientGone, isGone } from './guards/gone.ts'
import { serveWhilePresent } from './guards/present.ts'
import { callerOf, type MountParts } from './mount.ts'
import { sendJson, weightOf } from './reply.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Everything below the prefix of a door belongs to it: unknown paths are refused in its format. */
export function mountDoors(
  app: FastifyInstance,
  doors: readonly Door[],
  parts: Omit<MountParts, 'routes' | 'sieve'>,
): void {
  for (const door of doors)
    app.route({
      method: [...methods],
      url: `${door.prefix}/*`,
      config: { door },
      handler: async (request, reply) => {
        const [tenantId, caller] = [(request.tenant as Tenancy).id, callerOf(request)]
        parts.unread.refuse(tenantId, caller)
        const entered = parts.shares.enter(tenantId, caller)
        const leave = entered instanceof Promise ? await entered : entered
        if (isGone(reply.raw)) {
          leave()
          throw clientGone()
        }
        const {
          status,
          headers = {},
          json,
        } = await serveWhilePresent(parts.presence, () => answer(door, parts, request, reply)).finally(leave)
        reply.code(status).headers(headers)
        if (json === null) return reply.send()
        parts.unread.count(tenantId, caller, weightOf(json), reply.raw)
        return sendJson(reply, json, door.types[0])
      },
    })
}

async function answer(door: Door, { world }: Pick<MountParts, 'world'>, request: FastifyRequest, reply: FastifyReply) {
  const call = new RequestCall(world, door, request, reply)
  const { status, headers, body } = await door.answer(call, {
    method: request.method === 'HEAD' ? 'GET' : request.method,
    path: segmentsOf(request, door.prefix),
    query: request.query as Record<string, unknown>,
    body: request.body ?? null,
  })
  const json = body === null ? null : await writeJson(body)
  return { status, json, ...(headers && { headers }) }
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] as string

function segmentsOf(request: FastifyRequest, prefix: string): string[] {
  const segments = pathOf(request)
    .slice(prefix.length + 1)
    .split('/')
    // A base address that ends with a slash produces two slashes.
    .filter((each) => each !== '')
  return segments.map((each) => {
    try {
      const decoded = decodeURIComponent(each)
      if (!decoded.includes('\0') && decoded.isWellFormed()) return decoded
    } catch {
      // Refused below.
    }
    throw new Refusal('URL_MALFORMED', 'The URL is not valid: check its percent-encoding.')
  })
}

export const knockOf = (door: Door, request: FastifyRequest): Knock => ({
  tenant: request.tenant as Tenancy,
  path: pathOf(request).slice(door.prefix.length + 1),
  authorization: request.headers.authorization,
  sourceAddress: request.sourceAddress,
})

declare module 'fastify' {
  interface FastifyContextConfig {
    door?: Door
  }
}
