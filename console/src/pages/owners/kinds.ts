import {
  appEntitlementOwnersCreateEntitlementOwnerV2,
  appEntitlementOwnersCreateUserOwnerV2,
  appEntitlementOwnersDeleteEntitlementOwnerV2,
  appEntitlementOwnersDeleteUserOwnerV2,
  appEntitlementOwnersSearchEntitlementOwnersV2,
  appEntitlementOwnersSearchUserOwnersV2,
  appEntitlementOwnersSetV2,
  appOwnersCreateEntitlementOwnerV2,
  appOwnersCreateUserOwnerV2,
  appOwnersDeleteEntitlementOwnerV2,
  appOwnersDeleteUserOwnerV2,
  appOwnersSearchEntitlementOwnersV2,
  appOwnersSearchUserOwnersV2,
  appOwnersSetV2,
  appResourceOwnersV2CreateEntitlementOwnerV2,
  appResourceOwnersV2CreateUserOwnerV2,
  appResourceOwnersV2DeleteEntitlementOwnerV2,
  appResourceOwnersV2DeleteUserOwnerV2,
  appResourceOwnersV2SearchEntitlementOwnersV2,
  appResourceOwnersV2SearchUserOwnersV2,
  appResourceOwnersV2SetV2,
  appUserOwnersV2CreateEntitlementOwnerV2,
  appUserOwnersV2CreateUserOwnerV2,
  appUserOwnersV2DeleteEntitlementOwnerV2,
  appUserOwnersV2DeleteUserOwnerV2,
  appUserOwnersV2SearchEntitlementOwnersV2,
  appUserOwnersV2SearchUserOwnersV2,
  appUserOwnersV2SetV2,
  connectorOwnersCreateEntitlementOwnerV2,
  connectorOwnersCreateUserOwnerV2,
  connectorOwnersDeleteEntitlementOwnerV2,
  connectorOwnersDeleteUserOwnerV2,
  connectorOwnersSearchEntitlementOwnersV2,
  connectorOwnersSearchUserOwnersV2,
  connectorOwnersSetV2,
  userOwnersV2CreateEntitlementOwnerV2,
  userOwnersV2CreateUserOwnerV2,
  userOwnersV2DeleteEntitlementOwnerV2,
  userOwnersV2DeleteUserOwnerV2,
  userOwnersV2SearchEntitlementOwnersV2,
  userOwnersV2SearchUserOwnersV2,
  userOwnersV2SetV2,
} from '#client/api/operations.ts'
import type { AppEntitlement, AppEntitlementRef, User, UserRef } from '#client/api/types.ts'
import type { Operation, Sent } from '#client/operation.ts'

type Asked = { role_slug?: string; as_of?: string | null; page_size?: number; page_token?: string }
type About = { roleSlug: string; createdAt: string | null }
export type UserOwner = About & { user: User | null }
export type EntitlementOwner = About & { appEntitlement: AppEntitlement | null }
type Listed<Row> = { list: Row[]; nextPageToken: string }
type Owners = { roleSlug: string; userRefs: UserRef[]; appEntitlementRefs: AppEntitlementRef[] }

type OfUser = { role_slug: string; user_ref_id: string }
type OfEntitlement = { role_slug: string; app_entitlement_ref_app_id: string; app_entitlement_ref_id: string }

/** The operations on the owners of one kind of thing. They differ only in how the thing is addressed. */
export type OwnerOperations<Path> = {
  set: Operation<{ path: Path; body?: Sent<Owners> }, unknown>
  users: Operation<{ path: Path; query?: Asked }, Listed<UserOwner>>
  entitlements: Operation<{ path: Path; query?: Asked }, Listed<EntitlementOwner>>
  addUser: Operation<{ path: Path & OfUser }, unknown>
  removeUser: Operation<{ path: Path & OfUser }, unknown>
  addEntitlement: Operation<{ path: Path & OfEntitlement }, unknown>
  removeEntitlement: Operation<{ path: Path & OfEntitlement }, unknown>
}

export const appOwners: OwnerOperations<{ app_id: string }> = {
  set: appOwnersSetV2,
  users: appOwnersSearchUserOwnersV2,
  entitlements: appOwnersSearchEntitlementOwnersV2,
  addUser: appOwnersCreateUserOwnerV2,
  removeUser: appOwnersDeleteUserOwnerV2,
  addEntitlement: appOwnersCreateEntitlementOwnerV2,
  removeEntitlement: appOwnersDeleteEntitlementOwnerV2,
}

