import { may, mayOf } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import { ExpandMask, expandedField } from '#kernel/expand.ts'
import { idPattern } from '#kernel/ids.ts'
import { fieldsToChange, updatable } from '#kernel/masks.ts'
import { orderByField, orderIn, readApart } from '#kernel/order.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { presenceField, presenceOf } from '#kernel/presence.ts'
import { invalid, notSupported } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, flag, list, listOf, message, nested, oneOf, text, timestamp } from '#kernel/wire.ts'
import { getUser } from '#rooms/identity/users/index.ts'
import { refuseUnknownApp } from '#rooms/records/apps/index.ts'
import { accountStatuses, accountTypes } from './account.ts'
import { type AccountChange, changeAccount, getAccount } from './actions.ts'
import { presentAccounts } from './present.ts'
import { listAccountCredentials } from './store/credentials.ts'
import {
  type AccountFilter,
  accountOrders,
  countAccounts,
  listAccounts,
  listAccountsOfUser,
  searchAccounts,
} from './store/read.ts'
import { AppUser, AppUserView } from './view.ts'

const manyViews = (name: string) => message(name, { list: listOf(AppUserView), expanded: expandedField, nextPageToken })

const sortBy = ['APP_USER_SEARCH_SORT_BY_UNSPECIFIED', 'APP_USER_SEARCH_SORT_BY_APP'] as const
const domains = ['APP_USER_DOMAIN_UNSPECIFIED', 'APP_USER_DOMAIN_EXTERNAL', 'APP_USER_DOMAIN_TRUSTED'] as const
const ids = () => list(text({ maxLength: 64 }), 1000)
const SearchRequest = message('app.v1.AppUserServiceSearchRequest', {
  query: text({ maxLength: 1000 }),
  appId: text({ maxLength: 64 }),
  appIds: ids(),
  appUserIds: ids(),
  refs: listOf(message('app.v1.AppUserRef', { appId: text({ maxLength: 64 }), id: text({ maxLength: 64 }) }), 1000),
  excludeAppUserIds: ids(),
  userIds: ids(),
  appUserTypes: list(oneOf(accountTypes), 100),
  appUserStatuses: list(oneOf(accountStatuses), 100),
  appUserDomains: described(list(oneOf(domains), 100), "EXTERNAL: a person's account that belongs to no user."),
  withoutResponsibleParty: described(flag(), 'Belongs to no user, and has no owner in any role.'),
  excludeDeletedApps: flag(),
  sortBy: oneOf(sortBy),
  owner: presenceField('Only accounts that belong to a user, or only accounts without a user.'),
  emailDomains: described(
    list(text({ maxLength: 255 }), 100),
    'Only accounts with an email address in one of these domains.',
  ),
  createdAfter: described(timestamp(), 'Only accounts created at or after this time.'),
  createdBefore: described(timestamp(), 'Only accounts created before this time.'),
  orderBy: orderByField(accountOrders),
  expandMask: nested(ExpandMask),
})
type Search = ReturnType<typeof SearchRequest.read>

const specified = (values: readonly string[]): string[] => values.filter((value) => !value.endsWith('_UNSPECIFIED'))

function filterOf({ actor }: Call, body: Search): AccountFilter {
  const isId = idPattern.test(body.query.trim())
  const named = body.query.trim()
  const isKept = body.appUserIds.length === 0 || body.appUserIds.includes(named)
  const userIds = body.userIds.length > 0 ? body.userIds : null
  // Callers who may not see all accounts see their own, and no others.
  const chosen = [...new Set(specified(body.appUserDomains))]
  const mayOwn = userIds === null || userIds.includes(actor.userId)
  return {
    query: isId ? '' : body.query,
    ids: isId ? [isKept ? named : ''] : body.appUserIds,
    appIds: [...body.appIds, ...(body.appId === '' ? [] : [body.appId])],
    refs: body.refs,
    excludeIds: body.excludeAppUserIds,
    userIds: may(actor, 'accounts.read') ? userIds : mayOwn ? [actor.userId] : [],
    types: specified(body.appUserTypes),
    statuses: specified(body.appUserStatuses),
    isExternal: chosen.length === 1 ? chosen[0] === 'APP_USER_DOMAIN_EXTERNAL' : null,
    isUnowned: body.withoutResponsibleParty,
    isOfLivingApp: body.excludeDeletedApps,
    hasUser: presenceOf(body.owner),
    emailDomains: body.emailDomains,
    createdAfter: body.createdAfter,
    createdBefore: body.createdBefore,
  }
}

