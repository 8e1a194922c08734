export {
  type EntitlementRef,
  type Kind,
  type ObjectRef,
  type OwnerRow,
  type Owners,
  type OwnersChange,
  primary,
  type RoleRef,
} from './owner.ts'
export { endOwnedBy, endOwnersInApp, endOwnersOf, endOwnersOfAll, type GoneOwner } from './store/gone.ts'
export { insertOwners, type NewOwner } from './store/insert.ts'
export { beginOwned, endOwned, listOwned, type Owned } from './store/of-user.ts'
export { addEntitlementOwners, addUserOwners, endOwnersInRole, ofObject } from './store/role.ts'
