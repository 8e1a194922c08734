import type { About } from '#kernel/routes.ts'
import { type Fields, text } from '#kernel/wire.ts'
import type { Kind, ObjectRef } from '#rooms/foundation/ownership/index.ts'

type Path = Readonly<Record<string, string>>

/** How the operations on owners treat one kind of object. Everything else is the same for all kinds. */
export type KindPlan = {
  kind: Kind
  noun: string
  /** Its address under `/api/v2/`, and how to read the object from it. */
  path: string
  refIn(path: Path): ObjectRef
  /**
   * The owners of the object, and of what it is in, may see its owners; if it is in something, that object's owners may
   * change them.
   */
  about: About | null
  liesInSomething: boolean
  v2: {
    service: string
    /** The name of an owner in responses, without `User` or `Entitlement`. */
    owner: string
    /** Whether there is an operation that returns a single owner. */
    hasGet: boolean
    /** The fields of an owner's record that identify the object. */
    fields: Fields
    valuesOf(object: ObjectRef): Record<string, string>
  }
  v1: V1Plan | null
}

/** The older operations: for the role primary, and for users only. */
export type V1Plan = {
  service: string
  path: string
  /** Where the user to add or remove is named: in the address, or in the body. */
  add: 'path' | 'body'
  remove: 'path' | 'body'
  /** The address that removes all at once, and whether the body may select some. */
  removeAll: { under: 'owners' | 'ownerids'; takesUserIds: boolean }
}

const id = (path: Path, parameter: string): string => path[parameter] ?? ''

export const kindPlans: readonly KindPlan[] = [
  {
    kind: 'app',
    noun: 'an app',
    path: 'apps/{app_id}',
    refIn: (path) => ({ kind: 'app', appId: id(path, 'app_id'), typeId: '', id: id(path, 'app_id') }),
    about: { app: 'app_id' },
    liesInSomething: false,
    v2: {
      service: 'app.v2.AppOwners',
      owner: 'appOwner',
      hasGet: true,
      fields: { appId: text() },
      valuesOf: ({ appId }) => ({ appId }),
    },
    v1: {
      service: 'app.v1.AppOwners',
      path: 'apps/{app_id}',
      add: 'path',
      remove: 'path',
      removeAll: { under: 'owners', takesUserIds: true },
    },
  },
  {
    kind: 'entitlement',
    noun: 'an entitlement',
    path: 'apps/{app_id}/entitlements/{entitlement_id}',
    refIn: (path) => ({ kind: 'entitlement', appId: id(path, 'app_id'), typeId: '', id: id(path, 'entitlement_id') }),
    about: { app: 'app_id', entitlement: 'entitlement_id' },
    liesInSomething: true,
    v2: {
      service: 'app.v2.AppEntitlementOwners',
      owner: 'appEntitlementOwner',
      hasGet: true,
      fields: { appId: text(), entitlementId: text() },
      valuesOf: ({ appId, id: entitlementId }) => ({ appId, entitlementId }),
    },
    v1: {
      service: 'app.v1.AppEntitlementOwners',
      path: 'apps/{app_id}/entitlements/{entitlement_id}',
      add: 'body',
      remove: 'path',
      removeAll: { under: 'owners', takesUserIds: false },
    },
  },
  {
    kind: 'resource',
    noun: 'a resource',
    path: 'apps/{app_id}/resource_types/{resource_type_id}/resources/{resource_id}',
    refIn: (path) => ({
      kind: 'resource',
      appId: id(path, 'app_id'),
      typeId: id(path, 'resource_type_id'),
      id: id(path, 'resource_id'),
    }),
    about: { app: 'app_id', resourceType: 'resource_type_id', resource: 'resource_id' },
    liesInSomething: true,
    v2: {
      service: 'app.v2.AppResourceOwnersV2',
      owner: 'appResourceOwner',
      hasGet: true,
      fields: { appId: text(), resourceTypeId: text(), resourceId: text() },
      valuesOf: ({ appId, typeId, id: resourceId }) => ({ appId, resourceTypeId: typeId, resourceId }),
    },
    v1: {
      service: 'app.v1.AppResourceOwners',
      path: 'apps/{app_id}/resource_types/{resource_type_id}/resource/{resource_id}',
      add: 'body',
      remove: 'body',
      removeAll: { under: 'ownerids', takesUserIds: false },
    },
  },
  {
    kind: 'account',
    noun: 'an account (app user)',
    path: 'apps/{app_id}/users/{user_id}',
    refIn: (path) => ({ kind: 'account', appId: id(path, 'app_id'), typeId: '', id: id(path, 'user_id') }),
    about: { app: 'app_id', account: 'user_id' },
    liesInSomething: true,
    v2: {
      service: 'app.v2.AppUserOwnersV2',
      owner: 'appUserOwner',
      hasGet: false,
      fields: { appId: text(), userId: text() },
      valuesOf: ({ appId, id: userId }) => ({ appId, userId }),
    },
    v1: null,
  },
  {
    kind: 'user',
    noun: 'a user',
    path: 'users/{user_id}',
    refIn: (path) => ({ kind: 'user', appId: '', typeId: '', id: id(path, 'user_id') }),
    about: null,
    liesInSomething: false,
    v2: {
      service: 'user.v2.UserOwnersV2',
      owner: 'userOwner',
      hasGet: false,
      fields: { userId: text() },
      valuesOf: ({ id: userId }) => ({ userId }),
    },
    v1: null,
  },
  {
    kind: 'connector',
    noun: 'a connector',
    path: 'apps/{app_id}/connectors/{connector_id}',
    refIn: (path) => ({ kind: 'connector', appId: id(path, 'app_id'), typeId: '', id: id(path, 'connector_id') }),
    about: { app: 'app_id', connector: 'connector_id' },
    liesInSomething: true,
    v2: {
      service: 'app.v2.ConnectorOwners',
      owner: 'connectorOwner',
      hasGet: true,
      fields: { appId: text(), connectorId: text() },
      valuesOf: ({ appId, id: connectorId }) => ({ appId, connectorId }),
    },
    v1: null,
  },
]

/** Who may see the owners of an object; who may change them; and who may only remove some. */
export const toRead = ({ kind, about }: KindPlan) => ({
  rule: `${kind}.owners.read` as const,
  ...(about && { about: about as {} }),
})
export const toChange = (plan: KindPlan) => ({ rule: `${plan.kind}.owners.change` as const, ...aboveOf(plan) })
export const toRemove = (plan: KindPlan) =>
  plan.kind === 'user' ? { rule: 'user.owners.remove' as const } : toChange(plan)

const aboveOf = ({ about, liesInSomething }: KindPlan) => about && liesInSomething && { about: about as {} }
