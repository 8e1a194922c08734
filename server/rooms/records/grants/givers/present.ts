import { may, type Plain } from '#authority/may.ts'
import { seesEveryone, sightOf } from '#authority/sight/index.ts'
import type { Call } from '#kernel/routes.ts'
import type { Giver, GiverKind } from './giver.ts'
import { findGivers } from './store.ts'

/**
 * The permission needed to see each kind, except for your own access. People's names are shown to callers who see these
 * people.
 */
const neededFor: { readonly [K in Exclude<GiverKind, 'user'>]: Plain } = {
  import: 'imports.read',
  rule_run: 'rules.read',
  request: 'tasks.read',
  profile: 'profiles.read',
  removal: 'grants.read',
}

/** By id, who or what granted or ended access of `holderId`, as far as the caller may know. */
export async function presentGivers(call: Call, holderId: string, ids: readonly string[]) {
  const wanted = [...new Set(ids)].filter((id) => id !== '')
  const found = await findGivers(call.db, call.tenant.id, wanted)
  const people = found.filter(({ kind }) => kind === 'user').map(({ id }) => id)
  const seen = seesEveryone(call.actor)
    ? new Set(people)
    : new Set((await sightOf(call, call.db).people(people)).keys())
  const isOwn = holderId === call.actor.userId
  const isShown = ({ kind, id }: Giver): boolean =>
    kind === 'user' ? seen.has(id) : may(call.actor, neededFor[kind]) || (kind === 'request' && isOwn)
  const views = new Map(
    found
      .filter(isShown)
      .map(({ name, number, entitlementId, ...giver }) => [
        giver.id,
        { ...giver, displayName: name, numericId: number, appEntitlementId: entitlementId },
      ]),
  )
  return (id: string) => views.get(id) ?? null
}
