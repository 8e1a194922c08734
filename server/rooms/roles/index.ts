export { builtInRoles, permissions, permitted } from './permissions.ts'
export { RoleMessage, roleRoutes, viewRole } from './routes.ts'
export {
  assignRole,
  findRole,
  findRoles,
  insertBuiltInRoles,
  listRolesOfUser,
  replaceRolesOfUser,
} from './store.ts'
