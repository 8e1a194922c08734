export type Kind = 'app' | 'entitlement' | 'resource' | 'account' | 'user' | 'connector'

/** Something that has owners, told from all others. A user lies in no app, and only a resource has a type: '' there. */
export type ObjectRef = { kind: Kind; appId: string; typeId: string; id: string }

export type EntitlementRef = { appId: string; id: string }

/** Owners of one thing in one role: users, and whoever holds one of the entitlements. */
export type Owners = { userIds: readonly string[]; entitlements: readonly EntitlementRef[] }

/** One row of the record: exactly one of the two is an owner. */
export type OwnerRow = { id: string; userId: string | null; entitlement: EntitlementRef | null }

/** One role of one thing. */
export type RoleRef = { object: ObjectRef; roleSlug: string }

/** The role that the older operations read and write. */
export const primary = 'primary'
