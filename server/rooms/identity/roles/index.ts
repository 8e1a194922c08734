export { findAssignedEmail, findProvenRoles, isAssignmentProven, listRolesOfUser } from './assigned.ts'
export { builtInRoles, heldServiceRoles, permissions, permitted } from './permissions.ts'
export { RoleMessage, roleRoutes, viewRole } from './routes.ts'
export { sealExistingRoles, seedBuiltInRoles } from './store/sealing.ts'
export {
  type AssignedRole,
  assignRole,
  findRole,
  findRoles,
  insertBuiltInRoles,
  insertRoles,
  type Role,
  replaceRolesOfUser,
} from './store.ts'
