import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import type { ObjectRef } from '../owner.ts'
import { ofObject } from './role.ts'

/** An owner that was removed, because what was owned was deleted, or its owner. */
export type GoneOwner = {
  id: string
  kind: string
  appId: string
  objectId: string
  roleSlug: string
  userId: string | null
  entitlementAppId: string | null
  entitlementId: string | null
}

type Ending = { at: Date; by: string }
type Why = 'object_gone' | 'owner_gone'

const columns = (db: Reads) => db`
  o.owner_id as id, o.kind, o.app_id as "appId", o.object_id as "objectId", o.role_slug as "roleSlug",
  o.user_id as "userId", o.entitlement_app_id as "entitlementAppId", o.entitlement_id as "entitlementId"`

/** A server whose clock is slow ends no row before it began. */
const ended = (tx: Tx, why: Why, { at, by }: Ending): Fragment =>
  tx`ended_at = greatest(${at}, o.began_at), ended_by = ${by}, ended_why = ${why}`

/** Ends the owners of an object that is deleted. */
export async function endOwnersOf(tx: Tx, tenantId: number, object: ObjectRef, ending: Ending): Promise<GoneOwner[]> {
  return tx<GoneOwner[]>`
    update owners o set ${ended(tx, 'object_gone', ending)}
    where ${ofObject(tx, tenantId, object)} and o.ended_at is null
    returning ${columns(tx)}`
}

/** A user who is deleted no longer owns anything. */
export async function endOwnedBy(tx: Tx, tenantId: number, userId: string, ending: Ending): Promise<void> {
  await tx`
    update owners o set ${ended(tx, 'owner_gone', ending)}
    where o.tenant_id = ${tenantId} and o.user_id = ${userId} and o.ended_at is null`
}

/** What is deleted from an app: all of it, or some entitlements and the resources of a type, or one of these. */
export type GoneInApp = {
  appId: string
  entitlements: 'all' | Fragment
  resources: { typeId: string; id: string | undefined } | null
}

/** Ends the owners of what is deleted from an app, and of what was owned by holding it. `entitlements` follows IN. */
export async function endOwnersInApp(tx: Tx, tenantId: number, gone: GoneInApp, ending: Ending): Promise<GoneOwner[]> {
  const { appId, entitlements, resources } = gone
  const ofResource = resources?.id === undefined ? tx`` : tx`and o.object_id = ${resources.id}`
  const ofResources =
    resources === null ? tx`` : tx`or (o.kind = 'resource' and o.resource_type_id = ${resources.typeId} ${ofResource})`
  const owned =
    entitlements === 'all' ? tx`` : tx`and ((o.kind = 'entitlement' and o.object_id in ${entitlements}) ${ofResources})`
  const ofObjects = await tx<GoneOwner[]>`
    update owners o set ${ended(tx, 'object_gone', ending)}
    where o.tenant_id = ${tenantId} and o.ended_at is null and o.app_id = ${appId} ${owned}
    returning ${columns(tx)}`
  const ofHolders = await tx<GoneOwner[]>`
    update owners o set ${ended(tx, 'owner_gone', ending)}
    where o.tenant_id = ${tenantId} and o.ended_at is null and o.entitlement_app_id = ${appId}
      ${entitlements === 'all' ? tx`` : tx`and o.entitlement_id in ${entitlements}`}
    returning ${columns(tx)}`
  return [...ofObjects, ...ofHolders]
}

/** What is deleted in the whole tenant, as queries. */
export type GoneObjects = {
  /** (kind, app_id, resource_type_id, object_id) */
  objects: Fragment
  /** (app_id), whose connectors are deleted too */
  apps: Fragment
  /** (user_id) */
  users: Fragment
  /** (app_id, entitlement_id) */
  entitlements: Fragment
}

/** Ends the owners of what is deleted, and the ownership of deleted owners. */
export async function endOwnersOfAll(
  tx: Tx,
  tenantId: number,
  gone: GoneObjects,
  ending: Ending,
): Promise<GoneOwner[]> {
  const ofObjects = await tx<GoneOwner[]>`
    update owners o set ${ended(tx, 'object_gone', ending)} from (${gone.objects}) g
    where o.tenant_id = ${tenantId} and o.kind = g.kind and o.app_id = g.app_id
      and o.resource_type_id = g.resource_type_id and o.object_id = g.object_id and o.ended_at is null
    returning ${columns(tx)}`
  const ofConnectors = await tx<GoneOwner[]>`
    update owners o set ${ended(tx, 'object_gone', ending)} from (${gone.apps}) g
    where o.tenant_id = ${tenantId} and o.kind = 'connector' and o.app_id = g.app_id and o.ended_at is null
    returning ${columns(tx)}`
  const ofUsers = await tx<GoneOwner[]>`
    update owners o set ${ended(tx, 'owner_gone', ending)} from (${gone.users}) g
    where o.tenant_id = ${tenantId} and o.user_id = g.user_id and o.ended_at is null
    returning ${columns(tx)}`
  const ofHolders = await tx<GoneOwner[]>`
    update owners o set ${ended(tx, 'owner_gone', ending)} from (${gone.entitlements}) g
    where o.tenant_id = ${tenantId} and o.entitlement_app_id = g.app_id and o.entitlement_id = g.entitlement_id
      and o.ended_at is null
    returning ${columns(tx)}`
  return [...ofObjects, ...ofConnectors, ...ofUsers, ...ofHolders]
}
