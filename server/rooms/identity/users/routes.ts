import { may, type Plain, permissionFor } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import { seesEveryone } from '#authority/sight/index.ts'
import { ExpandMask, expandedField } from '#kernel/expand.ts'
import { idPattern } from '#kernel/ids.ts'
import { orderByField, orderIn, readApart } from '#kernel/order.ts'
import { nextPageToken, type Position } from '#kernel/pages.ts'
import { presenceField, presenceOf } from '#kernel/presence.ts'
import { type FieldViolation, invalid } from '#kernel/refusals.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, flag, list, listOf, message, nested, oneOf, text, timestamp } from '#kernel/wire.ts'
import { getSeenUser, getUser, setDelegation } from './actions.ts'
import { administerUsers, type ForgetUser } from './administration/routes.ts'
import { DelegationBinding, delegationRoutes } from './delegation/routes.ts'
import { findNameable } from './nameable.ts'
import { presentPage, presentUsers } from './present.ts'
import { countUsers, listUsers, searchUsers, type UserFilter, userOrders } from './store/read.ts'
import { userOrigins, userStatuses, userTypes } from './user.ts'
import { UserView } from './view.ts'

const UserRef = message('user.v1.UserRef', { id: text() })
const oneView = (name: string) => message(name, { userView: nested(UserView), expanded: expandedField })
const manyViews = (name: string) => message(name, { list: listOf(UserView), expanded: expandedField, nextPageToken })

const delegateStatuses = [
  'DELEGATE_STATUS_UNSPECIFIED',
  'DELEGATE_STATUS_HAS_DELEGATE',
  'DELEGATE_STATUS_NO_DELEGATE',
] as const

const ids = () => list(text(), 1000)
const SearchUsersRequest = message('user.v1.SearchUsersRequest', {
  query: text({ maxLength: 1000 }),
  email: text({ maxLength: 1000 }),
  ids: ids(),
  refs: listOf(UserRef, 1000),
  excludeIds: ids(),
  departments: ids(),
  jobTitles: ids(),
  managerIds: ids(),
  roleIds: ids(),
  origins: list(oneOf(userOrigins), 100),
  excludeOrigins: list(oneOf(userOrigins), 100),
  types: list(oneOf(userTypes), 100),
  excludeTypes: list(oneOf(userTypes), 100),
  userStatuses: list(oneOf(userStatuses), 100),
  delegateStatus: oneOf(delegateStatuses),
  delegatedUserIds: ids(),
  isDelegate: flag(),
  employmentStatuses: described(ids(), 'Only users with one of these employment statuses.'),
  directoryIds: described(ids(), 'Only users who have an account in one of these directories.'),
  access: presenceField('Only users who have access in any app, or only users who have none.'),
  createdAfter: described(timestamp(), 'Only users created at or after this time.'),
  createdBefore: described(timestamp(), 'Only users created before this time.'),
  orderBy: orderByField(userOrders),
  expandMask: nested(ExpandMask),
})
type Search = ReturnType<typeof SearchUsersRequest.read>

/** The selected ones of all values; null if none are included or excluded. */
function chosenOf(all: readonly string[], include: readonly string[], exclude: readonly string[]): string[] | null {
  const isSaid = (value: string): boolean => !value.endsWith('_UNSPECIFIED')
  const [included, excluded] = [include.filter(isSaid), exclude.filter(isSaid)]
  if (included.length === 0 && excluded.length === 0) return null
  return (included.length > 0 ? included : all.filter(isSaid)).filter((value) => !excluded.includes(value))
}

/** Refuses filters that would reveal more to a caller than they may read of accounts and grants. */
function refuseFilters({ actor }: Call, { access, directoryIds }: Search): void {
  const needs = (field: string, action: Plain, isSet: boolean): FieldViolation[] =>
    isSet && !may(actor, action)
      ? [{ field, description: `cannot be used without the permission ${permissionFor(action)}` }]
      : []
  const [first, ...others] = [
    ...needs('access', 'grants.read', access !== 'PRESENCE_UNSPECIFIED'),
    ...needs('directoryIds', 'accounts.read', directoryIds.length > 0),
  ]
  if (first) throw invalid(first, ...others)
}

function filterOf(call: Call, body: Search): UserFilter {
  refuseFilters(call, body)
  // An id is looked up rather than searched for: no name looks like one.
  const isId = idPattern.test(body.query.trim())
  const wantedIds = [...body.ids, ...body.refs.map(({ id }) => id)]
  const named = body.query.trim()
  return {
    ...body,
    query: isId ? '' : body.query,
    // Both must hold: the user matches the query, and is among the ids.
    ids: isId ? (wantedIds.length === 0 || wantedIds.includes(named) ? [named] : ['']) : wantedIds,
    origins: chosenOf(userOrigins, body.origins, body.excludeOrigins),
    types: chosenOf(userTypes, body.types, body.excludeTypes),
    statuses: body.userStatuses,
    hasDelegate:
      body.delegateStatus === 'DELEGATE_STATUS_UNSPECIFIED'
        ? null
        : body.delegateStatus === 'DELEGATE_STATUS_HAS_DELEGATE',
    hasAccess: presenceOf(body.access),
  }
}

