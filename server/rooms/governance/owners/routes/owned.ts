import { may } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import { ExpandMask, expandedField, expansion } from '#kernel/expand.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { described, list, listOf, message, nested, oneOf, text, timestamp } from '#kernel/wire.ts'
import type { Kind, ObjectRef } from '#rooms/foundation/ownership/index.ts'
import { findUser, userNotFound } from '#rooms/identity/users/index.ts'
import { AppUserView, findAccounts, viewAccounts } from '#rooms/records/accounts/index.ts'
import { momentOf } from '#rooms/records/grants/index.ts'
import { namesOf } from '../store/names.ts'
import { listOwned, listOwnedServiceAccounts } from '../store/owned.ts'

const types = [
  'USER_OWNERSHIP_TYPE_UNSPECIFIED',
  'USER_OWNERSHIP_TYPE_APP',
  'USER_OWNERSHIP_TYPE_RESOURCE',
  'USER_OWNERSHIP_TYPE_ENTITLEMENT',
] as const
const kindOf = new Map<string, Kind>([
  ['USER_OWNERSHIP_TYPE_APP', 'app'],
  ['USER_OWNERSHIP_TYPE_RESOURCE', 'resource'],
  ['USER_OWNERSHIP_TYPE_ENTITLEMENT', 'entitlement'],
])
const typeOf = new Map([...kindOf].map(([type, kind]) => [kind, type as (typeof types)[number]]))

const asOf = () => described(timestamp(), 'Ownership at this time; the current time by default.')

const UserOwnership = message(
  'app.v1.UserOwnership',
  {
    ownershipType: oneOf(types),
    appId: text(),
    appDisplayName: text(),
    resourceTypeId: text(),
    resourceId: text(),
    resourceDisplayName: text(),
    entitlementId: text(),
    entitlementDisplayName: text(),
  },
  'An object that a user owns, in one or several roles, directly or through an entitlement.',
)

const OwnedConnector = message('connector.v1.OwnedConnector', {
  appId: text(),
  appDisplayName: text(),
  connectorId: text(),
  displayName: text(),
})

/** The caller, or any user for callers who may see who owns what. */
async function ownerAsked(call: Call, userId: string): Promise<string> {
  if (userId === '' || userId === call.actor.userId) return call.actor.userId
  const isSeen = may(call.actor, 'owners.read')
  if (!isSeen || !(await findUser(call.db, call.tenant.id, userId, call.now()))) throw userNotFound(userId)
  return userId
}

async function presentOwned(call: Call, owned: readonly ObjectRef[]) {
  const name = await namesOf(call.db, call.tenant.id, owned)
  return owned.map((object) => {
    const { kind, appId, typeId, id } = object
    const isResource = kind === 'resource'
    const isEntitlement = kind === 'entitlement'
    return {
      ownershipType: typeOf.get(kind) ?? types[0],
      appId,
      appDisplayName: name('app', appId, appId),
      resourceTypeId: typeId,
      resourceId: isResource ? id : '',
      resourceDisplayName: isResource ? name(kind, appId, id) : '',
      entitlementId: isEntitlement ? id : '',
      entitlementDisplayName: isEntitlement ? name(kind, appId, id) : '',
    }
  })
}

export const ownedRoutes: readonly Route[] = [
  route({
    id: 'app.v1.AppSearch.SearchUserOwnership',
    at: 'POST /api/v1/search/user-ownership',
    summary:
      'List the apps, resources and entitlements that a user owns: your own, or those of anyone if you may see them.',
    rule: 'owned.list',
    paged: true,
    body: message('app.v1.SearchUserOwnershipRequest', {
      userId: described(text({ maxLength: 64 }), 'The user; the caller by default.'),
      ownershipTypes: list(oneOf(types), 100),
      asOf: asOf(),
    }),
    reply: message('app.v1.SearchUserOwnershipResponse', { list: listOf(UserOwnership), nextPageToken }),
    async handle(call, { body, page }) {
      const moment = momentOf(call, body.asOf)
      const userId = await ownerAsked(call, body.userId)
      const wanted = body.ownershipTypes.flatMap((type) => kindOf.get(type) ?? [])
      const kinds = wanted.length > 0 ? wanted : [...kindOf.values()]
      const rows = await listOwned(call.db, call.tenant.id, { userId, kinds }, moment, page)
      const cut = page.cut(
        rows,
        ({ kind, appId, typeId, id }) => [kind, appId, typeId, id],
        (row) => row,
      )
      return { list: await presentOwned(call, cut.list), nextPageToken: cut.nextPageToken }
    },
  }),
  route({
    id: 'app.v1.AppUserService.ListOwnedServiceAccounts',
    at: 'POST /api/v1/app_users/owned_service_accounts',
    summary: 'List the service accounts that the caller owns.',
    rule: 'owned.list',
    paged: true,
    body: message('app.v1.ListOwnedServiceAccountsRequest', { expandMask: nested(ExpandMask), asOf: asOf() }),
    reply: message('app.v1.ListOwnedServiceAccountsResponse', {
      list: listOf(AppUserView),
      expanded: expandedField,
      nextPageToken,
    }),
    async handle(call, { body, page }) {
      const moment = momentOf(call, body.asOf)
      const refs = await listOwnedServiceAccounts(call.db, call.tenant.id, call.actor.userId, moment, page)
      const cut = page.cut(
        refs,
        ({ appId, id }) => [appId, id],
        (ref) => ref,
      )
      const found = await findAccounts(call.db, call.tenant.id, cut.list)
      const accountOf = new Map(found.map((account) => [`${account.appId} ${account.id}`, account]))
      const expanded = expansion(body.expandMask)
      const accounts = cut.list.flatMap(({ appId, id }) => accountOf.get(`${appId} ${id}`) ?? [])
      const views = await viewAccounts(call, accounts, expanded)
      return { list: views, expanded: expanded.list(), nextPageToken: cut.nextPageToken }
    },
  }),
  route({
    id: 'connector.v1.OwnedConnectorService.List',
    at: 'GET /api/v1/connectors/owned',
    summary: 'List the connectors that the caller owns, by app.',
    rule: 'owned.list',
    paged: true,
    reply: message('connector.v1.OwnedConnectorServiceListResponse', { list: listOf(OwnedConnector), nextPageToken }),
    async handle(call, { page }) {
      const { userId } = call.actor
      const moment = momentOf(call, null)
      const rows = await listOwned(call.db, call.tenant.id, { userId, kinds: ['connector'] }, moment, page)
      const cut = page.cut(
        rows,
        ({ kind, appId, typeId, id }) => [kind, appId, typeId, id],
        (row) => row,
      )
      const name = await namesOf(call.db, call.tenant.id, cut.list)
      const owned = cut.list.map(({ appId, id }) => ({
        appId,
        appDisplayName: name('app', appId, appId),
        connectorId: id,
        displayName: name('connector', appId, id),
      }))
      return { list: owned, nextPageToken: cut.nextPageToken }
    },
  }),
]
