import { channel } from 'node:diagnostics_channel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Download } from '#kernel/download.ts'
import { type WrittenJson, writeJson, writeMessage } from '#kernel/json.ts'
import { networkOf } from '#kernel/networks.ts'
import { type Page, pageOf } from '#kernel/pages.ts'
import { refuseStrange, refuseUnsupported } from '#kernel/published.ts'
import { type FieldViolation, invalid } from '#kernel/refusals.ts'
import type { BodyStream, Call, Route, Tenancy } from '#kernel/routes.ts'
import { camel, isUnset } from '#kernel/wire.ts'
import type { World } from '#kernel/world.ts'
import { RequestCall } from './call.ts'
import { begun, sendDownload } from './download.ts'
import { clientGone, isGone } from './guards/gone.ts'
import { doOnce, keyedBy } from './guards/idempotency.ts'
import type { HttpLimits } from './guards/limits.ts'
import { type DatabasePresence, serveWhilePresent } from './guards/present.ts'
import type { Leave, Shares } from './guards/shares.ts'
import type { Unread } from './guards/unread.ts'
import { nothingHere } from './methods.ts'
import { isShown, showField } from './pages/shown.ts'
import { queryAsJson } from './query.ts'
import { sendJson, weightOf } from './reply.ts'
import { streamIn } from './stream.ts'

/** `/apps/{app_id}` in the notation of Fastify. */
const urlOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** Reduces a reply to what its caller may know: all of it, or what is left after filtering. */
export type Sieve = {
  passes(call: Call, route: Route): boolean
  /** Whether a reply may well pass unchanged, so that it is worth writing as text. */
  isPlain(of: Route['reply'], reply: MessageValue): boolean
  /** Whether a reply that was written as text may be sent unchanged. */
  passesText(call: Call, json: string): Promise<boolean>
  sift(call: Call, of: Route['reply'], reply: MessageValue): Promise<MessageValue>
}

export type MountParts = {
  world: World
  routes: readonly Route[]
  presence: DatabasePresence
  shares: Shares
  /** For routes that read much. */
  heavy: Shares
  unread: Unread
  limits: HttpLimits
  sieve: Sieve
}

const nothing = (): void => {}

/** What a route returned: JSON, or a file. */
export type Answered = { readonly route: Route; readonly answer: WrittenJson | Download }
// For tests, which check that all replies match the API document. Without a subscriber it costs nothing.
const answered = channel('bailiwick:reply:answered')
const announce = (route: Route, given: WrittenJson | Download): void => {
  if (answered.hasSubscribers) answered.publish({ route, answer: given } satisfies Answered)
}

/** Mounts the route table on the server. */
export function mountRoutes(app: FastifyInstance, parts: MountParts): void {
  for (const route of parts.routes)
    app.route({
      method: route.method,
      url: urlOf(route.path),
      config: { route },
      handler: async (request, reply) => {
        const [tenantId, caller] = [(request.tenant as Tenancy).id, callerOf(request)]
        parts.unread.refuse(tenantId, caller)
        const entered = route.outsideShares ? nothing : enter(route, parts, tenantId, caller)
        const leave = entered instanceof Promise ? await entered : entered
        // No work for a client that has gone while it waited: with HTTP/2 a stream is reset quickly, and its turn comes
        // later.
        if (isGone(reply.raw)) {
          leave()
          throw clientGone()
        }
        if (route.download) {
          const file = await serveWhilePresent(parts.presence, () => openFile(route, parts, request, reply)).finally(
            leave,
          )
          announce(route, file.download)
          return sendDownload(reply, file.download, file.pieces)
        }
        const json = await serveWhilePresent(parts.presence, () => answer(route, parts, request, reply)).finally(leave)
        announce(route, json)
        parts.unread.count(tenantId, caller, weightOf(json), reply.raw)
        if (route.pageIn !== null && isShown(request)) return showField(reply, json, route.pageIn)
        return sendJson(reply, json)
      },
    })
}

/** A file whose first piece exists. The others hold no share: the route limits how many a caller may have. */
async function openFile(route: Route, parts: MountParts, request: FastifyRequest, reply: FastifyReply) {
  const { reply: download } = await serve(route, parts, request, reply)
  if (!(download instanceof Download)) throw new Error(`${route.id} answered no file`)
  return { download, pieces: await begun(download) }
}

