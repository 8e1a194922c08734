import type { May } from '#authority/proof.ts'
import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import type { At, Call, Route } from '#kernel/routes.ts'
import { type Reads, transact } from '#kernel/sql.ts'
import { described, empty, listOf, message, nested, required, text, timestamp } from '#kernel/wire.ts'
import type { EntitlementRef, ObjectRef, Owners, OwnersChange } from '#rooms/foundation/ownership/index.ts'
import { UserMessage } from '#rooms/identity/users/index.ts'
import { EntitlementMessage } from '#rooms/records/apps/index.ts'
import { momentOf } from '#rooms/records/grants/index.ts'
import { changeOwners, getObject, refuseUnseenOwners, refuseWrong, type Wanted } from '../actions.ts'
import { refsMax, roleProblem, slugRule } from '../decide.ts'
import { type KindPlan, kindPlans, toChange, toRead, toRemove } from '../kinds.ts'
import { presentEntitlementOwners, presentUserOwners } from '../present.ts'
import { ownerNotFound } from '../refuse.ts'
import {
  type EntitlementOwner,
  findEntitlementOwner,
  findUserOwner,
  listEntitlementOwners,
  listUserOwners,
  type UserOwner,
} from '../store/read.ts'

const id = () => text({ maxLength: 64 })
const UserRef = message('user.v1.UserRef', { id: id() })
const EntitlementRefMessage = message('app.v1.AppEntitlementRef', { appId: id(), id: id() })
const SearchQuery = message('', {
  roleSlug: described(text({ maxLength: 64 }), 'Only owners in this role; in any role by default.'),
  asOf: described(timestamp(), 'The owners at this time; the current owners by default.'),
})
const roleShape = described(
  text({ maxLength: 64 }),
  'The role: 1 to 64 characters of a-z, 0-9, _ and -, such as primary.',
)

type Path = Readonly<Record<string, string>>
const pathOf = (path: object): Path => path as Path
const userIn = (path: Path): string => path['user_ref_id'] ?? ''
const entitlementIn = (path: Path): EntitlementRef => ({
  appId: path['app_entitlement_ref_app_id'] ?? '',
  id: path['app_entitlement_ref_id'] ?? '',
})
const roleIn = (path: Path): string => path['role_slug'] ?? ''

/** A body may repeat the values of the address, but not contradict them. */
function refuseOther(field: string, inBody: object | null, inPath: object): void {
  const told = Object.entries(inPath) as [string, string][]
  const body = (inBody ?? {}) as Record<string, string>
  const wrong = told.filter(([name, value]) => (body[name] ?? '') !== '' && body[name] !== value)
  const [first, ...others] = wrong.map(([name]) => ({
    field: `${field}.${name}`,
    description: 'must be the same as in the path, or absent',
  }))
  if (first) throw invalid(first, ...others)
}

/** If these fields were ignored as unknown, the object would be left without owners in the role. */
const inVersion1 = {
  userIds: 'is a field of version 1 of this operation; send userRefs here, as [{"id": "…"}]',
  userId: 'is a field of version 1 of this operation; send userRefs here, as [{"id": "…"}]',
  owners: 'is a field of other operations; send userRefs here, as [{"id": "…"}]',
}

const ofUser = '/users/{role_slug}/{user_ref_id}'
const ofEntitlement = '/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}'
const at = (plan: KindPlan, method: string, path = '') => `${method} /api/v2/${plan.path}/owners${path}` as At

/** The beginning of the names of messages about these owners. */
const nameOf = ({ v2 }: KindPlan): string =>
  `${v2.service.slice(0, v2.service.lastIndexOf('.'))}.${v2.owner[0]?.toUpperCase()}${v2.owner.slice(1)}`

const userBody = (plan: KindPlan, verb: string) =>
  message(`${nameOf(plan)}User${verb}Request`, { userRef: nested(UserRef) })
