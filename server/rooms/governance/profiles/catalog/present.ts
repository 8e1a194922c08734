import { expansion } from '#kernel/expand.ts'
import type { Call } from '#kernel/routes.ts'
import { findUsers, putUser } from '#rooms/identity/users/index.ts'
import { entitlementAsNeighbour, entitlementOnWire, findEntitlementsUncounted } from '#rooms/records/apps/index.ts'
import { keyOf } from '../decide.ts'
import { seesAllProfiles } from '../keep.ts'
import type { Profile } from '../profile.ts'
import { countMembers, listBindings } from './store.ts'

type Mask = { paths: readonly string[] } | null
const pathOf = (places: readonly string[]): string =>
  places.length === 0 ? '' : `$.expanded[${places.map((place) => place.slice('$.expanded['.length, -1)).join(',')}]`

/**
 * Profiles as views, with the related objects that the caller requested. Callers who see only some do not see who else sees
 * them.
 */
export async function presentProfiles(call: Call, profiles: readonly Profile[], mask: Mask) {
  const { db, tenant } = call
  const expanded = expansion(mask)
  const seesAll = seesAllProfiles(call)
  const ids = profiles.map(({ id }) => id)
  const bindings = seesAll ? await listBindings(db, tenant.id, ids) : []
  const [counts, entitlements, users] = await Promise.all([
    seesAll ? countMembers(db, tenant.id, ids, call.now()) : new Map<string, number>(),
    bindings.length > 0 ? findEntitlementsUncounted(db, tenant.id, bindings) : [],
    expanded.wants('createdByUserId')
      ? findUsers(
          db,
          tenant.id,
          profiles.map(({ createdByUserId }) => createdByUserId).filter((id) => id !== ''),
          call.now(),
        )
      : [],
  ])
  const entitlementOf = new Map(entitlements.map((each) => [keyOf(each), each]))
  const userOf = new Map(users.map((user) => [user.id, user]))
  const views = profiles.map((profile) => {
    const bound = bindings
      .filter(({ profileId }) => profileId === profile.id)
      .flatMap((ref) => entitlementOf.get(keyOf(ref)) ?? [])
    const user = userOf.get(profile.createdByUserId)
    return {
      requestCatalog: {
        ...profile,
        accessEntitlements: bound.map((each) => entitlementOnWire({ ...each, grantCount: 0 })),
      },
      memberCount: counts.get(profile.id) ?? 0,
      createdByUserPath: user ? putUser(expanded, user) : '',
      accessEntitlementsPath: expanded.wants('accessEntitlements')
        ? pathOf(bound.map((each) => expanded.put('app.v1.AppEntitlement', keyOf(each), entitlementAsNeighbour(each))))
        : '',
    }
  })
  return { views, expanded: expanded.list() }
}

export async function presentProfile(call: Call, profile: Profile, mask: Mask) {
  const { views, expanded } = await presentProfiles(call, [profile], mask)
  return { requestCatalogView: views[0] ?? null, expanded }
}
