import { Refusal } from '#kernel/refusals.ts'
import type { Resource } from '../resource.ts'
import { groupResources } from './groups/serve.ts'
import { type Found, readSearch, type Search } from './list.ts'
import { project, readAsked } from './project.ts'
import type { Resources } from './serve.ts'
import type { Serving } from './serving.ts'
import { userResources } from './users/serve.ts'

type Kept = { id: string; version: number }

/** RFC 7644 section 3.4.3: a search over all types of resources. Users come first, then groups. */
export async function searchAll(
  serving: Serving,
  sent: { readonly [name: string]: unknown },
): Promise<{ resources: Resource[]; total: number; startIndex: number }> {
  const asked = readAsked(sent['attributes'], sent['excludedAttributes'])
  const search = readSearch(sent, asked)
  const users = userResources(serving)
  const groups = groupResources(serving)
  const ofUsers = await fitting(users, search)
  const left = search.count - ofUsers.rows.length
  const from = Math.max(search.startIndex - ofUsers.total, 1)
  const ofGroups = await fitting(groups, { ...search, startIndex: from, count: Math.max(left, 0) })
  const resources = [
    ...(await users.view(ofUsers.rows, asked)).map((each) => project(users.type, asked, each)),
    ...(await groups.view(ofGroups.rows, asked)).map((each) => project(groups.type, asked, each)),
  ]
  return { resources, total: ofUsers.total + ofGroups.total, startIndex: search.startIndex }
}

/** A filter with an attribute that a type does not have matches none of its resources. */
async function fitting<T extends Kept>({ list }: Resources<T>, search: Search): Promise<Found<T>> {
  try {
    return await list(search)
  } catch (error) {
    const isForeign =
      error instanceof Refusal && ['invalidFilter', 'invalidPath'].includes(error.detail.metadata?.['scimType'] ?? '')
    if (!isForeign || !/is not an attribute/.test(error.message)) throw error
    return { total: 0, rows: [] }
  }
}
