import { may } from '#authority/may.ts'
import type { Page } from '#kernel/pages.ts'
import type { Call } from '#kernel/routes.ts'
import {
  type CatalogApp,
  type FoundRef,
  listAppsNamed,
  listContained,
  listContainedApps,
  listHeldRefs,
  listVisibleProfiles,
  searchContained,
} from './store.ts'

export type CatalogSearch = {
  query: string
  alias: string
  appDisplayName: string
  /** Only of these apps; of all without any. */
  appIds: readonly string[]
  includeDeleted: boolean
  granted: 'any' | 'granted' | 'not granted'
}

// Up to this many are searched directly, in a few milliseconds, regardless of the other filters.
const fewRefs = 2_000

const visibleTo = ({ db, tenant, actor, now }: Call): Promise<string[]> =>
  listVisibleProfiles(db, tenant.id, may(actor, 'tasks.manage') ? null : { userId: actor.userId, at: now() })

const appsMax = 1_000

/** The apps in which a caller may request something. */
export async function appsToRequest(call: Call): Promise<CatalogApp[]> {
  const profileIds = await visibleTo(call)
  return profileIds.length === 0 ? [] : listContainedApps(call.db, call.tenant.id, profileIds, appsMax)
}

/** What a caller may request, as far as they can see it, filtered by a search. */
export async function searchRequestable(call: Call, asked: CatalogSearch, page: Page): Promise<FoundRef[]> {
  const { db, tenant, actor } = call
  const at = call.now()
  const profileIds = await visibleTo(call)
  if (profileIds.length === 0) return []
  const named = asked.appDisplayName === '' ? null : await listAppsNamed(db, tenant.id, asked.appDisplayName)
  const chosen = asked.appIds.length === 0 ? null : asked.appIds
  const appIds = named && chosen ? named.filter((id) => chosen.includes(id)) : (named ?? chosen)
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
