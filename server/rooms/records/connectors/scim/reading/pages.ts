import type { ScimClient } from '../protocol/client.ts'
import { ScimFailed } from '../protocol/failed.ts'
import { attribute, idOf, isObject, type Json, listOf } from '../protocol/json.ts'

export type PageLimits = {
  /** The most resources of a kind that an app may have. */
  countMax: number
  pagesMax: number
  /** How often a list is read if it changes meanwhile. */
  passesMax: number
}

type Reading = {
  path: '/Users' | '/Groups'
  /** The kind of resource, for messages. */
  what: 'user' | 'group'
  pageSize: number
  /** As in `&excludedAttributes=members`. */
  query?: string
  limits: PageLimits
  /** Each resource, once. */
  take(resource: Json, id: string): void
}

/**
 * Reads a list to its end. The index counts the resources that exist at that moment (RFC 7644 section 3.4.2.4), so what is
 * created or deleted meanwhile moves others from page to page. It is complete if the app returned as many as it says it has,
 * or the same ones twice and then an empty page; any other list is refused, because missing resources would be removed here.
 */
export async function readAll(client: Pick<ScimClient, 'get'>, reading: Reading): Promise<Set<string>> {
  const { path, what, limits } = reading
  const seen = new Set<string>()
  let last: Pass | null = null
  for (let pass = 1; pass <= limits.passesMax; pass++) {
    const before = seen.size
    const read = await readOnce(client, reading, seen)
    const isWhole = read.total !== null ? seen.size >= read.total && !read.hasChanged : read.end === 'empty'
    const isSame = last !== null && seen.size === before && read.count === last.count
    if (isWhole || (isSame && read.end === 'empty')) return seen
    last = read
  }
  const total = last?.total ?? null
  throw new ScimFailed(
    last?.end === 'repeated'
      ? `GET ${path} returned the same ${what}s again and again: ${seen.size} of ${total ?? 'an unknown number'}. The app does not page as SCIM 2.0 requires.`
      : `GET ${path} was not complete: the app returned ${seen.size} ${what}s of ${total ?? 'an unknown number'}, or changed while it was read. Nothing was imported.`,
  )
}

type Pass = {
  end: 'empty' | 'total' | 'repeated'
  total: number | null
  count: number
  /** Whether the total changed meanwhile. */
  hasChanged: boolean
}

/** How many pages without anything new are skipped: resources created meanwhile may move that many. */
const repeatedMax = 3

async function readOnce(client: Pick<ScimClient, 'get'>, reading: Reading, seen: Set<string>): Promise<Pass> {
  const { path, what, pageSize, query = '', limits, take } = reading
  let startIndex = 1
  let first: number | null = null
  let total: number | null = null
  let hasChanged = false
  let repeated = 0
  const here = new Set<string>()
  for (let pages = 1; ; pages++) {
    if (pages > limits.pagesMax) throw new ScimFailed(`GET ${path} does not end: ${limits.pagesMax} pages were read.`)
    const page = await client.get(`${path}?startIndex=${startIndex}&count=${pageSize}${query}`)
    const resources = listOf(page, 'Resources', `GET ${path}`) ?? []
    total = totalOf(page, path)
    if (pages === 1) first = total
    hasChanged ||= total !== first
    const before = here.size
    for (const each of resources) {
      if (!isObject(each)) throw new ScimFailed(`GET ${path} returned a ${what} that is not an object.`)
      const id = idOf(each, what)
      here.add(id)
      if (seen.has(id)) continue
      seen.add(id)
      if (seen.size > limits.countMax)
        throw new ScimFailed(`The app has more than ${limits.countMax} ${what}s, which is too many.`)
      take(each, id)
    }
    startIndex += resources.length
    const count = here.size
    if (resources.length === 0) return { end: 'empty', total, count, hasChanged }
    if (total !== null && startIndex > total)
      return { end: count < startIndex - 1 ? 'repeated' : 'total', total, count, hasChanged }
    repeated = here.size > before ? 0 : repeated + 1
    if (repeated > repeatedMax) return { end: 'repeated', total, count: here.size, hasChanged }
  }
}

function totalOf(page: Json, path: string): number | null {
  const value = attribute(page, 'totalResults')
  if (value === undefined || value === null) return null
  const total = typeof value === 'string' ? Number(value) : value
  if (typeof total !== 'number' || !Number.isInteger(total) || total < 0)
    throw new ScimFailed(`GET ${path}: totalResults is not a number.`)
  return total
}
