import { may } from '#authority/may.ts'
import type { Page } from '#kernel/pages.ts'
import type { Call } from '#kernel/routes.ts'
import {
  type FoundRef,
  listAppsNamed,
  listContained,
  listHeldRefs,
  listVisibleProfiles,
  searchContained,
} from './store.ts'

export type CatalogSearch = {
  query: string
  alias: string
  appDisplayName: string
  includeDeleted: boolean
  granted: 'any' | 'granted' | 'not granted'
}

// Up to this many are searched directly, in a few milliseconds, regardless of the other filters.
const fewRefs = 2_000

/** What a caller may request, as far as they can see it, filtered by a search. */
export async function searchRequestable(call: Call, asked: CatalogSearch, page: Page): Promise<FoundRef[]> {
  const { db, tenant, actor } = call
  const at = call.now()
  const mayAll = may(actor, 'tasks.manage')
  const profileIds = await listVisibleProfiles(db, tenant.id, mayAll ? null : { userId: actor.userId, at })
  if (profileIds.length === 0) return []
  const appIds = asked.appDisplayName === '' ? null : await listAppsNamed(db, tenant.id, asked.appDisplayName)
  if (appIds?.length === 0) return []
  const heldRefs = asked.granted === 'any' ? [] : await listHeldRefs(db, tenant.id, actor.userId, at)
  const contained = asked.granted === 'granted' ? heldRefs : await listContained(db, tenant.id, profileIds, fewRefs)
  const isFew = asked.granted === 'granted' || contained.length <= fewRefs
  const filter = {
    query: asked.query,
    alias: asked.alias,
    appIds,
    includeDeleted: asked.includeDeleted,
    among: isFew ? contained : null,
    without: asked.granted === 'not granted' ? heldRefs : [],
  }
  return searchContained(db, tenant.id, profileIds, filter, page)
}
