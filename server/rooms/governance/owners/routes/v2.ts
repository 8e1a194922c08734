import type { May } from '#authority/proof.ts'
import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import type { At, Call, Route } from '#kernel/routes.ts'
import { type Reads, transact } from '#kernel/sql.ts'
import { described, empty, listOf, message, nested, required, text, timestamp } from '#kernel/wire.ts'
import type { EntitlementRef, ObjectRef, Owners } from '#rooms/foundation/ownership/index.ts'
import { UserMessage } from '#rooms/identity/users/index.ts'
import { EntitlementMessage } from '#rooms/records/apps/index.ts'
import { momentOf } from '#rooms/records/grants/index.ts'
import { changeOwners, getObject, type OwnersChange, refuseUnseenOwners, refuseWrong, type Wanted } from '../actions.ts'
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

function routesOf(plan: KindPlan): Route[] {
  const { v2, noun } = plan
  const base = `/api/v2/${plan.path}/owners`
  const ofUser = `${base}/users/{role_slug}/{user_ref_id}`
  const ofEntitlement = `${base}/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}`
  const at = (method: string, path: string) => `${method} ${path}` as At
  const name = `${v2.service.slice(0, v2.service.lastIndexOf('.'))}.${v2.owner[0]?.toUpperCase()}${v2.owner.slice(1)}`
  const about = { ...v2.fields, roleSlug: text(), createdAt: timestamp() }
  const OwnerUser = message(`${name}User`, { ...about, user: nested(UserMessage) })
  const OwnerEntitlement = message(`${name}Entitlement`, { ...about, appEntitlement: nested(EntitlementMessage) })
  const userReply = (verb: string) => message(`${name}User${verb}Response`, { [`${v2.owner}User`]: nested(OwnerUser) })
  const entitlementReply = (verb: string) =>
    message(`${name}Entitlement${verb}Response`, { [`${v2.owner}Entitlement`]: nested(OwnerEntitlement) })

  const changed = async (call: May<OwnersChange>, path: object, roleSlug: string, wanted: Wanted) =>
    transact(call.db, (tx) => changeOwners(tx, call, plan.refIn(pathOf(path)), roleSlug, wanted))
  // Found on the given connection, which may be in a transaction; presented after it, on another connection.
  const findUser = async (call: Call, db: Reads, object: ObjectRef, path: Path) => {
    const [roleSlug, userId] = [roleIn(path), userIn(path)]
    const owner = await findUserOwner(db, call.tenant.id, { object, roleSlug }, userId)
    if (!owner) throw ownerNotFound(object, roleSlug, { userId })
    return { object, owner }
  }
  const showUser = async (call: Call, { object, owner }: { object: ObjectRef; owner: UserOwner }) => {
    const [view] = await presentUserOwners(call, plan, object, [owner])
    return { [`${v2.owner}User`]: view }
  }
  const findEntitlement = async (call: Call, db: Reads, object: ObjectRef, path: Path) => {
    const [roleSlug, entitlement] = [roleIn(path), entitlementIn(path)]
    const owner = await findEntitlementOwner(db, call.tenant.id, { object, roleSlug }, entitlement)
    if (!owner) throw ownerNotFound(object, roleSlug, { entitlement })
    return { object, owner }
  }
  const showEntitlement = async (call: Call, { object, owner }: { object: ObjectRef; owner: EntitlementOwner }) => {
    const [view] = await presentEntitlementOwners(call, plan, object, [owner])
    return { [`${v2.owner}Entitlement`]: view }
  }
  const onlyUser = (path: object): Owners => ({ userIds: [userIn(pathOf(path))], entitlements: [] })
  const onlyEntitlement = (path: object): Owners => ({ userIds: [], entitlements: [entitlementIn(pathOf(path))] })
  const UserBody = (verb: string) => message(`${name}User${verb}Request`, { userRef: nested(UserRef) })
  const EntitlementBody = (verb: string) =>
    message(`${name}Entitlement${verb}Request`, { appEntitlementRef: nested(EntitlementRefMessage) })

  const all = [
    route({
      id: `${v2.service}.Set`,
      at: at('PUT', base),
      summary: `Replace all owners of ${noun} in one role; its other roles are not changed.`,
      ...toChange(plan),
      body: message(`${name}SetRequest`, {
        roleSlug: required(roleShape, `must be given: it ${slugRule}`),
        userRefs: listOf(UserRef, refsMax),
        appEntitlementRefs: listOf(EntitlementRefMessage, refsMax),
      }),
      notHere: inVersion1,
      reply: empty,
      async handle(call, { path, body }) {
        const owners = { userIds: body.userRefs.map((ref) => ref.id), entitlements: body.appEntitlementRefs }
        refuseWrong({ roleField: 'roleSlug' }, body.roleSlug, owners)
        await changed(call, path, body.roleSlug, { set: owners })
        return {}
      },
    }),
    route({
      id: `${v2.service}.SearchUserOwners`,
      at: at('GET', `${base}/users`),
      summary: `List the users who are named as owners of ${noun}, now or at an earlier time.`,
      ...toRead(plan),
      paged: true,
      query: SearchQuery,
      reply: message(`${name}UsersResponse`, { list: listOf(OwnerUser), nextPageToken }),
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
      id: `${v2.service}.SearchEntitlementOwners`,
      at: at('GET', `${base}/entitlements`),
      summary: `List the entitlements whose holders own ${noun}, now or at an earlier time.`,
      ...toRead(plan),
      paged: true,
      query: SearchQuery,
      reply: message(`${name}EntitlementsResponse`, { list: listOf(OwnerEntitlement), nextPageToken }),
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
    v2.hasGet &&
      route({
        id: `${v2.service}.GetUserOwner`,
        at: at('GET', ofUser),
        summary: `Get a user who is named as an owner of ${noun}.`,
        ...toRead(plan),
        reply: userReply('Get'),
        async handle(call, { path }) {
          await refuseUnseenOwners(call, plan.refIn(pathOf(path)))
          const { object } = await getObject(call.db, call, plan.refIn(pathOf(path)))
          return showUser(call, await findUser(call, call.db, object, pathOf(path)))
        },
      }),
    v2.hasGet &&
      route({
        id: `${v2.service}.GetEntitlementOwner`,
        at: at('GET', ofEntitlement),
        summary: `Get an entitlement whose holders own ${noun}.`,
        ...toRead(plan),
        reply: entitlementReply('Get'),
        async handle(call, { path }) {
          await refuseUnseenOwners(call, plan.refIn(pathOf(path)))
          const { object } = await getObject(call.db, call, plan.refIn(pathOf(path)))
          return showEntitlement(call, await findEntitlement(call, call.db, object, pathOf(path)))
        },
      }),
    route({
      id: `${v2.service}.CreateUserOwner`,
      at: at('POST', ofUser),
      summary: `Add a user to the owners of ${noun}.`,
      ...toChange(plan),
      body: UserBody('Create'),
      reply: userReply('Create'),
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
        return showUser(call, found)
      },
    }),
    route({
      id: `${v2.service}.CreateEntitlementOwner`,
      at: at('POST', ofEntitlement),
      summary: `Add everyone who has an entitlement to the owners of ${noun}.`,
      ...toChange(plan),
      body: EntitlementBody('Create'),
      reply: entitlementReply('Create'),
      async handle(call, { path, body }) {
        const roleSlug = roleIn(pathOf(path))
        refuseWrong({ roleField: 'role_slug' }, roleSlug)
        refuseOther('appEntitlementRef', body.appEntitlementRef, entitlementIn(pathOf(path)))
        const wanted = { add: onlyEntitlement(path) }
        const found = await transact(call.db, async (tx) => {
          const { object } = await changeOwners(tx, call, plan.refIn(pathOf(path)), roleSlug, wanted)
          return findEntitlement(call, tx, object, pathOf(path))
        })
        return showEntitlement(call, found)
      },
    }),
    route({
      id: `${v2.service}.DeleteUserOwner`,
      at: at('DELETE', ofUser),
      summary: `Remove a user from the owners of ${noun}.`,
      ...toRemove(plan),
      body: UserBody('Delete'),
      reply: empty,
      async handle(call, { path, body }) {
        const roleSlug = roleIn(pathOf(path))
        refuseWrong({ roleField: 'role_slug' }, roleSlug)
        refuseOther('userRef', body.userRef, { id: userIn(pathOf(path)) })
        const { object, removed } = await changed(call, path, roleSlug, { remove: onlyUser(path) })
        if (removed.length === 0) throw ownerNotFound(object, roleSlug, { userId: userIn(pathOf(path)) })
        return {}
      },
    }),
    route({
      id: `${v2.service}.DeleteEntitlementOwner`,
      at: at('DELETE', ofEntitlement),
      summary: `Remove the members of an entitlement from the owners of ${noun}.`,
      ...toRemove(plan),
      body: EntitlementBody('Delete'),
      reply: empty,
      async handle(call, { path, body }) {
        const roleSlug = roleIn(pathOf(path))
        refuseWrong({ roleField: 'role_slug' }, roleSlug)
        const entitlement = entitlementIn(pathOf(path))
        refuseOther('appEntitlementRef', body.appEntitlementRef, entitlement)
        const { object, removed } = await changed(call, path, roleSlug, { remove: onlyEntitlement(path) })
        if (removed.length === 0) throw ownerNotFound(object, roleSlug, { entitlement })
        return {}
      },
    }),
  ]
  return all.filter((each) => each !== false)
}

async function searched(call: Call, plan: KindPlan, path: object, query: { roleSlug: string; asOf: Date | null }) {
  const { roleSlug } = query
  const problem = roleSlug === '' ? null : roleProblem('roleSlug', roleSlug)
  if (problem) throw invalid(problem)
  const moment = momentOf(call, query.asOf)
  await refuseUnseenOwners(call, plan.refIn(pathOf(path)))
  const { object } = await getObject(call.db, call, plan.refIn(pathOf(path)), moment)
  return { moment, object, roleSlug }
}

export const ownerRoutesV2: readonly Route[] = kindPlans.flatMap(routesOf)