const AppUserCredential = message('app.v1.AppUserCredential', {
  id: text(),
  appId: text(),
  appUserId: text(),
  encryptedData: nested(
    message('app.v1.EncryptedData', {
      provider: described(text(), 'How it is encrypted: baton/jwk/v1.'),
      keyId: described(
        text(),
        'The SHA-256 thumbprint (RFC 7638) of the key of the API credential, in hexadecimal digits.',
      ),
      name: text(),
      description: text(),
      schema: text(),
      encryptedBytes: described(text(), 'In base64. Only the private key of the API credential decrypts it.'),
    }),
  ),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  deletedAt: timestamp(),
  expiresAt: timestamp(),
})

export const accountRoutes = [
  route({
    id: 'app.v1.AppUserService.List',
    at: 'GET /api/v1/apps/{app_id}/app_users',
    summary: 'List the accounts in an app: your own, or all if you may see them.',
    rule: 'app.list-accounts',
    about: { app: 'app_id' },
    paged: true,
    reply: manyViews('app.v1.AppUserServiceListResponse'),
    async handle(call, { path, page }) {
      const of = { appId: path.app_id, userId: call.actor.userId }
      const maySeeAll = may(call.actor, 'accounts.read')
      const rows = maySeeAll
        ? await listAccounts(call.db, call.tenant.id, path.app_id, page)
        : await listAccountsOfUser(call.db, call.tenant.id, of, page)
      // Callers who see only their own accounts do not learn which apps exist.
      if (maySeeAll && rows.length === 0) await refuseUnknownApp(call.db, call, path.app_id)
      const cut = page.cut(
        rows,
        (account) => [account.id],
        (account) => account,
      )
      const { views, expanded } = await presentAccounts(call, cut.list, null)
      return { list: views, expanded, nextPageToken: cut.nextPageToken }
    },
  }),
  route({
    id: 'app.v1.AppUserService.ListAppUsersForUser',
    at: 'GET /api/v1/apps/{app_id}/users/{user_id}/app_users',
    summary: "List a user's accounts in an app: your own, or those of anyone if you may see all accounts.",
    rule: 'app.list-accounts',
    about: { app: 'app_id' },
    paged: true,
    reply: manyViews('app.v1.AppUsersForUserServiceListResponse'),
    async handle(call, { path, page }) {
      const of = { appId: path.app_id, userId: path.user_id }
      const isSeen = mayOf(call.actor, 'user.read-accounts', of.userId)
      const rows = isSeen ? await listAccountsOfUser(call.db, call.tenant.id, of, page) : []
      if (rows.length === 0) {
        await getUser(call, of.userId)
        await refuseUnknownApp(call.db, call, of.appId)
      }
      const cut = page.cut(
        rows,
        (account) => [account.id],
        (account) => account,
      )
      const { views, expanded } = await presentAccounts(call, cut.list, null)
      return { list: views, expanded, nextPageToken: cut.nextPageToken }
    },
  }),
  route({
    id: 'app.v1.AppUserService.ListAppUserCredentials',
    at: 'GET /api/v1/apps/{app_id}/app_users/{app_user_id}/credentials',
    summary:
      'List the passwords of an account that a connector created, encrypted for the API credentials that its person had then.',
    rule: 'account.list-credentials',
    about: { app: 'app_id', account: 'app_user_id' },
    paged: true,
    reply: message('app.v1.AppUserServiceListCredentialsResponse', { list: listOf(AppUserCredential), nextPageToken }),
    async handle(call, { path, page }) {
      const ref = { appId: path.app_id, id: path.app_user_id }
      await getAccount(call, call.db, ref, 'accounts.read')
      return page.cut(
        await listAccountCredentials(call.db, call.tenant.id, ref, page),
        ({ id }) => [id],
        ({ id, createdAt, encryptedBytes, ...encrypted }) => ({
          id,
          appId: ref.appId,
          appUserId: ref.id,
          encryptedData: { ...encrypted, encryptedBytes: encryptedBytes.toString('base64') },
          createdAt,
          updatedAt: createdAt,
          deletedAt: null,
          expiresAt: null,
        }),
      )
    },
  }),
  route({
    id: 'app.v1.AppUserService.Update',
    at: 'POST /api/v1/apps/{app_user_app_id}/app_users/{app_user_id}',
    summary: 'Change the type or the status of an account.',
    rule: 'account.edit',
    about: { app: 'app_user_app_id', account: 'app_user_id' },
    body: message('app.v1.AppUserServiceUpdateRequest', {
      appUser: updatable(AppUser),
      updateMask: text(),
      expandMask: nested(ExpandMask),
    }),
    reply: message('app.v1.AppUserServiceUpdateResponse', {
      appUserView: nested(AppUserView),
      expanded: expandedField,
    }),
    async handle(call, { path, body }) {
      const { appUser } = body
      const mask = body.updateMask.replace(/\bstatus\.status\b/g, 'status')
      const fields = fieldsToChange(appUser, mask, ['appUserType', 'status'])
      const status = appUser?.status?.status ?? 'STATUS_UNSPECIFIED'
      const wanted: AccountChange = {
        ...(fields.has('appUserType') && { appUserType: appUser?.appUserType ?? 'APP_USER_TYPE_UNSPECIFIED' }),
        // Clients that may not set the status send an empty one.
        ...(fields.has('status') && status !== 'STATUS_UNSPECIFIED' && { status }),
      }
      const ref = { appId: path.app_user_app_id, id: path.app_user_id }
      const account = await transact(call.db, (tx) => changeAccount(tx, call, ref, wanted))
      const { views, expanded } = await presentAccounts(call, [account], body.expandMask)
      return { appUserView: views[0] ?? null, expanded }
    },
  }),
  route({
    id: 'app.v1.AppUserService.Search',
    at: 'POST /api/v1/search/app_users',
    summary:
      'Search accounts by the beginnings of words of a name, in any order, or of an email address, and by filters. Basic users can search their own accounts.',
    rule: 'accounts.list',
    paged: true,
    body: SearchRequest,
    reply: manyViews('app.v1.AppUserServiceSearchResponse'),
    async handle(call, { body, page }) {
      const filter = filterOf(call, body)
      if (body.sortBy === 'APP_USER_SEARCH_SORT_BY_APP' && filter.query.trim() !== '')
        throw invalid(notSupported('sortBy', 'is not supported together with query: search results are sorted by name'))
      const order = orderIn(accountOrders, body.orderBy)
      if (order && body.sortBy !== 'APP_USER_SEARCH_SORT_BY_UNSPECIFIED')
        throw invalid({ field: 'orderBy', description: 'must not be sent together with sortBy' })
      const isLong = order !== null || body.emailDomains.length > 0
      const rows = await readApart(call.db, isLong, (db) => searchAccounts(db, call.tenant.id, filter, page, order))
      const cut = page.cut(
        rows,
        ({ key, appId, id }) => (order ? [key, appId, id] : key === '' ? [appId, id] : [key, id]),
        (account) => account,
      )
      const { views, expanded } = await presentAccounts(call, cut.list, body.expandMask)
      return { list: views, expanded, nextPageToken: cut.nextPageToken }
    },
    count: (call, { body }, limit) => countAccounts(call.db, call.tenant.id, filterOf(call, body), limit),
  }),
]
