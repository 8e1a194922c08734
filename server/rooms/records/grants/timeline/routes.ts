import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'

import { described, flag, listOf, message, text, timestamp } from '#kernel/wire.ts'
import { accountsAsked, getHolder } from '../actions.ts'
import { momentOf } from '../as-of.ts'
import { presentGivers } from '../givers/present.ts'
import { giverField } from '../givers/view.ts'
import { keyOf } from '../store/sources.ts'
import { isWithin, spansOf } from './decide.ts'
import { listRowsOf, listTracks, nameTracks } from './store.ts'

/** For one holding, so many rows of the history are read, the latest. */
const rowsMax = 200

const SpanMessage = message(
  'bailiwick.v1.AccessSpan',
  {
    source: described(text(), 'The source: manual, import, rule, request, profile or directory.'),
    from: timestamp(),
    to: described(timestamp(), 'When it ended; null if it has not ended.'),
    grantedAt: described(timestamp(), 'Since when the access exists according to the app; otherwise the same as from.'),
    expiresAt: timestamp(),
    grantedBy: giverField('Who or what granted it.'),
    endedWhy: described(text(), 'revoked or expired; empty if it has not ended.'),
    endedBy: giverField('Who or what ended it.'),
  },
  'A period during which an account had an entitlement from one source. If only the expiry changed, it is the same period.',
)

const TrackMessage = message('bailiwick.v1.AccessTrack', {
  appId: text(),
  appDisplayName: text(),
  appEntitlementId: text(),
  entitlementDisplayName: text(),
  appResourceTypeId: text(),
  appResourceId: text(),
  resourceDisplayName: text(),
  appUserId: text(),
  appUserDisplayName: text(),
  spans: described(listOf(SpanMessage), 'In order of time.'),
  isCut: described(flag(), `Whether there were more than ${rowsMax} changes; only the latest are shown.`),
})

const id = () => text({ maxLength: 64 })

export const timelineRoutes = [
  route({
    id: 'bailiwick.v1.AccessHistory.List',
    at: 'GET /api/v1/users/{user_id}/access_history',
    summary: 'List the past and current access of a person, with times and sources, by app, account and entitlement.',
    rule: 'grants.list',
    paged: true,
    query: message('bailiwick.v1.ListAccessHistoryQuery', {
      from: described(timestamp(), 'Only access after this time; from the beginning by default.'),
      to: described(timestamp(), 'Only access before this time; until now by default.'),
      asOf: described(timestamp(), 'The state at this time: access that ended later is shown as current.'),
      appId: id(),
      appEntitlementId: id(),
    }),
    reply: message('bailiwick.v1.ListAccessHistoryResponse', { list: listOf(TrackMessage), nextPageToken }),
    async handle(call, { path, query, page }) {
      const { at } = momentOf(call, query.asOf)
      const { from: since } = query
      const until = query.to && query.to < at ? query.to : at
      if (since && since >= until)
        throw invalid({ field: 'from', description: 'must be before to, and not in the future' })
      await getHolder(call, path.user_id)
      const accounts = (await accountsAsked(call, { userIds: [path.user_id], accountIds: null, accounts: null })) ?? []
      const { appId, appEntitlementId: entitlementId } = query
      const filter = { accounts, appId, entitlementId, since, until }
      const cut = page.cut(
        await listTracks(call.db, call.tenant.id, filter, page),
        (track) => [track.appId, track.accountId, track.entitlementId],
        (track) => track,
      )
      const [rows, names] = await Promise.all([
        listRowsOf(call.db, call.tenant.id, cut.list, { at, rowsMax }),
        nameTracks(call.db, call.tenant.id, cut.list),
      ])
      const rowsOf = Map.groupBy(rows, keyOf)
      const nameOf = new Map(names.map((each) => [keyOf(each), each]))
      const giverOf = await presentGivers(
        call,
        path.user_id,
        rows.flatMap(({ grantedBy, endedBy }) => [grantedBy, endedBy]),
      )
      const views = cut.list.map((track) => {
        const all = rowsOf.get(keyOf(track)) ?? []
        const name = nameOf.get(keyOf(track))
        const spans = spansOf(all.slice(0, rowsMax), at).filter((span) => isWithin(span, since, until))
        return {
          appId: track.appId,
          appEntitlementId: track.entitlementId,
          appUserId: track.accountId,
          appDisplayName: name?.appName ?? '',
          entitlementDisplayName: name?.entitlementName ?? '',
          appUserDisplayName: name?.accountName ?? '',
          appResourceTypeId: name?.resourceTypeId ?? '',
          appResourceId: name?.resourceId ?? '',
          resourceDisplayName: name?.resourceName ?? '',
          spans: spans.map((span) => ({
            source: span.source,
            from: span.from,
            to: span.to,
            grantedAt: span.grantedAt,
            expiresAt: span.expiresAt,
            endedWhy: span.endedWhy ?? '',
            grantedBy: giverOf(span.grantedBy),
            endedBy: giverOf(span.endedBy),
          })),
          isCut: all.length > rowsMax,
        }
      })
      return { list: views, nextPageToken: cut.nextPageToken }
    },
  }),
]
