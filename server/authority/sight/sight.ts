import type { Actor, Call, Shows } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import { may, mayWithOwned } from '../may.ts'
import {
  type AccountRef,
  type EntitlementRef,
  type EntitlementSight,
  isOfApp,
  listCopied,
  listPlaces,
  listRequestable,
  listRequestableApps,
  listRequestableResources,
  listSeen,
  listSeenEntitlements,
  listSeenResources,
  listUserIds,
  type Place,
  type ResourceRef,
} from './store.ts'

/**
 * What a caller may know of people and apps, however they ask (decision 0038). Callers who may read everyone see
 * records. All others see themselves, and a part of the people around what they own or hold: by name, or by name and
 * work.
 */
export type Level = 'record' | 'work' | 'name'

/** What each level shows, and, at `work`, what a rule of someone who sees no more may read. */
export const nameFields = ['id', 'displayName'] as const
export const workFields = ['department', 'jobTitle', 'employmentType', 'employmentStatus', 'status', 'type'] as const
const fieldsAt: Record<Exclude<Level, 'record'>, readonly string[]> = {
  name: nameFields,
  work: [...nameFields, ...workFields],
}

export const seesEveryone = ({ permissions }: Pick<Actor, 'permissions'>): boolean => may({ permissions }, 'users.read')

/** A user at a level: fields beyond it are unset. */
export function atLevel(user: { readonly [field: string]: unknown }, level: Level): { [field: string]: unknown } {
  if (level === 'record') return user
  return Object.fromEntries(fieldsAt[level].map((field) => [field, user[field]]))
}

type Showing = Pick<Call, 'shows'>

function add(to: Set<string> | undefined, ids: Iterable<string>): Set<string> {
  const all = to ?? new Set<string>()
  for (const id of ids) all.add(id)
  return all
}

/** Lets the reply to one request show these people by name, whether or not the caller sees them otherwise. */
export function showNames({ shows }: Showing, userIds: Iterable<string>): void {
  shows.names = add(shows.names, userIds)
}

/** Lets the reply to one request show the whole records of these users: of service principals, to their owners. */
export function showRecords(call: Showing, userIds: readonly string[]): void {
  showNames(call, userIds)
  call.shows.records = add(call.shows.records, userIds)
}

/** Says that ids in the reply to one request do not belong to people, so that they are not looked up. */
export function notPeople({ shows }: Showing, ids: Iterable<string>): void {
  shows.notUsers = add(shows.notUsers, ids)
}

/** Lets the reply to one request show these entitlements and their apps, as far as their holders see them. */
export function showTargets({ shows }: Showing, refs: readonly EntitlementRef[]): void {
  shows.targets = add(
    shows.targets,
    refs.map(({ appId, id }) => `${appId}/${id}`),
  )
}

export type Sight = {
  /** Of some ids, those of users that the caller sees, and how; no others. */
  people(ids: readonly string[]): Promise<Map<string, Level>>
  /** Of some ids, those of users that the caller does not see. */
  hidden(ids: readonly string[]): Promise<Set<string>>
  /** Of some entitlements, those that the caller sees, and how: by `app/id`. */
  entitlements(refs: readonly EntitlementRef[]): Promise<Map<string, EntitlementSight>>
  /** Of some resources, those that the caller sees, and whether as their own: by `app/type/id`. '' is any of a type. */
  resources(refs: readonly ResourceRef[]): Promise<Map<string, 'owned' | 'held'>>
  /**
   * The apps of which the caller owns all, those of which they own or hold some, and those of which they know some by name.
   * Of `asked`, also those of which they may request something.
   */
  apps(
    asked?: readonly string[],
  ): Promise<{ owned: ReadonlySet<string>; seen: ReadonlySet<string>; past: ReadonlySet<string> }>
  /** Of some accounts, those that contain only what was copied from their users: by `app/id`. */
  copied(refs: readonly AccountRef[]): Promise<ReadonlySet<string>>
  /** What the caller owns and holds. */
  places(): Promise<readonly Place[]>
}

