import type { May } from '#authority/proof.ts'
import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import type { At, Call, Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, empty, list, listOf, message, required, text, timestamp } from '#kernel/wire.ts'
import { type Owners, type OwnersChange, primary } from '#rooms/foundation/ownership/index.ts'
import { UserMessage } from '#rooms/identity/users/index.ts'
import { momentOf } from '#rooms/records/grants/index.ts'
import { changeOwners, getObject, refuseUnseenOwners, type Wanted } from '../actions.ts'
import { refsMax } from '../decide.ts'
import { type KindPlan, kindPlans, toChange, toRead, type V1Plan } from '../kinds.ts'
import { usersInOrder } from '../present.ts'
import { ownerNotFound } from '../refuse.ts'
import { listEffectiveOwners } from '../store/effective.ts'
import { listNamedInOrder } from '../store/order.ts'

const id = () => text({ maxLength: 64 })
const AsOf = message('', {
  asOf: described(timestamp(), 'The owners at this time; the current owners by default.'),
})
// The published response has no pages; List has.
const idsMax = 10_000

/** If these fields were ignored as unknown, the object would be left without owners. */
const inVersion2 = {
  userRefs: 'is a field of version 2 of this operation; send userIds here',
  appEntitlementRefs: 'is a field of version 2 of this operation; here only users are owners',
  roleSlug: 'is a field of version 2 of this operation; here the role is always primary',
}

type Path = Readonly<Record<string, string>>
const users = (userIds: readonly string[]): Owners => ({ userIds, entitlements: [] })

const at = (v1: V1Plan, method: string, path: string) => `${method} /api/v1/${v1.path}/${path}` as At
const nameOf = (v1: V1Plan, verb: string) => `${v1.service}.${verb}`

const userIdsBody = (v1: V1Plan, verb: string) =>
  message(`${nameOf(v1, verb)}Request`, { userIds: list(id(), refsMax) })
const bodyFor = (v1: V1Plan, verb: string, where: 'path' | 'body') =>
  message(
    `${nameOf(v1, verb)}Request`,
    (where === 'body' ? { userId: required(id(), 'must be given') } : {}) as { userId: ReturnType<typeof id> },
  )

function named(where: 'path' | 'body', path: object, body: { userId?: string }): string {
  const userId = where === 'path' ? (path as Path)['user_id'] : body.userId
  if (!userId) throw invalid({ field: 'userId', description: 'must be given' })
  return userId
}

type PageAsked = { after: string; limit: number }

async function effective(plan: KindPlan, call: Call, path: object, asOf: Date | null, page: PageAsked) {
  const moment = momentOf(call, asOf)
  const object = plan.refIn(path as Path)
  await refuseUnseenOwners(call, object)
  const ids = await listEffectiveOwners(call.db, call.tenant.id, { object, roleSlug: primary }, moment, page)
  if (ids.length === 0) await getObject(call.db, call, object, moment)
  return ids
}

const change = (plan: KindPlan, call: May<OwnersChange>, path: object, wanted: Wanted) =>
  transact(call.db, (tx) => changeOwners(tx, call, plan.refIn(path as Path), primary, wanted))

function readingRoutes(plan: KindPlan, v1: V1Plan): Route[] {
  return [
    route({
      id: nameOf(v1, 'List'),
      at: at(v1, 'GET', 'owners'),
      summary: `List who owns ${plan.noun} in the role primary: users, and members of owning entitlements.`,
      ...toRead(plan),
      paged: true,
      query: AsOf,
      reply: message(`${nameOf(v1, 'List')}Response`, { list: listOf(UserMessage), nextPageToken }),
      async handle(call, { path, query, page }) {
        const asked = { after: String(page.after?.[0] ?? ''), limit: page.limit }
        const cut = page.cut(
          await effective(plan, call, path, query.asOf, asked),
          (userId) => [userId],
          (userId) => userId,
        )
        return { list: await usersInOrder(call, cut.list), nextPageToken: cut.nextPageToken }
      },
    }),
    route({
      id: nameOf(v1, 'ListOwnerIDs'),
      at: at(v1, 'GET', 'ownerids'),
      summary: `List the ids of the owners of ${plan.noun} in the role primary, at most ${idsMax}.`,
      ...toRead(plan),
      query: AsOf,
      reply: message(`${nameOf(v1, 'ListOwnerIDs')}Response`, { userIds: list(text()) }),
      async handle(call, { path, query }) {
        const all = await effective(plan, call, path, query.asOf, { after: '', limit: idsMax })
        const role = { object: plan.refIn(path as Path), roleSlug: primary }
        const inOrder = await listNamedInOrder(call.db, call.tenant.id, role, momentOf(call, query.asOf), idsMax)
        // Those who are named come first, in their order; then, by id, those who own it by an entitlement.
        return { userIds: [...new Set([...inOrder.map(({ userId }) => userId), ...all])].slice(0, idsMax) }
      },
    }),
  ]
}

function changingRoutes(plan: KindPlan, v1: V1Plan): Route[] {
  return [
    route({
      id: nameOf(v1, 'Set'),
      at: at(v1, 'PUT', 'owners'),
      summary: `Replace all owners of ${plan.noun} in the role primary by these users.`,
      ...toChange(plan),
      body: userIdsBody(v1, 'Set'),
      notHere: inVersion2,
      reply: empty,
      async handle(call, { path, body }) {
        await change(plan, call, path, { set: users(body.userIds) })
        return {}
      },
    }),
    route({
      id: nameOf(v1, 'Add'),
      at: at(v1, 'POST', v1.add === 'path' ? 'owners/{user_id}' : 'owners'),
      summary: `Add a user to the owners of ${plan.noun} in the role primary.`,
      ...toChange(plan),
      body: bodyFor(v1, 'Add', v1.add),
      reply: empty,
      async handle(call, { path, body }) {
        await change(plan, call, path, { add: users([named(v1.add, path, body)]) })
        return {}
      },
    }),
    route({
      id: nameOf(v1, 'Remove'),
      at: at(v1, 'DELETE', v1.remove === 'path' ? 'owners/{user_id}' : 'owners'),
      summary: `Remove a user from the owners of ${plan.noun} in the role primary.`,
      ...toChange(plan),
      body: bodyFor(v1, 'Remove', v1.remove),
      reply: empty,
      async handle(call, { path, body }) {
        const userId = named(v1.remove, path, body)
        const { object, removed } = await change(plan, call, path, { remove: users([userId]) })
        if (removed.length === 0) throw ownerNotFound(object, primary, { userId })
        return {}
      },
    }),
    route({
      id: nameOf(v1, 'Delete'),
      at: at(v1, 'DELETE', v1.removeAll.under),
      summary: v1.removeAll.takesUserIds
        ? `Remove these users from the owners of ${plan.noun} in the role primary; without any named, all owners.`
        : `Remove all owners of ${plan.noun} in the role primary.`,
      ...toChange(plan),
      body: v1.removeAll.takesUserIds
        ? userIdsBody(v1, 'Delete')
        : message(`${nameOf(v1, 'Delete')}Request`, {} as ReturnType<typeof userIdsBody>['fields']),
      notHere: inVersion2,
      reply: empty,
      async handle(call, { path, body }) {
        const userIds = body.userIds ?? []
        await change(plan, call, path, userIds.length > 0 ? { remove: users(userIds) } : { set: users([]) })
        return {}
      },
    }),
  ]
}

export const ownerRoutesV1: readonly Route[] = kindPlans.flatMap((plan) =>
  plan.v1 ? [...readingRoutes(plan, plan.v1), ...changingRoutes(plan, plan.v1)] : [],
)
