import { challenge } from '#kernel/challenge.ts'
import type { Door, DoorReply, DoorRequest } from '#kernel/doors.ts'
import type { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { isObject, urns } from '../resource.ts'
import { authenticate, type DirectoryActor } from '../tokens/bearer.ts'
import { uses } from '../tokens/last-used.ts'
import { findDocument, listOf } from './discovery.ts'
import { serveGroups } from './groups/serve.ts'
import { methodNotAllowed, notFilterable, nothingAt, notImplemented } from './refuse.ts'
import { searchAll } from './search.ts'
import type { Serving } from './serving.ts'
import { serveUsers } from './users/serve.ts'

export const scimPrefix = '/scim/v2'

/** RFC 7644 section 3.12. */
function errorOf(refusal: Refusal): ReturnType<Door['errors']> {
  const { reason, status, message, detail } = refusal
  const type = detail.metadata?.['scimType'] ?? (reason === 'BODY_MALFORMED' ? 'invalidSyntax' : undefined)
  const refused = reason === 'TOKEN_MISSING' ? {} : { error: 'invalid_token', description: message }
  return {
    status,
    headers: status === 401 ? { 'www-authenticate': challenge('scim', refused) } : {},
    body: { schemas: [urns.error], status: String(status), ...(type && { scimType: type }), detail: message },
  }
}

/** The addresses to which identity providers send their users and groups: `/scim/v2/{directory}/Users` and so on. */
export const scimDoor: Door = {
  id: 'scim.v2',
  prefix: scimPrefix,
  types: ['application/scim+json', 'application/json'],
  authenticate,
  errors: errorOf,
  answer,
  onRefused(world, tenant, actor, { status, message }) {
    // Providers check whether something exists, or has changed: these responses are not errors.
    if (status === 404 || status === 412) return
    const { directory } = actor as DirectoryActor
    world.memory(uses).noteError(tenant.id, directory.appId, message)
  },
}

async function answer(call: Call, request: DoorRequest): Promise<DoorReply> {
  const { directory } = call.actor as DirectoryActor
  const [appId = '', kind = '', ...rest] = request.path
  const base = `${call.origin}${scimPrefix}/${appId}`
  const serving: Serving = { scim: { call, directory }, base, request, rest }
  switch (kind.toLowerCase()) {
    case 'users':
      return serveUsers(serving)
    case 'groups':
      return serveGroups(serving)
    case 'bulk':
      throw notImplemented('Bulk')
    case '.search':
      if (rest.length > 0) break
      return found(await searchAll(serving, searched(request)))
    default: {
      const document = findDocument(base, [kind, ...rest])
      if (!document) break
      if (request.method !== 'GET') throw methodNotAllowed(request.method, 'GET')
      // RFC 7644 section 4.
      if ('filter' in request.query) throw notFilterable()
      return { status: 200, body: document as Record<string, unknown> }
    }
  }
  throw nothingAt(`/${[kind, ...rest].join('/')}`)
}

function searched({ method, body }: DoorRequest): { readonly [name: string]: unknown } {
  if (method !== 'POST') throw methodNotAllowed(method, 'POST')
  return isObject(body) ? body : {}
}

const found = ({ resources, total, startIndex }: Awaited<ReturnType<typeof searchAll>>): DoorReply => ({
  status: 200,
  body: listOf(resources, total, startIndex),
})
