import { mayEverywhere, mayWithOwned, type Plain } from '#authority/may.ts'
import { atLevel, type Place, seesEveryone, sightOf } from '#authority/sight/index.ts'
import type { Call } from '#kernel/routes.ts'

/** What owners see a list of, because they own it. Null is everything; an empty list is nothing. */
export async function placesOf(call: Call, action: Plain): Promise<readonly Place[] | null> {
  const { actor, db } = call
  if (mayEverywhere(actor, action)) return null
  if (!mayWithOwned(actor, action)) return []
  const places = await sightOf(call, db).places()
  return places.filter(({ kind }) => kind === 'app' || kind === 'resource' || kind === 'entitlement')
}

type Row = {
  appId: string
  appDisplayName: string
  entitlementId: string
  entitlementDisplayName: string
  userId: string
  userDisplayName: string
  userStatus: string
}

/**
 * Lists say names in plain fields, which the sieve of replies does not know (authority/replies). So what a caller may not know is
 * taken out here: names of people whom they do not see, and of apps and entitlements that they neither may read nor see.
 */
export async function withSeenNames<T extends Row>(call: Call, rows: readonly T[]): Promise<T[]> {
  const { actor, db } = call
  const seesRecords = mayEverywhere(actor, 'entitlements.read') && mayEverywhere(actor, 'apps.read')
  if (rows.length === 0 || (seesEveryone(actor) && seesRecords)) return [...rows]
  const sight = sightOf(call, db)
  const userIds = [...new Set(rows.map(({ userId }) => userId).filter((id) => id !== ''))]
  const people = seesEveryone(actor) ? null : await sight.people(userIds)
  const refs = rows.map(({ appId, entitlementId: id }) => ({ appId, id }))
  const entitlements = seesRecords ? null : await sight.entitlements(refs)
  return rows.map((row) => {
    const level = people ? people.get(row.userId) : 'record'
    const shown = level ? atLevel({ displayName: row.userDisplayName, status: row.userStatus }, level) : {}
    const textOf = (name: string): string => (typeof shown[name] === 'string' ? shown[name] : '')
    const isSeen = entitlements?.has(`${row.appId}/${row.entitlementId}`) ?? true
    return {
      ...row,
      userDisplayName: textOf('displayName'),
      userStatus: textOf('status'),
      ...(!isSeen && { appDisplayName: '', entitlementDisplayName: '' }),
    }
  })
}
