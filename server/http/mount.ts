import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Page, pageOf } from '#kernel/pages.ts'
import { type FieldViolation, invalid } from '#kernel/refusals.ts'
import type { BodyStream, Call, Route, Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import { nothingHere } from './methods.ts'
import { originOf } from './own-pages.ts'
import { type DatabasePresence, whilePresent } from './present.ts'
import { queryAsJson } from './query.ts'
import { sendJson } from './reply.ts'
import { streamIn } from './stream.ts'

/** `/apps/{app_id}` as Fastify writes it. */
const urlOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** What of a reply its caller may know. */
export type Sieve = (call: Call, allow: string, reply: MessageValue) => Promise<MessageValue> | MessageValue

export type MountParts = {
  world: World
  routes: readonly Route[]
  presence: DatabasePresence
  sieve: Sieve
}

/** Puts the route table on the server. */
export function mountRoutes(app: FastifyInstance, parts: MountParts): void {
  for (const route of parts.routes)
    app.route({
      method: route.method,
      url: urlOf(route.path),
      config: { route },
      handler: async (request, reply) => {
        const written = await whilePresent(parts.presence, () => serve(route, parts, request))
        if (route.redirect) reply.code(303).header('location', written['location'])
        return sendJson(reply, JSON.stringify(written))
      },
    })
}

async function serve(route: Route, parts: MountParts, request: FastifyRequest): Promise<MessageValue> {
  const tenant = request.tenant as Tenancy
  const call: Call = {
    ...parts.world,
    tenant,
    actor: request.actor,
    operation: route.id,
    requestId: request.id,
    sourceAddress: request.sourceAddress,
    headers: request.headers,
    get origin() {
      return originOf(request)
    },
    sendHeader: request.sendHeader,
  }
  const problems: FieldViolation[] = []
  const path = pathOf(request.params as Record<string, string>, problems)
  const query = route.query.read(queryAsJson(route.query, request.query as Record<string, unknown>), '', problems)
  const body = route.body ? route.body.read(request.body, '', problems) : {}
  const [first, ...others] = problems
  if (first) throw invalid(first, ...others)
  const page = route.paged ? pageFor(call, route, path, query, body) : (undefined as unknown as Page)
  const stream = route.stream ? streamIn(request) : (undefined as unknown as BodyStream)
  const reply = await route.handle(call, { path, query, body, page, stream })
  return parts.sieve(call, route.allow, route.reply.write(reply))
}

// A parameter never becomes anything but a value in a statement; PostgreSQL's text holds no U+0000.
function pathOf(params: Record<string, string>, problems: FieldViolation[]): Record<string, string> {
  for (const [field, value] of Object.entries(params))
    if (value === '') throw nothingHere()
    else if (value.includes('\0') || !value.isWellFormed()) problems.push({ field, description: 'must be text' })
  return params
}

function pageFor(call: Call, route: Route, path: unknown, query: MessageValue, body: MessageValue): Page {
  const { pageSize, pageToken, ...filter } = { ...query, ...body }
  const scope = { seals: call.seals, tenant: call.tenant.publicId, operation: route.id, filter: [path, filter] }
  return pageOf(scope, pageSize as number | null, pageToken as string)
}
type MessageValue = Readonly<Record<string, unknown>>
