export type Kind = 'app' | 'entitlement' | 'resource' | 'account' | 'user' | 'connector'

/** The full identity of an object that has owners. A user belongs to no app, and only a resource has a type: '' there. */
export type ObjectRef = { kind: Kind; appId: string; typeId: string; id: string }

export type EntitlementRef = { appId: string; id: string }

/** Owners of one object in one role: users, and the holders of entitlements. */
export type Owners = { userIds: readonly string[]; entitlements: readonly EntitlementRef[] }

/** One row of the table: exactly one of the two is an owner. */
export type OwnerRow = { id: string; userId: string | null; entitlement: EntitlementRef | null }

/** One role of one object. */
export type RoleRef = { object: ObjectRef; roleSlug: string }

/** The role that the older operations read and write. */
export const primary = 'primary'

/** The rules by which someone chooses the owners of a thing of some kind, or of all things. */
export type OwnersChange = `${Kind}.owners.change` | 'user.owners.remove' | 'owners.bulk-change' | 'owners.change'
