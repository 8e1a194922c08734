import type { DoorReply, DoorRequest } from '#kernel/doors.ts'
import { isObject, type Resource } from '../resource.ts'
import { listOf } from './discovery.ts'
import { type Found, readSearch, type Search } from './list.ts'
import { type Asked, project, readAsked } from './project.ts'
import { methodNotAllowed, nothingAt, scimRefusal } from './refuse.ts'
import type { ResourceType } from './schema.ts'
import type { Precondition, Serving } from './serving.ts'
import { etagOf } from './users/view.ts'

/** The operations on resources of one type. */
export type Resources<T extends { id: string; version: number }> = {
  type: ResourceType
  list(search: Search): Promise<Found<T>>
  find(id: string): Promise<T>
  create(body: unknown): Promise<T>
  replace(id: string, body: unknown, precondition: Precondition): Promise<T>
  patch(id: string, body: unknown, precondition: Precondition): Promise<T>
  remove(id: string, precondition: Precondition): Promise<void>
  view(rows: readonly T[], asked: Asked): Promise<Resource[]>
  /** Whether a PATCH responds with the resource, even if the request has no `attributes`. */
  answersPatch: boolean
}

type Parameters = { readonly [name: string]: unknown }

/** Query parameters are named as in RFC 7644, ignoring case. */
function parameter(query: Parameters, name: string): unknown {
  const value = Object.entries(query).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1]
  if (Array.isArray(value)) throw scimRefusal('invalidValue', `${name} is given more than once.`)
  return value
}

const askedIn = (query: Parameters): Asked =>
  readAsked(parameter(query, 'attributes'), parameter(query, 'excludedAttributes'))

const tag = /(?:W\/)?"([^"]*)"/g

/** Whether a version is among those of If-Match or If-None-Match; null if there is no such header. */
function versionsIn(header: string | string[] | undefined): ((version: number) => boolean) | null {
  if (header === undefined) return null
  const text = [header].flat().join(',')
  if (text.trim() === '*') return () => true
  const tags = new Set([...text.matchAll(tag)].map(([, each]) => each))
  return (version) => tags.has(String(version))
}

export async function serveResources<T extends { id: string; version: number }>(
  { scim: { call }, request, rest }: Serving,
  resources: Resources<T>,
): Promise<DoorReply> {
  const { method, query, body } = request
  const { type } = resources
  if (rest.length > 1) throw nothingAt(`${type.endpoint}/${rest.join('/')}`)
  const [id] = rest
  if (id === undefined) return serveAll(request, resources)
  if (id.toLowerCase() === '.search') {
    if (method !== 'POST') throw methodNotAllowed(method, 'POST')
    return listed(resources, isObject(body) ? body : {})
  }
  const precondition = versionsIn(call.headers['if-match'])
  // Before anything is done: a request that is refused must have no effect.
  const asked = askedIn(query)
  switch (method) {
    case 'GET': {
      const row = await resources.find(id)
      const isKnown = versionsIn(call.headers['if-none-match'])
      if (isKnown?.(row.version)) return { status: 304, headers: { etag: etagOf(row.version) }, body: null }
      return single(resources, row, asked, 200)
    }
    case 'PUT':
      return single(resources, await resources.replace(id, body, precondition), asked, 200)
    case 'PATCH': {
      const row = await resources.patch(id, body, precondition)
      return resources.answersPatch || asked.only !== null || asked.without.length > 0
        ? single(resources, row, asked, 200)
        : { status: 204, headers: { etag: etagOf(row.version) }, body: null }
    }
    case 'DELETE':
      await resources.remove(id, precondition)
      return { status: 204, body: null }
    default:
      throw methodNotAllowed(method, 'GET, PUT, PATCH, DELETE')
  }
}

async function serveAll<T extends { id: string; version: number }>(
  { method, query, body }: DoorRequest,
  resources: Resources<T>,
): Promise<DoorReply> {
  if (method === 'GET') return listed(resources, query)
  if (method !== 'POST') throw methodNotAllowed(method, 'GET, POST')
  const asked = askedIn(query)
  return single(resources, await resources.create(body), asked, 201)
}

async function listed<T extends { id: string; version: number }>(
  resources: Resources<T>,
  sent: Parameters,
): Promise<DoorReply> {
  const asked = readAsked(valueOf(sent, 'attributes'), valueOf(sent, 'excludedAttributes'))
  const search = readSearch(sent, asked)
  const { rows, total } = await resources.list(search)
  const views = await resources.view(rows, asked)
  return {
    status: 200,
    body: listOf(
      views.map((each) => project(resources.type, asked, each)),
      total,
      search.startIndex,
    ),
  }
}

const valueOf = (sent: Parameters, name: string): unknown =>
  Object.entries(sent).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1]

async function single<T extends { id: string; version: number }>(
  { type, view }: Resources<T>,
  row: T,
  asked: Asked,
  status: number,
): Promise<DoorReply> {
  const [whole = {}] = await view([row], asked)
  const { location } = whole['meta'] as { location: string }
  return {
    status,
    headers: { etag: etagOf(row.version), location, 'content-location': location },
    body: project(type, asked, whole),
  }
}
