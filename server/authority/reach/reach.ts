import { Refusal } from '#kernel/refusals.ts'
import type { Actor, Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { may, mayEverywhere } from '../may.ts'
import { listPlaces, type Place, sightOf } from '../sight/index.ts'
import { type Among, type Conferred, listConferredBeyond, listGiving, type Reach, type Ref } from './store.ts'

/**
 * Decides whether someone may grant an entitlement, however it is granted (decisions 0039 and 0125). If it makes its
 * holders owners of something whose owners the caller may not choose, or leads to entitlements that the caller does not
 * own, they may neither grant it themselves nor change how it is granted. Whoever made it lead there did so knowingly,
 * and whoever could have done so may grant it too.
 */

/** Refuses to let someone grant an entitlement, manually or with a rule. */
export async function refuseBeyondReach(db: Reads, call: Call, ref: Ref): Promise<void> {
  await refuseAny(db, call, [ref], false)
}

/**
 * Refuses to let someone change how entitlements are requested, decided or found: all of them, or all of an app or a
 * policy.
 */
export const refuseGivingBeyondReach = (db: Reads, call: Call, among: Among): Promise<void> =>
  refuseAny(db, call, among, decidesAll(call))

/** Whether someone may grant an entitlement in the ways open to those who administer requests. */
export async function isWithinReach(db: Reads, call: Call, ref: Ref): Promise<boolean> {
  return givesEverything(call) || (await beyond(db, call, [ref], decidesAll(call), 1)).length === 0
}

/**
 * Changes something that may affect how entitlements are granted. Refused if it changes this for one that the caller
 * may not grant: to grant something by a policy, or to everyone for longer, is to grant it. Also refused if one that
 * they may grant then leads to more: through its provisioner, or through a policy that adds another one.
 */
export async function changeWithinReach<T>(
  tx: Tx,
  call: Call,
  among: readonly Ref[] | { appId: string },
  work: () => Promise<T>,
): Promise<T> {
  if (givesEverything(call)) return work()
  const kept = await beyond(tx, call, among, decidesAll(call), keptMax)
  const refs = kept.map(({ from }) => from)
  const givingOf = async () =>
    new Map((await listGiving(tx, call.tenant.id, refs)).map((each) => [keyOf(each), each.giving]))
  const before = refs.length === 0 ? new Map<string, string>() : await givingOf()
  const done = await work()
  const after = refs.length === 0 ? before : await givingOf()
  const keys = new Set(refs.map(keyOf))
  const changed =
    kept.find(({ from }) => after.has(keyOf(from)) && after.get(keyOf(from)) !== before.get(keyOf(from))) ??
    (await beyond(tx, call, among, decidesAll(call), keptMax)).find(({ from }) => !keys.has(keyOf(from)))
  if (changed) throw await refusalOf(tx, call, changed)
  return done
}

/** What the roles of a user permit. */
export type PermittedTo = (userId: string) => Promise<Pick<Actor, 'permissions'>>

/**
 * Of some people, those who may not grant an entitlement themselves: of `asOwners` only those who own it or what
 * contains it; of `others`, whom somebody chose to decide in their place, all.
 */
export async function listBeyondReach(
  db: Reads,
  { tenantId, at, permittedTo }: { tenantId: number; at: Date; permittedTo: PermittedTo },
  ref: Ref,
  { asOwners, others }: { asOwners: readonly string[]; others: readonly string[] },
): Promise<ReadonlySet<string>> {
  const leadsTo = (reach: Reach) => listConferredBeyond(db, tenantId, [ref], reach, 1)
  const found = new Set<string>()
  const userIds = new Set([...asOwners, ...others])
  // Most entitlements lead to nothing, and then it does not matter who the people are.
  if (userIds.size === 0 || (await leadsTo({ places: [], givesAll: false })).length === 0) return found
  for (const userId of userIds) {
    const of = await permittedTo(userId)
    if (may(of, 'grants.give') && may(of, 'owners.change')) continue
    const places = await listPlaces(db, tenantId, userId, { at, countsOwned: true })
    if (!others.includes(userId) && !places.some((place) => isOf(place, ref))) continue
    if ((await leadsTo({ places, givesAll: may(of, 'terms.change') })).length > 0) found.add(userId)
  }
  return found
}

// No real tenant has more: each entitlement is compared before and after.
const keptMax = 1_000_000

const isOf = ({ kind, appId, id }: Place, ref: Ref): boolean =>
  appId === ref.appId && (kind === 'app' || kind === 'resource' || (kind === 'entitlement' && id === ref.id))

const keyOf = ({ appId, id }: Ref): string => `${appId}/${id}`

const isRefs = (among: Among): among is readonly Ref[] => Array.isArray(among)

const givesEverything = ({ actor }: Call): boolean =>
  mayEverywhere(actor, 'grants.give') && mayEverywhere(actor, 'owners.change')

/**
 * Someone who administers requests decides how every entitlement is requested, and so where each leads; but cannot make
 * anyone an owner.
 */
const decidesAll = ({ actor }: Call): boolean => mayEverywhere(actor, 'terms.change')

async function beyond(db: Reads, call: Call, among: Among, givesAll: boolean, limit: number): Promise<Conferred[]> {
  const places = await sightOf(call, db).places()
  return listConferredBeyond(db, call.tenant.id, among, { places, givesAll }, limit)
}

async function refuseAny(db: Reads, call: Call, among: Among, givesAll: boolean): Promise<void> {
  if (givesEverything(call) || (isRefs(among) && among.length === 0)) return
  const [first] = await beyond(db, call, among, givesAll, 1)
  if (first) throw await refusalOf(db, call, first)
}

async function refusalOf(db: Reads, call: Call, each: Conferred): Promise<Refusal> {
  const { from } = each
  const isSeen = (await sightOf(call, db).apps()).seen.has(each.appId)
  const object = each.what === 'entitlement' ? 'entitlement' : each.kind
  const named = isSeen ? `the ${object} ${each.id}` : `something that you cannot see`
  const gives = each.what === 'entitlement' ? `is also granted ${named}` : `owns ${named}`
  return new Refusal(
    'GRANT_BEYOND_REACH',
    `Everyone with the entitlement ${from.id} ${gives}, which you do not have permission to grant; ask an administrator.`,
    {
      metadata: {
        appId: from.appId,
        appEntitlementId: from.id,
        ...(isSeen && { conferredKind: object, conferredAppId: each.appId, conferredId: each.id }),
      },
    },
  )
}