/** What a caller who may not read everyone sees. Read again for each request, once. */
export function sightOf(call: Pick<Call, 'actor' | 'tenant' | 'now'> & { readonly shows?: Shows }, db: Reads): Sight {
  const { actor, tenant, shows = {} } = call
  let found: Promise<Place[]> | null = null
  const places = (): Promise<Place[]> => {
    found ??= listPlaces(db, tenant.id, actor.userId, {
      at: call.now(),
      countsOwned: mayWithOwned(actor, 'grants.read') || may(actor, 'grants.read'),
    })
    return found
  }
  const requester = () => ({ userId: actor.userId, at: call.now() })
  const people: Sight['people'] = async (ids) => {
    const others = ids.filter((id) => id !== actor.userId)
    const asked = { callerId: actor.userId, places: await places(), at: call.now() }
    const seen = others.length > 0 ? await listSeen(db, tenant.id, asked, others) : []
    return new Map<string, Level>([
      ...others.filter((id) => shows.names?.has(id)).map((id) => [id, 'name'] as const),
      ...(others.length < ids.length ? [[actor.userId, 'record'] as const] : []),
      ...seen.map(({ userId, isAffected }) => [userId, isAffected ? 'work' : 'name'] as const),
      ...others.filter((id) => shows.records?.has(id)).map((id) => [id, 'record'] as const),
    ])
  }
  return {
    people,
    places,
    async hidden(ids) {
      // Users whose names the reply may show anyway need not be looked up: on a page of tasks that is everyone.
      const others = ids.filter((id) => id !== actor.userId && !shows.names?.has(id) && !shows.notUsers?.has(id))
      const users = others.length > 0 ? await listUserIds(db, tenant.id, others) : []
      if (users.length === 0) return new Set()
      const seen = await people(users)
      return new Set(users.filter((id) => !seen.has(id)))
    },
    async entitlements(refs) {
      const seen = await listSeenEntitlements(db, tenant.id, await places(), refs)
      const known = new Map(seen.map(({ appId, id, sight }) => [`${appId}/${id}`, sight]))
      const others = refs.filter(({ appId, id }) => (known.get(`${appId}/${id}`) ?? 'named') === 'named')
      for (const { appId, id } of await listRequestable(db, tenant.id, requester(), others))
        known.set(`${appId}/${id}`, 'held')
      for (const { appId, id } of others) if (shows.targets?.has(`${appId}/${id}`)) known.set(`${appId}/${id}`, 'held')
      return known
    },
    async resources(refs) {
      const seen = await listSeenResources(db, tenant.id, await places(), refs)
      const known = new Map<string, 'owned' | 'held'>(
        seen.map(({ appId, typeId, id, isOwned }) => [`${appId}/${typeId}/${id}`, isOwned ? 'owned' : 'held']),
      )
      const others = refs.filter(({ appId, typeId, id }) => !known.has(`${appId}/${typeId}/${id}`))
      for (const { appId, typeId, id } of await listRequestableResources(db, tenant.id, requester(), others))
        known.set(`${appId}/${typeId}/${id}`, 'held')
      return known
    },
    async apps(asked = []) {
      const all = await places()
      const of = (isMeant: (kind: Place['kind']) => boolean) =>
        new Set(all.filter(({ kind }) => isMeant(kind)).map(({ appId }) => appId))
      const held = of((kind) => isOfApp({ kind }))
      const others = [...new Set(asked)].filter((id) => !held.has(id))
      return {
        owned: of((kind) => kind === 'app'),
        seen: held
          .union(new Set(await listRequestableApps(db, tenant.id, requester(), others)))
          .union(new Set([...(shows.targets ?? [])].map((ref) => ref.split('/')[0] as string))),
        past: of(() => true),
      }
    },
    copied: async (refs) => new Set((await listCopied(db, tenant.id, refs)).map(({ appId, id }) => `${appId}/${id}`)),
  }
}
