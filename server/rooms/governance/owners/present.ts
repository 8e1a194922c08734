import type { Call } from '#kernel/routes.ts'
import type { ObjectRef } from '#rooms/foundation/ownership/index.ts'
import { findUsers, type User } from '#rooms/identity/users/index.ts'
import { presentEntitlementsOf } from '#rooms/records/grants/index.ts'
import type { KindPlan } from './kinds.ts'
import type { EntitlementOwner, UserOwner } from './store/read.ts'

/** Users in the order of their ids; deleted ones too, if the past is requested. */
export async function usersInOrder(call: Call, ids: readonly string[]): Promise<User[]> {
  const userOf = new Map((await findUsers(call.db, call.tenant.id, ids, call.now())).map((user) => [user.id, user]))
  return ids.flatMap((id) => userOf.get(id) ?? [])
}

export async function presentUserOwners(call: Call, plan: KindPlan, object: ObjectRef, owners: readonly UserOwner[]) {
  const ids = [...new Set(owners.map(({ userId }) => userId))]
  const userOf = new Map((await usersInOrder(call, ids)).map((user) => [user.id, user]))
  return owners.map(({ roleSlug, userId, since }) => ({
    ...plan.v2.valuesOf(object),
    roleSlug,
    createdAt: since,
    user: userOf.get(userId) ?? null,
  }))
}

export async function presentEntitlementOwners(
  call: Call,
  plan: KindPlan,
  object: ObjectRef,
  owners: readonly EntitlementOwner[],
) {
  const refs = new Map(owners.map(({ entitlement }) => [`${entitlement.appId} ${entitlement.id}`, entitlement]))
  const { views } = await presentEntitlementsOf(call, [...refs.values()], null)
  const viewOf = new Map(
    views.map(({ appEntitlement }) => [`${appEntitlement.appId} ${appEntitlement.id}`, appEntitlement]),
  )
  return owners.map(({ roleSlug, entitlement, since }) => ({
    ...plan.v2.valuesOf(object),
    roleSlug,
    createdAt: since,
    appEntitlement: viewOf.get(`${entitlement.appId} ${entitlement.id}`) ?? null,
  }))
}
