export { builtInRoles, permissions, permissionsOf } from './permissions.ts'
export { roleRoutes } from './routes.ts'
export { assignRole, findRole, findRoles, insertBuiltInRoles, listRolesOfUser } from './store.ts'