/**
 * People whom the caller may add though they may not search everyone: by name alone, and additional filters find no
 * more people.
 */
async function findByName(call: Call, { email, query, ids: wanted, refs }: Search) {
  const address = email.trim() || (query.includes('@') ? query.trim() : '')
  const users = await findNameable(call, { address, ids: [...wanted, ...refs.map(({ id }) => id)] })
  const { views } = await presentUsers(call, users, null)
  return views
}

const byId = ({ id }: { id: string }): Position => [id]
const byKey = ({ key, id }: { key: string; id: string }): Position => [key, id]

// Bailiwick has no types of profiles: the list exists, and is empty.
const ProfileType = message('user.v1.UserProfileType', { id: text(), name: text() })

const recordRoutes = [
  route({
    id: 'user.v1.UserService.List',
    at: 'GET /api/v1/users',
    summary: 'List the users, in order of creation.',
    rule: 'users.read',
    paged: true,
    reply: manyViews('user.v1.UserServiceListResponse'),
    async handle(call, { page }) {
      const [at, tenantId] = [call.now(), call.tenant.id]
      return presentPage(call, page, await listUsers(call.db, tenantId, at, page), byId, null)
    },
  }),
  route({
    id: 'user.v1.UserService.Get',
    at: 'GET /api/v1/users/{id}',
    summary:
      'Get a user: yourself, or anyone if you may see everyone. Of users whom you can see in part, only that part is returned.',
    rule: 'self.read',
    reply: oneView('user.v1.UserServiceGetResponse'),
    async handle(call, { path }) {
      const { views, expanded } = await presentUsers(call, [await getSeenUser(call, path.id)], null)
      return { userView: views[0] ?? null, expanded }
    },
  }),
  route({
    id: 'user.v1.UserService.Introspect',
    at: 'POST /api/v1/users/introspect',
    summary: 'Get the user who calls.',
    rule: 'self.read',
    body: message('user.v1.UserServiceIntrospectRequest', { expandMask: nested(ExpandMask) }),
    reply: oneView('user.v1.UserServiceIntrospectResponse'),
    async handle(call, { body }) {
      const { views, expanded } = await presentUsers(call, [await getUser(call, call.actor.userId)], body.expandMask)
      return { userView: views[0] ?? null, expanded }
    },
  }),
  route({
    id: 'user.v1.UserService.GetUserProfileTypes',
    at: 'GET /api/v1/users/{user_id}/profile-types',
    summary: 'List the profile types of a user. There are none.',
    rule: 'self.read',
    reply: message('user.v1.GetUserProfileTypesResponse', { profileTypes: listOf(ProfileType) }),
    async handle(call, { path }) {
      await getUser(call, path.user_id)
      return { profileTypes: [] }
    },
  }),
  route({
    id: 'user.v1.UserService.SetExpiringUserDelegationBindingByAdmin',
    at: 'POST /api/v1/users/{user_id}/set-delegation-by-admin',
    summary:
      'Set the delegate of a user, for a limited time; without delegatedUserId, the delegate is removed. A delegate whom somebody else has set does not decide changes that need approval.',
    rule: 'users.set-delegate',
    body: message('user.v1.SetExpiringUserDelegationBindingByAdminRequest', {
      delegatedUserId: text(),
      delegationStartAt: timestamp(),
      delegationExpireAt: timestamp(),
    }),
    reply: message('user.v1.SetExpiringUserDelegationBindingByAdminResponse', { item: nested(DelegationBinding) }),
    async handle(call, { path, body }) {
      const wanted = {
        userId: path.user_id,
        delegatedUserId: body.delegatedUserId,
        startAt: body.delegationStartAt,
        expirationAt: body.delegationExpireAt,
      }
      return { item: await transact(call.db, (tx) => setDelegation(tx, call, wanted)) }
    },
  }),
  route({
    id: 'user.v1.UserSearch.Search',
    at: 'POST /api/v1/search/users',
    summary:
      'Search users by the beginnings of words of their name, in any order, of an email address, a username or an employee id, and by filters. Callers who may not see everyone can find a person by complete email address, and people whom they can see by id.',
    rule: 'users.find',
    paged: true,
    body: SearchUsersRequest,
    reply: manyViews('user.v1.SearchUsersResponse'),
    async handle(call, { body, page }) {
      if (!seesEveryone(call.actor)) return { list: await findByName(call, body) }
      const wanted = { filter: filterOf(call, body), at: call.now(), page, order: orderIn(userOrders, body.orderBy) }
      const isLong = wanted.order !== null || wanted.filter.hasAccess !== null
      const users = await readApart(call.db, isLong, (db) => searchUsers(db, call.tenant.id, wanted))
      return presentPage(call, page, users, byKey, body.expandMask)
    },
    async count(call, { body }, limit) {
      if (!seesEveryone(call.actor)) return (await findByName(call, body)).length
      return countUsers(call.db, call.tenant.id, { filter: filterOf(call, body), at: call.now() }, limit)
    },
  }),
]

export const userRoutes = (forget: ForgetUser): Route[] => [
  ...recordRoutes,
  ...delegationRoutes,
  ...administerUsers(forget),
]