const entitlementBody = (plan: KindPlan, verb: string) =>
  message(`${nameOf(plan)}Entitlement${verb}Request`, { appEntitlementRef: nested(EntitlementRefMessage) })

type Shapes = ReturnType<typeof shapesOf>
function shapesOf(plan: KindPlan) {
  const { v2 } = plan
  const name = nameOf(plan)
  const about = { ...v2.fields, roleSlug: text(), createdAt: timestamp() }
  const OwnerUser = message(`${name}User`, { ...about, user: nested(UserMessage) })
  const OwnerEntitlement = message(`${name}Entitlement`, { ...about, appEntitlement: nested(EntitlementMessage) })
  return {
    OwnerUser,
    OwnerEntitlement,
    userReply: (verb: string) => message(`${name}User${verb}Response`, { [`${v2.owner}User`]: nested(OwnerUser) }),
    entitlementReply: (verb: string) =>
      message(`${name}Entitlement${verb}Response`, { [`${v2.owner}Entitlement`]: nested(OwnerEntitlement) }),
  }
}

const onlyUser = (path: object): Owners => ({ userIds: [userIn(pathOf(path))], entitlements: [] })
const onlyEntitlement = (path: object): Owners => ({ userIds: [], entitlements: [entitlementIn(pathOf(path))] })

const changed = (plan: KindPlan, call: May<OwnersChange>, path: object, roleSlug: string, wanted: Wanted) =>
  transact(call.db, (tx) => changeOwners(tx, call, plan.refIn(pathOf(path)), roleSlug, wanted))

// Found on the given connection, which may be in a transaction; presented after it, on another connection.
async function findUser(call: Call, db: Reads, object: ObjectRef, path: Path) {
  const [roleSlug, userId] = [roleIn(path), userIn(path)]
  const owner = await findUserOwner(db, call.tenant.id, { object, roleSlug }, userId)
  if (!owner) throw ownerNotFound(object, roleSlug, { userId })
  return { object, owner }
}

async function showUser(call: Call, plan: KindPlan, { object, owner }: { object: ObjectRef; owner: UserOwner }) {
  const [view] = await presentUserOwners(call, plan, object, [owner])
  return { [`${plan.v2.owner}User`]: view }
}

async function findEntitlement(call: Call, db: Reads, object: ObjectRef, path: Path) {
  const [roleSlug, entitlement] = [roleIn(path), entitlementIn(path)]
  const owner = await findEntitlementOwner(db, call.tenant.id, { object, roleSlug }, entitlement)
  if (!owner) throw ownerNotFound(object, roleSlug, { entitlement })
  return { object, owner }
}

type FoundEntitlement = { object: ObjectRef; owner: EntitlementOwner }

async function showEntitlement(call: Call, plan: KindPlan, { object, owner }: FoundEntitlement) {
  const [view] = await presentEntitlementOwners(call, plan, object, [owner])
  return { [`${plan.v2.owner}Entitlement`]: view }
}

const setRoute = (plan: KindPlan): Route =>
  route({
    id: `${plan.v2.service}.Set`,
    at: at(plan, 'PUT'),
    summary: `Replace all owners of ${plan.noun} in one role; its other roles are not changed.`,
    ...toChange(plan),
    body: message(`${nameOf(plan)}SetRequest`, {
      roleSlug: required(roleShape, `must be given: it ${slugRule}`),
      userRefs: listOf(UserRef, refsMax),
      appEntitlementRefs: listOf(EntitlementRefMessage, refsMax),
    }),
    notHere: inVersion1,
    reply: empty,
    async handle(call, { path, body }) {
      const owners = { userIds: body.userRefs.map((ref) => ref.id), entitlements: body.appEntitlementRefs }
      refuseWrong({ roleField: 'roleSlug' }, body.roleSlug, owners)
      await changed(plan, call, path, body.roleSlug, { set: owners })
      return {}
    },
  })

