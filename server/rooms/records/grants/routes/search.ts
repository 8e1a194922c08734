import { route } from '#authority/route.ts'
import { ExpandMask, expandedField } from '#kernel/expand.ts'
import { nextPageToken } from '#kernel/pages.ts'

import { list, listOf, message, nested, oneOf, text, timestamp } from '#kernel/wire.ts'
import { purposes } from '#rooms/records/apps/index.ts'
import { accountsAsked, getHolder, seesOnlyOwn } from '../actions.ts'
import { asOfField, momentOf } from '../as-of.ts'
import { presentGivers } from '../givers/present.ts'
import { placeNeighbours, presentGrants } from '../present.ts'
import { listFeed, listPast } from '../store/history.ts'
import { placeOf, searchHeld } from '../store/search-held.ts'
import {
  AppEntitlementRef,
  AppEntitlementWithUserBinding,
  AppRef,
  AppUserRef,
  FeedView,
  HistoryView,
  onWire,
  refsMax,
  UserRef,
} from '../view.ts'

const ids = () => list(text({ maxLength: 64 }), refsMax)
// Their accounts are looked up first, and they may have many.
const usersMax = 100
const ticketOf = (giver: { kind: string; id: string } | null): string => (giver?.kind === 'request' ? giver.id : '')
const orAll = <T>(values: readonly T[]): readonly T[] | null => (values.length > 0 ? values : null)

export const grantSearchRoutes = [
  route({
    id: 'app.v1.AppEntitlementSearchService.SearchGrants',
    at: 'POST /api/v1/search/grants',
    summary: 'Search grants, now or at an earlier time. Basic users can search their own access.',
    rule: 'grants.list',
    paged: true,
    body: message('app.v1.AppEntitlementSearchServiceSearchGrantsRequest', {
      userId: text({ maxLength: 64 }),
      appIds: ids(),
      appUserIds: ids(),
      entitlementRefs: listOf(AppEntitlementRef, refsMax),
      entitlementSlugs: list(text({ maxLength: 200 }), refsMax),
      purpose: list(oneOf(purposes), 100),
      resourceIds: ids(),
      resourceTypeIds: ids(),
      asOf: asOfField,
      expandMask: nested(ExpandMask),
    }),
    reply: message('app.v1.AppEntitlementSearchServiceSearchGrantsResponse', {
      list: listOf(AppEntitlementWithUserBinding),
      expanded: expandedField,
      nextPageToken,
    }),
    async handle(call, { body, page }) {
      const moment = momentOf(call, body.asOf)
      if (body.userId !== '') await getHolder(call, body.userId)
      const accounts = await accountsAsked(call, {
        userIds: body.userId === '' ? null : [body.userId],
        accountIds: orAll(body.appUserIds),
        accounts: null,
      })
      const filter = {
        accounts,
        appIds: body.appIds,
        entitlements: body.entitlementRefs,
        slugs: body.entitlementSlugs,
        purposes: body.purpose.filter((purpose) => purpose !== purposes[0]),
        resourceIds: body.resourceIds,
        resourceTypeIds: body.resourceTypeIds,
      }
      const rows = await searchHeld(call.db, call.tenant.id, filter, moment, page)
      const cut = page.cut(
        rows,
        (row) => placeOf(filter, row),
        (row) => row,
      )
      const { views, expanded } = await presentGrants(call, cut.list, moment, body.expandMask)
      return { list: views, expanded, nextPageToken: cut.nextPageToken }
    },
  }),
  route({
    id: 'app.v1.AppEntitlementUserBindingService.SearchGrantFeed',
    at: 'POST /api/v1/grants/feed',
    summary: 'Search when access was granted and removed, latest first.',
    rule: 'grants.list',
    paged: true,
    body: message('app.v1.SearchGrantFeedRequest', {
      after: timestamp(),
      before: timestamp(),
      appRefs: listOf(AppRef, refsMax),
      appEntitlementRefs: listOf(AppEntitlementRef, refsMax),
      appUserRefs: listOf(AppUserRef, refsMax),
      userRefs: listOf(UserRef, usersMax),
      expandMask: nested(ExpandMask),
    }),
    reply: message('app.v1.SearchGrantFeedResponse', {
      list: listOf(FeedView),
      expanded: expandedField,
      nextPageToken,
    }),
    async handle(call, { body, page }) {
      const filter = {
        accounts: await accountsAsked(call, {
          userIds: orAll(body.userRefs.map(({ id }) => id)),
          accountIds: null,
          accounts: orAll(body.appUserRefs),
        }),
        entitlements: orAll(body.appEntitlementRefs),
        appIds: orAll(body.appRefs.map(({ id }) => id)),
      }
      const rows = await listFeed(call.db, call.tenant.id, filter, body, page)
      const cut = page.cut(
        rows,
        ({ at, id }) => [at.toISOString(), id],
        (row) => row,
      )
      const { pathsOf, expanded } = await placeNeighbours(call, cut.list, body.expandMask)
      const giverOf = await presentGivers(
        call,
        seesOnlyOwn(call) ? call.actor.userId : '',
        cut.list.map(({ by }) => by),
      )
      return {
        list: cut.list.map((event) => ({
          source: event.source,
          causedBy: giverOf(event.by),
          reason: event.reason,
          endedWhy: event.kind === 'added' ? '' : event.why === 'expired' ? 'expired' : 'revoked',
          feed: {
            ...onWire(event),
            date: event.at,
            ticketId: ticketOf(giverOf(event.by)),
            eventType:
              event.kind === 'added' ? ('GRANT_EVENT_TYPE_ADDED' as const) : ('GRANT_EVENT_TYPE_REMOVED' as const),
          },
          ...pathsOf(event),
        })),
        expanded,
        nextPageToken: cut.nextPageToken,
      }
    },
  }),
  route({
    id: 'app.v1.AppEntitlementUserBindingService.SearchPastGrants',
    at: 'POST /api/v1/search/past-grants',
    summary: 'Search grants that have ended, latest first.',
    rule: 'grants.list',
    paged: true,
    body: message('app.v1.SearchPastGrantsRequest', {
      appIds: ids(),
      appEntitlementRefs: listOf(AppEntitlementRef, refsMax),
      appUserRefs: listOf(AppUserRef, refsMax),
      expandMask: nested(ExpandMask),
    }),
    reply: message('app.v1.SearchPastGrantsResponse', {
      list: listOf(HistoryView),
      expanded: expandedField,
      nextPageToken,
    }),
    async handle(call, { body, page }) {
      const filter = {
        accounts: await accountsAsked(call, {
          userIds: null,
          accountIds: null,
          accounts: orAll(body.appUserRefs),
        }),
        entitlements: orAll(body.appEntitlementRefs),
        appIds: orAll(body.appIds),
      }
      const rows = await listPast(call.db, call.tenant.id, filter, page)
      const cut = page.cut(
        rows,
        ({ at, id }) => [at.toISOString(), id],
        (row) => row,
      )
      const { pathsOf, expanded } = await placeNeighbours(call, cut.list, body.expandMask)
      return {
        list: cut.list.map((grant) => ({
          history: { ...onWire(grant), id: grant.id, grantedAt: grant.grantedAt, revokedAt: grant.at },
          ...pathsOf(grant),
        })),
        expanded,
        nextPageToken: cut.nextPageToken,
      }
    },
  }),
]