export const entitlementOwners: OwnerOperations<{ app_id: string; entitlement_id: string }> = {
  set: appEntitlementOwnersSetV2,
  users: appEntitlementOwnersSearchUserOwnersV2,
  entitlements: appEntitlementOwnersSearchEntitlementOwnersV2,
  addUser: appEntitlementOwnersCreateUserOwnerV2,
  removeUser: appEntitlementOwnersDeleteUserOwnerV2,
  addEntitlement: appEntitlementOwnersCreateEntitlementOwnerV2,
  removeEntitlement: appEntitlementOwnersDeleteEntitlementOwnerV2,
}

export const resourceOwners: OwnerOperations<{ app_id: string; resource_type_id: string; resource_id: string }> = {
  set: appResourceOwnersV2SetV2,
  users: appResourceOwnersV2SearchUserOwnersV2,
  entitlements: appResourceOwnersV2SearchEntitlementOwnersV2,
  addUser: appResourceOwnersV2CreateUserOwnerV2,
  removeUser: appResourceOwnersV2DeleteUserOwnerV2,
  addEntitlement: appResourceOwnersV2CreateEntitlementOwnerV2,
  removeEntitlement: appResourceOwnersV2DeleteEntitlementOwnerV2,
}

export const accountOwners: OwnerOperations<{ app_id: string; user_id: string }> = {
  set: appUserOwnersV2SetV2,
  users: appUserOwnersV2SearchUserOwnersV2,
  entitlements: appUserOwnersV2SearchEntitlementOwnersV2,
  addUser: appUserOwnersV2CreateUserOwnerV2,
  removeUser: appUserOwnersV2DeleteUserOwnerV2,
  addEntitlement: appUserOwnersV2CreateEntitlementOwnerV2,
  removeEntitlement: appUserOwnersV2DeleteEntitlementOwnerV2,
}

export const userOwners: OwnerOperations<{ user_id: string }> = {
  set: userOwnersV2SetV2,
  users: userOwnersV2SearchUserOwnersV2,
  entitlements: userOwnersV2SearchEntitlementOwnersV2,
  addUser: userOwnersV2CreateUserOwnerV2,
  removeUser: userOwnersV2DeleteUserOwnerV2,
  addEntitlement: userOwnersV2CreateEntitlementOwnerV2,
  removeEntitlement: userOwnersV2DeleteEntitlementOwnerV2,
}

export const connectorOwners: OwnerOperations<{ app_id: string; connector_id: string }> = {
  set: connectorOwnersSetV2,
  users: connectorOwnersSearchUserOwnersV2,
  entitlements: connectorOwnersSearchEntitlementOwnersV2,
  addUser: connectorOwnersCreateUserOwnerV2,
  removeUser: connectorOwnersDeleteUserOwnerV2,
  addEntitlement: connectorOwnersCreateEntitlementOwnerV2,
  removeEntitlement: connectorOwnersDeleteEntitlementOwnerV2,
}

/** A thing and the operations on its owners. */
export type Owned<Path> = { of: OwnedKind; operations: OwnerOperations<Path>; path: Path }
export type OwnedKind = keyof typeof ownerWords

/** What the main owners of a thing do, and what follows if it has no owners. */
export const ownerWords = {
  app: {
    main: 'Main owners: they decide the requests that a policy sends to the owners of the app.',
    none: 'Owners decide requests, and make the changes that no connector makes.',
  },
  entitlement: {
    main: 'Main owners: they decide the requests that a policy sends to the owners of the entitlement.',
    none: 'The owners of the app are responsible for it.',
  },
  resource: {
    main: 'Main owners: they decide the requests that a policy sends to the owners of the resource.',
    none: 'The owners of the app are responsible for it.',
  },
  account: {
    main: 'Main owners: the people who are responsible for this account.',
    none: 'Owners are responsible for an account that belongs to no user.',
  },
  user: {
    main: 'Main owners: the people who are responsible for this user.',
    none: 'Owners are responsible for a user that is not a person.',
  },
  principal: {
    main: 'Owners are notified before its credentials expire, and can create credentials for it.',
    none: 'Owners are notified before its credentials expire, and can create credentials for it.',
  },
  connector: {
    main: 'Main owners: they are notified when a sync fails or waits for confirmation.',
    none: 'The owners of the app are notified when a sync fails or waits for confirmation.',
  },
} as const
