import { sieve } from '#authority/replies/index.ts'
import type { Call, Route } from '#kernel/routes.ts'
import type { Grant } from '#rooms/foundation/evidence/index.ts'
import { type HoldingRef, type Moment, presentGrants } from '#rooms/records/grants/index.ts'
import { inputOf, pagesOf } from '../../lists/index.ts'
import { inForce } from '../decide.ts'
import type { HistoryRow } from '../facts.ts'
import { refuseTooLarge } from '../refuse.ts'
import { listHistory } from '../store/grants.ts'

type Json = { readonly [name: string]: unknown }

/** A holding as its reader sees it, and its history. */
export type Row = HoldingRef &
  Pick<Grant, 'app' | 'entitlement' | 'user' | 'account'> & { rows: HistoryRow[]; held: HistoryRow[] }

/** The operations whose lists a pack can be about, and the one by which the names are shown. */
export type Listings = { readonly list: Route; readonly shown: Route }

export type Asked = { path: Readonly<Record<string, string>>; filters: Json; source: string | null; moment: Moment }

/** How many grants a pack has at most. */
const grantsMax = 5_000

const textIn = (json: unknown, ...names: readonly string[]): string => {
  const value = names.reduce<unknown>((of, name) => (of as Json | null | undefined)?.[name], json)
  return typeof value === 'string' ? value : ''
}

/** What an item of any of the lists is about. */
function refOf(item: Json): HoldingRef {
  const of = (item['appEntitlementUserBinding'] ?? item) as Json
  return {
    appId: textIn(of, 'appId'),
    entitlementId: textIn(of, 'appEntitlementId'),
    accountId: textIn(of, 'appUserId'),
  }
}

export const keyOf = ({ appId, entitlementId, accountId }: HoldingRef): string =>
  `${appId} ${entitlementId} ${accountId}`

/**
 * The rows of a list, all of it, by the operation itself: its reader gets the same rows, and of each what they see of it,
 * as in a reply.
 */
export async function readRows(call: Call, { list, shown }: Listings, asked: Asked): Promise<Row[]> {
  const all = new Map<string, Row>()
  const input = { path: asked.path, ...inputOf(list, asked.filters, []) }
  for await (const page of pagesOf(list, call, input)) {
    const items = (page['list'] ?? []) as Json[]
    const refs = [...new Map(items.map(refOf).map((ref) => [keyOf(ref), ref])).values()]
    for (const row of await showRows(call, shown, refs, asked)) all.set(keyOf(row), row)
    if (all.size > grantsMax) throw refuseTooLarge(grantsMax)
    call.signal.throwIfAborted()
  }
  return [...all.values()]
}

async function showRows(
  call: Call,
  shown: Route,
  refs: readonly HoldingRef[],
  { moment, source }: Asked,
): Promise<Row[]> {
  const history = Map.groupBy(await listHistory(call.db, call.tenant.id, refs, moment.at), keyOf)
  const heldOf = (ref: HoldingRef): HistoryRow[] =>
    inForce(history.get(keyOf(ref)) ?? [], moment.at).filter((row) => source === null || row.source === source)
  const holdings = refs.flatMap((ref) => {
    const held = heldOf(ref)
    if (held.length === 0) return []
    const grantedAt = new Date(Math.min(...held.map((row) => row.grantedAt.getTime())))
    return [{ ...ref, grantedAt, expiresAt: null }]
  })
  const { views, expanded } = await presentGrants(call, holdings, moment, { paths: ['*'] })
  const whole = shown.reply.write({ list: views, expanded, nextPageToken: '' })
  const reply = sieve.passes(call, shown) ? whole : await sieve.sift(call, shown.reply, whole)
  const neighbours = (reply['expanded'] ?? []) as (Json | null)[]
  const named = (kind: string) =>
    new Map(
      neighbours.flatMap((each) => (textIn(each, '@type').endsWith(kind) ? [[textIn(each, 'id'), each] as const] : [])),
    )
  const [apps, users] = [named('.App'), named('.User')]
  return ((reply['list'] ?? []) as Json[]).map((item) => {
    const ref = refOf(item)
    const account = (item['appEntitlementUserBinding'] as Json)['appUser'] as Json | null
    const userId = textIn(account, 'appUser', 'identityUserId')
    const user = users.get(userId)
    return {
      ...ref,
      rows: history.get(keyOf(ref)) ?? [],
      held: heldOf(ref),
      app: { id: ref.appId, name: textIn(apps.get(ref.appId), 'displayName') },
      entitlement: { id: ref.entitlementId, name: textIn(item, 'entitlement', 'appEntitlement', 'displayName') },
      account: {
        id: ref.accountId,
        name: textIn(account, 'appUser', 'displayName'),
        username: textIn(account, 'appUser', 'username'),
        email: textIn(account, 'appUser', 'email'),
      },
      user:
        userId === ''
          ? null
          : {
              id: userId,
              name: textIn(user, 'displayName'),
              email: textIn(user, 'email'),
              status: textIn(user, 'status'),
            },
    }
  })
}