const searchRoutes = (plan: KindPlan, shapes: Shapes): Route[] => [
  route({
    id: `${plan.v2.service}.SearchUserOwners`,
    at: at(plan, 'GET', '/users'),
    summary: `List the users who are named as owners of ${plan.noun}, now or at an earlier time.`,
    ...toRead(plan),
    paged: true,
    query: SearchQuery,
    reply: message(`${nameOf(plan)}UsersResponse`, { list: listOf(shapes.OwnerUser), nextPageToken }),
    async handle(call, { path, query, page }) {
      const { moment, object, roleSlug } = await searched(call, plan, path, query)
      const rows = await listUserOwners(call.db, call.tenant.id, { object, roleSlug }, moment, page)
      const cut = page.cut(
        rows,
        (row) => [row.roleSlug, row.userId],
        (row) => row,
      )
      return {
        list: await presentUserOwners(call, plan, object, cut.list),
        nextPageToken: cut.nextPageToken,
      }
    },
  }),
  route({
    id: `${plan.v2.service}.SearchEntitlementOwners`,
    at: at(plan, 'GET', '/entitlements'),
    summary: `List the entitlements whose holders own ${plan.noun}, now or at an earlier time.`,
    ...toRead(plan),
    paged: true,
    query: SearchQuery,
    reply: message(`${nameOf(plan)}EntitlementsResponse`, { list: listOf(shapes.OwnerEntitlement), nextPageToken }),
    async handle(call, { path, query, page }) {
      const { moment, object, roleSlug } = await searched(call, plan, path, query)
      const rows = await listEntitlementOwners(call.db, call.tenant.id, { object, roleSlug }, moment, page)
      const cut = page.cut(
        rows,
        ({ roleSlug: role, entitlement }) => [role, entitlement.appId, entitlement.id],
        (row) => row,
      )
      const list = await presentEntitlementOwners(call, plan, object, cut.list)
      return { list, nextPageToken: cut.nextPageToken }
    },
  }),
]

const getRoutes = (plan: KindPlan, shapes: Shapes): Route[] => [
  route({
    id: `${plan.v2.service}.GetUserOwner`,
    at: at(plan, 'GET', ofUser),
    summary: `Get a user who is named as an owner of ${plan.noun}.`,
    ...toRead(plan),
    reply: shapes.userReply('Get'),
    async handle(call, { path }) {
      await refuseUnseenOwners(call, plan.refIn(pathOf(path)))
      const { object } = await getObject(call.db, call, plan.refIn(pathOf(path)))
      return showUser(call, plan, await findUser(call, call.db, object, pathOf(path)))
    },
  }),
  route({
    id: `${plan.v2.service}.GetEntitlementOwner`,
    at: at(plan, 'GET', ofEntitlement),
    summary: `Get an entitlement whose holders own ${plan.noun}.`,
    ...toRead(plan),
    reply: shapes.entitlementReply('Get'),
    async handle(call, { path }) {
      await refuseUnseenOwners(call, plan.refIn(pathOf(path)))
      const { object } = await getObject(call.db, call, plan.refIn(pathOf(path)))
      return showEntitlement(call, plan, await findEntitlement(call, call.db, object, pathOf(path)))
    },
  }),
]

