export { ownsPrincipal, principalNotFound, proveOwners, sealOwners } from './owners.ts'
export { principalRoutes } from './routes.ts'
