export {
  administratorSince,
  findAssignedEmail,
  findProvenRoles,
  isAssignmentProven,
  listRolesOfUser,
  permittedIn,
} from './assigned.ts'
export { basicRole, beyond, builtInRoles, heldServiceRoles, permitted } from './permissions.ts'
export { RoleMessage, roleRoutes, viewRole } from './routes.ts'
export { seedBuiltInRoles } from './seed.ts'
export { sealExistingRoles } from './store/sealing.ts'
export {
  type AssignedRole,
  addBasicRole,
  assignRole,
  deleteAssignment,
  findRole,
  findRoles,
  insertAssignment,
  insertBuiltInRoles,
  insertRoles,
  listRoles,
  type Role,
  replaceRolesOfUser,
} from './store.ts'