const createRoutes = (plan: KindPlan, shapes: Shapes): Route[] => [
  route({
    id: `${plan.v2.service}.CreateUserOwner`,
    at: at(plan, 'POST', ofUser),
    summary: `Add a user to the owners of ${plan.noun}.`,
    ...toChange(plan),
    body: userBody(plan, 'Create'),
    reply: shapes.userReply('Create'),
    async handle(call, { path, body }) {
      const roleSlug = roleIn(pathOf(path))
      refuseWrong({ roleField: 'role_slug' }, roleSlug)
      refuseOther('userRef', body.userRef, { id: userIn(pathOf(path)) })
      const wanted = { add: onlyUser(path) }
      const found = await transact(call.db, async (tx) => {
        const { object } = await changeOwners(tx, call, plan.refIn(pathOf(path)), roleSlug, wanted)
        // Read in the transaction: another request may remove the owner right after it.
        return findUser(call, tx, object, pathOf(path))
      })
      return showUser(call, plan, found)
    },
  }),
  route({
    id: `${plan.v2.service}.CreateEntitlementOwner`,
    at: at(plan, 'POST', ofEntitlement),
    summary: `Add everyone who has an entitlement to the owners of ${plan.noun}.`,
    ...toChange(plan),
    body: entitlementBody(plan, 'Create'),
    reply: shapes.entitlementReply('Create'),
    async handle(call, { path, body }) {
      const roleSlug = roleIn(pathOf(path))
      refuseWrong({ roleField: 'role_slug' }, roleSlug)
      refuseOther('appEntitlementRef', body.appEntitlementRef, entitlementIn(pathOf(path)))
      const wanted = { add: onlyEntitlement(path) }
      const found = await transact(call.db, async (tx) => {
        const { object } = await changeOwners(tx, call, plan.refIn(pathOf(path)), roleSlug, wanted)
        return findEntitlement(call, tx, object, pathOf(path))
      })
      return showEntitlement(call, plan, found)
    },
  }),
]

const deleteRoutes = (plan: KindPlan): Route[] => [
  route({
    id: `${plan.v2.service}.DeleteUserOwner`,
    at: at(plan, 'DELETE', ofUser),
    summary: `Remove a user from the owners of ${plan.noun}.`,
    ...toRemove(plan),
    body: userBody(plan, 'Delete'),
    reply: empty,
    async handle(call, { path, body }) {
      const roleSlug = roleIn(pathOf(path))
      refuseWrong({ roleField: 'role_slug' }, roleSlug)
      refuseOther('userRef', body.userRef, { id: userIn(pathOf(path)) })
      const { object, removed } = await changed(plan, call, path, roleSlug, { remove: onlyUser(path) })
      if (removed.length === 0) throw ownerNotFound(object, roleSlug, { userId: userIn(pathOf(path)) })
      return {}
    },
  }),
  route({
    id: `${plan.v2.service}.DeleteEntitlementOwner`,
    at: at(plan, 'DELETE', ofEntitlement),
    summary: `Remove the members of an entitlement from the owners of ${plan.noun}.`,
    ...toRemove(plan),
    body: entitlementBody(plan, 'Delete'),
    reply: empty,
    async handle(call, { path, body }) {
      const roleSlug = roleIn(pathOf(path))
      refuseWrong({ roleField: 'role_slug' }, roleSlug)
      const entitlement = entitlementIn(pathOf(path))
      refuseOther('appEntitlementRef', body.appEntitlementRef, entitlement)
      const { object, removed } = await changed(plan, call, path, roleSlug, { remove: onlyEntitlement(path) })
      if (removed.length === 0) throw ownerNotFound(object, roleSlug, { entitlement })
      return {}
    },
  }),
]

async function searched(call: Call, plan: KindPlan, path: object, query: { roleSlug: string; asOf: Date | null }) {
  const { roleSlug } = query
  const problem = roleSlug === '' ? null : roleProblem('roleSlug', roleSlug)
  if (problem) throw invalid(problem)
  const moment = momentOf(call, query.asOf)
  await refuseUnseenOwners(call, plan.refIn(pathOf(path)))
  const { object } = await getObject(call.db, call, plan.refIn(pathOf(path)), moment)
  return { moment, object, roleSlug }
}

function routesOf(plan: KindPlan): Route[] {
  const shapes = shapesOf(plan)
  return [
    setRoute(plan),
    ...searchRoutes(plan, shapes),
    ...(plan.v2.hasGet ? getRoutes(plan, shapes) : []),
    ...createRoutes(plan, shapes),
    ...deleteRoutes(plan),
  ]
}

export const ownerRoutesV2: readonly Route[] = kindPlans.flatMap(routesOf)