/** A request that reads much first waits for its turn among its kind, where it takes no share from others. */
function enter(route: Route, { shares, heavy }: MountParts, tenantId: number, caller: string): Leave | Promise<Leave> {
  return route.isHeavy ? enterBoth(heavy, shares, tenantId, caller) : shares.enter(tenantId, caller)
}

async function enterBoth(first: Shares, second: Shares, tenantId: number, caller: string): Promise<Leave> {
  const leaveFirst = await first.enter(tenantId, caller)
  try {
    const leaveSecond = await second.enter(tenantId, caller)
    return () => {
      leaveSecond()
      leaveFirst()
    }
  } catch (error) {
    leaveFirst()
    throw error
  }
}

/** The caller whose share of the server a request uses. */
export const callerOf = ({ actor, sourceAddress }: FastifyRequest): string =>
  actor.userId || actor.clientId || `from ${networkOf(sourceAddress)}`

async function answer(
  route: Route,
  parts: MountParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<WrittenJson> {
  const { world } = parts
  const keyed = keyedBy(request, route)
  if (keyed) {
    const call = { ...world, tenant: request.tenant as Tenancy }
    const { json, isReplayed } = await doOnce(call, route, keyed, async (db) =>
      written(route, parts.sieve, await serve(route, { ...parts, world: { ...world, db } }, request, reply)),
    )
    if (isReplayed) reply.header('idempotent-replayed', 'true')
    return json
  }
  const served = await serve(route, parts, request, reply)
  if (route.redirect) reply.code(303).header('location', served.reply['location'])
  // Directly as text, without intermediate objects, which took half of the time for a page.
  if (parts.sieve.passes(served.call, route)) return writeMessage(route.reply, served.reply)
  if (parts.sieve.isPlain(route.reply, served.reply)) {
    const json = await writeMessage(route.reply, served.reply)
    if (typeof json === 'string' && (await parts.sieve.passesText(served.call, json))) return json
  }
  return writeJson(await written(route, parts.sieve, served))
}

/** What a handler returned, and for which call. */
type Served = { call: Call; reply: MessageValue }

/** A reply on the wire, reduced to what its caller may know. */
function written(route: Route, sieve: Sieve, { call, reply }: Served): Promise<MessageValue> | MessageValue {
  const whole = route.reply.write(reply)
  return sieve.passes(call, route) ? whole : sieve.sift(call, route.reply, whole)
}

async function serve(
  route: Route,
  { world, limits }: Pick<MountParts, 'world' | 'limits'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Served> {
  const call = new RequestCall(world, route, request, reply)
  const problems: FieldViolation[] = []
  const path = pathOf(request.params as Record<string, string>, problems)
  const asked = queryAsJson(route.query, request.query as Record<string, unknown>)
  const query = route.query.read(asked, '', problems)
  const body = route.body ? route.body.read(request.body, '', problems) : {}
  refuseLost(route, asked, request.body, problems)
  if (problems.length > 0) throw invalid(...(problems as [FieldViolation, ...FieldViolation[]]))
  const page = route.paged ? pageFor(call, route, path, query, body) : (undefined as unknown as Page)
  const stream = route.stream ? streamIn(request, limits.stream) : (undefined as unknown as BodyStream)
  return { call, reply: await route.handle(call, { path, query, body, sent: request.body, page, stream }) }
}

/** Fields that were sent and would be silently ignored. */
function refuseLost(route: Route, query: MessageValue, body: unknown, problems: FieldViolation[]): void {
  const { published } = route
  if (published) refuseUnsupported(published.query, route.query, query, '', problems)
  if (!route.body || route.form || route.stream) return
  if (published?.body) refuseUnsupported(published.body, route.body, body, '', problems)
  // Not for searches: one without a known filter lists everything, and unknown ones are ignored there as everywhere.
  if (!route.paged) refuseStrange(published?.body ?? null, route.body, body, '', problems)
  for (const [name, value] of Object.entries(isObject(body) ? body : {})) {
    const instead = Object.hasOwn(route.notHere, camel(name)) ? route.notHere[camel(name)] : undefined
    if (instead !== undefined && !isUnset(value)) problems.push({ field: camel(name), description: instead })
  }
}
const isObject = (json: unknown): json is MessageValue => typeof json === 'object' && json !== null

// A parameter only ever becomes a value in a statement; PostgreSQL's text cannot contain U+0000.
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
